"""What is drawn if nobody says more: the search that suits a position, small enough to be read; and the node of a line."""

from __future__ import annotations

import re
from typing import NamedTuple

from engines import catalog
from engines.contract import InputError, Limit, Report, listed, shown
from engines.position import Position
from workbench.render.values import counted
from workbench.watch.kinds import can_be_watched
from workbench.watch.layers.layer_trace import LayerTrace
from workbench.watch.trace import Node, Trace

DEPTH, ITERATIONS = 2, 60
"""How far a search is drawn if nobody says: a picture of more is hard to read."""
MOST_NAMED = 12


class ChosenSearch(NamedTuple):
    """An algorithm with its limit, and a sentence that says so."""

    algorithm: str
    limit: Limit
    sentence: str


def chosen_search(position: Position, algorithm: str | None, limit: Limit) -> ChosenSearch:
    """The search that is drawn: what was asked for, and for the rest what suits the position."""
    if position.is_over:
        raise InputError("The game is over; there is nothing to search. --board draws the position.")
    name = algorithm or suited(position)
    found, said = catalog.algorithm(name), []
    if not can_be_watched(found):
        raise InputError(f"{name} keeps no tree, so there is nothing to draw.")
    if reason := catalog.misfit(found, position):
        raise InputError(reason)
    if limit == Limit() and not found.by_layers:
        limit = usual_limit(position, name)
        said.append(counted(limit.iterations, "iteration") if found.iterates else counted(limit.depth, "ply"))
    if algorithm is None:
        said.insert(0, name)
    catalog.check_limit(found, limit)
    option = "--algorithm" if algorithm is None else "--iterations" if found.iterates else "--depth"
    sentence = f"{', '.join(said)}: chosen to suit {position.game.title}; {option} chooses another." if said else ""
    return ChosenSearch(name, limit, sentence)


def suited(position: Position) -> str:
    """The algorithm that suits a position best, of those whose tree can be drawn."""
    names = dict.fromkeys((*position.game.first_choices, *catalog.ALGORITHMS))
    for name in names:
        algorithm = catalog.algorithm(name)
        if algorithm.compiled and can_be_watched(algorithm) and not catalog.misfit(algorithm, position):
            return name
    raise InputError(f"No algorithm whose tree could be drawn can search {position.game.title}.")


def usual_limit(position: Position, algorithm: str) -> Limit:
    """How far a search is drawn: a tree that was typed to its end, any other one so far that it can be read."""
    if catalog.algorithm(algorithm).iterates:
        return Limit(iterations=ITERATIONS)
    game = position.game
    return Limit(depth=game.depth_from(position.state) if game.is_tree else DEPTH)


def title_of(report: Report, position: Position) -> str:
    """The algorithm, the game and the limit, for the title of a picture."""
    game = position.game
    how = ""
    if report.iterations is not None:
        how = f", {counted(report.iterations, 'iteration')}"
    elif report.depth and not catalog.algorithm(report.algorithm).by_layers:
        how = f", depth {report.depth}"
    return f"{report.algorithm} on {' '.join(filter(None, (game.title, game.size)))}{how}"


def node_at(trace: Trace, path: str) -> Node:
    """The node that moves lead to, as people write them. Raises InputError if the tree has none there."""
    if isinstance(trace, LayerTrace) and not trace.is_tree:
        raise InputError("A graph is drawn as a whole; --node is for trees.")
    node: Node = next(iter(trace.moment(len(trace)).path), 0)
    for number, move in enumerate(re.split(r"[\s,]+", path.strip()), 1):
        child = _child(trace, node, move)
        if child is None:
            names = [trace.move(one) for one in trace.children(node)]
            more = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else names
            there = f"there it has {listed(more)}" if names else "that node has no moves below it"
            raise InputError(f"The tree has no move {shown(move)} at place {number} of --node; {there}.")
        node = child
    return node


def _child(trace: Trace, node: Node, move: str) -> Node | None:
    children = trace.children(node)
    for child in children:
        if trace.move(child) == move:
            return child
    position = trace.position(node)
    try:
        wanted = position.game.read_move(position.state, move)
    except InputError:
        return None
    name = position.game.move_text(position.state, wanted)
    line = position.game.pretty_line(position.state, (name,))[0]
    return next((child for child in children if trace.move(child) in (name, line)), None)

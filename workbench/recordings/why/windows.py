"""Where the edges of a node's window come from: who already has something better, with which move, and where."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from engines.contract import Bound
from engines.tape.recording import Recording
from engines.tape.tape import (
    ASIDE,
    NOBODY,
    OPEN,
)
from workbench.recordings.bounds import bound_at
from workbench.recordings.why.nodes import move_in_sentence, move_name, ply_of, window_words
from workbench.recordings.why.values import as_edge, at_ply, is_won
from workbench.render.values import number_text

Edge = Literal["alpha", "beta"]
EDGES: tuple[Edge, Edge] = ("alpha", "beta")


class Source(NamedTuple):
    """Where an edge of a node's window comes from."""

    branch: int
    """The node on the path that was given the edge; the root if the search itself was."""
    earlier: int
    """The sibling of `branch`, searched before it, whose value became the edge; `NOBODY` if none did."""


def source(recording: Recording, node: int, edge: Edge) -> Source:
    """Where an edge of a node's window comes from: up the path to where it was last set, and the move that set it."""
    column: Any = getattr(recording, edge)
    branch = node
    while (above := int(recording.parent[branch])) != NOBODY and column[above] == column[node]:
        branch = above
    if above == NOBODY:
        return Source(branch, NOBODY)
    # A bound of this kind has the same number but does not guarantee the value.
    too_little: Bound = "at most" if edge == "alpha" else "at least"
    for sibling in recording.children(above):
        counts = recording.kind[sibling] not in (OPEN, ASIDE) and bound_at(recording, int(sibling)) != too_little
        if sibling < branch and counts and recording.value[sibling] == column[node]:
            return Source(branch, int(sibling))
    return Source(branch, NOBODY)


def is_asked(recording: Recording, node: int, edge: Edge) -> bool:
    """Whether an edge is one that the search itself was given at the root."""
    return bool(recording.parent[source(recording, node, edge).branch] == NOBODY)


def because(recording: Recording, node: int, edge: Edge) -> str:
    """Who has something better, and where."""
    game = recording.position.game
    limit = int(getattr(recording, edge)[node])
    branch, earlier = source(recording, node, edge)
    if is_asked(recording, node, edge):
        return f"the search only asked about values {'above' if edge == 'alpha' else 'below'} {as_edge(limit, game)}"
    here = move_in_sentence(recording, branch) + ("" if branch == node else f" at ply {ply_of(recording, branch)}")
    if earlier == NOBODY:
        where = f"at {here}" if recording.move[branch] >= 0 else f"in the {move_name(recording, branch)} above"
        asked = window_words(recording, branch)
        if asked.endswith(" or not"):
            return f"{where} the only question was whether it is {asked.removesuffix(' or not')}"
        return f"{where} only {asked} counts"
    sign = 1 if edge == "alpha" else -1
    holder = game.players[0 if sign > 0 else 1]
    move = move_in_sentence(recording, earlier)
    if is_won(limit, game) and limit * sign > 0:
        has = f"already wins{at_ply(limit)}"
    elif is_won(limit, game):
        has = f"can already hold out{at_ply(limit, 'until')}" if at_ply(limit) else "does no worse"
    else:
        has = f"can already {'get' if sign > 0 else 'hold it to'} {number_text(limit / game.unit, game)}"
    return f"{holder} {has} with {move} instead of {here}"

"""One iteration of UCT or PPA, phase by phase: what it will do next, found out on a copy of the tree.

The kernels are plain Python where Python calls them, with the same arithmetic and the same random numbers. So the next
iteration can be watched before it is made, and is then made at full speed to the very same effect.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Setting
from engines.parts.sampling.driver import Sampler
from engines.parts.sampling.iteration import Growth, iterate, plant
from engines.parts.sampling.playout import AnyPlayer, Uniform, drawn, play_out
from engines.parts.sampling.tree import (
    PLY,
    ROOT,
    UNKNOWN,
    AnyTree,
    LinkedTree,
    Seen,
    children,
    depth_histogram,
    home_of,
    look_at,
    node_count,
)
from engines.position import Position
from engines.rules import MAX_MOVES, ONGOING, Rules, State, play, result, turn
from engines.run.memory import Memory
from engines.run.resume import Resumable
from engines.run.search import Search
from engines.run.work import Work, new_work, shuffled


class SelectableMove(Struct, frozen=True, kw_only=True):
    """A move that can be selected: its visits, their mean for the side to move, and its exploration term."""

    move: str
    games: int
    mean: float
    exploration: float

    @property
    def promise(self) -> float:
        """The sum of both terms of the formula."""
        return self.mean + self.exploration


class Step(Struct, frozen=True, kw_only=True):
    """One move on the way down. `options`: all that were weighed, the best first; none if it was tried for the first time,
    one of `untried`. Moves whose result is proven are not weighed: so many of them are `settled`."""

    side: str
    move: str
    visits: int
    options: tuple[SelectableMove, ...]
    untried: int
    likelihood: float | None = None
    """The probability of a chance move, for which nothing is weighed; None for a player's move."""
    settled: int = 0
    room: int | None = None
    """How many moves may be tried at the node so far, where progressive widening limits that."""
    proven: str = ""
    """What is proven of the move itself, if it was taken nevertheless; that was found on another path."""
    listed: int = 0
    """How many moves of the node were listed just before."""


class Added(Struct, frozen=True, kw_only=True):
    """What one node on the way was told: visits and the mean before and after, for the side that chose the move there; at
    the root for the side that moves, and for the first player where nobody chose."""

    line: str
    side: str
    visits: tuple[int, int]
    means: tuple[float | None, float]
    proven: str


class Iteration(Struct, frozen=True, kw_only=True):
    """What one iteration did."""

    number: int
    k: float
    steps: tuple[Step, ...]
    playout: tuple[str, ...]
    """The moves of the random game; empty if the game was over at the end of the path."""
    ending: str
    samples: int
    total: float
    added: tuple[Added, ...]
    players: tuple[str, ...]
    """The names of the one or two players."""
    widens: bool
    proves: bool
    new_nodes: int
    tree_nodes: int
    """All that are listed."""
    visited: int
    closed: str
    """Why nothing was added to the tree; empty if something was."""


class Watched(NamedTuple):
    """A playout player that logs its games: `log` gets the random bits and the state at the start of each."""

    player: AnyPlayer
    log: list[tuple[Any, State]]


@play_out.register(Watched)
def play_watched(player: Watched, game: Rules, work: Work, state: State) -> float:
    """Play the same game and log it."""
    player.log.append((work.random, state))
    return float(play_out(player.player, game, work, state))


def grown_anew(
    position: Position, algorithm: Algorithm, parameters: Mapping[str, Setting], seed: int, iterations: int
) -> Memory:
    """The memory of a Monte Carlo search after so many iterations; after none, its tree consists of the root."""
    memory = Memory(prefault=True)
    search = Search(position, algorithm, Limit(iterations=max(iterations, 1)), parameters, seed, memory=memory)
    if not iterations:
        search.stop()
    search.run_here().finish()
    return memory


def next_iteration(position: Position, kept: Resumable[Sampler]) -> Iteration | None:
    """What the next iteration of a tree that has grown so far will do; None if nothing is left to do. An InputError if
    several threads grow it, so that there is no next one."""
    if kept.grown.team.helpers:
        raise InputError("Several threads sample at once; an iteration can only be watched with one thread.")
    game, rules, how = position.game, position.game.rules_for(position), kept.grown.team.how._replace(shared=0)
    before, work = kept.grown.team.tree, kept.work.copy()
    work.budget, work.stopped = 2**62, 0
    after = copied_tree(before)
    plant(rules, after, work, position.state)
    if after.nodes["proven"][ROOT]:
        return None
    watched = Watched(copied(kept.grown.player), [])
    with np.errstate(over="ignore"):
        iterate(rules, watched, after, work, position.state, how)
        playout = tuple(moves_of(watched, rules, work))
    path = [int(node) for node in after.path[: int(after.path[PLY]) + 1]]
    line = [int(after.nodes["move"][node]) for node in path[1:]]
    texts = game.pretty_line(position.state, game.line_text(position.state, line))
    leaf = position
    for move in line:
        leaf = leaf.play(move)
    steps, here, chosen_by = list[Step](), position, [position.turn]
    for ply, (node, child) in enumerate(pairwise(path)):
        steps.append(step_of(here, before, after, node, child, how, texts[ply]))
        chosen_by.append(1 if here.by_chance else here.turn)
        here = here.play(line[ply])
    if position.by_chance:
        chosen_by[0] = 1
    total = float(after.nodes["total"][ROOT]) - (float(before.nodes["total"][ROOT]) if int(before.size[0]) else 0.0)
    return Iteration(
        number=int(kept.work.iterations) + 1,
        k=how.k,
        steps=tuple(steps),
        playout=game.pretty_line(leaf.state, game.line_text(leaf.state, playout)),
        ending=ending_words(leaf, playout, total / how.batch),
        samples=how.batch,
        total=total,
        added=tuple(
            added_at(game.players, before, after, node, texts[:ply], chosen_by[ply]) for ply, node in enumerate(path)
        ),
        players=game.players[: game.player_count],
        widens=how.widening > 0,
        proves=bool(how.proofs),
        new_nodes=node_count(after) - max(1, node_count(before)),
        tree_nodes=node_count(after),
        visited=sum(depth_histogram([after])),
        closed=closed_words(leaf, before, path[-1]),
    )


def closed_words(leaf: Position, before: AnyTree, node: int) -> str:
    """Why the path ended at a node that is not new; empty if the node is new."""
    seen = look_at(before, node) if node < int(before.size[0]) else None
    if seen is None or not seen.games:
        return ""
    return "the game is over there" if leaf.is_over else "its result is proven" if seen.proven else "the memory is full"


def copied_tree(tree: AnyTree) -> AnyTree:
    """A copy of the tree with room for one more expansion, if the tree has that."""
    room = min(len(tree.nodes), int(tree.size[0]) + MAX_MOVES)
    cut = {name: getattr(tree, name)[:room].copy() for name in ("nodes", "links", "keys") if hasattr(tree, name)}
    if isinstance(tree, LinkedTree) and len(tree.keys) == 1:
        cut["keys"] = tree.keys.copy()
    return copied(tree)._replace(**cut) if room > 10**7 else copied(tree._replace(**cut))


def copied(value: Any) -> Any:
    """A named tuple with copies of its arrays."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(copied(part) for part in value))
    return value


def moves_of(watched: Watched, rules: Rules, work: Work) -> list[int]:
    """The moves of the first game that was played."""
    if not watched.log:
        return []
    bits, state = watched.log[0]
    if not isinstance(watched.player, Uniform):
        return [int(move) for move in watched.player.made[: int(watched.player.length[0])]]
    scratch = new_work()
    made: list[int] = []
    while result(rules, state) == ONGOING and len(made) != (watched.player.plies or -1):
        bits = shuffled(bits)
        made.append(int(drawn(rules, scratch, state, bits)))
        state = play(rules, state, made[-1])
    return made


def step_of(here: Position, before: AnyTree, after: AnyTree, node: int, child: int, how: Growth, text: str) -> Step:
    """The step to a child, with the reason why it was selected."""
    game, side = here.game, here.turn
    home = int(home_of(after, node))
    known = {seen.move: seen for seen in children(before, node)} if node < int(before.size[0]) else {}
    move = int(after.nodes["move"][child])
    count = int(after.nodes["count"][home])
    visits = int(before.nodes["visits"][int(home_of(before, node))])
    weighed = [seen for seen in known.values() if seen.proven == UNKNOWN]
    taken_as_proven = move in known and known[move].proven != UNKNOWN
    options: list[SelectableMove] = []
    if move in known and not here.by_chance and not taken_as_proven:
        options = [option_of(here, seen, how.k, visits) for seen in weighed]
    options.sort(key=lambda option: (option.move != text, -option.promise))
    return Step(
        side=game.nature if here.by_chance else game.players[0 if side > 0 else 1],
        likelihood=game.likelihood(here.state, move),
        move=text,
        visits=visits,
        options=tuple(options),
        untried=count - len(known),
        settled=len(known) - len(weighed),
        room=max(1, math.floor(how.widening * math.sqrt(visits))) if how.widening > 0 else None,
        proven=proven_result(game.players, known[move].proven) if taken_as_proven and not here.by_chance else "",
        listed=0 if int(before.nodes["count"][home]) else count,
    )


def option_of(here: Position, seen: Seen, k: float, visits: int) -> SelectableMove:
    """Both terms of the formula for a move, for the side that moves."""
    game = here.game
    (name,) = game.pretty_line(here.state, (game.move_text(here.state, seen.move),))
    exploration = k * math.sqrt(math.log(visits)) / math.sqrt(seen.games)
    return SelectableMove(
        move=name, games=seen.games, mean=seen.mean if here.turn > 0 else 1.0 - seen.mean, exploration=exploration
    )


def proven_result(players: Sequence[str], proven: int) -> str:
    """A proven result; empty if nothing is proven."""
    return {0: "", 1: f"{players[0]} wins", -1: f"{players[1]} wins", 2: "a draw"}[proven]


def added_at(
    players: Sequence[str], before: AnyTree, after: AnyTree, node: int, line: Sequence[str], chosen_by: int
) -> Added:
    """The change at one node, from the view of the side that chose it."""
    now = look_at(after, node)
    old = look_at(before, node) if node < int(before.size[0]) else None
    visits = old.visits if old is not None else 0
    means = [seen.mean if seen is not None and seen.visits else None for seen in (old, now)]
    old_mean, new_mean = (mean if mean is None or chosen_by > 0 else 1.0 - mean for mean in means)
    assert new_mean is not None
    return Added(
        line=" ".join(line) or "the root",
        side=players[0 if chosen_by > 0 else 1],
        visits=(visits, now.visits),
        means=(old_mean, new_mean),
        proven=proven_result(players, now.proven) if old is None or not old.proven else "",
    )


def ending_words(leaf: Position, playout: Sequence[int], worth: float) -> str:
    """How the game ended, in a few words."""
    players, here = leaf.game.players, leaf
    for move in playout:
        here = here.play(move)
    if not here.is_over:
        return f"not over: the evaluation gives {players[0]} {100 * worth:.0f} %"
    if not leaf.game.has_winner:
        return f"{players[0]} gets {leaf.game.shown_value(here.result * here.turn):g}"
    value = here.result * int(turn(leaf.game.rules, here.state))
    return f"{players[0]} wins" if value > 0 else f"{players[1]} wins" if value < 0 else "a draw"

"""What searches for any number of players share: sides that hold together, and the root.

Values are float64, one for each player, in the units of `engines.rules_chance.gains`. A **coalition** is a set of players
who want what is best for them together; everybody else is a side of their own in max^n, and the other side in paranoid
search.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from engines.compiled.kernel import helper
from engines.contract import Bound, Parameter
from engines.notation import read_coalition
from engines.rules import INFINITY, WIN_EDGE, Rules, State, play
from engines.rules_chance import judgements, likelihood, side, unsettled
from engines.run.fixed_depth import depth_by_depth
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run
from engines.run.work import END, Work, counters, entered, keep_line, line, since
from engines.tape.tape import EXPANDED, HORIZON, NOBODY, AnyTape, enter, leave, note_likelihood, note_values, written

COALITION = Parameter(
    name="coalition",
    default="",
    sentence="The players who form a coalition, by name or number with plus signs (X+Z, 1+3); empty: nobody.",
)


class Teams(NamedTuple):
    """Who plays for whom. `players`: how many there are; `team`: the coalition, a bit for each player; `prune`, `against`:
    switches of max^n; `root`: who moves at the root; `total` and `least`: the most that all values can come to together,
    and the least that each player can get."""

    players: int
    team: int
    prune: int
    against: int
    root: int
    total: float
    least: Any


@helper
def is_with(sides: Teams, player: int, other: int) -> bool:
    """Whether two players are on the same side."""
    return player == other or ((sides.team >> player) & (sides.team >> other) & 1) == 1


@helper
def wanted(sides: Teams, values: Any, player: int) -> float:
    """What a player maximises: the own value, or the sum of the coalition's."""
    if (sides.team >> player) & 1 == 0:
        return float(values[player])
    together = 0.0
    for other in range(sides.players):
        if (sides.team >> other) & 1:
            together += values[other]
    return together


def sides_of(run: Run) -> Teams:
    """Who plays for whom, by the parameters."""
    game = run.position.game
    team = read_coalition(run.parameters, game)
    total, least = game.payoff_bounds()
    prune, against = bool(run.parameters.get("pruning")), run.parameters.get("ties") == "against"
    return Teams(
        game.player_count, team, int(prune), int(against), run.position.mover, float(total), np.array(least, np.float64)
    )


@helper
def entered_open(game: Rules, tape: AnyTape, after: State, move: int, depth: int, node: int) -> int:
    """A new node of the tape, without a window."""
    return enter(tape, node, move, side(game, after), depth, -INFINITY, INFINITY)


@helper
def leave_with(tape: AnyTape, work: Work, sides: Teams, ply: int, node: int, kind: int, decider: int) -> None:
    """The node at this ply is done, and `work.vectors` has its values."""
    values = work.vectors[ply]
    leave(tape, node, kind, written(values[0], work.fineness), decider)
    note_values(tape, node, values, sides.players, work.fineness)


# The root.

After = Callable[[State, int, int, tuple[float, ...] | None], None]
"""`(state, depth, node, best so far)`: search the state behind a move of the root; its values go to `work.vectors[1]`."""


def weigh(run: Run, sides: Teams, after: After, better: Callable[[Any, Any], bool]) -> SearchResult:
    """Search to the limit's depth. `better`: whoever moves at the root prefers the first of two lists of values."""
    run.work.fineness = run.position.game.fineness
    return depth_by_depth(run, lambda depth: weighed_depth(run, depth, sides, after, better))


def weighed_depth(run: Run, depth: int, sides: Teams, search: After, better: Callable[[Any, Any], bool]) -> DepthResult:
    """Search every move of the root to one depth."""
    position, work, tape, rules = run.position, run.work, run.tape, run.rules
    before, began, count = counters(work), perf_counter(), sides.players
    found = DepthResult(depth=depth)
    run.depth, run.root_done, run.root_count = depth, 0, 0
    node, decider = entered_open(rules, tape, position.state, END, depth, NOBODY), NOBODY
    if not entered(work, 0):
        return found
    best: tuple[float, ...] | None = None
    if depth == 0 and not unsettled(rules, position.state):
        judgements(rules, position.state, work.vectors[0])
        work.leaves += 1
        work.evaluations += 1
        best = tuple(map(float, work.vectors[0, :count]))
        leave_with(tape, work, sides, 0, node, HORIZON, NOBODY)
    else:
        legal, chance = position.game.legal_moves(position.state), position.by_chance
        run.root_count = len(legal)
        work.chance_nodes += chance
        for move in legal:
            start, cuts, following = int(work.nodes), int(work.cutoffs), play(rules, position.state, move)
            likely = float(likelihood(rules, position.state, move)) if chance else 1.0
            below = depth if chance else depth - 1
            child = entered_open(rules, tape, following, move, below, node)
            if chance:
                note_likelihood(tape, child, likely)
            search(following, below, child, None if chance else best)
            if work.stopped:
                break
            values = tuple(map(float, work.vectors[1, :count]))
            run.root_done += 1
            cut = sides.prune and not chance and work.cutoffs > cuts and best is not None and not better(values, best)
            bound: Bound = "at most" if cut else "exact"  # then it is no better, and nothing else is known
            found.root_moves.append(
                MoveResult(move, position.turn * values[0], bound, int(work.nodes) - start, values=values)
            )
            if chance:
                best = tuple(old + likely * new for old, new in zip(best or (0.0,) * count, values, strict=True))
            elif best is None or better(values, best):
                best, decider = values, child
                keep_line(work, 0, move)
                found.line = line(work)
            if best is not None and not chance:
                found.value, found.values = position.turn * best[0], best
        else:
            work.vectors[0, :count] = best
            leave_with(tape, work, sides, 0, node, EXPANDED, decider)
    if best is not None and not work.stopped:
        found.value, found.values = position.turn * best[0], best
    now = counters(work)
    won = count == 2 and not position.game.has_chance and found.value is not None and abs(found.value) >= WIN_EDGE
    found.exact = not work.stopped and (now.evaluations == before.evaluations or (won and position.game.has_winner))
    found.nodes, found.leaves = now.nodes - before.nodes, now.leaves - before.leaves
    found.counted = since(before, now)
    found.seconds = perf_counter() - began
    return found

"""The root of a paranoid search: a team against everybody else.

Values are float64 **for the team**, in the units of `engines.rules_chance.gains`. Reports and tapes hold values for the side
that the first player belongs to, which is the team or its opponents.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter

from engines.contract import Bound
from engines.parts.many_players.driver import Teams, wanted
from engines.rules import INFINITY, WIN_EDGE, State, play
from engines.rules_chance import judgements, likelihood, side, unsettled
from engines.run.fixed_depth import depth_by_depth
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run
from engines.run.work import END, counters, entered, keep_line, line
from engines.tape.tape import EXPANDED, HORIZON, NOBODY, enter, leave, note_likelihood, written

Below = Callable[[State, int, float, float, int], float]
"""`(state, depth, low, high, node)`: what the state behind a move of the root is worth to the team, with this window."""


def oppose(run: Run, sides: Teams, below: Below) -> SearchResult:
    """Search to the limit's depth."""
    run.work.fineness = run.position.game.fineness
    return depth_by_depth(run, lambda depth: opposed_depth(run, depth, sides, below))


def opposed_depth(run: Run, depth: int, sides: Teams, below: Below) -> DepthResult:
    """Search every move of the root to one depth."""
    position, work, tape, rules = run.position, run.work, run.tape, run.rules
    before, began = counters(work), perf_counter()
    found = DepthResult(depth=depth)
    run.depth, run.root_done, run.root_count = depth, 0, 0
    first = 1 if sides.team & 1 else -1
    ours = bool(sides.team >> position.mover & 1)
    sign = first * position.turn  # what is reported is for the side to move, as the first player's is turned
    node = enter(tape, NOBODY, END, side(rules, position.state), depth, -INFINITY, INFINITY)
    if not entered(work, 0):
        return found
    best: float | None = None
    if depth == 0 and not unsettled(rules, position.state):
        judgements(rules, position.state, work.vectors[0])
        best = float(wanted(sides, work.vectors[0], sides.root))
        work.leaves += 1
        work.evaluations += 1
        leave(tape, node, HORIZON, written(first * best, work.fineness), NOBODY)
    else:
        legal, chance = position.game.legal_moves(position.state), position.by_chance
        run.root_count, decider = len(legal), NOBODY
        work.chance_nodes += chance
        low, high, mean = -math.inf, math.inf, 0.0
        for move in legal:
            start, after = int(work.nodes), play(rules, position.state, move)
            left = depth if chance else depth - 1
            bottom, top = (low, high) if first > 0 else (-high, -low)
            window = written(bottom, work.fineness), written(top, work.fineness)
            child = enter(tape, node, move, side(rules, after), left, *window)
            likely = float(likelihood(rules, position.state, move)) if chance else 1.0
            if chance:
                note_likelihood(tape, child, likely)
            value = float(below(after, left, low, high, child))
            if work.stopped:
                break
            better = best is None or (value > best if ours else value < best)
            bound: Bound = "exact" if better or chance else "at most" if (sign > 0) == ours else "at least"
            found.root_moves.append(MoveResult(move, sign * value, bound, int(work.nodes) - start))
            run.root_done += 1
            mean += likely * value
            if chance:
                continue
            if better:
                best, decider = value, child
                found.value = sign * value
                keep_line(work, 0, move)
                found.line = line(work)
                low, high = (value, high) if ours else (low, value)
        else:
            best = mean if chance else best
            leave(tape, node, EXPANDED, written(first * (best or 0.0), work.fineness), decider)
    if best is not None and not work.stopped:
        found.value = sign * best
    now = counters(work)
    two = sides.players == 2 and position.game.has_winner and not position.game.has_chance
    won = two and found.value is not None and abs(found.value) >= WIN_EDGE
    found.exact = not work.stopped and (now.evaluations == before.evaluations or won)
    found.nodes, found.leaves = now.nodes - before.nodes, now.leaves - before.leaves
    found.seconds = perf_counter() - began
    return found

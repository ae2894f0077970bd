"""The root of a search for expectations, and what its kernels share.

Values are float64, **for the first player**, on the scale of `engines.rules_chance.stake`. The depth counts moves of
players: what nature does takes none of it, and is a layer of its own in the tree and on the tape.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter

from engines.compiled.kernel import helper
from engines.contract import Bound
from engines.rules import Rules, State, play
from engines.rules_chance import judged, likelihood, reach, side, stake, unsettled
from engines.run.fixed_depth import depth_by_depth
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run
from engines.run.work import END, Work, counters, entered, keep_line, line, since
from engines.tape.tape import EXPANDED, HORIZON, NOBODY, PRUNED, TERMINAL, AnyTape, enter, leave, note_likelihood, written

Below = Callable[[State, int, float, float, int], float]
"""`(state, depth, low, high, node)`: what the state behind a move of the root is worth, with this window."""
ROUNDING = 1e-12
"""A variance that is smaller than this, relative to the squares, is none."""
NEARLY = 1e-9
"""Only a certain win is this near to one, relative to the scale."""


@helper
def settled(game: Rules, tape: AnyTape, work: Work, value: int, ply: int, node: int) -> float:
    """Record a leaf where the game is over: `value` is its result for the first player."""
    worth = stake(game, value)
    work.leaves += 1
    work.squares[ply] = worth * worth
    leave(tape, node, TERMINAL, written(worth, work.fineness), NOBODY)
    return worth


@helper
def guessed(game: Rules, tape: AnyTape, work: Work, state: State, ply: int, node: int) -> float:
    """Record a leaf at the horizon: the static evaluation, taken before nature moves if it would be nature's turn."""
    worth = judged(game, state)
    work.leaves += 1
    work.evaluations += 1
    work.squares[ply] = worth * worth
    leave(tape, node, HORIZON, written(worth, work.fineness), NOBODY)
    return worth


@helper
def beside_the_point(tape: AnyTape, work: Work, edge: float, ply: int, node: int) -> float:
    """Record a node without searching it: no possible value lies inside the window."""
    work.cutoffs += 1
    work.squares[ply] = edge * edge
    leave(tape, node, PRUNED, written(edge, work.fineness), NOBODY)
    return edge


@helper
def entered_below(
    game: Rules, tape: AnyTape, work: Work, after: State, move: int, depth: int, low: float, high: float, node: int
) -> int:
    """A new node of the tape."""
    window = written(low, work.fineness), written(high, work.fineness)
    return enter(tape, node, move, side(game, after), depth, window[0], window[1])


def expect(run: Run, below: Below, narrows: bool) -> SearchResult:
    """Search to the limit. `narrows`: each move of the root is searched with the window that those before it left open."""
    run.work.fineness = run.position.game.fineness
    found = depth_by_depth(run, lambda depth: expected_depth(run, depth, below, narrows))
    found.knows_distance = False
    return found


def expected_depth(run: Run, depth: int, below: Below, narrows: bool) -> DepthResult:
    """Search every move of the root to one depth: the best one counts, or the mean, if nature moves."""
    position, work, tape, rules = run.position, run.work, run.tape, run.rules
    before, began = counters(work), perf_counter()
    found = DepthResult(depth=depth)
    run.depth, run.root_done, run.root_count = depth, 0, 0
    low, high = map(float, reach(rules))
    node = entered_below(rules, tape, work, position.state, END, depth, low, high, NOBODY)
    if not entered(work, 0):
        return found
    if depth == 0 and not unsettled(rules, position.state):
        found.value = position.turn * float(guessed(rules, tape, work, position.state, 0, node))
    elif position.by_chance:
        _average(run, found, depth, below, low, high, node)
    else:
        _choose(run, found, depth, below, low, high, node, narrows)
    now = counters(work)
    certain = found.value is not None and position.game.has_winner and _is_certain(found.value, low, high)
    found.exact = not work.stopped and (now.evaluations == before.evaluations or certain)
    found.nodes, found.leaves = now.nodes - before.nodes, now.leaves - before.leaves
    found.counted = since(before, now)
    found.seconds = perf_counter() - began
    return found


def _is_certain(value: float, low: float, high: float) -> bool:
    return min(abs(abs(value) - abs(low)), abs(abs(value) - abs(high))) <= NEARLY * (high - low)


def _average(run: Run, found: DepthResult, depth: int, below: Below, low: float, high: float, node: int) -> None:
    """Nature moves at the root: the mean of everything that can happen."""
    position, work, tape, rules = run.position, run.work, run.tape, run.rules
    legal = position.game.legal_moves(position.state)
    run.root_count = len(legal)
    work.chance_nodes += 1
    mean = squares = 0.0
    for move in legal:
        start, likely = int(work.nodes), float(likelihood(rules, position.state, move))
        after = play(rules, position.state, move)
        child = entered_below(rules, tape, work, after, move, depth, low, high, node)
        note_likelihood(tape, child, likely)
        value = float(below(after, depth, low, high, child))
        if work.stopped:
            return
        found.root_moves.append(_row(run, move, value, "exact", start))
        run.root_done += 1
        mean += likely * value
        squares += likely * float(work.squares[1])
    leave(tape, node, EXPANDED, written(mean, work.fineness), NOBODY)
    found.value, found.spread = position.turn * mean, spread(mean, squares)


def _choose(
    run: Run, found: DepthResult, depth: int, below: Below, low: float, high: float, node: int, narrows: bool
) -> None:
    """A player moves at the root: the best move counts."""
    position, work, tape, rules = run.position, run.work, run.tape, run.rules
    legal = position.game.legal_moves(position.state)
    run.root_count, sign, decider = len(legal), position.turn, NOBODY
    best: float | None = None
    for move in legal:
        start = int(work.nodes)
        after = play(rules, position.state, move)
        child = entered_below(rules, tape, work, after, move, depth - 1, low, high, node)
        value = float(below(after, depth - 1, low, high, child))
        if work.stopped:
            return
        better = best is None or sign * value > sign * best
        bound: Bound = "at most" if narrows and not better else "exact"
        found.root_moves.append(_row(run, move, value, bound, start))
        run.root_done += 1
        if better:
            best, decider = value, child
            found.value, found.spread = sign * value, found.root_moves[-1].spread
            keep_line(work, 0, move)
            found.line = line(work)
            if narrows:
                low, high = (value, high) if sign > 0 else (low, value)
    leave(tape, node, EXPANDED, written(best or 0.0, work.fineness), decider)


def _row(run: Run, move: int, value: float, bound: Bound, start: int) -> MoveResult:
    """What was found about one move; a spread is known where the value is."""
    wide = spread(value, float(run.work.squares[1])) if bound == "exact" else None
    return MoveResult(move, run.position.turn * value, bound, int(run.work.nodes) - start, spread=wide)


def spread(mean: float, squares: float) -> float:
    """The standard deviation of what has this mean, and this mean of its squares."""
    variance = squares - mean * mean
    return math.sqrt(variance) if variance > ROUNDING * max(squares, 1e-300) else 0.0

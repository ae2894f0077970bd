"""The root of a fixed-depth search, and the limits around it.

Root moves are searched one by one from Python, so that each move's value and share of the work can be shown, the search can
be stopped between any two nodes, and what is already known is never lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from engines.contract import MAX_DEPTH, Bound, StoppedBy
from engines.rules import INFINITY, WIN, WIN_EDGE, State, evaluate, play, turn
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run
from engines.run.work import END, Work, counters, entered, keep_line, line, since
from engines.tape.tape import EXPANDED, HORIZON, NOBODY, NoTape, enter, leave

ValueAfter = Callable[[State, int, int, int, int], int]
"""`(state, depth, alpha, beta, node)`: what the state behind a root move is worth to the player who made that move."""


def fixed_depth(run: Run, value_after: ValueAfter, narrows: bool) -> SearchResult:
    """Search to the limit's depth; depth by depth if time or nodes are limited, so that there is always an answer.

    `narrows`: each root move is searched with the window that those before it left open, as alpha-beta does.
    """
    found = depth_by_depth(run, lambda depth: search_depth(run, depth, value_after, narrows))
    if not run.work.haste and not run.work.stopped and _is_win(found.best):
        _find_quickest(run, found, value_after, narrows)
    return found


def depth_by_depth(run: Run, search_one: Callable[[int], DepthResult]) -> SearchResult:
    """Search to the limit's depth, or to every depth up to it; `search_one` searches one."""
    by_depth = run.limit.nodes is not None or run.limit.seconds is not None
    last = run.limit.depth
    if last is None:
        last = MAX_DEPTH if by_depth else run.position.game.depth_from(run.position.state)
    done = run.depths
    for depth in range(min(1, last), last + 1) if by_depth else [last]:
        now = search_one(depth)
        if run.work.stopped:
            return SearchResult(best=done[-1] if done else now, depths=done, stopped_by="request")
        done.append(now)
        if now.exact:
            break
    stopped_by: StoppedBy = "solved" if done[-1].exact else "depth"
    return SearchResult(best=done[-1], depths=done, stopped_by=stopped_by, knows_distance=_is_quickest(run, done[-1]))


def search_depth(run: Run, depth: int, value_after: ValueAfter, narrows: bool) -> DepthResult:
    """Search every root move to one depth. If the work is stopped meanwhile, the finished moves are what is known."""
    position, work, tape = run.position, run.work, run.tape
    before, began = counters(work), perf_counter()
    found = DepthResult(depth=depth)
    run.depth, run.root_done, run.root_count = depth, 0, 0
    node = enter(tape, NOBODY, END, position.turn, depth, -INFINITY, INFINITY)
    if not entered(work, 0):
        return found
    sign = position.turn if run.view == "first" else 1
    if depth == 0:
        found.value = int(evaluate(run.rules, position.state))
        work.leaves += 1
        work.evaluations += 1
        leave(tape, node, HORIZON, sign * found.value, NOBODY)
    else:
        decider = NOBODY
        legal = position.game.legal_moves(position.state)
        if run.parameters.get("backwards"):
            legal = legal[::-1]
        run.root_count = len(legal)
        best = alpha = -INFINITY
        for move in legal:
            start = int(work.nodes)
            after = play(run.rules, position.state, move)
            child = enter(tape, node, move, turn(run.rules, after), depth - 1, -INFINITY, -alpha)
            value = int(value_after(after, depth - 1, alpha, INFINITY, child))
            if work.stopped:
                break
            bound: Bound = "at most" if narrows and value <= alpha else "exact"
            found.root_moves.append(_dated(MoveResult(move, value, bound, int(work.nodes) - start), depth, work))
            run.root_done += 1
            if value > best:
                best, decider = value, child
                found.value = best
                keep_line(work, 0, move)
                found.line = line(work)
            if narrows:
                alpha = best
        else:
            leave(tape, node, EXPANDED, sign * best, decider)
    now = counters(work)
    found.exact = not work.stopped and (now.evaluations == before.evaluations or _is_win(found))
    found.nodes, found.leaves = now.nodes - before.nodes, now.leaves - before.leaves
    found.counted = since(before, now)
    found.seconds = perf_counter() - began
    return found


def _dated(row: MoveResult, depth: int, work: Work) -> MoveResult:
    """The value of a win with its distance: a search that does not tell quick wins from slow ones only knows that the end
    comes within its depth."""
    if work.haste or abs(row.value) < WIN_EDGE:
        return row
    if row.value > 0:
        return replace(row, value=WIN - depth, bound="at least") if row.bound == "exact" else replace(row, value=WIN - 1)
    return replace(row, value=depth - WIN, bound="at most")


def _is_quickest(run: Run, found: DepthResult) -> bool:
    """Whether no quicker win can have been overlooked. A solved table may report one far behind the horizon, where the
    search did not look for others."""
    return not run.parameters.get("tables") or not run.work.evaluations or WIN - abs(found.value or 0) <= found.depth


def _is_win(found: DepthResult) -> bool:
    return found.value is not None and abs(found.value) >= WIN_EDGE


def _find_quickest(run: Run, found: SearchResult, value_after: ValueAfter, narrows: bool) -> None:
    """A win is proven, but the search did not tell quick from slow: search once more and do. Its nodes count apart."""
    tape, run.tape = run.tape, NoTape()
    with run.aside() as work:
        quickest = search_depth(run, found.best.depth, value_after, narrows)
    run.tape = tape
    found.distance_nodes = int(work.nodes)
    found.knows_distance = not work.stopped
    if work.stopped:
        found.stopped_by = "request"
        found.best.value = (WIN - found.best.depth) * (1 if (found.best.value or 0) > 0 else -1)
    else:
        found.best.value, found.best.line = quickest.value, quickest.line
        found.best.root_moves = quickest.root_moves

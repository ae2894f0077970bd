"""Negamax (a way to write minimax; Knuth and Moore 1975)

**Idea.** In a game where one side's gain is the other's loss, the smallest of some values is minus the largest of their
negatives. So one rule serves both players: my value is the best of *minus* what the opponent gets.

**In short.**

    value(position, depth):                 (for the side to move)
        if the game is over: return its result
        if depth is 0: return the evaluation
        return the largest of -value(after move, depth - 1) over all moves

**Cost.** Exactly that of minimax, node for node; half the code.

**Watch.** The minus sign, and the side the evaluation speaks for. Some course texts leave the negation out of the recursive
call, or start the best value at nothing instead of minus infinity: both give wrong values from depth 1 on. The players have
to take turns; where one of them may move twice in a row, use minimax.
"""

from __future__ import annotations

from engines.algorithm import TABLES, Algorithm
from engines.compiled.kernel import int64, kernel
from engines.rules import INFINITY, ONGOING, Rules, State, delayed, evaluate, moves, play, result, turn
from engines.run.fixed_depth import fixed_depth
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work, entered, keep_line
from engines.tape.tape import EXPANDED, HORIZON, NOBODY, TERMINAL, AnyTape, enter, leave


@kernel
def negamax(game: Rules, tape: AnyTape, work: Work, state: State, depth: int, ply: int, node: int) -> int:
    """The value of `state` for the side to move, `depth` plies deep."""
    if not entered(work, ply):
        return int64(0)

    # Step 1: a finished game is worth its result.
    value = result(game, state)
    if value != ONGOING:
        value = delayed(value, ply)
        work.leaves += 1
        leave(tape, node, TERMINAL, value, NOBODY)
        return value

    # Step 2: at the horizon the evaluation has to do.
    if depth == 0:
        value = evaluate(game, state)
        work.leaves += 1
        work.evaluations += 1
        leave(tape, node, HORIZON, value, NOBODY)
        return value

    # Step 3: what is worst for the opponent is best for the side to move.
    best, decider = int64(-INFINITY), int64(NOBODY)
    legal = work.moves[ply]
    for i in range(moves(game, state, legal)):
        move = legal[i]
        after = play(game, state, move)
        child = enter(tape, node, move, turn(game, after), depth - 1, -INFINITY, INFINITY)
        value = -negamax(game, tape, work, after, depth - 1, ply + 1, child)
        if work.stopped:
            return int64(0)
        if value > best:
            best, decider = value, child
            keep_line(work, ply, move)
    leave(tape, node, EXPANDED, best, decider)
    return best


def search(run: Run) -> SearchResult:
    """Search every root move in full."""

    def value_after(state: State, depth: int, alpha: int, beta: int, node: int) -> int:
        return -negamax(run.rules, run.tape, run.work, state, depth, 1, node)

    return fixed_depth(run, value_after, narrows=False)


ALGORITHM = Algorithm(
    id="negamax",
    name="Negamax",
    year=1975,
    summary="minimax with one rule for both players",
    family="alpha-beta",
    steps={
        "entered": "value(position, depth):",
        "terminal": "if the game is over",
        "horizon": "if depth is 0",
        "returned": "return the largest of -value",
        "left": "return the largest of -value",
    },
    needs=("alternating",),
    search=search,
    parameters=(TABLES,),
    exact_value="minimax",
)

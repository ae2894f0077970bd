"""Minimax (von Neumann 1928; Zermelo 1913 on who can force a win at chess; Shannon 1950 with a depth and an evaluation)

**Idea.** MAX wants the value large, MIN wants it small, and each knows that of the other. So a position where MAX moves is
worth the largest of the values behind it, one where MIN moves the smallest; finished games are worth what they pay, and
where the depth is used up an evaluation stands in.

**In short.**

    value(position, depth):                 (for MAX, the first player)
        if the game is over: return its result
        if depth is 0: return the evaluation
        look at value(after move, depth - 1) for every move
        if MAX moves: return the largest, otherwise the smallest

**Cost.** Time b^d for b moves a position and depth d; memory for one line and the moves at each of its positions, b d in
all. The other exact searches give the same value: negamax with just as many nodes, alpha-beta with never more, and those
that deepen step by step mostly with far fewer, though on a small tree their repeated steps may add up to more.

**Watch.** It is exact only for the depth it looks at: what happens one ply later it cannot know (the *horizon effect*).
It works just as well where players do not alternate. Course texts write it as two functions that call each other; here it
is one function with a flag for whose turn it is.
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
def minimax(game: Rules, tape: AnyTape, work: Work, state: State, max_moves: bool, depth: int, ply: int, node: int) -> int:
    """The value of `state` for MAX, `depth` plies deep; `max_moves` tells whether it is MAX's turn."""
    if not entered(work, ply):
        return int64(0)
    for_max = 1 if max_moves else -1  # results and evaluations are for the side to move

    # Step 1: a finished game is worth its result.
    value = result(game, state)
    if value != ONGOING:
        value = for_max * delayed(value, ply)
        work.leaves += 1
        leave(tape, node, TERMINAL, value, NOBODY)
        return value

    # Step 2: at the horizon the evaluation has to do.
    if depth == 0:
        value = for_max * evaluate(game, state)
        work.leaves += 1
        work.evaluations += 1
        leave(tape, node, HORIZON, value, NOBODY)
        return value

    # Step 3: MAX takes the largest value, MIN the smallest.
    best = int64(-INFINITY) if max_moves else int64(INFINITY)
    decider = int64(NOBODY)
    legal = work.moves[ply]
    for i in range(moves(game, state, legal)):
        move = legal[i]
        after = play(game, state, move)
        whose = turn(game, after)
        child = enter(tape, node, move, whose, depth - 1, -INFINITY, INFINITY)
        value = minimax(game, tape, work, after, whose > 0, depth - 1, ply + 1, child)
        if work.stopped:
            return int64(0)
        if (value > best) if max_moves else (value < best):
            best, decider = value, child
            keep_line(work, ply, move)
    leave(tape, node, EXPANDED, best, decider)
    return best


def search(run: Run) -> SearchResult:
    """Search every root move in full."""
    for_mover = run.position.turn

    def value_after(state: State, depth: int, alpha: int, beta: int, node: int) -> int:
        max_moves = bool(turn(run.rules, state) > 0)
        return for_mover * minimax(run.rules, run.tape, run.work, state, max_moves, depth, 1, node)

    return fixed_depth(run, value_after, narrows=False)


ALGORITHM = Algorithm(
    id="minimax",
    name="Minimax",
    year=1928,
    summary="the definition: MAX takes the largest value, MIN the smallest",
    family="alpha-beta",
    steps={
        "entered": "value(position, depth):",
        "terminal": "if the game is over",
        "horizon": "if depth is 0",
        "returned": "look at value(after move",
        "left": "if MAX moves: return the largest",
    },
    needs=("sides", "no chance"),
    search=search,
    view="first",
    parameters=(TABLES,),
    exact_value="minimax",
)

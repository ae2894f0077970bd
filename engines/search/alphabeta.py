"""Alpha-beta (John McCarthy's idea, 1956; Edwards and Hart 1961; analysed by Knuth and Moore 1975)

**Idea.** Once one move is known to be worth `alpha`, a sibling need not be searched to the end: as soon as the opponent
has one reply that holds it to `alpha` or less, its exact value no longer matters. The window `(alpha, beta)` carries what
both sides are already sure of; a node whose value leaves the window at the top is *cut*.

**In short.**

    value(position, depth, alpha, beta):
        if the game is over: return its result
        if depth is 0: return the evaluation
        best <- minus infinity
        for each move, in the game's own order:
            best <- max(best, -value(after move, depth - 1, -beta, -alpha))
            alpha <- max(alpha, best)
            if alpha >= beta: stop (the opponent will not allow this)
        return best

**Cost.** The same value as minimax. With the best move always first, it looks at b^ceil(d/2) + b^floor(d/2) - 1 leaves
instead of b^d, so the same time goes twice as deep. With the worst order it may look at every leaf and save nothing.

**Watch.** The returned value is exact only inside the window: at or below alpha it is an upper bound, at or above beta a
lower bound (*fail-soft*: the best value really seen, which may lie outside the window). A root move after the first is
therefore often only known to be *at most* some value. Some course texts start with alpha = +infinity and beta = -infinity;
that is wrong: alpha starts at minus infinity, beta at plus infinity.
"""

from __future__ import annotations

from engines.algorithm import TABLES, Algorithm
from engines.compiled.kernel import int64, kernel
from engines.contract import ByGame, Parameter
from engines.rules import INFINITY, ONGOING, Rules, State, delayed, evaluate, moves, play, result, turn
from engines.run.fixed_depth import fixed_depth
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work, entered, keep_line
from engines.tape.tape import CUT, EXPANDED, HORIZON, NOBODY, TERMINAL, AnyTape, enter, leave


@kernel
def alphabeta(
    game: Rules,
    tape: AnyTape,
    work: Work,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    node: int,
    backwards: int,
) -> int:
    """The value of `state` for the side to move: exact if inside (alpha, beta), at most that if it is no more than
    alpha, at least that if it is no less than beta.

    `enter` and `leave` record the node on the tape, and `decider` and `kind` are for the tape only; skip all of them on a
    first reading. `backwards`: 1 to go through the moves from the last to the first."""
    if not entered(work, ply):
        return int64(0)

    # Step 1: a finished game is worth its result.
    value = result(game, state)
    if value != ONGOING:
        value = delayed(value, ply * work.haste)  # sooner wins count more, if `haste` is 1
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

    # Step 3: the best move counts, and one that is too good ends the search here.
    best, decider, kind = int64(-INFINITY), int64(NOBODY), int64(EXPANDED)
    legal = work.moves[ply]
    count = moves(game, state, legal)
    for i in range(count):
        move = legal[count - 1 - i] if backwards else legal[i]
        after = play(game, state, move)
        child = enter(tape, node, move, turn(game, after), depth - 1, -beta, -alpha)
        value = -alphabeta(game, tape, work, after, depth - 1, -beta, -alpha, ply + 1, child, backwards)
        if work.stopped:
            return int64(0)
        if value > best:
            best, decider = value, child
            if value > alpha:
                alpha = value
                keep_line(work, ply, move)  # the best line from here
        if alpha >= beta:
            kind = int64(CUT)
            work.cutoffs += 1
            work.first_move_cutoffs += i == 0
            break
    leave(tape, node, kind, best, decider)
    return best


def search(run: Run) -> SearchResult:
    """Search to the limit. The root is in `engines.run.fixed_depth`: it plays each root move and calls `value_after` with
    the window that the moves before it have left open."""
    # Count a win n plies away as WIN - n. Solved tables store distances: with tables, `haste` must therefore be 1.
    run.work.haste = int(bool(run.parameters["quickest"] or run.parameters["tables"]))
    backwards = int(bool(run.parameters["backwards"]))

    def value_after(state: State, depth: int, alpha: int, beta: int, node: int) -> int:
        return -alphabeta(run.rules, run.tape, run.work, state, depth, -beta, -alpha, 1, node, backwards)

    return fixed_depth(run, value_after, narrows=True)


ALGORITHM = Algorithm(
    id="alphabeta",
    name="Alpha-beta",
    year=1956,
    summary="minimax without the branches that cannot matter",
    family="alpha-beta",
    steps={
        "entered": "value(position, depth, alpha, beta):",
        "terminal": "if the game is over",
        "horizon": "if depth is 0",
        "returned": "best <- max(best",
        "raised": "alpha <- max(alpha, best)",
        "cut": "if alpha >= beta: stop",
        "left": "return best",
    },
    needs=("alternating",),
    search=search,
    plays_duels=True,
    parameters=(
        ByGame(
            name="quickest",
            default=True,
            sentence="Tell quick wins from slow ones while searching. Off: a win is a win, as in the textbooks' counts, "
            "and a second search finds the quickest.",
        ),
        Parameter(
            name="backwards",
            default=False,
            sentence="Try the moves in the reverse of the game's own order: the value is the same, what is cut off is not.",
        ),
        TABLES,
    ),
    exact_value="minimax",
)

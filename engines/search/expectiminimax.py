"""Expectiminimax (Michie 1966; the three rules as one are in Russell and Norvig's textbook)

**Idea.** Where a die is rolled nobody chooses: a position is worth the mean of what can happen, each outcome weighted with
its probability. Everything else is minimax: MAX takes the largest value, MIN the smallest.

**In short.**

    value(position, depth):                 (for MAX, the first player)
        if the game is over: return what it pays
        if depth is 0: return the evaluation
        if nature moves:
            return the sum of  probability * value(after outcome, depth)
        look at value(after move, depth - 1) for every move
        if MAX moves: return the largest, otherwise the smallest

**Cost.** With b moves, n outcomes and a depth of d it looks at b^d n^d leaves: a die makes every ply 6 times as wide.
`star1` and `star2` give the same value and leave out what cannot matter.

**Watch.** The depth counts moves of players; rolls are layers of their own and cost none. Values are means, so their *size*
counts, not only their order: an evaluation that is stretched changes the best move (with minimax it would not). So wins and
evaluations need one scale: in a game with a winner it goes from -1 to +1, and a value is what the game comes to on average.
`σ` is the spread, the standard deviation of that with best play: a sure +0.2 and a gamble worth +0.2 are different things,
though this search does not care. The line ends at the first roll, as nobody knows how it will fall.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.compiled.kernel import int64, kernel
from engines.contract import MAX_DEPTH
from engines.parts.expectation.driver import entered_below, expect, guessed, settled
from engines.rules import ONGOING, Rules, State, moves, play, result, turn
from engines.rules_chance import by_chance, likelihood, reach, unsettled
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work, entered, keep_line
from engines.tape.tape import EXPANDED, NOBODY, AnyTape, leave, note_likelihood, written


@kernel
def expectiminimax(game: Rules, tape: AnyTape, work: Work, state: State, depth: int, ply: int, node: int) -> float:
    """What `state` is worth to the first player, `depth` moves of players deep."""
    if not entered(work, ply):
        return 0.0
    whose = turn(game, state)
    low, high = reach(game)

    # Step 1: a finished game is worth what it pays.
    over = result(game, state)
    if over != ONGOING:
        return settled(game, tape, work, over * whose, ply, node)

    # Step 2: at the horizon the evaluation has to do.
    if (depth == 0 and not unsettled(game, state)) or ply >= MAX_DEPTH:
        return guessed(game, tape, work, state, ply, node)

    legal, decider = work.moves[ply], int64(NOBODY)
    count = moves(game, state, legal)

    # Step 3: nature moves, and the mean of everything counts.
    if by_chance(game, state):
        work.chance_nodes += 1
        mean, squares = 0.0, 0.0
        for i in range(count):
            likely = likelihood(game, state, legal[i])
            after = play(game, state, legal[i])
            child = entered_below(game, tape, work, after, legal[i], depth, low, high, node)
            note_likelihood(tape, child, likely)
            value = expectiminimax(game, tape, work, after, depth, ply + 1, child)
            if work.stopped:
                return 0.0
            mean += likely * value
            squares += likely * work.squares[ply + 1]
        work.squares[ply] = squares
        leave(tape, node, EXPANDED, written(mean, work.fineness), NOBODY)
        return mean

    # Step 4: MAX takes the largest value, MIN the smallest.
    best = 0.0
    for i in range(count):
        after = play(game, state, legal[i])
        child = entered_below(game, tape, work, after, legal[i], depth - 1, low, high, node)
        value = expectiminimax(game, tape, work, after, depth - 1, ply + 1, child)
        if work.stopped:
            return 0.0
        if i == 0 or whose * value > whose * best:
            best, decider = value, child
            work.squares[ply] = work.squares[ply + 1]
            keep_line(work, ply, legal[i])
    leave(tape, node, EXPANDED, written(best, work.fineness), decider)
    return best


def search(run: Run) -> SearchResult:
    """Search everything."""

    def below(state: State, depth: int, low: float, high: float, node: int) -> float:
        return expectiminimax(run.rules, run.tape, run.work, state, depth, 1, node)

    return expect(run, below, narrows=False)


ALGORITHM = Algorithm(
    id="expectiminimax",
    name="Expectiminimax",
    year=1966,
    summary="minimax with chance: MAX takes the largest value, MIN the smallest, nature the mean",
    family="chance",
    steps={
        "entered": "value(position, depth):",
        "terminal": "if the game is over",
        "horizon": "if depth is 0",
        "outcome": "if nature moves:",
        "chance": "return the sum of",
        "mean": "return the sum of",
        "returned": "look at value(after move",
        "left": "if MAX moves: return the largest",
    },
    needs=("sides", "chance"),
    search=search,
    view="first",
    expects=True,
    exact_value="expectation",
)

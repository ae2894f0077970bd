"""Star1 (Bruce Ballard, 1983; analysed again by Hauk, Buro and Schaeffer, 2004)

**Idea.** Alpha-beta stops at a chance node, unless values have bounds. If nothing is worth less than L or more than U, then
after some outcomes the mean is already caught between what it would be if all the others came to L, and to U. As soon as
that leaves the window, the rest need not be looked at.

**In short.** At MAX and MIN nodes as in alpha-beta. At a chance node with the window (low, high):

    for each outcome, of probability p:
        floor   <- (low  - what is known of the mean - U for the rest) / p
        ceiling <- (high - what is known of the mean - L for the rest) / p
        value <- value(after outcome, floor, ceiling)
        if value <= floor:    return an upper bound: it cannot get above low
        if value >= ceiling:  return a lower bound: it will not be below high
    return the mean

The window that an outcome gets is the one outside of which its value would decide: (floor, ceiling), cut to (L, U).

**Cost.** The same value as expectiminimax, and never a leaf more. How much it saves depends on how tight L and U are, and on
the order: with six faces of a die, the first five can hardly decide anything. `star2` looks ahead for better bounds.

**Watch.** In a game with a winner L and U are a loss and a win, -1 and +1; in a typed tree its least and its largest number
(inner ones too). A value outside the window is only a bound (*fail-soft*), so that moves after the first are known to be *at
most* that good. Ballard's paper has players' nodes and chance nodes strictly in turn; this does not need it.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.compiled.kernel import int64, kernel
from engines.contract import MAX_DEPTH
from engines.parts.expectation.driver import beside_the_point, entered_below, expect, guessed, settled
from engines.rules import ONGOING, Rules, State, moves, play, result, turn
from engines.rules_chance import by_chance, likelihood, reach, unsettled
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work, entered, keep_line
from engines.tape.tape import CUT, EXPANDED, NOBODY, AnyTape, leave, note_likelihood, written


@kernel
def star1(
    game: Rules, tape: AnyTape, work: Work, state: State, depth: int, low: float, high: float, ply: int, node: int
) -> float:
    """What `state` is worth to the first player: exact if inside (low, high), at most that if it is no more than low, at
    least that if it is no less than high. Nothing is worth less or more than `reach` says: there it is exact too."""
    if not entered(work, ply):
        return 0.0
    whose = turn(game, state)

    # Step 1: a finished game is worth what it pays.
    over = result(game, state)
    if over != ONGOING:
        return settled(game, tape, work, over * whose, ply, node)

    # Step 2: at the horizon the evaluation has to do.
    if (depth == 0 and not unsettled(game, state)) or ply >= MAX_DEPTH:
        return guessed(game, tape, work, state, ply, node)

    # Only more than the most would count, or less than the least: there is nothing to look for.
    if low >= high:
        return beside_the_point(tape, work, low, ply, node)

    legal, decider, kind = work.moves[ply], int64(NOBODY), int64(EXPANDED)
    count = moves(game, state, legal)

    # Step 3: nature moves. `mean` is what is known of it, `left` the probability of what has not been looked at.
    if by_chance(game, state):
        work.chance_nodes += 1
        least, most = reach(game)
        mean, squares, left = 0.0, 0.0, 1.0
        for i in range(count):
            likely = likelihood(game, state, legal[i])
            left = max(0.0, left - likely) if i < count - 1 else 0.0
            floor = (low - mean - left * most) / likely
            ceiling = (high - mean - left * least) / likely
            after = play(game, state, legal[i])
            child = entered_below(game, tape, work, after, legal[i], depth, max(floor, least), min(ceiling, most), node)
            note_likelihood(tape, child, likely)
            value = star1(game, tape, work, after, depth, max(floor, least), min(ceiling, most), ply + 1, child)
            if work.stopped:
                return 0.0
            mean += likely * value
            squares += likely * work.squares[ply + 1]
            if value <= floor or value >= ceiling:
                mean = min(low, mean + left * most) if value <= floor else max(high, mean + left * least)
                if i < count - 1:
                    decider, kind = child, int64(CUT)
                    work.cutoffs += 1
                    work.first_move_cutoffs += i == 0
                break
        work.squares[ply] = squares
        leave(tape, node, kind, written(mean, work.fineness), decider)
        return mean

    # Step 4: MAX takes the largest value, MIN the smallest, and one that is too good ends the search here.
    best = 0.0
    for i in range(count):
        after = play(game, state, legal[i])
        child = entered_below(game, tape, work, after, legal[i], depth - 1, low, high, node)
        value = star1(game, tape, work, after, depth - 1, low, high, ply + 1, child)
        if work.stopped:
            return 0.0
        if i == 0 or whose * value > whose * best:
            best, decider = value, child
            work.squares[ply] = work.squares[ply + 1]
            keep_line(work, ply, legal[i])
            if whose > 0:
                low = max(low, best)
            else:
                high = min(high, best)
        if low >= high and i < count - 1:
            kind = int64(CUT)
            work.cutoffs += 1
            work.first_move_cutoffs += i == 0
            break
    leave(tape, node, kind, written(best, work.fineness), decider)
    return best


def search(run: Run) -> SearchResult:
    """Search each root move with the window that the moves before it have left open."""

    def below(state: State, depth: int, low: float, high: float, node: int) -> float:
        return star1(run.rules, run.tape, run.work, state, depth, low, high, 1, node)

    return expect(run, below, narrows=True)


ALGORITHM = Algorithm(
    id="star1",
    name="Star1",
    year=1983,
    summary="expectiminimax without the outcomes that cannot matter, by bounds on all values",
    family="chance",
    inside="alphabeta",
    steps={
        "outcome": "for each outcome, of probability p",
        "chance": "value <- value(after outcome",
        "cut below": "if value <= floor",
        "cut above": "if value >= ceiling",
        "mean": "return the mean",
    },
    needs=("sides", "chance"),
    search=search,
    view="first",
    expects=True,
    exact_value="expectation",
)

"""Paranoid search (Sturtevant and Korf, 2000)

**Idea.** Assume the worst: all others have joined against whoever moves at the root. Then there are two sides again, and
alpha-beta works, cuts and all.

**In short.**

    value(position, depth, low, high):          (for the root player)
        if the game is over: return what it pays to the root player
        if depth is 0: return the evaluation of the root player
        if nature moves: return the mean of value(after outcome, depth)
        if the root player moves: take the largest value, low rises
        if any other player moves: take the smallest value, high falls
        stop as soon as low >= high
        return what was taken

**Cost.** With the best moves first about b^(d (n-1)/n) leaves for n players, less than max^n with its b^d: it sees deeper.

**Watch.** The value is what the root player can be sure of, whatever the others do. So at the same depth it is **never above
max^n's** value for that player: against players who each follow their own interest one can always do at least what one can
do against all of them together. That holds for any number of players, any values, with chance and with ties broken either
way; with two players who win what the other loses both are minimax. It plays too carefully, though: real opponents are not
in league. `coalition` makes it the search of an alliance: its members are one side and want the sum of their values, all
others are the other side; whoever moves at the root may be in it or not. The number that is shown is for the side that the
first player is on.
"""

from __future__ import annotations

import math
from typing import Any

from engines.algorithm import TABLES, Algorithm
from engines.compiled.kernel import int64, kernel
from engines.contract import MAX_DEPTH
from engines.parts.many_players.coalition import oppose
from engines.parts.many_players.driver import COALITION, Teams, sides_of, wanted
from engines.rules import ONGOING, Rules, State, moves, play, result
from engines.rules_chance import by_chance, gains, judgements, likelihood, mover, side, unsettled
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work, entered, keep_line
from engines.tape.tape import CUT, EXPANDED, HORIZON, NOBODY, TERMINAL, AnyTape, enter, leave, note_likelihood, written

NO_LIMIT = math.inf
Values = Any


@kernel
def paranoid(
    game: Rules,
    tape: AnyTape,
    work: Work,
    sides: Teams,
    state: State,
    depth: int,
    low: float,
    high: float,
    ply: int,
    node: int,
) -> float:
    """What `state` is worth to the team of `sides`: exact if inside (low, high), at most that if it is no more than low, at
    least that if it is no less than high. On the tape values are for the side that the first player is on."""
    if not entered(work, ply):
        return 0.0
    team = sides.root
    sign = 1.0 if sides.team & 1 else -1.0

    # Step 1: a finished game is worth what it pays.
    if result(game, state) != ONGOING:
        gains(game, state, ply, work.vectors[ply])
        value = wanted(sides, work.vectors[ply], team)
        work.leaves += 1
        leave(tape, node, TERMINAL, written(sign * value, work.fineness), NOBODY)
        return value

    # Step 2: at the horizon the evaluation has to do.
    if (depth == 0 and not unsettled(game, state)) or ply >= MAX_DEPTH:
        judgements(game, state, work.vectors[ply])
        value = wanted(sides, work.vectors[ply], team)
        work.leaves += 1
        work.evaluations += 1
        leave(tape, node, HORIZON, written(sign * value, work.fineness), NOBODY)
        return value

    legal, decider, kind = work.moves[ply], int64(NOBODY), int64(EXPANDED)
    count = moves(game, state, legal)

    # Step 3: nature moves, and the mean of everything counts.
    if by_chance(game, state):
        work.chance_nodes += 1
        mean = 0.0
        for i in range(count):
            likely, after = likelihood(game, state, legal[i]), play(game, state, legal[i])
            child = enter(tape, node, legal[i], side(game, after), depth, written(-NO_LIMIT, 1.0), written(NO_LIMIT, 1.0))
            note_likelihood(tape, child, likely)
            value = paranoid(game, tape, work, sides, after, depth, -NO_LIMIT, NO_LIMIT, ply + 1, child)
            if work.stopped:
                return 0.0
            mean += likely * value
        leave(tape, node, EXPANDED, written(sign * mean, work.fineness), NOBODY)
        return mean

    # Step 4: the team takes the largest value, everybody else the smallest, and one that is too good ends the search here.
    ours = (sides.team >> mover(game, state)) & 1
    best = -NO_LIMIT if ours else NO_LIMIT
    for i in range(count):
        after = play(game, state, legal[i])
        bottom, top = (low, high) if sign > 0 else (-high, -low)
        window = written(bottom, work.fineness), written(top, work.fineness)
        child = enter(tape, node, legal[i], side(game, after), depth - 1, window[0], window[1])
        value = paranoid(game, tape, work, sides, after, depth - 1, low, high, ply + 1, child)
        if work.stopped:
            return 0.0
        if (value > best) if ours else (value < best):
            best, decider = value, child
            if low < best < high:
                keep_line(work, ply, legal[i])
            if ours:
                low = max(low, best)
            else:
                high = min(high, best)
        if low >= high and i < count - 1:
            kind = int64(CUT)
            work.cutoffs += 1
            work.first_move_cutoffs += i == 0
            break
    leave(tape, node, kind, written(sign * best, work.fineness), decider)
    return best


def search(run: Run) -> SearchResult:
    """Search each root move with the window that the moves before it have left open."""
    sides = sides_of(run)
    if not sides.team:
        sides = sides._replace(team=1 << sides.root)
    one = next(player for player in range(sides.players) if sides.team >> player & 1)
    sides = sides._replace(root=one)  # any member speaks for the team

    def below(state: State, depth: int, low: float, high: float, node: int) -> float:
        return paranoid(run.rules, run.tape, run.work, sides, state, depth, low, high, 1, node)

    return oppose(run, sides, below)


ALGORITHM = Algorithm(
    id="paranoid",
    name="Paranoid search",
    year=2000,
    summary="alpha-beta that treats everybody else as one opponent; or a coalition against the rest",
    family="company",
    steps={
        "entered": "value(position, depth, low, high):",
        "terminal": "if the game is over",
        "horizon": "if depth is 0",
        "outcome": "if nature moves",
        "chance": "if nature moves",
        "mean": "if nature moves",
        "returned more": "if the root player moves: take",
        "returned less": "if any other player moves",
        "raised more": "if the root player moves: take",
        "raised less": "if any other player moves",
        "cut": "stop as soon as low >= high",
        "left": "return what was taken",
    },
    needs=("company",),
    search=search,
    parameters=(COALITION, TABLES),
    view="first",
    vectors=True,
)

"""Star2 (Bruce Ballard, 1983; analysed again by Hauk, Buro and Schaeffer, 2004)

**Idea.** `star1` has only two poor guesses for an outcome that it has not looked at: the worst value that there is, and the
best. Where MAX moves next, one move already tells more: the position is worth at least that (and where MIN moves, at most).
So look at one move behind each outcome first. Often these bounds together are enough to leave the window, and the rest of
all of them need not be looked at.

**In short.** At a chance node with the window (low, high), where L_i <= value of outcome i <= U_i:

    probe   for each outcome i:
                look at the first move behind it:
                it is a new L_i if MAX moves there, a new U_i if MIN does
                stop if the mean of all L reaches high,
                or the mean of all U is down at low
    search  for each outcome i: as Star1, with L_i and U_i for L and U;
                the first move is known already, only others are looked at

**Cost.** The same value as expectiminimax, and never a leaf more: what a probe has found is not looked at again. It is as
good as the order of moves: if the first one is the best, a probe is as good as a search.

**Watch.** A probe with a bad first move is a bound that does not help, and has cost nothing more than the order in which
things are looked at. Textbook versions search the first move a second time and leave it to a table to know it. As in `star1`
a value outside the window is a bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.algorithm import Algorithm
from engines.compiled.kernel import int64, kernel
from engines.compiled.records import new_record
from engines.contract import MAX_DEPTH
from engines.parts.expectation.driver import beside_the_point, entered_below, expect, guessed, settled
from engines.rules import MAX_MOVES, ONGOING, Rules, State, moves, play, result, turn
from engines.rules_chance import by_chance, likelihood, reach, unsettled
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import PLIES, Work, entered, keep_line
from engines.tape.tape import CUT, EXPANDED, NOBODY, AnyTape, leave, narrow, note_likelihood, written

WHOLE, PROBE, REST = 0, 1, 2
"""How much of a node is looked at: everything, the first move, or all but the first one."""
UNSEEN, PROBED, EXACT = 0, 1, 2
"""What is known of an outcome."""

PROBES = np.dtype(
    [
        ("known", np.int64, (PLIES, MAX_MOVES)),
        ("row", np.int64, (PLIES, MAX_MOVES)),
        ("child", np.int64, (PLIES, MAX_MOVES)),
        ("value", np.float64, (PLIES, MAX_MOVES)),
        ("squares", np.float64, (PLIES, MAX_MOVES)),
        ("least", np.float64, (PLIES, MAX_MOVES)),
        ("most", np.float64, (PLIES, MAX_MOVES)),
    ]
)
"""For each outcome of the chance node at a ply: what is known of it, its row on the tape and that of its first move, what a
probe found (the value and the mean of its squares), and what it is worth at least and at most."""
Probes = Any


@kernel
def star2(
    game: Rules,
    tape: AnyTape,
    work: Work,
    probes: Probes,
    state: State,
    depth: int,
    low: float,
    high: float,
    ply: int,
    node: int,
    part: int,
    outcome: int,
) -> float:
    """What `state` is worth to the first player, as in `star1`. `part`: how much of it is looked at; if not the whole, it is
    this outcome of the chance node above."""
    if part != REST and not entered(work, ply):  # the rest of a node was entered when it was probed
        return 0.0
    whose = turn(game, state)
    least, most = reach(game)

    # Step 1: a finished game is worth what it pays.
    over = result(game, state)
    if over != ONGOING:
        if part == PROBE:
            probes.known[ply - 1, outcome] = EXACT
        return settled(game, tape, work, over * whose, ply, node)

    # Step 2: at the horizon the evaluation has to do.
    if (depth == 0 and not unsettled(game, state)) or ply >= MAX_DEPTH:
        if part == PROBE:
            probes.known[ply - 1, outcome] = EXACT
        return guessed(game, tape, work, state, ply, node)

    # Only more than the most would count, or less than the least: there is nothing to look for.
    if low >= high:
        return beside_the_point(tape, work, low, ply, node)

    legal, decider, kind = work.moves[ply], int64(NOBODY), int64(EXPANDED)
    count = moves(game, state, legal)

    if by_chance(game, state):
        # Step 3: nature moves. Look at one move behind each outcome; where nature moves again nothing is tried.
        work.chance_nodes += 1
        bottom, top = least, most  # what the mean is at least and at most
        known, lows, highs = probes.known[ply], probes.least[ply], probes.most[ply]
        values, spreads, rows = probes.value[ply], probes.squares[ply], probes.row[ply]
        for i in range(count):
            known[i], lows[i], highs[i] = UNSEEN, least, most
        for i in range(count):
            likely, after = likelihood(game, state, legal[i]), play(game, state, legal[i])
            if result(game, after) == ONGOING and by_chance(game, after):
                continue
            floor = (low - (top - likely * most)) / likely
            ceiling = (high - (bottom - likely * least)) / likely
            inside = max(least, floor), min(most, ceiling)
            rows[i] = entered_below(game, tape, work, after, legal[i], depth, inside[0], inside[1], node)
            note_likelihood(tape, rows[i], likely)
            known[i] = PROBED
            value = star2(
                game, tape, work, probes, after, depth, inside[0], inside[1], ply + 1, rows[i], int64(PROBE), int64(i)
            )
            if work.stopped:
                return 0.0
            values[i], spreads[i] = value, work.squares[ply + 1]
            if known[i] == EXACT or (turn(game, after) > 0 and value > inside[0]):
                lows[i] = value
            if known[i] == EXACT or (turn(game, after) < 0 and value < inside[1]):
                highs[i] = value
            bottom += likely * (lows[i] - least)
            top -= likely * (most - highs[i])
            if lows[i] >= ceiling or highs[i] <= floor:
                work.cutoffs += 1
                work.first_move_cutoffs += i == 0
                mean = max(high, bottom) if lows[i] >= ceiling else min(low, top)
                leave(tape, node, CUT, written(mean, work.fineness), rows[i])
                return mean

        # Step 4: search what is left behind each outcome, with the bounds that are known of the others.
        mean, squares = 0.0, 0.0
        for i in range(count):
            likely = likelihood(game, state, legal[i])
            value, wide = values[i], spreads[i]
            if known[i] != EXACT:
                after = play(game, state, legal[i])
                floor = (low - (top - likely * highs[i])) / likely
                ceiling = (high - (bottom - likely * lows[i])) / likely
                inside = max(least, floor), min(most, ceiling)
                share = int64(REST)
                if known[i] == UNSEEN:
                    share = int64(WHOLE)
                    rows[i] = entered_below(game, tape, work, after, legal[i], depth, inside[0], inside[1], node)
                    note_likelihood(tape, rows[i], likely)
                else:
                    narrow(tape, rows[i], written(inside[0], work.fineness), written(inside[1], work.fineness))
                value = star2(
                    game, tape, work, probes, after, depth, inside[0], inside[1], ply + 1, rows[i], share, int64(i)
                )
                if work.stopped:
                    return 0.0
                wide = work.squares[ply + 1]
                bottom += likely * (value - lows[i])
                top += likely * (value - highs[i])
                if (value <= floor or value >= ceiling) and i < count - 1:
                    kind, decider = int64(CUT), rows[i]
                    work.cutoffs += 1
                    mean = min(low, top) if value <= floor else max(high, bottom)
                    break
            mean += likely * value
            squares += likely * wide
        work.squares[ply] = squares
        leave(tape, node, kind, written(mean, work.fineness), decider)
        return mean

    # Step 5: MAX takes the largest value, MIN the smallest, and one that is too good ends the search here.
    best, first, last = 0.0, 0, count
    if part == PROBE:
        probes.known[ply - 1, outcome] = EXACT if count == 1 else PROBED
        last = 1
    if part == REST:
        best, decider, first = probes.value[ply - 1, outcome], probes.child[ply - 1, outcome], 1
        work.squares[ply] = probes.squares[ply - 1, outcome]
        if whose > 0:
            low = max(low, best)
        else:
            high = min(high, best)
    for i in range(first, last):
        if low >= high and i > 0:
            break
        after = play(game, state, legal[i])
        child = entered_below(game, tape, work, after, legal[i], depth - 1, low, high, node)
        value = star2(game, tape, work, probes, after, depth - 1, low, high, ply + 1, child, int64(WHOLE), int64(-1))
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
        first = i + 1
    if first < count:
        kind = int64(CUT)
        if part != PROBE:
            work.cutoffs += 1
            work.first_move_cutoffs += first == 1
    if part == PROBE:
        probes.child[ply - 1, outcome] = decider
    leave(tape, node, kind, written(best, work.fineness), decider)
    return best


def search(run: Run) -> SearchResult:
    """Search each root move with the window that the moves before it have left open."""
    probes = new_record(PROBES)

    def below(state: State, depth: int, low: float, high: float, node: int) -> float:
        return star2(run.rules, run.tape, run.work, probes, state, depth, low, high, 1, node, WHOLE, -1)

    return expect(run, below, narrows=True)


ALGORITHM = Algorithm(
    id="star2",
    name="Star2",
    year=1983,
    summary="Star1 with better bounds: one move behind each outcome is looked at first",
    family="chance",
    inside="alphabeta",
    steps={
        "outcome": "search  for each outcome i",
        "paused": "look at the first move behind it",
        "resumed": "the first move is known already",
        "cut above": "stop if the mean of all L reaches high",
        "cut below": "or the mean of all U is down",
    },
    needs=("sides", "chance"),
    search=search,
    view="first",
    expects=True,
    exact_value="expectation",
)

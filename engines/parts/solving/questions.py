"""Proving a value question by question: is this position worth more than so much?

A solver sees every position from the side to move (`SideBoards`) and counts values in whole points of the game's own: the
sooner the win, the more points; 0 is a draw. A game says what it knows through the generic functions below, whose first
argument is the game's knowledge, a NamedTuple class of its own. One kernel asks all the questions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.bits import EMPTY, U
from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64, kernel
from engines.compiled.records import new_record
from engines.contract import TableCounters
from engines.parts.solving.bounds import entry_of, least, most, names, place_of, prefetch
from engines.rules import WIN, State
from engines.run.work import Work
from engines.tape.tape import CUT, EXPANDED, NOBODY, PRUNED, TABLE, AnyTape, enter, leave

Knowledge = Any
"""What a game knows: an instance of its own NamedTuple class."""

PLIES = 256
"""No game that is solved here is longer."""
MOVES = 64
"""More sensible moves than any position here has."""
MOVE = 4095
"""The bits of a move; what stands above them in a list of moves is how promising it is."""
POINTS = 127
"""No value is more than this, or less than minus this."""


class SideBoards(NamedTuple):
    """A position as a solver sees it: a board of the side to move, and one of the other side."""

    mine: Any
    theirs: Any


# What a game tells a solver.


@generic
def seen(game: Knowledge, state: State) -> SideBoards:
    """A state of the game as the solver sees it."""


@generic
def played(game: Knowledge, move: int, turn: int) -> int:
    """A move of the solver's as the game writes it, made by the first player (1) or the second (-1)."""


@generic
def extent(game: Knowledge, sides: SideBoards) -> tuple[int, int]:
    """The least and the most that any position with so much on the board can be worth: lost by the next two plies, or won by
    the next one."""


@generic
def wins_at_once(game: Knowledge, sides: SideBoards) -> bool:
    """Whether the side to move can win with its next move. The kernel is never called for such a position."""


@generic
def known(game: Knowledge, sides: SideBoards, ask: int) -> tuple[int, int]:
    """The least and the most a position can be worth, as far as that can be said without playing and helps to answer
    whether it is worth more than `ask`."""


@generic
def sensible(game: Knowledge, sides: SideBoards, out: Any) -> int:
    """Write the moves that do not lose at once into `out`, in any order; return how many."""


@generic
def tries(game: Knowledge, sides: SideBoards, ask: int, out: Any) -> int:
    """Write the moves worth trying into `out`, the most promising first (and with larger numbers above the bits of `MOVE`);
    return how many. None at all says that one of them is known to be worth more than `ask`. Moves that lose at once are
    left out: if there is no other, `known` says so."""


@generic
def after(game: Knowledge, sides: SideBoards, move: int) -> SideBoards:
    """The position after a move."""


@generic
def number(game: Knowledge, sides: SideBoards) -> Any:
    """64 bits that no other position has, unless it is worth the same by symmetry."""


@generic
def is_kept(game: Knowledge, sides: SideBoards) -> bool:
    """Whether the position is worth an entry in the table."""


@generic
def looks_ahead(game: Knowledge, sides: SideBoards) -> bool:
    """Whether it pays to look the children up in the table first (enhanced transposition cutoff)."""


@generic
def question_behind(game: Knowledge, ask: int) -> int:
    """A move is worth more than `ask` if the position behind it is *not* worth more than this."""


@generic
def move_value(game: Knowledge, value: int) -> int:
    """What a move is worth if the position behind it is worth `value` to the other side."""


@generic
def plies(game: Knowledge, sides: SideBoards, value: int) -> int:
    """How many plies from here a won or lost game of this value ends."""


@generic
def question(game: Knowledge, low: int, high: int) -> int:
    """What to ask next about a value from `low` to `high`. For Python, not for kernels."""


@helper
def dated(game: Knowledge, sides: SideBoards, value: int, ply: int) -> int:
    """A value as all searches write it: a win, less the plies from the root."""
    if value == 0:
        return int64(0)
    distance = ply + plies(game, sides, value)
    return WIN - distance if value > 0 else distance - WIN


SOLVER_STACK = np.dtype(
    [
        ("places", np.uint64),
        ("probes", np.int64),
        ("hits", np.int64),
        ("exact_cutoffs", np.int64),
        ("lower_cutoffs", np.int64),
        ("upper_cutoffs", np.int64),
        ("stores", np.int64),
        ("overwrites", np.int64),
        ("collisions", np.int64),
        ("filled", np.int64),
        ("mine", np.uint64, PLIES),
        ("theirs", np.uint64, PLIES),
        ("ask", np.int64, PLIES),
        ("best", np.int64, PLIES),
        ("low", np.int64, PLIES),
        ("high", np.int64, PLIES),
        ("place", np.uint64, PLIES),
        ("name", np.uint64, PLIES),
        ("kept", np.int64, PLIES),
        ("count", np.int64, PLIES),
        ("next", np.int64, PLIES),
        ("node", np.int64, PLIES),
        ("decider", np.int64, PLIES),
        ("child", np.int64, PLIES),
        ("moves", np.int64, (PLIES, MOVES)),
    ],
    align=True,
)
"""The explicit stack of the solver's recursion, one record: the number of places in the table, the table's counters, and for
each ply the position there, what is asked of it, and which of its moves come next."""

SolverStack = Any


def new_solver_stack(table: Any) -> SolverStack:
    """An empty stack for a solver that uses this table."""
    stack = new_record(SOLVER_STACK)
    stack.places = U(len(table))
    return stack


def table_counters(stack: SolverStack, table: Any) -> TableCounters:
    """The counters of the table."""
    cuts = {name: int(stack[name]) for name in ("exact_cutoffs", "lower_cutoffs", "upper_cutoffs")}
    counted = {name: int(stack[name]) for name in ("probes", "hits", "stores", "overwrites", "collisions", "filled")}
    return TableCounters(size=table.nbytes, entries=len(table), cutoffs=sum(cuts.values()), **cuts, **counted)


@helper
def remember(stack: SolverStack, table: Any, ply: int, value: int) -> None:
    """Store a new bound of the position at a ply in the table, beside the other bound if that is known."""
    low, high = stack.low[ply], stack.high[ply]
    if value > stack.ask[ply]:
        low = value
    else:
        high = value
    old, name = table[stack.place[ply]], stack.name[ply]
    stack.stores += 1
    stack.filled += old == EMPTY
    stack.overwrites += old != EMPTY and not names(old, name)
    table[stack.place[ply]] = entry_of(name, low, high)


@helper
def looked_up(game: Knowledge, stack: SolverStack, table: Any, sides: SideBoards) -> tuple[int, int]:
    """The least and the most that a position is worth, as far as the table knows."""
    if is_kept(game, sides):
        place, name = place_of(stack.places, number(game, sides))
        if names(table[place], name):
            return least(table[place]), most(table[place])
    return int64(-POINTS), int64(POINTS)


# The search.


@kernel
def prove(
    game: Knowledge,
    tape: AnyTape,
    work: Work,
    stack: SolverStack,
    table: Any,
    sides: SideBoards,
    ask: int,
    turn: int,
    node: int,
) -> int:
    """Is the position one ply from the root worth more than `ask` to the side to move? If the value returned is more, the
    position is worth at least that; if not, at most that.

    This is a recursion written as a loop: going down, it puts the position on the desk; coming back with a value, it goes on
    with that position's next move.
    """
    places = stack.places
    ply = int64(1)
    while True:
        # Step 1: one more node, or the end of the search.
        if work.nodes >= work.budget:
            work.stopped = 1
            return int64(0)
        work.nodes += 1
        work.selective_depth = max(work.selective_depth, ply)

        # Step 2: what the game knows may be the answer.
        low, high = known(game, sides, ask)
        kind, value, answered = int64(PRUNED), low, low > ask
        if high <= ask:
            value, answered = high, True

        # Step 3: so may what the table knows.
        kept = False
        place = name = EMPTY
        if not answered:
            kept = is_kept(game, sides)
            if kept:
                place, name = place_of(places, number(game, sides))
                entry = table[place]
                stack.probes += 1
                if names(entry, name):
                    stack.hits += entry != EMPTY
                    low, high = max(low, least(entry)), min(high, most(entry))
                    if low > ask or high <= ask:
                        stack.exact_cutoffs += low == high
                        stack.lower_cutoffs += low > ask and low < high
                        stack.upper_cutoffs += high <= ask and low < high
                        kind, value, answered = int64(TABLE), low if low > ask else high, True
                else:
                    stack.collisions += entry != EMPTY

        # Step 4: order the moves; one of them may be known to be good enough, by the game or by the table.
        count = int64(0)
        moves = stack.moves[ply]
        if not answered:
            ahead = looks_ahead(game, sides)
            if ahead:
                for i in range(sensible(game, sides, moves)):
                    prefetch(table, place_of(places, number(game, after(game, sides, moves[i])))[0])
            count = tries(game, sides, ask, moves)
            if count == 0:
                value, answered = ask + 1, True
            elif ahead:
                for i in range(count):
                    spot, its_name = place_of(places, number(game, after(game, sides, moves[i] & MOVE)))
                    entry = table[spot]
                    stack.probes += 1
                    if not names(entry, its_name):
                        stack.collisions += entry != EMPTY
                        continue
                    stack.hits += entry != EMPTY
                    if move_value(game, most(entry)) > ask:
                        stack.lower_cutoffs += 1
                        kind, value, answered = int64(TABLE), move_value(game, most(entry)), True
                        break

        # Step 5: no answer yet: go down to the position behind the first move.
        if answered:
            work.leaves += 1
            leave(tape, node, kind, dated(game, sides, value, ply), NOBODY)
        else:
            stack.mine[ply], stack.theirs[ply], stack.ask[ply] = sides.mine, sides.theirs, ask
            stack.low[ply], stack.high[ply], stack.best[ply] = low, high, -POINTS - 1
            stack.place[ply], stack.name[ply], stack.kept[ply] = place, name, kept
            stack.count[ply], stack.next[ply] = count, 0
            stack.node[ply], stack.decider[ply] = node, NOBODY

        # Step 6: come back with an answer, as far up as it decides; then go down to the next move there.
        while True:
            if answered:
                if ply == 1:
                    return value
                ply -= 1
                turn = -turn
                sides = SideBoards(stack.mine[ply], stack.theirs[ply])
                ask = stack.ask[ply]
                value = move_value(game, value)
                if value > stack.best[ply]:
                    stack.best[ply], stack.decider[ply] = value, stack.child[ply]
                if value <= ask and stack.next[ply] < stack.count[ply]:
                    answered = False
                else:
                    decided, value = value > ask, stack.best[ply]
                    work.cutoffs += decided
                    work.first_move_cutoffs += decided and stack.next[ply] == 1
                    if stack.kept[ply]:
                        remember(stack, table, ply, value)
                    kind = int64(CUT) if decided else int64(EXPANDED)
                    leave(tape, stack.node[ply], kind, dated(game, sides, value, ply), stack.decider[ply])
            if not answered:
                move = stack.moves[ply, stack.next[ply]] & MOVE
                stack.next[ply] += 1
                parent = stack.node[ply]
                sides = after(game, sides, move)
                ask = question_behind(game, stack.ask[ply])
                turn = -turn
                ply += 1
                floor, ceiling = dated(game, sides, ask, ply), dated(game, sides, ask + 1, ply)
                node = enter(tape, parent, played(game, move, -turn), turn, 0, floor, ceiling)
                stack.child[ply - 1] = node
                break

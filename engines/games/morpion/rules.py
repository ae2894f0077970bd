"""Morpion Solitaire: put a dot where it makes five in a row with four others, and draw the line; as many lines as you can.

It starts from a cross of 36 dots. In the disjoint form (5D) two lines of the same direction share no dot; in the touching
form (5T) they may share an end. There is one player, and the value is the number of lines.

A state is two arrays that are never changed once it is made, except by `advance` on a state of its own. `grid` has a byte
for each point: whether there is a dot, and for each direction whether the point (5T: the step from it to the next) is used
by a line. `book` counts the lines and the legal moves, and lists both; a move changes the list only where its dot and its
line matter. A move is `4 * point + direction`: the line of five that starts there. Exactly one of its points has no dot
yet.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.kernel import helper, int64, routine, states_hold_arrays
from engines.parts.sampling.playout import coded_moves, drawn
from engines.rules import (
    ONGOING,
    advance,
    count_successors,
    key,
    mixed,
    move_code,
    moves,
    own,
    play,
    result,
    reward,
    terms,
    turn,
)
from engines.run.work import Work, scaled

SIDE = 32
"""Points that can be used, in each direction: eleven more on each side than the cross has."""
EDGE = 8
"""Around them, points outside: no line reaches further."""
STRIDE = SIDE + 2 * EDGE
POINTS = STRIDE * STRIDE
DOT, OUTSIDE = 1, 32
"""Bits of a point. Between them is one for each direction: `2 << direction`."""
STEPS = (1, STRIDE + 1, STRIDE, STRIDE - 1)
"""East, north-east, north, north-west: rows are counted from the bottom."""
MOVE_BITS = 14
"""A move is below 2 to this; in the list of legal ones its new dot stands above."""

LINES, COUNT, LEGAL = 0, 1, 2
"""Where in the book things are: how many lines, how many legal moves, and these."""
MOST_LEGAL = 246
TRAIL = LEGAL + MOST_LEGAL
"""The lines drawn, in order."""
MOST_LINES = 520
BOOK = TRAIL + MOST_LINES


@states_hold_arrays
class Morpion(NamedTuple):
    """`joined`: 1 if lines of one direction may share an end; `steps`: the four directions; `weights`; `span`: as many lines
    as are as good as a win, for searches that want results from 0 to 1."""

    data: Any


class MorpionLines(NamedTuple):
    """A position: the grid of points, and a list with the lines drawn and the legal moves."""

    grid: Any
    book: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MorpionLines) and self._known() == other._known()

    def __hash__(self) -> int:
        return hash(self._known())

    def _known(self) -> tuple[bytes, bytes]:
        return self.grid.tobytes(), self.book[TRAIL : TRAIL + self.book[LINES]].tobytes()


@helper
def missing_dot(grid: Any, joined: int, step: int, direction: int, start: int) -> int:
    """The one point without a dot on a line that may be drawn; -1 if it may not."""
    dots, missing, used = 0, start, 0
    for i in range(5):
        point = start + i * step
        here = int64(grid[point])
        if here & DOT:
            dots += 1
        else:
            missing = point
        used |= here & OUTSIDE
        if i < 4 or joined == 0:
            used |= here & (2 << direction)
    return missing if dots == 4 and used == 0 else int64(-1)


@routine
def draw(joined: int, steps: Any, grid: Any, book: Any, move: int) -> None:
    """Put the dot of a line, draw it, and bring the list of legal moves up to date."""
    start, direction = move >> 2, move & 3
    step = steps[direction]
    dot = missing_dot(grid, joined, step, direction, start)

    # Step 1: the dot and the line.
    grid[dot] |= DOT
    for i in range(4 if joined else 5):
        grid[start + i * step] |= 2 << direction
    book[TRAIL + book[LINES]] = move
    book[LINES] += 1

    # Step 2: lines that wanted the same dot are complete without a new one; those of this direction may collide.
    kept = 0
    for i in range(book[COUNT]):
        entry = int64(book[LEGAL + i])
        if entry >> MOVE_BITS == dot:
            continue
        other = entry & ((1 << MOVE_BITS) - 1)
        if other & 3 == direction and missing_dot(grid, joined, step, direction, other >> 2) < 0:
            continue
        book[LEGAL + kept] = entry
        kept += 1

    # Step 3: the dot may be the fourth of new lines.
    for towards in range(4):
        step = steps[towards]
        for back in range(5):
            first = dot - back * step
            missing = missing_dot(grid, joined, step, towards, first)
            if missing >= 0:
                book[LEGAL + kept] = (missing << MOVE_BITS) | (first << 2) | towards
                kept += 1
    book[COUNT] = kept


@own.register(Morpion)
def copied(game: Morpion, state: MorpionLines) -> MorpionLines:
    """Copy both arrays."""
    return MorpionLines(state.grid.copy(), state.book.copy())


@advance.register(Morpion)
def added(game: Morpion, state: MorpionLines, move: int) -> MorpionLines:
    """Draw the line in place."""
    draw(game.data.joined, game.data.steps, state.grid, state.book, move)
    return state


@play.register(Morpion)
def after(game: Morpion, state: MorpionLines, move: int) -> MorpionLines:
    """Draw the line on a copy."""
    grid, book = state.grid.copy(), state.book.copy()
    draw(game.data.joined, game.data.steps, grid, book, move)
    return MorpionLines(grid, book)


@helper
def line_at(book: Any, i: int) -> int:
    """The move in a place of the list of legal ones."""
    return int64(book[LEGAL + i]) & ((1 << MOVE_BITS) - 1)


@moves.register(Morpion)
def in_order(game: Morpion, state: MorpionLines, out: Any) -> int:
    """Lines by the point where they start, from the bottom left along the rows; then by direction."""
    count = int64(state.book[COUNT])
    for i in range(count):
        move, at = line_at(state.book, i), i
        while at > 0 and out[at - 1] > move:
            out[at] = out[at - 1]
            at -= 1
        out[at] = move
    return count


@count_successors.register(Morpion)
def known_count(game: Morpion, state: MorpionLines, scratch: Any) -> int:
    """As many as are on the list."""
    return int64(state.book[COUNT])


@result.register(Morpion)
def line_count(game: Morpion, state: MorpionLines) -> int:
    """Where no line can be drawn the game is over and pays the number of lines."""
    return int64(ONGOING) if state.book[COUNT] > 0 else int64(state.book[LINES])


@turn.register(Morpion)
def alone(game: Morpion, state: MorpionLines) -> int:
    """Always the one player's."""
    return int64(1)


@terms.register(Morpion)
def lines_so_far(game: Morpion, state: MorpionLines) -> Any:
    """The lines drawn, and nobody else's."""
    return int64(state.book[LINES]), int64(0)


@reward.register(Morpion)
def share_of_many(game: Morpion, value: int) -> float:
    """The lines as a share of as many as are as good as a win."""
    return float(value / game.data.span)


@key.register(Morpion)
def lines_key(game: Morpion, state: MorpionLines) -> Any:
    """The set of lines, in whatever order they were drawn."""
    bits = np.uint64(1)
    for i in range(state.book[LINES]):
        bits ^= mixed(np.uint64(state.book[TRAIL + i] + 1))
    return bits


@move_code.register(Morpion)
def the_line(game: Morpion, state: MorpionLines, move: int) -> int:
    """The line itself."""
    return move


@drawn.register(Morpion)
def any_line(game: Morpion, work: Work, state: MorpionLines, bits: Any) -> int:
    """Any line with the same chance."""
    return line_at(state.book, scaled(bits, int64(state.book[COUNT])))


@coded_moves.register(Morpion)
def lines_and_codes(game: Morpion, state: MorpionLines, knowing: bool, out: Any, codes: Any) -> int:
    """The list as it stands."""
    for i in range(state.book[COUNT]):
        out[i] = codes[i] = line_at(state.book, i)
    return int64(state.book[COUNT])

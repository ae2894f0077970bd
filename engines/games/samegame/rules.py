"""SameGame: take away groups of cells that touch and have one colour; n at once are worth (n - 2) squared.

Cells above fall, and where a column is empty those at its right close up. Whoever clears the board gets 1,000 more. There is
one player, and the value is the score.

A state is two arrays that are never changed once it is made, except by `advance` on a state of its own. `cells` has the
colours: column `c`, row `r` from the bottom, is at `16 * (c + 1) + r`, so that there is an empty cell around everything; 0
is empty. `book` has the score and the list of all groups of two or more, which a move changes only near the columns it
touches. A move is the lowest number of a cell in its group.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.kernel import helper, int64, routine, states_hold_arrays
from engines.parts.sampling.playout import LIKING, coded_moves, drawn, knowing_sample
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
from engines.run.work import Work, random_below, scaled

LONGEST = 15
"""Columns, and cells in a column."""
MOST_COLOURS = 7
STRIDE = 16
CELLS = STRIDE * (LONGEST + 2)
SCRATCH = LONGEST * LONGEST
"""Behind the cells there is room for a list of as many, for the flood that finds a group."""
SEEN = 8
"""Added to a colour while groups are looked for."""

SCORE, COUNT, LEFT, COLOURS, GROUPS = 0, 1, 2, 3, 16
"""Where in the book things are: the score, the number of groups, of cells left, of cells of each colour, and the groups."""
BOOK = GROUPS + SCRATCH // 2
LIKED = 3
"""How much better than others a policy likes groups that are not of the commonest colour."""
BONUS = 1000
"""For clearing the board."""


@states_hold_arrays
class SameGame(NamedTuple):
    """`columns`; `penalty`: 1 if what is left over costs points; `weights`; `keys`: 32 random bits for each colour in each
    cell; `span`: a score that is as good as a win, for searches that want results from 0 to 1."""

    data: Any


class Cells(NamedTuple):
    """A position: the cells, and a list with the score, the counts and the groups."""

    cells: Any
    book: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cells) and self._known() == other._known()

    def __hash__(self) -> int:
        return hash(self._known())

    def _known(self) -> tuple[bytes, int]:
        return self.cells[:CELLS].tobytes(), int(self.book[SCORE])


# A group in one word: its first cell, how many cells, the first and last of its columns, its colour, and its code.


@helper
def group_word(first: int, size: int, low: int, high: int, colour: int, code: int) -> int:
    """The word of a group."""
    return int64(first | (size << 9) | (low << 17) | (high << 21) | (colour << 25) | (code << 28))


@helper
def first_of(group: int) -> int:
    """Its lowest cell: the move that takes it away."""
    return group & 511


@helper
def size_of_group(group: int) -> int:
    """How many cells."""
    return (group >> 9) & 255


@helper
def low_of(group: int) -> int:
    """Its first column."""
    return (group >> 17) & 15


@helper
def high_of(group: int) -> int:
    """Its last column."""
    return (group >> 21) & 15


@helper
def colour_of(group: int) -> int:
    """Its colour."""
    return (group >> 25) & 7


@helper
def code_of(group: int) -> int:
    """32 bits that stand for its cells and their colour."""
    return group >> 28


@routine
def find_groups(keys: Any, cells: Any, book: Any, first: int, last: int) -> None:
    """Add all groups to the book that have cells in the columns from `first` to `last`. None of them is in it yet."""
    lowest, highest = first, last
    for column in range(first, last + 1):
        at = STRIDE * (column + 1)
        while cells[at] != 0:
            colour = int64(cells[at])
            if colour < SEEN and (cells[at + 1] == colour or cells[at + STRIDE] == colour or cells[at - STRIDE] == colour):
                # Step 1: flood it. Whatever is on the list is marked.
                cells[at] += SEEN
                cells[CELLS] = at
                size, done, least = 1, 0, at
                low = high = column
                code = int64(0)
                while done < size:
                    cell = int64(cells[CELLS + done])
                    done += 1
                    code ^= keys[cell, colour]
                    least = min(least, cell)
                    low, high = min(low, cell // STRIDE - 1), max(high, cell // STRIDE - 1)
                    for step in (1, -1, STRIDE, -STRIDE):
                        if cells[cell + step] == colour:
                            cells[cell + step] += SEEN
                            cells[CELLS + size] = cell + step
                            size += 1

                # Step 2: write it down.
                book[GROUPS + book[COUNT]] = group_word(least, size, low, high, colour, code)
                book[COUNT] += 1
                lowest, highest = min(lowest, low), max(highest, high)
            at += 1
    for column in range(lowest, highest + 1):
        at = STRIDE * (column + 1)
        while cells[at] != 0:
            cells[at] &= SEEN - 1
            at += 1


@routine
def take(columns: int, keys: Any, cells: Any, book: Any, move: int) -> None:
    """Take a group away, let cells fall, close empty columns, and bring the book up to date."""
    group = int64(0)
    for i in range(book[COUNT]):
        if first_of(book[GROUPS + i]) == move:
            group = book[GROUPS + i]
    size, low, high, colour = size_of_group(group), low_of(group), high_of(group), colour_of(group)

    # Step 1: the group is gone.
    cells[CELLS] = move
    cells[move] = 0
    count, done = 1, 0
    while done < count:
        cell = int64(cells[CELLS + done])
        done += 1
        for step in (1, -1, STRIDE, -STRIDE):
            if cells[cell + step] == colour:
                cells[cell + step] = 0
                cells[CELLS + count] = cell + step
                count += 1
    book[SCORE] += (size - 2) * (size - 2)
    book[LEFT] -= size
    book[COLOURS + colour] -= size
    if book[LEFT] == 0:
        book[SCORE] += BONUS

    # Step 2: cells fall.
    emptied = False
    for column in range(low, high + 1):
        bottom = STRIDE * (column + 1)
        to = bottom
        for at in range(bottom, bottom + LONGEST):
            if cells[at] != 0:
                if to != at:
                    cells[to], cells[at] = cells[at], 0
                to += 1
        emptied = emptied or to == bottom

    # Step 3: columns close up to the left. Then everything at their right is another group.
    first, last = max(low - 1, 0), min(high + 1, columns - 1)
    if emptied:
        last = columns - 1
        column = low
        for other in range(low, columns):
            if cells[STRIDE * (other + 1)] != 0:
                if column != other:
                    for row in range(LONGEST):
                        cells[STRIDE * (column + 1) + row] = cells[STRIDE * (other + 1) + row]
                        cells[STRIDE * (other + 1) + row] = 0
                column += 1

    # Step 4: groups near by are looked for anew, others stay.
    kept = 0
    for i in range(book[COUNT]):
        group = book[GROUPS + i]
        if high_of(group) < first or low_of(group) > last:
            book[GROUPS + kept] = group
            kept += 1
    book[COUNT] = kept
    find_groups(keys, cells, book, first, last)


@own.register(SameGame)
def copied(game: SameGame, state: Cells) -> Cells:
    """Copy both arrays."""
    return Cells(state.cells.copy(), state.book.copy())


@advance.register(SameGame)
def taken(game: SameGame, state: Cells, move: int) -> Cells:
    """Take the group away in place."""
    take(game.data.columns, game.data.keys, state.cells, state.book, move)
    return state


@play.register(SameGame)
def after(game: SameGame, state: Cells, move: int) -> Cells:
    """Take the group away on a copy."""
    cells, book = state.cells.copy(), state.book.copy()
    take(game.data.columns, game.data.keys, cells, book, move)
    return Cells(cells, book)


@moves.register(SameGame)
def in_order(game: SameGame, state: Cells, out: Any) -> int:
    """The groups by their first cells: column by column from the left, each from the bottom."""
    book = state.book
    count = int64(book[COUNT])
    for i in range(count):
        move, at = first_of(book[GROUPS + i]), i
        while at > 0 and out[at - 1] > move:
            out[at] = out[at - 1]
            at -= 1
        out[at] = move
    return count


@count_successors.register(SameGame)
def known_count(game: SameGame, state: Cells, scratch: Any) -> int:
    """As many as there are groups."""
    return int64(state.book[COUNT])


@result.register(SameGame)
def score(game: SameGame, state: Cells) -> int:
    """With no group left the game is over and pays the score, less what is left over if that costs points."""
    book = state.book
    if book[COUNT] > 0:
        return int64(ONGOING)
    value = int64(book[SCORE])
    if game.data.penalty:
        for colour in range(1, MOST_COLOURS + 1):
            left = book[COLOURS + colour]
            if left > 0:
                value -= (left - 2) * (left - 2)
    return value


@turn.register(SameGame)
def alone(game: SameGame, state: Cells) -> int:
    """Always the one player's."""
    return int64(1)


@terms.register(SameGame)
def score_so_far(game: SameGame, state: Cells) -> Any:
    """The score, and nobody else's."""
    return int64(state.book[SCORE]), int64(0)


@reward.register(SameGame)
def share_of_good_score(game: SameGame, value: int) -> float:
    """A score as a share of one that is as good as a win."""
    return float(value / game.data.span)


@key.register(SameGame)
def cells_key(game: SameGame, state: Cells) -> Any:
    """All cells and the score."""
    bits = np.uint64(state.book[SCORE] + 1)
    for column in range(game.data.columns):
        word = np.uint64(column + 1)
        for row in range(LONGEST):
            word = (word << np.uint64(4)) | np.uint64(state.cells[STRIDE * (column + 1) + row])
        bits = mixed(bits ^ word)
    return bits


@move_code.register(SameGame)
def cells_removed(game: SameGame, state: Cells, move: int) -> int:
    """The cells that are taken away, and their colour, spread over 32 bits."""
    book = state.book
    for i in range(book[COUNT]):
        if first_of(book[GROUPS + i]) == move:
            return code_of(book[GROUPS + i])
    return int64(0)


# Games that are sampled. One that knows the game leaves the commonest colour alone as long as it can, so that it grows
# together: the strategy called TabuColorRandom.


@helper
def commonest(book: Any) -> int:
    """The colour of which there is most."""
    best = int64(1)
    for colour in range(2, MOST_COLOURS + 1):
        if book[COLOURS + colour] > book[COLOURS + best]:
            best = int64(colour)
    return best


@drawn.register(SameGame)
def any_group(game: SameGame, work: Work, state: Cells, bits: Any) -> int:
    """Any group with the same chance."""
    return first_of(state.book[GROUPS + scaled(bits, int64(state.book[COUNT]))])


@knowing_sample.register(SameGame)
def not_the_commonest(game: SameGame, work: Work, state: Cells) -> int:
    """Any group of another colour than the commonest; of that one, where nothing else is left."""
    book = state.book
    spared = commonest(book)
    others = int64(0)
    for i in range(book[COUNT]):
        others += colour_of(book[GROUPS + i]) != spared
    if others == 0:
        return first_of(book[GROUPS + random_below(work, int64(book[COUNT]))])
    chosen = random_below(work, others)
    i = int64(0)
    while True:
        if colour_of(book[GROUPS + i]) != spared:
            if chosen == 0:
                return first_of(book[GROUPS + i])
            chosen -= 1
        i += 1


@coded_moves.register(SameGame)
def groups_and_codes(game: SameGame, state: Cells, knowing: bool, out: Any, codes: Any) -> int:
    """The groups as they stand in the book. Those that are not of the commonest colour are liked."""
    book = state.book
    spared = commonest(book) if knowing else int64(0)
    for i in range(book[COUNT]):
        group = book[GROUPS + i]
        out[i], codes[i] = first_of(group), code_of(group) & (LIKING - 1)
        if knowing and colour_of(group) != spared:
            codes[i] += LIKING * LIKED
    return int64(book[COUNT])

"""Games of k in a row on a bitboard: all cells are looked at at once.

A board is written with one spare cell at the end of each column (or row), always empty, so that shifting by a step along
a line never wraps round the edge. The four directions are the steps 1, stride, stride + 1 and stride - 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.compiled.bits import EMPTY, ONE, U, bit, lowest, popcount
from engines.compiled.kernel import helper, int64
from engines.rules import ONGOING, WIN, Rules, mixed
from engines.rules_solved import coded, in_layers

LAST = U(63)
"""The last bit of a board."""


class RowStones(NamedTuple):
    """A position of a game of rows: the stones of the side to move and those of the other side."""

    mine: Any
    theirs: Any


@helper
def runs(cells: Any, k: int, step: Any) -> Any:
    """The cells from which k cells in a row, `step` apart, are all in `cells`. The step must not be `too_far`."""
    if 2 <= k <= 4:  # the games most people play: no loop
        pairs = cells & (cells >> step)
        return pairs & (pairs >> (U(k - 2) * step))
    starts, length = cells, 1
    while length < k:
        jump = min(length, k - length)  # doubling: runs of 2, then of 4, ...
        starts &= starts >> (U(jump) * step)
        length += jump
    return starts


@helper
def too_far(k: int, step: Any) -> bool:
    """No board has room for k cells so far apart; and no machine shifts by more than the last bit's number."""
    return U(k - 1) * step > LAST


@helper
def has_run(cells: Any, k: int, stride: Any) -> bool:
    """There are k cells in a row in any of the four directions."""
    if too_far(k, stride + ONE):  # a board longer than wide: not all directions have room for k cells
        return count_runs(cells, k, stride) > 0
    found = runs(cells, k, ONE) | runs(cells, k, stride) | runs(cells, k, stride + ONE) | runs(cells, k, stride - ONE)
    return found != EMPTY


@helper
def direction_step(direction: int, stride: Any) -> Any:
    """The step along one of the four directions, numbered 0 to 3."""
    if direction == 0:
        return ONE
    return stride + U(direction) - U(2)


@helper
def count_runs(cells: Any, k: int, stride: Any) -> int:
    """How many lines of k cells lie wholly inside `cells`."""
    if k == 1:
        return popcount(cells)  # a single cell is one line, not one in each direction
    count = int64(0)
    for direction in range(4):
        step = direction_step(direction, stride)
        if not too_far(k, step):
            count += popcount(runs(cells, k, step))
    return count


@helper
def add_stones(stones: Any, k: int, step: Any) -> tuple[Any, Any, Any]:
    """For every cell at once, how many stones are on the k cells from it on: the ones, the twos, and whether 4 or more.

    The sums are kept in binary, one board for each digit, and added as a machine adds: by exclusive-or and carry.
    """
    if k == 4:  # no loop: add in pairs, then add the pairs
        next_stones = stones >> step
        ones, twos = stones ^ next_stones, stones & next_stones
        ones2, twos2 = ones >> (step + step), twos >> (step + step)
        return ones ^ ones2, twos ^ twos2 ^ (ones & ones2), twos & twos2
    ones = twos = fours = EMPTY
    for i in range(k):
        carry = stones >> (U(i) * step)
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours |= carry
    return ones, twos, fours


@helper
def count_lines(stones: Any, free: Any, k: int, stride: Any) -> tuple[int, int, int]:
    """How many lines of k cells lie inside `free` and hold exactly 1, exactly 2 and exactly 3 of `stones`."""
    with1 = with2 = with3 = int64(0)
    for direction in range(4):
        step = direction_step(direction, stride)
        if too_far(k, step):
            continue
        ones, twos, fours = add_stones(stones, k, step)
        few = runs(free, k, step) & ~fours
        with1 += popcount(few & ones & ~twos)
        with2 += popcount(few & ~ones & twos)
        with3 += popcount(few & ones & twos)
    return with1, with2, with3


# What the games of rows share: `game` has `cells`, `stride` and `k`, and a move is the cell a stone is put on.


@helper
def put(game: Rules, state: RowStones, move: int) -> RowStones:
    """The sides change places, and the mover has one stone more."""
    return RowStones(state.theirs, state.mine | bit(move))


@helper
def row_complete(game: Rules, state: RowStones) -> int:
    """A loss for the side to move if the other has k in a row, a draw if the board is full."""
    if has_run(state.theirs, game.data.k, game.data.stride):
        return int64(-WIN)
    if (state.mine | state.theirs) == game.data.cells:
        return int64(0)
    return int64(ONGOING)


@helper
def complete_or_known(game: Rules, state: RowStones) -> int:
    """What `row_complete` says; where the game goes on, what a table of solved positions knows (`tables`, 0 for none)."""
    value = row_complete(game, state)
    if value != ONGOING or game.data.tables == 0:
        return value
    return in_layers(game.data.tables, popcount(state.mine | state.theirs), coded(game, state))


@helper
def by_parity(game: Rules, state: RowStones) -> int:
    """The first player moves when the number of stones is even."""
    return 1 - 2 * (popcount(state.mine | state.theirs) & 1)


@helper
def sides(game: Rules, state: RowStones) -> tuple[Any, Any]:
    """The first player's stones and the second player's."""
    if by_parity(game, state) > 0:
        return state.mine, state.theirs
    return state.theirs, state.mine


@helper
def stones_key(game: Rules, state: RowStones) -> Any:
    """Where the stones are, whose they are, and so whose turn it is."""
    return mixed(state.mine ^ mixed(state.theirs))


@helper
def write_cells(cells: Any, out: Any) -> int:
    """Write the cells of a board into `out`, lowest first; return how many."""
    count = 0
    while cells != EMPTY:
        out[count] = lowest(cells)
        cells &= cells - ONE
        count += 1
    return count

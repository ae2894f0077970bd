"""What a table of a solved game says of a position, as a byte; and how a kernel looks it up.

Tables are built by `engines.solved`. A kernel finds one through an address, 0 if there is none, of a few words that say
where its arrays are: the field `tables` of a game's record. A game's `result` looks there last, so that every search may
take a position that is in a table for finished; with 0 that is one comparison.
"""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import U
from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64, routine
from engines.compiled.memory import peek
from engines.rules import ONGOING, WIN, Rules, State

NOTHING, DRAW, LOSS, VICTORY = 0, 1, 2, 3
"""Not in the table; a draw; lost or won for the side to move, here and now. Each ply to the end adds 2 to the last two."""
LONGEST = 126
"""No table has a longer way to the end: it would not fit a byte."""
STARTS, LOW, VALUES, BUCKETS, LAYERS = range(5)
"""The words of a table in layers: where its three arrays are, how long a row of the first is, and how many rows it has."""
LOW_BITS = 16


@helper
def byte_at(address: int, index: int) -> int:
    """A byte of an array of bytes, whose memory ends with a whole word."""
    return int64((peek(address, index >> 3) >> U((index & 7) * 8)) & U(0xFF))


@helper
def short_at(address: int, index: int) -> int:
    """One of an array of 16-bit numbers, whose memory ends with a whole word."""
    return int64((peek(address, index >> 2) >> U((index & 3) * 16)) & U(0xFFFF))


@helper
def as_value(code: int) -> int:
    """The value of a table byte for the side to move, as `result` gives it, with the plies to the end taken into account."""
    if code == NOTHING:
        return int64(ONGOING)
    if code == DRAW:
        return int64(0)
    plies = (code - LOSS) >> 1
    return WIN - plies if code & 1 else plies - WIN


@helper
def as_code(value: int) -> int:
    """The byte of a value."""
    if value == 0:
        return int64(DRAW)
    return LOSS + 2 * (WIN - value) + 1 if value > 0 else LOSS + 2 * (WIN + value)


@helper
def behind(value: int) -> int:
    """Turn the value of a position for the side to move into the value for the side that moved there, one ply earlier."""
    return -1 - value if value < 0 else 1 - value if value > 0 else int64(0)


@helper
def place_in_layer(table: int, layer: int, code: Any) -> int:
    """Where in a table in layers a position is, by its code; -1 if it is not there."""
    row, low = layer * int64(peek(table, BUCKETS)) + int64(code >> U(LOW_BITS)), int64(code & U(0xFFFF))
    starts, shorts = int64(peek(table, STARTS)), int64(peek(table, LOW))
    first, last = int64(peek(starts, row)), int64(peek(starts, row + 1))
    while first < last:
        middle = (first + last) >> 1
        if short_at(shorts, middle) < low:
            first = middle + 1
        else:
            last = middle
    if first < int64(peek(starts, row + 1)) and short_at(shorts, first) == low:
        return first
    return int64(-1)


@routine
def in_layers(table: int, layer: int, code: Any) -> int:
    """Look a position up in a table in layers: its value, or `ONGOING` if it is not in the table."""
    if layer >= int64(peek(table, LAYERS)):
        return int64(ONGOING)
    place = place_in_layer(table, layer, code)
    return int64(ONGOING) if place < 0 else as_value(byte_at(int64(peek(table, VALUES)), place))


# What a game tells of its positions, where each move adds a stone, to have them kept in layers.


@generic
def coded(game: Rules, state: State) -> Any:
    """A whole number that stands for a position among those with as many stones; the same for its mirror image, if the game
    takes the two for one."""


@generic
def decoded(game: Rules, code: Any) -> State:
    """The position, or its mirror image, that a code stands for."""


@generic
def twins(game: Rules, code: Any) -> int:
    """How many positions a code stands for."""

"""Where a position of Breakthrough stands in a table of all of them.

Positions with the same white pawns stand together: a block has a byte for each way to put black pawns on the squares that
are left, with White and with Black to move. Of two mirror images only one is kept. In a block, every move of a black pawn
leads to a place further in front; and every other move leads to other white pawns, which have fewer steps left.
"""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import U, gathered
from engines.compiled.kernel import helper, int64, routine
from engines.compiled.memory import peek
from engines.rules_solved import as_value, byte_at

OFFSETS, VALUES, WHITE_SQUARES, BLACK_SQUARES, COLUMNS = range(5)
"""The words of a table: where its two arrays are, the squares where pawns of a game that goes on may be, and the columns."""
NO_BLOCK = -1
"""What stands in place of an offset where there is no block."""


@helper
def mirrored(pawns: Any, columns: int) -> Any:
    """The columns from right to left."""
    pawns = ((pawns >> U(1)) & U(0x5555555555555555)) | ((pawns & U(0x5555555555555555)) << U(1))
    pawns = ((pawns >> U(2)) & U(0x3333333333333333)) | ((pawns & U(0x3333333333333333)) << U(2))
    pawns = ((pawns >> U(4)) & U(0x0F0F0F0F0F0F0F0F)) | ((pawns & U(0x0F0F0F0F0F0F0F0F)) << U(4))
    return pawns >> U(8 - columns)


@helper
def place_of(table: int, white: Any, black: Any, whose: int) -> int:
    """The byte of a position in which the game goes on."""
    squares, black_squares = peek(table, WHITE_SQUARES), peek(table, BLACK_SQUARES)
    offset = int64(peek(int64(peek(table, OFFSETS)), int64(gathered(white, squares))))
    if offset == NO_BLOCK:
        columns = int64(peek(table, COLUMNS))
        white, black = mirrored(white, columns), mirrored(black, columns)
        offset = int64(peek(int64(peek(table, OFFSETS)), int64(gathered(white, squares))))
    return offset + 2 * int64(gathered(black, black_squares & ~white)) + (int64(0) if whose > 0 else int64(1))


@routine
def in_blocks(table: int, white: Any, black: Any, whose: int) -> int:
    """What a table says of a position in which the game goes on."""
    return as_value(byte_at(int64(peek(table, VALUES)), place_of(table, white, black, whose)))

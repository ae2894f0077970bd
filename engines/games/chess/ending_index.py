"""Where a position with few men stands in the table of its ending.

A table has a byte for each place of the two kings (462 of them if the board can be turned and mirrored, 1,806 if pawns leave
only the mirror from side to side), for each square of every other man, White's first, and for each side to move. White is
the stronger side; a position in which Black is stronger is looked up with the colours changed.
"""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import EMPTY, bit, highest, lowest, popcount, upside_down
from engines.compiled.kernel import helper, int64, routine
from engines.compiled.memory import peek
from engines.games.chess.state import Chess, Men, clock, has, king_square, kings, man_at, white_moves
from engines.rules import ONGOING, WIN, WIN_EDGE
from engines.rules_solved import NOTHING, as_value, byte_at

MOST_MEN = 4
FIFTY_MOVES = 100
KINDS = 5
"""Men other than the king."""
STRENGTH = "QRBNP"
"""The pieces from the strongest to the weakest."""
COUNT_BITS = 3
"""Bits for how many there are of each in a signature."""


@helper
def signature(state: Men, first: Any, second: Any) -> int:
    """Which men there are of either side, with `first` as the stronger one."""
    queens = state.diagonal & state.straight
    found = int64(0)
    for side in range(2):
        men = second if side == 0 else first
        found = (found << COUNT_BITS) | popcount(men & state.pawns)
        found = (found << COUNT_BITS) | popcount(men & state.knights)
        found = (found << COUNT_BITS) | popcount(men & state.diagonal & ~queens)
        found = (found << COUNT_BITS) | popcount(men & state.straight & ~queens)
        found = (found << COUNT_BITS) | popcount(men & queens)
    return found


@helper
def changed_colours(state: Men) -> Men:
    """The same position with White and Black changed, seen from the other side."""
    return Men(
        upside_down(state.black),
        upside_down(state.white),
        upside_down(state.pawns),
        upside_down(state.knights),
        upside_down(state.diagonal),
        upside_down(state.straight),
        state.rights,
        state.key,
        state.time ^ (1 << 16),
    )


@helper
def order_of(state: Men, square: int) -> int:
    """White's men first, the strongest of each side first."""
    man = man_at(state, bit(square))
    return (KINDS - man) if has(state.white, square) else 2 * KINDS - man


@helper
def place_of(game: Chess, state: Men, men: int) -> int:
    """The byte of a position in the table of its ending, in which White is the stronger side."""
    white, black = king_square(state, state.white), king_square(state, state.black)
    others = (state.white | state.black) ^ bit(white) ^ bit(black)
    kind = int64(0) if state.pawns == EMPTY else int64(1)
    turn = game.tables.king_turns[kind, white, black]
    first = lowest(others)
    place = game.tables.king_pairs[kind, white, black] * 64
    if men > 3:
        second = highest(others)
        if order_of(state, second) < order_of(state, first):
            first, second = second, first
        place = (place + game.tables.turned[turn, first]) * 64 + game.tables.turned[turn, second]
    else:
        place += game.tables.turned[turn, first]
    return 2 * place + (int64(0) if white_moves(state) else int64(1))


@routine
def byte_of(game: Chess, table: int, state: Men) -> int:
    """What the tables say of a position without castling or en passant rights, as a byte. `table`: the address of a list:
    how many tables, then for each its signature and address."""
    men = popcount(state.white | state.black)
    if men > MOST_MEN or men < 3:
        return int64(NOTHING)
    own, other = signature(state, state.white, state.black), signature(state, state.black, state.white)
    for i in range(int64(peek(table, 0))):
        found = int64(peek(table, 2 * i + 1))
        if found == own:
            return byte_at(int64(peek(table, 2 * i + 2)), place_of(game, state, men))
        if found == other:
            return byte_at(int64(peek(table, 2 * i + 2)), place_of(game, changed_colours(state), men))
    return int64(NOTHING)


@routine
def in_endings(game: Chess, table: int, state: Men) -> int:
    """What the tables say of a position, as a value; `ONGOING` if they do not have it. They do not count the fifty moves: a
    win that may come too late is not told."""
    if state.rights != EMPTY:
        return int64(ONGOING)
    value = as_value(byte_of(game, table, state))
    if value != ONGOING and abs(value) >= WIN_EDGE and clock(state) + WIN - abs(value) > FIFTY_MOVES:
        return int64(ONGOING)
    return value


def ending_name(state: Men) -> str:
    """The men of both sides, the stronger side first: `KRKP`."""
    sides = []
    for men in (state.white, state.black):
        boards = (state.diagonal & state.straight, state.straight, state.diagonal, state.knights, state.pawns)
        left, side = men & ~kings(state), ""
        for letter, found in zip(STRENGTH, boards, strict=True):
            side += letter * popcount(left & found)
            left &= ~found
        sides.append(side)
    return stronger_first(*sides)


def stronger_first(one: str, other: str) -> str:
    """The name of an ending, by the men of either side."""
    first, second = sorted((_sorted(one), _sorted(other)), key=_strength, reverse=True)
    return f"K{first}K{second}"


def _sorted(men: str) -> str:
    return "".join(sorted(men, key=STRENGTH.index))


def _strength(men: str) -> tuple[int, list[int]]:
    return len(men), [-STRENGTH.index(man) for man in men]

"""A chess position as the kernels see it, and the tables they look things up in.

Squares are numbered from a1 = 0 along the rows to h8 = 63. A move is an integer: where from, where to, what kind of move,
which man. A castling move goes "to" the square of the rook, so that it is never mistaken, in Chess960 either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.compiled.bits import EMPTY, U, board, lowest
from engines.compiled.kernel import helper

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
"""The men, in the order of the tables of keys."""

PLAIN, EN_PASSANT, CASTLING, DOUBLE_STEP = 0, 5, 6, 7
"""The kinds of moves. A promotion's kind is the man that the pawn becomes, 1 to 4."""

HISTORY = 512
"""The plies that are remembered: more than any position's clock can look back on, and than a search goes ahead."""

FIRST_ROW, LAST_ROW = board(range(8)), board(range(56, 64))
HOME_ROWS = FIRST_ROW | LAST_ROW
NOT_A_FILE, NOT_H_FILE = ~board(range(0, 64, 8)), ~board(range(7, 64, 8))


class Chess(NamedTuple):
    """The rules. `data`: weights and options; `tables`: attacks and keys, the same for every chess game; `path`: the keys of
    the positions that led to the one being looked at, each search its own."""

    data: Any
    tables: Any
    path: Any


class Men(NamedTuple):
    """A position: who stands where, what may still be done, and how long it has been.

    A queen is on both boards of long-range men, and a king is what is on no other board.
    """

    white: Any
    black: Any
    pawns: Any
    knights: Any
    diagonal: Any
    """Bishops and queens."""
    straight: Any
    """Rooks and queens."""
    rights: Any
    """Rooks that may castle, on the home rows; and the square of an en passant capture, where one is legal."""
    key: Any
    """The same for the same position: men, side to move, rights."""
    time: int
    """65,536 times the plies since the start of the game (White has the even ones), and the plies since a capture or a
    pawn's move."""


@helper
def plies(state: Men) -> int:
    """Plies since the start of the game."""
    return state.time >> 16


@helper
def clock(state: Men) -> int:
    """Plies since the last capture or move of a pawn."""
    return state.time & 0xFFFF


@helper
def white_moves(state: Men) -> bool:
    """It is White's turn."""
    return (state.time >> 16) & 1 == 0


@helper
def kings(state: Men) -> Any:
    """Both kings."""
    return (state.white | state.black) & ~(state.pawns | state.knights | state.diagonal | state.straight)


@helper
def man_at(state: Men, square: Any) -> int:
    """Which man stands on a square, given as a board with that one square."""
    if state.pawns & square != EMPTY:
        return PAWN
    if state.knights & square != EMPTY:
        return KNIGHT
    if state.diagonal & square != EMPTY:
        return QUEEN if state.straight & square != EMPTY else BISHOP
    return ROOK if state.straight & square != EMPTY else KING


# The parts of a move.


@helper
def move_of(man: int, origin: int, target: int, kind: int) -> int:
    """The integer that stands for a move."""
    return origin | (target << 6) | (kind << 12) | (man << 15)


@helper
def origin_of(move: int) -> int:
    """Where from."""
    return move & 63


@helper
def target_of(move: int) -> int:
    """Where to; the rook's square if it is castling."""
    return (move >> 6) & 63


@helper
def kind_of(move: int) -> int:
    """What kind of move."""
    return (move >> 12) & 7


@helper
def man_of(move: int) -> int:
    """Which man moves."""
    return (move >> 15) & 7


@helper
def castled_king(king: int, rook: int) -> int:
    """Where the king stands after castling with this rook: on the g or c file."""
    return (king & 56) + (6 if rook > king else 2)


@helper
def castled_rook(king: int, rook: int) -> int:
    """Where the rook stands after castling: on the f or d file."""
    return (king & 56) + (5 if rook > king else 3)


# Pawns, all at once.


@helper
def ahead(pawns: Any, white: bool) -> Any:
    """The squares one step ahead."""
    return pawns << U(8) if white else pawns >> U(8)


@helper
def ahead_left(pawns: Any, white: bool) -> Any:
    """The squares diagonally ahead towards the a file."""
    return (pawns & NOT_A_FILE) << U(7) if white else (pawns & NOT_A_FILE) >> U(9)


@helper
def ahead_right(pawns: Any, white: bool) -> Any:
    """The squares diagonally ahead towards the h file."""
    return (pawns & NOT_H_FILE) << U(9) if white else (pawns & NOT_H_FILE) >> U(7)


@helper
def king_square(state: Men, side: Any) -> int:
    """Where the king of a side, given by all its men, stands."""
    return lowest(kings(state) & side)


@helper
def has(squares: Any, square: int) -> bool:
    """The board has this square."""
    return (squares >> U(square)) & U(1) != EMPTY

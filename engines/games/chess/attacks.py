"""What every man attacks from every square: tables, and how to look things up in them.

The long-range men use *magic* tables: the men on the lines of a rook or bishop, multiplied by a number found by trial and
shifted right, give the index of the attacked squares. That works on every processor.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from engines.compiled.bits import U, times
from engines.compiled.kernel import helper
from engines.games.chess.state import HISTORY, Chess, Men, kings
from engines.rules import packed
from engines.run.work import scrambled

Steps = tuple[tuple[int, int], ...]
STRAIGHT: Steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL: Steps = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_STEPS: Steps = tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b))
MASK, MAGIC, SHIFT, OFFSET = range(4)
"""The columns of the two magic tables."""


# Building the tables, once in each process.


def step_board(square: int, steps: Steps) -> int:
    """The squares one step away."""
    row, column = divmod(square, 8)
    return sum(1 << (row + a) * 8 + column + b for a, b in steps if 0 <= row + a < 8 and 0 <= column + b < 8)


def ray(square: int, step: tuple[int, int]) -> list[int]:
    """The squares in one direction up to the edge, nearest first."""
    squares = []
    row, column = square // 8 + step[0], square % 8 + step[1]
    while 0 <= row < 8 and 0 <= column < 8:
        squares.append(row * 8 + column)
        row, column = row + step[0], column + step[1]
    return squares


def as_board(squares: Iterable[int]) -> int:
    """A board as a Python integer."""
    return sum(1 << square for square in squares)


def subsets(mask: int) -> Any:
    """Every way to put men on the squares of a mask."""
    found = np.zeros(1, np.uint64)
    for square in range(64):
        if mask >> square & 1:
            found = np.concatenate([found, found | U(1 << square)])
    return found


def magic_table(steps: Steps, magics: list[str], start: int) -> tuple[Any, Any]:
    """For each square: mask, magic number, shift and where its part of the attacks begins; and the attacks."""
    rows = np.zeros((64, 4), np.uint64)
    parts: list[Any] = []
    for square in range(64):
        mask = as_board(cell for step in steps for cell in ray(square, step)[:-1])  # a man on the edge hides nothing
        occupied = subsets(mask)
        attacked = np.zeros(len(occupied), np.uint64)
        for step in steps:
            open_still = np.ones(len(occupied), bool)
            for cell in ray(square, step):
                attacked[open_still] |= U(1 << cell)
                open_still &= occupied & U(1 << cell) == 0
        shift, magic = U(64 - mask.bit_count()), U(int(magics[square], 16))
        index = (occupied * magic) >> shift
        part = np.zeros(len(occupied), np.uint64)
        part[index] = attacked
        if not np.array_equal(part[index], attacked):
            raise ValueError(f"The magic number of square {square} does not work.")
        rows[square] = mask, magic, shift, start + sum(len(part) for part in parts)
        parts.append(part)
    return rows, np.concatenate(parts)


def between_and_line() -> tuple[Any, Any]:
    """For each two squares: those strictly between them, and the whole line through both; empty if there is none."""
    between, line = np.zeros((64, 64), np.uint64), np.zeros((64, 64), np.uint64)
    for square in range(64):
        for step in STRAIGHT + DIAGONAL:
            there, back = ray(square, step), ray(square, (-step[0], -step[1]))
            for i, other in enumerate(there):
                between[square, other] = as_board(there[:i])
                line[square, other] = as_board([*there, *back, square])
    return between, line


def king_pairs() -> dict[str, Any]:
    """What brings the two kings, and with them the board, to one of few standard places by turning and mirroring: for each
    two squares, with all turns (0) and, where there are pawns, with the mirror from side to side alone (1), which turn it
    takes, and the number of the standard place, -1 if the kings touch; and for each turn where each square goes."""
    turned = np.zeros((8, 64), np.int64)
    for turn in range(8):
        for square in range(64):
            row, column = divmod(square, 8)
            column = 7 - column if turn & 1 else column
            row = 7 - row if turn & 2 else row
            turned[turn, square] = column * 8 + row if turn & 4 else row * 8 + column
    pairs, turns = np.full((2, 64, 64), -1, np.int64), np.zeros((2, 64, 64), np.int64)
    for kind, count in enumerate((8, 2)):
        numbers: dict[tuple[int, int], int] = {}
        for one in range(64):
            for other in range(64):
                if max(abs(one // 8 - other // 8), abs(one % 8 - other % 8)) < 2:
                    continue
                *place, turn = min((turned[turn, one], turned[turn, other], turn) for turn in range(count))
                pairs[kind, one, other] = numbers.setdefault((int(place[0]), int(place[1])), len(numbers))
                turns[kind, one, other] = turn
    return {"turned": turned, "king_pairs": pairs, "king_turns": turns}


@cache
def tables() -> Any:
    """All tables in one record."""
    source = resources.files("engines.games.chess") / "magics.toml"
    magics = tomllib.loads(source.read_text(encoding="utf-8"))
    rook, rook_attacks = magic_table(STRAIGHT, magics["rook"], 0)
    bishop, bishop_attacks = magic_table(DIAGONAL, magics["bishop"], len(rook_attacks))
    between, line = between_and_line()
    return packed(
        rook=rook,
        bishop=bishop,
        knight=np.array([step_board(square, KNIGHT_STEPS) for square in range(64)], np.uint64),
        king=np.array([step_board(square, STRAIGHT + DIAGONAL) for square in range(64)], np.uint64),
        white_pawn=np.array([step_board(square, ((1, -1), (1, 1))) for square in range(64)], np.uint64),
        black_pawn=np.array([step_board(square, ((-1, -1), (-1, 1))) for square in range(64)], np.uint64),
        between=between,
        line=line,
        man_keys=np.array([[scrambled(man * 64 + square) for square in range(64)] for man in range(12)], np.uint64),
        right_keys=np.array([scrambled(1000 + square) for square in range(64)], np.uint64),
        turn_key=U(scrambled(2000)),
        attacks=np.concatenate([rook_attacks, bishop_attacks]),
        **king_pairs(),
    )


def new_path() -> Any:
    """Room for the keys of a game and of a search behind it. `first`: the ply of the oldest key; `root`: the ply where the
    search begins: coming back to a position from there on is a draw at once, to an older one at the third time."""
    return packed(keys=np.zeros(HISTORY, np.uint64), first=2**40, root=2**40)


# Looking things up.


@helper
def lines_from(game: Chess, table: Any, square: int, occupied: Any) -> Any:
    """The attacks that a magic table has for a square."""
    index = times(occupied & table[square, MASK], table[square, MAGIC]) >> table[square, SHIFT]
    return game.tables.attacks[index + table[square, OFFSET]]


@helper
def straight_attacks(game: Chess, square: int, occupied: Any) -> Any:
    """What a rook attacks."""
    return lines_from(game, game.tables.rook, square, occupied)


@helper
def diagonal_attacks(game: Chess, square: int, occupied: Any) -> Any:
    """What a bishop attacks."""
    return lines_from(game, game.tables.bishop, square, occupied)


@helper
def pawn_attacks(game: Chess, square: int, white: bool) -> Any:
    """What one pawn attacks."""
    return game.tables.white_pawn[square] if white else game.tables.black_pawn[square]


@helper
def sliders_to(game: Chess, state: Men, square: int, occupied: Any) -> Any:
    """The long-range men of both sides that attack a square, with `occupied` in their way."""
    straight = straight_attacks(game, square, occupied) & state.straight
    return straight | (diagonal_attacks(game, square, occupied) & state.diagonal)


@helper
def attackers(game: Chess, state: Men, square: int, occupied: Any, white: bool) -> Any:
    """The men of one side that attack a square."""
    side = state.white if white else state.black
    near = game.tables.knight[square] & state.knights
    near |= game.tables.king[square] & kings(state)
    near |= pawn_attacks(game, square, not white) & state.pawns
    return (near | sliders_to(game, state, square, occupied)) & side

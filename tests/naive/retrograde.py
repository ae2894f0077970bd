"""An independent oracle for king and one piece against king: every position solved backwards, in numpy.

Arrays are indexed by the squares of the white king, the white piece and the black king. It shares nothing with the tables
or with python-chess.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

NEVER = 255
STEPS = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
DIRECTIONS = {"Q": STEPS, "R": STEPS[:4]}


class Solved(NamedTuple):
    """Plies to mate with White to move and with Black to move; NEVER where there is no win, or no such position."""

    white: Any
    black: Any


def stepped(square: int, step: tuple[int, int]) -> int | None:
    """The square one step on, if it is on the board."""
    column, row = square % 8 + step[0], square // 8 + step[1]
    return row * 8 + column if 0 <= column < 8 and 0 <= row < 8 else None


NEAR = np.zeros((64, 64), bool)
for _square in range(64):
    for _step in STEPS:
        if (_there := stepped(_square, _step)) is not None:
            NEAR[_square, _there] = True


def reach(piece: str) -> Any:
    """Which squares the piece attacks, by the squares of king and piece; the black king hides nothing."""
    attacked = np.zeros((64, 64, 64), bool)
    for king in range(64):
        for square in range(64):
            if piece == "P":
                for step in ((-1, 1), (1, 1)):
                    if (there := stepped(square, step)) is not None:
                        attacked[king, square, there] = True
                continue
            for step in DIRECTIONS[piece]:
                place = stepped(square, step)
                while place is not None:
                    attacked[king, square, place] = True
                    place = None if place == king else stepped(place, step)
    return attacked


@cache
def solve(piece: str) -> Solved:
    """All positions with this white piece: Q, R or P."""
    king, man, black = np.ogrid[:64, :64, :64]
    there = (king != man) & (king != black) & (man != black) & ~NEAR[:, None, :]
    if piece == "P":
        there = there & (man // 8 != 0) & (man // 8 != 7)
    attacked = reach(piece)
    for_white = there & ~attacked  # the side that does not move is not in check
    goes = attacked & (np.arange(64)[None, None, :] != king)
    # Where the black king may go: [king, man, to], from wherever it is. Taking the piece ends all hope.
    free = ~NEAR[:, None, :] & ~attacked & (king != black) & (man != black)
    takes = ~NEAR  # [king, man]: the piece is not protected
    won = Solved(np.full((64, 64, 64), NEVER), np.full((64, 64, 64), NEVER))
    escapes = np.zeros((64, 64, 64), bool)
    for square in range(64):
        near = np.flatnonzero(NEAR[square])
        escapes[:, :, square] = free[:, :, near].any(axis=2) | (takes & NEAR[square][None, :])
    won.black[there & attacked & ~escapes] = 0
    promoted = [solve(other).black for other in "QR"] if piece == "P" else []
    for plies in range(1, 60, 2):
        lost = won.black == plies - 1
        # White moves to a position that Black loses.
        wins = np.zeros((64, 64, 64), bool)
        for square in range(64):
            wins[square] = lost[np.flatnonzero(NEAR[square])].any(axis=0)
            if piece != "P":
                wins[square] |= goes[square].astype(np.int32) @ lost[square].astype(np.int32) > 0
        if piece == "P":
            for square in range(8, 56):
                empty = (np.arange(64)[:, None] != square + 8) & (np.arange(64)[None, :] != square + 8)
                if square >= 48:
                    for other in promoted:
                        wins[:, square] |= empty & (other[:, square + 8] == plies - 1)
                    continue
                wins[:, square] |= empty & lost[:, square + 8]
                if square < 16:
                    far = (np.arange(64)[:, None] != square + 16) & (np.arange(64)[None, :] != square + 16)
                    wins[:, square] |= empty & far & lost[:, square + 16]
        won.white[for_white & wins & (won.white == NEVER)] = plies
        # Black loses where no move leads anywhere else.
        safe = free & (won.white == NEVER)
        saved = np.zeros((64, 64, 64), bool)
        for square in range(64):
            near = np.flatnonzero(NEAR[square])
            saved[:, :, square] = safe[:, :, near].any(axis=2) | (takes & NEAR[square][None, :])
        won.black[there & escapes & ~saved & (won.black == NEVER)] = plies + 1
    return won

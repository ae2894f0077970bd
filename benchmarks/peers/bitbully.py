"""Connect 4 by BitBully, a solver in C++ with Python bindings, used here without an opening book."""

from __future__ import annotations

import importlib.util

NAME = "BitBully 0.0.79"


def is_installed() -> bool:
    """Whether BitBully is installed."""
    return importlib.util.find_spec("bitbully") is not None


def score(columns: str) -> int:
    """The exact score of a 7x6 position for the side to move, with an empty table."""
    from bitbully import bitbully_core

    board = bitbully_core.BoardCore()
    for column in columns:
        if not board.play(int(column) - 1):
            raise ValueError(f"{columns} cannot be played.")
    return int(bitbully_core.BitBullyCore().mtdf(board, 0))

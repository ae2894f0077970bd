"""A solved table that has just been built: its arrays, and its statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Arrays = dict[str, Any]
"""The arrays of a table by their names."""
WORD = 8


@dataclass
class BuiltTable:
    """The arrays and statistics that a builder returns."""

    arrays: Arrays
    positions: int
    """The number of all positions, those where the game is over included."""
    over: int
    """Those where the game is over."""
    kept: int
    """Bytes with a value."""
    by_byte: Any
    """How many positions have each byte (see `engines.rules_solved`)."""
    by_ply: tuple[int, ...] = ()
    """How many positions there are with so many stones."""
    stalemates: int = 0
    """Of a chess ending: positions that are over, and drawn, as there is no move."""


def room(shape: tuple[int, ...], kind: Any) -> Any:
    """An array of zeros in memory that ends with a whole word, so that a kernel may read whole words."""
    kind = np.dtype(kind)
    size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    return np.zeros(size // WORD + 1, np.uint64).view(np.uint8)[:size].view(kind).reshape(shape)


def padded(array: Any) -> Any:
    """A copy of the array in such memory."""
    found = room(array.shape, array.dtype)
    found[...] = array
    return found

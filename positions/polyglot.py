"""Opening books in Polyglot's format: entries of 16 bytes, in the order of their positions' keys."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot
from chess.polyglot import ENTRY_STRUCT, MemoryMappedReader

from engines.contract import InputError, shown

SAMPLES = 64
"""How many keys are looked at to tell whether a file is in order."""


def weights(path: str, board: chess.Board) -> dict[chess.Move, int]:
    """The book's legal moves in a position, the heaviest first; a move that is there twice has both weights."""
    found: dict[chess.Move, int] = {}
    with open_book(path) as book:
        for entry in book.find_all(board, minimum_weight=0):  # leaves out what is illegal: another position's move
            found[entry.move] = found.get(entry.move, 0) + entry.weight
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def size(path: str) -> int:
    """How many entries a book has."""
    with open_book(path) as book:
        return len(book)


@contextlib.contextmanager
def open_book(path: str) -> Iterator[MemoryMappedReader]:
    """A book to read; an InputError if there is none."""
    name = f"The opening book {shown(path, 200)}"
    try:
        found = Path(path).stat()
        problem = _problem(found)
        book = chess.polyglot.open_reader(path) if problem is None else None
    except (FileNotFoundError, ValueError):  # a ValueError: a name that no file can have
        raise InputError(f"{name} does not exist.") from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from None
    if book is None:
        raise InputError(f"{name} {problem}.")
    with book:
        if len(book) * ENTRY_STRUCT.size != found.st_size:  # python-chess takes what it cannot map for an empty book
            raise InputError(f"{name} cannot be read.")
        keys = [book[i].key for i in range(0, len(book), max(len(book) // SAMPLES, 1))]
        if keys != sorted(keys):
            raise InputError(f"{name} is damaged or no Polyglot book: its entries are not in order.")
        yield book


def _problem(found: os.stat_result) -> str | None:
    """Why something cannot be a book, as can be told without reading it."""
    if not stat.S_ISREG(found.st_mode):
        return "is not a file"
    if not found.st_size:
        return "is empty"
    if found.st_size % ENTRY_STRUCT.size:
        return f"is damaged or no Polyglot book: it has a part of an entry ({ENTRY_STRUCT.size} bytes)"
    return None

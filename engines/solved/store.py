"""Files of tables: a head in JSON, then the arrays, packed in pieces with a check sum each.

A file is either whole or not there. It is read piece by piece and in several threads; a piece that is damaged, or a head
that does not fit, is an InputError that names the file.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
from msgspec import Struct

from engines.contract import InputError, Outcome, Setting, shown
from engines.solved.built_table import Arrays, room
from engines.storage.files import data_directory, write_safely

MAGIC = b"plybench solved 1\n"
"""What every file begins with; another number for another form."""
PIECE = 1 << 22
LARGEST_HEAD = 1 << 24
LEVEL = 1
"""The compression level: a higher one takes far longer and saves a tenth."""
SUFFIX = ".table"


class Facts(Struct, frozen=True, kw_only=True):
    """The statistics of a whole table, kept in the head of its file."""

    name: str
    game: str
    size: str
    options: dict[str, Setting]
    positions: int
    """All positions that it is about; images of each other counted as the game tells them apart."""
    over: int
    """Those where the game is over."""
    mates: int | None = None
    stalemates: int | None = None
    """Of a chess ending: how many of those are mates, and how many stalemates; None in files that do not tell."""
    kept: int
    """Those with a byte of their own."""
    won: int
    drawn: int
    lost: int
    """For the side to move, of those that are not over."""
    longest: int
    """Plies of the longest way to a win."""
    by_ply: tuple[int, ...] = ()
    """How many positions there are with so many stones, where moves add stones."""
    start: Outcome | None = None
    """Who wins from the start of the game."""
    start_distance: int | None = None
    memory: int
    """Bytes when it is in use."""
    seconds: float
    """How long it took to make."""
    threads: int


class _ArrayHead(Struct, frozen=True, kw_only=True):
    name: str
    kind: str
    shape: tuple[int, ...]
    pieces: tuple[tuple[int, int], ...]
    """The length of each piece as it is packed, and the check sum of what is in it."""


class _Head(Struct, frozen=True, kw_only=True):
    facts: Facts
    arrays: tuple[_ArrayHead, ...]


def directory() -> Path:
    """Where the tables are; it need not exist."""
    return data_directory() / "tables"


def path_of(name: str) -> Path:
    """The file of a table."""
    return directory() / f"{name}{SUFFIX}"


def listing() -> list[Path]:
    """All files of tables."""
    return sorted(directory().glob(f"*{SUFFIX}"))


def save(facts: Facts, arrays: Arrays, tick: Callable[[], None] = lambda: None) -> int:
    """Write a table, and return how many bytes the file has. `tick` is called for each piece."""
    path = path_of(facts.name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{shown(str(path.parent), 200)} cannot be made: {error.strerror}.") from None
    heads, packed = [], []
    with ThreadPoolExecutor(_threads()) as pool:
        for name, array in arrays.items():
            rows = list(pool.map(_pack, _pieces(array)))
            packed += [piece for piece, _ in rows]
            sums = tuple((len(piece), check) for piece, check in rows)
            heads.append(_ArrayHead(name=name, kind=array.dtype.str, shape=array.shape, pieces=sums))
            tick()
    head = msgspec.json.encode(_Head(facts=facts, arrays=tuple(heads)))
    with write_safely(path) as file:
        file.write(MAGIC + struct.pack("<II", len(head), zlib.crc32(head)) + head)
        for piece in packed:
            file.write(piece)
            tick()
    return path.stat().st_size


def read_facts(path: Path) -> Facts:
    """The head of a file alone."""
    with _opened(path) as file:
        return _read_head(path, file).facts


def load(path: Path) -> tuple[Facts, Arrays]:
    """A whole table, every byte of it checked."""
    with _opened(path) as file:
        head = _read_head(path, file)
        arrays = {one.name: _read_array(path, file, one) for one in head.arrays}
    return head.facts, arrays


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"The table {shown(str(path), 200)} cannot be read: {error.strerror}.") from None


def _read_head(path: Path, file: IO[bytes]) -> _Head:
    try:
        if file.read(len(MAGIC)) != MAGIC:
            raise InputError(f"{shown(str(path), 200)} is not a table of this version of Plybench.")
        length, check = struct.unpack("<II", file.read(8))
        text = file.read(min(length, LARGEST_HEAD))
        if zlib.crc32(text) != check:
            raise _damaged(path)
        return msgspec.json.decode(text, type=_Head)
    except (struct.error, msgspec.DecodeError, OSError):
        raise _damaged(path) from None


def _read_array(path: Path, file: IO[bytes], head: _ArrayHead) -> Any:
    kind = np.dtype(head.kind)
    size = int(np.prod(head.shape, dtype=object)) * kind.itemsize
    if size > PIECE * len(head.pieces) or size < 0:
        raise _damaged(path)
    array = room(head.shape, kind)
    flat = array.reshape(-1).view(np.uint8)

    def unpack(number: int, piece: bytes, check: int) -> None:
        start = number * PIECE
        expected = min(PIECE, size - start)
        found = zlib.decompress(piece, bufsize=expected)
        if len(found) != expected or zlib.crc32(found) != check:
            raise _damaged(path)
        flat[start : start + expected] = np.frombuffer(found, np.uint8)

    try:
        with ThreadPoolExecutor(_threads()) as pool:
            jobs = [
                pool.submit(unpack, number, file.read(length), check) for number, (length, check) in enumerate(head.pieces)
            ]
            for job in jobs:
                job.result()
    except (zlib.error, OSError):
        raise _damaged(path) from None
    return array


def _pieces(array: Any) -> list[Any]:
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return [flat[start : start + PIECE] for start in range(0, len(flat), PIECE)]


def _pack(piece: Any) -> tuple[bytes, int]:
    return zlib.compress(piece, LEVEL), zlib.crc32(piece)


def _damaged(path: Path) -> InputError:
    return InputError(f"The table {shown(str(path), 200)} is damaged; delete it and build it again.")


def _threads() -> int:
    return min(8, os.cpu_count() or 1)

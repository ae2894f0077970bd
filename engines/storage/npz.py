"""Files of arrays (`.npz`), read as untrusted input: what they claim is checked before memory is allocated.

`numpy.load` believes a header and takes as much memory as that asks for, and a few kilobytes may unpack to gigabytes. Here
the names, the kinds and the sizes of all arrays are looked at first, and nothing else is read.
"""

from __future__ import annotations

import ast
import errno
import zipfile
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

Column = np.ndarray[Any, Any]
MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 1_000
BEST_PACKING = 100
"""No column of a search packs better than to one in so many; a file that claims it does is a trap."""
ALWAYS_ALLOWED = 1_000_000
"""Bytes that may be unpacked from a file however small it is."""


class ArchiveError(ValueError):
    """The file does not hold what is asked for; the message says what is wrong, and can stand behind a colon."""


class NoArchiveError(ArchiveError):
    """The file is of another kind altogether."""


def open_archive(file: IO[bytes]) -> Archive:
    """The arrays in a file; an ArchiveError if it is no archive, or would unpack to more than such a file can hold."""
    file.seek(0, 2)
    size = file.tell()
    file.seek(0)
    try:
        packed = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError):
        raise NoArchiveError("it is not an archive of arrays") from None
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        raise ArchiveError("its directory points outside of it") from None
    members = {member.filename.removesuffix(".npy"): member for member in packed.infolist()}
    if len(members) != len(packed.infolist()):
        raise ArchiveError("it has an array twice")
    if sum(member.file_size for member in members.values()) > ALWAYS_ALLOWED + BEST_PACKING * size:
        raise ArchiveError("it would unpack to much more than such a file can hold")
    return Archive(packed, members)


class Archive:
    """The arrays in an open file."""

    def __init__(self, packed: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo]) -> None:
        self._packed, self._members = packed, members

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def read(self, name: str, kind: Any, columns: int = 0, rows: int | None = None) -> Column:
        """One array of whole numbers: a column, or so many columns beside each other, with so many rows if that is known. An
        ArchiveError if it is not there, if its numbers do not fit into the kind that is asked for, or if it is not whole."""
        if name not in self._members:
            raise ArchiveError(f"it has no {name}")
        member = self._members[name]
        try:
            with self._packed.open(member) as entry:
                found, length = self._header(entry, name, columns, rows)
                content = entry.read(length + 1)  # a byte more would be too many; and its checksum is looked at
        except ArchiveError:
            raise
        except Exception:  # noqa: BLE001 - zip and zlib raise what they like at a damaged member
            raise ArchiveError(f"its {name} cannot be unpacked") from None
        if len(content) != length:
            raise ArchiveError(f"its {name} is not as long as it says")
        if not np.can_cast(found, kind, "safe"):
            raise ArchiveError(f"its {name} holds the wrong kind of numbers")
        array = np.frombuffer(content, found).astype(kind)
        return array.reshape(-1, columns) if columns else array

    def _header(self, entry: IO[bytes], name: str, columns: int, rows: int | None) -> tuple[np.dtype[Any], int]:
        """The kind of an array's numbers, and how many bytes follow; the format is numpy's."""
        start = entry.read(len(MAGIC) + 4)
        length = int.from_bytes(start[8:10], "little")
        if start[:6] != MAGIC or start[6:8] != b"\x01\x00" or length > LONGEST_HEADER:
            raise ArchiveError(f"its {name} is not an array")
        try:
            described = ast.literal_eval(entry.read(length).decode("latin-1"))
            kind, shape = np.dtype(described["descr"]), described["shape"]
            in_order = described["fortran_order"] is False or len(shape) == 1
        except Exception:  # noqa: BLE001 - there is anything in the place of a dictionary, or of a kind
            raise ArchiveError(f"its {name} is not an array") from None
        sizes = [one for one in shape if type(one) is int and 0 <= one < 2**40] if isinstance(shape, tuple) else []
        wanted = 2 if columns else 1
        if kind.kind not in "iu" or len(sizes) != wanted or len(shape) != wanted or not in_order:
            raise ArchiveError(f"its {name} is not a column of numbers")
        if columns and sizes[1] != columns:
            raise ArchiveError(f"its {name} has {sizes[1]} columns, not {columns}")
        if rows is not None and sizes[0] != rows:
            raise ArchiveError("its columns differ in length")
        length = kind.itemsize * sizes[0] * (columns or 1)
        if length > self._members[name].file_size:
            raise ArchiveError(f"its {name} is not as long as it says")
        return kind, length

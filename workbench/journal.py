"""A journal of long work: a file with a head and one line for each piece that is done.

A line is on the disk before the next piece begins, so that a kill or a power cut loses no finished piece. A last line that
was not written to its end is dropped. Whoever opens a journal again goes on where it ends, if its head is the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Generic, TypeVar

import msgspec
from msgspec import Struct

from engines.contract import InputError, shown

Head = TypeVar("Head", bound=Struct)


class Journal(Generic[Head]):
    """An open journal; nobody else can open it meanwhile."""

    def __init__(self, path: Path, head: Head) -> None:
        self.path, self.head = path, head
        self.lines: list[bytes] = []
        """The pieces that were there when it was opened."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("a+b")
        except OSError as error:
            raise InputError(f"The journal {shown(str(path), 120)} cannot be written: {error.strerror}.") from None
        try:
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal[Head]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, piece: Struct) -> None:
        """Write a piece, and have it on the disk."""
        try:
            self._file.write(msgspec.json.encode(piece) + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise InputError(f"The journal {shown(str(self.path), 120)} cannot be written: {error.strerror}.") from None

    def remove(self) -> None:
        """The work is done and kept elsewhere."""
        self._file.close()
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _lock(self) -> None:
        """An InputError if somebody else has it open."""
        try:
            import fcntl
        except ImportError:  # this system has no such locks
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"Somebody else works with the journal {shown(str(self.path), 120)} just now.") from None

    def _read(self) -> None:
        """Take what is there, and write the head if nothing is."""
        self._file.seek(0)
        content = self._file.read()
        whole, _, torn = content.rpartition(b"\n")
        if torn:
            self._file.truncate(len(content) - len(torn))
        lines = whole.split(b"\n") if whole else []
        if not lines:
            self.add(self.head)
            return
        name = shown(str(self.path), 120)
        try:
            found = msgspec.json.decode(lines[0], type=type(self.head))
        except msgspec.DecodeError:
            raise InputError(f"{name} is not a journal of this kind of work.") from None
        for field in self.head.__struct_fields__:
            if getattr(found, field) != getattr(self.head, field):
                raise InputError(f"The journal {name} is of other work: its {field.replace('_', ' ')} is not the same.")
        self.lines = lines[1:]


def fingerprint(head: Struct) -> str:
    """A name for work: the same one for the same work."""
    return hashlib.sha256(msgspec.json.encode(head)).hexdigest()[:24]

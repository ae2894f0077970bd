"""A journal of long work: a file with a head and one line for each piece that is done.

A line is its number, a checksum and the piece as JSON. It is on the disk before the next piece begins, so that a kill or a
power cut loses no finished piece. The checksum covers the line and the checksum of the line before: a line that was changed,
lost, doubled or taken from another journal is noticed. An incomplete last line is dropped, and its piece is done again;
damage anywhere else is an error. A journal that is opened again is continued at its end, if its head is the same. Lines of
version 0.1 have neither number nor checksum; they are accepted as they are, before the first line that has them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Generic, Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec import Struct

from engines.contract import InputError, shown
from engines.storage.disk import flush_names
from engines.storage.files import data_directory

Head = TypeVar("Head", bound=Struct)
Piece = TypeVar("Piece", bound=Struct)
Known = TypeVar("Known", bound=Struct)

DIGEST_BYTES = 12
SEALED = re.compile(rb"([1-9][0-9]{0,17}) ([0-9a-f]{%d}) (.*)" % (2 * DIGEST_BYTES), re.DOTALL)
"""A line with its number and its checksum."""
UNSEALED = b"{"
"""The first character of a line without them."""


@runtime_checkable
class WrittenEarlier(Protocol):
    """A head that may have been written by an older version, which knew less of the same work."""

    def as_now(self) -> WrittenEarlier:
        """The same head, with what is said of such work today."""
        ...


class Journal(Generic[Head]):
    """An open journal, locked against other processes."""

    def __init__(self, path: Path, head: Head) -> None:
        self.path, self.head = path, head
        self.lines: list[bytes] = []
        """The pieces that were there when it was opened, as JSON; the first is on line 2 of the file."""
        self._place, self._digest = 0, b""
        """How many lines there are, and the checksum of the last."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("a+b", buffering=0)  # a write that failed must not be repeated on closing
        except OSError as error:
            raise InputError(f"The journal {self._name} cannot be written: {error.strerror}.") from None
        try:
            if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                raise InputError(f"The journal {self._name} is not a file.")
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal[Head]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def pieces(self, *kinds: type[Piece]) -> Iterator[tuple[int, Piece]]:
        """What was there when it was opened: each piece as the first of the kinds that it fits, with the number of its line.
        An InputError at one that fits none; `damage` says the same of a piece that fits but cannot be."""
        for number, line in enumerate(self.lines, 2):
            fitting = (piece for kind in kinds if (piece := decoded(line, kind)) is not None)
            piece = next(fitting, None)
            if piece is None:
                raise self.damage(number)
            yield number, piece

    def damage(self, number: int) -> InputError:
        """The error to raise where the content of a line is not possible."""
        advice = "Cut it off before that line to continue from there, or remove it to begin anew."
        return InputError(
            f"The journal {self._name} is damaged in line {number}. {advice if number > 1 else 'Remove it to begin anew.'}"
        )

    def add(self, piece: Struct) -> None:
        """Write a piece, and wait until it is on the disk."""
        body = msgspec.json.encode(piece)
        place, digest = self._place + 1, _digest(self._digest, self._place + 1, body)
        line = b"%d %s %s\n" % (place, digest.hex().encode(), body)
        before = None
        try:
            before = self._file.seek(0, os.SEEK_END)
            written = 0
            while written < len(line):
                written += self._file.write(line[written:])
            os.fsync(self._file.fileno())
        except OSError as error:
            if before is not None:
                with contextlib.suppress(OSError):  # if that fails too, the next reader drops the incomplete line
                    self._file.truncate(before)
            raise InputError(f"The journal {self._name} cannot be written: {error.strerror}.") from None
        self._place, self._digest = place, digest

    def remove(self) -> None:
        """Delete the journal, because the work is done and its result kept elsewhere."""
        with contextlib.suppress(OSError):  # some systems cannot delete an open file
            self.path.unlink()
        self._file.close()
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    @property
    def _name(self) -> str:
        return shown(str(self.path), 120)

    def _lock(self) -> None:
        """Lock the journal. Raises InputError if another process has it open."""
        try:
            import fcntl
        except ImportError:  # this system has no such locks
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"Another program is using the journal {self._name} just now.") from None

    def _read(self) -> None:
        """Read the existing pieces, or write the head if the file is empty. A file that is no journal is left unchanged."""
        try:
            self._file.seek(0)
            content = self._file.read()
        except OSError as error:
            raise InputError(f"The journal {self._name} cannot be read: {error.strerror}.") from None
        *lines, torn = content.split(b"\n")
        if not lines:
            self._begin(torn)
            return
        bodies, sealed, end = list[bytes](), False, 0
        for number, line in enumerate(lines, 1):
            body = self._opened(line, sealed)
            if body is None and number == len(lines) > 1:
                break  # it is incomplete, although more than its end is missing
            if body is None:
                raise self.damage(number) if number > 1 or SEALED.fullmatch(line) else self._not_one()
            if number == 1:
                self._compare(body)
            sealed = sealed or body is not line
            bodies.append(body)
            end += len(line) + 1
        if end < len(content):
            self._file.truncate(end)
        self.lines = bodies[1:]

    def _begin(self, torn: bytes) -> None:
        """Write the head into an empty file, or in place of an incomplete one."""
        body = msgspec.json.encode(self.head)
        whole = b"1 %s %s" % (_digest(b"", 1, body).hex().encode(), body)
        if not (whole.startswith(torn) or body.startswith(torn)):
            raise self._not_one()
        self._file.truncate(0)
        self.add(self.head)
        flush_names(self.path.parent)

    def _opened(self, line: bytes, sealed: bool) -> bytes | None:
        """The piece on the next line; None if it is not what was written. A line without a checksum, which is returned as it
        is, may only stand before all that have one."""
        if not sealed and line.startswith(UNSEALED):
            self._place += 1
            self._digest = _digest(self._digest, self._place, line)
            return line
        found = SEALED.fullmatch(line)
        if found is None:
            return None
        place, digest, body = int(found[1]), bytes.fromhex(found[2].decode()), found[3]
        if place != self._place + 1 or digest != _digest(self._digest, place, body):
            return None
        self._place, self._digest = place, digest
        return body

    def _compare(self, body: bytes) -> None:
        """Raise InputError if this is the head of other work."""
        found = decoded(body, type(self.head))
        if found is None:
            raise self._not_one()
        now = found.as_now() if isinstance(found, WrittenEarlier) else found
        for field in self.head.__struct_fields__:
            if getattr(now, field) != getattr(self.head, field):
                raise InputError(
                    f"The journal {self._name} belongs to other work: its {field.replace('_', ' ')} is not the same."
                )

    def _not_one(self) -> InputError:
        return InputError(f"{self._name} is not a journal for this kind of work.")


def decoded(body: bytes, kind: type[Piece]) -> Piece | None:
    """JSON as a piece of this kind, or None if it is none: whatever else is in it."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


class JournaledWork(Protocol[Known]):
    """Work in pieces that can be continued from its journal."""

    @property
    def head(self) -> Known:
        """Everything that determines the result: two runs with the same head do the same work."""

    def resume(self, journal: Journal[Known]) -> None:
        """Take over the pieces that a journal contains."""


@contextlib.contextmanager
def taken_up(
    work: JournaledWork[Head], folder: str, named: Path | None, done: Callable[[], bool], ending: str = ".journal"
) -> Iterator[Journal[Head]]:
    """The journal of some work, which has taken what is in it. It is the one that the user named; else one in a folder of
    the data directory, named after the work, which is removed in the end if all is done."""
    with Journal(named or data_directory() / folder / f"{fingerprint(work.head)}{ending}", work.head) as journal:
        work.resume(journal)
        yield journal
        if named is None and done():
            journal.remove()


def fingerprint(head: Struct) -> str:
    """A name for work, the same for equal heads."""
    return digest_of(head)[:24]


def digest_of(content: object) -> str:
    """A digest that stands for content in the head of a journal: it differs where the content does."""
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()


def _digest(before: bytes, place: int, body: bytes) -> bytes:
    return hashlib.blake2b(b"%s %d " % (before, place) + body, digest_size=DIGEST_BYTES).digest()

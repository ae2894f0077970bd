"""Sessions handed over: packed into one file with their tapes, and taken in from one."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from engines.contract import InputError, shown
from engines.storage.files import write_safely
from workbench.portable import archive
from workbench.portable.archive import SUFFIX, PortableArchive, PortableFile
from workbench.render.values import counted
from workbench.sessions import codec, store, tapes
from workbench.sessions.model import Session


class Packed(Struct, frozen=True, kw_only=True):
    """What came of packing a session."""

    name: str
    file: Path
    tapes: int
    missing: int
    """Tapes that the session names and that are not there."""

    @property
    def sentence(self) -> str:
        """What is in the file, and what to do with it."""
        what = f"with {counted(self.tapes, 'recorded tree')} " if self.tapes else ""
        lost = f" {counted(self.missing, 'recorded tree')} of it could not be found." if self.missing else ""
        hint = f" plybench open {shlex.quote(self.file.name)} shows it."
        return f"{shown(self.name)} is packed {what}into {self.file}.{lost}{hint}"


class Imported(Struct, frozen=True, kw_only=True):
    """What came of taking a session in."""

    name: str
    file: Path
    """Its place among the sessions."""
    original: str
    """The name that it had; another one if that was taken."""
    was_here: bool = False
    """It had been taken in before, and has not changed since: nothing was written."""
    studies: int
    searches: int
    tapes: int

    @property
    def sentence(self) -> str:
        """What was done."""
        if self.was_here:
            return f"{shown(self.name)} is already among your sessions."
        other = f" as {shown(self.name)}, because there is another {shown(self.original)}" if self._renamed else ""
        parts = [counted(self.studies, "position"), counted(self.searches, "search")]
        parts += [counted(self.tapes, "recorded tree")] if self.tapes else []
        return f"{shown(self.original)} is now among your sessions{other}: {', '.join(parts)}."

    @property
    def _renamed(self) -> bool:
        return self.name != self.original


def pack(session: Path, target: Path) -> Packed:
    """Pack a saved session, and what is recorded of it, into one file."""
    content = store.content(session)
    found = codec.read(content, session.name)
    names = tapes.named_by(found)
    there = {name: file for name in names if (file := _found(name, session)) is not None}
    try:
        archive.write(target, found.name, content, there)
    except OSError as error:
        raise InputError(f"{shown(found.name)} cannot be packed: {error.strerror}.") from None
    return Packed(name=found.name, file=target, tapes=len(there), missing=len(names) - len(there))


def _found(name: str, session: Path) -> Path | None:
    with contextlib.suppress(InputError, OSError):  # it is no name of a tape
        path = tapes.path_of(name, session)
        return path if path.is_file() else None
    return None


def read(path: Path) -> Session:
    """The session in a portable file, which is not taken in."""
    with archive.reading(path) as packed:
        return _session(packed)


def _session(packed: PortableArchive) -> Session:
    for name in packed.files:
        if not tapes.is_name(name):
            raise InputError(f"{packed.where} has a file {shown(name, 60)}, which Plybench did not write.")
    return codec.read(packed.session(), packed.name)


def take_in(path: Path) -> Imported:
    """Put the session of a file, portable or not, among the others: under a name of its own, and wholly or not at all."""
    if not archive.is_portable(path):
        return _copied(path)
    with archive.reading(path) as packed:
        session = _session(packed)
        original = session.name
        for file in packed.files.values():  # everything is read once before anything is written
            for _ in packed.content(file):
                pass
        written: list[Path] = []
        try:
            for file in packed.files.values():
                _place(packed, file, session, written)
            known = _same(session)
            if known is None:
                session.rename(store.free_name(session.name))
                place = store.create(session)
        except BaseException:
            for tape in written:
                tape.unlink(missing_ok=True)
            raise
    if known is not None:
        session, place = known
    return _told(session, place, original, len(packed.files), known is not None)


def _copied(path: Path) -> Imported:
    """Take in a session as it is saved, with the tapes that are beside it."""
    session = store.read(path)
    original, (known, place) = session.name, _same(session) or (None, None)
    if place is None:
        session.rename(store.free_name(original))
        place = store.create(session)
        tapes.copy(session, path, place)
    return _told(known or session, place, original, len(tapes.named_by(session)), known is not None)


def _told(session: Session, place: Path, original: str, recorded: int, was_here: bool) -> Imported:
    return Imported(
        name=session.name,
        file=place,
        original=original,
        was_here=was_here,
        studies=len(session.studies),
        searches=sum(len(study.searches) for study in session.studies),
        tapes=recorded,
    )


def _place(packed: PortableArchive, file: PortableFile, session: Session, written: list[Path]) -> None:
    """Write a tape where sessions look for it. If another one has its name it gets a new one, which its searches learn."""
    name = file.path
    target = tapes.path_of(name, store.directory() / "any")
    if target.exists():
        if _is(target, packed.content(file)):
            return
        name = tapes.new_name()
        target = tapes.path_of(name, store.directory() / "any")
    tapes.make_folder(target)
    with write_safely(target) as stream:
        for chunk in packed.content(file):
            stream.write(chunk)
    written.append(target)
    if name != file.path:
        for study in session.studies:
            for kept in list(study.searches):
                if kept.tape == file.path:
                    study.attach(kept, name)


def _is(path: Path, chunks: Iterable[bytes]) -> bool:
    """Whether a file has this content."""
    try:
        with path.open("rb") as stream:
            return all(stream.read(len(chunk)) == chunk for chunk in chunks) and not stream.read(1)
    except OSError:
        return False


def _same(session: Session) -> tuple[Session, Path] | None:
    """The session that was taken in from the same file before and is still as it was then, and its place."""
    saved = session.saved()
    for row in store.listing():
        if row.changed != saved.changed or row.error or row.studies != len(saved.studies):
            continue
        with contextlib.suppress(InputError):
            here = store.read(row.path)
            if replace(here.saved(), name=saved.name) == saved:
                return here, row.path
    return None


def target_for(name: str, folder: Path) -> Path:
    """A file in a folder for a session of this name, that does not exist yet."""
    return next(file for file in _names(name, folder) if not file.exists())


def _names(name: str, folder: Path) -> Iterator[Path]:
    stem = store.safe_stem(name)
    yield folder / f"{stem}{SUFFIX}"
    number = 1
    while True:
        number += 1
        yield folder / f"{stem} {number}{SUFFIX}"

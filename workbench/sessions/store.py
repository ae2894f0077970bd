"""Where sessions are kept: a folder of files in the user's data directory, with a trash folder inside.

`PLYBENCH_DATA` names another data directory. A file is either whole or not there, and one that cannot be read is left as it
is. A deleted session can be brought back for 30 days. Beside a session, `.bak` is what it was before it was last opened.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from msgspec import Struct

from engines.contract import InputError, instead, shown
from engines.position import Position
from engines.storage.disk import flush_names
from engines.storage.files import data_directory as data_directory
from engines.storage.files import write_safely
from workbench.sessions import codec as session_file
from workbench.sessions import tapes
from workbench.sessions.checks import check_moment
from workbench.sessions.model import Session, readable_name
from workbench.sessions.types import FORMAT, Moment, SavedSession

SUFFIX = ".plybench.json"
BACKUP = ".bak"
LARGEST_FILE = 500_000_000
LONGEST_STEM = 120
"""Bytes of a file's name without its suffix: room is left for what is put around it."""
KEPT_IN_TRASH = timedelta(days=30)
STALE = 3600.0
"""Seconds after which a temporary file of a killed process may be removed."""
_STAMP = "%Y%m%dT%H%M%S%f"
_RESERVED = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}


class SessionRow(Struct, frozen=True, kw_only=True):
    """A session in a list."""

    name: str
    path: Path
    games: tuple[str, ...] = ()
    """The games of its studies, each once."""
    changed: Moment
    studies: int = 0
    searches: int = 0
    error: str = ""
    """Why it cannot be opened; empty if it can."""


class _StudySummary(Struct):
    game: str
    searches: list[msgspec.Raw] = []


class _Summary(Struct):
    format: str
    name: str
    changed: Moment
    studies: list[_StudySummary]


# Where they are.


def directory() -> Path:
    """The folder with the sessions, which need not exist."""
    return data_directory() / "sessions"


def trash_directory() -> Path:
    """The folder with the deleted ones."""
    return directory() / "trash"


def listing() -> list[SessionRow]:
    """All sessions, the one that was changed last first; damaged ones say why they cannot be opened."""
    rows = [summary(path) for path in _files(directory())]
    return sorted(rows, key=lambda row: (row.changed, row.name), reverse=True)


def summary(path: Path) -> SessionRow:
    """What a list says about a session: its searches are counted, but not read."""
    changed = datetime.fromtimestamp(0, UTC)
    try:
        changed = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
        found = msgspec.json.decode(content(path), type=_Summary)
        name = readable_name(found.name)
        check_moment(found.changed)
    except (InputError, OSError, *session_file.UNREADABLE):
        found = None
    if found is None or found.format != FORMAT:
        return SessionRow(name=_stem(path), path=path, changed=changed, error=_complaint(path))
    games = tuple(dict.fromkeys(study.game for study in found.studies))
    searches = sum(len(study.searches) for study in found.studies)
    return SessionRow(
        name=name, path=path, games=games, changed=found.changed, studies=len(found.studies), searches=searches
    )


def find(text: str) -> Path:
    """The file of the session that the user named, by its name or by its file; an InputError if there is none."""
    rows = listing()
    for same in (str, str.casefold):
        for row in rows:
            if same(row.name) == same(text):
                return row.path
    path = Path(text)
    with contextlib.suppress(OSError, ValueError):  # it cannot be the name of a file: too long, for one
        if path.is_file():
            return path.absolute()
    hint = instead(text, [shown(row.name) for row in rows], "plybench session list")
    raise InputError(f"There is no session {shown(text, 80)}, and no file of that name.{hint}")


# Reading and writing.


def read(path: Path) -> Session:
    """The session in a file; an InputError if it cannot be read, which names the version before if there is one."""
    try:
        return session_file.read(content(path), path.name)
    except InputError as error:
        before = backup_of(path)
        hint = f" The version before is in {shown(str(before), 120)}." if before.is_file() else ""
        raise InputError(f"{error}{hint}") from None


def write(saved: SavedSession, path: Path) -> None:
    """Write a session so that its file is whole at every moment, and on the disk when this returns."""
    written = session_file.text_of(saved)
    _make(path.parent)
    with write_safely(path) as file:
        file.write(written)
    flush_names(path.resolve().parent)


def keep_version(path: Path) -> None:
    """Keep what is in a session's file now as the version before."""
    if not path.is_file():
        return
    new = path.with_name(f".{path.name}.{os.getpid()}{BACKUP}")
    try:
        new.unlink(missing_ok=True)
        try:
            os.link(path, new)  # a save puts a new file in the place of the old one, which lives on under this name
        except OSError:
            shutil.copy2(path, new)
        new.replace(backup_of(path))
    except OSError as error:
        raise InputError(f"{shown(str(backup_of(path)), 120)} cannot be written: {error.strerror}.") from None


def backup_of(path: Path) -> Path:
    """The file with the version before."""
    return path.with_name(path.name + BACKUP)


def create(session: Session) -> Path:
    """Put a new session among the others; an InputError if there is one of its name."""
    purge()
    _check_free(session.name)
    path = free_path(directory(), session.name)
    write(session.saved(), path)
    return path


def keep_in(name: str, position: Position, keep: Callable[[Session], object]) -> Path:
    """Let `keep` put something into the session of this name, or into a new one that begins with the position, and write
    it."""
    path = next((row.path for row in listing() if row.name.casefold() == name.casefold()), None)
    session = Session.new(name, position) if path is None else read(path)
    keep(session)
    if path is None:
        return create(session)
    write(session.saved(), path)
    return path


def recover(path: Path) -> Path:
    """Put the version before of a session among the others, under a name of its own; the session stays as it is."""
    before = read(backup_of(path))
    before.rename(free_name(f"{before.name[:100]} recovered"))
    return create(before)


def duplicate(path: Path, name: str | None = None) -> Path:
    """Put a copy of a session among the others."""
    copy = read(path)
    copy.rename(name or free_name(f"{copy.name[:100]} copy"))
    created = create(copy)
    tapes.copy(copy, path, created)
    return created


def rename(path: Path, name: str) -> Path:
    """Give a session another name, and its file too. One that is open is renamed by `Autosave.rename`."""
    session = read(path)
    session.rename(name)
    return move(session, path)


def move(session: Session, path: Path) -> Path:
    """Save a session that has a new name in a file of that name, and take the old file away."""
    _check_free(session.name, path)
    stem = safe_stem(session.name)
    target = path if stem == _stem(path) else free_path(path.parent, session.name)
    write(session.saved(), target)
    if target != path:
        with contextlib.suppress(OSError):  # then there are two, and nothing is lost
            path.unlink(missing_ok=True)
            if backup_of(path).exists():
                backup_of(path).replace(backup_of(target))
    return target


# The trash.


def delete(path: Path) -> Path:
    """Move a session to the trash, whatever state it is in. Gives its new place, for `restore`."""
    purge()
    _make(trash_directory())
    target = trash_directory() / f"{datetime.now(UTC).strftime(_STAMP)} {path.name}"
    try:
        path.replace(target)
        if backup_of(path).exists():
            backup_of(path).replace(backup_of(target))
    except OSError as error:
        raise InputError(f"{shown(str(path), 120)} cannot be deleted: {error.strerror}.") from None
    flush_names(path.resolve().parent)
    return target


def restore(deleted: Path) -> Path:
    """Bring a session back from the trash. Gives its place, which is a new one if another has taken the old."""
    _, _, name = deleted.name.partition(" ")
    target = free_path(directory(), name.removesuffix(SUFFIX))
    try:
        deleted.replace(target)
        if backup_of(deleted).exists():
            backup_of(deleted).replace(backup_of(target))
    except OSError as error:
        raise InputError(f"{shown(str(deleted), 120)} cannot be brought back: {error.strerror}.") from None
    flush_names(target.parent)
    return target


def trash() -> list[SessionRow]:
    """The deleted sessions, the last one first."""
    return [summary(path) for path in sorted(_files(trash_directory()), reverse=True)]


def purge() -> None:
    """Remove for good what was deleted long ago, and what killed processes were writing."""
    oldest = (datetime.now(UTC) - KEPT_IN_TRASH).strftime(_STAMP)
    with contextlib.suppress(OSError):  # another process tidies up at the same time
        for path in trash_directory().glob(f"* *{SUFFIX}*"):
            if re.match(r"\d{8}T\d{12} ", path.name) and path.name < oldest:
                path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        for path in directory().glob(f".*{SUFFIX}.*"):
            if path.stat().st_mtime < time.time() - STALE:
                path.unlink(missing_ok=True)
    _purge_tapes()


def _purge_tapes() -> None:
    """Remove tapes that no session names, not even a deleted one or a version before; none if one cannot be read."""

    def contents() -> Iterator[bytes]:
        for folder in (directory(), trash_directory()):
            for path in folder.glob(f"*{SUFFIX}*"):
                yield path.read_bytes()

    tapes.purge(directory(), contents(), KEPT_IN_TRASH.total_seconds())


# Names.


def free_name(name: str) -> str:
    """This name, or the same with a number behind it if a session has it."""
    taken = {row.name.casefold() for row in listing()}
    number, found = 1, readable_name(name)
    while found.casefold() in taken:
        number += 1
        found = f"{readable_name(name)} {number}"
    return found


def safe_stem(name: str) -> str:
    """A name as every system can have it for a file."""
    text = unicodedata.normalize("NFC", name)
    text = "".join("-" if letter in '<>:"/\\|?*' or not letter.isprintable() else letter for letter in text)
    text = text.encode(errors="replace")[:LONGEST_STEM].decode(errors="ignore").strip(". ")
    if not text or text.split(".")[0].lower() in _RESERVED:
        text = f"session {text}".strip()
    return text


def _check_free(name: str, own: Path | None = None) -> None:
    for row in listing():
        if row.name.casefold() == name.casefold() and row.path != own:
            raise InputError(f"There is a session {shown(row.name)} already.")


def free_path(folder: Path, name: str) -> Path:
    """A file for a session of this name that does not exist yet."""
    taken = {path.name.casefold() for path in _files(folder)}
    number, stem = 1, safe_stem(name)
    while f"{stem}{SUFFIX}".casefold() in taken:
        number += 1
        stem = f"{safe_stem(name)} {number}"
    return folder / f"{stem}{SUFFIX}"


def _stem(path: Path) -> str:
    return path.name.removesuffix(BACKUP).removesuffix(SUFFIX)


# The disk.


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.name.endswith(SUFFIX) and not path.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise InputError(f"The folder {shown(str(folder), 120)} cannot be read: {error.strerror}.") from None


def content(path: Path) -> bytes:
    """What is in a session's file; an InputError if that cannot be read, or is too much."""
    name = shown(str(path), 120)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{name} is larger than {LARGEST_FILE // 1_000_000} MB, which is too large to read.")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from None


def _complaint(path: Path) -> str:
    """Why a session cannot be opened."""
    try:
        read(path)
    except InputError as error:
        return str(error)
    return ""


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {shown(str(folder), 120)} cannot be made: {error.strerror}.") from None

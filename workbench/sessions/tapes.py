"""The tapes of a session's recorded searches: files in a folder beside it, which its searches name.

A tape is written once and never changed, so that copies of a session share it, and a deleted session that is brought back
still has it. What no session names any more, not even a deleted one, is removed after some time. The app records at most
`desk.TAPE_NODES` nodes of a search, the first ones: about ten megabytes in a file.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engines.contract import InputError, Report, shown
from engines.storage.disk import flush_names
from workbench.render.values import counted

if TYPE_CHECKING:
    from engines.tape.recording import Recording
    from workbench.sessions.model import Session
    from workbench.sessions.types import KeptSearch

FOLDER, SUFFIX = "tapes", ".tape"
_NAME = re.compile(rf"{FOLDER}/[A-Za-z0-9-]{{1,80}}\{SUFFIX}")


def write(recording: Recording, session: Path) -> str:
    """Write a tape beside a session's file. Gives its name, as the session has it; an InputError if that fails."""
    name = new_name()
    path = session.parent / name
    make_folder(path)
    recording.save(path)
    flush_names(path.parent)
    return name


def new_name() -> str:
    """A name that no tape has."""
    return f"{FOLDER}/{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}{SUFFIX}"


def make_folder(path: Path) -> None:
    """Make the folder for a tape, if it is not there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {shown(str(path.parent), 120)} cannot be made: {error.strerror}.") from None


def named_by(session: Session) -> list[str]:
    """The tapes that a session names, each once."""
    return list(dict.fromkeys(kept.tape for study in session.studies for kept in study.searches if kept.tape))


def is_name(name: str) -> bool:
    """Whether this is how a session names a tape: it never leads elsewhere."""
    return _NAME.fullmatch(name) is not None


def path_of(name: str, session: Path) -> Path:
    """The file of a tape that a session names; an InputError if that is no name of a tape: it never leads elsewhere."""
    if not is_name(name):
        raise InputError(f"{shown(name)} is not how a session names a tape.")
    return session.parent / name


def read(kept: KeptSearch, session: Path) -> Recording:
    """The recorded nodes of a kept search; an InputError if they are not there, damaged, or those of another search."""
    from engines.tape.recording import Recording

    path = path_of(kept.tape or "", session)
    if not path.is_file():
        raise InputError(f"The tape of this search, {shown(str(path), 120)}, no longer exists.")
    recording = Recording.load(path)
    if not is_same(recording.report, kept.report):
        raise InputError(f"The tape {shown(str(path), 120)} belongs to another search.")
    return recording


def is_same(one: Report, other: Report) -> bool:
    """Whether two reports are of the same run of a search."""
    return (one.position, one.algorithm, one.parameters, one.limit, one.nodes, one.value) == (
        other.position,
        other.algorithm,
        other.parameters,
        other.limit,
        other.nodes,
        other.value,
    )


def problem(kept: KeptSearch, session: Path) -> str:
    """What is wrong with a kept search's tape as a whole, in a sentence; empty if nothing is, or if it has none."""
    if kept.tape is None:
        return ""
    try:
        faults = read(kept, session).faults()
    except InputError as error:
        return str(error)
    return f"The tape has {counted(faults, 'node')} with a value that does not follow from the children." if faults else ""


def remark(kept: KeptSearch, session: Path | None) -> str:
    """What a list says of a kept search's tape, by a look at the folder alone; empty if it has none."""
    if kept.tape is None:
        return ""
    nodes = counted(kept.report.tape_nodes, "node") if kept.report.tape_nodes is not None else "its nodes"
    if session is None:
        return f"{nodes} recorded in {kept.tape}"
    try:
        there = path_of(kept.tape, session).is_file()
    except InputError as error:
        return str(error)
    return f"{nodes} recorded in {kept.tape}" + ("" if there else ", which no longer exists")


def copy(session: Session, source: Path, target: Path) -> None:
    """Have the tapes of a session that comes from another folder in this one too, as far as they are there."""
    if source.parent.resolve() == target.parent.resolve():
        return
    for name in named_by(session):
        with contextlib.suppress(OSError, InputError):  # without it the session says that it is not there
            old, new = path_of(name, source), path_of(name, target)
            if old.is_file() and not new.exists():
                new.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(old, new)


def purge(folder: Path, sessions: Iterable[bytes], unused_seconds: float) -> None:
    """Remove tapes that none of the sessions names, given as the contents of their files, and that are so old."""
    with contextlib.suppress(OSError):  # another process tidies up at the same time, or there are none
        tapes = [path for path in (folder / FOLDER).iterdir() if path.stat().st_mtime < time.time() - unused_seconds]
        if not tapes:
            return
        named = {name for content in sessions for name in re.findall(_NAME.pattern.encode(), content)}
        for path in tapes:
            if f"{FOLDER}/{path.name}".encode() not in named:
                path.unlink(missing_ok=True)

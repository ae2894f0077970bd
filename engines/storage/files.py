"""Atomic writing of files (written beside, flushed to the disk, then renamed), and the user's data directory."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from engines.contract import InputError, shown


def check_writable(path: Path) -> None:
    """An InputError if no file can be written there: asked before long work whose result will be."""
    _beside(path.resolve()).unlink()


def _beside(path: Path) -> Path:
    """A new empty file in the same directory, to be renamed later."""
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{shown(str(path))} is not a file.")
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
    except OSError as error:
        raise InputError(f"{shown(str(path))} cannot be written: {error.strerror}.") from None
    return Path(name)


@contextlib.contextmanager
def write_safely(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that becomes `path` when all is written; if anything goes wrong, `path` is left as it was."""
    path = path.resolve()  # what a link points to is replaced, not the link
    beside = _beside(path)
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask())
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{shown(str(path))} cannot be written: {error.strerror}.") from None
    finally:
        beside.unlink(missing_ok=True)


def _umask() -> int:
    """The permissions that new files do not get. It can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def data_directory() -> Path:
    """The user's data directory, which need not exist."""
    if given := os.environ.get("PLYBENCH_DATA"):
        with contextlib.suppress(RuntimeError):  # there is no such user: then it is a name with a ~
            return Path(given).expanduser().absolute()
        return Path(given).absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "plybench"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/plybench"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share").absolute() / "plybench"

"""Files of compiled code: each is verified before anything of it is loaded, in a directory that nobody else writes to.

What is loaded from such a file runs as part of this process, and a damaged one would crash it. So every file begins with a
checksum of its name and of what follows; one that does not fit counts as not there, and its code is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import stat
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from engines.contract import InputError, shown

MARK = b"plybench code 1\n"
DIGEST_BYTES = 32
PRIVATE = 0o700
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def sealed(name: str, content: bytes) -> bytes:
    """The bytes of the file of this name that holds this content."""
    return MARK + _digest(name, content) + content


def unsealed(name: str, data: bytes) -> bytes | None:
    """The content of the file of this name; None if these are not the bytes that were written there."""
    begin = len(MARK) + DIGEST_BYTES
    content = data[begin:]
    return content if data[:begin] == MARK + _digest(name, content) else None


def _digest(name: str, content: bytes) -> bytes:
    digest = hashlib.blake2b(name.encode(errors="surrogateescape") + b"\0", digest_size=DIGEST_BYTES)
    digest.update(content)
    return digest.digest()


def is_private(directory: Path) -> bool:
    """Whether a directory belongs to the user and nobody else can write to it. Always true where the system has no owners
    (Windows)."""
    if not hasattr(os, "geteuid"):
        return True
    found = directory.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & OTHERS_WRITE


def make_private(directory: Path) -> None:
    """Create this directory for the user alone. An existing one that others could write to is deleted, because its content
    cannot be trusted."""
    for _ in range(2):
        with contextlib.suppress(FileExistsError):
            directory.mkdir(mode=PRIVATE)
        if is_private(directory):
            return
        shutil.rmtree(directory, ignore_errors=True)
    raise InputError(f"{shown(str(directory), 80)} holds code that is run, and cannot be made yours alone.")


class CodeFiles:
    """The files of one function: an index of what it was compiled for, and a file of code for each. They have the names that
    numba gives them, and take the place of numba's own (`IndexDataCacheFile`), which loads whatever it finds."""

    def __init__(self, directory: Path, name: str, stamp: object, dumps: Callable[[object], bytes]) -> None:
        self._index = directory / f"{name}.nbi"
        self._name = name
        self._stamp, self._dumps = stamp, dumps

    def load(self, key: object) -> object:
        """The code for these types, or None. With the code stands what it was compiled for: if the index is older than the
        code, or the other way round, both are whole and yet do not belong together."""
        name = self._names().get(key)
        found = None if name is None else self._read(self._index.with_name(name))
        return found[1] if found is not None and found[0] == key else None

    def save(self, key: object, data: object) -> None:
        """Keep the code for these types. One writer at a time."""
        names = self._names()
        if key not in names:
            taken = set(names.values())
            numbered = (f"{self._name}.{number}.nbc" for number in count(1))
            names[key] = next(name for name in numbered if name not in taken)
            self._write(self._index, (self._stamp, names))
        self._write(self._index.with_name(names[key]), (key, data))

    def flush(self) -> None:
        """Delete the index."""
        self._write(self._index, (self._stamp, {}))

    def _names(self) -> dict[object, str]:
        """The files of code by what they were compiled for; none if the source has changed since."""
        stamp, names = self._read(self._index) or (None, {})
        return names if stamp == self._stamp else {}

    def _read(self, path: Path) -> Any:
        """What was written there; None if it is not there any more, or not as it was."""
        try:
            content = unsealed(path.name, path.read_bytes())
        except OSError:  # whatever is wrong with it, it can be compiled again
            return None
        return None if content is None else pickle.loads(content)

    def _write(self, path: Path, value: object) -> None:
        """Whoever reads at the same time finds the old file or the new one."""
        beside = path.with_name(f"{path.name}.tmp.{uuid4().hex[:16]}")
        try:
            beside.write_bytes(sealed(path.name, self._dumps(value)))
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise

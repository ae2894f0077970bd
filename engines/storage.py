"""Files that are either whole or not there: written beside, flushed to the disk, then renamed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from engines.contract import InputError, shown


@contextlib.contextmanager
def write_safely(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that becomes `path` when all is written; if anything goes wrong, `path` is left as it was."""
    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"{shown(str(path))} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(beside).replace(path)
    except OSError as error:
        Path(beside).unlink(missing_ok=True)
        raise InputError(f"{shown(str(path))} cannot be written: {error.strerror}.") from None
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise

"""Reports of errors in Plybench itself: the traceback is written to a file, and the user gets a sentence that names the
file."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from traceback import format_exception

from engines.contract import shown

LONGEST = 500_000
"""The largest size of the file in bytes; older reports are dropped."""


def crash_sentence(error: BaseException) -> str:
    """The sentence to print after the app has ended. The traceback is written to a file, if possible."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    sentence = f"Plybench hit a fault and had to end ({shown(what, 200)})."
    with contextlib.suppress(OSError):
        path = log_file()
        note(error, path)
        return f"{sentence} The details are in {path}."
    return sentence


def log_file() -> Path:
    """The path of the file with crash reports."""
    from engines.storage.files import data_directory

    return data_directory() / "faults.txt"


def note(error: BaseException, path: Path) -> None:
    """Add a report to the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > LONGEST:
        path.write_bytes(path.read_bytes()[-LONGEST // 2 :])
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC\n{''.join(format_exception(error))}\n")

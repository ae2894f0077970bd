"""Flushing directories, so that a renamed file survives a power cut."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


def flush_names(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can do that: a renamed file is safe only then."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # some file systems cannot; the file itself is on the disk
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

"""Copies of the sources that tests change and run, kept from one test run to the next.

numba stores compiled code by the path and time of a source file, so a copy that stays in place is compiled only once. Only
files whose text differs are written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

if sys.platform != "win32":
    import fcntl


def kept_copy(config: pytest.Config, name: str, packages: Iterable[str], changed: Mapping[str, str]) -> Path:
    """A directory with copies of some packages, in which the files in `changed` are replaced; the same directory each
    time."""
    assert config.cache is not None
    copy = config.cache.mkdir(f"copy-{name}")
    with (copy / "lock").open("w") as lock:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX)
        wanted: dict[Path, bytes] = {}
        for package in packages:
            for path in (ROOT / package).rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    wanted[copy / path.relative_to(ROOT)] = path.read_bytes()
        wanted |= {copy / path: text.encode() for path, text in changed.items()}
        for package in packages:
            for path in [*(copy / package).rglob("*")]:
                if path.is_file() and "__pycache__" not in path.parts and path not in wanted:
                    path.unlink()
        for path, text in wanted.items():
            if not path.exists() or path.read_bytes() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)
    return copy

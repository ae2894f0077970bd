"""How many random examples a test runs: all of them until they have passed, then a part.

Tests that compare with an oracle on thousands of positions use the same positions every time. If all of them have passed on
this machine, and neither the engines nor the library nor a test has changed since, running all of them again would show
nothing new. Then only a part is run, to see that the environment has not changed. On a fresh clone, as in CI, all of them
are run; `PLYBENCH_LONG=1` runs all of them again, and the tests that take minutes.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

from engines.compiled.kernel import cache_directory, jit_enabled

LONG = bool(os.environ.get("PLYBENCH_LONG"))
PART = 8
"""One of so many examples remains in a part."""
ROOT = Path(__file__).parents[1]
TESTED = ("positions", "tests", "requirements")
"""The folders hashed beside the engines, whose hash is in the name of the directory with their compiled code."""


def examples(count: int) -> int:
    """The number of examples to run: `count`, or a part of it if all have passed before."""
    return max(1, count // PART) if passed_before() else count


@functools.cache
def passed_before() -> bool:
    """Whether all examples have passed with exactly these sources."""
    return not LONG and _note().exists()


def note_passed() -> None:
    """Record that all tests have passed with all their examples."""
    _note().parent.mkdir(parents=True, exist_ok=True)
    _note().touch()


@functools.cache
def _note() -> Path:
    """The file whose existence records it. It is deleted together with the compiled code."""
    digest = hashlib.sha256()
    for folder in TESTED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".txt"):
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    kind = "compiled" if jit_enabled() else "plain"
    return cache_directory() / f"passed-{kind}-{digest.hexdigest()[:16]}"

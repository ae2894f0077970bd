"""How many random examples a test takes: all of them until they have passed, then a part.

Whoever compares with an oracle over thousands of positions takes the same positions every time. If all of them have passed
on this machine, and neither the engines nor the library nor a test has changed since, to take all again would say nothing
new. A part is taken then, to see that nothing around has changed. On a fresh clone, as in CI, it is always all of them;
`PLYBENCH_LONG=1` asks for all of them again, and for what takes minutes.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

from engines.compiled.kernel import cache_directory, jit_enabled

LONG = bool(os.environ.get("PLYBENCH_LONG"))
PART = 8
"""Every so many-th example is left."""
ROOT = Path(__file__).parents[1]
TESTED = ("positions", "tests", "requirements")
"""What counts beside the engines, whose hash is in the name of the directory with their compiled code."""


def examples(count: int) -> int:
    """So many, or a part of them where all have passed before."""
    return max(1, count // PART) if passed_before() else count


@functools.cache
def passed_before() -> bool:
    """All examples have passed with these very sources."""
    return not LONG and _note().exists()


def note_passed() -> None:
    """All tests have passed, with all of their examples at least once."""
    _note().parent.mkdir(parents=True, exist_ok=True)
    _note().touch()


@functools.cache
def _note() -> Path:
    """The file that says so; it is gone when the compiled code is."""
    digest = hashlib.sha256()
    for folder in TESTED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".txt"):
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    kind = "compiled" if jit_enabled() else "plain"
    return cache_directory() / f"passed-{kind}-{digest.hexdigest()[:16]}"

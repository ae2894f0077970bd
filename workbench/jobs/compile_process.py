"""Child processes of the app: one that compiles a search, and one that runs it without the compiler meanwhile.

    python -m workbench.jobs.compile_process       reads its task, one line of JSON, from standard input

Standard input stays open for as long as whoever started the child lives. When it closes the child ends at once, so that none
is left behind even if the app is killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import msgspec
from msgspec import Struct

from engines.contract import Limit, Setting

STREAM_SECONDS = 0.1
"""Seconds between two reports of the interpreted search."""
NICENESS = 5
"""The niceness of the interpreted search: it gives way to the compiler, which gives way to the screen."""


class InterpretedSearch(Struct, frozen=True, kw_only=True):
    """A search to run without the compiler."""

    position: str
    size: str
    options: dict[str, Setting]
    parameters: dict[str, Setting]
    limit: Limit
    seed: int


class CompileTask(Struct, frozen=True, kw_only=True):
    """The task of a child process: compile an algorithm for a game, or run a search with it."""

    algorithm: str
    game: str
    search: InterpretedSearch | None = None


def start(task: CompileTask) -> subprocess.Popen[bytes]:
    """Start a child. A search writes what it finds to standard output, each time a `Glance` as a line of JSON."""
    searching = task.search is not None
    child = subprocess.Popen(
        [sys.executable, "-m", "workbench.jobs.compile_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if searching else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"} if searching else None,
    )
    assert child.stdin is not None
    child.stdin.write(msgspec.json.encode(task) + b"\n")
    child.stdin.flush()
    return child


def end(child: subprocess.Popen[bytes]) -> None:
    """End a child process at once, if it is still running."""
    child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            stream.close()


def main() -> None:
    """Perform the task."""
    task = msgspec.json.decode(_first_line(), type=CompileTask)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if task.search is None:
        from engines import warm

        warm.main(task.algorithm, task.game)
    else:
        if hasattr(os, "nice"):
            os.nice(NICENESS)
        _search(task, task.search)


def _search(task: CompileTask, wanted: InterpretedSearch) -> None:
    """Run the search and report its results several times a second."""
    from engines import catalog
    from engines.run.search import Search

    position = catalog.restore(wanted.position, task.game, wanted.size, wanted.options)
    search = Search(position, catalog.algorithm(task.algorithm), wanted.limit, wanted.parameters, wanted.seed).start()
    ended = False
    while not ended:
        ended = search.join(STREAM_SECONDS)
        os.write(1, msgspec.json.encode(search.glance()) + b"\n")


def _first_line() -> bytes:
    """The first line of standard input, read without a buffer, because another thread goes on reading."""
    line = b""
    while not line.endswith(b"\n"):
        letter = os.read(0, 1)
        if not letter:
            sys.exit()
        line += letter
    return line


def _end_with_parent() -> None:
    """Wait until the parent process has closed standard input."""
    os.read(0, 1)
    os._exit(0)


if __name__ == "__main__":
    main()

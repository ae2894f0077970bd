"""Waits for background work, with a live line on the terminal, and stops it on Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import Any

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column
from rich.text import Text

from engines.perft import Perft
from engines.run.background import Background
from engines.run.search import Search
from workbench.cli.console import errors
from workbench.jobs.searches import SearchInterrupted

POLLS_PER_SECOND = 20
PATIENCE = 0.3
"""Seconds after which a progress bar appears."""


def wait_for(work: Background, what: str, terminal: Console) -> bool:
    """Wait until the work has ended. Returns True if the user interrupted it: then it was stopped early."""
    try:
        if work.join(PATIENCE):
            return False
    except KeyboardInterrupt:
        return stopped(work)
    with Progress(*columns(), console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        task = progress.add_task(what, total=None, live="")
        try:
            while not work.join(1 / POLLS_PER_SECOND):
                done, total, live = state_of(work)
                progress.update(task, completed=done, total=total or None, live=live)
        except KeyboardInterrupt:
            return stopped(work)
    return False


def run_interruptible(search: Search, what: str = "") -> bool:
    """Run a search to its end. Returns True if the user interrupted it: then it was stopped early."""
    search.start()
    try:
        search.join()
    except KeyboardInterrupt:
        return stopped(search)
    return False


class LiveView:
    """A view of long work, redrawn on standard error if that is a terminal."""

    def __init__(self, view: Callable[[], RenderableType], per_second: float) -> None:
        self._view, self._wait = view, 1 / per_second
        self._terminal = errors()
        self._live: Live | None = None
        self._drawn = 0.0

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *problem: object) -> None:
        self.clear()

    def update(self) -> None:
        """Draw the new state, unless the last drawing is too recent."""
        if not self._terminal.is_terminal or monotonic() - self._drawn <= self._wait:
            return
        if self._live is None:
            self._live = Live(console=self._terminal, transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(self._view(), refresh=True)
        self._drawn = monotonic()

    def clear(self) -> None:
        """Remove the drawing. The next update draws it again."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def during(self, words: str, deed: Callable[[str], object]) -> Callable[[str], None]:
        """The same function, with a text and a spinner in place of the view while it runs. Braces in the text stand for the
        function's argument."""

        def watched(what: str) -> None:
            self.clear()
            with self._terminal.status(words.format(what)):
                deed(what)

        return watched


@contextmanager
def counting_bar(what: str, total: int, done: int = 0, terminal: Console | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar on standard error, if that is a terminal, that counts up to a total. The yielded function moves it:
    `completed=5` or `advance=1`, and `description="..."` for another text. What is printed to `terminal`, if one is given,
    goes above the bar. Standard output is not redirected, because it may be a file."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with _bar(columns, what, terminal or errors(), total=total, completed=done) as move:
        yield move


@contextmanager
def share_bar(what: str, total: float | None = 1.0, **words: str) -> Iterator[Callable[..., None]]:
    """A progress bar on standard error, if that is a terminal, for a share from 0 to 1. `total` is None while the share is
    unknown. The yielded function moves it as that of `counting_bar` does, and changes the `words` beside the bar by name."""
    beside = [TextColumn(f"{{task.fields[{name}]}}") for name in words]
    columns = (TextColumn("{task.description}"), BarColumn(), *beside, TimeElapsedColumn())
    with _bar(columns, what, errors(), total=total, **words) as move:
        yield move


@contextmanager
def _bar(columns: Sequence[ProgressColumn], what: str, terminal: Console, **task: Any) -> Iterator[Callable[..., None]]:
    hidden = not terminal.is_terminal
    with Progress(*columns, console=terminal, transient=True, disable=hidden, redirect_stdout=False) as progress:
        number = progress.add_task(what, **task)

        def move(**change: Any) -> None:
            progress.update(number, **change)

        yield move


def move_along(bar: AbstractContextManager[Callable[..., None]], changes: Iterable[Mapping[str, Any]]) -> bool:
    """Do long work with a progress bar: each step of the work says how the bar changes, such as `{"advance": 1}`. Returns
    True if the user interrupted it."""
    with bar as move:
        try:
            for change in changes:
                move(**change)
        except (KeyboardInterrupt, SearchInterrupted):
            return True
    return False


def stopped(work: Background) -> bool:
    """Stop the work and wait for its end, which comes at its next node. Returns whether it has ended."""
    work.stop()
    return work.join()


def columns() -> list[ProgressColumn]:
    """The columns of the live line."""
    bar = BarColumn(bar_width=10)
    live = TextColumn("{task.fields[live]}", table_column=Column(no_wrap=True))
    return [SpinnerColumn(), TextColumn("{task.description}"), bar, TimeElapsedColumn(), live]


def state_of(work: Background) -> tuple[int, int, Text]:
    """The progress of the work: root moves done, root moves in total, and the live numbers as text."""
    counted = work.counters()
    speed = counted.nodes / max(work.elapsed(), 1e-9)
    if not counted.nodes:
        return 0, 0, Text("")
    live = f"{counted.nodes / 1e6:.1f} M nodes  {speed / 1e6:.1f} M/s"
    if isinstance(work, Search):
        run = work.run
        depth = f"depth {run.depth}  move {min(run.root_done + 1, run.root_count)}/{run.root_count}  "
        return run.root_done, run.root_count, Text(depth + live if run.root_count else live)
    if isinstance(work, Perft):
        return len(work.divide), work.root_count, Text(live)
    return 0, 0, Text(live)

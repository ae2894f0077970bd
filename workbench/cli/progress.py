"""Waits for work in the background, with a live line on the terminal, and stops it on Ctrl-C."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Column
from rich.text import Text

from engines.perft import Perft
from engines.run.background import Background
from engines.run.search import Search

POLLS_PER_SECOND = 20
PATIENCE = 0.3
"""Work that ends within so many seconds is not worth a progress bar."""


def wait_for(work: Background, what: str, terminal: Console) -> bool:
    """Wait until the work has ended. Returns True if a person interrupted it: then it was stopped early."""
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


def stopped(work: Background) -> bool:
    """Stop the work and wait for its end, which comes at its next node."""
    work.stop()
    return work.join()


def columns() -> list[ProgressColumn]:
    """What the live line shows."""
    bar = BarColumn(bar_width=10)
    live = TextColumn("{task.fields[live]}", table_column=Column(no_wrap=True))
    return [SpinnerColumn(), TextColumn("{task.description}"), bar, TimeElapsedColumn(), live]


def state_of(work: Background) -> tuple[int, int, Text]:
    """How far the work is: moves of the root done, moves there are, and the live numbers."""
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

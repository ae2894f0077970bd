"""Waits for the lanes of a comparison, with a live line for each on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Column
from rich.text import Text

from workbench.cli.progress import PATIENCE, POLLS_PER_SECOND
from workbench.comparison.lanes import Comparison, Lane
from workbench.render.values import row_value_text


def wait_for_lanes(comparison: Comparison, terminal: Console) -> None:
    """Wait until all lanes have ended."""
    if comparison.wait(PATIENCE):
        return
    live = TextColumn("{task.fields[live]}", table_column=Column(no_wrap=True))
    columns = (SpinnerColumn(), TextColumn("{task.description}"), live)
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        tasks = [progress.add_task(lane.spec.title, total=1, live="") for lane in comparison.lanes]
        while not comparison.wait(1 / POLLS_PER_SECOND):
            for task, lane in zip(tasks, comparison.lanes, strict=True):
                progress.update(task, live=live_text(lane, comparison), completed=int(lane.report is not None))


def live_text(lane: Lane, comparison: Comparison) -> Text:
    """The live line of a lane: its work and its result so far."""
    if lane.glance is None:
        return Text("waits" if lane.report is None else "", style="dim")
    nodes, seconds, game = lane.glance.counters.nodes, lane.glance.seconds, comparison.position.game
    text = Text(f"depth {lane.glance.depth:<3} {nodes / 1e6:>8.1f} M nodes {nodes / max(seconds, 1e-9) / 1e6:>6.1f} M/s")
    belief = lane.belief()
    if belief.value is not None:
        text.append(f"  {row_value_text(belief, game)} {belief.best_move or ''}")
    return text

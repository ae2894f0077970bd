"""The base class of screens for long work: they poll it several times a second, and draw what is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

from rich.console import RenderableType
from rich.text import Text
from textual.screen import Screen
from textual.widgets import Static

from workbench.app.widgets.base_screen import BaseScreen, DrawnParts
from workbench.app.widgets.plot import PlotView
from workbench.jobs.long_work import LongWork
from workbench.render.plots.axis import spanning
from workbench.render.plots.chart import Plot, PlotLine

HERTZ = 5
PLOT_SECONDS = 1.5
"""Seconds between two drawings of a plot while the work runs: drawing one takes as long as all the rest."""
MOST_POINTS = 400
"""The most points of a line. A longer line is drawn by the means of equal parts."""


class LiveScreen(BaseScreen, Screen[None]):
    """A screen that shows long work as it runs."""

    work: LongWork

    def __init__(self) -> None:
        super().__init__()
        self._drawn = DrawnParts()
        self._plots = False
        self._plotted = 0.0
        self.drawn = 0
        """How many times the screen was drawn; tests wait for it to grow."""

    def on_mount(self) -> None:
        """Start polling."""
        self.set_interval(1 / HERTZ, self.tick)
        self.call_after_refresh(self.tick)

    def on_unmount(self) -> None:
        """Stop the work when the screen is left."""
        self.work.stop()

    def tick(self) -> None:
        """Draw what has changed."""
        if not self.is_current or not self.is_mounted:
            return
        second = int(self.work.seconds) if self.work.busy else -1
        if self._drawn.is_new("problem", self.work.problem) and self.work.problem:
            # as a notification, because the status line may have no room for all of it
            self.notify(self.work.problem, severity="error", timeout=15, markup=False)
        if not self._drawn.is_new("all", (self.work.changes, self.work.busy, second, self.size)):
            return
        resized = self._drawn.is_new("size", self.size)
        self._plots = resized or not self.work.busy or monotonic() - self._plotted > PLOT_SECONDS
        if self._plots:
            self._plotted = monotonic()
        self.draw()
        self.drawn += 1

    def draw(self) -> None:
        """Draw everything. Each screen has its own version."""
        raise NotImplementedError

    def put(self, id: str, what: RenderableType) -> None:
        """Show something in the widget with this id."""
        for widget in self.query(f"#{id}").results(Static):
            widget.update(what)

    def plot(self, id: str, curves: Sequence[PlotLine], low: float | None = None, high: float | None = None) -> None:
        """Draw curves by whole numbers. While the work runs this happens only every `PLOT_SECONDS`."""
        if not self._plots:
            return
        some = tuple(replace(curve, points=thinned(curve.points)) for curve in curves)
        up = spanning([y for curve in some for _, y in curve.points], margin=0.1)
        up = replace(up, least=up.least if low is None else low, most=up.most if high is None else high)
        for plot in self.query(f"#{id}").results(PlotView):
            plot.show(Plot(some, spanning([x for curve in some for x, _ in curve.points], "whole"), up))

    # Actions.

    def try_to(self, deed: Callable[[], object]) -> None:
        """Call a function, or show why it raised InputError; then draw what has changed."""
        super().try_to(deed)
        self.tick()

    def action_run(self) -> None:
        """Start or stop the work."""
        self.try_to(self.work.stop if self.work.busy else self.work.start)

    def action_leave(self) -> None:
        """Return to the Analyse screen."""
        self.work.stop()
        self.dismiss()

    def doing(self) -> Text:
        """Whether the work runs, and the problem if there is one."""
        if self.work.problem:
            return Text(f"  {self.work.problem}", style="bold red")
        if self.work.compiling:
            return Text(f"  compiling {self.work.compiling}, once", style="yellow")
        if self.work.busy:
            return Text(f"  ▶ {int(self.work.seconds)} s", style="bold green")
        return Text("")


def thinned(points: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """At most `MOST_POINTS` points: each stands for a group of neighbours, with their mean value."""
    if len(points) <= MOST_POINTS:
        return points
    size = -(-len(points) // MOST_POINTS)
    groups = [points[place : place + size] for place in range(0, len(points), size)]
    return [(group[-1][0], sum(y for _, y in group) / len(group)) for group in groups]

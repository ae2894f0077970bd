"""The base class of screens for long work: they poll it several times a second, and draw what is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from rich.console import RenderableType
from rich.text import Text
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static
from textual_plot import HiResMode

from workbench.app.widgets.base_screen import BaseScreen, DrawnParts
from workbench.app.widgets.panel import StillPlot
from workbench.jobs.long_work import LongWork

HERTZ = 5
PLOT_SECONDS = 1.5
"""Seconds between two drawings of a plot while the work runs: drawing one takes as long as all the rest."""
MOST_POINTS = 400
"""The most points of a line. A longer line is drawn by the means of equal parts."""

Line = tuple[Sequence[tuple[float, float]], str, str]
"""The points of a line, its colour, and its label."""


class LinesPlot(StillPlot):
    """A plot with narrow margins."""

    margin_top = reactive(1)
    margin_bottom = reactive(2)
    margin_left = reactive(6)


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

    def plot(self, id: str, lines: Sequence[Line], low: float | None = None, high: float | None = None) -> None:
        """Draw lines, or a hint if none has two points. While the work runs this happens only every `PLOT_SECONDS`."""
        if not self._plots:
            return
        for plot in self.query(f"#{id}").results(LinesPlot):
            shown = [line for line in lines if len(line[0]) > 1]
            plot.display = bool(shown)
            for hint in plot.siblings:
                hint.display = not shown
            plot.clear()
            if not shown:
                return
            every = [point for points, _, _ in shown for point in points]
            xs, ys = [x for x, _ in every], [y for _, y in every]
            margin = (max(ys) - min(ys)) * 0.1 or 0.1
            plot.set_xlimits(min(xs), max(xs))
            plot.set_ylimits(min(ys) - margin if low is None else low, max(ys) + margin if high is None else high)
            for points, colour, label in shown:
                some = thinned(points)
                across, up = [x for x, _ in some], [y for _, y in some]
                plot.plot(across, up, line_style=colour, hires_mode=HiResMode.BRAILLE, label=label or None)

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

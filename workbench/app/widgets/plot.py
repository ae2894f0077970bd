"""A widget with a plot that always fits its room, or with a hint as long as there is nothing to draw."""

from __future__ import annotations

from rich.text import Text
from textual.widget import Widget

from workbench.render.plots.chart import Plot, chart
from workbench.render.style import DIM


class PlotView(Widget):
    """A plot, drawn anew in whatever room there is."""

    DEFAULT_CSS = "PlotView { height: 1fr; width: 1fr; }"

    def __init__(self, hint: str, *, id: str) -> None:
        super().__init__(id=id)
        self.hint = hint
        self.plot: Plot | None = None
        """What is drawn; None if there is nothing yet."""

    def show(self, plot: Plot, hint: str | None = None) -> None:
        """Draw a plot; if it has no lines, the hint, or the one that is given in its place."""
        self.plot, self.hint = plot if plot.has_lines else None, self.hint if hint is None else hint
        self.refresh()

    def render(self) -> Text:
        """The plot or the hint as text."""
        if self.plot is None:
            return Text(self.hint, DIM)
        return chart(self.plot, self.size.width, self.size.height)

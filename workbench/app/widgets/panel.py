"""Panels of the Analyse screen: a frame with a title in its border, and a frame with a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static
from textual_plot import HiResMode, PlotWidget

from engines.contract import DepthRow
from engines.game import Game
from workbench.render.values import is_win

TITLES = {
    "line": "Principal variation",
    "moves": "Root moves",
    "depths": "Depths",
    "evaluation": "Evaluation",
    "values": "Value by depth",
    "nodes": "Nodes by depth",
    "table": "Transposition table",
}
SUBTITLES = {"moves": "value, share of nodes", "nodes": "powers of ten"}
HINT = "A line appears here when two depths or more are done."

MOST_TICKS = 8


class StillPlot(PlotWidget):
    """A plot that ignores the mouse: after a scroll or a drag no key would restore the whole view."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, allow_pan_and_zoom=False)


def panel(name: str) -> Static:
    """A panel with its title in the border."""
    box = Static(id=name, classes="panel")
    box.border_title, box.border_subtitle = TITLES[name], SUBTITLES.get(name, "")
    return box


class PlotPanel(Vertical):
    """A panel with a plot, or with a hint if there is nothing to draw yet."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name, classes="panel plot")
        self.border_title, self.border_subtitle = TITLES[name], SUBTITLES.get(name, "")

    def compose(self) -> ComposeResult:
        yield Static(HINT, classes="hint")
        plot = StillPlot(id=f"{self.id}-plot")
        plot.display = False
        yield plot

    def draw(self, name: str, rows: Sequence[DepthRow], game: Game, sampled: bool) -> None:
        """Draw values by depth, or nodes by depth in powers of ten. For a Monte Carlo search the x axis is iterations in
        powers of ten."""
        self.border_title = TITLES[name].replace("depth", "iterations") if sampled else TITLES[name]
        self.border_subtitle = "iterations in powers of ten" if sampled and name == "values" else SUBTITLES.get(name, "")
        counted = name == "values" and any(row.question for row in rows)
        if counted:
            self.border_title, self.border_subtitle = "Proof and disproof numbers", "powers of ten"
        points = points_of(name, rows, game)
        plot, hint = self.query_one(StillPlot), self.query_one(".hint", Static)
        plot.display, hint.display = len(points) > 1, len(points) < 2
        hint.update(HINT.replace("depths", "checkpoints") if sampled else HINT)
        plot.clear()
        if len(points) < 2:
            return
        xs, ys = [x for x, _ in points], [y for _, y in points]
        plot.set_xlimits(min(xs), max(xs))
        plot.set_xticks(None if sampled else whole_ticks(min(xs), max(xs)))
        margin = (max(ys) - min(ys)) * 0.1 or 1.0
        plot.set_ylimits(0.0 if name == "nodes" else min(ys) - margin, max(ys) + margin)
        if counted:
            half = len(points) // 2
            plot.plot(xs[:half], ys[:half], line_style="green", hires_mode=HiResMode.BRAILLE, label="proof")
            plot.plot(xs[half:], ys[half:], line_style="red", hires_mode=HiResMode.BRAILLE, label="disproof")
            return
        plot.plot(xs, ys, line_style="green" if name == "values" else "cyan", hires_mode=HiResMode.BRAILLE)


def points_of(name: str, rows: Sequence[DepthRow], game: Game) -> list[tuple[float, float]]:
    """The points to draw. Values that stand for a won game are left out, because they would dwarf all others."""
    points = []
    open_rows = [row for row in rows if row.proof and row.disproof and row.iterations]
    if name == "values" and any(row.question for row in rows):
        return [
            (math.log10(row.iterations or 1), math.log10(getattr(row, number) or 1))
            for number in ("proof", "disproof")
            for row in open_rows
        ]
    for row in rows:
        x = float(row.depth) if row.iterations is None else math.log10(row.iterations)
        if name == "nodes":
            points.append((x, math.log10(max(1, row.nodes))))
        elif not is_win(row.value, game):
            points.append((x, row.value))
    return points


def whole_ticks(least: float, most: float) -> list[float]:
    """Ticks at whole depths, at most about `MOST_TICKS` of them."""
    first, last = math.ceil(least), math.floor(most)
    return [float(depth) for depth in range(first, last + 1, max(1, math.ceil((last - first) / MOST_TICKS)))]

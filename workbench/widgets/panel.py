"""The frames of the Analyse screen: a panel with its name in the border, a panel with a plot in it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from textual.containers import Vertical
from textual.widgets import Static
from textual_plot import HiResMode, PlotWidget

from engines.contract import DepthRow
from engines.game import Game
from workbench.panels import is_win

TITLES = {
    "line": "Principal variation",
    "moves": "Root moves",
    "depths": "Depths",
    "evaluation": "Evaluation",
    "values": "Value by depth",
    "nodes": "Nodes by depth",
    "table": "Transposition table",
}
SUBTITLES = {"moves": "value, share of nodes", "nodes": "powers of ten", "table": "by depth"}

MOST_TICKS = 8


class Plot(PlotWidget):
    """A plot that is only looked at: a wheel turned over it does not zoom, for no key would bring the whole back."""

    can_focus = False


def panel(name: str) -> Static:
    """A panel with its name in the border."""
    box = Static(id=name, classes="panel")
    box.border_title, box.border_subtitle = TITLES[name], SUBTITLES.get(name, "")
    return box


def plot_panel(name: str) -> Vertical:
    """A panel with a plot in it."""
    box = Vertical(Plot(id=f"{name}-plot", allow_pan_and_zoom=False), id=name, classes="panel plot")
    box.border_title, box.border_subtitle = TITLES[name], SUBTITLES.get(name, "")
    return box


def plot_rows(plot: Plot, name: str, rows: Sequence[DepthRow], game: Game) -> None:
    """Value by depth, or nodes by depth in powers of ten; iterations instead of depths are in powers of ten too."""
    plot.clear()
    sampled = any(row.iterations is not None for row in rows)
    if isinstance(plot.parent, Vertical):
        title, subtitle = TITLES[name], SUBTITLES.get(name, "")
        plot.parent.border_title = title.replace("depth", "iterations") if sampled else title
        plot.parent.border_subtitle = "iterations in powers of ten" if sampled and name == "values" else subtitle
    at = {row.depth: row.depth if row.iterations is None else math.log10(row.iterations) for row in rows}
    if name == "values":
        points = [(at[row.depth], row.value) for row in rows if not is_win(row.value, game)]
    else:
        points = [(at[row.depth], math.log10(max(1, row.nodes))) for row in rows]
    if len(points) < 2:
        return
    depths, ys = [float(depth) for depth, _ in points], [y for _, y in points]
    plot.set_xlimits(min(depths), max(depths))
    plot.set_xticks(None if sampled else whole_ticks(min(depths), max(depths)))
    margin = (max(ys) - min(ys)) * 0.1 or 1.0
    plot.set_ylimits(0.0 if name == "nodes" else min(ys) - margin, max(ys) + margin)
    plot.plot(depths, ys, line_style="green" if name == "values" else "cyan", hires_mode=HiResMode.BRAILLE)


def whole_ticks(least: float, most: float) -> list[float]:
    """Whole depths for an axis, as many as there is room for: there is no depth 1.5."""
    first, last = math.ceil(least), math.floor(most)
    return [float(depth) for depth in range(first, last + 1, max(1, math.ceil((last - first) / MOST_TICKS)))]

"""Panels of the Analyse screen: a frame with a title in its border, and a frame with a plot."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from engines.contract import DepthRow
from engines.game import Game
from workbench.analysis.panels.plots import nodes_plot, numbers_plot, values_plot
from workbench.app.widgets.plot import PlotView

TITLES = {
    "line": "Principal variation",
    "moves": "Root moves",
    "depths": "Depths",
    "evaluation": "Evaluation",
    "values": "Value by depth",
    "nodes": "Nodes by depth",
    "table": "Transposition table",
}
HINT = "A line appears here when two depths or more are done."


def panel(name: str) -> Static:
    """A panel with its title in the border."""
    box = Static(id=name, classes="panel")
    box.border_title = TITLES[name]
    return box


class PlotPanel(Vertical):
    """A panel with a plot, or with a hint if there is nothing to draw yet."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name, classes="panel plot")
        self.border_title = TITLES[name]

    def compose(self) -> ComposeResult:
        yield PlotView(HINT, id=f"{self.id}-plot")

    def draw(self, name: str, rows: Sequence[DepthRow], game: Game, stage: str) -> None:
        """Draw values or nodes by depth, or by what else the search counts; of a search that proves, its two numbers."""
        hint = HINT if stage == "depth" else HINT.replace("depths", "checkpoints")
        self.border_title = TITLES[name].replace("depth", stage)
        if name == "nodes":
            plot = nodes_plot(rows)
        elif any(row.question for row in rows):
            self.border_title = f"Proof and disproof numbers by {stage}"
            plot = numbers_plot(rows)
        else:
            plot = values_plot(rows, game)
            if len(rows) > 1 and not plot.has_lines:
                hint = "Who wins is known; there are no other values to draw."
        self.query_one(PlotView).show(plot, hint)

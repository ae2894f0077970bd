"""The plots of one search: values, nodes or proof numbers, by depth or by checkpoint."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import DepthRow
from engines.game import Game
from workbench.render.plots.axis import Axis, spanning
from workbench.render.plots.chart import Plot, PlotLine
from workbench.render.values import is_win

MARGIN = 0.08
"""The share of an axis that is free above and below its curves."""


def values_plot(rows: Sequence[DepthRow], game: Game) -> Plot:
    """The values. Those that stand for a won game are left out, because they would dwarf all others."""
    points = [(stage_of(row), row.value) for row in rows if not is_win(row.value, game)]
    up = spanning([value for _, value in points], margin=MARGIN, signed=game.player_count > 1)
    return Plot((PlotLine(points, "green"),), across(rows), up)


def nodes_plot(rows: Sequence[DepthRow]) -> Plot:
    """The nodes of each depth; of a tree that grows, the nodes since the checkpoint before."""
    points = [(stage_of(row), float(max(1, row.nodes))) for row in rows]
    return Plot((PlotLine(points, "cyan"),), across(rows), spanning([nodes for _, nodes in points], "log", MARGIN))


def numbers_plot(rows: Sequence[DepthRow]) -> Plot:
    """Proof and disproof numbers, while both are open."""
    open_rows = [row for row in rows if row.proof and row.disproof and row.iterations]
    proof = [(stage_of(row), float(row.proof or 1)) for row in open_rows]
    disproof = [(stage_of(row), float(row.disproof or 1)) for row in open_rows]
    up = spanning([number for _, number in (*proof, *disproof)], "log", MARGIN)
    return Plot((PlotLine(proof, "green", "proof"), PlotLine(disproof, "red", "disproof")), across(open_rows), up)


def stage_of(row: DepthRow) -> float:
    """Where a row is: its depth, or how many iterations led to it."""
    return float(row.depth if row.iterations is None else max(1, row.iterations))


def across(rows: Sequence[DepthRow]) -> Axis:
    """The axis of depths, or of iterations, which grow by factors."""
    grows = any(row.iterations is not None for row in rows)
    return spanning([stage_of(row) for row in rows], "log" if grows else "whole")

"""The panel of depths: the result at each depth or checkpoint."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from rich.text import Text

from engines.contract import DepthRow
from engines.position import Position
from workbench.analysis.view_state import AnalysisView
from workbench.render.lines import pretty
from workbench.render.report_rows import DepthCells, depth_cells, narrow, stage_title
from workbench.render.style import CHANGED, DIM, STRONG, coloured, short_number

Cell = tuple[str, str]
"""Text and its style."""
USUAL_WIDTH = 60
PROOF_WIDTHS = {"expansions": 12, "proof": 9, "disproof": 9, "move": 8, "nodes": 9}
SAMPLE_WIDTHS = {"iterations": 13, "value": 9, "±95 %": 5, "move": 8, "nodes": 13}
DEPTH_WIDTHS = {"depth": 6, "value": 12, "move": 8, "nodes": 13, "hits": 5, "ebf": 5}
"""How broad the columns are where there is room; elsewhere each is as broad as its longest cell."""


def depths_panel(view: AnalysisView, first: int, height: int, width: int = USUAL_WIDTH) -> Text:
    """The result at each depth from the row with this index on, the newest last; the shown one is marked."""
    depths = sorted(view.beliefs)
    if not depths:
        return Text("Each finished depth adds a row here.", DIM)
    counts_iterations = view.beliefs[depths[0]].row.iterations is not None
    usual = PROOF_WIDTHS if view.proves else SAMPLE_WIDTHS if counts_iterations else DEPTH_WIDTHS
    stage, *titles = usual
    heads = [stage_title(view.algorithm, counts_iterations) if counts_iterations else stage, *titles]
    rows = all_cells(view, depths)
    widths = [max(width, len(head)) for width, head in zip(usual.values(), heads, strict=True)]
    if sum(widths) + len(widths) - 1 > width:
        widths = longest_cells(heads, rows)
    if sum(widths) + len(widths) - 1 > width:
        number = heads.index("nodes")
        for depth, row in zip(depths, rows, strict=True):
            row[number] = short_number(view.beliefs[depth].row.nodes), row[number][1]
        widths = longest_cells(heads, rows)
    text = Text(no_wrap=True)
    text.append(" ".join(placed(head, head, size) for head, size in zip(heads, widths, strict=True)), DIM)
    for row in rows[first : first + max(1, height - 1)]:
        text.append("\n")
        for number, (said, style) in enumerate(row):
            text.append(" " if number else "").append(placed(heads[number], said, widths[number]), style)
    return text


def all_cells(view: AnalysisView, depths: Sequence[int]) -> list[list[Cell]]:
    """The cells of every depth, with their styles."""
    game, looked_at = view.position.game, view.belief.row.depth if view.belief else 0
    rows: list[list[Cell]] = []
    before: DepthRow | None = None
    for depth in depths:
        row = view.beliefs[depth].row
        cells = depth_cells(with_first_move(row, view.position), before, game)
        marked, style = ("▸", "bold") if depth == looked_at else ("", "")
        changed = CHANGED if before is not None and before.best_move != row.best_move else ""
        stage, move = (f"{marked}{cells.stage}", style), (cells.best_move, changed)
        rows.append([stage, *other_cells(view, row, cells, move)])
        before = row
    return rows


def other_cells(view: AnalysisView, row: DepthRow, cells: DepthCells, move: Cell) -> list[Cell]:
    """The cells after the first one."""
    value, nodes = coloured(row.value), (cells.nodes, "")
    if view.proves:
        proof, disproof = (STRONG if number == 0 else "" for number in (row.proof, row.disproof))
        return [(cells.proof, proof), (cells.disproof, disproof), move, nodes]
    if row.iterations is not None:
        return [(cells.mean, value), (cells.reach, DIM), move, nodes]
    growth = "-" if cells.branching is None else f"{cells.branching:.1f}"
    return [(cells.value, value), move, nodes, (narrow(cells.table_hits), ""), (growth, "")]


def longest_cells(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[int]:
    """The width of the longest cell of each column."""
    return [max(len(head), *(len(row[number][0]) for row in rows)) for number, head in enumerate(heads)]


def placed(head: str, said: str, width: int) -> str:
    """A cell in the width of its column: moves stand on the left, numbers on the right."""
    return f"{said:<{width}}" if head == "move" else f"{said:>{width}}"


def with_first_move(row: DepthRow, position: Position) -> DepthRow:
    """The row with nothing but the first move of its line, as people read it: the panel has no room for more, and is drawn
    many times a second."""
    return replace(row, best_move=pretty(position, row.pv[:1]), pv=())

"""The panel of depths: the result at each depth or checkpoint."""

from __future__ import annotations

from msgspec.structs import replace
from rich.text import Text

from engines.contract import DepthRow
from engines.position import Position
from workbench.analysis.view_state import AnalysisView
from workbench.render.lines import pretty
from workbench.render.report_rows import depth_cells, narrow, stage_title
from workbench.render.style import CHANGED, DIM, STRONG, coloured


def depths_panel(view: AnalysisView, first: int, height: int) -> Text:
    """The result at each depth from the row with this index on, the newest last; the shown one is marked."""
    game, rows = view.position.game, sorted(view.beliefs)
    if not rows:
        return Text("Each finished depth adds a row here.", DIM)
    text = Text(no_wrap=True)
    counts_iterations = view.beliefs[rows[0]].row.iterations is not None
    stage = stage_title(view.algorithm, counts_iterations)
    if view.proves:
        text.append(f"{stage:>12} {'proof':>9} {'disproof':>9}  {'move':<7}{'nodes':>10}", DIM)
    elif counts_iterations:
        text.append(f"{stage:>13} {'value':>9} {'±95 %':>5}  {'move':<8}{'nodes':>14}", DIM)
    else:
        text.append(f"{stage:>6} {'value':>12} {'move':<8}{'nodes':>14} {'hits':>5} {'ebf':>5}", DIM)
    looked_at = view.belief.row.depth if view.belief else 0
    for number, depth in enumerate(rows[first : first + max(1, height - 1)], first):
        row, before = view.beliefs[depth].row, view.beliefs[rows[number - 1]].row if number else None
        cells = depth_cells(with_first_move(row, view.position), before, game)
        changed = CHANGED if before is not None and before.best_move != row.best_move else ""
        mark, style = ("▸", "bold") if depth == looked_at else (" ", "")
        text.append("\n")
        if row.iterations is None:
            text.append(f"{mark}{cells.stage:>5} ", style)
            text.append(f"{cells.value:>12} ", coloured(row.value))
            text.append(f"{cells.best_move:<8}", changed)
            growth = "-" if cells.branching is None else f"{cells.branching:.1f}"
            text.append(f"{cells.nodes:>14} {narrow(cells.table_hits):>5} {growth:>5}")
        elif view.proves:
            text.append(f"{mark}{cells.stage:>11} ", style)
            text.append(f"{cells.proof:>9} ", STRONG if row.proof == 0 else "")
            text.append(f"{cells.disproof:>9} ", STRONG if row.disproof == 0 else "")
            text.append(" ")
            text.append(f"{cells.best_move:<7}", changed)
            text.append(f"{cells.nodes:>10}")
        else:
            text.append(f"{mark}{cells.stage:>12} ", style)
            text.append(f"{cells.mean:>9} ", coloured(row.value))
            text.append(f"{cells.reach:>5}  ", DIM)
            text.append(f"{cells.best_move:<8}", changed)
            text.append(f"{cells.nodes:>14}")
    return text


def with_first_move(row: DepthRow, position: Position) -> DepthRow:
    """The row with nothing but the first move of its line, as people read it: the panel has no room for more, and is drawn
    many times a second."""
    return replace(row, best_move=pretty(position, row.pv[:1]), pv=())

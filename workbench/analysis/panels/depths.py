"""The panel of depths: what was believed at each depth or checkpoint."""

from __future__ import annotations

from rich.text import Text

from engines.contract import DepthRow
from workbench.analysis.panels.counters import share_text
from workbench.analysis.view_state import AnalysisView
from workbench.render.lines import pretty
from workbench.render.report_text import proof_number
from workbench.render.style import CHANGED, DIM, STRONG, coloured
from workbench.render.values import (
    reach_of,
    row_value_text,
    value_text,
)


def depths_panel(view: AnalysisView, height: int) -> Text:
    """What was believed at each depth, the newest last; the one that is looked at is marked."""
    game, rows = view.position.game, sorted(view.beliefs)
    if not rows:
        return Text("Each finished depth adds a row here.", DIM)
    text = Text(no_wrap=True)
    if view.proves:
        text.append(f"{'expansions':>12} {'proof':>9} {'disproof':>9}  {'move':<7}{'nodes':>10}", DIM)
    elif view.beliefs[rows[0]].row.iterations is not None:
        text.append(f"{'iterations':>13} {'value':>9} {'±95 %':>5}  {'move':<8}{'nodes':>14}", DIM)
    else:
        text.append(f"{'depth':>6} {'value':>12} {'move':<8}{'nodes':>14} {'hits':>5} {'ebf':>5}", DIM)
    looked_at = view.belief.row.depth if view.belief else 0
    fits = max(1, height - 1)
    end = max(fits, rows.index(looked_at) + 1) if view.shown is not None else len(rows)
    previous: DepthRow | None = None
    for depth in rows[:end]:
        row = view.beliefs[depth].row
        line = Text("\n")
        if row.iterations is not None:
            mark = "▸" if depth == looked_at else " "
            wide, room = (11, 10) if view.proves else (12, 14)
            line.append(f"{mark}{row.iterations:>{wide},} ", "bold" if depth == looked_at else "")
            if view.proves:
                for number in (row.proof, row.disproof):
                    line.append(f"{proof_number(number):>9} ", STRONG if number == 0 else "")
                line.append(" ")
            else:
                line.append(f"{value_text(row.value, game):>9} ", coloured(row.value))
                reach = reach_of(row)
                line.append(f"{'' if reach is None else f'{reach:.2f}':>5}  ", DIM)
            changed = previous is not None and previous.best_move != row.best_move
            line.append(f"{pretty(view.position, row.pv[:1]):<{7 if view.proves else 8}}", CHANGED if changed else "")
            line.append(f"{row.nodes:>{room},}")
            previous = row
            if depth in rows[max(0, end - fits) : end]:
                text.append_text(line)
            continue
        line.append(f"{'▸' if depth == looked_at else ' '}{depth:>5} ", "bold" if depth == looked_at else "")
        line.append(f"{row_value_text(row, game):>12} ", coloured(row.value))
        changed = previous is not None and previous.best_move != row.best_move
        line.append(f"{pretty(view.position, row.pv[:1]):<8}", CHANGED if changed else "")
        ebf = f"{row.nodes / previous.nodes:.1f}" if previous and previous.nodes and row.depth == previous.depth + 1 else "-"
        hits = share_text(row.table.hits, row.table.probes).replace(" ", "") if row.table else "-"
        line.append(f"{row.nodes:>14,} {hits:>5} {ebf:>5}")
        previous = row
        if depth in rows[max(0, end - fits) : end]:
            text.append_text(line)
    return text

"""The panel of the line: the principal variation, or the line of another root move, and the evaluation at its end."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from engines.position import Position
from workbench.analysis.panels.search import first_differing_index
from workbench.analysis.view_state import AnalysisView
from workbench.render.lines import numbered_line
from workbench.render.report_text import how_it_ended
from workbench.render.style import DIM, STRONG, coloured
from workbench.render.values import number_text


def line_panel(view: AnalysisView, line: Sequence[str], at: int | None) -> Text:
    """The principal variation or another line, with the move marked that the board shows."""
    belief = view.belief
    if belief is None:
        alone = view.position.game.player_count == 1
        who = (
            "The best moves that are found appear"
            if alone
            else "The line that both sides follow if they play their best appears"
        )
        return Text(f"{who} here.", DIM)
    before, row, text = view.before, belief.row, Text()
    is_best = tuple(line) == row.pv
    differing_index = first_differing_index(before.row.pv, row.pv) if before is not None and is_best else None
    if view.position.by_chance:
        return Text(f"Nobody chooses here: {view.position.game.nature} decides what comes next.", DIM)
    for ply, move in enumerate(numbered_line(view.position, line)):
        style = "reverse bold" if at is not None and ply == at - 1 else STRONG if ply == 0 else ""
        if differing_index is not None and ply == differing_index:
            style += " underline yellow"
        text.append(move, style)
        text.append(" ")
    if row.pv_cut_short and is_best:
        text.append("… the moves after it are not known", DIM)
    return text


def leaf_text(position: Position, line: Sequence[str], at: int | None) -> Text:
    """The evaluation at the shown place of the line, or at its end."""
    game, here = position.game, position
    for move in line if at is None else line[:at]:
        here = here.play(game.read_move(here.state, move))
    where = "at its end" if at is None or at == len(line) else f"after {at} {'ply' if at == 1 else 'plies'}"
    if here.is_over:
        return Text(f"{where}: {how_it_ended(here)}", DIM)
    found = game.evaluation(here.state)
    parts = [f"{term.name} {term.value:+g}" for term in sorted(found.terms, key=lambda term: -abs(term.value)) if term.value]
    return Text.assemble(
        (f"{where}: ", DIM), (number_text(found.value, game), coloured(found.value)), (f"  {', '.join(parts[:4])}", DIM)
    )

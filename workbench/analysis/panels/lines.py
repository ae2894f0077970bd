"""The panels of moves: the principal variation, the evaluation at its end, and the root moves."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from engines.contract import RootMove
from engines.position import Position
from workbench.analysis.panels.search import first_differing_index
from workbench.analysis.view_state import AnalysisView
from workbench.render.lines import numbered_line, pretty
from workbench.render.report_rows import moves_table
from workbench.render.report_text import how_it_ended
from workbench.render.style import DIM, STRONG, bar, coloured
from workbench.render.values import number_text


def line_panel(view: AnalysisView, at: int | None) -> Text:
    """The principal variation, with the move marked that the board shows."""
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
    differing_index = first_differing_index(before.row.pv, row.pv) if before is not None else None
    if view.position.by_chance:
        return Text(f"Nobody chooses here: {view.position.game.nature} decides what comes next.", DIM)
    for ply, move in enumerate(numbered_line(view.position, row.pv)):
        style = "reverse bold" if at is not None and ply == at - 1 else STRONG if ply == 0 else ""
        if differing_index is not None and ply == differing_index:
            style += " underline yellow"
        text.append(move, style)
        text.append(" ")
    if row.pv_cut_short:
        text.append("… the moves behind it are not known", DIM)
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


VALUE_WIDTH = 12


def moves_panel(view: AnalysisView, width: int, height: int) -> Text:
    """The root moves: value, share of the nodes, a bar, and the continuation."""
    belief, position, game = view.belief, view.position, view.position.game
    if belief is None or not belief.root_moves:
        hint = "Each move's value and its share of the work appear here."
        return Text(hint if belief is None else "This depth's moves were not kept; step to the next one.", DIM)
    rows = belief.root_moves
    cells = moves_table(rows, game).rows
    most = max(row.nodes for row in rows) or 1
    text = Text(no_wrap=True)
    fits = len(rows) if len(rows) <= height else max(1, height - 1)
    value_width = max(VALUE_WIDTH, *(len(cell.value + cell.reach) for cell in cells))
    bar_width = max(4, min(16, width - 28 - value_width))
    for number, (row, cell) in enumerate(zip(rows[:fits], cells, strict=False)):
        if number:
            text.append("\n")
        best = row.move == belief.row.best_move
        name = " ".join(filter(None, (pretty(position, (row.move,)), cell.likelihood)))
        text.append(f"{name:<7} ", "bold yellow" if best else STRONG)
        text.append(f"{cell.value + cell.reach:>{value_width}} ", coloured(row.value))
        text.append(bar(row.nodes / most, bar_width), "cyan" if best else "blue")
        text.append(f" {100 * cell.share:5.1f} %  ", DIM)
        text.append(whole_words(rest_of_line(position, row), width - bar_width - value_width - 19), DIM)
    if fits < len(rows):
        rest = sum(cell.share for cell in cells[fits:])
        text.append(f"\n+{len(rows) - fits} more moves {100 * rest:.1f} %", DIM)
    return text


def whole_words(text: str, width: int) -> str:
    """As many whole words of a text as fit."""
    if len(text) <= width:
        return text
    words = text[: max(0, width - 1)].rpartition(" ")[0]
    return f"{words} …" if words else ""


def rest_of_line(position: Position, row: RootMove) -> str:
    """The continuation after a root move."""
    return " ".join(position.game.pretty_line(position.state, row.pv)[1:])

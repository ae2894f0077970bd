"""The panel of root moves: what each is worth, its share of the work, and how play goes on after it."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from engines.contract import RootMove
from engines.position import Position
from workbench.analysis.game_text import told
from workbench.analysis.view_state import AnalysisView
from workbench.render.lines import pretty
from workbench.render.report_rows import moves_table
from workbench.render.root_order import Order, in_order
from workbench.render.style import DIM, STRONG, bar, coloured

VALUE_WIDTH, SHARE_WIDTH = 8, 9
LEAST_BAR, MOST_BAR = 4, 16
BEST, CHOSEN = "◆", "▸"
"""The marks of the best move and of the one whose line is on the board."""


@dataclass(frozen=True)
class Shown:
    """Which root moves are to be shown, and how."""

    top: int = 0
    """The index of the first row that is visible."""
    order: Order = "best"
    chosen: str = ""
    """The move whose line is on the board; empty if it is that of the best one, or none."""


BEST_FIRST = Shown()


def root_moves_of(view: AnalysisView, order: Order = "best") -> tuple[RootMove, ...]:
    """The root moves of the shown depth, in an order."""
    belief = view.belief
    return in_order(belief.root_moves, belief.row.best_move, view.position, order) if belief is not None else ()


def root_moves_panel(view: AnalysisView, width: int, height: int, shown: Shown = BEST_FIRST, about: str = "") -> Text:
    """As many root moves as there is room for: value, share of the nodes, a bar, and the continuation. `about`: a text
    on the position, shown as long as nothing has been searched."""
    belief, position, game = view.belief, view.position, view.position.game
    rows = root_moves_of(view, shown.order)
    if belief is None or not rows:
        about_it = told(about, width, height, hint=()) if belief is None else []
        return Text("\n".join(about_it) or nothing_to_list(view), DIM)
    cells = moves_table(rows, game).rows
    names = [
        " ".join(filter(None, (pretty(position, (row.move,)), cell.likelihood)))
        for row, cell in zip(rows, cells, strict=True)
    ]
    name_width = max(map(len, names))
    value_width = max(VALUE_WIDTH, *(len(cell.value + cell.reach) for cell in cells))
    room = width - name_width - value_width - SHARE_WIDTH - 4
    bar_width = max(0 if room < LEAST_BAR else LEAST_BAR, min(MOST_BAR, room // 3))
    most = max(row.nodes for row in rows) or 1
    text = Text(no_wrap=True, overflow="ellipsis")
    for number in range(shown.top, min(shown.top + height, len(rows))):
        row, cell = rows[number], cells[number]
        best, chosen = row.move == belief.row.best_move, row.move == shown.chosen
        text.append("\n" if number > shown.top else "")
        text.append(CHOSEN if chosen else BEST if best else " ", "bold yellow")
        text.append(f" {names[number]:<{name_width}} ", "reverse bold" if chosen else "bold yellow" if best else STRONG)
        text.append(f"{cell.value + cell.reach:>{value_width}} ", coloured(row.value))
        text.append(bar(row.nodes / most, bar_width), "cyan" if best else "blue")
        text.append(f"{100 * cell.share:6.1f} % ", DIM)
        text.append(whole_words(rest_of_line(position, row), room - bar_width), DIM)
    return text


def nothing_to_list(view: AnalysisView) -> str:
    """Why there are no root moves to list."""
    belief = view.belief
    if view.position.is_over:
        return "The game is over: there are no moves."
    if belief is None:
        return "Each move's value and its share of the work appear here."
    if view.report is not None and belief.row.depth != view.report.depth:
        return "This depth's moves were not kept; step to the next one."
    return f"{view.algorithm} says nothing about individual moves."


def whole_words(text: str, width: int) -> str:
    """As many whole words of a text as fit."""
    if len(text) <= width:
        return text
    words = text[: max(0, width - 1)].rpartition(" ")[0]
    return f"{words} …" if words else ""


def rest_of_line(position: Position, row: RootMove) -> str:
    """The continuation after a root move."""
    return " ".join(position.game.pretty_line(position.state, row.pv)[1:])

"""The texts of the Horizon screen: pure functions from its frozen view to what is drawn."""

from __future__ import annotations

from rich.text import Text

from workbench.horizon.rows import FOOLED, LEGEND, SEEN_BY, TRUE, line_words, value_table
from workbench.horizon.view import POSTPONES, RIGHT, WRONG
from workbench.horizon.view_state import HorizonView
from workbench.render.lines import numbered_line
from workbench.render.plots.axis import Axis, spanning
from workbench.render.plots.chart import COLOURS, Plot, PlotLine
from workbench.render.style import DIM, STRONG
from workbench.render.values import is_win, value_text

SHORT = {
    "quiescence": "quiescence",
    "check extension": "check",
    "singular extension": "singular",
    "all of them": "all",
    "quiescence + check extension": "q+check",
    "quiescence + singular extension": "q+singular",
}
"""The heads of the columns."""
SHORTER = {
    "quiescence": "q",
    "singular extension": "sing.",
    "quiescence + check extension": "q+ch.",
    "quiescence + singular extension": "q+sing.",
}
"""Those of six searches in half of a small screen."""
WIDEST = 11
"""The greatest width of one search's column, with a blank."""
DEPTH_WIDTH = 3


def story_text(view: HorizonView) -> Text:
    """The story, the truth, and the remedy."""
    story = view.story
    if story is None:
        return Text(view.problem or "The first search is on its way.", DIM)
    text = Text(story.text)
    if story.truth:
        text.append(f"\n\n{TRUE}", RIGHT)
        text.append(story.truth)
    if story.remedy:
        text.append(f"\n{SEEN_BY}", RIGHT)
        text.append(f"{story.remedy}.")
    if view.problem:
        text.append(f"\n{view.problem}", DIM)
    elif view.busy and not story.complete:
        text.append("\nSearching ...", DIM)
    return text


def belief_text(view: HorizonView) -> Text:
    """The value and line of the shown search at the shown depth."""
    row, story, position = view.row, view.story, view.entry.position
    if row is None or story is None:
        return Text("What is believed appears here as soon as the search is done.", DIM)
    name = story.curves[view.curve].configuration.name
    wrong = view.entry.is_wrong(row)
    text = Text.assemble((name, STRONG), (f" at depth {view.depth} believes ", DIM))
    text.append(value_text(row.value, position.game), WRONG if wrong else RIGHT if wrong is False else STRONG)
    text.append("" if wrong is None else ", wrong" if wrong else ", right", DIM)
    text.append("\n")
    words = line_words(numbered_line(position, row.pv), [move.kind for move in view.kinds], view.delaying)
    for ply, word in enumerate(words):
        style = POSTPONES if word.delays else ""
        if view.at is not None and ply == view.at - 1:
            style += " reverse"
        text.append(word.text, style)
        if word.kind:
            text.append(f" {word.kind}", DIM)
        text.append(" ")
    if view.delaying:
        text.append(f" {LEGEND}", DIM)
    return text


def values_text(view: HorizonView, width: int) -> Text:
    """A table of values by depth with a column for each search. The shown value is in reverse video."""
    story = view.story
    if story is None or not story.curves:
        return Text("Values by depth appear here, a column for each search.", DIM)
    table = value_table(story, view.entry.position, view.entry.is_wrong)
    cells_wide = [1 + max(len(row[at].text) + row[at].fooled for _, row in table.rows) for at in range(len(table.names))]
    for short in (SHORT, SHORT | SHORTER):
        names = [short.get(name, name) for name in table.names]
        columns = [max(1 + len(name), wide) for name, wide in zip(names, cells_wide, strict=True)]
        if DEPTH_WIDTH + sum(columns) <= width:
            break
    room = min(WIDEST, (width - DEPTH_WIDTH) // len(names))
    if max(columns) <= room:  # all as broad as each other, where that is possible
        columns = [room] * len(names)
    text = Text("", no_wrap=True)
    text.append(f"{'':>{DEPTH_WIDTH}}")
    for number, (name, column) in enumerate(zip(names, columns, strict=True)):
        text.append(" " * (column - len(name)))
        text.append(name, "bold underline" if number == view.curve else DIM)
    for depth, cells in table.rows:
        text.append(f"\n{depth:>{DEPTH_WIDTH}}", STRONG if depth == view.depth else DIM)
        for number, cell in enumerate(cells):
            shown = f"{FOOLED}{cell.text}" if cell.fooled else cell.text
            style = "red" if cell.wrong else "bold green" if cell.wrong is False else ""
            if depth == view.depth and number == view.curve:
                style += " reverse"
            text.append(" " * (columns[number] - len(shown)))
            text.append(shown, style)
    return text


def values_note(view: HorizonView) -> str:
    """What the signs in the table mean."""
    story = view.story
    if story is None or story.depth is None:
        return ""
    has_wins = value_table(story, view.entry.position).has_wins
    return f"{FOOLED} fooled; bold: right" + ("; #n: won in n plies" if has_wins else "")


def curves_plot(view: HorizonView) -> Plot:
    """The values of each search by depth; the search that is looked at lies above the others. A won game would dwarf all
    other values, and is drawn at the edge."""
    story, game = view.story, view.entry.position.game
    curves = story.curves if story is not None else ()
    usual = [row.value for curve in curves for row in curve.rows if not is_win(row.value, game)]
    up = spanning(usual, margin=0.15, signed=game.player_count > 1)
    lines = []
    for number, curve in enumerate(curves):
        points = [(float(row.depth), max(up.least, min(up.most, row.value))) for row in curve.rows]
        fooled = " (fooled)" if story is not None and number == story.fooled else ""
        name = f"{curve.configuration.name}{fooled}"
        lines.append(PlotLine(points, COLOURS[number % len(COLOURS)], name, str(number + 1)))
    order = sorted(range(len(lines)), key=lambda number: number != view.curve)
    deepest = story.deepest if story is not None else 0
    return Plot(tuple(lines[number] for number in order), Axis(1.0, max(2.0, float(deepest)), "whole"), up)

"""The texts of the Horizon screen: pure functions from the state to what is drawn."""

from __future__ import annotations

from rich.text import Text

from engines.game import SHOWN_WIN
from workbench.horizon.desk import HorizonDesk
from workbench.horizon.view import MARK, POSTPONES, signed_value
from workbench.render.lines import numbered_line
from workbench.render.values import value_text

DIM, STRONG = "dim", "bold"
WRONG, RIGHT = "bold red", "bold green"
SHORT = {
    "plain": "plain",
    "quiescence": "quiesc",
    "check extension": "check",
    "singular extension": "singul",
    "all of them": "all",
    "quiescence + check extension": "q+chk",
    "quiescence + singular extension": "q+sing",
}
NARROWEST, WIDEST = 7, 10
"""The least and greatest width of one search's column."""
DEPTH_WIDTH = 3


def story_text(lab: HorizonDesk) -> Text:
    """The story, the truth, and the remedy."""
    story = lab.story
    if story is None:
        return Text(lab.problem or "The first search is on its way.", DIM)
    text = Text(story.text)
    if story.truth:
        text.append("\n\nTrue is: ", RIGHT)
        text.append(story.truth)
    if story.remedy:
        text.append("\nSeen by: ", RIGHT)
        text.append(f"{story.remedy}.")
    if lab.problem:
        text.append(f"\n{lab.problem}", DIM)
    elif lab.busy and not story.complete:
        text.append("\nSearching ...", DIM)
    return text


def belief_text(lab: HorizonDesk) -> Text:
    """The value and line of the shown search at the shown depth."""
    row, story = lab.row, lab.story
    position = lab.entry.position
    if row is None or story is None:
        return Text("What is believed appears here as soon as the search is done.", DIM)
    name = story.curves[lab.shown_lane].configuration.name
    wrong = lab.is_wrong(row)
    text = Text.assemble((name, STRONG), (f" at depth {lab.depth} believes ", DIM))
    text.append(value_text(row.value, position.game), WRONG if wrong else RIGHT if wrong is False else STRONG)
    text.append("" if wrong is None else ", wrong" if wrong else ", right", DIM)
    text.append("\n")
    postponing = lab.postponing()
    kinds = lab.kinds()
    for ply, move in enumerate(numbered_line(position, row.pv)):
        style = POSTPONES if ply in postponing else ""
        if lab.at is not None and ply == lab.at - 1:
            style += " reverse"
        text.append(move + (MARK if ply in postponing else ""), style)
        if ply in postponing and kinds[ply].kind:
            text.append(f" {kinds[ply].kind}", DIM)
        text.append(" ")
    if postponing:
        text.append(f" {MARK} only postpones", DIM)
    return text


def values_text(lab: HorizonDesk, width: int) -> Text:
    """A table of values by depth with a column for each search. The shown value is in reverse video."""
    story = lab.story
    if story is None or not story.curves:
        return Text("Values by depth appear here, a column for each search.", DIM)
    column = max(NARROWEST, min(WIDEST, (width - DEPTH_WIDTH) // len(story.curves)))
    text = Text("", no_wrap=True)
    text.append(f"{'':>{DEPTH_WIDTH}}")
    for number, curve in enumerate(story.curves):
        name = SHORT.get(curve.configuration.name, curve.configuration.name)[: column - 1]
        text.append(" " * (column - len(name)))
        text.append(name, "bold underline" if number == lab.shown_lane else DIM)
    for depth in range(1, story.deepest + 1):
        text.append(f"\n{depth:>{DEPTH_WIDTH}}", STRONG if depth == lab.depth else DIM)
        for number, curve in enumerate(story.curves):
            row = curve.at(depth)
            cell = "" if row is None else signed_value(row.value, lab.entry.position)
            if number == story.fooled and depth == story.depth:
                cell = f"▸{cell}"
            wrong = lab.is_wrong(row)
            style = "red" if wrong else "bold green" if wrong is False else ""
            if depth == lab.depth and number == lab.shown_lane:
                style += " reverse"
            text.append(" " * (column - len(cell)))
            text.append(cell, style)
    return text


def values_note(lab: HorizonDesk) -> str:
    """What the signs in the table mean."""
    story = lab.story
    if story is None or story.depth is None:
        return ""
    wins = any(abs(row.value) > SHOWN_WIN / 2 for curve in story.curves for row in curve.rows)
    return "▸ fooled; bold: right" + ("; #n: won in n plies" if wins and lab.entry.position.game.has_winner else "")

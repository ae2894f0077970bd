"""The review of a game as text, for terminal and app."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engines.position import Position
from workbench.render.lines import numbered_line
from workbench.render.style import BAD, DIM, GOOD, STRONG
from workbench.render.values import counted, value_text
from workbench.review.job import MARKS, Review, ReviewedMove, effect_words

CHART_HEIGHT, CHART_WIDTH = 7, 72
MARK_STYLES = {"inaccuracy": "yellow", "mistake": "bold yellow", "blunder": "bold red"}
NAMES = ("blunder", "mistake", "inaccuracy")


def review(found: Review, end: Position, ending: str = "") -> RenderableType:
    """The chart of chances by move, how each side played, and every mistake."""
    parts: list[RenderableType] = [Text(title(end, ending), STRONG), chart(found.chances, end)]
    parts += [Text(sides(found, side, end)) for side in (0, 1)]
    if found.mistakes:
        parts.append(mistakes(found, end))
    parts.append(Text(verdict(found), DIM))
    return Group(*parts)


def title(end: Position, ending: str) -> str:
    """The title: which game it is, and how it ended."""
    game = end.game
    name = " ".join(word for word in (game.title, game.size) if word)
    count = len(end.played)
    return f"{name}, {count} {'ply' if count == 1 else 'plies'}" + (f": {ending}" if ending else "")


def sides(found: Review, side: int, end: Position) -> str:
    """How one side played, in a sentence."""
    moves = sum(row.side == side for row in found.moves)
    best = found.count(side, "best")
    wrong = [f"{count} {name_of(name, count)}" for name in NAMES if (count := found.count(side, name))]  # type: ignore[arg-type]
    share = f"{best} of {counted(moves, 'move')} the best" if moves else "no move"
    return f"{end.game.players[side]}: {share}; {', '.join(wrong) or 'no mistake'}."


def name_of(verdict: str, count: int) -> str:
    """The name of a verdict, in the singular or plural."""
    return verdict if count == 1 else f"{verdict[:-1]}ies" if verdict.endswith("y") else f"{verdict}s"


def mistakes(found: Review, end: Position) -> Table:
    """The table of mistakes."""
    table = Table(box=None, header_style=DIM, padding=(0, 1))
    for name in ("move", "", "value", "why"):
        table.add_column(name, no_wrap=name != "why", justify="right" if name == "value" else "left")
    for row in found.mistakes:
        before = place(end, row.ply - 1)
        words = Text(row.words)
        if effect := effect_words(row, before):
            words.append(f" {effect}", "cyan")
        mark = Text(MARKS[row.verdict], MARK_STYLES[row.verdict])
        table.add_row(move_name(row, end), mark, value_text(row.value, end.game), words)
    return table


def verdict(found: Review) -> str:
    """A sentence on how reliable the review is."""
    proven = sum(outcome is not None for outcome in found.outcomes)
    said = f"{counted(found.nodes, 'node')} for each position; the truth is known of {proven} of {len(found.outcomes)}."
    return said if found.complete else f"{said} It was stopped at {100 * found.share:.0f} %."


def place(end: Position, ply: int) -> Position:
    """The position of a game after so many plies."""
    return Position(end.game, end.start, end.played[:ply])


def move_name(row: ReviewedMove, end: Position) -> str:
    """A move with its number: `12...Qxb7`, or the ply in games without move numbers."""
    before = place(end, row.ply - 1)
    name = numbered_line(before, (row.move,))[0]
    return name if end.game.numbers_moves_in_pairs else f"{row.ply}. {name}"


def chart(chances: Sequence[float | None], end: Position, width: int = CHART_WIDTH, height: int = CHART_HEIGHT) -> Text:
    """A chart of who stood better after each ply: above the axis the first player, below it the second."""
    names = [player[:8] for player in end.game.players]
    edge = max(map(len, names)) + 1
    columns = spread(chances, min(width - edge, len(chances)))
    half = height // 2
    lines = []
    for row in range(height):
        label = names[0] if row == 0 else names[1] if row == height - 1 else ""
        line = Text(f"{label:<{edge}}", DIM)
        for value in columns:
            line.append(*cell(value, half - row, half))
        lines.append(line)
    axis = Text(" " * edge + f"{0:<{max(1, len(columns) - len(str(len(chances) - 1)))}}{len(chances) - 1}", DIM)
    return Text("\n").join([*lines, axis])


def cell(value: float | None, level: int, half: int) -> tuple[str, str]:
    """One character of the chart and its style; `level` counts upwards from the middle."""
    if level == 0:
        return ("─" if value is not None else "·"), DIM
    if value is None or value * level <= 0:
        return " ", ""
    filled = abs(value) * half - (abs(level) - 1)
    style = GOOD if value > 0 else BAD
    if filled >= 0.75:
        return "█", style
    if filled >= 0.25:
        return ("▄" if level > 0 else "▀"), style
    return " ", ""


def spread(values: Sequence[float | None], columns: int) -> list[float | None]:
    """One value for each column. Where several values share a column, the one farthest from 0."""
    found: list[float | None] = []
    for column in range(columns):
        first, last = column * len(values) // columns, (column + 1) * len(values) // columns
        some = [value for value in values[first : max(last, first + 1)] if value is not None]
        found.append(max(some, key=abs) if some else None)
    return found

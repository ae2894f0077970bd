"""The review of a game as text, for the command and the Review screen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engines.contract import InputError
from engines.position import Position
from workbench.render.lines import numbered_line
from workbench.render.plots.axis import Axis
from workbench.render.plots.chart import Plot, PlotLine
from workbench.render.style import BAD, DIM, GOOD, STRONG, bar, coloured
from workbench.render.values import counted, value_text
from workbench.review.job import MARKS, Review, ReviewedMove, effect_words

CHART_HEIGHT, CHART_WIDTH = 7, 72
MARK_STYLES = {"inaccuracy": "yellow", "mistake": "bold yellow", "blunder": "bold red"}
LINE_SHOWN = 8
"""The most moves of a continuation that are shown."""
NAMES = ("blunder", "mistake", "inaccuracy")


def review(reviewed: Review, end: Position, ending: str = "") -> RenderableType:
    """The chart of chances by move, how each side played, and every mistake."""
    parts: list[RenderableType] = [Text(title(end, ending), STRONG), chart(reviewed.chances, end)]
    parts += [Text(both_sides(reviewed, end))]
    if reviewed.mistakes:
        parts.append(mistakes(reviewed, end))
    parts.append(Text(verdict(reviewed), DIM))
    return Group(*parts)


def title(end: Position, ending: str) -> str:
    """The title: which game it is, and how it ended."""
    game = end.game
    name = " ".join(word for word in (game.title, game.size) if word)
    count = len(end.played)
    return f"{name}, {count} {'ply' if count == 1 else 'plies'}" + (f": {ending}" if ending else "")


def both_sides(reviewed: Review, end: Position) -> str:
    """How each side played, a sentence on each line."""
    return "\n".join(one_side(reviewed, side, end) for side in (0, 1))


def one_side(reviewed: Review, side: int, end: Position) -> str:
    """How one side played, in a sentence."""
    moves = sum(row.side == side for row in reviewed.moves)
    best = reviewed.count(side, "best")
    wrong = [f"{count} {name_of(name, count)}" for name in NAMES if (count := reviewed.count(side, name))]  # type: ignore[arg-type]
    share = f"best move {best} of {counted(moves, 'time')}" if moves else "no move"
    return f"{end.game.players[side]}: {share}; {', '.join(wrong) or 'no mistake'}."


def name_of(verdict: str, count: int) -> str:
    """The name of a verdict, in the singular or plural."""
    return verdict if count == 1 else f"{verdict[:-1]}ies" if verdict.endswith("y") else f"{verdict}s"


def mistakes(reviewed: Review, end: Position) -> Table:
    """The table of mistakes."""
    table = Table(box=None, header_style=DIM, padding=(0, 1))
    for name in ("move", "", "value", "why"):
        table.add_column(name, no_wrap=name != "why", justify="right" if name == "value" else "left")
    for row in reviewed.mistakes:
        words = with_effect(Text(row.words), " ", row, end)
        mark = Text(MARKS[row.verdict], MARK_STYLES[row.verdict])
        table.add_row(move_name(row.ply, row.move, end), mark, value_text(row.value, end.game), words)
    return table


def with_effect(text: Text, between: str, row: ReviewedMove, end: Position) -> Text:
    """A text about a move, with the horizon effect before it if there is one."""
    effect = effect_words(row, place(end, row.ply - 1))
    return text.append(f"{between}{effect}", "cyan") if effect else text


def verdict(reviewed: Review) -> str:
    """A sentence on how reliable the review is."""
    proven = sum(outcome is not None for outcome in reviewed.outcomes)
    nodes, count = counted(reviewed.nodes, "node"), len(reviewed.outcomes)
    said = f"{nodes} for each position; the truth is known for {proven} of {count}."
    return said if reviewed.complete else f"{said} It was stopped at {100 * reviewed.share:.0f} %."


def place(end: Position, ply: int) -> Position:
    """The position of a game after so many plies."""
    return Position(end.game, end.start, end.played[:ply])


def move_name(ply: int, move: str, end: Position) -> str:
    """A move with its number: `12...Qxb7`, or the ply in games without move numbers."""
    name = numbered_line(place(end, ply - 1), (move,))[0]
    return name if end.game.numbers_moves_in_pairs else f"{ply}. {name}"


def status_line(reviewed: Review | None, end: Position, ending: str, problem: InputError | None, running: bool) -> Text:
    """The status on one line, for the top of a screen: which game it is, and how far the review is, or how many mistakes
    there are."""
    text = Text(" Review ", "bold", no_wrap=True, overflow="ellipsis")
    text.append(title(end, ending), STRONG)
    if problem:
        text.append(f"  {problem}", "bold red")
    elif running:
        share = reviewed.share if reviewed else 0.0
        text.append(f"  ● {bar(share, 16)} {100 * share:3.0f} %", "bold green")
    elif reviewed:
        count = len(reviewed.mistakes)
        text.append(f"  ■ {counted(count, 'mistake') if count else 'no mistakes'}", STRONG)
    return text


def move_line(reviewed: Review | None, ply: int, move: str, end: Position) -> Text:
    """A line for a list of moves: the name of the move at a ply, its mark, and the value after it. Ply 0 is the start."""
    row = reviewed.at(ply) if reviewed else None
    mark = MARKS[row.verdict] if row else ""
    text = Text(f"{move_name(ply, move, end) if ply else 'start':<10}", STRONG if mark else "", no_wrap=True)
    text.append(f"{mark:<3}", MARK_STYLES.get(row.verdict, "") if row else "")
    value = reviewed.values[ply] if reviewed and ply < len(reviewed.values) else None
    if reviewed and value is not None:
        text.append(f"{value_text(value, end.game):>10}", coloured(value))
        if reviewed.outcomes[ply] is not None:
            text.append(" ■", DIM)
    return text


def move_story(row: ReviewedMove, end: Position) -> Text:
    """What there is to say of a move: its verdict and why, the continuation after the better move, and a horizon effect."""
    text = Text.assemble((f"{move_name(row.ply, row.move, end)} ", STRONG))
    text.append(f"{row.verdict}. ", MARK_STYLES.get(row.verdict, "green"))
    text.append(row.words or f"It led to {value_text(row.value, end.game)}.")
    if len(row.line) > 1:
        before = place(end, row.ply - 1)
        text.append(f"\n{' '.join(before.game.pretty_line(before.state, row.line[:LINE_SHOWN]))}", DIM)
    return with_effect(text, "\n", row, end)


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


def chances_plot(review: Review | None, end: Position, ply: int) -> Plot:
    """Who stood better after each ply, with the mistakes and the ply that is shown."""
    chances: Sequence[float | None] = review.chances if review is not None else ()
    points = [(float(number), one) for number, one in enumerate(chances) if one is not None]
    wrong = [(float(row.ply), chances[row.ply] or 0.0) for row in review.mistakes] if review is not None else []
    here = [point for point in points if point[0] == ply]
    lines = [PlotLine(here, "red", "shown", "◆", has_line=False)] if here else []
    lines += [PlotLine(wrong, "yellow", "mistake", "?", has_line=False)] if wrong else []
    lines.append(PlotLine(points, "green"))
    names = (f"{end.game.players[0]} wins", f"{end.game.players[1]} wins")
    return Plot(tuple(lines), Axis(0.0, max(2.0, float(len(end.played))), "whole"), Axis(-1.0, 1.0, names=names))


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

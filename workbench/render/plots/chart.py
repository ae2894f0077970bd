"""A plot as text: lines in braille dots, two axes, a line at zero, and a legend above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from workbench.render.plots.axis import Axis, Tick, apart
from workbench.render.style import DIM

ACROSS, UP = 2, 4
"""Dots of a cell in braille, across and up."""
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of the dots of a cell, from its upper left one."""
BLANK = 0x2800
SAMPLE = "⠒⠒"
"""A piece of a line, for the legend."""
ZERO, ZERO_STYLE = "╌", "dim"
LEAST_WIDTH, LEAST_HEIGHT = 8, 3
"""Cells that lines need at least."""
ROWS_APART = 2
"""A tick beside each such row at most."""

COLOURS = ("#3fa35b", "#3b8ac4", "#c08a1e", "#9a6dd7", "#d0643c", "#2aa198", "#b58db0")
"""The colours of several lines, whose points also show their numbers."""

Point = tuple[float, float]


@dataclass(frozen=True)
class PlotLine:
    """Points with a line through them."""

    points: Sequence[Point]
    style: str
    name: str = ""
    """What the legend calls it; empty for one that the legend leaves out."""
    mark: str = ""
    """A character drawn at every point."""
    has_line: bool = True
    """Whether a line joins the points; without one, there are marks alone."""


@dataclass(frozen=True)
class Plot:
    """Everything that is drawn. Earlier lines lie above later ones, and the legend has their order."""

    lines: tuple[PlotLine, ...]
    across: Axis
    up: Axis

    @property
    def has_lines(self) -> bool:
        """Whether there is anything that a plot would show: two points at different places across."""
        return len({x for line in self.lines for x, _ in line.points}) > 1


class PlotCells:
    """The cells between the axes."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.bits = [[0] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]
        self.marks = [[""] * width for _ in range(height)]

    def dot(self, x: int, y: int, style: str) -> None:
        """Set a dot, counted from the upper left; outside there is none."""
        if 0 <= x < self.width * ACROSS and 0 <= y < self.height * UP:
            row, column = y // UP, x // ACROSS
            self.bits[row][column] |= DOTS[y % UP][x % ACROSS]
            self.styles[row][column] = style

    def line(self, one: tuple[int, int], other: tuple[int, int], style: str) -> None:
        """Join two dots."""
        wide, high = other[0] - one[0], other[1] - one[1]
        steps = max(abs(wide), abs(high), 1)
        for step in range(steps + 1):
            self.dot(one[0] + round(wide * step / steps), one[1] + round(high * step / steps), style)

    def mark(self, x: int, y: int, sign: str, style: str) -> None:
        """Put a character where a dot would be."""
        if 0 <= x < self.width * ACROSS and 0 <= y < self.height * UP:
            row, column = y // UP, x // ACROSS
            self.marks[row][column], self.styles[row][column] = sign, style

    def row(self, number: int, is_zero: bool) -> Text:
        """A row as text; one at zero shows the line there where nothing else is."""
        text = Text()
        for bits, mark, style in zip(self.bits[number], self.marks[number], self.styles[number], strict=True):
            if mark or bits:
                text.append(mark or chr(BLANK + bits), style)
            else:
                text.append(ZERO if is_zero else " ", ZERO_STYLE if is_zero else "")
        return text


def chart(plot: Plot, width: int, height: int) -> Text:
    """The plot in so many columns and lines; where there is no room for it, a sentence that says so."""
    legend = legend_of(plot, width)
    rows = height - len(legend) - 2
    if rows < LEAST_HEIGHT:
        legend, rows = [], height - 2
    beside = plot.up.ticks(lambda ticks: apart([(-(y := _row(plot.up, at, rows)), -y) for at, _ in ticks], ROWS_APART))
    margin = max((len(label) for _, label in beside), default=0)
    columns = width - margin - 2
    if columns < LEAST_WIDTH or rows < LEAST_HEIGHT:
        return Text("A plot needs more room.", DIM)
    cells = PlotCells(columns, rows)
    for line in reversed(plot.lines):
        draw(line, plot, cells)
    labels = {_row(plot.up, at, rows): label for at, label in beside}
    zero = _row(plot.up, 0.0, rows) if plot.up.scale != "log" and plot.up.least < 0 < plot.up.most else None
    text = Text(no_wrap=True, overflow="crop")
    for names in legend:
        text.append_text(names)
        text.append("\n")
    for number in range(rows):
        text.append(labels.get(number, "").rjust(margin), DIM)
        text.append(" ┤" if number in labels else " │", DIM)
        text.append_text(cells.row(number, number == zero))
        text.append("\n")
    below = plot.across.ticks(lambda ticks: apart([_span(plot.across, tick, columns, margin) for tick in ticks], 2))
    text.append_text(_below(plot.across, below, columns, margin))
    return text


def draw(line: PlotLine, plot: Plot, cells: PlotCells) -> None:
    """Draw a line and its marks into the cells."""
    dots = [
        (
            round(plot.across.share(x) * (cells.width * ACROSS - 1)),
            round((1 - plot.up.share(y)) * (cells.height * UP - 1)),
        )
        for x, y in line.points
    ]
    if line.has_line:
        for one, other in zip(dots, dots[1:] or dots, strict=False):
            cells.line(one, other, line.style)
    if line.mark:
        for dot in dots:
            cells.mark(*dot, line.mark, f"bold {line.style}")


def legend_of(plot: Plot, width: int) -> list[Text]:
    """The names of the lines in their colours, in as many rows as they need."""
    rows: list[Text] = []
    for line in (line for line in plot.lines if line.name):
        sample = f"{SAMPLE if line.has_line else ''}{line.mark}"
        if not rows or rows[-1].cell_len + len(sample) + len(line.name) + 4 > width:
            rows.append(Text())
        rows[-1].append(" ")
        rows[-1].append(sample, line.style)
        rows[-1].append(f" {line.name} ")
    for names in rows:
        names.truncate(width, overflow="ellipsis")
    return rows


def _row(axis: Axis, value: float, rows: int) -> int:
    """The row in which a value is drawn, counted from above."""
    return round((1 - axis.share(value)) * (rows * UP - 1)) // UP


def _column(axis: Axis, value: float, columns: int) -> int:
    return round(axis.share(value) * (columns * ACROSS - 1)) // ACROSS


def _span(axis: Axis, tick: Tick, columns: int, margin: int) -> tuple[int, int]:
    """Where the label of a tick begins and ends below the axis: under its tick, but whole."""
    at, label = tick
    begins = margin + 2 + _column(axis, at, columns) - len(label) // 2
    begins = max(0, min(begins, margin + 2 + columns - len(label)))
    return begins, begins + len(label)


def _below(axis: Axis, ticks: Sequence[Tick], columns: int, margin: int) -> Text:
    """The axis, and the labels below it."""
    line, labels = ["─"] * columns, [" "] * (margin + 2 + columns)
    for tick in ticks:
        line[_column(axis, tick[0], columns)] = "┬"
        begins, ends = _span(axis, tick, columns, margin)
        labels[begins:ends] = tick[1]
    return Text(f"{' ' * margin} └{''.join(line)}\n{''.join(labels)}", DIM)

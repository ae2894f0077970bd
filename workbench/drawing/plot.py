"""Numbers as pictures: values by depth as a line, and bars beside their names."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import Report
from engines.game import SHOWN_WIN
from engines.position import Position
from workbench.drawing.picture import Picture, circle, line, number, rect, text, words
from workbench.render.report_rows import stage_title
from workbench.render.values import row_value_text

WIDTH, HEIGHT = 560.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 72.0, 16.0, 16.0, 44.0
MOST_TICKS = 12
CLOSEST = 15.0
"""Pixels between two numbers at the edge: one of them gives way if they are closer."""
COLOUR = "#0072b2"
BAR = 22.0
LONGEST_NAME = 40
UNITS = ((1e9, " G"), (1e6, " M"), (1e3, " k"))

Point = tuple[int, float, str]
"""Depth, value, and the value in words."""


def line_picture(title: str, across: str, points: Sequence[Point], largest: float = float("inf")) -> Picture:
    """Values by depth, joined by a line. What is beyond `largest` is a win: it has no number and stands at the edge."""
    numbers = [value for _, value, _ in points if abs(value) < largest]
    low, high = min(*numbers, 0.0, 0.0), max(*numbers, 0.0, 0.0)
    if low == high:
        low, high = -1.0, 1.0
    first, last = min(depth for depth, _, _ in points), max(depth for depth, _, _ in points)

    def x(depth: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((depth - first) / (last - first) if last > first else 0.5)

    def y(value: float) -> float:
        share = min(max((value - low) / (high - low), 0.0), 1.0)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share

    shapes = [line(LEFT, y(0.0), WIDTH - RIGHT, y(0.0), width=1), line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, width=1)]
    shown: list[float] = []
    for value in dict.fromkeys((0.0, low, high)):
        if all(abs(y(value) - y(other)) >= CLOSEST for other in shown):
            shown.append(value)
            shapes.append(text(LEFT - 8, y(value), short(value), anchor="end"))
    step = max(1, -(-(last - first + 1) // MOST_TICKS))
    shapes += [text(x(depth), HEIGHT - BOTTOM + 14, str(depth)) for depth in range(first, last + 1, step)]
    shapes.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, across))
    joined = " ".join(f"{number(x(depth))},{number(y(value))}" for depth, value, _ in points)
    shapes.append(f'<polyline points="{joined}" fill="none" stroke="{COLOUR}" stroke-width="2"/>')
    for depth, value, said in points:
        dot = circle(x(depth), y(value), 4, "none" if abs(value) >= largest else COLOUR, COLOUR, 2)
        shapes.append(f"<g>{dot}<title>{across} {depth}: {words(said)}</title></g>")
    about = "; ".join(f"{across} {depth}: {said}" for depth, _, said in points)
    return Picture(WIDTH, HEIGHT, title, about, tuple(shapes))


def value_picture(report: Report, position: Position, title: str) -> Picture | None:
    """The value of a search by depth, or by checkpoint; None if it has none at two of them."""
    game = position.game
    points = [(row.depth, row.value, row_value_text(row, game)) for row in report.depths if row.value is not None]
    if len(points) < 2:
        return None
    largest = SHOWN_WIN / 2 if game.has_winner else float("inf")
    stage = stage_title(report.algorithm, report.iterations is not None)
    return line_picture(title.format(stage=stage), stage, points, largest)


def bar_picture(title: str, bars: Sequence[tuple[str, float, str]]) -> Picture:
    """A bar for each name, with its number in words behind it."""
    names = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name, _, _ in bars]
    left = 16 + 7.2 * max(map(len, names))
    most = max((value for _, value, _ in bars), default=0) or 1
    room = max(120.0, WIDTH - left - 110)
    shapes = []
    for place, (name, (_, value, said)) in enumerate(zip(names, bars, strict=True)):
        y = TOP + BAR * place
        length = max(1.0, room * value / most)
        shapes.append(text(left - 8, y + BAR / 2, name, anchor="end"))
        shapes.append(rect(left, y + 4, length, BAR - 8, COLOUR))
        shapes.append(text(left + length + 6, y + BAR / 2, said, anchor="start"))
    about = "; ".join(f"{name}: {said}" for name, _, said in bars)
    return Picture(left + room + 110, 2 * TOP + BAR * len(bars), title, about, tuple(shapes))


def short(value: float) -> str:
    """A number at the edge of a plot: 12 k in place of 12000."""
    for unit, name in UNITS:
        if abs(value) >= unit:
            return f"{value / unit:.3g}{name}"
    return f"{value:.3g}"

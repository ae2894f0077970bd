"""A scene as SVG: a file of its own that needs nothing else, in light or dark.

What marks look like is written at each shape (`fill`, `stroke`, `stroke-dasharray` ...), so that any program shows it. Its
marks are classes besides (`class="min done path"`), and the node's key is in `data-key`: for pages that animate it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from workbench.drawing.picture import number, words
from workbench.drawing.scenes.scene import Line, Point, Scene, SceneLabel, Shape

FONT = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Theme:
    """Colours. Form and weight say the same as they do."""

    ground: str
    ink: str
    quiet: str
    """Of windows, sentences and the legend."""
    faint: str
    """Of what is not searched."""
    best: str
    path: str
    cut: str
    here: str
    fills: dict[str, str]
    """Of shapes, by who moves."""


THEMES = {
    "light": Theme(
        ground="#ffffff",
        ink="#16191d",
        quiet="#4a525c",
        faint="#7d8792",
        best="#0b4f8a",
        path="#ffe08a",
        cut="#b3261e",
        here="#b3261e",
        fills={"max": "#fbe3bd", "min": "#cfe6f7", "chance": "#d5eee3", "other": "#f0dcec", "leaf": "#ffffff"},
    ),
    "dark": Theme(
        ground="#14171c",
        ink="#eceff3",
        quiet="#b3bcc7",
        faint="#87919d",
        best="#7cc4ff",
        path="#5e4c12",
        cut="#ff8a80",
        here="#ffb199",
        fills={"max": "#5a4313", "min": "#1d4562", "chance": "#1f4d3c", "other": "#553050", "leaf": "#14171c"},
    ),
}
PLAIN, STRONG, BEST, PATH_WIDTH = 1.3, 2.6, 3.8, 10.0
"""How wide lines are."""
ARROW = 8.0
DASHES = "4 4"
UNSEARCHED = ("ahead", "never")


def svg_of(scene: Scene, theme: str = "light", about: str = "") -> str:
    """A scene as an SVG file. `about`: a text that is kept inside (`<metadata>`), such as the command that made it."""
    colours = THEMES[theme]
    size = f"{number(scene.width)} {number(scene.height)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{number(scene.width)}" '
        f'height="{number(scene.height)}" role="img" aria-labelledby="scene-title scene-about" '
        f'font-family="{escape(FONT)}">',
        f'<title id="scene-title">{words(scene.title)}</title>',
        f'<desc id="scene-about">{words(scene.sentence)}</desc>',
    ]
    if about:
        parts.append(f"<metadata>{words(about)}</metadata>")
    parts.append(f'<rect width="{number(scene.width)}" height="{number(scene.height)}" fill="{colours.ground}"/>')
    parts.append(inner_svg(scene, theme))
    return "\n".join([*parts, "</svg>", ""])


def inner_svg(scene: Scene, theme: str = "light") -> str:
    """What stands between `<svg>` and `</svg>`."""
    colours = THEMES[theme]
    lines = [_line(line, colours) for line in sorted(scene.lines, key=_weight)]
    bands = [_band(line, colours) for line in scene.lines if "path" in line.marks]
    shapes = [_shape(shape, colours) for shape in scene.shapes]
    grounds = [_ground(label, colours) for label in scene.labels if "move" in label.marks]
    labels = [_label(label, colours) for label in scene.labels]
    return "\n".join((*bands, *lines, *shapes, *grounds, *labels))


def _weight(line: Line) -> int:
    return 2 if "line" in line.marks else 0 if line.marks[:1] in (("ahead",), ("never",), ("bundle",)) else 1


def _named(marks: Iterable[str], key: str) -> str:
    found = f' class="{" ".join(marks)}"'
    return found + (f' data-key="{escape(key)}"' if key else "")


# Lines.


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def line_style(line: Line, colours: Theme) -> tuple[str, float, bool]:
    """The colour of a line, how wide it is, and whether it is dashed."""
    if "cut" in line.marks:
        return colours.cut, STRONG, False
    if "line" in line.marks:
        return colours.best, BEST, False
    if any(mark in line.marks for mark in (*UNSEARCHED, "bundle")):
        return colours.faint, PLAIN, "bundle" not in line.marks
    return colours.ink, PLAIN, False


def _line(line: Line, colours: Theme) -> str:
    colour, width, is_dashed = line_style(line, colours)
    dashes = f' stroke-dasharray="{DASHES}"' if is_dashed else ""
    drawn = (
        f'<polyline{_named(line.marks, line.key)} points="{_points(line.points)}" fill="none" stroke="{colour}" '
        f'stroke-width="{number(width)}" stroke-linejoin="round"{dashes}/>'
    )
    if line.has_arrow:
        drawn += f'<polygon points="{_points(arrow_head(line, ARROW + width))}" fill="{colour}"/>'
    return drawn


def _band(line: Line, colours: Theme) -> str:
    """The path is marked as with a broad pen, below its lines."""
    return (
        f'<polyline class="band path" points="{_points(line.points)}" fill="none" stroke="{colours.path}" '
        f'stroke-width="{number(PATH_WIDTH)}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def arrow_head(line: Line, size: float) -> tuple[Point, Point, Point]:
    """The corners of the head of an arrow, its point first."""
    (from_x, from_y), (x, y) = line.points[-2], line.points[-1]
    length = math.hypot(x - from_x, y - from_y) or 1.0
    dx, dy = (x - from_x) / length, (y - from_y) / length
    back_x, back_y, side = x - size * dx, y - size * dy, size * 0.4
    return (x, y), (back_x - side * dy, back_y + side * dx), (back_x + side * dy, back_y - side * dx)


# Shapes.


def corners_of(shape: Shape) -> tuple[Point, ...]:
    """The corners of a shape that has some."""
    x, y, w, h = shape.x, shape.y, shape.width / 2, shape.height / 2
    if shape.form == "up":
        return (x, y - h), (x + w, y + h), (x - w, y + h)
    if shape.form == "down":
        return (x - w, y - h), (x + w, y - h), (x, y + h)
    if shape.form == "diamond":
        return (x, y - h), (x + w, y), (x, y + h), (x - w, y)
    if shape.form == "pointer":
        return (x - w, y - h), (x + w, y), (x - w, y + h)
    if shape.form == "star":
        return tuple(_star(x, y, w))
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def _star(x: float, y: float, radius: float) -> Iterator[Point]:
    for tip in range(10):
        length = radius if tip % 2 == 0 else radius * 0.45
        angle = math.pi * (tip / 5 - 0.5)
        yield x + length * math.cos(angle), y + length * math.sin(angle)


def shape_style(shape: Shape, colours: Theme) -> tuple[str, str, float, bool]:
    """The fill of a shape, the colour of its edge, how wide that is, and whether it is dashed."""
    if shape.form == "pointer":
        return colours.here, colours.here, PLAIN, False
    is_dashed = any(mark in shape.marks for mark in UNSEARCHED)
    fill = colours.ground if is_dashed or "bundle" in shape.marks else colours.fills.get(shape.marks[0], colours.ground)
    if is_dashed or "bundle" in shape.marks:
        return fill, colours.faint, PLAIN, is_dashed
    if "here" in shape.marks:
        return fill, colours.here, STRONG, False
    if "line" in shape.marks:
        return fill, colours.best, STRONG, False
    return fill, colours.ink, STRONG if "path" in shape.marks else PLAIN, False


def _shape(shape: Shape, colours: Theme) -> str:
    fill, edge, width, is_dashed = shape_style(shape, colours)
    look = f'fill="{fill}" stroke="{edge}" stroke-width="{number(width)}" stroke-linejoin="round"'
    look += f' stroke-dasharray="{DASHES}"' if is_dashed else ""
    named = _named(shape.marks, shape.key)
    if shape.form == "circle":
        return f'<circle{named} cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.width / 2)}" {look}/>'
    return f'<polygon{named} points="{_points(corners_of(shape))}" {look}/>'


# Labels.


def label_colour(label: SceneLabel, colours: Theme) -> str:
    """The colour of words."""
    if "cut" in label.marks[:1]:
        return colours.cut
    if any(mark in label.marks for mark in UNSEARCHED):
        return colours.faint
    if label.marks[:1] in (("detail",), ("legend",), ("bundle",), ("row",)):
        return colours.quiet
    return colours.ink


def _ground(label: SceneLabel, colours: Theme) -> str:
    """What covers the line behind the words on it."""
    box = label.box
    return (
        f'<rect x="{number(box.left - 1)}" y="{number(box.top)}" width="{number(box.right - box.left + 2)}" '
        f'height="{number(box.bottom - box.top)}" fill="{colours.ground}"/>'
    )


def _label(label: SceneLabel, colours: Theme) -> str:
    weight = ' font-weight="bold"' if label.bold else ""
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    return (
        f'<text{_named(label.marks, label.key)} x="{number(label.x)}" y="{number(label.y + 0.35 * label.size)}" '
        f'font-size="{number(label.size)}"{weight}{anchor} fill="{label_colour(label, colours)}">{words(label.text)}</text>'
    )

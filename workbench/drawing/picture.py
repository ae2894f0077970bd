"""A picture: shapes on a surface, with a title and a description for those who cannot see it.

Text and lines that belong to the page have the page's own colour (`currentColor`), so that a picture inside a page is read
in light and dark alike. As a file of its own it has a light ground.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

FONT = "system-ui, sans-serif"


@dataclass(frozen=True)
class Picture:
    """Shapes as SVG, and the size of the surface in pixels."""

    width: float
    height: float
    title: str
    about: str
    """What there is to see, in words."""
    shapes: tuple[str, ...]

    def inline(self, name: str) -> str:
        """As a part of an HTML page; `name` is no other picture's there."""
        return self._svg(name, "", ())

    def file(self, about: str = "") -> str:
        """As a file of its own. `about`: a text that is kept inside (`<metadata>`), such as the command that made it."""
        ground = f'<rect width="{number(self.width)}" height="{number(self.height)}" fill="#ffffff"/>'
        inside = (f"<metadata>{words(about)}</metadata>",) if about else ()
        return self._svg("picture", ' xmlns="http://www.w3.org/2000/svg" color="#1b1f24"', (*inside, ground)) + "\n"

    def _svg(self, name: str, more: str, ground: Iterable[str]) -> str:
        size = f"{number(self.width)} {number(self.height)}"
        return "\n".join(
            (
                f'<svg viewBox="0 0 {size}" width="{number(self.width)}" height="{number(self.height)}" role="img"'
                f' aria-labelledby="{name}-title {name}-about" font-family="{FONT}"{more}>',
                f'<title id="{name}-title">{words(self.title)}</title>',
                f'<desc id="{name}-about">{words(self.about)}</desc>',
                *ground,
                *self.shapes,
                "</svg>",
            )
        )


def number(value: float) -> str:
    """A coordinate, as short as it can be."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def words(text: str) -> str:
    """Any text, fit for SVG: what no XML may contain is left out."""
    return escape(re.sub(r"[^\t\n\r -\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]", "", text))


def text(
    x: float, y: float, said: str, size: float = 12, anchor: str = "middle", fill: str = "currentColor", bold: bool = False
) -> str:
    """Words with their middle at a height."""
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
    return f'<text {place} text-anchor="{anchor}" dominant-baseline="central" fill="{fill}"{weight}>{words(said)}</text>'


def rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    """A filled rectangle."""
    size = f'width="{number(width)}" height="{number(height)}"'
    return f'<rect x="{number(x)}" y="{number(y)}" {size} fill="{fill}"{" " + more if more else ""}/>'


def circle(x: float, y: float, radius: float, fill: str, stroke: str = "none", width: float = 1) -> str:
    """A disc, or a ring."""
    edge = f'stroke="{stroke}" stroke-width="{number(width)}"'
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" {edge}/>'


def line(x: float, y: float, to_x: float, to_y: float, stroke: str = "currentColor", width: float = 1) -> str:
    """A straight line."""
    ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(to_x)}" y2="{number(to_y)}"'
    return f'<line {ends} stroke="{stroke}" stroke-width="{number(width)}"/>'

"""One man on its square as a picture (SVG), for terminals that show images.

Pieces of chess are python-chess's drawings; discs, stones with their number, and the letters of other games are drawn here.
Their colours are those of the men made of block characters (`workbench.render.men`).
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from workbench.drawing.board import chess_man
from workbench.drawing.picture import circle, number, rect
from workbench.render.men.colours import ON_MEN, luminance
from workbench.render.men.sprites import DISC

CHESS = {"♚": "k", "♛": "q", "♜": "r", "♝": "b", "♞": "n", "♟": "p"}
"""The letters of python-chess's drawings, by the symbol of a man."""
CHESS_WIDTH, CHESS_EDGE = 45.0, 3.5
"""How wide these drawings are, and how much of them at each edge is empty."""
SIDE = 100.0
"""The units in which men are drawn."""
STROKES = {
    "1": "M36 32 L54 18 V82",
    "2": "M30 34 C30 12 70 12 70 36 C70 54 30 62 30 82 H72",
    "3": "M32 26 C40 12 68 14 68 34 C68 46 56 49 46 49 C60 49 72 54 72 67 C72 88 38 88 29 73",
    "4": "M62 82 V18 L26 62 H76",
    "5": "M68 18 H36 L33 46 C44 38 71 40 71 62 C71 86 38 87 29 73",
    "6": "M66 20 C48 22 31 42 31 62 C31 88 71 88 71 63 C71 42 40 42 32 60",
    "X": "M24 24 L76 76 M76 24 L24 76",
    "O": "M50 22 A28 28 0 0 1 50 78 A28 28 0 0 1 50 22 Z",
    "Z": "M26 24 H74 L26 76 H74",
}
"""Numbers and letters as lines, in units of which there are 100 in a square: a picture must not depend on a font."""


class Man(NamedTuple):
    """A man and the colours of its picture, such as `#8f7045`."""

    name: str
    """As for a sprite: a filled symbol of chess, `●`, a number in a filled circle, or a letter."""
    ink: str
    own: str
    """The colour of the square close to the man."""
    ground: str
    """The colour of the rest of the square: another one where a mark's colour would hide the man."""
    bracket: str = ""
    """The colour of the bracket that shows the cursor at the right edge, if it is there."""


class ManPicture(NamedTuple):
    """A man, and the measures of its picture in pixels."""

    man: Man
    width: int
    height: int
    edge: int
    """How much at the right is beside the man: the column of the bracket."""
    line: int = 0
    """The middle of the bracket, from above."""


def has_picture(name: str) -> bool:
    """Whether there is a drawing of a man of that name."""
    return name in CHESS or name == DISC or (len(name) == 1 and _written(name) in STROKES)


def man_svg(picture: ManPicture) -> str:
    """The picture of a man, as large as it can be in the middle of the room that it has."""
    man, width, height, edge, line = picture
    side = min(width - edge, height)
    left, top = (width - edge - side) / 2, (height - side) / 2
    shapes = [rect(0, 0, width, height, man.ground)]
    if man.own != man.ground:
        shapes.append(rect(left, top, side, side, man.own, f'rx="{number(side * 0.18)}"'))
    shapes.append(f'<g transform="translate({number(left)} {number(top)}) scale({side / SIDE:.4f})">{_figure(man)}</g>')
    if man.bracket:
        x, y = width - edge / 2, line - 0.8 * edge
        path = (
            f"M{number(x - edge * 0.2)} {number(y)} H{number(x + edge * 0.2)} v{number(1.6 * edge)} h{number(-edge * 0.4)}"
        )
        shapes.append(f'<path d="{path}" fill="none" stroke="{man.bracket}" stroke-width="{number(edge / 6)}"/>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{"".join(shapes)}</svg>'


def _figure(man: Man) -> str:
    """The man alone, in a square of 100 units."""
    middle = SIDE / 2
    if man.name in CHESS:
        letter = CHESS[man.name]
        drawn = chess_man(letter.upper() if luminance(man.ink) > 0.5 else letter)
        scale = SIDE / (CHESS_WIDTH - 2 * CHESS_EDGE)
        return f'<g transform="scale({scale:.4f}) translate({-CHESS_EDGE} {-CHESS_EDGE})">{drawn}</g>'
    if man.name == DISC:
        return circle(middle, middle, 42, man.ink)
    written = _written(man.name)
    if written == man.name:
        return _lines(written, man.ink)
    stone = rect(8, 8, 84, 84, man.ink, 'rx="16"')
    return stone + f'<g transform="translate(14 14) scale(0.72)">{_lines(written, ON_MEN)}</g>'


def _written(name: str) -> str:
    """What is written for a man: its letter, or the number that stands on the stone."""
    digit = unicodedata.digit(name, None)
    return name if digit is None else str(digit)


def _lines(written: str, ink: str) -> str:
    return (
        f'<path d="{STROKES[written]}" fill="none" stroke="{ink}" stroke-width="13" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )

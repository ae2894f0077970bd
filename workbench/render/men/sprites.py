"""Large pictures of men, made of pixels. In a terminal a cell shows two of them, one above the other.

Most are drawn by hand in `sprites.txt`: a line with the name and the size, then the rows. Larger ones are made of them by
doubling; discs and stones with a number are made in any size.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import cache
from pathlib import Path

Pixels = tuple[str, ...]
"""The rows of a picture: MAN, NUMBER, RIM or GROUND."""
MAN, NUMBER, RIM, GROUND = "#", "o", "+", "."
"""A pixel of the man, of the number on it, next to it, or of the square behind it."""
RAISED = (MAN, NUMBER)
DISC = "●"
LEAST_DISC, LEAST_STONE, LEAST_NUMBERED = 4, 5, 7
"""The smallest disc that is round, the smallest stone, and the smallest one that has room for its number in pixels."""
LARGEST = 36
"""More pixels than this no picture is wide."""


@cache
def _drawn() -> dict[str, dict[int, Pixels]]:
    """The pictures drawn by hand, by name and size."""
    found: defaultdict[str, dict[int, Pixels]] = defaultdict(dict)
    lines = Path(__file__).with_name("sprites.txt").read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        name, size = lines[at].split()
        found[name][int(size)] = tuple(lines[at + 1 : at + 1 + int(size)])
        at += 1 + int(size)
    return dict(found)


@cache
def sprite(name: str, room: int) -> Pixels:
    """The largest picture of a man that is at most `room` pixels wide and high; empty if there is none.

    The name is a chess man's filled symbol, `●`, a number in a filled circle such as `❶`, or a letter."""
    room = min(room, LARGEST)
    number = unicodedata.digit(name, None)
    if name == DISC:
        return disc(room - room % 2 if room > LEAST_NUMBERED else room) if room >= LEAST_DISC else ()
    if number is not None:
        return stone(str(number), room) if room >= LEAST_STONE else ()
    sizes = _sizes(name)
    return next((sizes[size] for size in sorted(sizes, reverse=True) if size <= room), ())


@cache
def _sizes(name: str) -> dict[int, Pixels]:
    """All pictures of a name by their size: those drawn by hand, and those made of them by doubling."""
    found = dict(_drawn().get(name, {}))
    for size in sorted(found):
        larger = found[size]
        while len(larger) * 2 <= LARGEST:
            larger = doubled(larger)
            found.setdefault(len(larger), larger)
    return found


def doubled(pixels: Pixels) -> Pixels:
    """A picture twice as large, its slopes smoothed (Scale2x): a quarter of a pixel takes the colour of two neighbours that
    agree, unless all around are the same."""

    def at(row: int, column: int) -> str:
        inside = 0 <= row < len(pixels) and 0 <= column < len(pixels[0])
        return pixels[row][column] if inside else GROUND

    rows = []
    for row in range(len(pixels)):
        above, below = "", ""
        for column in range(len(pixels[0])):
            own, up, down = at(row, column), at(row - 1, column), at(row + 1, column)
            left, right = at(row, column - 1), at(row, column + 1)
            slopes = up != down and left != right
            above += (left if slopes and left == up else own) + (right if slopes and right == up else own)
            below += (left if slopes and left == down else own) + (right if slopes and right == down else own)
        rows += [above, below]
    return tuple(rows)


def disc(size: int) -> Pixels:
    """A disc."""
    middle, reach = (size - 1) / 2, (size / 2) ** 2
    return tuple(
        "".join(MAN if (x - middle) ** 2 + (y - middle) ** 2 <= reach else GROUND for x in range(size)) for y in range(size)
    )


def stone(number: str, size: int) -> Pixels:
    """A square stone with rounded corners and its number on it, if there is room for that."""
    times = (size - 2) // 5
    if size < LEAST_NUMBERED:
        return (MAN * size,) * size
    figure = [
        "".join(NUMBER if pixel == MAN else MAN for pixel in row for _ in range(times))
        for row in _drawn()[number][5]
        for _ in range(times)
    ]
    above, left = (size - len(figure)) // 2, (size - len(figure[0])) // 2
    blank = MAN * size
    rows = [blank] * above + [MAN * left + row + MAN * (size - left - len(row)) for row in figure]
    rows += [blank] * (size - len(rows))
    rows[0] = rows[-1] = GROUND + MAN * (size - 2) + GROUND
    return tuple(rows)


@cache
def on_square(name: str, room: int, width: int, lines: int) -> Pixels:
    """The pixels of a square that is so many columns wide and lines high, with a man in its middle and a rim around it;
    empty if there is no picture for that room."""
    picture = sprite(name, room)
    if not picture:
        return ()
    height = 2 * lines
    above, left = (height - len(picture) + 1) // 2, (width - len(picture[0]) + 1) // 2
    rows = [GROUND * width] * above + [(GROUND * left + row).ljust(width, GROUND) for row in picture]
    rows += [GROUND * width] * (height - len(rows))

    def is_beside(y: int, x: int) -> bool:
        near = rows[y][max(0, x - 1) : x + 2] + "".join(rows[b][x] for b in (y - 1, y + 1) if 0 <= b < height)
        return MAN in near

    return tuple(
        "".join(RIM if pixel == GROUND and is_beside(y, x) else pixel for x, pixel in enumerate(row))
        for y, row in enumerate(rows)
    )

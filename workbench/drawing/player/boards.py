"""The boards of the nodes where a search is: every shape once, and for each board the places of its shapes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from engines.position import Position
from workbench.drawing.board import EDGE, board_picture, side_of
from workbench.drawing.picture import rect
from workbench.render.report_text import how_it_ended
from workbench.watch.trace import Node, Trace

LAST = 'class="last"'
"""What marks the squares of the last move; the page gives them their colour."""


class Places:
    """Texts by their places: each of them is kept once."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.all = list(first)
        self._places = {text: place for place, text in enumerate(self.all)}

    def place(self, text: str) -> int:
        """The place of a text, which is kept if it is new."""
        if text not in self._places:
            self._places[text] = len(self.all)
            self.all.append(text)
        return self._places[text]


def boards_of(trace: Trace, nodes: Iterable[tuple[int, Node]], strings: Places) -> dict[str, Any] | None:
    """The boards of these nodes, by their numbers in the page; None if the game has none that is worth a picture.

    `shapes` are SVG; `ground` are the places of those that are on all boards. A board is the place of its size, of what it
    shows in words, and those of its other shapes, in their order."""
    shapes, sizes, found = Places(), Places(), dict[int, list[int]]()
    for number, node in nodes:
        position = trace.position(node)
        picture = None if position.game.is_typed_by_hand else board_picture(position)
        if picture is None:
            return None
        places = [shapes.place(without_styles(shape)) for shape in picture.shapes]
        last = [shapes.place(shape) for shape in _last_move(position)]
        said = strings.place(how_it_ended(position) or position.game.standing(position))
        found[number] = [sizes.place(f"{picture.width:g} {picture.height:g}"), said, *places, *last]
    ground = set.intersection(*({*board[2:]} for board in found.values())) if len(found) > 1 else set()
    return {
        "shapes": shapes.all,
        "sizes": sizes.all,
        "ground": sorted(ground),
        "boards": {number: [*board[:2], *(at for at in board[2:] if at not in ground)] for number, board in found.items()},
    }


def without_styles(shape: str) -> str:
    """The same shape with attributes in place of styles, which a page that runs nothing foreign does not take."""
    return re.sub(r' style="([^"]*)"', lambda found: "".join(_attributes(found[1])), shape)


def _attributes(style: str) -> Iterable[str]:
    for part in style.split(";"):
        name, _, value = part.partition(":")
        if value.strip():
            yield f' {name.strip()}="{value.strip()}"'


def _last_move(position: Position) -> Iterable[str]:
    """Frames around the squares of the last move."""
    grid = position.game.grid(position.state)
    if grid is None or not position.played:
        return
    side = side_of(grid)
    for row, column in position.game.move_squares(position.back().state, position.played[-1]):
        if 0 <= row - grid.top < len(grid.letters) and 0 <= column - grid.left < len(grid.letters[row - grid.top]):
            x, y = EDGE + (column - grid.left) * side, EDGE + (row - grid.top) * side
            yield rect(x + 1.5, y + 1.5, side - 3, side - 3, "none", LAST)

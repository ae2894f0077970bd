"""Where the men of a board are, and what they look like as pictures."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple
from weakref import WeakKeyDictionary

from rich.color import Color, ColorSystem
from textual.geometry import Region

from workbench.app.widgets.board import BoardView
from workbench.drawing.man import Man, has_picture

COLOUR_SYSTEMS = {"256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}
"""Terminals with fewer colours than these show no pictures: their squares might have any colour."""


class PlacedMan(NamedTuple):
    """A man with a picture."""

    place: Region
    """The part of the board's widget that the picture covers."""
    man: Man
    line: int
    """The line of this part where the bracket of the cursor is."""


class MenOnBoards:
    """Remembers where the men of boards are, as long as these look the same."""

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[BoardView, tuple[object, object, list[PlacedMan]]] = WeakKeyDictionary()

    def on(self, board: BoardView) -> list[PlacedMan]:
        """The men on a board, and where."""
        seen = board.position, board.marks, board.grid
        looks = (board.flipped, board.cursor, board.picked, board.size, board.has_focus, board.app.theme, *map(id, seen))
        known = self._found.get(board)
        if known is not None and known[0] == looks:
            return known[2]
        standing = men_on(board)
        self._found[board] = looks, seen, standing  # what is seen is kept, so that nothing else gets its id
        return standing


def men_on(board: BoardView) -> list[PlacedMan]:
    """The men on a board that have a picture. It covers the square but for what marks, the cursor and notes need: the first
    column, and, with notes, the first line and the last."""
    system = COLOUR_SYSTEMS.get(board.app.console.color_system or "")
    if board.grid is None or board.grid.lined or board.grid.coloured or system is None:
        return []
    width, height = board.shape
    standing: list[PlacedMan] = []
    for row, column in product(range(len(board.grid.letters)), range(len(board.grid.column_names))):
        notes = bool(board.notes((row, column)))
        name = board.pictured((row, column), height, notes)
        if has_picture(name):
            ink, own, ground = board.painted((row, column))
            x, y = board.corner((row, column))
            place = Region(x + 1, y + notes, width - 1, height - 2 * notes)
            bracket = ground.color if (row, column) == board.cursor and board.has_focus else None
            colours = (shown_colour(each, system) for each in (ink.color, own.bgcolor, ground.bgcolor, bracket))
            standing.append(PlacedMan(place, Man(name, *colours), height // 2 - notes))
    return standing


def shown_colour(colour: Color | None, system: ColorSystem) -> str:
    """The colour that the terminal shows in place of one, such as `#8f7045`."""
    return "" if colour is None else colour.downgrade(system).get_truecolor().hex

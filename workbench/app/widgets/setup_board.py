"""The widgets for setting up a position: a board, and the men to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from engines.game import Game
from engines.notation import Square
from engines.position import Position
from workbench.analysis.board_marks import Marks
from workbench.analysis.board_setup import EMPTY, BoardSetup
from workbench.app.widgets.board import PAWNS, SHAPES, BoardView
from workbench.render.style import plain_letters


class SetupBoard(BoardView):
    """A board whose squares can be changed one by one; no moves are made on it."""

    BINDINGS = [  # noqa: RUF012 - Textual's own form
        Binding("space", "pick", show=False),
        Binding("delete,backspace,full_stop", "remove", show=False),
    ]

    @dataclass
    class Touched(Message):
        """Posted when a square was chosen with Enter, Space or the mouse."""

        square: Square
        remove: bool = False

    def __init__(self, position: Position, setup: BoardSetup, id: str | None = None) -> None:
        super().__init__(position, id)
        self.cursor = len(setup.grid.letters) // 2, len(setup.grid.column_names) // 2
        self.draw(setup)

    def draw(self, setup: BoardSetup) -> None:
        """Show a setup, legal or not."""
        self.grid = setup.grid
        self.refresh()

    def _take(self, position: Position, marks: Marks) -> None:
        super()._take(position, marks)
        self._moves = []

    def _touch(self, square: Square) -> None:
        self.post_message(self.Touched(square))
        self.refresh()

    def action_remove(self) -> None:
        """Empty the square at the cursor."""
        if self.cursor is not None:
            self.post_message(self.Touched(self.cursor, remove=True))

    def fit(self, width: int, height: int) -> None:
        """Take as much of the given room as whole squares can use."""
        assert self.grid is not None
        rows, columns = len(self.grid.letters), len(self.grid.column_names)
        sizes = [(columns * wide + 3, rows * high + 1) for wide, high in SHAPES]
        found = next((size for size in sizes if size[0] <= width and size[1] <= height), sizes[-1])
        self.styles.width, self.styles.height = found


class PiecePalette(Widget):
    """The men of both sides and an empty square, one of which is chosen."""

    CELL = 4
    NAME = 6

    @dataclass
    class PieceChosen(Message):
        """Posted when a man was chosen with the mouse."""

        letter: str

    def __init__(self, game: Game, letter: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self._game, self.letter = game, letter
        self._lines = [
            *((name[: self.NAME - 1], letters) for name, letters in zip(game.players, game.marks, strict=True)),
            ("empty", EMPTY),
        ]
        if game.player_count == 1:
            self._lines = [("cells", game.marks[0]), ("empty", EMPTY)]

    def choose(self, letter: str) -> None:
        """Choose another man."""
        self.letter = letter
        self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self.NAME + self.CELL * max(len(letters) for _, letters in self._lines)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines)

    def on_click(self, event: events.Click) -> None:
        """Choose the man under the mouse."""
        offset = event.get_content_offset(self)
        if offset is None or not 0 <= offset.y < len(self._lines):
            return
        letters = self._lines[offset.y][1]
        at = (offset.x - self.NAME) // self.CELL
        if 0 <= at < len(letters):
            self.post_message(self.PieceChosen(letters[at]))

    def render_line(self, y: int) -> Strip:
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        name, letters = self._lines[y]
        parts = [Segment(f"{name:<{self.NAME}}", self.rich_style)]
        for letter in letters:
            text = f"{self._figure(letter)}{letter}" if letter != EMPTY else ". "
            chosen = letter == self.letter
            style = self.rich_style + Style(bold=True, reverse=True) if chosen else self.rich_style
            parts.append(Segment(f"[{text:<2}]" if chosen else f" {text:<2} ", style))
        return Strip(parts).adjust_cell_length(self.size.width, self.rich_style)

    def _figure(self, letter: str) -> str:
        """The symbol beside the letter: outlined for the first side, filled for the second, with or without colours."""
        if plain_letters():
            return ""
        if self._game.figures:
            return self._game.figures[letter]
        return {"w": "♙", "b": "♟"}.get(letter, "") if letter in PAWNS else ""

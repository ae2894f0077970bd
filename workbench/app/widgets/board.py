"""The board widget. It is drawn line by line, as large as there is room for; moves are made with the keyboard or the
mouse."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.actions import SkipAction
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from engines.notation import Grid, Square
from engines.position import Position
from workbench.analysis.board_marks import Marks, noted_at, value_in_width
from workbench.render.style import plain_letters

SHAPES = ((8, 4), (6, 3), (5, 2), (4, 2), (3, 1), (2, 1))
"""Widths and heights of a square, in columns and lines. The largest that fits is used."""
GAP = 2
"""Columns between the board and the text beside it."""
BLOCKS = "▁▂▃▄▅▆▇█"
LEAST_WRITTEN = 0.005
"""A smaller share of the nodes is written as <1%."""
NARROW = 4
"""A square of at most this width has no blank before a value."""
SIGN = Style(bold=True)
LINED = ((4, 2), (3, 2), (3, 1), (2, 1))
"""Widths and heights where lines join the squares, which need room between two of them."""
COLOURS = {
    "A": ("#e69f00", "#000000"),
    "B": ("#56b4e9", "#000000"),
    "C": ("#009e73", "#ffffff"),
    "D": ("#f0e442", "#000000"),
    "E": ("#0072b2", "#ffffff"),
    "F": ("#d55e00", "#ffffff"),
    "G": ("#cc79a7", "#000000"),
}
"""Background and letter of squares coloured by their letter, in a palette that is safe for colour-blind users."""
PAWNS = {"w": "♟", "b": "♟"}
"""Pieces of White and Black in games with only one kind of men."""


class BoardView(Widget, can_focus=True):
    """A position on a board of squares. For a game without squares, its diagram."""

    COMPONENT_CLASSES = {  # noqa: RUF012 - Textual's own form
        "board--light",
        "board--dark",
        "board--first",
        "board--second",
        "board--third",
        "board--last",
        "board--best",
        "board--reply",
        "board--target",
        "board--cursor",
        "board--name",
    }
    BINDINGS = [  # noqa: RUF012
        Binding("up", "go(-1, 0)", "Up", show=False),
        Binding("down", "go(1, 0)", "Down", show=False),
        Binding("left", "go(0, -1)", "Left", show=False),
        Binding("right", "go(0, 1)", "Right", show=False),
        Binding("enter", "pick", "Pick up, put down", show=False),
        Binding("escape", "drop", "Put back", show=False),
    ]

    @dataclass
    class Played(Message):
        """Posted when a move was made on the board. It holds several moves if they share their squares, as promotions do."""

        moves: tuple[int, ...]

    @dataclass
    class Rolled(Message):
        """Posted when the text beside the board (the die) was clicked while a chance move is due."""

    def __init__(self, position: Position, id: str | None = None) -> None:
        super().__init__(id=id)
        self.flipped = False
        self.cursor: Square | None = None
        self.picked: Square | None = None
        self._take(position, Marks())

    def show(self, position: Position, last: tuple[Square, ...] = (), marks: Marks | None = None) -> None:
        """Draw another position, or the same one with other marks."""
        marks = marks or Marks(last=last)
        if position is self.position and marks == self.marks:
            return
        if position is not self.position:
            self.picked = None
        relayout = self._size_of(position) != self._size_of(self.position)
        self._take(position, marks)
        self.refresh(layout=relayout)

    def _take(self, position: Position, marks: Marks) -> None:
        self.position, self.marks = position, marks
        game, state = position.game, position.state
        self.grid: Grid | None = game.grid(state)
        legal = [] if position.is_over else game.legal_moves(state)
        self._moves = [(game.move_squares(state, move), move) for move in legal]
        self._touches: dict[Square, list[int]] = {}
        for move in legal if game.touch_plays else ():
            for square in game.touched_by(state, move):
                self._touches.setdefault(square, []).append(move)
        self._lines = [] if self.grid else game.diagram(state).split("\n")
        shares: dict[Square, float] = {}
        for note in marks.moves:
            shares[note.squares[-1]] = shares.get(note.squares[-1], 0.0) + note.share
        self._most = max(shares.values(), default=0.0) or 1.0

    @staticmethod
    def _size_of(position: Position) -> tuple[str, str]:
        return position.game.id, position.game.size

    # Size.

    @property
    def shape(self) -> tuple[int, int]:
        """The width and height of a square in columns and lines."""
        if self.grid is None:
            return 1, 1
        rows, columns = len(self.grid.letters), len(self.grid.column_names)
        room = self.size
        shapes = LINED if self.grid.lined else SHAPES
        beside = self._beside_width
        fitting = [one for one in shapes if columns * one[0] + 3 <= room.width and rows * one[1] + 1 <= room.height]
        roomy = [one for one in fitting if columns * one[0] + 3 + beside <= room.width and one[1] > 1]
        return next(iter(roomy or fitting), SHAPES[-1])

    @property
    def _beside_width(self) -> int:
        """The width of the text beside the board, with the gap; 0 if there is none."""
        return max((len(line) + GAP for line in self.grid.beside), default=0) if self.grid is not None else 0

    def get_content_width(self, container: Size, viewport: Size) -> int:
        if self.grid is None:
            return max(map(len, self._lines), default=10)
        return container.width

    # Moving.

    def action_go(self, down: int, right: int) -> None:
        """Move the cursor. The first press only shows it."""
        if self.grid is None:
            return
        rows, columns = len(self.grid.letters), len(self.grid.column_names)
        if self.flipped:
            down, right = -down, -right
        top, left = self.grid.top, self.grid.left
        if self.cursor is None:
            first = (top + (rows - 1 if not self.flipped else 0), left + columns // 2)
            self.cursor = self.marks.best[0] if self.marks.best else first
        else:
            row, column = self.cursor
            self.cursor = (top + (row - top + down) % rows, left + (column - left + right) % columns)
        self.refresh()

    def action_pick(self) -> None:
        """Pick up the man at the cursor, or put down the one that was picked up."""
        if self.cursor is None:
            return
        picked = self.picked
        self._touch(self.cursor)
        if picked is not None and self.picked is None and self.cursor != picked and not self._leads(picked, self.cursor):
            self.notify("It cannot go there, and was put back. ○ marks where a man can go.")

    def _leads(self, one: Square, other: Square) -> bool:
        """Whether a move leads from one square to the other."""
        return any(squares == (one, other) for squares, _ in self._moves)

    def action_drop(self) -> None:
        """Put the man back. If none was picked up, the screen handles Escape."""
        if self.picked is None and self.cursor is None:
            raise SkipAction
        self.picked = self.cursor = None
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Pick up or put down a man by a click, as Enter does."""
        offset = event.get_content_offset(self)
        square = self._square_at(offset.x, offset.y) if offset is not None else None
        if square is not None:
            self.cursor = square
            self._touch(square)
        elif offset is not None and self._beside_width and offset.x >= self._board_width and self.position.by_chance:
            self.post_message(self.Rolled())

    @property
    def _board_width(self) -> int:
        """The width of the board in columns, without the text beside it."""
        return 3 + (len(self.grid.column_names) * self.shape[0] if self.grid is not None else 0)

    def _touch(self, square: Square) -> None:
        if self.position.game.touch_plays:
            if square in self._touches:
                self.post_message(self.Played(tuple(self._touches[square])))
            return
        direct = [move for squares, move in self._moves if squares[:1] == (square,) and len(squares) == 1]
        column = [move for squares, move in self._moves if len(squares) == 1 and squares[0][1] == square[1]]
        there = [move for squares, move in self._moves if squares == (self.picked, square)]
        if there:
            self.picked = None
            self.post_message(self.Played(tuple(there)))
        elif direct or (len(column) == 1 and self.position.game.men_fall):
            self.post_message(self.Played(tuple(direct or column)))
        elif any(squares[0] == square for squares, _ in self._moves if squares):
            self.picked = None if self.picked == square else square
        else:
            self.picked = None
        self.refresh()

    def _square_at(self, x: int, y: int) -> Square | None:
        if self.grid is None:
            return None
        width, height = self.shape
        row, column = y // height, (x - 3) // width
        rows, columns = len(self.grid.letters), len(self.grid.column_names)
        if not (0 <= row < rows and x >= 3 and column < columns):
            return None
        row, column = (rows - 1 - row, columns - 1 - column) if self.flipped else (row, column)
        return self.grid.top + row, self.grid.left + column

    # Drawing.

    def render_line(self, y: int) -> Strip:
        if self.grid is None:
            text = self._lines[y] if y < len(self._lines) else ""
            return Strip([Segment(text, self.rich_style)]).adjust_cell_length(self.size.width, self.rich_style)
        width, height = self.shape
        rows, columns = len(self.grid.letters), len(self.grid.column_names)
        names = self.rich_style + Style(color=self.get_component_rich_style("board--name").color)
        order = range(columns - 1, -1, -1) if self.flipped else range(columns)
        if y >= rows * height:
            place = "<" if self.grid.lined or (self.grid.coloured and width == 2) else "^"
            labels = [Segment(f"{self.grid.column_names[column]:{place}{width}}", names) for column in order]
            line = [Segment("   ", names), *labels] if y == rows * height else []
            return Strip(line).adjust_cell_length(self.size.width, self.rich_style)
        row, part = divmod(y, height)
        row = rows - 1 - row if self.flipped else row
        middle = part == height // 2 if height != 2 else part == 0
        parts = [Segment(f"{self.grid.row_names[row] if middle else '':>2} ", names)]
        for column in order:
            square = (self.grid.top + row, self.grid.left + column)
            if self.grid.lined:
                parts += self._point(square, part, width)
            else:
                parts += self._square(square, part, width, height, middle)
        parts += self._beside(y, rows * height)
        return Strip(parts).adjust_cell_length(self.size.width, self.rich_style)

    def _beside(self, y: int, lines: int) -> list[Segment]:
        """The segment of the text beside the board on a line; empty if there is no room."""
        assert self.grid is not None
        beside, first = self.grid.beside, (lines - len(self.grid.beside)) // 2
        if not first <= y < first + len(beside) or self._board_width + self._beside_width > self.size.width:
            return []
        return [Segment(" " * GAP + beside[y - first], self.rich_style)]

    def _square(self, square: Square, part: int, width: int, height: int, middle: bool) -> list[Segment]:
        """The segments of one line of a square: a mark at its left edge, the man, and at the right the share or value of
        moves to it."""
        assert self.grid is not None
        letter = self.grid.letters[square[0]][square[1]]
        ground = self._ground(square)
        style, text = ground, " " * width
        if middle:
            figure = self._figure(letter)
            if not figure and (self._is_target(square) or not self.grid.checkered):
                figure = "·"
            text = f"{figure:^{width}}"
            owners = zip(("first", "second", "third"), self.position.game.marks, strict=False)
            kind = next((owner for owner, letters in owners if letter in letters), "name")
            if not self.grid.coloured:
                ink = self.get_component_rich_style(f"board--{kind}", partial=True).color
                style += Style(color=ink, bold=letter != ".")
        narrow = width == 2 and not self.grid.coloured
        sign = self._sign(square) if part == 0 and (height > 1 or not narrow) else ""
        if self.grid.coloured and middle and width == 2:
            text = f"{figure:>2}" if sign else f"{figure:<2}"
        note = self._note(square, part, width - len(sign), height)
        if square == self.cursor and middle and self.has_focus and width > 2:
            sign, note, text = "[" if part == 0 else "", note[:-1] + "]", f"[{text[1:-1]}]"
        left, right = len(sign), width - len(note)
        parts = [Segment(sign, ground + SIGN), Segment(text[left:right], style), Segment(note, ground)]
        return [part for part in parts if part.text]

    def _point(self, square: Square, part: int, width: int) -> list[Segment]:
        """The segments of one line of a point, with the lines that join it to others. A dot shows its number where it has
        one."""
        assert self.grid is not None
        row, column = square
        links, ground = self.grid.links, self._ground(square)
        plain = Style(bgcolor=self.get_component_rich_style("board--dark", partial=True).bgcolor, color=ground.color)

        def joined(one: Square, other: Square) -> bool:
            return tuple(sorted((one, other))) in links

        if self.flipped:  # the neighbours to the right of a point and below it on the screen
            right, below, across = (row, column - 1), (row - 1, column), (row - 1, column - 1)
        else:
            right, below, across = (row, column + 1), (row + 1, column), (row + 1, column + 1)
        if part:
            falling, rising = joined(square, across), joined(right, below)
            between = "╳" if falling and rising else "╲" if falling else "╱" if rising else " "
            return [Segment(("│" if joined(square, below) else " ") + between.rjust(width // 2).ljust(width - 1), plain)]
        letter = self.grid.letters[row - self.grid.top][column - self.grid.left]
        dot = self.grid.labels.get(square, letter)
        if letter == ".":
            dot = "○" if square in self.grid.open else "·"
        if square in self.marks.best[-1:]:
            dot = "◆"
        elif square in self.marks.reply[-1:]:
            dot = "▪"
        note = ""
        if width > 2 and self.marks.moves and not letter.strip("."):
            notes = noted_at(self.marks.moves, square, None, self.position.turn)
            share = sum(one.share for one in notes)
            note = BLOCKS[min(7, int(share / self._most * 8))] if notes else ""
        if square == self.cursor and self.has_focus and len(dot) < 2:
            dot += "]"
        line = "─" if joined(square, right) else " "
        own = Segment(dot, ground + Style(bold=letter != "."))
        return [own, Segment(note, plain), Segment(line * (width - len(dot) - len(note)), plain)]

    def _note(self, square: Square, part: int, width: int, height: int) -> str:
        """The text on the moves to a square: their share of the nodes, or the value of the best one.

        On a square of three lines these are the share, the man and the value. With two lines the share is a block character
        beside the man, with one there is nothing but that character.
        """
        notes = noted_at(self.marks.moves, square, self.picked, self.position.turn) if self.marks.moves else []
        if not notes or width < 2:
            return ""
        share = sum(note.share for note in notes)
        if part == height - 1 and height > 1:
            return value_in_width(notes[0], self.position.game, width if width <= NARROW else width - 1)
        if part == 0 and height > 2:
            percent = f"{100 * share:.0f}%" if share >= LEAST_WRITTEN else "<1%"
            several = f"{len(notes)}×{percent}"
            return several if len(notes) > 1 and len(several) <= width else percent
        return BLOCKS[min(7, int(share / self._most * 8))] if part == 0 else ""

    def _figure(self, letter: str) -> str:
        """The symbol of a piece's letter. With colours both sides use the filled symbol, which is easier to see."""
        if letter == ".":
            return ""
        if self.grid is not None and self.grid.coloured:
            return letter
        figures = {} if plain_letters() else self.position.game.figures or PAWNS
        if self.app.no_color:
            return self.position.game.figures.get(letter, letter) if figures else letter
        return figures.get(letter.lower(), letter)

    def _sign(self, square: Square) -> str:
        """The mark of a square, which is readable without colours."""
        if square in self.marks.best:
            return "◆" if square == self.marks.best[-1] else "◇"
        if square in self.marks.reply:
            return "▪" if square == self.marks.reply[-1] else "▫"
        if self._is_target(square):
            return "○"
        if square in self.marks.last:
            return "•" if square == self.marks.last[-1] else "◦"
        return ""

    def _is_target(self, square: Square) -> bool:
        return self.picked is not None and any(squares == (self.picked, square) for squares, _ in self._moves)

    def _ground(self, square: Square) -> Style:
        kinds = [
            ("cursor", square == self.picked or (square == self.cursor and self.has_focus)),
            ("target", self._is_target(square)),
            ("best", square in self.marks.best),
            ("reply", square in self.marks.reply),
            ("last", square in self.marks.last),
            ("dark", (square[0] + square[1]) % 2 == 1 or not (self.grid and self.grid.checkered)),
            ("light", True),
        ]
        kind = next(kind for kind, holds in kinds if holds)
        letter = self.grid.letters[square[0] - self.grid.top][square[1] - self.grid.left] if self.grid else "."
        if self.grid and self.grid.coloured and kind != "cursor" and letter in COLOURS and not self.app.no_color:
            ground, ink = COLOURS[letter]
            return Style(bgcolor=ground, color=ink, bold=kind in ("best", "last"))
        found = self.get_component_rich_style(f"board--{kind}", partial=True)
        return Style(bgcolor=found.bgcolor, color=found.color)

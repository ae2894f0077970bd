"""The board widget. It is drawn line by line, as large as there is room for; moves are made with the keyboard or the
mouse."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby

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
from workbench.analysis.board_marks import Marks, MoveNote, noted_at, value_in_width
from workbench.render.men import colours, sprites
from workbench.render.men.cells import cell, stands_out
from workbench.render.style import plain_letters

SHAPES = (*((2 * lines, lines) for lines in range(18, 2, -1)), (5, 2), (4, 2), (3, 1), (2, 1))
"""Widths and heights of a square, in columns and lines. The largest that fits is used."""
ROW_NAMES = 3
"""Columns for the names of the rows."""
GAP = 2
"""Columns between the board and the text beside it."""
BLOCKS = "▁▂▃▄▅▆▇█"
LEAST_WRITTEN = 0.005
"""A smaller share of the nodes is written as <1%."""
NARROW = 4
"""A square of at most this width has no blank before a value."""
SIGN = Style(bold=True)
LEAST_PICTURED = 3
"""The least lines of a square on which men are drawn as pictures."""
LINED = ((8, 4), (6, 3), (4, 2), (3, 2), (3, 1), (2, 1))
"""Widths and heights where lines join the squares, which need room between two of them."""
PAWNS = {"w": "♟", "b": "♟"}
"""Pieces of White and Black in games with only one kind of men."""


class BoardView(Widget, can_focus=True):
    """A position on a board of squares. For a game without squares, its diagram."""

    COMPONENT_CLASSES = {  # noqa: RUF012 - Textual's own form
        "board--light",
        "board--dark",
        "board--pale-light",
        "board--pale-dark",
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
        return self._shape_in(self.size)

    def _shape_in(self, room: Size) -> tuple[int, int]:
        if self.grid is None:
            return 1, 1
        rows, columns = len(self.grid.letters), len(self.grid.column_names)
        shapes = LINED if self.grid.lined else SHAPES
        room -= Size(ROW_NAMES, 1)
        fitting = [one for one in shapes if columns * one[0] <= room.width and rows * one[1] <= room.height]
        roomy = [one for one in fitting if columns * one[0] + self._beside_width <= room.width and one[1] > 1]
        return next(iter(roomy or fitting), SHAPES[-1])

    def width_in(self, room: Size) -> int:
        """The columns that the board takes of a room, with the text beside it."""
        if self.grid is None:
            return max(map(len, self._lines), default=10)
        return ROW_NAMES + len(self.grid.column_names) * self._shape_in(room)[0] + self._beside_width

    @property
    def _beside_width(self) -> int:
        """The width of the text beside the board, with the gap; 0 if there is none."""
        return max((len(line) + GAP for line in self.grid.beside), default=0) if self.grid is not None else 0

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return container.width if self.grid is not None else self.width_in(container)

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
        leads = any(squares == (picked, self.cursor) for squares, _ in self._moves)
        if picked is not None and self.picked is None and self.cursor != picked and not leads:
            self.notify("It cannot go there, and was put back. ○ marks where a man can go.")

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
        return ROW_NAMES + (len(self.grid.column_names) * self.shape[0] if self.grid is not None else 0)

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

    def corner(self, square: Square) -> tuple[int, int]:
        """The column and the line of the widget where a square of the grid's letters begins."""
        row, column = self._turned(*square)
        return ROW_NAMES + column * self.shape[0], row * self.shape[1]

    def _square_at(self, x: int, y: int) -> Square | None:
        if self.grid is None:
            return None
        width, height = self.shape
        row, column = y // height, (x - ROW_NAMES) // width
        if not (0 <= row < len(self.grid.letters) and x >= ROW_NAMES and column < len(self.grid.column_names)):
            return None
        down, right = self._turned(row, column)
        return self.grid.top + down, self.grid.left + right

    def _turned(self, row: int, column: int) -> Square:
        """Where a square is on a board that may be turned round, or the other way."""
        assert self.grid is not None
        rows, columns = len(self.grid.letters), len(self.grid.column_names)
        return (rows - 1 - row, columns - 1 - column) if self.flipped else (row, column)

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
                parts += self._point(square, part, width, height)
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
        moves to it. The man is a picture where there is room for one."""
        assert self.grid is not None
        letter = self.grid.letters[square[0]][square[1]]
        ink, own, ground = self.painted(square)
        notes = self.notes(square)
        pixels = self._pixels(square, width, height, bool(notes))
        if pixels:
            cells = [cell(two, ink, own, ground) for two in zip(*pixels[2 * part : 2 * part + 2], strict=True)]
        else:
            cells = [(" ", ground)] * width
            figure = self._figure(letter) if middle else ""
            if middle and not figure and (self._is_target(square) or not self.grid.checkered):
                figure = "·"
            at = (width - len(figure)) // 2
            if self.grid.coloured and width == 2:
                at = 1 if self._sign(square) else 0
            cells[at : at + len(figure)] = [(each, ink + SIGN if letter != "." else ground) for each in figure]
        if pixels and getattr(self.app, "pictures", None) is not None:
            cells[0] = (" ", ground)  # a real picture begins beside it
        number = unicodedata.digit(self._figure(letter) or " ", None)
        if pixels and middle and number is not None and not any(sprites.NUMBER in row for row in pixels):
            cells[width // 2] = (str(number), Style(color=colours.ON_MEN, bgcolor=ink.color, bold=True))
        sign = self._sign(square) if part == 0 and (height > 1 or width > 2 or self.grid.coloured) else ""
        note = self._note(notes, part, width - len(sign), height)
        if square == self.cursor and middle and self.has_focus and width > 2:
            sign, note = "[", note[:-1] + "]"
        cells[: len(sign)] = [(each, ground + SIGN) for each in sign]
        cells[width - len(note) :] = [(each, ground) for each in note]
        together = groupby(cells, lambda cell: cell[1])
        return [Segment("".join(text for text, _ in some), style) for style, some in together]

    def painted(self, square: Square) -> tuple[Style, Style, Style]:
        """The styles of the man on a square, of what is next to it (the square's own colour, where a mark's would hide the
        man), and of the rest of the square."""
        assert self.grid is not None
        letter = self.grid.letters[square[0]][square[1]]
        ground, own = self._ground(square), self._own_ground(square)
        ink = own + Style(color=colours.ink(letter, self.position.game) or own.color)
        if self.grid.coloured:
            own = ink = ground
        elif letter == ".":
            ink = Style(color=self._paint("pale-light").bgcolor)  # an empty hole
        elif stands_out(ink.color, ground.bgcolor):
            own, ink = ground, ground + Style(color=ink.color)
        return ink, own, ground

    def _pixels(self, square: Square, width: int, height: int, has_notes: bool) -> sprites.Pixels:
        """The picture of a man on a square, made of characters, where there is room for it between the notes."""
        name = self.pictured(square, height, has_notes)
        room = min(width - 1, 2 * (height - 2) if has_notes else 2 * height - 1)
        return sprites.on_square(name, room, width, height) if name else ()

    def pictured(self, square: Square, height: int, has_notes: bool) -> str:
        """The name of the man, or of the hole for one, whose picture belongs on a square; empty without one, and where there
        are no colours to draw it with."""
        assert self.grid is not None
        letter, is_plain = self.grid.letters[square[0]][square[1]], self._ground(square) == self._own_ground(square)
        is_hole = letter == "." and self.position.game.men_fall and is_plain and not has_notes
        if height < LEAST_PICTURED or not (is_hole or letter != ".") or self.app.no_color or plain_letters():
            return ""
        return sprites.DISC if self.position.game.men_fall else self._figure(letter)

    def _point(self, square: Square, part: int, width: int, height: int) -> list[Segment]:
        """The segments of one line of a point, with the lines that join it to others. A dot shows its number where it has
        one."""
        assert self.grid is not None
        row, column = square
        links, ground = self.grid.links, self._ground(square)
        plain = self._own_ground(square)

        def joined(one: Square, other: Square) -> bool:
            return tuple(sorted((one, other))) in links

        if self.flipped:  # the neighbours to the right of a point and below it on the screen
            right, below, across = (row, column - 1), (row - 1, column), (row - 1, column - 1)
        else:
            right, below, across = (row, column + 1), (row + 1, column), (row + 1, column + 1)
        if part:
            falling, rising = joined(square, across), joined(right, below)
            texts = ["│" if joined(square, below) else " "] + [" "] * (width - 1)
            for holds, at, slope in ((falling, part, "╲"), (rising, height - part, "╱")):
                if holds:
                    texts[width * at // height] = "╳" if falling and rising and 2 * part == height else slope
            return [Segment("".join(texts), plain)]
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
            notes = self.notes(square)
            share = sum(one.share for one in notes)
            note = BLOCKS[min(7, int(share / self._most * 8))] if notes else ""
        if square == self.cursor and self.has_focus and len(dot) < 2:
            dot += "]"
        line = "─" if joined(square, right) else " "
        own = Segment(dot, ground + Style(bold=letter != "."))
        return [own, Segment(note, plain), Segment(line * (width - len(dot) - len(note)), plain)]

    def notes(self, square: Square) -> list[MoveNote]:
        return noted_at(self.marks.moves, square, self.picked, self.position.turn) if self.marks.moves else []

    def _note(self, notes: list[MoveNote], part: int, width: int, height: int) -> str:
        """The text on the moves to a square: their share of the nodes, or the value of the best one. With three lines and
        more these are the share in the first and the value in the last. With two lines the share is a block character
        beside the man, with one there is nothing but that character."""
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
        """The colours of a square and of what is written on it."""
        kinds = [
            ("cursor", square == self.picked or (square == self.cursor and self.has_focus)),
            ("target", self._is_target(square)),
            ("best", square in self.marks.best),
            ("reply", square in self.marks.reply),
            ("last", square in self.marks.last),
        ]
        kind = next((kind for kind, holds in kinds if holds), "")
        letter = self.grid.letters[square[0] - self.grid.top][square[1] - self.grid.left] if self.grid else "."
        if self.grid and self.grid.coloured and kind != "cursor" and letter in colours.OF_LETTERS and not self.app.no_color:
            ground, ink = colours.OF_LETTERS[letter]
            return Style(bgcolor=ground, color=ink, bold=kind in ("best", "last"))
        return self._paint(kind) if kind else self._own_ground(square)

    def _own_ground(self, square: Square) -> Style:
        """The colours of a square without a mark."""
        game = self.position.game
        plain = game.men_fall or not self.grid or self.grid.lined or self.grid.coloured
        shade = "dark" if plain or sum(square) % 2 == 1 else "light"
        return self._paint(f"pale-{shade}" if colours.stands_on_pale(game) else shade)

    def _paint(self, kind: str) -> Style:
        found = self.get_component_rich_style(f"board--{kind}", partial=True)
        return Style(bgcolor=found.bgcolor, color=found.color)

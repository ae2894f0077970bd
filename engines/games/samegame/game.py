"""SameGame for people: boards of letters, dealt from a number; moves are cells; see `rules.py` for the game itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from engines.contract import InputError, Parameter, Setting, shown
from engines.game import Game
from engines.games.samegame.rules import (
    BOOK,
    CELLS,
    COLOURS,
    LEFT,
    LONGEST,
    MOST_COLOURS,
    SCORE,
    SCRATCH,
    STRIDE,
    Cells,
    SameGame,
    find_groups,
)
from engines.notation import Grid, Square
from engines.position import Position
from engines.rules import State, packed
from engines.run.work import scrambled

LETTERS = ".ABCDEFG"
COLUMN_NAMES = "abcdefghijklmno"
HIGHEST_SCORE = 10_000_000


class SameGameGame(Game):
    """SameGame at one size, with so many colours."""

    id = "samegame"
    title = "SameGame"
    sentence = "One player takes groups of one colour away: n cells for (n - 2)² points, 1,000 for all (size COLUMNSxROWS)."
    default_size = "15x15"
    default_depth = 3
    players = ("player", "nobody")
    player_count = 1
    has_winner = False
    means_are_bounded = False
    touch_plays = True
    board_rows = (re.compile(r"[0-6]( +[0-6])+"), re.compile(r"[A-G.]+"))
    """Digits with blanks between, or letters."""
    marks = (LETTERS[1:], "")
    term_names = ("score",)
    code_bits = 18
    parameters = (
        Parameter(name="colours", default=5, low=2, high=MOST_COLOURS, sentence="How many colours a dealt board has."),
        Parameter(name="deal", default=1, low=0, high=10**9, sentence="The seed that startpos is dealt from."),
        Parameter(name="penalty", default=False, sentence="At the end, n cells left of a colour cost (n - 2)² points."),
    )

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size, options)
        self.columns, self.rows = self.read_size(("columns", "rows"), lambda place: range(1, LONGEST + 1))
        self.margin = 100
        self.span = 1000.0 + (self.columns * self.rows) ** 2 / 8
        keys = np.random.Generator(np.random.PCG64(36)).integers(0, 2**32, (CELLS, 8), np.int64)
        self.rules = SameGame(
            packed(columns=self.columns, penalty=int(bool(options["penalty"])), weights=(1,), span=self.span, keys=keys)
        )

    # Boards.

    def start(self) -> State:
        return self.dealt(int(self.options["deal"]))

    def dealt(self, number: int) -> State:
        """The board that a number stands for: every cell any colour with the same chance."""
        count = int(self.options["colours"])
        rows = []
        for row in range(self.rows):
            cells = [scrambled((number << 16) + row * LONGEST + column) for column in range(self.columns)]
            rows.append("".join(LETTERS[1 + (cell >> 32) * count // 2**32] for cell in cells))
        return self._state(rows, 0)

    def read_board(self, text: str) -> State:
        if found := re.fullmatch(r"deal\s+(\d{1,9})", text.strip()):
            return self.dealt(int(found[1]))
        rows, points = read_board(text)
        if (len(rows[0]), len(rows)) != (self.columns, self.rows):
            raise InputError(f"The board has {len(rows[0])} columns and {len(rows)} rows, but the size is {self.size}.")
        return self._state(rows, points)

    def _state(self, rows: Sequence[str], points: int) -> Cells:
        """The state of a board whose rows are given from the top."""
        cells, book = np.zeros(CELLS + SCRATCH, np.int16), np.zeros(BOOK, np.int64)
        for row, letters in enumerate(reversed(rows)):
            for column, letter in enumerate(letters):
                cells[STRIDE * (column + 1) + row] = LETTERS.index(letter)
        for column in range(self.columns):
            stack = cells[STRIDE * (column + 1) :][:LONGEST]
            if stack.any() and column and not cells[STRIDE * column]:
                raise InputError(f"Column {COLUMN_NAMES[column - 1]} is empty, but others stand to its right.")
            if np.any(stack[:-1] < (stack[1:] > 0)):
                raise InputError(f"In column {COLUMN_NAMES[column]} cells hang in the air; cells fall.")
        for colour in range(1, MOST_COLOURS + 1):
            book[COLOURS + colour] = np.count_nonzero(cells == colour)
        book[LEFT], book[SCORE] = np.count_nonzero(cells), points
        find_groups(self.rules.data.keys, cells, book, 0, self.columns - 1)
        return Cells(cells, book)

    def letters(self, state: State) -> list[str]:
        """The rows from the top."""
        board = state.cells[:CELLS].reshape(LONGEST + 2, STRIDE)
        return [
            "".join(LETTERS[board[column + 1, row]] for column in range(self.columns)) for row in reversed(range(self.rows))
        ]

    def board_text(self, state: State) -> str:
        points = int(state.book[SCORE])
        return "/".join(self.letters(state)) + (f" {points}" if points else "")

    @classmethod
    def size_of(cls, text: str) -> str | None:
        if text == "startpos" or text.startswith("deal"):
            return None
        rows, _ = read_board(text)
        return f"{len(rows[0])}x{len(rows)}"

    def diagram(self, state: State) -> str:
        rows = [f"{self.rows - number:2} {' '.join(row)}" for number, row in enumerate(self.letters(state))]
        return "\n".join([*rows, "   " + " ".join(COLUMN_NAMES[: self.columns])])

    def grid(self, state: State) -> Grid:
        names = tuple(str(self.rows - row) for row in range(self.rows))
        return Grid(tuple(self.letters(state)), names, tuple(COLUMN_NAMES[: self.columns]), checkered=False, coloured=True)

    # Moves.

    def group(self, state: State, cell: int) -> list[int]:
        """The cells that touch a cell and have its colour, the cell itself too."""
        colour = state.cells[cell]
        found = [cell]
        for one in found:  # grows while it is walked
            for step in (1, -1, STRIDE, -STRIDE):
                if state.cells[one + step] == colour and one + step not in found:
                    found.append(one + step)
        return sorted(found)

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        places = [divmod(cell, STRIDE) for cell in self.group(state, move)]
        return tuple((self.rows - 1 - row, column - 1) for column, row in reversed(places))

    def move_text(self, state: State, move: int) -> str:
        column, row = divmod(move, STRIDE)
        return f"{COLUMN_NAMES[column - 1]}{row + 1}"

    def line_text(self, state: State, line: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.move_text(state, move) for move in line)

    def read_move(self, state: State, text: str) -> int:
        """The group that has the cell a person wrote."""
        found = re.fullmatch(r"([a-o])(\d{1,2})", text.strip().lower())
        if found and 1 <= int(found[2]) <= self.rows and COLUMN_NAMES.index(found[1]) < self.columns:
            cell = STRIDE * (COLUMN_NAMES.index(found[1]) + 1) + int(found[2]) - 1
            if not state.cells[cell]:
                raise InputError(f"{shown(text)} is empty; {self._choices(state)}.")
            group = self.group(state, cell)
            if len(group) < 2:
                raise InputError(f"{shown(text)} has no neighbour of its colour; {self._choices(state)}.")
            return group[0]
        raise InputError(f"{shown(text)} is not a cell of the board; {self._choices(state)}.")

    def ending(self, position: Position) -> str | None:
        left = int(position.state.book[LEFT])
        return "the board is cleared" if not left else f"{left} {'cell is' if left == 1 else 'cells are'} left"

    def standing(self, position: Position) -> str:
        points = int(position.state.book[SCORE])
        return f"{points:,} {'point' if points == 1 else 'points'}"

    def shown_mean(self, mean: float) -> float:
        """The mean score."""
        return mean * self.span


def read_board(text: str) -> tuple[list[str], int]:
    """The rows of a board from the top, as letters, and the points that stand behind them, 0 if none do.

    Rows are lines or stand between slashes. A cell is a letter from A on, or a digit from 0 on as in the files of others,
    with blanks between or not; a dot is an empty cell.
    """
    points = 0
    lines = [line.strip() for line in text.replace("\n", "/").strip("/ ").split("/")]
    if found := re.fullmatch(r"(.*[A-G.])\s+(\d{1,9})", lines[-1]):
        lines[-1], points = found[1], int(found[2])
    rows: list[str] = []
    for number, line in enumerate(lines, 1):
        row = "".join(line.split())
        if len(lines) > 1 or " " in line:  # bare digits in a row are columns of Connect 4
            row = "".join(LETTERS[1 + int(cell)] if cell in "0123456" else cell for cell in row)
        if not row:
            raise InputError(f"Row {number} of the board is empty.")
        for cell in row:
            if cell not in LETTERS:
                raise InputError(f"Row {number} of the board has {shown(cell)}; a cell is A to G, 0 to 6, or a dot.")
        if len(row) != len(rows[0] if rows else row):
            raise InputError(f"Row {number} of the board is {len(row)} wide, but row 1 is {len(rows[0])}.")
        rows.append(row)
    if len(rows) > LONGEST or len(rows[0]) > LONGEST:
        raise InputError(f"A board has at most {LONGEST} columns and {LONGEST} rows, not {len(rows[0])} and {len(rows)}.")
    return rows, points


GAME = SameGameGame

"""What people see of the games of k in a row: boards of X, O and dots. Connect 4 and tic-tac-toe build on it."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from engines.compiled.bits import EMPTY, bit, board, popcount
from engines.contract import InputError
from engines.game import Game
from engines.games.in_a_row.lines import RowStones, has_run, sides
from engines.notation import LIKELY, read_rows
from engines.position import Position
from engines.rules import State

DIAGRAM = re.compile(r"[XOxo./\s0-9]*[XOxo.][XOxo./\s0-9]*")
"""Rows of X, O and dots, between slashes or on lines."""
NUMBERS = ("no stone", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""How many there are in a row, in words."""


class RowGame(Game):
    """A game in which two players put stones on a board of `width` columns and `height` rows."""

    players: tuple[str, ...] = ("X", "O")
    marks: tuple[str, ...] = ("X", "O")
    width: int
    height: int
    codes: int
    """How many codes its positions may have in a table (see `engines.rules_solved`)."""
    most_codes: ClassVar[int] = 2**30

    @classmethod
    def resembles(cls, text: str) -> float:
        return LIKELY if DIAGRAM.fullmatch(text) else super().resembles(text)

    @classmethod
    def spans(cls, lines: Sequence[str]) -> bool:
        return len(lines) > 1 and all(set(line.upper()) <= set("XO.") for line in lines)

    @abstractmethod
    def cell(self, column: int, row: int) -> int:
        """The bit of a cell; columns count from the left, rows from the top."""

    def table_name(self, state: State) -> str | None:
        if self.codes > self.most_codes or self.player_count != 2:
            return None
        return "-".join([self.id, self.size, *(f"{name}{value}" for name, value in self.table_options().items())])

    def table_bytes(self, name: str) -> int:
        return self.codes // 3  # while it is built: two maps with a bit for each code, and three bytes for each position

    def lacks(self, need: str, state: State) -> str | None:
        if need == "table" and self.player_count != 2:
            return "tables are made for two players"
        if need == "table" and self.table_name(state) is None:
            return f"a board of {self.size} has too many positions for a table"
        return super().lacks(need, state)

    def start(self) -> State:
        return RowStones(EMPTY, EMPTY)

    def read_board(self, text: str) -> State:
        rows = read_rows(text, "XO.", "board")
        self.check_shape(rows)
        placed = {
            letter: [self.cell(x, y) for y in range(self.height) for x in range(self.width) if rows[y][x] == letter]
            for letter in "XO"
        }
        first, second = board(placed["X"]), board(placed["O"])
        ahead = popcount(first) - popcount(second)
        if ahead not in (0, 1):
            raise InputError(
                f"There are {popcount(first)} X and {popcount(second)} O: X starts, so X has as many as O or one more."
            )
        mover, mine, theirs = ("X", first, second) if ahead == 0 else ("O", second, first)
        if has_run(mine, self.rules.data.k, self.rules.data.stride):
            raise InputError(f"{mover} has {self.rules.data.k} in a row already, but the other side has moved since.")
        return RowStones(mine, theirs)

    def check_shape(self, rows: list[str]) -> None:
        """An InputError if a board has another size than the game."""
        if (len(rows[0]), len(rows)) != (self.width, self.height):
            raise InputError(f"The board has {len(rows[0])} columns and {len(rows)} rows, but the game is {self.size}.")

    def letters(self, state: State) -> list[str]:
        """The rows of the board from the top, as X, O and dots."""
        first, second = sides(self.rules, state)
        rows = []
        for row in range(self.height):
            cells = [bit(self.cell(column, row)) for column in range(self.width)]
            rows.append("".join("X" if first & cell else "O" if second & cell else "." for cell in cells))
        return rows

    def ending(self, position: Position) -> str | None:
        k, state = int(self.rules.data.k), position.state
        if has_run(state[-1], k, self.rules.data.stride):  # of whoever has just moved
            return f"{NUMBERS[k] if k < len(NUMBERS) else k} in a row"
        return None if any("." in row for row in self.letters(state)) else "the board is full"

    def board_text(self, state: State) -> str:
        return "/".join(self.letters(state))

"""Breakthrough: pawns step forward, straight or diagonally, and capture diagonally; one on the last row wins.

This module is the game as people read and write it; `rules.py` beside it is the game as the kernels see it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engines.compiled.bits import U, bit, board, popcount
from engines.contract import InputError, Parameter, Setting, shown
from engines.game import Game
from engines.games.breakthrough.levels import LADDER
from engines.games.breakthrough.move_text import in_pairs, is_line
from engines.games.breakthrough.rules import Breakthrough, Pawns
from engines.games.breakthrough.solving import Runners, runners
from engines.notation import Grid, Square, read_rows, read_weights, write_row
from engines.position import Position
from engines.rules import WIN, State, packed

LARGEST_TABLE = 4 << 30


class BreakthroughGame(Game):
    """Breakthrough for people: rows as in a FEN, then the side to move; moves are `a2a3` or, as some courses, `2a3a`."""

    id = "breakthrough"
    title = "Breakthrough"
    sentence = "Pawns step forward and capture diagonally; the first on the last row wins (size ROWSxCOLUMNS)."
    default_size = "8x8"
    line_start = re.compile(r"\s*(?:1\.\s*)?[1-8][a-h][-x]?[1-8][a-h]", re.IGNORECASE)
    """As courses print their lines: nobody writes moves of chess so."""
    line_size = "6x4"
    players = ("White", "Black")
    default_depth = 5
    ladder = LADDER
    margin_name = "pawn"
    preferred: ClassVar[Mapping[str, Setting]] = {"quiescence": True}
    usual_depths = (10, 5)
    prover = "solver"
    table_maker = "breakthrough"
    smallest_table = ("startpos", "4x2")
    side_letters = ("w", "b")
    code_bits = 12
    results = (-WIN, WIN)
    unit = margin = 100
    marks = ("w", "b")
    term_names = ("pawns", "rows gone", "guarded pawns", "home guards", "free runners", "moves")
    parameters = (
        Parameter(name="misere", default=False, sentence="Whoever reaches the last row loses."),
        Parameter(
            name="weights",
            judges=True,
            default="100,10,5,8,60,1",
            sentence="What a pawn, a row gone, a guarded pawn, a home guard, a free runner and a move are worth, in "
            "hundredths of a pawn.",
        ),
    )

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size, options)
        self.rows, self.columns = self.read_size(("rows", "columns"), lambda place: range(4 - 2 * place, 9))
        self.misere = bool(options["misere"])
        weights = read_weights(str(options["weights"]), len(self.term_names))
        data = packed(
            squares=board(row * 8 + column for row in range(self.rows) for column in range(self.columns)),
            white_goal=self._row(self.rows - 1),
            black_goal=self._row(0),
            rows=self.rows,
            unused=U(8 - self.columns),
            misere=int(self.misere),
            weights=tuple(-weight for weight in weights) if self.misere else weights,
            tables=0,
        )
        self.rules = Breakthrough(data)

    def knowledge(self) -> Runners:
        return runners(self.rows, self.columns)

    def table_name(self, state: State) -> str | None:
        if self.table_bytes("") > LARGEST_TABLE:
            return None
        return f"breakthrough-{self.size}{'-misere' if self.misere else ''}"

    def table_bytes(self, name: str) -> int:
        return 3 ** (self.columns * (self.rows - 2)) * 4**self.columns  # two for each position and its mirror image

    def table_options(self) -> dict[str, Setting]:
        return {"misere": True} if self.misere else {}

    def lacks(self, need: str, state: State) -> str | None:
        if need == "table" and self.table_name(state) is None:
            return f"a board of {self.size} has too many positions for a table"
        if need != "knowledge":
            return super().lacks(need, state)
        return "it has none for misère Breakthrough" if self.misere else None

    def _row(self, row: int) -> Any:
        return board(row * 8 + column for column in range(self.columns))

    def start(self) -> State:
        white = self._row(0) | self._row(1)
        return Pawns(white, self._row(self.rows - 1) | self._row(self.rows - 2), 1)

    @classmethod
    def split(cls, text: str) -> tuple[str, list[str]]:
        return ("startpos", text.split()) if is_line(text) else super().split(text)

    def moves_in(self, words: Sequence[str]) -> list[str]:
        return in_pairs(super().moves_in(words))

    @classmethod
    def size_of(cls, text: str) -> str | None:
        if text == "startpos":
            return None
        rows = read_rows(text.split()[0], "wb.", "board")
        return f"{len(rows)}x{len(rows[0])}"

    def read_board(self, text: str) -> State:
        words = text.split()
        if len(words) != 2 or words[1] not in ("w", "b"):
            raise InputError(f"A position is the rows and then the side to move, w or b, not {shown(text)}.")
        rows = read_rows(words[0], "wb.", "board")
        if (len(rows), len(rows[0])) != (self.rows, self.columns):
            raise InputError(f"The board has {len(rows)} rows and {len(rows[0])} columns, but the game is {self.size}.")
        pawns = {
            letter: board(
                row * 8 + column
                for row, letters in enumerate(reversed(rows))
                for column, found in enumerate(letters)
                if found == letter
            )
            for letter in "wb"
        }
        return self._checked(Pawns(pawns["w"], pawns["b"], 1 if words[1] == "w" else -1))

    def _checked(self, state: Pawns) -> Pawns:
        """The state, if a game can come to it."""
        for name, pawns in (("White", state.white), ("Black", state.black)):
            if popcount(pawns) > 2 * self.columns:
                raise InputError(f"{name} has {popcount(pawns)} pawns, but starts with {2 * self.columns}.")
        if not state.white and not state.black:
            raise InputError("There is no pawn on the board.")
        white_there, black_there = state.white & self.rules.data.white_goal, state.black & self.rules.data.black_goal
        last_mover_there = black_there if state.turn > 0 else white_there
        if (white_there and black_there) or popcount(white_there | black_there) > 1:
            raise InputError("More than one pawn stands on its last row, but the first one there ends the game.")
        if (white_there or black_there) and not last_mover_there:
            raise InputError("A pawn stands on its last row, but the other side has moved since.")
        if not (state.white if state.turn < 0 else state.black):
            raise InputError("The side that has just moved has no pawn.")
        return state

    def letters(self, state: State) -> list[str]:
        """The rows of the board from the top, as w, b and dots."""
        rows = []
        for row in reversed(range(self.rows)):
            squares = [bit(row * 8 + column) for column in range(self.columns)]
            rows.append("".join("w" if state.white & s else "b" if state.black & s else "." for s in squares))
        return rows

    def board_text(self, state: State) -> str:
        rows = "/".join(write_row(row) for row in self.letters(state))
        return f"{rows} {'w' if state.turn > 0 else 'b'}"

    def ending(self, position: Position) -> str | None:
        state = position.state
        if not state.white or not state.black:
            return "all pawns are taken"
        there = (state.white & self.rules.data.white_goal) | (state.black & self.rules.data.black_goal)
        return "a pawn has reached the last row" if there else None

    def diagram(self, state: State) -> str:
        rows = [f"{self.rows - i} {' '.join(letters)}" for i, letters in enumerate(self.letters(state))]
        return "\n".join([*rows, "  " + " ".join("abcdefgh"[: self.columns])])

    def grid(self, state: State) -> Grid:
        rows = tuple("".join(row) for row in self.letters(state))
        return Grid(rows, tuple(str(self.rows - i) for i in range(self.rows)), tuple("abcdefgh"[: self.columns]))

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        return tuple((self.rows - 1 - square // 8, square % 8) for square in (move >> 6, move & 63))

    def move_text(self, state: State, move: int) -> str:
        return square_name(move >> 6) + square_name(move & 63)

    def normal_move(self, text: str) -> str:
        plain = text.strip().lower().replace("-", "").replace("x", "")
        if len(plain) == 4 and plain[0].isdigit() and plain[2].isdigit():
            return plain[1] + plain[0] + plain[3] + plain[2]
        return plain


def square_name(square: int) -> str:
    """a1 is White's left corner."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


GAME = BreakthroughGame

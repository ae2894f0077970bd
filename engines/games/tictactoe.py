"""Tic-tac-toe and its larger relatives: k in a row on a board of m columns and n rows.

A state is two bitboards. Cell `row * (m + 1) + column` counts rows from the top; the spare cell at the end of each row
stays empty, so that lines do not wrap. A move is a cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engines.contract import InputError, Setting
from engines.game import Grid, Square, read_rows
from engines.games.rows import RowGame
from engines.kernel import int64, routine
from engines.parts.bits import EMPTY, ONE, U, board, gathered, popcount
from engines.parts.known import coded, decoded, in_layers, twins
from engines.parts.lines import Stones, by_parity, count_runs, put, row_complete, sides, stones_key, write_cells
from engines.rules import ONGOING, State, key, moves, packed, play, result, terms, turn


class TicTacToe(NamedTuple):
    """`cells`: the board; `stride`: the step from a cell to the one below; `k`: how many in a row win; `weights`; `tables`:
    where a table of solved positions is."""

    data: Any


play.register(TicTacToe)(put)
turn.register(TicTacToe)(by_parity)
key.register(TicTacToe)(stones_key)


@result.register(TicTacToe)
def ended_or_known(game: TicTacToe, state: Stones) -> int:
    """A row, a full board, or what a table knows."""
    value = row_complete(game, state)
    if value != ONGOING or game.data.tables == 0:
        return value
    return in_layers(game.data.tables, popcount(state.mine | state.theirs), coded(game, state))


@moves.register(TicTacToe)
def empty_cells(game: TicTacToe, state: Stones, out: Any) -> int:
    """Every empty cell, row by row from the top left."""
    return write_cells(game.data.cells & ~(state.mine | state.theirs), out)


@terms.register(TicTacToe)
def lines_left(game: TicTacToe, state: Stones) -> Any:
    """Lines in which the other player has no mark."""
    first, second = sides(game, state)
    return (
        count_runs(game.data.cells & ~second, game.data.k, game.data.stride),
        count_runs(game.data.cells & ~first, game.data.k, game.data.stride),
    )


@coded.register(TicTacToe)
@routine
def in_threes(game: TicTacToe, state: Stones) -> Any:
    """The cells as digits in base 3: empty, of the side to move, of the other side."""
    mine, theirs = gathered(state.mine, game.data.cells), gathered(state.theirs, game.data.cells)
    code = EMPTY
    for i in range(popcount(game.data.cells) - 1, -1, -1):
        code = code * U(3) + ((mine >> U(i)) & ONE) + ((theirs >> U(i)) & ONE) * U(2)
    return code


@decoded.register(TicTacToe)
def cells_of_code(game: TicTacToe, code: Any) -> Stones:
    """Digit by digit."""
    mine, theirs, cells = EMPTY, EMPTY, game.data.cells
    while code != EMPTY:
        digit, cell = code % U(3), cells & ~(cells - ONE)
        code //= U(3)
        cells ^= cell
        if digit == ONE:
            mine |= cell
        elif digit != EMPTY:
            theirs |= cell
    return Stones(mine, theirs)


@twins.register(TicTacToe)
def itself_alone(game: TicTacToe, code: Any) -> int:
    """Images are not taken for one."""
    return int64(1)


class TicTacToeGame(RowGame):
    """Tic-tac-toe for people: rows of X, O and dots, moves as squares from a1 at the bottom left."""

    id = "tictactoe"
    title = "Tic-tac-toe"
    sentence = "Three in a row win; or k in a row on m columns and n rows (size MxNxK)."
    default_size = "3x3x3"
    default_depth = 9
    opening_plies = 1
    code_bits = 7
    term_names = ("open lines",)

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size if size.lower().count("x") + size.count(",") != 1 else with_row_length(size), options)
        self.width, self.height, k = self.read_size(("columns", "rows", "stones in a row"), lambda place: range(1, 32))
        if (self.width + 1) * self.height > 64:
            raise InputError(f"A board of {size} does not fit: (columns + 1) times rows is at most 64.")
        cells = board(self.cell(column, row) for row in range(self.height) for column in range(self.width))
        self.codes = 3 ** (self.width * self.height)
        self.rules = TicTacToe(packed(cells=cells, stride=U(self.width + 1), k=k, weights=(1,), tables=0))

    def cell(self, column: int, row: int) -> int:
        return row * (self.width + 1) + column

    @classmethod
    def size_of(cls, text: str) -> str | None:
        if text == "startpos":
            return None
        rows = read_rows(text, "XO.", "board")
        return with_row_length(f"{len(rows[0])}x{len(rows)}")

    def diagram(self, state: State) -> str:
        rows = [f"{self.height - row:2} {' '.join(letters)}" for row, letters in enumerate(self.letters(state))]
        return "\n".join([*rows, "   " + " ".join(column_name(column) for column in range(self.width))])

    def grid(self, state: State) -> Grid:
        rows = tuple("".join(row) for row in self.letters(state))
        names = tuple(str(self.height - row) for row in range(self.height))
        return Grid(rows, names, tuple(column_name(column) for column in range(self.width)), checkered=False)

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        return (divmod(move, self.width + 1),)

    def move_text(self, state: State, move: int) -> str:
        row, column = divmod(move, self.width + 1)
        return f"{column_name(column)}{self.height - row}"


def with_row_length(size: str) -> str:
    """A size of columns and rows, and the usual length of a winning row on such a board: its shorter side, but at most 5."""
    sides = [int(part) for part in size.lower().replace(",", "x").split("x") if part.strip().isdecimal()]
    return f"{size}x{min([*sides, 5])}"


def column_name(column: int) -> str:
    """a, b ... z, then aa, ab ... from the left."""
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else "a" + letter


GAME = TicTacToeGame

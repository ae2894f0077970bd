"""Tic-tac-toe and its larger relatives: k in a row on a board of m columns and n rows, for two players or three.

A state is two bitboards. Cell `row * (m + 1) + column` counts rows from the top; the spare cell at the end of each row
stays empty, so that lines do not wrap. A move is a cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from engines.compiled.bits import EMPTY, ONE, U, bit, board, gathered, popcount
from engines.compiled.kernel import int64, routine
from engines.contract import Evaluation, InputError, Parameter, Setting, Term
from engines.game import SHOWN_WIN, Game
from engines.games.in_a_row.game import RowGame
from engines.games.in_a_row.lines import (
    RowStones,
    by_parity,
    complete_or_known,
    count_runs,
    has_run,
    put,
    sides,
    stones_key,
    write_cells,
)
from engines.games.tictactoe.levels import LADDER
from engines.games.tictactoe.three_players import NO_STONES, PLAYERS, ThreeStones, TicTacToeForThree, open_lines, stones_of
from engines.notation import LIKELY, Grid, Square, read_rows
from engines.rules import WIN, State, key, moves, packed, play, result, terms, turn
from engines.rules_chance import judgements
from engines.rules_solved import coded, decoded, twins


class TicTacToe(NamedTuple):
    """`cells`: the board; `stride`: the step from a cell to the one below; `k`: how many in a row win; `weights`; `tables`:
    where a table of solved positions is."""

    data: Any


play.register(TicTacToe)(put)
turn.register(TicTacToe)(by_parity)
key.register(TicTacToe)(stones_key)
result.register(TicTacToe)(complete_or_known)


@moves.register(TicTacToe)
def empty_cells(game: TicTacToe, state: RowStones, out: Any) -> int:
    """Every empty cell, row by row from the top left."""
    return write_cells(game.data.cells & ~(state.mine | state.theirs), out)


@terms.register(TicTacToe)
def lines_left(game: TicTacToe, state: RowStones) -> Any:
    """Lines in which the other player has no mark."""
    first, second = sides(game, state)
    return (
        count_runs(game.data.cells & ~second, game.data.k, game.data.stride),
        count_runs(game.data.cells & ~first, game.data.k, game.data.stride),
    )


@coded.register(TicTacToe)
@routine
def in_threes(game: TicTacToe, state: RowStones) -> Any:
    """The cells as digits in base 3: empty, of the side to move, of the other side."""
    mine, theirs = gathered(state.mine, game.data.cells), gathered(state.theirs, game.data.cells)
    code = EMPTY
    for i in range(popcount(game.data.cells) - 1, -1, -1):
        code = code * U(3) + ((mine >> U(i)) & ONE) + ((theirs >> U(i)) & ONE) * U(2)
    return code


@decoded.register(TicTacToe)
def cells_of_code(game: TicTacToe, code: Any) -> RowStones:
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
    return RowStones(mine, theirs)


@twins.register(TicTacToe)
def itself_alone(game: TicTacToe, code: Any) -> int:
    """Images are not taken for one."""
    return int64(1)


class TicTacToeGame(RowGame):
    """Tic-tac-toe for people: rows of X, O and dots, moves as squares from a1 at the bottom left."""

    id = "tictactoe"
    title = "Tic-tac-toe"
    sentence = "Three in a row win; or k in a row on m columns and n rows (size MxNxK), for two or three players."
    parameters = (
        Parameter(name="players", default=2, low=2, high=3, sentence="Three are X, O and Z; a Z on the board also says so."),
    )
    variants = ({"players": "3"},)
    default_size = "3x3x3"
    default_depth = 9
    ladder = LADDER
    preferred: ClassVar[Mapping[str, Setting]] = {"quickest": False}
    table_maker = "stone_layers"
    smallest_table = ("startpos", "2x2x2")
    opening_plies = 1
    code_bits = 7
    term_names = ("open lines",)
    record: ClassVar[type[TicTacToe] | type[TicTacToeForThree]] = TicTacToe

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size if size.lower().count("x") + size.count(",") != 1 else with_row_length(size), options)
        self.width, self.height, k = self.read_size(("columns", "rows", "stones in a row"), lambda place: range(1, 32))
        if (self.width + 1) * self.height > 64:
            raise InputError(f"A board of {size} does not fit: (columns + 1) times rows is at most 64.")
        cells = board(self.cell(column, row) for row in range(self.height) for column in range(self.width))
        self.codes = 3 ** (self.width * self.height)
        self.rules = self.record(packed(cells=cells, stride=U(self.width + 1), k=k, weights=(1,), tables=0))

    @classmethod
    def create(cls, text: str, size: str | None, options: Mapping[str, Setting]) -> Game:
        three = options["players"] == 3 or (text != "startpos" and "Z" in text.upper())
        kind = TicTacToeForThreeGame if three else TicTacToeGame
        return kind(size or cls.size_of(text) or cls.default_size, {**options, "players": 3 if three else 2})

    def cell(self, column: int, row: int) -> int:
        return row * (self.width + 1) + column

    @classmethod
    def resembles(cls, text: str) -> float:
        """The more so on its usual board, which is smaller than those of other games."""
        rows = re.split(r"[/\n]", text.strip())
        small = len(rows) == 3 and all(len(row.strip()) <= 3 for row in rows)
        found = super().resembles(text)
        return found + 0.1 if found >= LIKELY and small else found

    @classmethod
    def size_of(cls, text: str) -> str | None:
        if text == "startpos":
            return None
        rows = read_rows(text, "XOZ.", "board")
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


class TicTacToeForThreeGame(TicTacToeGame):
    """The game for three players: X, O and Z."""

    players = ("X", "O", "Z")
    marks = ("X", "O", "Z")
    player_count = PLAYERS
    code = "tictactoe-3"
    record = TicTacToeForThree
    fineness = 2.0  # what two others share of a win is half of it
    fineness_before = 1.0

    def start(self) -> State:
        return NO_STONES

    def read_board(self, text: str) -> State:
        rows = read_rows(text, "XOZ.", "board")
        self.check_shape(rows)
        found = [
            board(self.cell(x, y) for y in range(self.height) for x in range(self.width) if rows[y][x] == letter)
            for letter in self.players
        ]
        counts = [int(popcount(stones)) for stones in found]
        mover = sum(counts) % PLAYERS
        if counts != [(sum(counts) + PLAYERS - 1 - player) // PLAYERS for player in range(PLAYERS)]:
            said = " and ".join(f"{count} {name}" for count, name in zip(counts, self.players, strict=True))
            raise InputError(f"There are {said}: X starts, then O, then Z, so nobody can have two more than another.")
        for player in (mover, (mover + 1) % PLAYERS):
            if has_run(found[player], self.rules.data.k, self.rules.data.stride):
                raise InputError(
                    f"{self.players[player]} has {self.rules.data.k} in a row already, but others have moved since."
                )
        return ThreeStones(*(found[(mover + ahead) % PLAYERS] for ahead in range(PLAYERS)))

    def letters(self, state: State) -> list[str]:
        owned = [stones_of(self.rules, state, player) for player in range(PLAYERS)]
        rows = []
        for row in range(self.height):
            cells = [bit(self.cell(column, row)) for column in range(self.width)]
            rows.append("".join(next((n for n, s in zip("XOZ", owned, strict=True) if s & cell), ".") for cell in cells))
        return rows

    def evaluation(self, state: State) -> Evaluation:
        lines = tuple(float(open_lines(self.rules, state, player)) for player in range(PLAYERS))
        worth = np.zeros(PLAYERS)
        judgements(self.rules, state, worth)
        values = tuple(map(float, worth))
        term = Term(name=self.term_names[0], first=lines[0], second=sum(lines[1:]), weight=1, value=values[0], values=lines)
        return Evaluation(value=values[0], terms=(term,), values=values)

    def shown_payoff(self, value: float) -> float:
        """A win is all of `WIN` or, for one of the two who share it or for each of those who pay, half of it."""
        size = abs(value)
        if size < WIN / 4:
            return value
        plies = round(WIN - size if size > 0.75 * WIN else WIN - 2 * size)
        return float(SHOWN_WIN - plies) * (1 if value > 0 else -1)

    def payoff_bounds(self) -> tuple[float, tuple[float, ...]]:
        return 0.0, (-WIN / 2,) * PLAYERS


def with_row_length(size: str) -> str:
    """A size of columns and rows, and the usual length of a winning row on such a board: its shorter side, but at most 5."""
    sides = [int(part) for part in size.lower().replace(",", "x").split("x") if part.strip().isdecimal()]
    return f"{size}x{min([*sides, 5])}"


def column_name(column: int) -> str:
    """a, b ... z, then aa, ab ... from the left."""
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else "a" + letter


GAME = TicTacToeGame

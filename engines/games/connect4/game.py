"""Connect 4: stones fall to the bottom of a column; the first to have four in a row wins.

A state is two bitboards. Cell `column * (height + 1) + row` counts rows from the bottom; the spare cell on top of each
column stays empty, so that lines do not wrap. A move is the cell the stone falls into.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from engines.compiled.bits import EMPTY, ONE, U, bit, board, nth, popcount
from engines.compiled.kernel import helper, int64, routine
from engines.contract import InputError, Parameter, Setting, shown
from engines.games.connect4.levels import LADDER
from engines.games.connect4.solving import Fours, fours
from engines.games.in_a_row.game import RowGame
from engines.games.in_a_row.lines import (
    RowStones,
    by_parity,
    complete_or_known,
    count_lines,
    has_run,
    put,
    sides,
    stones_key,
    write_cells,
)
from engines.notation import LIKELY, Grid, Square, read_rows, read_weights
from engines.parts.proof.numbers import proof_key
from engines.parts.sampling.playout import drawn
from engines.rules import State, key, moves, packed, play, result, terms, turn, worth
from engines.rules_solved import coded, decoded, twins
from engines.run.work import Work, scaled

COLUMNS = "123456789abcdefghijklmnopqrstuvw"
"""The names of the columns from the left."""


class ConnectFour(NamedTuple):
    """`bottom`: the lowest cell of each column; `cells`: all cells; `stride`: the step from a cell to its right neighbour;
    `k`: how many in a row win; `weights`: of lines with 1, 2 and 3 stones; `tables`: where a table of solved ones is."""

    data: Any


play.register(ConnectFour)(put)
turn.register(ConnectFour)(by_parity)
key.register(ConnectFour)(stones_key)
result.register(ConnectFour)(complete_or_known)


@proof_key.register(ConnectFour)
def key_or_mirrored(game: ConnectFour, state: RowStones) -> Any:
    """The smaller of the keys of the position and of its mirror image, which is worth the same."""
    image = RowStones(mirrored(game, state.mine), mirrored(game, state.theirs))
    return min(stones_key(game, state), stones_key(game, image))


@helper
def mirrored(game: ConnectFour, stones: Any) -> Any:
    """Stones with the columns in reverse order."""
    column, turned = (ONE << game.data.stride) - ONE, EMPTY
    for _ in range(popcount(game.data.bottom)):
        turned = (turned << game.data.stride) | (stones & column)
        stones >>= game.data.stride
    return turned


@moves.register(ConnectFour)
def open_columns(game: ConnectFour, state: RowStones, out: Any) -> int:
    """One move for each column that is not full, from the left. Adding the bottom row carries past each column's top."""
    return write_cells(((state.mine | state.theirs) + game.data.bottom) & game.data.cells, out)


@worth.register(ConnectFour)
def promise(game: ConnectFour, state: RowStones, move: int) -> int:
    """A winning stone, then one that keeps the other from winning there; of the others, those nearer to the middle."""
    k, stride = game.data.k, game.data.stride
    if has_run(state.mine | bit(move), k, stride):
        return int64(10_000)
    if has_run(state.theirs | bit(move), k, stride):
        return int64(5_000)
    columns = popcount(game.data.bottom)
    return 1 + columns - abs(2 * (move // int64(stride)) - columns + 1)


@drawn.register(ConnectFour)
def drawn_column(game: ConnectFour, work: Work, state: RowStones, bits: Any) -> int:
    """Any open column."""
    landing = ((state.mine | state.theirs) + game.data.bottom) & game.data.cells
    return nth(landing, scaled(bits, popcount(landing)))


@terms.register(ConnectFour)
def lines_by_stones(game: ConnectFour, state: RowStones) -> Any:
    """Lines with exactly 1, 2 and 3 stones of one player and none of the other."""
    first, second = sides(game, state)
    first1, first2, first3 = count_lines(first, game.data.cells & ~second, game.data.k, game.data.stride)
    second1, second2, second3 = count_lines(second, game.data.cells & ~first, game.data.k, game.data.stride)
    return first1, second1, first2, second2, first3, second3


@coded.register(ConnectFour)
@routine
def column_code(game: ConnectFour, state: RowStones) -> Any:
    """In each column a bit on top of its stones, and below it those of the side to move; or the same seen in a mirror."""
    code = ((state.mine | state.theirs) + game.data.bottom) | state.mine
    return min(code, mirrored(game, code))


@decoded.register(ConnectFour)
def stones_of_code(game: ConnectFour, code: Any) -> RowStones:
    """All cells below the highest bit of each column have a stone."""
    filled = code
    for _ in range(int64(game.data.stride) - 1):
        filled |= (filled >> ONE) & game.data.cells
    stones = (filled >> ONE) & game.data.cells
    return RowStones(code & stones, stones & ~code)


@twins.register(ConnectFour)
def with_mirror_image(game: ConnectFour, code: Any) -> int:
    """Two, unless it is its own mirror image."""
    return int64(1) if mirrored(game, code) == code else int64(2)


class ConnectFourGame(RowGame):
    """Connect 4 for people: the columns played, or a diagram of X, O and dots."""

    id = "connect4"
    title = "Connect 4"
    margin = 40
    sentence = "Stones fall into columns; four in a row win (size COLUMNSxROWS)."
    default_size = "7x6"
    default_depth = 8
    men_fall = True
    suite_algorithms = ("solver", "alphabeta")
    ladder = LADDER
    named_weights: ClassVar[Mapping[str, str]] = {"course": "1,10,100", "genetic": "15,244,953"}
    """From the course: the first try, and what its genetic algorithm found."""
    loud_moves_answer = True
    usual_depths = (14, 9)
    prover = "solver"
    review_nodes = 50_000_000
    table_maker = "stone_layers"
    smallest_table = ("startpos", "2x2")
    has_scored_suites = True
    code_bits = 7
    term_names = ("lines with 1", "lines with 2", "lines with 3")
    parameters = (
        Parameter(name="k", default=4, low=2, high=7, sentence="How many stones in a row win."),
        Parameter(
            name="weights",
            judges=True,
            default="1,10,100",
            sentence="What an open line with 1, 2 and 3 stones is worth (15,244,953 was found by a genetic algorithm).",
        ),
    )

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size, options)
        self.width, self.height = self.read_size(("columns", "rows"), lambda place: range(1, 33))
        if self.width * (self.height + 1) > 64:
            raise InputError(f"A board of {size} does not fit: columns times (rows + 1) is at most 64.")
        columns = range(self.width)
        data = packed(
            bottom=board(self.cell(column, self.height - 1) for column in columns),
            cells=board(self.cell(column, row) for column in columns for row in range(self.height)),
            stride=U(self.height + 1),
            k=int(options["k"]),
            weights=read_weights(str(options["weights"]), len(self.term_names)),
            tables=0,
        )
        self.rules = ConnectFour(data)
        self.codes = 1 << self.width * (self.height + 1)

    def table_options(self) -> dict[str, Setting]:
        return {} if self.options["k"] == 4 else {"k": self.options["k"]}

    def knowledge(self) -> Fours:
        return fours(self.width, self.height)

    def lacks(self, need: str, state: State) -> str | None:
        if need != "knowledge":
            return super().lacks(need, state)
        return None if self.options["k"] == 4 else f"it has none for {self.options['k']} in a row, only for 4"

    def plies_left(self, state: State) -> int:
        return self.width * self.height - int(popcount(state.mine | state.theirs))

    def cell(self, column: int, row: int) -> int:
        return column * (self.height + 1) + self.height - 1 - row

    @classmethod
    def resembles(cls, text: str) -> float:
        """A bare number may be a notation of nearly every game, but is meant as columns."""
        return LIKELY if re.fullmatch(r"\s*[0-9]+\s*", text) else super().resembles(text)

    @classmethod
    def size_of(cls, text: str) -> str | None:
        if not is_diagram(text):
            return None
        rows = read_rows(text, "XO.", "board")
        return f"{len(rows[0])}x{len(rows)}"

    def read(self, text: str) -> tuple[State, list[str]]:
        if text == "startpos" or is_diagram(text):
            return super().read(text)
        text = "".join(text.split())
        for letter in text.lower():
            if letter not in COLUMNS[: self.width]:
                raise InputError(
                    f"{shown(text)} has {shown(letter)}, but the columns are 1 to {COLUMNS[self.width - 1]} "
                    "(a diagram has its rows between slashes)."
                )
        return self.start(), list(text)

    def read_board(self, text: str) -> State:
        rows = read_rows(text, "XO.", "board")
        for number, (above, below) in enumerate(pairwise(rows), 1):
            for column, (stone, support) in enumerate(zip(above, below, strict=True)):
                if stone != "." and support == ".":
                    raise InputError(f"The stone in row {number} from the top, column {COLUMNS[column]}, hangs in the air.")
        return super().read_board(text)

    def position_text(self, start: State, played: Sequence[int]) -> str:
        if start == self.start():
            return "".join(self.line_text(start, played)) or "startpos"
        return super().position_text(start, played)

    def diagram(self, state: State) -> str:
        rows = [" ".join(row) for row in self.letters(state)]
        return "\n".join([*rows, " ".join(COLUMNS[: self.width])])

    def grid(self, state: State) -> Grid:
        rows = tuple("".join(row) for row in self.letters(state))
        return Grid(rows, ("",) * self.height, tuple(COLUMNS[: self.width]), checkered=False)

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        column, row = divmod(move, self.height + 1)
        return ((self.height - 1 - row, column),)

    def move_text(self, state: State, move: int) -> str:
        return COLUMNS[move // (self.height + 1)]


def is_diagram(text: str) -> bool:
    """Rows of stones, not a list of columns."""
    return "/" in text or "\n" in text or (text != "" and set(text) <= set("XOxo."))


GAME = ConnectFourGame

"""Morpion Solitaire for people: a move is a line, written by its two ends; see `rules.py` for the game itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property

import numpy as np

from engines.contract import InputError, Setting, shown
from engines.game import Game
from engines.games.morpion.rules import (
    BOOK,
    COUNT,
    DOT,
    EDGE,
    LEGAL,
    LINES,
    MOST_LINES,
    MOVE_BITS,
    OUTSIDE,
    POINTS,
    SIDE,
    STEPS,
    STRIDE,
    TRAIL,
    Morpion,
    MorpionLines,
    missing_dot,
)
from engines.notation import Grid, Square
from engines.position import Position
from engines.rules import State, packed, play

CROSS = ("...####...", "...#..#...", "...#..#...", "####..####", "#........#")
"""The upper half of the cross; the lower one is its mirror image."""
FORMS = {"5D": 100.0, "5T": 200.0}
"""Disjoint and touching lines; and how many lines are as good as a win."""
POINT = re.compile(r"([a-z]|a[a-f])(\d{1,2})")


class MorpionGame(Game):
    """Morpion Solitaire in one of its forms."""

    id = "morpion"
    title = "Morpion Solitaire"
    sentence = "One player adds a dot that makes a row of five and draws the line, as often as possible (size 5D or 5T)."
    default_size = "5D"
    default_depth = 3
    players = ("player", "nobody")
    player_count = 1
    has_winner = False
    means_are_bounded = False
    touch_plays = True
    term_names = ("lines",)
    code_bits = MOVE_BITS

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size, options)
        self.size = size.strip().upper()
        if self.size not in FORMS:
            raise InputError(f"A size is 5D or 5T: five in a row, lines disjoint or touching; not {shown(size)}.")
        self.joined = int(self.size == "5T")
        self.rules = Morpion(packed(joined=self.joined, steps=STEPS, weights=(1,), span=FORMS[self.size]))

    # Positions.

    def start(self) -> State:
        return self._start

    @cached_property
    def _start(self) -> MorpionLines:
        grid, book = np.zeros(POINTS, np.uint8), np.zeros(BOOK, np.int32)
        board = grid.reshape(STRIDE, STRIDE)
        board[:] = OUTSIDE
        board[EDGE : EDGE + SIDE, EDGE : EDGE + SIDE] = 0
        corner = EDGE + (SIDE - 10) // 2
        for row, dots in enumerate([*CROSS, *reversed(CROSS)]):
            for column, dot in enumerate(dots):
                board[corner + row, corner + column] = DOT if dot == "#" else 0
        for start in range(POINTS - 4 * (STRIDE + 1)):
            for direction, step in enumerate(STEPS):
                missing = missing_dot(grid, self.joined, step, direction, start)
                if missing >= 0:
                    book[LEGAL + book[COUNT]] = (missing << MOVE_BITS) | (start << 2) | direction
                    book[COUNT] += 1
        return MorpionLines(grid, book)

    def read_board(self, text: str) -> State:
        """`cross`, and the lines drawn on it in order."""
        first, *lines = text.split() or [""]
        if first.lower() != "cross":
            raise InputError(
                f"A position is written startpos, or cross and the lines drawn, such as cross l12-p12; not {shown(text)}."
            )
        state = self.start()
        for number, line in enumerate(lines, 1):
            try:
                state = play(self.rules, state, self.read_move(state, line))
            except InputError as error:
                raise InputError(f"Line {number}: {error}") from None
        return state

    def board_text(self, state: State) -> str:
        return " ".join(["cross", *(line_name(move) for move in self.lines(state))])

    def lines(self, state: State) -> list[int]:
        """The lines drawn, in order."""
        return [int(move) for move in state.book[TRAIL : TRAIL + state.book[LINES]]]

    # Pictures.

    def window(self, state: State) -> tuple[range, range]:
        """The rows, from the top, and columns around the dots and the places where one can be put."""
        points = [divmod(int(point), STRIDE) for point in np.flatnonzero(state.grid & DOT)]
        points += [divmod(int(entry) >> MOVE_BITS, STRIDE) for entry in state.book[LEGAL : LEGAL + state.book[COUNT]]]
        rows, columns = [SIDE - 1 - (row - EDGE) for row, _ in points], [column - EDGE for _, column in points]
        return range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)

    def grid(self, state: State) -> Grid:
        rows, columns = self.window(state)
        numbers = self._numbers(state)
        letters, labels = [], {}
        for row in rows:
            text = ""
            for column in columns:
                point = STRIDE * (EDGE + SIDE - 1 - row) + EDGE + column
                text += "●" if state.grid[point] & DOT else "."
                if point in numbers:
                    labels[row, column] = str(numbers[point])
            letters.append(text)
        return Grid(
            tuple(letters),
            tuple(str(SIDE - row) for row in rows),
            tuple(column_name(column) for column in columns),
            checkered=False,
            top=rows[0],
            left=columns[0],
            labels=labels,
            links=frozenset(
                tuple(sorted((square(point), square(point + step))))
                for move in self.lines(state)
                for step in (STEPS[move & 3],)
                for point in range(move >> 2, (move >> 2) + 4 * step, step)
            ),
            lined=True,
            open=frozenset(square(int(entry) >> MOVE_BITS) for entry in state.book[LEGAL : LEGAL + state.book[COUNT]]),
        )

    def _numbers(self, state: State) -> dict[int, int]:
        """Which line put the dot of a point: the first one is 1."""
        grid = self._start.grid.copy()
        numbers: dict[int, int] = {}
        for number, move in enumerate(self.lines(state), 1):
            step = STEPS[move & 3]
            for point in range(move >> 2, (move >> 2) + 5 * step, step):
                if not grid[point] & DOT:
                    numbers[point] = number
                    grid[point] |= DOT
        return numbers

    def diagram(self, state: State) -> str:
        rows, columns = self.window(state)
        numbers = self._numbers(state)
        lines = []
        for row in rows:
            cells = []
            for column in columns:
                point = STRIDE * (EDGE + SIDE - 1 - row) + EDGE + column
                dot = "o" if state.grid[point] & DOT else "·"
                cells.append(f"{numbers.get(point, dot):>3}")
            lines.append(f"{SIDE - row:2} {''.join(cells)}")
        return "\n".join([*lines, "   " + "".join(f"{column_name(column):>3}" for column in columns)])

    # Moves.

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        """The points of the line, the new dot last."""
        step = STEPS[move & 3]
        points = range(move >> 2, (move >> 2) + 5 * step, step)
        new = [point for point in points if not state.grid[point] & DOT]
        return tuple(square(point) for point in [*(point for point in points if point not in new), *new])

    def touched_by(self, state: State, move: int) -> tuple[Square, ...]:
        return self.move_squares(state, move)[-1:]

    def move_text(self, state: State, move: int) -> str:
        return line_name(move)

    def line_text(self, state: State, line: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(line_name, line))

    def read_move(self, state: State, text: str) -> int:
        """The line that a person wrote by its ends, in either order; or by its new dot, if that is of one line only."""
        wanted = text.strip().lower()
        ends = wanted.split("-")
        if len(ends) > 2 or not all(POINT.fullmatch(end) for end in ends):
            raise InputError(f"{shown(text)} is not a line, which is written by its ends; {self._choices(state)}.")
        legal = self.legal_moves(state)
        if len(ends) == 2:
            for move in legal:
                if line_name(move) in (wanted, "-".join(reversed(ends))):
                    return move
            raise InputError(f"{shown(text)} is not a legal line here; {self._choices(state)}.")
        there = [move for move in legal if point_name(*self.move_squares(state, move)[-1]) == wanted]
        if len(there) == 1:
            return there[0]
        if there:
            raise InputError(f"A dot on {wanted} can belong to {' or '.join(map(line_name, there))}; write which.")
        raise InputError(f"No line can be drawn with a new dot on {shown(text)}; {self._choices(state)}.")

    def standing(self, position: Position) -> str:
        lines = int(position.state.book[LINES])
        return f"{lines} {'line' if lines == 1 else 'lines'}"

    def ending(self, position: Position) -> str | None:
        return "no further line fits"

    def shown_mean(self, mean: float) -> float:
        """The mean number of lines."""
        return mean * FORMS[self.size]


def square(point: int) -> Square:
    """Where a point is: row from the top, column from the left."""
    row, column = divmod(point, STRIDE)
    return SIDE - 1 - (row - EDGE), column - EDGE


def column_name(column: int) -> str:
    """a to z, then aa to af."""
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else "a" + letter


def point_name(row: int, column: int) -> str:
    """A point as people write it."""
    return f"{column_name(column)}{SIDE - row}"


@cache
def line_name(move: int) -> str:
    """A line by its ends."""
    start, step = move >> 2, STEPS[move & 3]
    return f"{point_name(*square(start))}-{point_name(*square(start + 4 * step))}"


GAME = MorpionGame
assert MOST_LINES > 485  # nobody can draw more lines than that (5T)

"""Oracles of the two-player games: rules, evaluations and searches in the simplest way.

Nothing here comes from `engines`. Boards are strings, moves are the notations that people write, values are for the first
player. The fast results of `engines` must be equal to these slow ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from operator import itemgetter
from typing import Any, Protocol, Self

WIN = 1_000_000_000
"""The value of a win at this position; a win n plies away is worth n less."""
SHOWN_WIN = 1_000_000
"""The displayed value of a win."""

Value = int | Fraction
Cell = tuple[int, int]


class Naive(Protocol):
    """A position of a game. `unit` is the number of internal units in a displayed value of 1."""

    @property
    def unit(self) -> int: ...
    def turn(self) -> int:
        """1 if the first player moves, -1 if the second does."""

    def moves(self) -> list[str]:
        """The legal moves in the game's own order; empty if the game is over."""

    def play(self, move: str) -> Self:
        """The position after a legal move."""

    def result(self) -> Value | None:
        """The value of a finished game for the first player; None if it goes on."""

    def terms(self) -> list[tuple[Value, Value]]:
        """For each term of the evaluation, the first player's count and the second player's."""

    def evaluate(self) -> Value:
        """The static evaluation for the first player."""

    def text(self) -> str:
        """The notation of the position without its history."""


@cache
def lines(width: int, height: int, k: int) -> list[list[Cell]]:
    """Every line of k cells on a board, as (column, row)."""
    found = set()
    for column in range(width):
        for row in range(height):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(k)]
                if all(0 <= x < width and 0 <= y < height for x, y in line):
                    found.add(frozenset(line))
    return sorted(sorted(line) for line in found)


@cache
def readers(width: int, height: int, k: int) -> list[itemgetter[Any]]:
    """For each of these lines, a getter of its cells from a board written as one string, row after row."""
    return [itemgetter(*(y * width + x for x, y in line)) for line in lines(width, height, k)]


def put(rows: tuple[str, ...], cell: Cell, mark: str) -> tuple[str, ...]:
    """The rows with a mark in one cell."""
    x, y = cell
    return (*rows[:y], rows[y][:x] + mark + rows[y][x + 1 :], *rows[y + 1 :])


@dataclass(frozen=True)
class Connect4:
    """Each column is a string of its stones from the bottom up."""

    columns: tuple[str, ...]
    height: int
    k: int = 4
    weights: tuple[int, ...] = (1, 10, 100)
    unit = 1
    names = "123456789abcdefghijklmnopqrstuvw"

    @classmethod
    def start(cls, width: int = 7, height: int = 6, k: int = 4) -> Connect4:
        return cls(("",) * width, height, k)

    def turn(self) -> int:
        return 1 if len("".join(self.columns)) % 2 == 0 else -1

    def moves(self) -> list[str]:
        if self.result() is not None:
            return []
        return [self.names[i] for i, column in enumerate(self.columns) if len(column) < self.height]

    def play(self, move: str) -> Connect4:
        stone = "X" if self.turn() > 0 else "O"
        i = self.names.index(move)
        columns = (*self.columns[:i], self.columns[i] + stone, *self.columns[i + 1 :])
        return Connect4(columns, self.height, self.k, self.weights)

    def contents(self) -> list[str]:
        """The cells of each line of k, as strings."""
        cells = "".join(column.ljust(self.height, ".") for column in self.columns)
        return ["".join(read(cells)) for read in readers(self.height, len(self.columns), self.k)]

    def result(self) -> Value | None:
        return rows_result(self.contents(), self.k, all(len(column) == self.height for column in self.columns))

    def terms(self) -> list[tuple[Value, Value]]:
        contents = self.contents()
        return [
            (
                sum(line.count("X") == stones and "O" not in line for line in contents),
                sum(line.count("O") == stones and "X" not in line for line in contents),
            )
            for stones in (1, 2, 3)
        ]

    def evaluate(self) -> Value:
        return weighted(self.terms(), self.weights)

    def text(self) -> str:
        full = [column.ljust(self.height, ".") for column in self.columns]
        return "/".join("".join(column[row] for column in full) for row in reversed(range(self.height)))


@dataclass(frozen=True)
class TicTacToe:
    """Rows of X, O and dots from the top."""

    rows: tuple[str, ...]
    k: int = 3
    unit = 1

    @classmethod
    def start(cls, width: int = 3, height: int = 3, k: int = 3) -> TicTacToe:
        return cls(("." * width,) * height, k)

    def turn(self) -> int:
        return 1 if "".join(self.rows).count(".") % 2 == len("".join(self.rows)) % 2 else -1

    def name(self, column: int, row: int) -> str:
        letter = "abcdefghijklmnopqrstuvwxyz"[column % 26]
        return f"{'a' if column >= 26 else ''}{letter}{len(self.rows) - row}"

    def moves(self) -> list[str]:
        if self.result() is not None:
            return []
        cells = [(x, y) for y, row in enumerate(self.rows) for x, mark in enumerate(row) if mark == "."]
        return [self.name(x, y) for x, y in cells]

    def play(self, move: str) -> TicTacToe:
        mark = "X" if self.turn() > 0 else "O"
        cells = ((x, y) for y, row in enumerate(self.rows) for x in range(len(row)))
        return TicTacToe(put(self.rows, next(cell for cell in cells if self.name(*cell) == move), mark), self.k)

    def contents(self) -> list[str]:
        """The cells of each line of k, as strings."""
        cells = "".join(self.rows)
        return ["".join(read(cells)) for read in readers(len(self.rows[0]), len(self.rows), self.k)]

    def result(self) -> Value | None:
        return rows_result(self.contents(), self.k, "." not in "".join(self.rows))

    def terms(self) -> list[tuple[Value, Value]]:
        contents = self.contents()
        return [(sum("O" not in line for line in contents), sum("X" not in line for line in contents))]

    def evaluate(self) -> Value:
        return weighted(self.terms(), (1,))

    def text(self) -> str:
        return "/".join(self.rows)


@dataclass(frozen=True)
class Breakthrough:
    """Rows of w, b and dots from the bottom, White's home row first."""

    rows: tuple[str, ...]
    mover: str = "w"
    misere: bool = False
    weights: tuple[int, ...] = (100, 10, 5, 8, 60, 1)
    unit = 100

    @classmethod
    def start(cls, rows: int = 8, columns: int = 8, misere: bool = False) -> Breakthrough:
        empty = ("." * columns,) * (rows - 4)
        return cls(("w" * columns,) * 2 + empty + ("b" * columns,) * 2, "w", misere)

    def turn(self) -> int:
        return 1 if self.mover == "w" else -1

    def at(self, column: int, row: int) -> str:
        """The letter of a square; empty outside the board."""
        return self.rows[row][column] if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0]) else ""

    def pawns(self, colour: str) -> list[Cell]:
        """The squares of a colour's pawns, row by row from the bottom."""
        return [(x, y) for y, row in enumerate(self.rows) for x, found in enumerate(row) if found == colour]

    def steps(self, colour: str) -> list[tuple[Cell, Cell]]:
        """All steps of a colour: straight ones, then those to the left, then those to the right."""
        up = 1 if colour == "w" else -1
        enemy = "b" if colour == "w" else "w"
        found = []
        for sideways, onto in ((0, (".",)), (-1, (".", enemy)), (1, (".", enemy))):
            for x, y in self.pawns(colour):
                if self.at(x + sideways, y + up) in onto:
                    found.append(((x, y), (x + sideways, y + up)))
        return found

    def moves(self) -> list[str]:
        if self.result() is not None:
            return []
        return [square_name(here) + square_name(there) for here, there in self.steps(self.mover)]

    def play(self, move: str) -> Breakthrough:
        rows = put(put(self.rows, square(move[:2]), "."), square(move[2:]), self.mover)
        return Breakthrough(rows, "b" if self.mover == "w" else "w", self.misere, self.weights)

    def result(self) -> Value | None:
        whole = "".join(self.rows)
        if "w" in self.rows[-1] or "b" not in whole:
            return -WIN if self.misere else WIN
        if "b" in self.rows[0] or "w" not in whole:
            return WIN if self.misere else -WIN
        return None

    def terms(self) -> list[tuple[Value, Value]]:
        white, black = self._terms("w"), self._terms("b")
        return list(zip(white, black, strict=True))

    def _terms(self, colour: str) -> list[Value]:
        """The counts of the terms: pawns, rows advanced, guarded pawns, home guards, free runners, moves."""
        up, home = (1, 0) if colour == "w" else (-1, len(self.rows) - 1)
        own, enemies = self.pawns(colour), self.pawns("b" if colour == "w" else "w")
        guarded = [(x, y) for x, y in own if colour in (self.at(x - 1, y - up), self.at(x + 1, y - up))]
        runners = [(x, y) for x, y in own if not any(abs(x - ex) <= (ey - y) * up for ex, ey in enemies)]
        return [
            len(own),
            sum(abs(y - home) for _, y in own),
            len(guarded),
            sum(y == home for _, y in own),
            len(runners),
            len(self.steps(colour)),
        ]

    def evaluate(self) -> Value:
        value = weighted(self.terms(), self.weights)
        return -value if self.misere else value

    def text(self) -> str:
        rows = [re.sub(r"\.+", lambda dots: str(len(dots[0])), row) for row in reversed(self.rows)]
        return f"{'/'.join(rows)} {self.mover}"


def square(name: str) -> Cell:
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def square_name(cell: Cell) -> str:
    return f"{'abcdefgh'[cell[0]]}{cell[1] + 1}"


@dataclass(frozen=True)
class Tree:
    """A node: who moves there, the number written at it, and its branches."""

    owner: int
    number: Fraction = Fraction(0)
    branches: tuple[Tree, ...] = ()
    unit = 1

    @classmethod
    def read(cls, text: str) -> Tree:
        """Read a correct text without names: numbers, brackets, `max` and `min`, and `min:5(...)`."""
        words = re.findall(r"[^\s()]*\(|\)|[^\s()]+", text)
        return cls._read(words, 1)

    @classmethod
    def _read(cls, words: list[str], owner: int) -> Tree:
        word = words.pop(0)
        number = Fraction(0)
        for part in filter(None, word.rstrip("(").split(":")):
            if part in ("max", "min"):
                owner = 1 if part == "max" else -1
            else:
                number = Fraction(part)
        branches = []
        if word.endswith("("):
            while words[0] != ")":
                branches.append(cls._read(words, -owner))
            words.pop(0)
        return cls(owner, number, tuple(branches))

    def turn(self) -> int:
        return self.owner

    def moves(self) -> list[str]:
        return [str(i) for i in range(1, len(self.branches) + 1)]

    def play(self, move: str) -> Tree:
        return self.branches[int(move) - 1]

    def result(self) -> Value | None:
        return None if self.branches else self.number

    def terms(self) -> list[tuple[Value, Value]]:
        return [(self.number, 0)]

    def evaluate(self) -> Value:
        return self.number

    def text(self) -> str:
        raise NotImplementedError("a tree is its text")


def rows_result(contents: list[str], k: int, full: bool) -> Value | None:
    """The result of a game of k in a row whose lines have these contents; None if it goes on."""
    if "X" * k in contents:
        return WIN
    if "O" * k in contents:
        return -WIN
    return 0 if full else None


def weighted(terms: list[tuple[Value, Value]], weights: tuple[int, ...]) -> Value:
    return sum(weight * (first - second) for weight, (first, second) in zip(weights, terms, strict=True))


def is_win(value: Value) -> bool:
    """Whether a value stands for a win of either player, at any distance."""
    return value > WIN - 1000 or value < 1000 - WIN


def delayed(value: Value, plies: int) -> Value:
    """The value of a finished game, seen from so many plies before its end."""
    if not is_win(value):
        return value
    return value - plies if value > 0 else value + plies


def shown(position: Naive, value: Value) -> float:
    """A value as it is displayed."""
    if is_win(value):
        return float(value - WIN + SHOWN_WIN if value > 0 else value + WIN - SHOWN_WIN)
    return float(Fraction(value) / position.unit)


@dataclass(frozen=True)
class Searched:
    """The result of a search to some depth, and its cost."""

    value: Value
    nodes: int
    leaves: int
    evaluations: int
    line: tuple[str, ...] = ()
    """The principal variation, with the first of the best moves at each ply; only minimax gives it."""


def minimax(position: Naive, depth: int, ply: int = 0) -> Searched:
    """The value for the first player by exhaustive search to a depth."""
    result = position.result()
    if result is not None:
        return Searched(delayed(result, ply), 1, 1, 0)
    if depth == 0:
        return Searched(position.evaluate(), 1, 1, 1)
    below = {move: minimax(position.play(move), depth - 1, ply + 1) for move in position.moves()}
    choose = max if position.turn() > 0 else min
    best = choose(below, key=lambda move: below[move].value)  # the first of equals
    return Searched(
        below[best].value,
        1 + sum(found.nodes for found in below.values()),
        sum(found.leaves for found in below.values()),
        sum(found.evaluations for found in below.values()),
        (best, *below[best].line),
    )


def alphabeta(
    position: Naive, depth: int, alpha: Value = -2 * WIN, beta: Value = 2 * WIN, ply: int = 0, backwards: bool = False
) -> Searched:
    """The same value by alpha-beta, with moves in the game's own order, or in the opposite one."""
    result = position.result()
    if result is not None:
        return Searched(delayed(result, ply), 1, 1, 0)
    if depth == 0:
        return Searched(position.evaluate(), 1, 1, 1)
    best: Value | None = None
    nodes, leaves, evaluations = 1, 0, 0
    moves = list(position.moves())
    for move in reversed(moves) if backwards else moves:
        found = alphabeta(position.play(move), depth - 1, alpha, beta, ply + 1, backwards)
        nodes, leaves, evaluations = nodes + found.nodes, leaves + found.leaves, evaluations + found.evaluations
        if position.turn() > 0:
            best = found.value if best is None else max(best, found.value)
            alpha = max(alpha, best)
        else:
            best = found.value if best is None else min(best, found.value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    assert best is not None
    return Searched(best, nodes, leaves, evaluations)


def solve(position: Naive, solved: dict[Naive, Value]) -> Value:
    """The true value for the first player, with the quickest win and the slowest loss. `solved` caches results."""
    if position not in solved:
        result = position.result()
        if result is None:
            choose = max if position.turn() > 0 else min
            result = choose(delayed(solve(position.play(move), solved), 1) for move in position.moves())
        solved[position] = result
    return solved[position]


def perft(position: Naive, depth: int) -> int:
    """The number of games of so many plies from here."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.moves())

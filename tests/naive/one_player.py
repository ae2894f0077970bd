"""Oracles of the games with one player, SameGame and Morpion Solitaire.

Nothing here comes from `engines`. They have the interface of the oracles in `tests.naive.games`, and check whole games.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from tests.naive.games import Value

Point = tuple[int, int]


@dataclass(frozen=True)
class SameGame:
    """Each column is a string of letters from the bottom up; empty columns at the right are left out."""

    columns: tuple[str, ...]
    width: int
    height: int
    score: int = 0
    penalty: bool = False
    unit = 1

    @classmethod
    def read(cls, rows: list[str], penalty: bool = False) -> SameGame:
        """Read rows from the top."""
        columns = ["".join(letters).strip(".") for letters in zip(*reversed(rows), strict=True)]
        return cls(tuple(filter(None, columns)), len(rows[0]), len(rows), penalty=penalty)

    def turn(self) -> int:
        return 1

    def at(self, cell: Point) -> str:
        """The colour of a cell (column, row from the bottom); empty if there is none."""
        x, y = cell
        return self.columns[x][y] if 0 <= x < len(self.columns) and 0 <= y < len(self.columns[x]) else ""

    def group(self, cell: Point) -> frozenset[Point]:
        """The connected cells of one colour that include a cell."""
        group, edge = {cell}, {cell}
        while edge:
            around = {(x + dx, y + dy) for x, y in edge for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
            edge = {other for other in around - group if self.at(other) == self.at(cell)}
            group |= edge
        return frozenset(group)

    def groups(self) -> list[tuple[Point, ...]]:
        """The groups of two or more cells, ordered by their first cells: column by column, from the bottom."""
        cells = [(x, y) for x, column in enumerate(self.columns) for y in range(len(column))]
        return sorted({tuple(sorted(group)) for group in map(self.group, cells) if len(group) > 1})

    def moves(self) -> list[str]:
        return [f"{'abcdefghijklmno'[x]}{y + 1}" for (x, y), *_ in self.groups()]

    def play(self, move: str) -> SameGame:
        cell = "abcdefghijklmno".index(move[0]), int(move[1:]) - 1
        group = self.group(cell)
        assert self.at(cell), f"{move} is empty"
        assert len(group) > 1, f"{move} takes nothing away"
        left = [
            "".join(colour for y, colour in enumerate(column) if (x, y) not in group)
            for x, column in enumerate(self.columns)
        ]
        columns = tuple(filter(None, left))
        points = (len(group) - 2) ** 2 + (0 if columns else 1000)
        return replace(self, columns=columns, score=self.score + points)

    def result(self) -> Value | None:
        if self.groups():
            return None
        left = "".join(self.columns)
        return self.score - sum((left.count(colour) - 2) ** 2 for colour in set(left) if self.penalty)

    def terms(self) -> list[tuple[Value, Value]]:
        return [(self.score, 0)]

    def evaluate(self) -> Value:
        return self.score

    def text(self) -> str:
        full = [column.ljust(self.height, ".") for column in self.columns]
        full += ["." * self.height] * (self.width - len(full))
        rows = "/".join("".join(column[y] for column in full) for y in reversed(range(self.height)))
        return rows + (f" {self.score}" if self.score else "")


@dataclass(frozen=True)
class Morpion:
    """Dots and lines; a line is its five points, from its left (or lower) end."""

    dots: frozenset[Point]
    drawn: tuple[tuple[Point, ...], ...] = ()
    touching: bool = False
    unit = 1

    @classmethod
    def start(cls, touching: bool = False) -> Morpion:
        """The starting cross, drawn as an outline that turns a corner every three steps."""
        dots, (x, y) = set(), (14, 11)
        for dx, dy in ((1, 0), (0, 1), (1, 0), (0, 1), (-1, 0), (0, 1), (-1, 0), (0, -1), (-1, 0), (0, -1), (1, 0), (0, -1)):
            for _ in range(3):
                dots.add((x, y))
                x, y = x + dx, y + dy
        assert len(dots) == 36
        return cls(frozenset(dots), touching=touching)

    def turn(self) -> int:
        return 1

    def is_legal(self, line: tuple[Point, ...]) -> bool:
        """Whether a line can be drawn: it has four dots and a free point, and shares no dot with other lines of its
        direction, or only an end where lines may touch."""
        if sum(point in self.dots for point in line) != 4:
            return False
        shared = [set(line) & set(other) for other in self.drawn if direction(line) == direction(other)]
        return all(len(points) <= (1 if self.touching else 0) for points in shared)

    def legal(self) -> list[tuple[Point, ...]]:
        """All lines that can be drawn, ordered by their first points row by row, then by direction."""
        return list(legal_lines(self))

    def moves(self) -> list[str]:
        return [f"{name(line[0])}-{name(line[-1])}" for line in self.legal()]

    def play(self, move: str) -> Morpion:
        (x, y), (to_x, to_y) = map(point_of, move.split("-"))
        line = tuple((x + (to_x - x) // 4 * i, y + (to_y - y) // 4 * i) for i in range(5))
        assert line[-1] == (to_x, to_y), f"{move} is no line of five"
        assert self.is_legal(line), f"{move} cannot be drawn"
        return replace(self, dots=self.dots | set(line), drawn=(*self.drawn, line))

    def result(self) -> Value | None:
        return None if self.legal() else len(self.drawn)

    def terms(self) -> list[tuple[Value, Value]]:
        return [(len(self.drawn), 0)]

    def evaluate(self) -> Value:
        return len(self.drawn)

    def text(self) -> str:
        return " ".join(["cross", *(f"{name(line[0])}-{name(line[-1])}" for line in self.drawn)])


@cache
def legal_lines(position: Morpion) -> tuple[tuple[Point, ...], ...]:
    """The cached result of `Morpion.legal`."""
    near = {(x + dx, y + dy) for x, y in position.dots for dx, dy in product(range(-4, 5), repeat=2)}
    lines = (
        tuple((x + i * dx, y + i * dy) for i in range(5))
        for x, y in sorted(near, key=lambda point: (point[1], point[0]))
        for dx, dy in ((1, 0), (1, 1), (0, 1), (-1, 1))
    )
    return tuple(line for line in lines if position.is_legal(line))


def direction(line: tuple[Point, ...]) -> Point:
    """The step from one point of a line to the next."""
    return line[1][0] - line[0][0], line[1][1] - line[0][1]


def name(point: Point) -> str:
    """The name of a point on the grid of 32 by 32, counted from its lower left corner."""
    x, y = point
    return f"{'abcdefghijklmnopqrstuvwxyz'[x]}{y + 1}" if x < 26 else f"a{'abcdef'[x - 26]}{y + 1}"


def point_of(text: str) -> Point:
    """The point with a name."""
    found = re.fullmatch("([a-z]|a[a-f])([0-9]+)", text)
    assert found is not None
    column = found[1]
    x = 26 + "abcdef".index(column[1]) if len(column) == 2 else "abcdefghijklmnopqrstuvwxyz".index(column)
    return x, int(found[2]) - 1

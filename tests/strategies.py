"""Random positions: for hypothesis, where a failure shrinks to a short notation, and by the thousand for samples.

Both use the same code, which only asks for whole numbers, from hypothesis or from a seeded generator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Literal

from hypothesis import strategies as st

from engines import catalog
from engines.position import Position
from tests.naive import games as naive

GAMES = ["connect4", "breakthrough", "tictactoe", "tree"]
"""Games that have an oracle."""
Boards = Literal["any", "small", "tiny"]
"""Boards of any size, small enough for thousands of naive searches, or so small that the whole game can be solved."""
Pick = Callable[[int, int], int]
"""Returns a whole number between a lowest and a highest one, both included."""


@dataclass(frozen=True)
class Case:
    """A position as text for `engines`, and as its oracle."""

    game: str
    start: str
    moves: tuple[str, ...]
    oracle: naive.Naive
    size: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        chosen = "".join(f" {name}={value}" for name, value in self.settings.items())
        return f"<{self.game}{f' {self.size}' if self.size else ''}{chosen}: {self.text}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # hypothesis asks for this
        printer.text(repr(self))

    @property
    def text(self) -> str:
        """The notation with its history."""
        return f"{self.start} moves {' '.join(self.moves)}" if self.moves else self.start

    def read(self, text: str) -> Position:
        """Read a notation of this game at this size."""
        return catalog.position(text, self.game, self.size, self.settings)

    def position(self) -> Position:
        """The position as `engines` reads it, with its history."""
        return self.read(self.text)

    def board(self) -> Position:
        """The position as `engines` reads it, without its history where there is a notation for that."""
        return self.position() if self.game == "tree" else self.read(self.oracle.text())


def empty_board(game: str, boards: Boards, pick: Pick) -> Case:
    """The start of a game with a random size and random options."""
    if game == "connect4":
        width = pick(1, {"any": 32, "small": 5, "tiny": 4}[boards])
        height = pick(*{"any": (1, min(32, 64 // width - 1)), "small": (2, 4), "tiny": (2, 3)}[boards])
        k = pick(2, 7 if boards == "any" else 4)
        return Case(game, "startpos", (), naive.Connect4.start(width, height, k), f"{width}x{height}", {"k": str(k)})
    if game == "tictactoe":
        width = pick(1, {"any": 31, "small": 4, "tiny": 3}[boards])
        height = pick(1, {"any": min(31, 64 // (width + 1)), "small": 4, "tiny": 3}[boards])
        k = pick(2, 8 if boards == "any" else 4)
        return Case(game, "startpos", (), naive.TicTacToe.start(width, height, k), f"{width}x{height}x{k}")
    assert game == "breakthrough"
    rows = pick(4, {"any": 8, "small": 5, "tiny": 4}[boards])
    columns = pick(2, {"any": 8, "small": 4, "tiny": 3}[boards])
    misere = bool(pick(0, 1))
    start = naive.Breakthrough.start(rows, columns, misere)
    return Case(game, "startpos", (), start, f"{rows}x{columns}", {"misere": str(misere)})


def played(start: Case, most: int, ongoing: bool, pick: Pick) -> Case:
    """A game after some random moves; `ongoing`: it is not over."""
    oracle, moves = start.oracle, []
    for _ in range(pick(0, most)):
        legal = oracle.moves()
        if not legal:
            break
        move = legal[pick(0, len(legal) - 1)]
        after = oracle.play(move)
        if ongoing and after.result() is not None:
            break
        oracle = after
        moves.append(move)
    return Case(start.game, start.start, tuple(moves), oracle, start.size, start.settings)


def tree(alternating: bool, pick: Pick) -> Case:
    """A typed tree with numbers at some inner nodes; `alternating`: the players take turns."""

    def node(levels: int, branching: int, owner: str) -> str:
        number = f"{pick(-99, 99) / 10:g}"
        if branching == 0:
            return number
        branches = []
        for _ in range(branching):
            below = max(0, pick(-1, 4)) if levels > 1 else 0
            other = "" if alternating or not below else ("", "", "max", "min")[pick(0, 3)]
            branches.append(node(levels - 1, below, other))
        before = ":".join(filter(None, (owner, number if pick(0, 1) else "")))
        return f"{before}({' '.join(branches)})"

    text = node(pick(1, 5), pick(1, 4), ("", "min")[pick(0, 1)])
    return Case("tree", text, (), naive.Tree.read(text))


def some_case(game: str, boards: Boards, ongoing: bool, pick: Pick) -> Case:
    """A position of a game that has an oracle. In trees the players take turns."""
    if game == "tree":
        return tree(True, pick)
    return played(empty_board(game, boards, pick), 40 if boards == "any" else 14, ongoing, pick)


@st.composite
def _cases(draw: st.DrawFn, game: str, boards: Boards, ongoing: bool) -> Case:
    return some_case(game, boards, ongoing, lambda low, high: draw(st.integers(low, high)))


@st.composite
def _trees(draw: st.DrawFn, alternating: bool) -> Case:
    return tree(alternating, lambda low, high: draw(st.integers(low, high)))


@cache
def cases(game: str, boards: Boards = "any", *, ongoing: bool = False) -> st.SearchStrategy[Case]:
    """A hypothesis strategy for positions of a game that has an oracle."""
    return _cases(game, boards, ongoing)


@cache
def trees(alternating: bool = False) -> st.SearchStrategy[Case]:
    """A hypothesis strategy for typed trees."""
    return _trees(alternating)


def sample(game: str, count: int, boards: Boards = "small", *, ongoing: bool = True) -> list[Case]:
    """So many different positions, the same ones every time."""
    random = Random(game)
    found: dict[str, Case] = {}
    while len(found) < count:
        case = some_case(game, boards, ongoing, random.randint)
        found.setdefault(case.text if game == "tree" else repr(case.oracle), case)
    return list(found.values())

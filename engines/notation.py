"""Notation that games share: rows of a board, lines of moves, weights, coalitions; and boards of squares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engines.contract import InputError, Setting, shown

if TYPE_CHECKING:
    from engines.game import Game

LARGEST_WEIGHT = 100_000

COUNTS = ("no", "one", "two", "three", "four", "five", "six")

Square = tuple[int, int]
"""Row, from the top, and column, from the left; both from 0."""


@dataclass(frozen=True)
class Grid:
    """A board of squares: its letters row by row from the top, `.` where nothing stands, and the names at its edges."""

    letters: tuple[str, ...]
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    checkered: bool = True
    """Squares of two shades."""
    coloured: bool = False
    """Every letter has a colour of its own."""
    top: int = 0
    left: int = 0
    """The first row and column that are shown, where a part of a large board is."""
    labels: Mapping[Square, str] = field(default_factory=dict)
    """What stands on a square where one letter is not enough, if there is room."""
    lined: bool = False
    """Lines join the squares."""
    links: frozenset[tuple[Square, ...]] = frozenset()
    """Squares side by side that a line joins."""
    open: frozenset[Square] = frozenset()
    """Squares where something can be put."""
    beside: tuple[str, ...] = ()
    """What lies beside the board, such as a die, line by line."""


def read_rows(text: str, letters: str, what: str) -> list[str]:
    """The rows of a diagram, top to bottom, written on lines or between slashes; digits stand for empty squares."""
    rows = []
    if letters.isupper():
        text = text.upper()
    for number, row in enumerate(text.replace("\n", "/").strip("/ ").split("/"), 1):
        squares = "".join("." * int(letter) if letter in "0123456789" else letter for letter in row.strip())
        for letter in squares:
            if letter not in letters:
                allowed = f"{', '.join(letters[:-1])}, a dot or a digit"
                raise InputError(f"Row {number} of the {what} has {shown(letter)}; a square is {allowed}.")
        rows.append(squares)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise InputError(f"Row {number} of the {what} has {len(row)} squares, but row 1 has {len(rows[0])}.")
    return rows


def write_row(row: str) -> str:
    """A row of a diagram with its empty squares counted, as in a FEN."""
    text, empty = "", 0
    for letter in [*row, ""]:
        if letter == ".":
            empty += 1
            continue
        text += (str(empty) if empty else "") + letter
        empty = 0
    return text


def split_moves(text: str) -> tuple[str, list[str]]:
    """What stands before the first word `moves`, and the moves behind it."""
    before, *after = re.split(r"(?:^|\s)moves(?=\s|$)", text, maxsplit=1)
    return before.strip(), " ".join(after).split()


def without_numbers(words: Sequence[str]) -> list[str]:
    """The words of a line of moves without the moves' numbers, `1.` or `1...`; a move may follow in the same word."""
    bare = (re.sub(r"^[0-9]{1,5}(?:\.+|…)(?![0-9]+$)", "", word) for word in words)
    return [word for word in bare if word]


def read_weights(text: str, count: int) -> tuple[int, ...]:
    """The weights of an evaluation: whole numbers with commas, small enough that no sum comes near a win."""
    try:
        weights = [int(part) for part in text.split(",")]
    except ValueError:
        weights = []
    if len(weights) != count or any(abs(weight) > LARGEST_WEIGHT for weight in weights):
        raise InputError(
            f"The weights are {count} whole numbers with commas, each up to {LARGEST_WEIGHT:,}, not {shown(text)}."
        )
    return tuple(weights)


def read_coalition(parameters: Mapping[str, Setting], game: Game) -> int:
    """The players that hold together, a bit for each; none if nobody does."""
    text = str(parameters.get("coalition", ""))
    team, names = 0, [name.lower() for name in game.players[: game.player_count]]
    for word in text.replace(",", "+").split("+") if text.strip() else []:
        name = word.strip().lower()
        if name not in names and not (name.isdecimal() and 1 <= int(name) <= len(names)):
            raise InputError(
                f"The coalition {shown(text)} names {shown(word.strip())}; players are {', '.join(game.players)}."
            )
        team |= 1 << (names.index(name) if name in names else int(name) - 1)
    if team and team == (1 << len(names)) - 1:
        raise InputError(f"The coalition {shown(text)} has all players, so that nobody is left to play against.")
    return team

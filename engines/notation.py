"""Notation that games share: rows of a board, lines of moves, weights, coalitions; and boards of squares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

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


CERTAIN, LIKELY, POSSIBLE, IMPOSSIBLE = 1.0, 0.5, 0.1, 0.0
"""How much a text looks like the notation of a game (`TextForm.resembles`)."""


class TextForm:
    """What the texts of a game look like, so that a person need not say which game a text is of. Every game inherits it; one
    that overrides nothing is tried with every text that looks like no other game's."""

    is_typed_by_hand: ClassVar[bool] = False
    """A person writes the whole game out, as a tree or a graph: a position is a text of its own, and no board has one."""
    has_pgn: ClassVar[bool] = False
    """Its games are kept in files of PGN, its positions in files of FEN and EPD."""
    numbers_moves_in_pairs: ClassVar[bool] = False
    """A line of moves is printed with a number before each move of the first player, as in `1.e4 e5 2.Nf3`."""
    board_rows: ClassVar[tuple[re.Pattern[str], ...]] = ()
    """Forms of a row of its board. A file in which all lines have one of them is made of its boards, row by row."""
    line_start: ClassVar[re.Pattern[str] | None] = None
    """How a line of moves begins that is this game's, even if it cannot be played on the usual board; None if nothing of
    that kind tells."""
    line_size: ClassVar[str] = ""
    """The board that such a line is tried on if it does not fit the usual one; a game with a `line_start` names it."""

    @classmethod
    def resembles(cls, text: str) -> float:
        """How much a text looks like a notation of this game before it is read: from IMPOSSIBLE over POSSIBLE, which any
        text is, and LIKELY, from where on games that are merely possible are not tried, to CERTAIN, when no other is."""
        return POSSIBLE

    @classmethod
    def is_meant_by(cls, text: str) -> bool:
        """Whoever wrote a text that no game can read meant this one, so that what is wrong is to be said in its words."""
        return False

    @classmethod
    def spans(cls, lines: Sequence[str]) -> bool:
        """The lines of a file look as if they were one position of this game all together."""
        return False

    @classmethod
    def full_moves_before(cls, text: str) -> int:
        """How many moves each player made before the position of a notation, as far as the notation tells."""
        return 0


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
            raise InputError(f"Row {number} of the {what} is {len(row)} wide, but row 1 is {len(rows[0])}.")
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
            f"The weights are {count} whole numbers separated by commas, each up to {LARGEST_WEIGHT:,}, not {shown(text)}."
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
        raise InputError(f"The coalition {shown(text)} has all players, so nobody is left to play against.")
    return team

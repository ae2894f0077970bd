"""A board being set up: men on squares and the other fields of a notation, legal or not.

A setup writes the notation of its game, and the game's own reader says whether it is a position. No screen is known here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from engines import catalog
from engines.game import Game
from engines.notation import Grid, Square, write_row
from engines.position import Position
from workbench.render.report_text import how_it_ended

EMPTY = "."
CASTLING = "KQkq"
"""The four castling rights of chess: White's short and long one, then Black's."""


@dataclass(frozen=True)
class BoardSetup:
    """Men on a board of squares."""

    game: Game
    grid: Grid
    turn: int
    """1 if the first player is to move, -1 if the second is."""
    castling: tuple[str, ...] = ()
    """In chess, the letter of each of the four castling rights; empty for a right that is missing."""
    en_passant: str = ""
    counts: str = "0 1"
    """In chess, the halfmove clock and the move number."""
    die: str = ""
    """In a game with a die, the number on it; empty if it has to be rolled."""

    @classmethod
    def of(cls, position: Position) -> Self:
        """The setup of an existing position."""
        game, state = position.game, position.state
        grid = game.grid(state)
        assert grid is not None, f"{game.title} is not played on squares"
        setup = cls(game, grid, position.turn)
        if game.has_die:
            bare = replace(grid, beside=())  # the die has a field of its own
            return replace(setup, grid=bare, die=" ".join(game.board_text(state).split()[2:]))
        if not game.has_castling:
            return setup
        _, _, castling, en_passant, *counts = game.board_text(state).split()
        rights = {_right(grid, letter): letter for letter in castling if letter != "-"}
        return replace(
            setup,
            castling=tuple(rights.get(right, "") for right in CASTLING),
            en_passant="" if en_passant == "-" else en_passant,
            counts=" ".join(counts),
        )

    @property
    def men(self) -> tuple[str, ...]:
        """The letters of the first player's men, of the second's, and so on."""
        return self.game.marks

    @property
    def has_side(self) -> bool:
        """Whether the side to move can be chosen."""
        return self.game.side_letters is not None

    # Changes.

    def put(self, square: Square, letter: str) -> Self:
        """The setup with a man, or `EMPTY`, on a square."""
        row, column = square
        rows = list(self.grid.letters)
        rows[row] = rows[row][:column] + letter + rows[row][column + 1 :]
        number = self.counts.partition(" ")[2] or "1"
        return replace(self, grid=replace(self.grid, letters=tuple(rows)), counts=f"0 {number}")

    def at(self, square: Square) -> str:
        """The letter of a square."""
        return self.grid.letters[square[0]][square[1]]

    def cleared(self) -> Self:
        """The setup with an empty board."""
        rows = tuple(EMPTY * len(row) for row in self.grid.letters)
        none = ("",) * len(self.castling)
        return replace(self, grid=replace(self.grid, letters=rows), castling=none, en_passant="", counts="0 1")

    def at_start(self) -> Self:
        """The setup of the game's start."""
        return self.of(Position(self.game, self.game.start()))

    def turned(self) -> Self:
        """The setup with the other side to move."""
        return replace(self, turn=-self.turn)

    def with_right(self, number: int, has: bool) -> Self:
        """The setup with or without one of the four castling rights."""
        rights = list(self.castling)
        rights[number] = (rights[number] or CASTLING[number]) if has else ""
        return replace(self, castling=tuple(rights))

    # Notation and position.

    @property
    def text(self) -> str:
        """The notation, whether it is a valid position or not."""
        rows = self.grid.letters
        if self.game.side_letters is None:
            return "/".join(rows)
        words = ["/".join(map(write_row, rows)), self.game.side_letters[0 if self.turn > 0 else 1]]
        if self.game.has_die and self.die:
            words.append(self.die)
        if self.game.has_castling:
            words += ["".join(self.castling) or "-", self.en_passant.strip().lower() or "-", self.counts]
        return " ".join(words)

    def position(self) -> Position:
        """The position. Raises InputError with what is wrong if it is not valid."""
        return like(self.game, self.text)

    @property
    def doubt(self) -> str | None:
        """Why no game can lead to the position; None if there is no objection."""
        return self.game.doubt(self.text)


def like(game: Game, text: str) -> Position:
    """A position of the same game, with the same size and options. Raises InputError if the text is not valid."""
    return catalog.restore(text, game.id, game.size, game.options)


def standing(position: Position) -> str:
    """Who is to move, or how the game has ended."""
    game = position.game
    if not position.is_over:
        return game.standing(position)
    return f"the game is over: {how_it_ended(position)}"


def _right(grid: Grid, letter: str) -> str:
    """The standard letter of a castling right; in Chess960 the notation may use a rook's file."""
    if letter in CASTLING:
        return letter
    king, row = ("K", grid.letters[-1]) if letter.isupper() else ("k", grid.letters[0])
    short = "abcdefgh".index(letter.lower()) > row.index(king)
    side = "k" if short else "q"
    return side.upper() if letter.isupper() else side

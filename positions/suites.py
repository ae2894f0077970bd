"""Test suites: files with positions on lines and what is right in each.

In an EPD file the operations `bm` and `am` name the best moves, or moves to be avoided. In the other kind a line is a
position and its exact score, as in Pascal Pons' files for Connect 4: `2252576253462244111563365343671351441 -1`.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Setting, shown
from engines.game import Position
from positions.files import numbered_lines, read_text

_SCORED = re.compile(r"(?P<position>\S+)\s+(?P<score>[+-]?[0-9]{1,4})")


class Case(Struct, frozen=True, kw_only=True):
    """A position and what is right there: `best`, not `avoid`, or the `score`."""

    number: int
    """Counted from 1 in the file, empty lines and comments left out."""
    line: int
    id: str
    position: Position
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    score: int | None = None
    """For the side to move: 0 is a draw, +n a win with the last stone but n - 1 of the own ones, -n a loss like that."""


def game_of(path: Path) -> str:
    """The game that the first line of a suite is of: scores are known for Connect 4, operations of EPD for chess."""
    _, first = numbered_lines(read_text(path))[0]
    return "connect4" if _SCORED.fullmatch(first) else "chess"


def read_suite(
    path: Path,
    game: str,
    size: str | None = None,
    settings: dict[str, str] | None = None,
    most: int | None = None,
    answered: bool = True,
) -> list[Case]:
    """The first `most` cases of a file, or all; an InputError that names the line if one cannot be read. If they need not be
    `answered`, a line may also be a position and nothing else, of any game."""
    found = []
    for number, (line, text) in enumerate(numbered_lines(read_text(path))[:most], 1):
        try:
            if game == "chess":
                found.append(_read_epd(number, line, text, game, size, settings or {}, answered))
            elif answered or (game == "connect4" and _SCORED.fullmatch(text)):
                found.append(_read_scored(number, line, text, game, size, settings or {}))
            else:
                found.append(_read_bare(number, line, text, game, size, settings or {}))
        except InputError as error:
            raise InputError(f"{shown(str(path), 80)}, line {line}: {error}") from None
    return found


def _read_bare(number: int, line: int, text: str, game: str, size: str | None, settings: dict[str, str]) -> Case:
    """A position, of which nothing is said."""
    return Case(number=number, line=line, id=str(number), position=catalog.position(text, game, size, settings))


def _read_epd(
    number: int, line: int, text: str, game: str, size: str | None, settings: dict[str, str], answered: bool = True
) -> Case:
    from engines.games.chess.fen import read_epd, write_fen

    if _SCORED.fullmatch(text):
        raise InputError(f"{shown(text)} is not an EPD.")
    board, operations = read_epd(text)
    best, avoid = _moves(operations.get("bm")), _moves(operations.get("am"))
    if answered and not best and not avoid:
        raise InputError("The EPD names neither best moves (bm) nor moves to avoid (am).")
    position = catalog.position(write_fen(board), game, size, settings)
    return Case(
        number=number,
        line=line,
        id=str(operations.get("id", number)),
        position=position,
        best=tuple(_as_written(position, move) for move in best),
        avoid=tuple(_as_written(position, move) for move in avoid),
    )


def _moves(value: tuple[str, ...] | Setting | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _as_written(position: Position, text: str) -> str:
    """A move in the form in which reports have it."""
    game, state = position.game, position.state
    return game.move_text(state, game.read_move(state, text))


def _read_scored(number: int, line: int, text: str, game: str, size: str | None, settings: dict[str, str]) -> Case:
    match = _SCORED.fullmatch(text)
    if match is None:
        raise InputError(f"A line is a position and its score, such as '4453 2', not {shown(text)}.")
    position = catalog.position(match["position"], game, size, settings)
    if position.is_over:
        raise InputError(f"The game is over in {shown(match['position'])}.")
    return Case(number=number, line=line, id=match["position"], position=position, score=int(match["score"]))

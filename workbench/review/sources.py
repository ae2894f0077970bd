"""Games to review: from a file of games, and from a session. Each is the position at its end, and how it ended."""

from __future__ import annotations

from pathlib import Path

from engines.contract import InputError, shown
from engines.position import Position
from workbench.play.game_files import positions_of, read_games
from workbench.render.report_text import how_it_ended
from workbench.render.values import counted
from workbench.sessions import store as sessions


def game_in_match(target: str) -> tuple[Position, str] | None:
    """A game in a file that a match wrote: `match.jsonl` or, by its number, `match.jsonl#2`. None for other names."""
    name, mark, number = target.rpartition("#")
    path, place = (Path(name), int(number)) if mark and number.isdecimal() else (Path(target), 1)
    if path.suffix.lower() != ".jsonl":
        return None
    games = read_games(path)
    if not 1 <= place <= len(games):
        raise InputError(f"{shown(str(path), 80)} has {counted(len(games), 'game')}, not {place}.")
    game = games[place - 1]
    return positions_of(game)[-1], game.ending


def game_in_session(name: str) -> tuple[Position, str] | None:
    """The game of the session with this name. None if there is no such session."""
    if all(row.name.casefold() != name.casefold() for row in sessions.listing()):
        return None
    study = sessions.read(sessions.find(name)).study
    where, record = study.position(), study.record
    if record is not None and record.outcome is not None:
        return where, record.ending
    return where, how_it_ended(where)

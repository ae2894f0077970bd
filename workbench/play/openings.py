"""Openings of a match: positions that two players begin with, once with each side."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

from engines import catalog
from engines.contract import InputError, shown
from engines.game import Game
from engines.position import Position
from positions import files, library
from positions.reading import lines_of
from workbench.input import files as file_contents
from workbench.play.players import seed_of
from workbench.render.values import counted

TRIES = 40
"""How often a random opening is drawn again if it is a duplicate, or already decided."""
FROM_GAMES = 16
"""The plies of a game in a file that make up an opening."""
MOST = 100_000
"""The most positions or games of a file that are read."""

Reader = Callable[[], Position]
"""Reads an opening, when it is needed."""


class Openings(list[Position]):
    """The openings of a match."""

    skipped = ""
    """A sentence about lines or games of a file that are not valid; empty if there are none."""


def start_of(game: Game) -> Position:
    """The starting position of a game with its size and rules."""
    return catalog.restore("startpos", game.id, game.size, game.options)


def read_openings(text: str, start: Position, count: int, seed: int) -> Openings:
    """That many openings, or all there are if those are fewer: `random` or `random:PLIES`, `library`, `start`, or a file.
    Lines and games of a file that cannot be read are skipped; an InputError if there is nothing else."""
    word, colon, rest = text.strip().partition(":")
    if word == "random" and (not colon or rest.strip().isdecimal()):
        plies = int(rest) if colon else start.game.opening_plies
        return Openings(random_openings(start, count, plies, seed))
    if text.strip() == "start":
        return Openings([start])
    if text.strip() == "library":
        found, skipped = from_library(start), ""
        what = f"The library has no {start.game.title} opening with this size and these options"
    else:
        found, skipped = from_file(text, start)
        what = f"{shown(text, 80)} has no {start.game.title} position with this size and these options"
    random.Random(seed_of(seed)).shuffle(found)
    positions = (read() for read in found)
    openings = Openings(islice((position for position in positions if not position.is_over), count))
    openings.skipped = skipped
    if not openings:
        raise InputError(f"{what} in which the game is not over.{skipped and ' '}{skipped}")
    return openings


def random_openings(start: Position, count: int, plies: int, seed: int) -> list[Position]:
    """Positions after random moves, each once as far as there are so many, and none in which the side to move wins at
    once. The first ones are the same however many are asked for."""
    if not 0 <= plies <= 100:
        raise InputError(f"An opening has 0 to 100 random plies, not {plies}.")
    if not plies:
        return [start]
    found: list[Position] = []
    seen: set[str] = set()
    for number in range(count):
        chance = random.Random(seed_of(seed, number))
        drawn = None
        for _ in range(TRIES):
            candidate = _random_position(start, plies, chance)
            if candidate is None:
                continue
            drawn = candidate
            if start.game.board_text(candidate.state) not in seen:
                break
        if drawn is None:
            raise InputError(f"After {counted(plies, 'ply')} at random the game is decided; try random:{plies // 2}.")
        seen.add(start.game.board_text(drawn.state))
        found.append(drawn)
    return found


def _random_position(start: Position, plies: int, chance: random.Random) -> Position | None:
    """A position after random moves; None if the game is over there, or would be after one move."""
    position = start
    for _ in range(plies):
        if position.is_over:
            return None
        position = position.play(chance.choice(position.game.legal_moves(position.state)))
    return None if position.is_over or _wins_at_once(position) else position


def _wins_at_once(position: Position) -> bool:
    """Whether the side to move has a winning move."""
    for move in position.game.legal_moves(position.state):
        after = position.play(move)
        if after.is_over and after.result < 0:
            return True
    return False


def from_library(start: Position) -> list[Reader]:
    """The library's positions of the same game, with the same size and rules."""
    entries = [entry.position() for entry in library.entries().values() if entry.game == start.game.id]
    return [partial(opening, position, start) for position in entries if not misfit(position, start)]


def from_file(text: str, start: Position) -> tuple[list[Reader], str]:
    """The positions of a file, and of its games those after some moves; and what is to be said of those that are none."""
    at = file_contents.named(text)
    if at is None:
        raise InputError(
            f"Openings are random, random:PLIES, library, start or a file, and there is no file {shown(text, 80)}."
        )
    path, selector = at
    if not file_contents.has_games(path):
        return from_lines(path, selector, start)
    return from_game(path, selector, start) if selector else from_games(path, start)


def from_lines(path: Path, selector: str, start: Position) -> tuple[list[Reader], str]:
    """The positions of a file that has one on each line; they are read on the board and by the rules of the match."""
    found = list[Reader]()
    problems = list[tuple[int, str]]()
    rows = file_contents.contents(path, selector, start.game.id, MOST, partial(_read, start))
    for row in rows:
        try:
            position = row.read()
            problem = misfit(position, start)
        except InputError as error:
            problem = str(error)
        if problem:
            problems.append((row.line, problem))
        else:
            found.append(partial(opening, position, start))
    return found, _skipped_text(files.skipped(problems, len(rows)), rows.total > len(rows))


def from_games(path: Path, start: Position) -> tuple[list[Reader], str]:
    """The games of a PGN after some moves: all of them in one pass over the file."""
    from positions import pgn

    if not start.game.has_pgn:
        return [], "It has games of chess in it."
    found = list[Reader]()
    problems = list[tuple[int, str]]()
    lines, count = pgn.each_line(lines_of(path), FROM_GAMES), 0
    for count, line in enumerate(islice(lines, MOST), 1):
        if isinstance(line, str):
            problems.append((count, line))
        elif problem := _misfit_from(line.start, start):
            problems.append((count, problem))
        else:
            found.append(partial(_read_opening, line.notation, start))
    return found, _skipped_text(files.skipped(problems, count, "game"), next(lines, None) is not None)


def from_game(path: Path, selector: str, start: Position) -> tuple[list[Reader], str]:
    """The one game of a PGN that was chosen, as far as it can be played."""
    (row,) = file_contents.contents(path, selector, start.game.id)
    assert row.study is not None
    study, remarks = row.study()
    if problem := misfit(study.position(), start):
        return [], problem
    return [partial(opening, study.position(), start)], " ".join(remarks)


def _skipped_text(skipped: str, is_cut: bool) -> str:
    """What is said of a file that was not read to its end, or not without a gap."""
    return " ".join(filter(None, (skipped, f"Only the first {MOST:,} are taken." if is_cut else "")))


def _read(start: Position, text: str, game: str) -> Position:
    """Read a position of this game, or of another one."""
    if game != start.game.id:
        return catalog.position(text, game)
    return catalog.restore(text, game, start.game.size, start.game.options)


def _read_opening(text: str, start: Position) -> Position:
    return opening(_read(start, text, start.game.id), start)


def _misfit_from(text: str, start: Position) -> str:
    """Why a game of chess from this start cannot be an opening; empty if it can."""
    if text == "startpos":
        return ""
    try:
        return misfit(_read(start, text, catalog.pgn_game()), start)
    except InputError as error:
        return str(error)


def opening(position: Position, start: Position) -> Position:
    """A position as one of the very same game that is to be played; of a long line, the first moves."""
    return Position(start.game, position.start, position.played[:FROM_GAMES])


def misfit(position: Position, start: Position) -> str:
    """Why a position does not belong to the game that is played; empty if it does."""
    game, wanted = position.game, start.game
    if game.id != wanted.id:
        return f"This is a position in {game.title}, not in {wanted.title}."
    if game.size != wanted.size:
        return f"This is a position on {game.size}, not on {wanted.size}."
    judging = catalog.judging(wanted.id)
    other = [name for name, value in game.options.items() if name not in judging and value != wanted.options[name]]
    return f"This is played with another value of {', '.join(other)}." if other else ""

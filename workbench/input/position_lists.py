"""All positions of a file at once, each with a name by which it can be opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engines import catalog
from engines.contract import InputError
from engines.position import Position
from positions import files, pgn
from positions.reading import lines_of

Tell = Callable[[str], None]
"""Called with a sentence about lines that could not be read; the sentence is empty if all could."""
Named = tuple[str, Position]
PGN = ".pgn"
"""How the names of files of games end."""


class Chosen(NamedTuple):
    """The positions that the user chose by naming a file, or by naming or typing a single one."""

    source: str
    """The name of the file, or the notation of the single position."""
    positions: list[Named]
    """All of them; a single one has no name."""
    settings: dict[str, str]
    """Those of the given settings that belong to the algorithm."""
    skipped: str
    """A sentence about what could not be read in the file; empty if everything could."""


def chosen_positions(
    target: str,
    game: str | None,
    settings: Mapping[str, str],
    algorithm: str,
    read_position: Callable[[], tuple[Position, dict[str, str]]],
    with_games: bool = True,
) -> Chosen:
    """The positions that a text stands for: all of a file, if it is the name of one, otherwise the one that `read_position`
    reads, which also returns the settings of the algorithm. Without `with_games` a PGN is not read as a file of
    positions."""
    is_pgn = target.lower().endswith(PGN)
    if not (catalog.may_have_pgn(game) and files.is_named(target) and (with_games or not is_pgn)):
        position, rest = read_position()
        return Chosen(position.text, [("", position)], rest, "")
    for_game, rest = catalog.split_settings(settings, catalog.pgn_game(), algorithm)
    skipped: list[str] = []
    positions = list(in_file(target, for_game, skipped.append))
    return Chosen(target, positions, rest, "".join(skipped))


def in_file(name: str, settings: Mapping[str, str], tell: Tell) -> Iterator[Named]:
    """Yield the positions of an EPD or FEN file, or those after every ply of the games of a PGN, without finished games."""
    return in_games(name, settings, tell) if name.lower().endswith(PGN) else in_list(name, settings, tell)


def in_list(name: str, settings: Mapping[str, str], tell: Tell) -> Iterator[Named]:
    """Yield the positions of an EPD or FEN file, without finished games."""
    path, problems, count = Path(name), list[tuple[int, str]](), 0
    for item in files.listing(path):
        count += 1
        if "error" in item.details:
            problems.append((int(str(item.details["line"])), str(item.details["error"])))
            continue
        position = catalog.position(str(item.details["position"]), catalog.pgn_game(), settings=settings)
        if not position.is_over:
            title = item.title if item.title != item.details["position"] else ""
            yield title or f"{path.name}#{item.number}", position
    tell(files.skipped(problems, count))


def in_games(name: str, settings: Mapping[str, str], tell: Tell) -> Iterator[Named]:
    """Yield the positions after every ply of the games of a PGN, without finished games."""
    path, problems, count = Path(name), list[tuple[int, str]](), 0
    for count, tree in enumerate(pgn.each_tree(lines_of(path)), 1):
        try:
            if isinstance(tree, str):
                raise InputError(tree)
            line = pgn.line_of(tree)
        except InputError as error:
            problems.append((count, str(error)))
        else:
            yield from along_game(f"{path.name}#{count}", line.start, line.moves, settings)
    if not count:
        raise InputError("There is no game in this file.")
    tell(files.skipped(problems, count, "game"))


def along_game(name: str, start: str, moves: Sequence[str], settings: Mapping[str, str]) -> Iterator[Named]:
    """Yield every position of a game, with a name that can be opened."""
    position = catalog.position(start, catalog.pgn_game(), settings=settings)
    for ply in range(len(moves) + 1):
        if not position.is_over:
            yield f"{name}/{ply}", position
        if ply < len(moves):
            position = position.play(position.game.read_move(position.state, moves[ply]))

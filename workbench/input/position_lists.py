"""All positions of a file at once, each with a name by which it can be opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from engines import catalog
from engines.contract import InputError
from engines.position import Position
from positions import files, pgn
from positions.reading import lines_of

Tell = Callable[[str], None]
"""Called with a sentence about lines that could not be read; the sentence is empty if all could."""
Named = tuple[str, Position]


def in_file(name: str, settings: Mapping[str, str], tell: Tell) -> Iterator[Named]:
    """Yield the positions of an EPD or FEN file, or those after every ply of the games of a PGN, without finished games."""
    return in_games(name, settings, tell) if name.lower().endswith(".pgn") else in_list(name, settings, tell)


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

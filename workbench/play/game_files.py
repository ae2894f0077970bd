"""Files of played games: PGN for chess, and for every game JSON with a game on each line."""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from engines import catalog
from engines.contract import InputError, shown
from engines.position import Position
from engines.storage.files import write_safely
from positions.pgn_text import escaped
from workbench.play.game_loop import PlayedGame
from workbench.sessions.pgn_writer import PGN_RESULTS, evaluation_comment
from workbench.sessions.store import safe_stem

FORMATS = (".pgn", ".jsonl")


def check_name(path: Path, game: str) -> None:
    """Raise InputError if games of this kind cannot be written to a file of this name."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"Games are written to files that end in .jsonl, or in .pgn for chess, not {shown(str(path), 80)}.")
    if path.suffix.lower() == ".pgn" and not catalog.game(game).has_pgn:
        raise InputError(f"PGN is for chess; games of {game} go to a file that ends in .jsonl.")


def write_games(games: Iterable[PlayedGame], path: Path, event: str = "") -> None:
    """Write games to a file, in the format of its suffix."""
    if path.suffix.lower() == ".pgn":
        text = "\n\n".join(pgn(game, event) for game in games)
        content = f"{text}\n".encode(errors="replace")
    else:
        content = b"".join(msgspec.json.encode(game) + b"\n" for game in games)
    with write_safely(path) as stream:
        stream.write(content)


def keep_games(games: Iterable[PlayedGame], folder: Path, name: str, event: str = "") -> Path:
    """Write games to a new file in a folder, named with the time; games of chess also as PGN."""
    found = list(games)
    stem = f"{datetime.now(UTC):%Y-%m-%d %H%M%S} {safe_stem(name)[:80]}".strip()
    number, path = 1, folder / f"{stem}.jsonl"
    while path.exists():
        number += 1
        path = folder / f"{stem} {number}.jsonl"
    write_games(found, path, event)
    if found and catalog.game(found[0].game).has_pgn:
        write_games(found, path.with_suffix(".pgn"), event)
    return path


def read_games(path: Path) -> list[PlayedGame]:
    """Read a file with one game on each line."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{shown(str(path), 120)} cannot be read: {error.strerror}.") from None
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=PlayedGame))
        except msgspec.DecodeError:
            raise InputError(f"Line {number} of {shown(str(path), 120)} is not a game.") from None
    return found


def positions_of(game: PlayedGame) -> list[Position]:
    """The starting position of a game, and the position after each move."""
    found = [catalog.restore(game.opening, game.game, game.size, game.options)]
    for text in game.moves:
        here = found[-1]
        found.append(here.play(here.game.read_move(here.state, text)))
    return found


def pgn(game: PlayedGame, event: str = "") -> str:
    """A game of chess as PGN, with the results of searches as comments."""
    import chess
    import chess.pgn

    from engines.games.chess.border import board_of

    opening = positions_of(msgspec.structs.replace(game, moves=()))[0]
    written = chess.pgn.Game()
    written.setup(board_of(opening.game, opening.start))
    written.headers["Event"] = escaped(event or "Plybench")
    written.headers["Site"] = "?"
    written.headers["Round"] = str(game.number)
    written.headers["White"], written.headers["Black"] = map(escaped, game.players)
    written.headers["Result"] = PGN_RESULTS[game.outcome]
    written.headers["Termination"] = "adjudication" if game.adjudicated else "normal"
    node: chess.pgn.GameNode = written
    for text in opening.game.line_text(opening.start, opening.played):
        node = node.add_variation(chess.Move.from_uci(text))
    if opening.played:
        node.comment = "opening"
    for text, value in zip(game.moves, game.values, strict=False):
        node = node.add_variation(chess.Move.from_uci(text), comment=evaluation_comment(value))
    node.comment = f"{node.comment} {game.ending}".strip().replace("{", "(").replace("}", ")")
    stream = io.StringIO()
    written.accept(chess.pgn.FileExporter(stream))
    return stream.getvalue().strip()

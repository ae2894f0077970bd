"""Exports a played game: PGN for chess, a line of JSON as matches write it, or plain notation."""

from __future__ import annotations

from pathlib import Path

from engines import catalog
from engines.contract import InputError, shown
from engines.storage.files import write_safely
from workbench.play.game_files import write_games
from workbench.play.game_loop import PlayedGame
from workbench.play.live_game import LiveGame
from workbench.sessions.model import Session, Study
from workbench.sessions.pgn_writer import game_text
from workbench.sessions.store import safe_stem

SUFFIXES = (".pgn", ".jsonl", ".txt")


def usual_file(study: Study, name: str) -> Path:
    """The default file of a game: one that does not exist yet, in the current directory."""
    return unused(name, ".pgn" if catalog.game(study.game).has_pgn else ".txt")


def unused(name: str, suffix: str) -> Path:
    """A file that does not exist yet, in the current directory."""
    path, number = Path(f"{safe_stem(name)}{suffix}"), 1
    while path.exists():
        number += 1
        path = Path(f"{safe_stem(name)} {number}{suffix}")
    return path


def check_target(path: Path, study: Study) -> None:
    """Raise InputError if the game cannot be written to a file of this name."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"A game is written to a file that ends in {', '.join(SUFFIXES)}, not {shown(str(path), 80)}.")
    if path.suffix.lower() == ".pgn" and not catalog.game(study.game).has_pgn:
        raise InputError("PGN is for chess; other games go to a file that ends in .txt or .jsonl.")


def write_game(playing: LiveGame, session: Session, path: Path) -> None:
    """Write the game so far. Only finished games can be written as JSON."""
    study = playing.study
    if path.suffix.lower() == ".jsonl":
        write_games([played_game(playing)], path)
        return
    text = (
        game_text(session, session.studies.index(study) + 1, study) if path.suffix.lower() == ".pgn" else notation(playing)
    )
    with write_safely(path) as stream:
        stream.write(f"{text}\n".encode(errors="replace"))


def played_game(playing: LiveGame) -> PlayedGame:
    """The game in the form that matches use. Raises InputError if it is not over."""
    outcome = playing.outcome
    if outcome is None:
        raise InputError("A file that ends in .jsonl is for games that are over; .txt and .pgn take this one.")
    study, position = playing.study, playing.position
    return PlayedGame(
        game=study.game,
        size=study.size,
        options=study.options,
        players=(playing.name(0), playing.name(1)),
        opening=study.start,
        moves=study.path,
        outcome=outcome,
        ending=playing.ending,
        adjudicated=not position.is_over,
        seed=playing.record.seed,
    )


def document(playing: LiveGame, session: Session) -> dict[str, object]:
    """The current state of a game as a JSON document."""
    game = playing.position.game
    return {
        "session": session.name,
        "game": game.id,
        "size": game.size,
        "players": (playing.name(0), playing.name(1)),
        "position": playing.position.text,
        "moves": playing.study.path,
        "over": playing.over,
        "outcome": playing.outcome,
        "ending": playing.ending,
        "clock": playing.record.clock or None,
        "left": playing.record.left,
    }


def notation(playing: LiveGame) -> str:
    """Who played, how it ended, and the position with its moves, which `plybench open` and `plybench review` read."""
    position = playing.position
    game = position.game
    title = " ".join(word for word in (game.title, game.size) if word)
    names = ", ".join(f"{game.players[side]}: {playing.name(side)}" for side in (0, 1))
    return f"# {title}. {names}. {playing.ending or 'Not over yet'}.\n{position.text}"

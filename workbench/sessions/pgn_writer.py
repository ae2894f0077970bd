"""A chess study as PGN: its moves, variations and comments, and what searches said of its positions."""

from __future__ import annotations

from collections.abc import Sequence

import chess
import chess.pgn

from engines.game import SHOWN_WIN
from engines.games.chess.border import board_of
from positions.pgn_text import escaped
from workbench.render.values import counted, limit_text
from workbench.sessions.model import Path, Session, Study, StudyNode
from workbench.sessions.pgn import Exporter, headers, put_aside
from workbench.sessions.types import KeptSearch


def game_text(session: Session, number: int, study: Study) -> str:
    """One study as a game: all that it was read with, and what searches said."""
    start = _board(study)
    game = chess.pgn.Game()
    game.setup(start)
    if study.tags:
        game.headers.update(headers(study.tags, start))
    else:
        game.headers["Event"] = escaped(session.name)
        game.headers["Date"] = f"{session.created:%Y.%m.%d}"
        game.headers["Round"] = str(number)
        game.headers["Annotator"] = "Plybench"
    game.headers.update(_played(study))
    if game.headers.get("Result", "*") == "*":
        game.headers["Result"] = _result(study)
    said: dict[Path, list[str]] = {}
    for kept in study.searches:
        path = study.path_of(kept.position)
        if path is not None:
            said.setdefault(path, []).append(_comment(kept))
    game.comment = _text(study.note, said.get((), ()))
    waiting: list[tuple[StudyNode, chess.pgn.GameNode, Path]] = [(study.root, game, ())]
    while waiting:
        node, written, path = waiting.pop()
        for child in node.children:
            below = (*path, child.move)
            move = written.add_variation(
                chess.Move.from_uci(child.move),
                comment=_text(child.note, said.get(below, ())),
                starting_comment=child.before,
                nags=child.nags,
            )
            waiting.append((child, move, below))
        for place, text in node.aside:
            put_aside(written, place, text)
    return game.accept(Exporter()).strip()


def _result(study: Study) -> str:
    """How the main line ends, if it ends the game."""

    path, node = list[str](), study.root
    while node.children:
        node = node.children[0]
        path.append(node.move)
    end = study.position_at(path)
    outcome = end.game.outcome(end.result * end.turn) if end.is_over else None
    return PGN_RESULTS[outcome] if outcome else "*"


def _played(study: Study) -> dict[str, str]:
    """Who played, and how it ended, of a study that is played as a game."""

    record = study.record
    if record is None:
        return {}
    white, black = map(escaped, record.players)
    end = study.position_at(study.path)
    outcome = record.outcome or (end.game.outcome(end.result * end.turn) if end.is_over else None)
    found = {"White": white, "Black": black, "Result": PGN_RESULTS[outcome] if outcome else "*"}
    if record.outcome:
        found["Termination"] = escaped(record.ending)
    return found


def _board(study: Study) -> chess.Board:
    start = study.first_position()
    return board_of(start.game, start.state)


def _comment(kept: KeptSearch) -> str:
    """`[%eval 0.35]`, or `#3` for a mate in three, and what made it."""
    report = kept.report
    value = f"{evaluation_comment(report.value)} ".lstrip()
    made_by = f"{report.algorithm}, depth {report.depth}, {counted(report.nodes, 'node')}, limit {limit_text(report.limit)}"
    return value + made_by + (f": {kept.note}" if kept.note else "")


def evaluation_comment(value: float | None) -> str:
    """`[%eval 0.35]`; nothing if there is no value."""
    return "" if value is None else f"[%eval {_evaluation(value)}]"


def _evaluation(value: float) -> str:
    if abs(value) < SHOWN_WIN / 2:
        return f"{value:.2f}"
    moves = (round(SHOWN_WIN - abs(value)) + 1) // 2
    return f"#{'-' if value < 0 else ''}{moves}"


def _text(note: str, said: Sequence[str]) -> str:
    """A comment: what the user wrote, letter by letter, and what searches said. A brace would end it."""
    added = " ".join("; ".join(said).replace("{", "(").replace("}", ")").split())
    return "; ".join(part for part in (note.replace("}", ")"), added) if part)


PGN_RESULTS = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}

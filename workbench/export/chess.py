"""Chess of a session for other programs: PGN with what searches found in its comments, and EPD."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import chess.pgn

from engines import catalog
from engines.contract import InputError, Report, shown
from engines.game import SHOWN_WIN
from engines.games.chess.border import board_of
from workbench.render.values import limit_text
from workbench.sessions.model import Session, Study
from workbench.sessions.pgn_writer import game_text
from workbench.sessions.text import position_of
from workbench.sessions.types import KeptSearch

LARGEST_EVALUATION = 32_000
"""What a win is worth in an EPD, in hundredths of a pawn, and more the nearer it is."""


def pgn(session: Session) -> str:
    """Each chess study as a game with its variations; `[%eval]` says what a search found, in pawns for White."""
    return "\n\n".join(game_text(session, number, study) for number, study in _studies(session)) + "\n"


def epd(session: Session) -> str:
    """A line for each search of a chess position, with what was found; the current position of a study without any."""
    lines = [line for number, study in _studies(session) for line in _lines(number, study)]
    return "".join(f"{line}\n" for line in lines)


def _studies(session: Session) -> list[tuple[int, Study]]:
    found = [(number, study) for number, study in enumerate(session.studies, 1) if catalog.game(study.game).has_pgn]
    if not found:
        raise InputError(f"PGN and EPD are for chess, and the session {shown(session.name)} has none.")
    return found


# PGN.


# EPD.


def _lines(number: int, study: Study) -> Iterator[str]:
    if not study.searches:
        here = study.position()
        yield board_of(here.game, here.state).epd(id=f"study {number}")
    for count, kept in enumerate(study.searches, 1):
        try:
            yield _line(kept, f"study {number}, search {count}")
        except ValueError as error:
            raise InputError(
                f"Search {count} of study {number} cannot be written as EPD: {str(error).rstrip('.')}."
            ) from None


def _line(kept: KeptSearch, name: str) -> str:
    """Position, then what was found: `ce` is for the side to move, as EPD has it."""
    report, position = kept.report, position_of(kept.report)
    if not position.game.has_pgn:
        raise InputError(f"{report.game} is not chess")
    board = board_of(position.game, position.state)
    operations: dict[str, object] = {"acd": report.depth, "acn": report.nodes, "acs": max(1, round(report.seconds))}
    if report.best_move is not None:
        operations["bm"] = [board.parse_uci(report.best_move)]
    if report.value is not None:
        operations["ce"] = position.turn * _hundredths(report.value)
    if report.distance is not None and report.outcome == ("first" if position.turn > 0 else "second"):
        operations["dm"] = (report.distance + 1) // 2
    if report.pv:
        operations["pv"] = _line_of(board, report)
    operations |= {"id": name, "c0": f"{report.algorithm}, limit {limit_text(report.limit)}"}
    return board.epd(**operations)  # type: ignore[arg-type]


def _hundredths(value: float) -> int:
    if abs(value) < SHOWN_WIN / 2:
        return max(-LARGEST_EVALUATION, min(LARGEST_EVALUATION, round(100 * value)))
    near = max(0, 767 - round(SHOWN_WIN - abs(value)))
    return (LARGEST_EVALUATION + near) * (1 if value > 0 else -1)


def _line_of(board: chess.Board, report: Report) -> list[chess.Move]:
    after, moves = board.copy(stack=False), []
    for text in report.pv:
        moves.append(after.push_uci(text))
    return moves

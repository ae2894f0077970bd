"""Chess of a session for other programs: PGN with what searches found in its comments, and EPD."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import chess
import chess.pgn

from engines.contract import InputError, Report, shown
from engines.game import SHOWN_WIN
from engines.games.chess.game import ChessGame
from positions.pgn_text import escaped
from workbench.forms import counted
from workbench.session import Kept, Node, Path, Session, Study
from workbench.session_text import limit_text, position_of
from workbench.study_pgn import Exporter, headers, put_aside

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
    found = [(number, study) for number, study in enumerate(session.studies, 1) if study.game == "chess"]
    if not found:
        raise InputError(f"PGN and EPD are for chess, and the session {shown(session.name)} has none.")
    return found


# PGN.


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
    waiting: list[tuple[Node, chess.pgn.GameNode, Path]] = [(study.root, game, ())]
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
    from workbench.game_files import PGN_RESULTS

    path, node = list[str](), study.root
    while node.children:
        node = node.children[0]
        path.append(node.move)
    end = study.position_at(path)
    outcome = end.game.outcome(end.result * end.turn) if end.is_over else None
    return PGN_RESULTS[outcome] if outcome else "*"


def _played(study: Study) -> dict[str, str]:
    """Who played, and how it ended, of a study that is played as a game."""
    from workbench.game_files import PGN_RESULTS

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
    assert isinstance(start.game, ChessGame)
    return start.game.board(start.state)


def _comment(kept: Kept) -> str:
    """`[%eval 0.35]`, or `#3` for a mate in three, and what made it."""
    report = kept.report
    value = f"{evaluation_comment(report.value)} ".lstrip()
    made_by = f"{report.algorithm}, depth {report.depth}, {counted(report.nodes, 'node')}, limit {limit_text(report)}"
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
    """A comment: what a person wrote, letter by letter, and what searches said. A brace would end it."""
    added = " ".join("; ".join(said).replace("{", "(").replace("}", ")").split())
    return "; ".join(part for part in (note.replace("}", ")"), added) if part)


# EPD.


def _lines(number: int, study: Study) -> Iterator[str]:
    if not study.searches:
        here = study.position()
        assert isinstance(here.game, ChessGame)
        yield here.game.board(here.state).epd(id=f"study {number}")
    for count, kept in enumerate(study.searches, 1):
        try:
            yield _line(kept, f"study {number}, search {count}")
        except ValueError as error:
            raise InputError(
                f"Search {count} of study {number} cannot be written as EPD: {str(error).rstrip('.')}."
            ) from None


def _line(kept: Kept, name: str) -> str:
    """Position, then what was found: `ce` is for the side to move, as EPD has it."""
    report, position = kept.report, position_of(kept.report)
    if not isinstance(position.game, ChessGame):
        raise InputError(f"{report.game} is not chess")
    board = position.game.board(position.state)
    operations: dict[str, object] = {"acd": report.depth, "acn": report.nodes, "acs": max(1, round(report.seconds))}
    if report.best_move is not None:
        operations["bm"] = [board.parse_uci(report.best_move)]
    if report.value is not None:
        operations["ce"] = position.turn * _hundredths(report.value)
    if report.distance is not None and report.outcome == ("first" if position.turn > 0 else "second"):
        operations["dm"] = (report.distance + 1) // 2
    if report.pv:
        operations["pv"] = _line_of(board, report)
    operations |= {"id": name, "c0": f"{report.algorithm}, limit {limit_text(report)}"}
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

"""Endgame tables: Gaviota's, which count the plies to mate, and Syzygy's, which know the fifty-move rule.

python-chess reads both. Probing a damaged file is undefined there, so each probe here ends with a value or with an
InputError that names the file.
"""

from __future__ import annotations

import contextlib
import io
import lzma
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import chess
import chess.gaviota
import chess.syzygy

from engines.contract import InputError, shown

GAVIOTA_MEN, SYZYGY_MEN = 5, chess.syzygy.TBPIECES
FIFTY_MOVES = 100
"""Plies without a capture or a pawn move after which a game is a draw."""
MISSING = (chess.gaviota.MissingTableError, chess.syzygy.MissingTableError)
DAMAGE = (LookupError, ValueError, TypeError, AttributeError, AssertionError, RecursionError, struct.error, lzma.LZMAError)
"""What python-chess was seen to raise on files with wrong bytes."""
Judge = Callable[[chess.Board], "Judged"]


class Judged(NamedTuple):
    """What a table says of a position, for the side to move."""

    sign: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: int | None = None
    """To mate in a Gaviota table; to the next capture, pawn move or mate in a Syzygy table."""


class TablebaseVerdict(NamedTuple):
    """What a table says of a position and its moves."""

    judged: Judged
    best: tuple[chess.Move, ...]
    notes: tuple[str, ...]


@contextlib.contextmanager
def naming(kind: str, path: Callable[[], str]) -> Iterator[None]:
    """Turn an error of python-chess into an InputError that names the file."""
    try:
        yield
    except (InputError, *MISSING):
        raise
    except OSError as error:
        raise InputError(f"The {kind} table {shown(path(), 200)} {unreadable(error)}.") from None
    except DAMAGE:
        raise InputError(f"The {kind} table {shown(path(), 200)} is damaged.") from None


def unreadable(error: OSError) -> str:
    """What is wrong; an error without a number is python-chess's own, about the content."""
    return f"cannot be read: {error.strerror}" if error.strerror else "is damaged"


class Gaviota(chess.gaviota.PythonTablebase):
    """Gaviota's tables. python-chess opens them for writing, which only root may do with the system's."""

    def add(self, directory: Path) -> int:
        """Add the tables of a directory, and say how many there are. They are opened when they are needed."""
        found = {path.name.removesuffix(".gtb.cp4"): str(path) for path in directory.glob("*.gtb.cp4")}
        self.available_tables.update(found)
        return len(found)

    def _open_tablebase(self, req: chess.gaviota.Request) -> BinaryIO:
        if req.egkey not in self.streams:
            with contextlib.ExitStack() as opened:
                stream = opened.enter_context(Path(self.available_tables[req.egkey]).open("rb"))
                self._check_index(stream)
                self.egtb_loadindexes(req.egkey, stream)
                opened.pop_all()  # no error: the table stays open
            self.streams[req.egkey] = stream
        return self.streams[req.egkey]

    @staticmethod
    def _check_index(stream: BinaryIO) -> None:
        """A ValueError if the index of a table is longer than its file: python-chess would make room for all of it."""
        (end,) = struct.unpack_from("<I", stream.read(40), 32)
        if end > stream.seek(0, io.SEEK_END):
            raise ValueError(end)

    def _tb_probe(self, req: chess.gaviota.Request) -> int:
        with naming("Gaviota", lambda: self.available_tables[req.egkey]):
            return super()._tb_probe(req)

    def __len__(self) -> int:
        return len(self.available_tables)


class Syzygy(chess.syzygy.Tablebase):
    """Syzygy's tables."""

    def add(self, directory: Path) -> int:
        """Add the tables of a directory, and say how many files there are. They are opened when they are needed."""
        return self.add_directory(str(directory))

    def probe_wdl_table(self, board: chess.Board) -> int:
        table = self.wdl.get(chess.syzygy.calc_key(board))
        if not isinstance(table, chess.syzygy.WdlTable):
            return super().probe_wdl_table(board)  # bare kings, or missing
        with naming("Syzygy", lambda: table.path):
            table.init_table_wdl()
            files = [data.pieces for data in table.files] if table.has_pawns else [table.pieces]
            sides = [0] if table.symmetric else [0, 1]  # what the file has for a side that is not in it means nothing
            check_pieces(table, [pieces[side] for pieces in files for side in sides])
            return super().probe_wdl_table(board)

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> tuple[int, int]:
        table = self.dtz.get(chess.syzygy.calc_key(board))
        if not isinstance(table, chess.syzygy.DtzTable):
            return super().probe_dtz_table(board, wdl)
        with naming("Syzygy", lambda: table.path):
            table.init_table_dtz()
            check_pieces(table, [data.pieces for data in table.files] if table.has_pawns else [table.pieces])
            return super().probe_dtz_table(board, wdl)

    def __len__(self) -> int:
        return len(set(map(id, self.wdl.values())))


def check_pieces(table: chess.syzygy.Table, found: list[Any]) -> None:
    """A ValueError if a table has other pieces than its name says: python-chess would look for them forever."""
    name = Path(table.path).stem
    keys = {chess.syzygy.normalize_tablename(name), chess.syzygy.normalize_tablename(name, mirror=True)}
    if any(chess.syzygy.recalc_key(pieces) not in keys for pieces in found):
        raise ValueError(name)


def by_gaviota(tables: Gaviota, board: chess.Board) -> TablebaseVerdict | None:
    """Who wins and in how many plies, with the moves that are quickest or resist longest; None if a table is missing."""
    if not tables or chess.popcount(board.occupied) > GAVIOTA_MEN:
        return None

    def judge(board: chess.Board) -> Judged:
        dtm = tables.probe_dtm(board)
        return Judged((dtm > 0) - (dtm < 0), abs(dtm) or None)

    try:
        judged = judge(board)
    except MISSING:
        return None
    moves, notes = judged_moves(board, judge)
    if not notes:
        best = max(moves.values(), key=lambda move: (move.sign, -move.sign * (move.plies or 0)))
        if board.has_legal_en_passant():
            judged = best  # the tables do not have en passant; python-chess forgets that it may be the only move
        elif judged != best:
            raise InputError("The Gaviota tables contradict each other about this position: one of them is damaged.")
    if judged.plies is not None and board.halfmove_clock + judged.plies > FIFTY_MOVES:
        notes.append("The Gaviota tables do not count the fifty-move rule, which may make this a draw.")
    return TablebaseVerdict(judged, tuple(move for move in moves if moves[move] == judged), tuple(notes))


def by_syzygy(tables: Syzygy, board: chess.Board) -> TablebaseVerdict | None:
    """Who wins under the fifty-move rule, with all moves that keep it so; None if a table is missing."""
    if not tables or chess.popcount(board.occupied) > SYZYGY_MEN:
        return None

    def judge(board: chess.Board) -> Judged:
        return under_fifty_moves(tables.probe_wdl(board), tables.get_dtz(board), board.halfmove_clock)

    try:
        wdl, dtz, clock = tables.probe_wdl(board), tables.get_dtz(board), board.halfmove_clock
    except MISSING:
        return None
    judged = under_fifty_moves(wdl, dtz, clock)
    moves, notes = judged_moves(board, judge)
    if wdl and not judged.sign:
        notes.append("A mate could be forced, but the fifty-move rule makes it a draw.")
    elif wdl and clock and (dtz is None or abs(dtz) + clock == FIFTY_MOVES):  # a DTZ may be one too small
        notes.append("The Syzygy tables do not tell whether the fifty-move rule makes this a draw.")
    return TablebaseVerdict(judged, tuple(move for move in moves if moves[move].sign == judged.sign), tuple(notes))


def under_fifty_moves(wdl: int, dtz: int | None, clock: int) -> Judged:
    """What is left of a Syzygy verdict when `clock` plies have been played without a capture or a pawn move."""
    if abs(wdl) < 2 or (dtz is not None and abs(dtz) + clock > FIFTY_MOVES):
        return Judged(0)
    return Judged(1 if wdl > 0 else -1, None if dtz is None else abs(dtz))


def judged_moves(board: chess.Board, judge: Judge) -> tuple[dict[chess.Move, Judged], list[str]]:
    """What `judge` says of each move for the side that makes it, and a note if tables for some are missing."""
    moves: dict[chess.Move, Judged] = {}
    notes: list[str] = []
    for move in list(board.legal_moves):
        board.push(move)
        try:
            if board.is_checkmate():
                moves[move] = Judged(1, 1)
            elif board.is_stalemate():
                moves[move] = Judged(0)
            else:
                sign, plies = judge(board)
                moves[move] = Judged(-sign, None if plies is None else plies + 1)
        except MISSING:
            notes = ["Tables for some of the moves are missing, so that there may be other good moves."]
        finally:
            board.pop()
    return moves, notes

"""The oracle of chess: python-chess has the rules, and the evaluations are written out from their definitions.

Nothing here comes from `engines` except the numbers in `tapered.toml`. A position is a `naive.Naive`, so that the naive
searches work on it; its moves are in python-chess's order.
"""

from __future__ import annotations

import tomllib
from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import chess

from tests.naive.games import WIN, Value, weighted

SHANNON = (20000, 900, 500, 300, 100, -50, -50, -50, 10)
"""Shannon's weights in centipawns: kings, queens, rooks, minor pieces, pawns, doubled, blocked, isolated, moves."""
TAPERED_MEN = ("pawn", "knight", "bishop", "rook", "queen", "king")
TAPERED = Path(__file__).parents[2] / "engines" / "games" / "chess" / "tapered.toml"


@dataclass(frozen=True)
class Chess:
    """An immutable board with its history."""

    board: chess.Board
    before: tuple[Hashable, ...] = ()
    """The earlier positions of the game, before the one where the search begins."""
    path: tuple[Hashable, ...] = ()
    """The positions from the start of the search to this one."""
    every_doubled: bool = False
    tapered: bool = False
    unit = 100

    def turn(self) -> int:
        return 1 if self.board.turn else -1

    def moves(self) -> list[str]:
        return [] if self.result() is not None else [move.uci() for move in self.board.legal_moves]

    def play(self, move: str) -> Chess:
        board = self.board.copy(stack=False)
        board.push(chess.Move.from_uci(move))
        return replace(self, board=board, path=(*self.path, same(self.board)))

    def result(self) -> Value | None:
        if not any(self.board.legal_moves):
            return -WIN * self.turn() if self.board.is_check() else 0
        return 0 if self.is_drawn() else None

    def is_drawn(self) -> bool:
        """Whether it is a draw: fifty moves, insufficient material, a repetition within the search, or a threefold
        repetition."""
        if self.board.halfmove_clock >= 100 or self.board.is_insufficient_material():
            return True
        return same(self.board) in self.path or self.before.count(same(self.board)) >= 2

    def terms(self) -> list[tuple[Value, Value]]:
        count = self._tapered_terms if self.tapered else self._shannon_terms
        return list(zip(count(chess.WHITE), count(chess.BLACK), strict=True))

    def evaluate(self) -> Value:
        return weighted(self.terms(), (1,) * len(TAPERED_MEN) if self.tapered else SHANNON)

    def text(self) -> str:
        return self.board.fen()

    def _shannon_terms(self, colour: chess.Color) -> list[Value]:
        """The counts of Shannon's terms: K, Q, R, B and N, P, D, S, I, M."""
        board = self.board
        kings, queens, rooks, bishops, knights = (
            len(board.pieces(man, colour)) for man in (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
        )
        pawns = board.pieces(chess.PAWN, colour)
        files = [chess.square_file(square) for square in pawns]
        ahead = 8 if colour == chess.WHITE else -8
        blocked = sum(board.piece_at(square + ahead) is not None for square in pawns)
        isolated = sum(file - 1 not in files and file + 1 not in files for file in files)
        doubled, moves = self.doubled()[0 if colour == chess.WHITE else 1], mobility(board, colour)
        return [kings, queens, rooks, bishops + knights, len(pawns), doubled, blocked, isolated, moves]

    def doubled(self) -> tuple[int, int]:
        """White's and Black's doubled pawns: those beyond the first on a file, or, by the other definition, all that share
        one."""
        found = []
        for colour in (chess.WHITE, chess.BLACK):
            files = [chess.square_file(square) for square in self.board.pieces(chess.PAWN, colour)]
            if self.every_doubled:
                found.append(sum(files.count(file) > 1 for file in files))
            else:
                found.append(sum(files.count(file) - 1 for file in set(files)))
        return found[0], found[1]

    def _tapered_terms(self, colour: chess.Color) -> list[Value]:
        """The values of pawns, knights, bishops, rooks, queens and kings, each rounded down to whole centipawns."""
        board = self.board
        found: list[Value] = []
        left = {man: len(board.pieces(man, chess.WHITE)) + len(board.pieces(man, chess.BLACK)) for man in chess.PIECE_TYPES}
        pieces = left[chess.KNIGHT] + left[chess.BISHOP] + 2 * left[chess.ROOK] + 4 * left[chess.QUEEN]
        phase = min(pieces, 24)
        for man, name in zip(chess.PIECE_TYPES, TAPERED_MEN, strict=True):
            total = 0
            for square in board.pieces(man, colour):
                row = chess.square_rank(square) if colour == chess.WHITE else 7 - chess.square_rank(square)
                middle, end = (
                    table["base"] + table["rows"][row] + table["files"][chess.square_file(square)]
                    for table in (tapered_tables()[name]["middlegame"], tapered_tables()[name]["endgame"])
                )
                total += middle * phase + end * (24 - phase)
            found.append(total // 24)
        return found


@cache
def tapered_tables() -> Any:
    """The numbers of the tapered evaluation."""
    return tomllib.loads(TAPERED.read_text(encoding="utf-8"))


def same(board: chess.Board) -> Hashable:
    """A key for equal positions: men, side to move, castling rights, and en passant where it is possible."""
    return board._transposition_key()


def mobility(board: chess.Board, colour: chess.Color) -> int:
    """The number of legal moves; for the side not to move, those after a null move.

    If that side gives check, there is no null move: then its pseudo-legal moves that leave its own king safe are counted.
    """
    if board.turn == colour:
        return board.legal_moves.count()
    after = board.copy(stack=False)
    if not board.is_check():
        after.push(chess.Move.null())
        return after.legal_moves.count()
    after.turn, after.ep_square = colour, None
    return sum(is_safe(after, move) for move in after.pseudo_legal_moves)


def is_safe(board: chess.Board, move: chess.Move) -> bool:
    """Whether the king of the moving side is not attacked after this move."""
    after = board.copy(stack=False)
    after.push(move)
    return not after.was_into_check()

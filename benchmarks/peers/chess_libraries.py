"""Perft by two chess libraries for Python, each in the way that proved quickest.

Slower alternatives that were tried with rust-chess: a board for each last move in place of a batch for all of them, checking
again that moves are legal, keeping a history. With python-chess: copies of the board in place of undoing moves.
"""

from __future__ import annotations

from typing import Any

import chess
import rust_chess

NO_HISTORY = rust_chess.RepetitionDetectionMode.NONE


def rust_perft(fen: str, depth: int) -> int:
    """Perft by rust-chess to a depth of two or more; the moves of the last ply are only counted. Each call needs a new
    board, because a board generates its moves only once."""
    return rust_node(rust_chess.Board(fen, NO_HISTORY), depth)


def rust_node(board: Any, depth: int) -> int:
    """Perft from a board that has generated no moves yet and does not track repetitions."""
    if depth > 2:
        return sum([rust_node(board.make_move_new(move, False), depth - 1) for move in board.generate_moves()])
    moves = list(board.generate_moves())
    if not moves:
        return 0
    boards = rust_chess.BoardBatch.from_boards([board] * len(moves), NO_HISTORY)
    boards.make_move(moves, False)
    return int(boards.get_total_generator_num_remaining())


def python_perft(board: chess.Board, depth: int) -> int:
    """Perft by python-chess; the moves of the last ply are only counted."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += python_perft(board, depth - 1)
        board.pop()
    return total

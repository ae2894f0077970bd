"""The oracle of quiescence: exchanges played out with python-chess, and captures until none is worth making.

Nothing here comes from `engines`. Which moves are searched beyond the horizon is written out from the games' cards: in
chess, captures and promotions to a queen that do not lose material; in Breakthrough, captures and steps onto the last row;
and every move if the side to move is in check, or an opposing pawn is one step from its goal.
"""

from __future__ import annotations

import chess

from tests.naive.chess import Chess
from tests.naive.games import WIN, Breakthrough, Naive, Value, delayed, square

VALUES = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 950, chess.KING: 20_000}


def taken_back(board: chess.Board, square: chess.Square, side: chess.Color) -> int:
    """The most that a side wins by capturing on a square, the cheapest man first, if both sides may stop at any time. Pinned
    men capture too; a king does not capture a guarded man."""
    takers = board.attackers(side, square)
    if not takers:
        return 0
    origin = min(takers, key=lambda taker: (VALUES[board.piece_type_at(taker) or 0], taker))
    if board.piece_type_at(origin) == chess.KING and board.attackers(not side, square):
        return 0
    return max(0, won_by(board, origin, square))


def won_by(board: chess.Board, origin: chess.Square, square: chess.Square) -> int:
    """The material that a capture with this man wins, negative if it loses some."""
    taken, man, after = board.piece_type_at(square), board.remove_piece_at(origin), board.copy(stack=False)
    assert taken is not None
    assert man is not None
    board.set_piece_at(origin, man)
    after.set_piece_at(square, man)
    return VALUES[taken] - taken_back(after, square, not man.color)


def quiet(position: Naive, ply: int, deepest: int, alpha: Value = -2 * WIN, beta: Value = 2 * WIN) -> Value:
    """The value for the first player once captures are played out. Beyond the deepest ply, threats are ignored."""
    result = position.result()
    if result is not None:
        return delayed(result, ply)
    danger = ply < deepest and in_danger(position)
    best = None if danger else position.evaluate()
    for move in position.moves() if danger else loud(position):
        if position.turn() > 0:
            alpha = alpha if best is None else max(alpha, best)
        else:
            beta = beta if best is None else min(beta, best)
        if alpha >= beta:
            break
        value = quiet(position.play(move), ply + 1, deepest, alpha, beta)
        best = value if best is None else max(best, value) if position.turn() > 0 else min(best, value)
    assert best is not None
    return best


def in_danger(position: Naive) -> bool:
    """Whether the side to move is under a threat and may not stand pat."""
    if isinstance(position, Chess):
        return position.board.is_check()
    if isinstance(position, Breakthrough) and not position.misere:
        white = position.mover == "w"
        return "b" in position.rows[1] if white else "w" in position.rows[-2]
    return False


def loud(position: Naive) -> list[str]:
    """The moves that are searched beyond the horizon."""
    if isinstance(position, Chess):
        return [move for move in position.moves() if _pays(position.board, chess.Move.from_uci(move))]
    if isinstance(position, Breakthrough):
        return [move for move in position.moves() if _takes(position, move)]
    return []


def _pays(board: chess.Board, move: chess.Move) -> bool:
    if board.is_en_passant(move) or move.promotion == chess.QUEEN:
        return True
    if move.promotion is not None or not board.is_capture(move):
        return False
    man, taken = board.piece_type_at(move.from_square), board.piece_type_at(move.to_square)
    assert man is not None
    assert taken is not None
    return man == chess.KING or VALUES[man] <= VALUES[taken] or won_by(board, move.from_square, move.to_square) >= 0


def _takes(position: Breakthrough, move: str) -> bool:
    column, row = square(move[2:])
    if row in (0, len(position.rows) - 1):
        return not position.misere
    return position.at(column, row) != "."

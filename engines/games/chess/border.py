"""From python-chess's boards and moves to the kernels' states and integers, and back."""

from __future__ import annotations

import chess

from engines.compiled.bits import U, lowest
from engines.game import Game
from engines.games.chess.making import whole_key
from engines.games.chess.state import (
    CASTLING,
    EN_PASSANT,
    HOME_ROWS,
    PLAIN,
    Chess,
    Men,
    castled_king,
    clock,
    kind_of,
    kings,
    origin_of,
    plies,
    target_of,
    white_moves,
)
from engines.rules import State


def from_board(rules: Chess, board: chess.Board) -> Men:
    """The state of a legal board."""
    rights = board.clean_castling_rights()
    if board.ep_square is not None and board.has_legal_en_passant():
        rights |= chess.BB_SQUARES[board.ep_square]
    state = Men(
        white=U(board.occupied_co[chess.WHITE]),
        black=U(board.occupied_co[chess.BLACK]),
        pawns=U(board.pawns),
        knights=U(board.knights),
        diagonal=U(board.bishops | board.queens),
        straight=U(board.rooks | board.queens),
        rights=U(rights),
        key=U(0),
        time=(board.ply() << 16) | board.halfmove_clock,
    )
    return state._replace(key=whole_key(rules, state))


def to_board(state: Men, chess960: bool = False) -> chess.Board:
    """The board of a state, without its history."""
    board = chess.Board(None, chess960=chess960)
    queens = int(state.diagonal & state.straight)
    board.occupied_co = [int(state.black), int(state.white)]
    board.occupied = int(state.white | state.black)
    board.pawns, board.knights, board.queens = int(state.pawns), int(state.knights), queens
    board.bishops, board.rooks = int(state.diagonal) ^ queens, int(state.straight) ^ queens
    board.kings = int(kings(state))
    board.turn = bool(white_moves(state))
    board.castling_rights = int(state.rights & HOME_ROWS)
    passing = state.rights & ~HOME_ROWS
    board.ep_square = lowest(passing) if passing else None
    board.halfmove_clock = int(clock(state))
    board.fullmove_number = int(plies(state)) // 2 + 1
    return board


def board_of(game: Game, state: State) -> chess.Board:
    """The board of a state of a game that has PGN, without its history."""
    assert game.has_pgn
    return to_board(state, bool(game.options["chess960"]))


def to_move(move: int, chess960: bool = False) -> chess.Move:
    """A move for python-chess. In Chess960 castling goes to the rook's square, else to the king's new one."""
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    if kind == CASTLING and not chess960:
        target = castled_king(origin, target)
    promotion = kind + 1 if PLAIN < kind < EN_PASSANT else None
    return chess.Move(origin, target, promotion)

"""What the tests of chess share: games and positions without the notation, and one look at everything in a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import chess
import numpy as np

from engines import catalog
from engines.compiled.kernel import int64, kernel
from engines.games.chess.border import from_board, to_board, to_move
from engines.games.chess.game import ChessGame
from engines.games.chess.movegen import in_check
from engines.games.chess.state import Men
from engines.position import Position
from engines.rules import (
    MAX_MOVES,
    ONGOING,
    WIN,
    Rules,
    captures,
    count_successors,
    moves,
    packed,
    play,
    result,
    successors,
    turn,
)
from tests.chess_games import Game
from tests.naive import chess as naive_chess


@cache
def chess_game(**settings: str) -> ChessGame:
    """The game with some settings."""
    return ChessGame("", catalog.read_settings(ChessGame.parameters, settings, "chess"))


def rules_of(board: chess.Board) -> Any:
    """The rules for boards of this kind."""
    return chess_game(chess960=str(board.chess960)).rules


def reached(played: Game | str, **settings: str) -> Position:
    """The end of a game with its history, or the position of a FEN."""
    played = Game(played) if isinstance(played, str) else played
    game = chess_game(chess960=str(played.chess960), **settings)
    found = Position(game, from_board(game.rules, played.board()))
    for text in played.moves:
        legal = game.legal_moves(found.state)
        found = found.play(next(move for move in legal if to_move(move, played.chess960).uci() == text))
    return found


def new_seen() -> Any:
    """Room for everything `look` sees."""
    return packed(
        result=0,
        check=0,
        captures=0,
        counted=0,
        successors=0,
        turn=0,
        noisy=np.zeros(MAX_MOVES, np.int64),
        scratch=np.zeros(MAX_MOVES, np.int64),
        moves=np.zeros(MAX_MOVES, np.int64),
        boards=np.zeros((MAX_MOVES, 8), np.uint64),
        times=np.zeros(MAX_MOVES, np.int64),
    )


@kernel
def look(game: Rules, state: Men, seen: Any) -> int:
    """Ask everything about a position that searches ask, compiled, and play every move; how many moves there are."""
    seen.result = result(game, state)
    seen.turn = turn(game, state)
    seen.check = int64(1) if in_check(game, state) else int64(0)
    seen.captures = captures(game, state, seen.noisy)
    seen.counted = count_successors(game, state, seen.scratch)
    seen.successors = successors(game, state, seen.scratch)
    count = moves(game, state, seen.moves)
    for i in range(count):
        after = play(game, state, seen.moves[i])
        boards = seen.boards[i]
        boards[0], boards[1], boards[2], boards[3] = after.white, after.black, after.pawns, after.knights
        boards[4], boards[5], boards[6], boards[7] = after.diagonal, after.straight, after.rights, after.key
        seen.times[i] = after.time
    return int64(count)


def expected_result(board: chess.Board) -> int:
    """What a position without history is worth to the side to move."""
    value = naive_chess.Chess(board).result()
    return ONGOING if value is None else -WIN if value else 0


@cache
def key_tables() -> tuple[Any, Any, int]:
    """The random numbers of men and rights, and that of Black's turn, as plain integers."""
    tables = chess_game().rules.tables
    return tables.man_keys.tolist(), tables.right_keys.tolist(), int(tables.turn_key)


def key_of(board: chess.Board) -> int:
    """The key of a position, put together from nothing."""
    men, rights, black = key_tables()
    key = 0 if board.turn else black
    for square, piece in board.piece_map().items():
        key ^= men[piece.piece_type - 1 + (0 if piece.color else 6)][square]
    for square in chess.SquareSet(board.clean_castling_rights()):
        key ^= rights[square]
    if board.ep_square is not None and board.has_legal_en_passant():
        key ^= rights[board.ep_square]
    return int(key)


def agree(board: chess.Board, state: Men, seen: Any) -> None:
    """Plybench sees in a position what python-chess sees. `seen` is filled for whoever wants to play on."""
    try:
        compare(board, state, seen)
    except AssertionError as error:
        raise AssertionError(board.fen()) from error


def compare(board: chess.Board, state: Men, seen: Any) -> None:
    """Every question that can be asked about a position, and both answers."""
    count, chess960 = look(rules_of(board), state, seen), board.chess960
    order = seen.moves[:count].tolist()
    found, legal = [to_move(move, chess960) for move in order], list(board.legal_moves)
    assert sorted(map(str, found)) == sorted(map(str, legal))
    assert seen.counted == seen.successors == count
    assert seen.scratch[:count].tolist() == order
    assert seen.check == board.is_check()
    assert seen.turn == (1 if board.turn else -1)
    assert seen.result == expected_result(board)
    loud, captured = [str(move) for move in legal if board.is_capture(move) or move.promotion], int(seen.captures)
    assert sorted(map(str, found[:captured])) == sorted(loud)
    assert seen.noisy[:captured].tolist() == order[:captured]
    promotions = [move.promotion for move in found if move.promotion]
    assert promotions == [chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT] * (len(promotions) // 4)
    assert to_board(state, chess960).fen() == board.fen()
    assert int(state.key) == key_of(board)


def child(seen: Any, board: chess.Board, move: chess.Move) -> tuple[int, Men]:
    """The number of a move, and the state that `look` found behind it."""
    for i, number in enumerate(seen.moves.tolist()):
        if to_move(number, board.chess960) == move:
            return number, Men._make([*seen.boards[i], int(seen.times[i])])
    raise AssertionError(f"{move} is not among the moves")


@dataclass
class Walk:
    """The positions of a game as both sides see them, and its moves as numbers."""

    boards: list[chess.Board] = field(default_factory=list)
    states: list[Men] = field(default_factory=list)
    played: list[int] = field(default_factory=list)


def agree_on_game(game: Game, seen: Any) -> Walk:
    """Agree on every position of a game, each state made from the one before."""
    board, walk = game.board(), Walk()
    state = from_board(rules_of(board), board)
    for move in (*map(chess.Move.from_uci, game.moves), None):
        agree(board, state, seen)
        walk.boards.append(board.copy(stack=False))
        walk.states.append(state)
        if move is not None:
            number, state = child(seen, board, move)
            walk.played.append(number)
            board.push(move)
    return walk

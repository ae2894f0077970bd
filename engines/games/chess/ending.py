"""When a game of chess is over: mate, stalemate, fifty moves, repetition, dead positions."""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import EMPTY, board, popcount
from engines.compiled.kernel import helper, int64, routine
from engines.games.chess.ending_index import in_endings
from engines.games.chess.movegen import can_move, view
from engines.games.chess.state import HISTORY, Chess, Men, clock, plies, white_moves
from engines.rules import ONGOING, WIN, result, turn

LIGHT_SQUARES = board(square for square in range(64) if (square // 8 + square) % 2)
FIFTY_MOVES = 100
"""Plies without a capture or a pawn's move after which a player may claim a draw."""
SHORTEST_CYCLE = 4


@turn.register(Chess)
def side(game: Chess, state: Men) -> int:
    """White is the first player."""
    return 1 if white_moves(state) else -1


@result.register(Chess)
@routine
def ending(game: Chess, state: Men) -> int:
    """Mate is a loss; stalemate, fifty moves, a dead position and a repetition are draws; a table may know more.

    The position is noted on the path, so a search must ask for the result of every position it enters before it looks at
    any behind it.
    """
    game.path.keys[plies(state) & (HISTORY - 1)] = state.key
    v = view(game, state, white_moves(state))
    if not can_move(game, state, v):
        return int64(0) if v.checkers == EMPTY else int64(-WIN)
    if clock(state) >= FIFTY_MOVES or is_dead(state) or is_repeated(game, state):
        return int64(0)
    if game.data.tables != 0:
        return in_endings(game, game.data.tables, state)
    return int64(ONGOING)


@helper
def is_dead(state: Men) -> bool:
    """Nobody can ever mate: bare kings, one knight, or bishops that all stand on squares of one colour."""
    if state.pawns | state.straight != EMPTY:
        return False
    if state.knights != EMPTY:
        return popcount(state.white | state.black) == 3
    return state.diagonal & LIGHT_SQUARES == EMPTY or state.diagonal & ~LIGHT_SQUARES == EMPTY


@helper
def is_repeated(game: Chess, state: Men) -> bool:
    """Whether the position is a repetition: it occurred once since the search began, or twice before that."""
    now, before = plies(state), 0
    for back in range(SHORTEST_CYCLE, min(clock(state), now - game.path.first) + 1, 2):
        if game.path.keys[(now - back) & (HISTORY - 1)] == state.key:
            before += 1
            if now - back >= game.path.root or before == 2:
                return True
    return False


def why_over(game: Chess, state: Men) -> str | None:
    """How the game ended, in words; None if it goes on."""
    v: Any = view(game, state, white_moves(state))
    if not can_move(game, state, v):
        return "stalemate" if v.checkers == EMPTY else "checkmate"
    if is_dead(state):
        return "insufficient material"
    if clock(state) >= FIFTY_MOVES:
        return "fifty-move rule"
    return "threefold repetition" if is_repeated(game, state) else None

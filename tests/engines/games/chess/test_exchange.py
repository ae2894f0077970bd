"""Exchanges on one square of a chess board, against a naive one that plays them out with python-chess."""

from __future__ import annotations

from functools import cache

import chess
import pytest

from engines import catalog
from engines.games.chess.border import to_move
from engines.games.chess.game import ChessGame
from engines.games.chess.knowledge import pays
from engines.games.chess.state import man_of, origin_of, target_of
from engines.rules import LOUD, worth
from tests.chess_games import Kind, some_boards
from tests.naive.quiescence import VALUES, won_by
from tests.thorough import examples


@cache
def captures(kind: Kind, count: int) -> list[tuple[str, int]]:
    """So many captures: a FEN and a move of the engine's, without promotions, captures in passing and kings."""
    found: list[tuple[str, int]] = []
    for board in some_boards(kind, 2000, seed=31):
        game = catalog.position(board.fen(), "chess").game
        state = game.read_board(board.fen())
        for move in game.legal_moves(state):
            chosen = to_move(move, False)
            plain = board.is_capture(chosen) and not board.is_en_passant(chosen) and chosen.promotion is None
            if plain and board.piece_type_at(chosen.from_square) != chess.KING:
                found.append((board.fen(), move))
        if len(found) >= count:
            return found[:count]
    return found


def check(kind: Kind, count: int) -> tuple[int, int]:
    """How many captures pay and how many do not."""
    answers = [0, 0]
    game = catalog.position("startpos", "chess").game
    assert isinstance(game, ChessGame)
    for fen, move in captures(kind, count):
        board, state = chess.Board(fen), game.read_board(fen)
        chosen = to_move(move, False)
        man, taken = board.piece_type_at(chosen.from_square), board.piece_type_at(chosen.to_square)
        assert man is not None
        assert taken is not None
        expected = won_by(board, chosen.from_square, chosen.to_square) >= 0
        found = pays(game.rules, state, origin_of(move), target_of(move), man_of(move), VALUES[taken])
        assert bool(found) == expected, (fen, chosen.uci())
        promise = int(worth(game.rules, state, move))
        assert (promise >= LOUD) == expected, (fen, chosen.uci(), promise)
        assert (promise < 0) == (not expected), (fen, chosen.uci(), promise)
        answers[expected] += 1
    return answers[1], answers[0]


@pytest.mark.parametrize(("kind", "count"), [("greedy", 400), ("random", 300), ("rare moves", 300), ("few men", 100)])
def test_exchanges_are_those_of_a_naive_recursion(kind: Kind, count: int) -> None:
    good, bad = check(kind, examples(count))
    assert good + bad == examples(count)
    assert min(good, bad) > examples(count) // 20


@pytest.mark.plain
def test_exchanges_also_in_plain_python() -> None:
    good, bad = check("greedy", 60)
    assert min(good, bad) > 5


@pytest.mark.plain
@pytest.mark.parametrize(
    ("fen", "move", "fine"),
    [
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", True),  # nobody guards it
        ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", False),
        ("4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1", "e4d5", True),
        ("3rk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "d2d5", True),  # the rook behind the rook joins in
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", False),
        ("3qk3/8/8/3n4/8/8/3Q4/3RK3 w - - 0 1", "d2d5", True),
        ("3qk3/8/8/3n4/8/8/3Q4/4K3 w - - 0 1", "d2d5", False),
        ("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", True),  # the king may not take back
        ("8/8/4k3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", False),
        ("4k3/8/5b2/4p3/3P4/8/1B6/4K3 w - - 0 1", "d4e5", True),
        ("4k3/8/2n5/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", False),
    ],
)
def test_exchanges_that_everybody_can_follow(fen: str, move: str, fine: bool) -> None:
    game = catalog.position(fen, "chess").game
    state = game.read_board(fen)
    assert (int(worth(game.rules, state, game.read_move(state, move))) >= LOUD) == fine

"""How games of chess end: mate, stalemate, dead positions, fifty moves, and repetitions as python-chess counts them."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from random import Random

import chess
import pytest

from engines.games.chess.state import clock
from engines.position import Position
from engines.rules import ONGOING, WIN
from tests.chess_games import Game, games
from tests.engines.games.chess.checks import Walk, agree, agree_on_game, chess_game, expected_result, look, new_seen, reached
from tests.naive import chess as naive_chess


@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80", "stalemate"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 100 80", "fifty-move rule"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", None),
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", "insufficient material"),
        ("7k/8/6K1/8/8/8/8/N7 w - - 0 1", "insufficient material"),
        ("7k/8/6K1/8/8/8/8/b7 w - - 0 1", "insufficient material"),
        ("7k/8/6K1/8/8/8/8/B1b5 w - - 0 1", "insufficient material"),
        ("b1B1B2k/8/6K1/8/8/8/8/1b1b4 w - - 0 1", "insufficient material"),
        ("7k/8/6K1/8/8/8/8/Bb6 w - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/BB6 w - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/NN6 w - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/Nn6 w - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/Bn6 w - - 0 1", None),
        ("7k/8/6K1/8/8/8/P7/8 w - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/r7 w - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/q7 w - - 0 1", None),
    ],
)
@pytest.mark.plain
def test_how_games_end(fen: str, ending: str | None) -> None:
    board, found = chess.Board(fen), reached(fen)
    assert found.game.ending(found) == ending
    assert found.is_over == (ending is not None)
    assert found.result == expected_result(board)
    seen = new_seen()
    agree(board, found.state, seen)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("move", "clock_after", "result_after"),
    [
        ("a1a8", 100, -WIN),  # mate on the hundredth ply is mate
        ("a1a7", 100, 0),
        ("b2b4", 0, ONGOING),
        ("a1c1", 0, ONGOING),
    ],
)
def test_the_hundredth_ply_without_capture_or_pawn_move(move: str, clock_after: int, result_after: int) -> None:
    found = reached(Game("7k/8/6K1/8/8/8/1P6/R1n5 w - - 99 80", (move,)))
    assert clock(found.state) == clock_after
    assert found.result == result_after


def test_repetitions_as_python_chess_counts_them() -> None:
    """From any position of a game on: once more on the path is a draw, and so is the third time in all."""
    found = Counter[str]()
    for game in islice(games("to and fro"), 80):
        check_repetitions(game, Random(str(game)), found)
    assert found["on the path"] > 150
    assert found["third time in the game"] > 150
    assert found["second time in the game"] > 150


@pytest.mark.plain
def test_some_repetitions_also_in_plain_python() -> None:
    for game in islice(games("to and fro", seed=1), 4):
        check_repetitions(game, Random(str(game)), Counter())


@pytest.mark.plain
def test_a_repetition_after_a_long_way() -> None:
    """White's king goes around in twenty moves, so that the start comes again on plies 40 and 80."""
    around = "b1 c1 d1 e1 f1 g1 g2 g3 g4 g5 g6 f6 e6 d6 c6 b6 b5 b4 b3 b2 b1"
    white, black = ["".join(step) for step in pairwise(around.split())], ["b8a8", "a8b8"] * 10
    moves = tuple(move for pair in zip(white, black, strict=True) for move in pair)
    walk = agree_on_game(Game("1k6/8/8/8/8/8/8/1K5R w - - 0 1", moves * 2), new_seen())
    ends = [Position(chess_game(), walk.states[0], tuple(walk.played[:ply])) for ply in range(81)]
    assert [ply for ply, end in enumerate(ends) if end.is_over] == [80]
    assert check_path(walk, ends[0], "the way around") == 41  # ply 40 and all that follow
    assert check_path(walk, ends[1], "the way around") == 40
    assert check_path(walk, ends[45], "the way around") == 0  # but ply 80 is there for the third time


def check_repetitions(game: Game, random: Random, found: Counter[str]) -> None:
    """Begin a search at some plies of a game and follow the game from there, as a search would."""
    walk, board = agree_on_game(game, new_seen()), game.board()
    for ply, move in enumerate((*map(chess.Move.from_uci, game.moves), None)):
        if random.random() < 0.5:
            here = Position(chess_game(), walk.states[0], tuple(walk.played[:ply]))
            thrice = board.is_repetition(3)
            assert here.is_over == (thrice or expected_result(board) != ONGOING), f"ply {ply} of {game}"
            found["second time in the game"] += board.is_repetition(2) and not thrice
            found["third time in the game"] += here.game.ending(here) == "threefold repetition"
            if random.random() < 0.5:
                found["on the path"] += check_path(walk, here, f"{game} from ply {ply}")
        if move is not None:
            board.push(move)


def check_path(walk: Walk, here: Position, said: str) -> int:
    """A search from `here` that follows the game sees a draw where the oracle does; how often a position came again."""
    rules, seen, root, repeated = here.game.rules_for(here), new_seen(), len(here.played), 0
    keys = [naive_chess.same(board) for board in walk.boards]
    for ply in range(root + 1, len(keys)):
        look(rules, walk.states[ply], seen)
        value = naive_chess.Chess(walk.boards[ply], tuple(keys[:root]), tuple(keys[root:ply])).result()
        assert seen.result == (ONGOING if value is None else -WIN if value else 0), f"ply {ply} of {said}"
        repeated += keys[ply] in keys[root:ply]
    return repeated

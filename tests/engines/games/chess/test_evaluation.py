"""Both evaluations of chess against twins that are written out from their definitions."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings

from engines import catalog
from engines.compiled.kernel import int64, kernel
from engines.contract import InputError
from engines.games.chess.border import from_board
from engines.games.chess.game import ChessGame
from engines.games.chess.state import Men, white_moves
from engines.games.chess.tapered import tapered_terms
from engines.rules import Rules, evaluate, terms
from tests.chess_games import Game, Kind, any_games, some_boards
from tests.engines.games.chess.checks import chess_game
from tests.naive import games as naive
from tests.naive.chess import SHANNON, Chess
from tests.thorough import examples

WORKED_EXAMPLE = "7k/2pN1p1p/3Q2p1/n1r2p1p/4q3/PP2NP2/2P3PP/6K1 w - - 0 1"
"""No rook against one, two minor pieces against one, two doubled black pawns, one isolated, 43 moves against 39."""
COUNTS = 9
"""Terms of Shannon's evaluation."""
MEN = 6
"""Terms of the other."""


@kernel
def judged(game: Rules, state: Men, counts: Any, worths: Any) -> int:
    """The terms of both evaluations, compiled; and the value of the one that was chosen."""
    shannon, tapered = terms(game, state), tapered_terms(game, state)
    for i in range(2 * COUNTS):
        counts[i] = shannon[i]
    for i in range(2 * MEN):
        worths[i] = tapered[i]
    return int64(evaluate(game, state))


def judge(game: ChessGame, state: Men) -> tuple[list[tuple[int, int]], list[tuple[int, int]], int]:
    """White's and Black's counts by Shannon, what their men are worth, and the value for White."""
    counts, worths = np.zeros(2 * COUNTS, np.int64), np.zeros(2 * MEN, np.int64)
    value = int(judged(game.rules, state, counts, worths))
    return pairs(counts), pairs(worths), value if white_moves(state) else -value


def state_of(board: chess.Board) -> Men:
    """The same for every evaluation."""
    return from_board(chess_game().rules, board)


def pairs(numbers: Any) -> list[tuple[int, int]]:
    """Two by two: White's and Black's."""
    first, second = numbers[::2].tolist(), numbers[1::2].tolist()
    return list(zip(first, second, strict=True))


def agree(board: chess.Board) -> None:
    """Every term and the value are those of the twin, for every way to evaluate."""
    extra, tapered, state = Chess(board), Chess(board, tapered=True), state_of(board)
    counts, worths = extra.terms(), tapered.terms()
    every = [*counts[:5], Chess(board, every_doubled=True).doubled(), *counts[6:]]
    assert judge(chess_game(), state) == (counts, worths, naive.weighted(counts, SHANNON)), board.fen()
    assert judge(chess_game(doubled="every"), state) == (every, worths, naive.weighted(every, SHANNON)), board.fen()
    assert judge(chess_game(evaluation="tapered"), state) == (counts, worths, tapered.evaluate()), board.fen()


def is_fair(board: chess.Board) -> None:
    """With colours changed, what was White's is Black's."""
    state, mirrored = state_of(board), state_of(board.mirror())
    for game in (chess_game(), chess_game(doubled="every"), chess_game(evaluation="tapered")):
        (counts, worths, value), (others, other_worths, other) = judge(game, state), judge(game, mirrored)
        assert counts == [(black, white) for white, black in others], board.fen()
        assert worths == [(black, white) for white, black in other_worths], board.fen()
        assert value == -other, board.fen()


@pytest.mark.parametrize(
    ("kind", "count"),
    [("greedy", 1500), ("random", 1200), ("chess960", 500), ("few men", 600), ("rare moves", 900), ("in passing", 400)],
)
def test_every_term_on_five_thousand_positions(kind: Kind, count: int) -> None:
    for board in some_boards(kind, examples(count), seed=2):
        agree(board)
        is_fair(board)


@pytest.mark.plain
@pytest.mark.parametrize("kind", ["greedy", "random", "chess960", "few men", "rare moves", "in passing"])
def test_some_positions_also_in_plain_python(kind: Kind) -> None:
    for board in some_boards(kind, 25, seed=3):
        agree(board)
        is_fair(board)


@settings(max_examples=examples(60))
@given(any_games())
def test_any_game_from_known_positions(game: Game) -> None:
    agree(game.end())


@pytest.mark.plain
def test_the_worked_example_of_the_course() -> None:
    """-5 + 3 + 1.5 + 0.4 = -0.1."""
    game = chess_game()
    found = game.evaluation(state_of(chess.Board(WORKED_EXAMPLE)))
    assert [(term.name, term.first, term.second, term.value) for term in found.terms] == [
        ("kings", 1, 1, 0),
        ("queens", 1, 1, 0),
        ("rooks", 0, 1, -5),
        ("bishops and knights", 2, 1, 3),
        ("pawns", 6, 6, 0),
        ("doubled pawns", 0, 2, 1),
        ("blocked pawns", 0, 0, 0),
        ("isolated pawns", 0, 1, 0.5),
        ("mobility", 43, 39, 0.4),
    ]
    assert found.value == pytest.approx(-0.1)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("fen", "doubled", "every", "blocked", "isolated"),
    [
        (chess.STARTING_FEN, (0, 0), (0, 0), (0, 0), (0, 0)),
        ("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", (1, 0), (2, 0), (1, 0), (2, 0)),  # the rear one stands behind its own kind
        ("4k3/p7/p7/p7/8/8/8/4K3 w - - 0 1", (0, 2), (0, 3), (0, 2), (0, 3)),
        ("4k3/8/8/3p4/3P4/8/8/4K3 w - - 0 1", (0, 0), (0, 0), (1, 1), (1, 1)),
        ("4k3/8/8/3n4/3P4/8/8/4K3 w - - 0 1", (0, 0), (0, 0), (1, 0), (1, 0)),
        ("4k3/8/8/3p4/3N4/8/8/4K3 w - - 0 1", (0, 0), (0, 0), (0, 1), (0, 1)),
        ("4k3/7p/8/8/8/8/P7/4K3 w - - 0 1", (0, 0), (0, 0), (0, 0), (1, 1)),
        ("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1", (0, 0), (0, 0), (0, 0), (2, 2)),  # the a and h files are not neighbours
        ("4k3/1p6/8/P7/7P/6p1/8/4K3 w - - 0 1", (0, 0), (0, 0), (0, 0), (2, 2)),  # nor are the other side's pawns
        ("4k3/8/6P1/7P/P7/1P6/8/4K3 w - - 0 1", (0, 0), (0, 0), (0, 0), (0, 0)),
    ],
)
def test_weak_pawns(
    fen: str, doubled: tuple[int, int], every: tuple[int, int], blocked: tuple[int, int], isolated: tuple[int, int]
) -> None:
    board = chess.Board(fen)
    counts, _, _ = judge(chess_game(), state_of(board))
    assert counts[5:8] == [doubled, blocked, isolated]
    assert judge(chess_game(doubled="every"), state_of(board))[0][5] == every
    agree(board)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("fen", "mobility"),
    [
        (chess.STARTING_FEN, (20, 20)),
        ("7k/8/8/8/8/8/8/R6K b - - 0 1", (16, 3)),
        ("R6k/8/8/8/8/8/8/7K b - - 0 1", (17, 2)),  # Black is in check; the rook may take the king
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", (23, 0)),
        ("4k3/8/8/8/4r3/8/4B3/4K3 b - - 0 1", (4, 17)),  # Black's move, but White's bishop is pinned
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", (7, 6)),  # two steps of the pawn: one ahead, one in passing
        ("4k3/8/8/2pP4/8/8/8/4K3 b - - 0 1", (6, 6)),
        ("4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", (7, 8)),  # Black's other pawn cannot
        ("4k3/2p5/8/3P4/8/8/8/R3K2R b KQ - 0 1", (27, 7)),
    ],
)
def test_mobility(fen: str, mobility: tuple[int, int]) -> None:
    counts, _, _ = judge(chess_game(), state_of(chess.Board(fen)))
    assert counts[8] == mobility
    agree(chess.Board(fen))


@pytest.mark.plain
def test_more_pieces_than_at_the_start() -> None:
    """With a second queen the middlegame counts in full, and no more than that."""
    for fen in (
        "rnbqkbnr/1ppppppp/8/8/3q4/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppp5/8/Q7/q7/8/PPP5/RNBQKBNR b KQkq - 0 1",
    ):
        agree(chess.Board(fen))


@pytest.mark.plain
def test_weights_can_be_chosen() -> None:
    weights = (1, -20, 300, 4000, -50000, 66, 7, 8888, 9)
    game = chess_game(weights=",".join(map(str, weights)))
    for board in some_boards("greedy", 20, seed=4):
        twin = Chess(board)
        counts, _, value = judge(game, state_of(board))
        assert value == naive.weighted(twin.terms(), weights), board.fen()
        assert game.evaluation(state_of(board)).value == pytest.approx(value / 100)
        assert counts == twin.terms()
    assert tuple(chess_game().rules.data.weights) == SHANNON
    for bad in ("1,2,3", "a,b,c,d,e,f,g,h,i", "1,2,3,4,5,6,7,8,9,10", "100001,0,0,0,0,0,0,0,0"):
        with pytest.raises(InputError):
            ChessGame("", catalog.read_settings(ChessGame.parameters, {"weights": bad}, "chess"))


@pytest.mark.plain
@pytest.mark.parametrize("evaluation", ["shannon", "tapered"])
def test_what_people_see_is_what_kernels_use(evaluation: str) -> None:
    game = chess_game(evaluation=evaluation)
    for board in some_boards("rare moves", 20, seed=4):
        found = game.evaluation(state_of(board))
        _, _, value = judge(game, state_of(board))
        assert found.value == pytest.approx(value / 100), board.fen()
        assert sum(term.value for term in found.terms) == pytest.approx(found.value)
        twin = Chess(board, tapered=evaluation == "tapered")
        scale = 100 if twin.tapered else 1
        for term, (white, black) in zip(found.terms, twin.terms(), strict=True):
            assert (term.first * scale, term.second * scale) == pytest.approx((white, black))


@pytest.mark.plain
def test_the_start_is_even_and_a_man_more_is_better() -> None:
    without_queen = chess.Board(chess.STARTING_FEN.replace("q", "1", 1))
    for evaluation in ("shannon", "tapered"):
        game = chess_game(evaluation=evaluation)
        assert game.evaluation(game.start()).value == 0
        assert judge(game, state_of(without_queen))[2] > 800

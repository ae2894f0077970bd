"""Every algorithm that plays chess, driven by python-chess through whole games: no warning of its, and nothing said that is
not so."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator

import chess
import chess.engine
import pytest

from engines import catalog
from tests.thorough import LONG
from tests.workbench.uci.referee import Hearing, faults
from tests.workbench.uci.talk import COMMAND, READY

ALGORITHMS = catalog.compiled_algorithms_for("chess")
GAMES = 20 if LONG else 1
PLIES = 200 if LONG else 6
STARTS = [chess.STARTING_FEN, "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", "1r4k1/5ppp/8/8/8/3q4/8/K7 w - - 0 1"]
"""A game in short has a beginning, and an end: once the winner moves first, once the loser."""


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=READY) as engine:
        yield engine


@pytest.fixture
def hearing() -> Iterator[Hearing]:
    logger, hearing = logging.getLogger("chess.engine"), Hearing()
    before = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(hearing)
    yield hearing
    logger.removeHandler(hearing)
    logger.setLevel(before)


def opening(number: int) -> chess.Board:
    """A few random moves from a start."""
    board, dice = chess.Board(STARTS[number % len(STARTS)]), random.Random(number)
    for _ in range(4 if number >= len(STARTS) else 0):
        if not board.is_game_over():
            board.push(dice.choice(list(board.legal_moves)))
    return board


def play(engine: chess.engine.SimpleEngine, hearing: Hearing, board: chess.Board, limit: chess.engine.Limit) -> list[str]:
    """Play a game to its end; returns what was wrong."""
    game, wrong = object(), list[str]()
    for _ in range(PLIES):
        if board.is_game_over(claim_draw=True):
            break
        hearing.lines.clear()
        answer = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        wrong += [f"{board.fen()}: {fault}" for fault in faults(board, hearing.lines)]
        assert answer.move is not None
        board.push(answer.move)
    return wrong


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_games_without_a_warning(engine: chess.engine.SimpleEngine, hearing: Hearing, algorithm: str) -> None:
    engine.configure({"Algorithm": algorithm, "UCI_ShowWDL": True})
    wrong: list[str] = []
    for number in range(max(GAMES, len(STARTS))):
        limit = chess.engine.Limit(time=0.02) if number % 5 == 4 else chess.engine.Limit(nodes=300)
        wrong += play(engine, hearing, opening(number), limit)
    assert not wrong
    assert not hearing.warnings

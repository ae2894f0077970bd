"""Retrograde analysis, watched layer by layer on the positions that can come from one."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit
from engines.games.reachable import board_of
from engines.position import Position
from engines.run.search import Search
from workbench.watch.layers.positions import PositionsTrace
from workbench.watch.open import trace_of
from workbench.watch.panels import view_of
from workbench.watch.steps import lines_of, step_line

RETROGRADE = catalog.algorithm("retrograde")
WINS = 626 + 316
"""Of the 5,478 positions of tic-tac-toe: those with three crosses in a row, and those with three noughts."""


def traced(position: Position) -> PositionsTrace:
    return PositionsTrace(position, RETROGRADE)


@cache
def naive(position: Position) -> tuple[int, int]:
    """Who wins, 1 for the first player, and after how many plies at best: by looking at everything."""
    if position.is_over:
        return position.result and (position.turn if position.result > 0 else -position.turn), 0
    side, behind = position.turn, [naive(position.play(move)) for move in position.game.legal_moves(position.state)]
    if wins := [plies for winner, plies in behind if winner == side]:
        return side, 1 + min(wins)
    if any(not winner for winner, _ in behind):
        return 0, 0
    return -side, 1 + max(plies for _, plies in behind)


@st.composite
def endings(draw: st.DrawFn) -> Position:
    """A position of tic-tac-toe after four moves or more."""
    position = catalog.position("startpos", "tictactoe")
    for _ in range(draw(st.integers(4, 7))):
        assume(not position.is_over)
        moves = position.game.legal_moves(position.state)
        position = position.play(moves[draw(st.integers(0, len(moves) - 1))])
    assume(not position.is_over)
    return position


@given(position=endings())
@settings(deadline=None, max_examples=40)
def test_every_layer_is_that_of_a_naive_search(position: Position) -> None:
    trace = traced(position)
    for node in range(len(trace.successors)):
        winner, plies = naive(trace.position(node))
        assert trace.layer(node) == (plies if winner else None)
        if winner:
            assert int(trace.known.winner[node]) == winner


@given(position=endings())
@settings(deadline=None, max_examples=15)
def test_all_moments_can_be_shown_and_going_back_is_exact(position: Position) -> None:
    trace = traced(position)
    drawn = []
    for at in range(len(trace) + 1):
        moment = trace.moment(at)
        assert moment.sentence().endswith(".")
        if moment.event is not None:
            assert step_line(RETROGRADE, moment.steps()) is not None, lines_of(RETROGRADE)
        moment.variables()
        drawn.append([str(line) for line in view_of(trace, moment, 100, 20).lines()])
    for at in reversed(range(len(trace) + 1)):
        assert [str(line) for line in view_of(trace, trace.moment(at), 100, 20).lines()] == drawn[at]


def test_all_of_tictactoe() -> None:
    trace = traced(catalog.position("startpos", "tictactoe"))
    assert len(trace.successors) == 5478
    assert len(trace.layers[0]) == WINS
    assert trace.layer(trace.root) is None
    end = trace.moment(len(trace))
    assert "1,068 positions are in no layer" in end.sentence()
    assert "they are drawn" in end.sentence()
    assert len({board_of(trace.position(node)) for node in range(len(trace.successors))}) == 5478


def test_the_last_layer_agrees_with_the_report() -> None:
    position = catalog.position("startpos moves b2 b1", "tictactoe")
    report = Search(position, RETROGRADE, Limit()).run_here().report()
    trace = trace_of(report)
    assert isinstance(trace, PositionsTrace)
    assert report.distance is not None
    assert trace.layer(trace.root) == report.distance


def test_a_game_that_is_too_large_is_said_to_be() -> None:
    with pytest.raises(InputError, match="nearer to the end of the game has fewer"):
        traced(catalog.position("startpos", "connect4"))

"""Evaluations that play each other inside a kernel: the same games as the algorithm plays, move by move."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog, duel
from engines.compiled.kernel import jit_enabled
from engines.contract import InputError, Limit
from engines.duel import Ring
from engines.position import Position
from engines.run.search import Search

pytestmark = pytest.mark.plain


def by_searches(start: Position, depth: int, weights: list[list[int]], most: int) -> tuple[list[int], int]:
    """The game move by move, each by a search of its own."""
    texts = [",".join(map(str, one)) for one in weights]
    games = [type(start.game)(start.game.size, {**start.game.options, "weights": text}) for text in texts]
    position = start
    while not position.is_over and len(position.played) < most:
        own = Position(games[0 if position.turn > 0 else 1], position.start, position.played)
        report = Search(own, catalog.algorithm("alphabeta"), Limit(depth=depth)).run_here().report()
        assert report.best_move is not None
        position = position.play(position.game.read_move(position.state, report.best_move))
    value = position.result * position.turn if position.is_over else 0
    return list(position.played), (value > 0) - (value < 0)


BOARDS = [("connect4", "5x4"), ("breakthrough", "5x3")] if jit_enabled() else [("connect4", "4x3"), ("breakthrough", "4x2")]


@settings(max_examples=6 if jit_enabled() else 2)
@given(st.data(), st.integers(1, 4 if jit_enabled() else 2))
@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_the_same_games_as_searches_play(game: str, size: str, data: st.DataObject, depth: int) -> None:
    start = catalog.position("startpos", game, size)
    count = len(start.game.rules.data.weights)
    weights = [data.draw(st.lists(st.integers(0, 1023), min_size=count, max_size=count)) for _ in range(2)]
    found = Ring(start, depth).play(*weights)
    assert (list(found.moves), found.value) == by_searches(start, depth, weights, 600)


def test_a_game_is_cut_off_and_one_from_the_middle_begins_there() -> None:
    start = catalog.position("4453", "connect4")
    ring = Ring(start, 2, 5)
    found = ring.play((1, 10, 100), (1, 10, 100))
    assert (len(found.moves), found.value) == (5, 0)
    assert found == ring.play((1, 10, 100), (1, 10, 100))


def test_a_budget_ends_it() -> None:
    ring = Ring(catalog.position("startpos", "connect4"), 3)
    ring.work.budget = 500
    found = ring.play((1, 10, 100), (1, 10, 100))
    assert found.value == 0
    assert ring.work.stopped
    assert ring.work.nodes <= 500


def test_who_cannot_play_here() -> None:
    assert duel.games() == ["connect4", "breakthrough"]
    with pytest.raises(InputError, match="searches of their own"):
        Ring(catalog.position("startpos", "chess"), 2)
    with pytest.raises(InputError, match="1 to 100"):
        Ring(catalog.position("startpos", "connect4"), 0)

"""Hints: a review of the same game does not blame them."""

from __future__ import annotations

from random import Random

import pytest

from engines import catalog
from engines.position import Position
from tests.thorough import LONG
from workbench.play import hints
from workbench.play.hints import advice_for
from workbench.review.job import Reviewer


def a_hint(position: Position) -> str:
    advice = advice_for(position, lambda search, what: not search.run_here())
    assert advice is not None
    assert advice.report.best_move is not None
    return advice.report.best_move


def blamed(position: Position) -> set[int]:
    """The plies of a game with a move that its review calls worse than good."""
    moves = Reviewer(position, effects=0).review().moves
    return {row.ply for row in moves if row.verdict not in ("best", "good")}


@pytest.mark.skipif(not LONG, reason="proofs of positions with three stones take a minute")
def test_a_hint_that_was_blamed() -> None:
    position = catalog.position("44", "connect4")
    hint = a_hint(position)
    assert hint != "3", "it loses"
    assert 3 not in blamed(position.play(position.game.read_move(position.state, hint)))


@pytest.mark.parametrize(("game", "size"), [("connect4", "5x4"), ("breakthrough", "4x4"), ("tictactoe", None)])
@pytest.mark.parametrize("seed", range(2))
def test_reviews_and_hints_agree_all_through_a_game(
    game: str, size: str | None, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the search that proposes a move is often wrong: what is true decides."""
    monkeypatch.setattr(hints, "NODES", 60)
    position, chance = catalog.position("startpos", game, size), Random(seed)
    hinted: set[int] = set()
    while not position.is_over:
        move = chance.choice(position.game.legal_moves(position.state))
        if chance.random() < 0.7:
            hinted.add(len(position.played) + 1)
            move = position.game.read_move(position.state, a_hint(position))
        position = position.play(move)
    assert hinted.isdisjoint(blamed(position))


@pytest.mark.parametrize(
    ("game", "size", "plies"),
    [("connect4", "5x4", 20), ("breakthrough", "4x4", 20), ("tictactoe", None, 9), ("chess", None, 16)],
)
def test_the_better_move_of_a_review_is_the_hint(
    game: str, size: str | None, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random games have many bad moves; wherever the review names a better one, it is what the hint says there."""
    monkeypatch.setattr(hints, "NODES", 300)
    monkeypatch.setattr(catalog.game(game), "review_nodes", 3_000)
    position, chance = catalog.position("startpos", game, size), Random(5)
    places = [position]
    while not position.is_over and len(position.played) < plies:
        position = position.play(chance.choice(position.game.legal_moves(position.state)))
        places.append(position)
    named = [row for row in Reviewer(position, nodes=300, effects=0).review().moves if row.better]
    assert named
    for row in named:
        assert row.better == a_hint(places[row.ply - 1])


def test_a_hint_that_is_not_wanted_any_more() -> None:
    position = catalog.position("12", "connect4")
    assert advice_for(position, lambda search, what: True) is None

"""Policies: the chances of moves are those of the formula, and what is learnt is the gradient."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import catalog
from engines.parts.sampling.policy import Policy, choose, lean, new_policy, place, reinforce, settle, write_chances
from engines.position import Position
from engines.rules import move_code
from engines.run.work import new_work, random_fraction
from tests.strategies import cases

pytestmark = pytest.mark.plain

WEIGHTS = st.sampled_from([0.0, 1.0, -1.0, 0.3, 12.0, -700.0, 690.0, 5000.0, -1e6])


def legal_moves(position: Position) -> Any:
    return np.array(position.game.legal_moves(position.state), np.int64)


def places(policy: Policy, position: Position) -> list[int]:
    rules, state = position.game.rules, position.state
    return [place(policy, move_code(rules, state, int(move))) for move in legal_moves(position)]


def set_weights(policy: Policy, position: Position, weights: list[float]) -> None:
    for at, weight in zip(places(policy, position), weights, strict=True):
        policy.weights[at] = weight
        policy.odds[at] = math.exp(weight) if weight < 700 else math.inf


def chances(policy: Policy, position: Position) -> list[float]:
    legal = legal_moves(position)
    total = write_chances(policy, position.game.rules, position.state, legal, len(legal))
    return [float(part) / total for part in policy.chances[: len(legal)]]


@pytest.mark.parametrize("game", catalog.GAMES)
def test_every_move_of_a_position_has_a_place_of_its_own(game: str) -> None:
    """In one random game; and no place is shared by the two sides."""
    position, chance = catalog.position("startpos", game), np.random.default_rng(5)
    policy = new_policy(position.game.code_bits)
    sides: dict[int, int] = {}
    while not position.is_over and len(position.played) < 60:
        texts = [position.game.move_text(position.state, int(move)) for move in legal_moves(position)]
        wanted = {text.split("=")[0] for text in texts}  # what a pawn becomes is not told apart
        assert len(set(places(policy, position))) == len(wanted)
        assert all(at >= 0 and sides.setdefault(at, position.turn) == position.turn for at in places(policy, position))
        position = position.play(int(chance.choice(legal_moves(position))))


@given(st.data())
def test_chances_are_those_of_the_formula(data: st.DataObject) -> None:
    position = catalog.position("startpos", "connect4")
    policy = new_policy(position.game.code_bits)
    weights = data.draw(st.lists(WEIGHTS, min_size=7, max_size=7))
    set_weights(policy, position, weights)
    powers = [math.exp(weight - max(weights)) for weight in weights]
    assert chances(policy, position) == pytest.approx([power / sum(powers) for power in powers], rel=1e-12, abs=1e-190)


def test_moves_are_chosen_as_often_as_their_chances_say() -> None:
    position = catalog.position("startpos", "connect4")
    policy, work, legal = new_policy(position.game.code_bits), new_work(7), legal_moves(position)
    set_weights(policy, position, [0.0, 1.0, 2.0, -1.0, 0.5, -8.0, 1.0])
    counts = np.zeros(7)
    for _ in range(4000):
        counts[choose(policy, position.game.rules, work, position.state, legal, 7)] += 1
    wanted = np.array(chances(policy, position)) * 4000
    assert (abs(counts - wanted) <= 5 * np.sqrt(wanted + 1)).all()


@given(st.data())
def test_what_is_learnt_is_the_gradient_of_the_logarithm_of_the_chance(data: st.DataObject) -> None:
    position = data.draw(cases("breakthrough", ongoing=True)).position()
    policy, rules, legal = new_policy(position.game.code_bits), position.game.rules, legal_moves(position)
    count = len(legal)
    weights = data.draw(st.lists(st.floats(-3, 3), min_size=count, max_size=count))
    set_weights(policy, position, weights)
    good = data.draw(st.integers(0, count - 1))
    before, at = np.array(chances(policy, position)), places(policy, position)
    lean(policy, rules, position.state, legal, count, int(legal[good]), 0.25)
    lean(policy, rules, position.state, legal, count, int(legal[good]), 0.25)
    assert chances(policy, position) == pytest.approx(list(before)), "it is not followed yet"
    settle(policy)
    gradient = (np.arange(count) == good) - before
    assert policy.weights[at] == pytest.approx(np.array(weights) + 0.5 * gradient)
    assert policy.odds[at] == pytest.approx(np.exp(policy.weights[at]))
    assert (policy.count[0], policy.noted.sum(), abs(policy.learnt).sum()) == (0, 0, 0)
    assert policy.weights.sum() == pytest.approx(sum(weights))


def test_the_simple_way_adds_two_then_four_then_one() -> None:
    position = catalog.position("startpos", "tictactoe")
    policy = new_policy(position.game.code_bits)
    seen = []
    for _ in range(40):
        seen.append(float(policy.odds[places(policy, position)[0]]))
        reinforce(policy, position.game.rules, position.state, 0)
    assert seen[:8] == [1, 3, 5, 7, 9, 11, 15, 19]
    assert seen[27:31] == [99, 103, 104, 105]
    assert chances(policy, position)[0] == pytest.approx(policy.odds[places(policy, position)[0]] / (policy.odds[0] + 8))


def test_random_fractions_are_even() -> None:
    work = new_work(1)
    numbers = np.array([random_fraction(work) for _ in range(4000)])
    assert 0 <= numbers.min() < numbers.max() < 1
    assert numbers.mean() == pytest.approx(0.5, abs=0.03)
    assert np.histogram(numbers, 10, (0, 1))[0].min() > 300

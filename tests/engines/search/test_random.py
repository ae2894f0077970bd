from __future__ import annotations

import math
from collections import Counter

import pytest

from engines import catalog
from engines.contract import MAX_DEPTH, Report
from engines.parts.sampling.playout import playouts, sample
from engines.run.work import new_work
from tests.engines import checks


def key(report: Report) -> tuple[object, ...]:
    return report.value, report.pv, report.nodes


@pytest.mark.parametrize("game", catalog.GAMES)
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    position = catalog.position("startpos", game)
    once, again = ([key(checks.run(position, "random", seed=seed, depth=60)) for seed in range(8)] for _ in range(2))
    assert once == again
    assert len(set(once)) > 2


@pytest.mark.plain
@pytest.mark.parametrize("game", catalog.GAMES)
def test_the_game_is_legal_and_ends_with_its_value(game: str) -> None:
    for seed in range(5):
        position = catalog.position("startpos", game)
        report = checks.run(position, "random", seed=seed)
        for move in report.pv:
            position = position.play(position.game.read_move(position.state, move))
        assert position.is_over or report.depth == MAX_DEPTH
        assert (report.nodes, report.leaves, report.depth) == (len(report.pv) + 1, 1, len(report.pv))
        if position.is_over and position.game.has_winner:
            outcome = checks.run(position, "random").outcome
            assert outcome == ("draw" if report.value == 0 else "first" if (report.value or 0) > 0 else "second")


@pytest.mark.plain
@pytest.mark.parametrize("game", catalog.GAMES)
def test_a_short_game_ends_with_the_evaluation(game: str) -> None:
    position = catalog.position("startpos", game)
    report = checks.run(position, "random", depth=1, seed=3)
    assert len(report.pv) == 1
    after = position.play(position.game.read_move(position.state, report.pv[0]))
    assert report.value == pytest.approx(after.game.evaluation(after.state).value)
    assert report.evaluations == 1


@pytest.mark.parametrize("game", catalog.GAMES)
def test_it_never_claims_a_proof(game: str) -> None:
    position = catalog.position("startpos", game)
    for seed in range(20):
        report = checks.run(position, "random", seed=seed, depth=30)
        assert (report.exact, report.outcome, report.distance) == (False, None, None)
        assert report.stopped_by == "depth"


@pytest.mark.parametrize("game", catalog.GAMES)
def test_the_first_move_is_any_with_the_same_chance(game: str) -> None:
    position = catalog.position("startpos", game)
    legal = position.game.line_choices(position.state)
    count = 60 * len(legal)
    found = Counter(checks.run(position, "random", seed=seed, depth=1).best_move for seed in range(count))
    assert set(found) == set(legal)
    assert looks_uniform(found, count)


@pytest.mark.plain
@pytest.mark.parametrize("game", catalog.GAMES)
def test_a_sampled_move_is_any_legal_one_with_the_same_chance(game: str) -> None:
    """Also where a game picks moves without listing them, for either player and later in the game."""
    position, work = catalog.position("startpos", game), new_work(5)
    for step in range(6):
        legal = position.game.legal_moves(position.state)
        if not legal:
            break
        count = 60 * len(legal)
        found = Counter(int(sample(position.game.rules, work, position.state)) for _ in range(count))
        assert set(found) == set(legal)
        assert looks_uniform(found, count)
        position = position.play(legal[(5 * step + 2) % len(legal)])


def looks_uniform(found: Counter[int] | Counter[str | None], count: int) -> bool:
    """The chi-square statistic is not far above its mean: five standard deviations."""
    mean, freedom = count / len(found), len(found) - 1
    chi_square = sum((seen - mean) ** 2 / mean for seen in found.values())
    return chi_square <= freedom + 5 * math.sqrt(2 * freedom)


@pytest.mark.plain
def test_random_games_of_tictactoe_are_won_as_often_as_they_are() -> None:
    """Random play wins 58.5 % for the first player and 28.8 % for the second: a mean of 0.297."""
    position = catalog.position("startpos", "tictactoe")
    total = playouts(position.game.rules, new_work(1), position.state, 2000)
    assert abs(total / 2000 - 0.297) < 0.08


@pytest.mark.plain
@pytest.mark.parametrize("game", catalog.GAMES)
def test_playouts_keep_to_their_budget(game: str) -> None:
    position, work = catalog.position("startpos", game), new_work(1)
    work.budget = 50
    playouts(position.game.rules, work, position.state, 1000)
    assert work.stopped
    assert 50 <= work.nodes < 50 + 240

"""What results say, by published formulas and by versions written in another way that share no code."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from statistics import NormalDist, fmean, pvariance

import numpy as np
import pytest

from tests.thorough import LONG, examples
from workbench.matches.statistics import (
    Sprt,
    Tally,
    elo,
    expected,
    log_likelihood_ratio,
    mean_and_error,
    ratings,
    strength,
    superiority,
    tally,
    wilson,
)


def result_sets() -> list[list[tuple[float, float]]]:
    """Fifty matches, each a list of pairs of games: won, drawn and lost throughout, tiny ones, and any."""
    found: list[list[tuple[float, float]]] = [[(one, one)] * n for one in (0.0, 0.5, 1.0) for n in (1, 2, 50)]
    found += [[(1.0, 0.0)] * 20, [(1.0, 0.5)], [(0.0, 0.0)] * 30 + [(0.0, 0.5)], [(1.0, 1.0)] * 30 + [(0.5, 1.0)]]
    chance = random.Random(7)
    while len(found) < 50:
        weights = [chance.random() for _ in range(3)]
        pairs = chance.randint(1, 300)
        found.append([tuple(chance.choices((0.0, 0.5, 1.0), weights, k=2)) for _ in range(pairs)])  # type: ignore[misc]
    return found


SETS = result_sets()


def tallied(pairs: list[tuple[float, float]]) -> Tally:
    return tally([one for pair in pairs for one in pair], [sum(pair) for pair in pairs])


def single(pairs: list[tuple[float, float]]) -> Tally:
    return tally([one for pair in pairs for one in pair])


def test_there_are_fifty_sets_with_none_and_all_of_the_points() -> None:
    scores = [fmean(one for pair in pairs for one in pair) for pairs in SETS]
    assert len(SETS) == 50
    assert {0.0, 0.5, 1.0} <= set(scores)


@pytest.mark.parametrize("number", range(50))
def test_score_elo_interval_and_superiority(number: int) -> None:
    """By the definitions, over the single results: mean, variance, normal distribution by its error function."""
    pairs = SETS[number]
    games = [one for pair in pairs for one in pair]
    score = fmean(games)
    for found, samples in ((tallied(pairs), [(a + b) / 2 for a, b in pairs]), (single(pairs), games)):
        assert found.score == pytest.approx(score)
        said = strength(found)
        assert said is not None
        assert said.elo == pytest.approx(
            400 * math.log10(score / (1 - score)) if 0 < score < 1 else math.inf * (score - 0.5)
        )
        error = math.sqrt(pvariance(samples) / len(samples))
        if error > 1e-12:
            low, high = score - 1.959964 * error, score + 1.959964 * error
            likely = 0.5 * (1 + math.erf((score - 0.5) / error / math.sqrt(2)))
            won, lost = games.count(1.0), games.count(0.0)
            if samples is games:
                likely = 0.5 * (1 + math.erf((won - lost) / math.sqrt(2 * won + 2 * lost)))
            assert said.superiority == pytest.approx(likely, abs=1e-9)
            assert said.low == pytest.approx(400 * math.log10(low / (1 - low)) if low > 0 else -math.inf, abs=1e-3)
            assert said.high == pytest.approx(400 * math.log10(high / (1 - high)) if high < 1 else math.inf, abs=1e-3)
        assert said.low <= said.elo <= said.high
        assert said.low < said.high
        assert 0 <= said.superiority <= 1
        turned = strength(found.turned())
        assert turned is not None
        assert (turned.elo, turned.low, turned.high) == pytest.approx((-said.elo, -said.high, -said.low))
        assert turned.superiority == pytest.approx(1 - said.superiority)


def test_published_numbers() -> None:
    """Elo's own table, and what the Chess Programming Wiki and Fishtest give for known results."""
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(0.64) == pytest.approx(99.95, abs=0.01)
    assert expected(200) == pytest.approx(0.7597, abs=1e-4)
    assert superiority(Tally(wins=10, losses=5)) == pytest.approx(0.9016, abs=1e-4)
    assert Sprt(elo0=0, elo1=5).upper == pytest.approx(2.94, abs=0.01)
    assert Sprt(elo0=0, elo1=5).lower == pytest.approx(-2.94, abs=0.01)
    assert wilson(1.0, 10, 1.96)[0] == pytest.approx(10 / (10 + 1.96**2))


def test_nothing_all_and_no_games() -> None:
    assert strength(Tally()) is None
    assert superiority(Tally()) == 0.5
    assert superiority(Tally(draws=10, pairs=(0, 0, 5, 0, 0))) == 0.5
    lost = strength(Tally(losses=20, pairs=(10, 0, 0, 0, 0)))
    assert lost is not None
    assert lost.elo == lost.low == -math.inf
    assert -400 < lost.high < -200
    assert lost.superiority < 1e-5
    drawn = strength(Tally(draws=20, pairs=(0, 0, 10, 0, 0)))
    assert drawn is not None
    assert drawn.low < drawn.elo == 0 < drawn.high


def test_pairs_tell_what_single_games_do_not() -> None:
    """Whoever has the better side of every opening wins: single games scatter, pairs do not."""
    found = tallied([(1.0, 0.0)] * 40 + [(1.0, 1.0)] * 4)
    by_pairs, by_games = strength(found), strength(Tally(wins=found.wins, draws=found.draws, losses=found.losses))
    assert by_pairs is not None
    assert by_games is not None
    assert by_pairs.high - by_pairs.low < (by_games.high - by_games.low) / 2
    assert by_pairs.superiority > by_games.superiority


@pytest.mark.parametrize("number", range(50))
def test_superiority_is_about_what_all_possible_strengths_say(number: int) -> None:
    """Bayes without draws and with a flat prior: the share of the beta distribution above a half, exactly."""
    games = [one for pair in SETS[number] for one in pair]
    won, lost = games.count(1.0), games.count(0.0)
    total = won + lost + 1
    exact = Fraction(sum(math.comb(total, k) for k in range(won + 1)), 2**total)
    assert superiority(Tally(wins=won, losses=lost)) == pytest.approx(float(exact), abs=0.16 if total < 6 else 0.035)


# The sequential test.


def likelihood(counts: list[float], score: float) -> float:
    """The largest log-likelihood of three counts with this mean score: one number is free, and gone through finely."""
    losses, draws, wins = counts
    low, high = 0.0, 2 * min(score, 1 - score)
    for _ in range(6):
        steps = np.linspace(low, high, 402)[1:-1]
        values = draws * np.log(steps) + wins * np.log(score - steps / 2) + losses * np.log(1 - score - steps / 2)
        best = int(values.argmax())
        ends = np.array([low, *steps, high])
        low, high = float(ends[best]), float(ends[best + 2])
    return float(values.max())


@pytest.mark.parametrize("number", range(50))
def test_the_ratio_is_that_of_the_largest_likelihoods(number: int) -> None:
    counts = [float(one) or 1e-3 for one in single(SETS[number]).counts]
    for elo0, elo1 in ((0.0, 5.0), (-20.0, 20.0)):
        wanted = likelihood(counts, expected(elo1)) - likelihood(counts, expected(elo0))
        assert Sprt(elo0=elo0, elo1=elo1).ratio(single(SETS[number])) == pytest.approx(wanted, abs=2e-3, rel=1e-3)


@pytest.mark.parametrize("number", range(0, 50, 5))
def test_the_ratio_of_pairs_by_lagrange_and_newton(number: int) -> None:
    """The same maximum by another way: Newton's method, and the result is checked to be what it has to be."""
    counts = np.array([float(one) or 1e-3 for one in tallied(SETS[number]).pairs])
    values = np.linspace(0, 1, 5)
    best = []
    for score in (expected(0), expected(10)):
        above = values - score
        x = 0.0
        for _ in range(200):  # the likeliest distribution is counts / (total (1 + x above)), where its mean is the score
            slope = -(counts * above**2 / (1 + x * above) ** 2).sum()
            step = (counts * above / (1 + x * above)).sum() / slope
            while not ((1 + (x - step) * above) > 0).all():
                step /= 2
            x -= step
        shares = counts / counts.sum() / (1 + x * above)
        assert shares.sum() == pytest.approx(1, abs=1e-6)
        assert (shares * values).sum() == pytest.approx(score, abs=1e-6)
        best.append(float((counts * np.log(shares)).sum()))
    assert log_likelihood_ratio(tallied(SETS[number]).pairs, expected(0), expected(10)) == pytest.approx(
        best[1] - best[0], abs=1e-4
    )


def test_the_usual_approximation_is_close_where_it_should_be() -> None:
    """Half of (s1 - s0)(2 s - s0 - s1) over the squared error of the mean, for hypotheses close together."""
    found = Tally(wins=3100, draws=4000, losses=2900, pairs=(400, 1100, 1900, 1200, 400))
    mean, error = mean_and_error(found.pairs)
    score0, score1 = expected(0), expected(5)
    wanted = (score1 - score0) * (2 * mean - score0 - score1) / (2 * error**2)
    assert Sprt(elo0=0, elo1=5).ratio(found) == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize(("true", "wrong"), [(0.0, 1), (40.0, 0)])
def test_the_test_is_wrong_as_seldom_as_it_says(true: float, wrong: int) -> None:
    """Matches of pairs with draws, played until the test stops: one in twenty may end wrongly, and chance adds a little."""
    test, matches = Sprt(elo0=0, elo1=40), 1000 if LONG else examples(120)
    chance = np.random.default_rng(5)
    score = expected(true)
    shares = np.array([1 - score - 0.15, 0.3, score - 0.15])
    mistakes, games = 0, 0
    for _ in range(matches):
        pairs = np.zeros(5, np.int64)
        verdict = None
        while verdict is None:
            for one in chance.choice(3, (4, 2), p=shares).sum(axis=1):
                pairs[one] += 1
            verdict = test.verdict(test.ratio(Tally(pairs=tuple(map(int, pairs)))))  # type: ignore[arg-type]
        mistakes += verdict == wrong
        games += 2 * int(pairs.sum())
    bound = 0.05 * matches + 3 * math.sqrt(0.05 * 0.95 * matches)
    assert mistakes <= bound
    assert 100 < games / matches < 1500


# Ratings of many.


def test_ratings_make_expected_points_what_they_are() -> None:
    """Where the likelihood is largest, everybody's expected points are the real ones (the prior's included)."""
    chance = np.random.default_rng(3)
    for players in (2, 3, 6):
        points = np.zeros((players, players))
        for one in range(players):
            for other in range(one):
                games = int(chance.integers(2, 60))
                points[one, other] = int(chance.integers(0, 2 * games + 1)) / 2
                points[other, one] = games - points[one, other]
        found = [rating.elo for rating in ratings(points)]
        assert sum(found) == pytest.approx(0, abs=1e-6)
        for one in range(players):
            others = [other for other in range(players) if other != one]
            made = sum(points[one, other] + 0.25 for other in others)
            wanted = sum(
                (points[one, other] + points[other, one] + 0.5) / (1 + 10 ** ((found[other] - found[one]) / 400))
                for other in others
            )
            assert made == pytest.approx(wanted, abs=1e-4)


def test_ratings_of_two_are_elo_and_its_interval() -> None:
    points = np.array([[0.0, 7500.0], [2500.0, 0.0]])
    first, second = ratings(points)
    assert first.elo - second.elo == pytest.approx(elo(0.75), abs=0.1)
    error = NormalDist().inv_cdf(0.975) * math.sqrt(0.75 * 0.25 / 10_000) / (0.75 * 0.25) * 400 / math.log(10)
    assert first.error == pytest.approx(error / 2, rel=0.01)


def test_ratings_of_who_lost_everything() -> None:
    found = ratings(np.array([[0.0, 10.0, 10.0], [0.0, 0.0, 10.0], [0.0, 0.0, 0.0]]))
    assert found[0].elo > 300 > found[1].elo > -300 > found[2].elo
    assert all(0 < one.error < 1500 for one in found)

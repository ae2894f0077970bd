"""Statistics of game results: Elo with its interval, likelihood of superiority, and the sequential test.

Everything here is arithmetic on counts. Elo is logistic: a score s is worth -400 log10(1/s - 1).

Two games from one opening with colours swapped depend on each other, so the variance is computed from *pairs*, counted by
their points 0, 1/2, 1, 3/2, 2 (the pentanomial model of Fishtest); without pairs, from single games (the trinomial one).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from msgspec import Struct

CONFIDENCE = 0.95
ALPHA = BETA = 0.05
"""Probabilities of the errors of a sequential test: accepting the second hypothesis if the first is true, and the
reverse."""
NEVER_SEEN = 1e-3
"""The count used for results that never occurred (as Fishtest does), so that no likelihood is 0."""
PRIOR = 0.5
"""The weight of a virtual draw between any two players who have met, so that a player who has won all games has a finite
rating."""
HALVINGS = 60
_NORMAL = NormalDist()


class Tally(Struct, frozen=True, kw_only=True):
    """The results of one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Pairs of games by the points made in both: 0, 1/2, 1, 3/2, 2."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: 1 for a win, 1/2 for a draw."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float | None:
        """Points divided by games; None without games."""
        return self.points / self.games if self.games else None

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts for the variance: pairs if there are any, else losses, draws and wins."""
        return self.pairs if sum(self.pairs) else (self.losses, self.draws, self.wins)

    def turned(self) -> Tally:
        """The same results from the other side."""
        a, b, c, d, e = self.pairs
        return Tally(wins=self.losses, draws=self.draws, losses=self.wins, pairs=(e, d, c, b, a))

    def __add__(self, other: Tally) -> Tally:
        pairs = tuple(one + more for one, more in zip(self.pairs, other.pairs, strict=True))
        return Tally(
            wins=self.wins + other.wins,
            draws=self.draws + other.draws,
            losses=self.losses + other.losses,
            pairs=pairs,  # type: ignore[arg-type]  # five and five are five
        )


class Strength(Struct, frozen=True, kw_only=True):
    """How much stronger one side is. An unbounded Elo is infinite, and `null` in JSON."""

    elo: float
    low: float
    high: float
    """The upper end of the 95 % confidence interval, which begins at `low`."""
    superiority: float
    """The likelihood that this side is the stronger one."""


def tally(results: Sequence[float], pairs: Sequence[float] = ()) -> Tally:
    """Count results of games (0, 1/2 or 1) and the points of pairs (0 to 2)."""
    counts = [sum(points == step / 2 for points in pairs) for step in range(5)]
    return Tally(
        wins=sum(one == 1 for one in results),
        draws=sum(one == 0.5 for one in results),
        losses=sum(one == 0 for one in results),
        pairs=(counts[0], counts[1], counts[2], counts[3], counts[4]),
    )


# Elo.


def elo(score: float) -> float:
    """The difference in Elo that a score stands for; infinite for a score of 0 or 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1) + 0.0


def expected(difference: float) -> float:
    """The expected score for a difference in Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


def mean_and_error(counts: Sequence[float]) -> tuple[float, float]:
    """The mean score and its standard error. The results are counted from the worst to the best."""
    total, best = sum(counts), len(counts) - 1
    mean = sum(count * place / best for place, count in enumerate(counts)) / total
    spread = sum(count * (place / best - mean) ** 2 for place, count in enumerate(counts)) / total
    return mean, math.sqrt(spread / total)


def wilson(mean: float, count: float, z: float) -> tuple[float, float]:
    """Wilson's interval for a mean of results from 0 to 1. It has a width even if all results are equal."""
    middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def strength(found: Tally, confidence: float = CONFIDENCE) -> Strength | None:
    """The strength that a tally shows; None without games.

    If all results are equal, their variance is 0 and Wilson's interval is used instead.
    """
    if not found.games:
        return None
    score = found.points / found.games
    _, error = mean_and_error(found.counts)
    z = _NORMAL.inv_cdf((1 + confidence) / 2)
    low, high = (score - z * error, score + z * error) if error else wilson(score, found.games, z)
    low, high = (0.0 if score == 0 else low), (1.0 if score == 1 else high)
    return Strength(elo=elo(score), low=elo(low), high=elo(high), superiority=superiority(found))


def superiority(found: Tally) -> float:
    """The likelihood that this side is the stronger one: the normal distribution function of the lead in standard errors.

    It is computed from pairs. Without them, or if all pairs are equal, it is computed from single games, where draws do not
    matter: (W - L) / sqrt(W + L).
    """
    if sum(found.pairs):
        mean, error = mean_and_error(found.pairs)
        if error:
            return _NORMAL.cdf((mean - 0.5) / error)
    decided = found.wins + found.losses
    return _NORMAL.cdf((found.wins - found.losses) / math.sqrt(decided)) if decided else 0.5


# The sequential probability ratio test.


class Sprt(Struct, frozen=True, kw_only=True):
    """A sequential test between two hypotheses on the difference in Elo: that it is `elo0`, or that it is `elo1`."""

    elo0: float
    elo1: float
    alpha: float = ALPHA
    beta: float = BETA

    @property
    def lower(self) -> float:
        """Below this ratio the first hypothesis is accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Above this ratio the second hypothesis is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, found: Tally) -> float:
        """The logarithm of the likelihood ratio so far."""
        return log_likelihood_ratio(found.counts, expected(self.elo0), expected(self.elo1))

    def verdict(self, ratio: float) -> int | None:
        """The accepted hypothesis, 0 or 1; None while the test goes on."""
        return 0 if ratio <= self.lower else 1 if ratio >= self.upper else None


def log_likelihood_ratio(counts: Sequence[float], score0: float, score1: float) -> float:
    """The logarithm of the maximum likelihood with mean score `score1`, divided by that with mean score `score0`.

    This is the generalised test of Van den Bergh, as used by Fishtest: for each mean, the likeliest distribution with that
    mean.
    """
    if not sum(counts):
        return 0.0
    seen = np.array([count or NEVER_SEEN for count in counts])
    shares, values = seen / seen.sum(), np.linspace(0.0, 1.0, len(counts))
    likeliest0, likeliest1 = (_likeliest(shares, values - score) for score in (score0, score1))
    return float(seen.sum() * (shares * np.log(likeliest1 / likeliest0)).sum())


def _likeliest(shares: np.ndarray, above: np.ndarray) -> np.ndarray:
    """The likeliest distribution, given the observed shares, among those in which the mean of `above` is 0.

    It is shares / (1 + x above) for the x that makes the mean 0; x is found by bisection, because the mean falls as x grows.
    """
    low, high = -1 / float(above[-1]), -1 / float(above[0])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if float((shares * above / (1 + middle * above)).sum()) > 0:
            low = middle
        else:
            high = middle
    likeliest: np.ndarray = shares / (1 + (low + high) / 2 * above)
    return likeliest


# Ratings of several players.


class Rating(Struct, frozen=True, kw_only=True):
    """The strength of one of several players, in Elo relative to the mean of all."""

    elo: float
    error: float
    """Half of the width of the 95 % confidence interval."""


def ratings(points: np.ndarray, confidence: float = CONFIDENCE) -> list[Rating]:
    """The maximum-likelihood ratings (Bradley and Terry). `points[a, b]` are the points of a against b.

    A small virtual result between players who have met gives a player who lost all games a finite rating too.
    """
    met = (points + points.T) > 0
    made = points + PRIOR / 2 * met
    games = made + made.T
    strengths, plays = np.ones(len(points)), met.any(axis=1)
    for _ in range(10_000):
        new = made.sum(axis=1) / (games / (strengths[:, None] + strengths[None, :])).sum(axis=1).clip(1e-300)
        new[~plays] = 1.0  # players without games
        new /= math.exp(float(np.log(new).mean()))
        done = float(np.abs(np.log(new / strengths)).max()) < 1e-10
        strengths = new
        if done:
            break
    chance = strengths[:, None] / (strengths[:, None] + strengths[None, :])
    information = -games * chance * (1 - chance)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    variances = np.linalg.pinv(information).diagonal()
    z = _NORMAL.inv_cdf((1 + confidence) / 2)
    scale = 400 / math.log(10)
    return [
        Rating(elo=float(scale * math.log(one)), error=float(scale * z * math.sqrt(max(0.0, variance))))
        for one, variance in zip(strengths, variances, strict=True)
    ]

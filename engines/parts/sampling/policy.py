"""A policy: how likely each move is to be made in a game that is sampled, learnt move by move and not position by position.

Every code of a move (`engines.rules.move_code`) has a weight, 0 at first. Among the legal moves one is chosen with a chance
in proportion to the exponential of its weight (softmax). Two things change weights: `lean` makes a move likelier and all
others that were legal there less likely, by the gradient of the logarithm of its chance; `reinforce` only adds.

The exponentials are kept beside the weights: choosing then needs none. What `lean` learns is followed only after `settle`,
so that a whole game is learnt by the policy that played it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engines.compiled.kernel import helper, int64
from engines.rules import MAX_MOVES, Rules, State, move_code
from engines.run.work import Work, random_fraction

LEAST, MOST = 1e-200, 1e200
"""Sums of odds outside of this are near the end of what numbers can hold: the largest weight is taken out first."""


class Policy(NamedTuple):
    """`weights` of all codes, 2 to a power of them, and their exponentials, the `odds`; `learnt`: what will be added to the
    weights; `changed`: where that is, the first `count[0]` places, and `noted`: 1 for each of these; `chances`: scratch, one
    for each legal move."""

    weights: Any
    odds: Any
    learnt: Any
    changed: Any
    count: Any
    noted: Any
    chances: Any


def new_policy(bits: int) -> Policy:
    """All moves alike, with room for 2 to so many codes."""
    size = 1 << bits
    return Policy(
        np.zeros(size),
        np.ones(size),
        np.zeros(size),
        np.zeros(size, np.int64),
        np.zeros(1, np.int64),
        np.zeros(size, np.uint8),
        np.zeros(MAX_MOVES),
    )


@helper
def place(policy: Policy, code: int) -> int:
    """Where the weight of a code is. Codes beyond the size of the policy share places."""
    return code & int64(policy.weights.shape[0] - 1)


@helper
def choose(policy: Policy, game: Rules, work: Work, state: State, legal: Any, count: int) -> int:
    """Which of the first `count` moves of `legal` to make: its index, by softmax of their weights."""
    chances = policy.chances
    total = write_chances(policy, game, state, legal, count)
    rest = random_fraction(work) * total
    for i in range(count):
        rest -= chances[i]
        if rest < 0.0:
            return int64(i)
    return likeliest(chances, count)  # rounding: the rest was as good as nothing


@helper
def write_chances(policy: Policy, game: Rules, state: State, legal: Any, count: int) -> float:
    """Write into `chances` how likely each of the legal moves is, as parts of the sum that is returned."""
    total = 0.0
    for i in range(count):
        policy.chances[i] = policy.odds[place(policy, move_code(game, state, legal[i]))]
        total += policy.chances[i]
    if LEAST < total < MOST:
        return total
    return without_the_largest(policy, game, state, legal, count)


@helper
def without_the_largest(policy: Policy, game: Rules, state: State, legal: Any, count: int) -> float:
    """Write the exponentials of the weights, each less the largest, into `chances`; return their sum, from 1 to `count`."""
    largest = -math.inf
    for i in range(count):
        largest = max(largest, policy.weights[place(policy, move_code(game, state, legal[i]))])
    total = 0.0
    for i in range(count):
        weight = policy.weights[place(policy, move_code(game, state, legal[i]))]
        policy.chances[i] = math.exp(weight - largest)
        total += policy.chances[i]
    return total


@helper
def likeliest(chances: Any, count: int) -> int:
    """The index of the most probable move."""
    best = int64(0)
    for i in range(count):
        if chances[i] > chances[best]:
            best = int64(i)
    return best


@helper
def lean(policy: Policy, game: Rules, state: State, legal: Any, count: int, made: int, alpha: float) -> None:
    """Learn that the move `made` was good here: its weight grows by alpha, and that of every legal move, this one too,
    shrinks by alpha times its chance. What is added and what is taken away are the same."""
    chances = policy.chances
    total = write_chances(policy, game, state, legal, count)
    for i in range(count):
        at = place(policy, move_code(game, state, legal[i]))
        policy.learnt[at] -= alpha * chances[i] / total
        note(policy, at)
    policy.learnt[place(policy, move_code(game, state, made))] += alpha


@helper
def note(policy: Policy, at: int) -> None:
    """Note that the weight in this place will change."""
    if policy.noted[at] == 0:
        policy.noted[at] = 1
        policy.changed[policy.count[0]] = at
        policy.count[0] += 1


@helper
def settle(policy: Policy) -> None:
    """Apply the changes that were learnt to the weights."""
    for i in range(policy.count[0]):
        at = policy.changed[i]
        policy.weights[at] += policy.learnt[at]
        policy.learnt[at] = 0.0
        policy.odds[at] = math.exp(policy.weights[at]) if policy.weights[at] < 700.0 else math.inf
        policy.noted[at] = 0
    policy.count[0] = 0


@helper
def reinforce(policy: Policy, game: Rules, state: State, made: int) -> None:
    """The simple way: a move counts 1 at first, 2 more each time below 10, 4 more below 100, then 1 more; the chance is in
    proportion to that, and no other move is punished. Follows at once."""
    at = place(policy, move_code(game, state, made))
    counts = policy.odds[at]
    policy.odds[at] = counts + (2.0 if counts < 10.0 else 4.0 if counts < 100.0 else 1.0)
    policy.weights[at] = math.log(policy.odds[at])


@helper
def copy_policy(origin: Policy, target: Policy) -> None:
    """Make one policy the same as another of the same size. Both are settled."""
    target.weights[:] = origin.weights
    target.odds[:] = origin.odds

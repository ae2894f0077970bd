"""Random games at full speed: no tape, no line, only how each one ended."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engines.generic import generic
from engines.kernel import helper, int64, kernel
from engines.parts.work import Work, random_below
from engines.rules import ONGOING, Rules, State, evaluate, moves, play, result, turn


@generic
def sample(game: Rules, work: Work, state: State) -> int:
    """A random legal move, each with the same chance. Games that can pick one without listing all register how."""


@sample.default
def sample_listed(game: Rules, work: Work, state: State) -> int:
    """List all moves and take one."""
    count = moves(game, state, work.moves[0])
    return work.moves[0, random_below(work, count)]


@generic
def reward(game: Rules, value: int) -> float:
    """What the result of a game, given for the first player, is worth to that player on a scale from 0 to 1."""


@reward.default
def won_drawn_or_lost(game: Rules, value: int) -> float:
    """A win, half of one, or nothing."""
    return 1.0 if value > 0 else 0.0 if value < 0 else 0.5


@helper
def playout(game: Rules, work: Work, state: State) -> int:
    """The result of one random game from `state`, for the first player. Counts a node for every move made; stops, and is
    worth nothing, when the budget is used up."""
    value = result(game, state)
    while value == ONGOING:
        if work.nodes >= work.budget:
            work.stopped = 1
            return int64(0)
        state = play(game, state, sample(game, work, state))
        work.nodes += 1
        value = result(game, state)
    return value * turn(game, state)


@kernel
def playouts(game: Rules, work: Work, state: State, count: int) -> int:
    """The sum of the signs of `count` random games' results for the first player, or of fewer if the budget ends."""
    total = int64(0)
    for _ in range(count):
        value = playout(game, work, state)
        if work.stopped:
            break
        total += np.sign(value)
    return total


AnyPlayer = Any
"""Who plays the games that are sampled: one of the classes that `play_out` is registered for."""


class Uniform(NamedTuple):
    """Any legal move with the same chance. After `plies` moves, if that is not 0, the evaluation judges; `scale` is the
    evaluation's value that is as good as a chance of three in four."""

    plies: int
    scale: float


@generic
def play_out(player: AnyPlayer, game: Rules, work: Work, state: State) -> float:
    """What one game from `state`, which is not over, is worth to the first player, from 0 to 1. Counts a node for every
    move; when the budget is used up it stops and means nothing."""


@play_out.register(Uniform)
def play_anything(player: Uniform, game: Rules, work: Work, state: State) -> float:
    """Random moves to the end, or until the evaluation judges."""
    plies = int64(0)
    value = int64(ONGOING)
    while value == ONGOING:
        if work.nodes >= work.budget:
            work.stopped = 1
            return 0.0
        if plies == player.plies and plies > 0:
            work.evaluations += 1
            work.leaves += 1
            return chance(evaluate(game, state) * turn(game, state), player.scale)
        state = play(game, state, sample(game, work, state))
        work.nodes += 1
        plies += 1
        value = result(game, state)
    work.leaves += 1
    return reward(game, value * turn(game, state))


@helper
def chance(value: int, scale: float) -> float:
    """The chance to win that an evaluation stands for: a logistic curve."""
    return 1.0 / (1.0 + math.exp(-1.0986122886681098 * value / scale))

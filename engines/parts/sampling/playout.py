"""Playouts at full speed: no tape, no line, only how each random game ended."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64, kernel
from engines.rules import ONGOING, Rules, State, advance, evaluate, move_code, moves, own, result, reward, turn
from engines.run.work import Work, scaled, shuffled


@generic
def drawn(game: Rules, work: Work, state: State, bits: Any) -> int:
    """The legal move that 64 random bits stand for, each with the same chance. Games that can find it without listing all
    register how."""


@drawn.default
def drawn_from_list(game: Rules, work: Work, state: State, bits: Any) -> int:
    """List all moves and take one."""
    count = moves(game, state, work.moves[0])
    return work.moves[0, scaled(bits, count)]


@generic
def sample(game: Rules, work: Work, state: State) -> int:
    """A random legal move, each with the same chance."""


@sample.default
def next_drawn(game: Rules, work: Work, state: State) -> int:
    """The move that the next random bits stand for."""
    work.random = shuffled(work.random)
    return drawn(game, work, state, work.random)


@generic
def knowing_sample(game: Rules, work: Work, state: State) -> int:
    """A random legal move, biased by the game's own knowledge of good moves."""


@knowing_sample.default
def knows_nothing(game: Rules, work: Work, state: State) -> int:
    """The default: uniformly random."""
    return sample(game, work, state)


LIKING = 1 << 20
"""Codes are below this; above them stands what the game thinks of a move."""


@generic
def coded_moves(game: Rules, state: State, knowing: bool, out: Any, codes: Any) -> int:
    """Write all legal moves into `out`, in any order, and their codes into `codes`; return how many. With `knowing` a game
    that knows which are good adds to the codes, from `LIKING` on, how much it likes each: from 0 to 31, and each step makes
    a move e times as likely as it would be."""


@coded_moves.default
def all_coded(game: Rules, state: State, knowing: bool, out: Any, codes: Any) -> int:
    """All legal moves."""
    count = moves(game, state, out)
    for i in range(count):
        codes[i] = move_code(game, state, out[i])
    return count


@helper
def playout(game: Rules, work: Work, state: State) -> int:
    """The result of one random game from `state`, for the first player. Counts a node for every move made; stops, and is
    worth nothing, when the budget is used up."""
    state = own(game, state)
    value, bits, nodes = result(game, state), work.random, work.nodes
    while value == ONGOING and nodes < work.budget:
        bits = shuffled(bits)
        state = advance(game, state, drawn(game, work, state, bits))
        nodes += 1
        value = result(game, state)
    work.random, work.nodes = bits, nodes
    if value == ONGOING:
        work.stopped = 1
        return int64(0)
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
    state = own(game, state)
    value, bits = int64(ONGOING), work.random
    nodes, last = work.nodes, work.budget  # in registers while the game lasts: to memory and back takes as long as a move
    if player.plies > 0:
        last = min(last, nodes + player.plies)
    while value == ONGOING and nodes < last:
        bits = shuffled(bits)
        state = advance(game, state, drawn(game, work, state, bits))
        nodes += 1
        value = result(game, state)
    work.random, work.nodes = bits, nodes
    if value == ONGOING and (player.plies == 0 or nodes >= work.budget):
        work.stopped = 1
        return 0.0
    work.leaves += 1
    if value != ONGOING:
        return reward(game, value * turn(game, state))
    work.evaluations += 1
    return chance(evaluate(game, state) * turn(game, state), player.scale)


@helper
def chance(value: int, scale: float) -> float:
    """The chance to win that an evaluation stands for: a logistic curve."""
    return 1.0 / (1.0 + math.exp(-1.0986122886681098 * value / scale))

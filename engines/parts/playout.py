"""Random games at full speed: no tape, no line, only how each one ended."""

from __future__ import annotations

import numpy as np

from engines.generic import generic
from engines.kernel import helper, int64, kernel
from engines.parts.work import Work, random_below
from engines.rules import ONGOING, Rules, State, moves, play, result, turn


@generic
def sample(game: Rules, work: Work, state: State) -> int:
    """A random legal move, each with the same chance. Games that can pick one without listing all register how."""


@sample.default
def sample_listed(game: Rules, work: Work, state: State) -> int:
    """List all moves and take one."""
    count = moves(game, state, work.moves[0])
    return work.moves[0, random_below(work, count)]


@helper
def playout(game: Rules, work: Work, state: State) -> int:
    """The result of one random game from `state`, for the first player. Counts a node for every move made."""
    value = result(game, state)
    while value == ONGOING:
        state = play(game, state, sample(game, work, state))
        work.nodes += 1
        value = result(game, state)
    return value * turn(game, state)


@kernel
def playouts(game: Rules, work: Work, state: State, count: int) -> int:
    """The sum of the signs of `count` random games' results for the first player, or of fewer if the budget ends."""
    total = int64(0)
    for _ in range(count):
        if work.nodes >= work.budget:
            work.stopped = 1
            break
        total += np.sign(playout(game, work, state))
    return total

"""What a game with chance, or with more than two players, tells a search beyond `engines.rules`.

**Chance.** A position where `by_chance` holds is a chance node, such as a roll of the die: `moves` writes its outcomes,
`play` returns the position after one, and `likelihood` its probability. `turn` is the side there for which `result` and
`evaluate` give their values. A game of chance also registers `engines.parts.sampling.playout.drawn`, so that random games
are as likely as real ones.

An expectation mixes wins with evaluations, so both need one scale: `stake` is what a result is worth on it, `judged` what
the evaluation says, both **for the first player**, and `reach` its ends. For a game with a winner it goes from -1 to 1; a
game that pays gains has the gains themselves.

**More players.** `mover` is the number of the player who moves, from 0 on; `gains` and `judgements` write a value for each.
`turn` is then 1 if the first player moves and -1 if any other does, and results for the side to move are such that `turn`
times it is the first player's.
"""

from __future__ import annotations

from typing import Any

from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64
from engines.rules import WIN, Rules, State, delayed, evaluate, result, turn

MOST_PLAYERS = 6
"""The most players that a game has."""


@generic
def by_chance(game: Rules, state: State) -> bool:
    """Whether nature moves here (a chance node). Never called for a game that is over."""


@by_chance.default
def never(game: Rules, state: State) -> bool:
    """The default: there is no chance in the game."""
    return False


@generic
def likelihood(game: Rules, state: State, move: int) -> float:
    """How probable it is that nature makes this move; all moves together come to 1."""


@likelihood.default
def certain(game: Rules, state: State, move: int) -> float:
    """The default, which is never called."""
    return 1.0


@generic
def unsettled(game: Rules, state: State) -> bool:
    """Whether a chance node at the horizon is still expanded, so that the evaluation is taken behind it."""


@unsettled.default
def if_nature_moves(game: Rules, state: State) -> bool:
    """The default: chance nodes at the horizon are expanded. A game whose evaluation does not depend on the outcome says no,
    which saves work."""
    return by_chance(game, state)


@generic
def stake(game: Rules, value: int) -> float:
    """What a result, given for the first player, is worth on the scale of expectations."""


@stake.default
def the_gain(game: Rules, value: int) -> float:
    """Itself."""
    return float(value)


@generic
def judged(game: Rules, state: State) -> float:
    """What the evaluation says for the first player, on the scale of expectations and strictly between wins."""


@judged.default
@helper
def the_evaluation(game: Rules, state: State) -> float:
    """Itself."""
    return float(evaluate(game, state) * turn(game, state))


@generic
def reach(game: Rules) -> tuple[float, float]:
    """The least and the most that anything can be worth on the scale of expectations."""


@reach.default
def any_value(game: Rules) -> tuple[float, float]:
    """The default: no value is larger than a win."""
    return -float(WIN), float(WIN)


@generic
def mover(game: Rules, state: State) -> int:
    """The number of the player who moves, from 0 on."""


@mover.default
def by_turn(game: Rules, state: State) -> int:
    """The default for two players: 0 for the first, 1 for the second."""
    return int64(0) if turn(game, state) > 0 else int64(1)


@generic
def gains(game: Rules, state: State, plies: int, out: Any) -> None:
    """Write what the finished game is worth to each player, seen from `plies` before its end."""


@gains.default
@helper
def won_and_lost(game: Rules, state: State, plies: int, out: Any) -> None:
    """What one of two players wins the other loses."""
    value = delayed(result(game, state), plies) * turn(game, state)
    out[0], out[1] = value, -value


@generic
def judgements(game: Rules, state: State, out: Any) -> None:
    """Write what the evaluation says for each player."""


@judgements.default
@helper
def for_and_against(game: Rules, state: State, out: Any) -> None:
    """What is good for one of two players is bad for the other."""
    value = evaluate(game, state) * turn(game, state)
    out[0], out[1] = value, -value


@helper
def side(game: Rules, state: State) -> int:
    """Who moves, as it is written down: 1 the first player, -1 the second, -2 the third ..., 0 nature."""
    if by_chance(game, state):
        return int64(0)
    who = mover(game, state)
    return int64(1) if who == 0 else -who

"""What a game tells a search: the generic functions every game implements, and how values are written.

Inside kernels a value is an `int64` **for the side to move**, in the game's own units (a tenth, a hundredth ... of what is
shown). A state is an immutable value (a NamedTuple of a few integers): `play` returns the child and nothing is undone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.compiled.bits import times
from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64
from engines.compiled.records import new_record

Rules = Any
"""A game as the kernels see it: an instance of that game's own NamedTuple class, its numbers `packed` in `data`."""
State = Any
"""A position as the kernels see it: an instance of a NamedTuple class of that game."""

WIN = 1_000_000_000
"""The value of a game won here and now. A win n plies away is worth n less, so that the quickest is best."""
WIN_EDGE = WIN - 1_000_000
"""Values beyond this are wins; every evaluation stays below it."""
INFINITY = 2_000_000_000
"""More than any value; still fits 32 bits."""
ONGOING = 2_100_000_000
"""What `result` says of a game that is not over. Never a value."""

MEAN = 1_000_000
"""The mean of sampled games, from 0 to 1, is written in millionths; this is 1."""
SUM = 1000
"""On a tape a sum of results is written in thousandths."""
INFINITE = (1 << 28) - 1
"""A proof number: cannot be proven (or disproven) at all."""
LARGEST = INFINITE - 1
"""No finite proof number is more."""

LOUD = 100
"""The ordering score from which a move counts as noisy: a capture, a promotion, the answer to a threat."""

MAX_MOVES = 248
"""More legal moves than any position of any game here has."""


def packed(**fields: Any) -> Any:
    """A game's numbers (a `uint64` board, an integer, a tuple of integers, or an array each) as one numpy record.

    A kernel takes a record as one pointer, whatever is in it, and passes it on in every recursive call; and a number that
    changes, such as a weight, never makes it compile again.
    """
    arrays = {name: np.asarray(value) for name, value in fields.items()}
    kinds: list[Any] = [(name, array.dtype, array.shape) for name, array in arrays.items()]
    record = new_record(np.dtype(kinds, align=True))
    for name, array in arrays.items():
        record[name] = array
    return record


@generic
def moves(game: Rules, state: State, out: Any) -> int:
    """Write the legal moves of a game that is not over into `out`, in the game's own order; return how many.

    There is always at least one: a position without moves is over, and `result` says how it ended.
    """


@generic
def play(game: Rules, state: State, move: int) -> State:
    """The position after a legal move."""


@generic
def own(game: Rules, state: State) -> State:
    """A copy of the state that `advance` may overwrite. Only games whose states hold arrays need to copy anything."""


@own.default
def shared(game: Rules, state: State) -> State:
    """The default: an immutable state needs no copy."""
    return state


@generic
def advance(game: Rules, state: State, move: int) -> State:
    """The position after a legal move, made in place: the state before it is overwritten. It must come from `own`."""


@advance.default
def played(game: Rules, state: State, move: int) -> State:
    """The default: the same as `play`."""
    return play(game, state, move)


@generic
def result(game: Rules, state: State) -> int:
    """`ONGOING`, or what the finished game is worth to the side to move: `-WIN`, `0`, `WIN`, or a gain."""


@generic
def turn(game: Rules, state: State) -> int:
    """Who moves: `1` for the first player (MAX), `-1` for the second (MIN)."""


@generic
def successors(game: Rules, state: State, out: Any) -> int:
    """Write all moves that can be made into `out`; return how many. None if the game is over; but a game where a draw may
    be claimed and both play on has its moves all the same."""


@successors.default
def moves_if_any(game: Rules, state: State, out: Any) -> int:
    """The default: the legal moves, and none of a finished game."""
    return moves(game, state, out) if result(game, state) == ONGOING else int64(0)


@generic
def count_successors(game: Rules, state: State, scratch: Any) -> int:
    """How many moves can be made. A game that can tell without writing them down registers how."""


@count_successors.default
def written_down(game: Rules, state: State, scratch: Any) -> int:
    """The default: write the moves to `scratch` and count them."""
    return successors(game, state, scratch)


@generic
def terms(game: Rules, state: State) -> Any:
    """The features of the evaluation, two for each weight in `game.data.weights`: the first player's count and the second
    player's."""


@generic
def evaluate(game: Rules, state: State) -> int:
    """The static evaluation for the side to move. A game that can compute it without all terms registers how."""


@evaluate.default
@helper
def weigh_terms(game: Rules, state: State) -> int:
    """The default: the weighted sum of the differences of the terms."""
    counts = terms(game, state)
    total = int64(0)
    for i in range(len(counts) // 2):
        total += game.data.weights[i] * (counts[2 * i] - counts[2 * i + 1])
    return total * turn(game, state)


@helper
def delayed(value: int, plies: int) -> int:
    """The value of a finished game seen from `plies` before its end: a win is worth less, a loss hurts less."""
    if value >= WIN_EDGE:
        return value - plies
    if value <= -WIN_EDGE:
        return value + plies
    return value


# What the searches with knowledge ask beyond that. Each has an answer for games that do not register one.


@generic
def key(game: Rules, state: State) -> Any:
    """The 64-bit key of a position (a Zobrist key, or a code): equal for equal positions and almost always different for
    different ones. A game that registers none is searched without a transposition table."""


@key.default
def no_key(game: Rules, state: State) -> Any:
    """The default: 0, which means no key."""
    return np.uint64(0)


@generic
def worth(game: Rules, state: State, move: int) -> int:
    """The ordering score of a move before it is searched: from `LOUD` on it is noisy and tried early, below 0 it is tried
    late; between the two it is quiet."""


@worth.default
def all_alike(game: Rules, state: State, move: int) -> int:
    """The default: all moves score the same."""
    return int64(0)


@generic
def captures(game: Rules, state: State, out: Any) -> int:
    """Write the noisy legal moves (captures, promotions) that a quiescence search looks at into `out`; return how many."""


@captures.default
def no_captures(game: Rules, state: State, out: Any) -> int:
    """The default: no move is noisy."""
    return int64(0)


@generic
def threatened(game: Rules, state: State) -> bool:
    """Whether the side to move must answer a threat now: it is in check, or would lose at once."""


@threatened.default
def no_threat(game: Rules, state: State) -> bool:
    """The default: threats are not detected."""
    return False


@generic
def may_pass(game: Rules, state: State) -> bool:
    """Whether passing is almost always worse than the best move here (no zugzwang), so that a null-move search is
    meaningful."""


@may_pass.default
def never(game: Rules, state: State) -> bool:
    """The default: no null moves."""
    return False


@generic
def passed(game: Rules, state: State) -> State:
    """The position after a null move: the same, with the other side to move."""


@passed.default
def unchanged(game: Rules, state: State) -> State:
    """The default, which is never called."""
    return state


@generic
def move_code(game: Rules, state: State, move: int) -> int:
    """A whole number from 0 on that stands for a legal move wherever it can be made: what a policy learns of a move in one
    position it applies in all others where a move has the same code. Codes below 2 to the `Game.code_bits` are told apart;
    a game that has more kinds of moves spreads its codes (`mixed`), so that few share a place."""


@move_code.default
def move_and_side(game: Rules, state: State, move: int) -> int:
    """The default: the move combined with the side that makes it."""
    return 2 * move + (int64(0) if turn(game, state) > 0 else int64(1))


@helper
def mixed(bits: Any) -> Any:
    """64 bits from 64 bits, well spread (the finaliser of MurmurHash 3)."""
    bits ^= bits >> np.uint64(33)
    bits = times(bits, np.uint64(0xFF51AFD7ED558CCD))
    bits ^= bits >> np.uint64(33)
    bits = times(bits, np.uint64(0xC4CEB9FE1A85EC53))
    return bits ^ (bits >> np.uint64(33))


@generic
def reward(game: Rules, value: int) -> float:
    """What the result of a game, given for the first player, is worth to that player on a scale from 0 to 1."""


@reward.default
def won_drawn_or_lost(game: Rules, value: int) -> float:
    """The default: 1 for a win, one half for a draw, 0 for a loss."""
    return 1.0 if value > 0 else 0.0 if value < 0 else 0.5


def lean(proof: int, disproof: int) -> float:
    """Which way the numbers lean, from -1 (soon disproven) to 1 (soon proven); exact where one of them is 0."""
    if proof >= INFINITE and disproof >= INFINITE:
        return 0.0
    return 1.0 if proof == 0 else -1.0 if disproof == 0 else (disproof - proof) / (disproof + proof)

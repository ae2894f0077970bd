"""The tape: a record of every node a search enters, or nothing at all.

Every search takes a tape. With `NoTape` the calls compile to nothing; with `Tape` each node is written down. Inside a
search it reads like this, once for each move, and once for each way a node can end:

    child = enter(tape, node, move, turn(game, after), depth - 1, -beta, -alpha)
    value = -search(..., child)
    ...
    leave(tape, node, CUT, best, decider)

Where nature moves, or more than two players do, more is written of a node: how likely it was to come there, and a value for
each player behind the first. `turn` is then 0 for nature, and -2, -3 ... for the third player and so on.

A tape is a struct of arrays, one row a node, in the order in which the nodes were entered, so that a parent always comes
before its children. When it is full the search goes on unrecorded and `size[1]` still counts.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64
from engines.rules import INFINITY
from engines.rules_chance import MOST_PLAYERS

OPEN, EXPANDED, TERMINAL, HORIZON, CUT, TABLE, QUIET, PRUNED, ASIDE, SAMPLED, NUMBERED = range(11)
"""How a node ended: not yet (the search was stopped), all moves looked at, the game was over, the depth was used up, one
move was enough, the table knew it, it stood as it was with captures looked at (quiescence), it was given up without looking
at its moves, it was only a trial (a null move, a reduced search that was done again) and does not count, or games through
it were sampled: then `alpha` holds how many, `beta` what its own ones came to, and the value is their mean. Or it has proof
numbers: `alpha` holds its proof number, `beta` its disproof number, and the value is what is proven, where one is 0."""
KINDS = ("open", "expanded", "terminal", "horizon", "cut", "table", "quiet", "pruned", "aside", "sampled", "numbered")
NOBODY = -1
"""The sentinel for no node: the parent of a root, the decider of a leaf, and every node that no longer fitted on the
tape."""
DEFAULT_CAPACITY = 10_000_000

AnyTape = Any


class NoTape(NamedTuple):
    """Nothing is recorded, and recording nothing costs nothing."""

    unused: int = 0


class Tape(NamedTuple):
    """One row a node; `size` holds how many rows are written, and how many nodes there were."""

    parent: np.ndarray[Any, Any]
    move: np.ndarray[Any, Any]
    turn: np.ndarray[Any, Any]
    ply: np.ndarray[Any, Any]
    depth: np.ndarray[Any, Any]
    alpha: np.ndarray[Any, Any]
    beta: np.ndarray[Any, Any]
    value: np.ndarray[Any, Any]
    kind: np.ndarray[Any, Any]
    decider: np.ndarray[Any, Any]
    more: np.ndarray[Any, Any]
    size: np.ndarray[Any, Any]


COLUMNS = {
    "parent": np.int32,
    "move": np.int32,
    "turn": np.int8,
    "ply": np.int16,
    "depth": np.int16,
    "alpha": np.int32,
    "beta": np.int32,
    "value": np.int32,
    "kind": np.int8,
    "decider": np.int32,
}
MORE = MOST_PLAYERS
"""How many more numbers each node has: its likelihood in billionths, and the values of the players behind the first."""
BILLIONTHS = 1_000_000_000
BYTES_PER_NODE = sum(np.dtype(kind).itemsize for kind in COLUMNS.values())


def new_tape(capacity: int = DEFAULT_CAPACITY) -> Tape:
    """An empty tape. Memory is really taken only as nodes are written."""
    columns = {name: np.zeros(capacity, kind) for name, kind in COLUMNS.items()}
    return Tape(**columns, more=np.zeros((capacity, MORE), np.int32), size=np.zeros(2, np.int64))


@generic
def enter(tape: AnyTape, parent: int, move: int, turn: int, depth: int, alpha: int, beta: int) -> int:
    """A new node below `parent`, reached by `move`, `turn` to play, `depth` left, with this window. Returns its row."""


@generic
def leave(tape: AnyTape, node: int, kind: int, value: int, decider: int) -> None:
    """The node is done: how it ended, its value, and the child that decided it."""


@generic
def narrow(tape: AnyTape, node: int, alpha: int, beta: int) -> None:
    """A node that was entered before is searched on, with this window."""


@enter.register(NoTape)
def _enter_nothing(tape: NoTape, parent: int, move: int, turn: int, depth: int, alpha: int, beta: int) -> int:
    return int64(NOBODY)  # not the bare constant: its own type would compile the caller a second time


@leave.register(NoTape)
def _leave_nothing(tape: NoTape, node: int, kind: int, value: int, decider: int) -> None:
    pass


@narrow.register(NoTape)
def _narrow_nothing(tape: NoTape, node: int, alpha: int, beta: int) -> None:
    pass


@enter.register(Tape)
def _enter(tape: Tape, parent: int, move: int, turn: int, depth: int, alpha: int, beta: int) -> int:
    node = tape.size[0]
    tape.size[1] += 1
    if node >= tape.parent.shape[0]:
        return int64(NOBODY)
    tape.size[0] = node + 1
    tape.parent[node] = parent
    tape.move[node] = move
    tape.turn[node] = turn
    tape.ply[node] = 0
    if parent != NOBODY:
        tape.ply[node] = tape.ply[parent] + 1
    tape.depth[node] = depth
    tape.alpha[node] = alpha
    tape.beta[node] = beta
    tape.kind[node] = OPEN
    tape.decider[node] = NOBODY
    return node


@leave.register(Tape)
def _leave(tape: Tape, node: int, kind: int, value: int, decider: int) -> None:
    if node != NOBODY:
        tape.kind[node] = kind
        tape.value[node] = value
        tape.decider[node] = decider


@narrow.register(Tape)
def _narrow(tape: Tape, node: int, alpha: int, beta: int) -> None:
    if node != NOBODY:
        tape.alpha[node] = alpha
        tape.beta[node] = beta


@generic
def note_likelihood(tape: AnyTape, node: int, likelihood: float) -> None:
    """Nature comes to this node with such a probability."""


@generic
def note_values(tape: AnyTape, node: int, values: Any, players: int, fineness: float) -> None:
    """The values of all players at a node; the first one's is the value that `leave` writes."""


@note_likelihood.register(NoTape)
def _no_likelihood(tape: NoTape, node: int, likelihood: float) -> None:
    pass


@note_values.register(NoTape)
def _no_values(tape: NoTape, node: int, values: Any, players: int, fineness: float) -> None:
    pass


@note_likelihood.register(Tape)
def _note_likelihood(tape: Tape, node: int, likelihood: float) -> None:
    if node != NOBODY:
        tape.more[node, 0] = written(likelihood, float(BILLIONTHS))


@note_values.register(Tape)
def _note_values(tape: Tape, node: int, values: Any, players: int, fineness: float) -> None:
    if node != NOBODY:
        for player in range(1, players):
            tape.more[node, player] = written(values[player], fineness)


@helper
def written(value: float, fineness: float) -> int:
    """A number as it stands on a tape: the nearest whole number of steps, so many to 1; what is infinite is `INFINITY`."""
    steps = float(math.floor(value * fineness + 0.5)) if abs(value) < INFINITY else value
    return int64(int(max(-float(INFINITY), min(float(INFINITY), steps))))

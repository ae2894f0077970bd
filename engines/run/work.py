"""The work record: a search's counters, budget, move lists and principal variation, behind one pointer.

One numpy record holds all a kernel writes to, because an array argument costs seven machine words in every recursive call
and a record costs one. The counters come first; any thread may read them while the search runs. `budget` is the number
of nodes at which a kernel stops: it holds the node limit, and setting it to 0 stops the kernel at its next node.

Threads that share a node limit take from one pool, some hundred nodes at a time: who is quicker gets more, nobody's share is
left over, and the loop of a search still looks at nothing but its own budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engines.compiled.atomics import fetch_add_at
from engines.compiled.kernel import helper, int64, kernel
from engines.compiled.records import new_record
from engines.contract import MAX_DEPTH, Counters
from engines.rules import MAX_MOVES
from engines.rules_chance import MOST_PLAYERS

PLIES = MAX_DEPTH + 8
UNLIMITED = 2**62
END = -1
"""The sentinel after the last move of a line that ends at a leaf."""
OPEN_END = -2
"""`OPEN_END - d` ends a line at a node whose value is known but not its moves; d is the depth that was left there."""
SLICE, LEAST_SLICE, SLICES = 512, 8, 64
"""The most and the fewest nodes that a thread takes from a pool; in between, into how many parts what is left is divided."""

WORK = np.dtype(
    [
        ("nodes", np.int64),
        ("budget", np.int64),
        ("stopped", np.int64),
        ("leaves", np.int64),
        ("evaluations", np.int64),
        ("cutoffs", np.int64),
        ("first_move_cutoffs", np.int64),
        ("selective_depth", np.int64),
        ("haste", np.int64),
        ("random", np.uint64),
        ("guesses", np.int64),
        ("iterations", np.int64),
        ("playouts", np.int64),
        ("tree_nodes", np.int64),
        ("visited_nodes", np.int64),
        ("playout_moves", np.int64),
        ("chance_nodes", np.int64),
        ("pool", np.int64),
        ("most", np.int64),
        ("moves", np.int64, (PLIES, MAX_MOVES)),
        ("line", np.int64, (PLIES + 1, PLIES)),
        ("fineness", np.float64),
        ("squares", np.float64, (PLIES + 1,)),
        ("vectors", np.float64, (PLIES + 1, MOST_PLAYERS)),
    ],
    align=True,
)
"""`moves[ply]` is the move list of the node at that ply; `line[ply]` the best line found from there, closed by
`END` or `OPEN_END`.
`guesses` counts what was believed without a proof apart from evaluations: table entries, prunings.
`iterations`, `playouts`, `tree_nodes`, `visited_nodes` and `playout_moves` are counted by searches that sample games.
`chance_nodes` are those where nature moves. `pool` is the address of the number of nodes that are left for all threads of
a search, 0 if nothing is shared; out of it this record may have `most` nodes in all. Searches for expectations keep the
mean of the squares of what the node at a ply can come to in `squares`, those for more players its values in `vectors`; on a
tape they are written in steps of 1 / `fineness`. `haste` is 1 where a quick win counts more than a slow one, else 0.
`random`: the state of random numbers."""

Work = Any


def new_work(seed: int = 0) -> Work:
    """A fresh record, without a node limit."""
    work = new_record(WORK)
    work.budget = work.most = UNLIMITED
    work.haste = 1
    work.fineness = 1.0
    work.random = np.uint64(scrambled(seed))
    return work


def left_of(work: Work) -> int:
    """How many nodes may still be entered with this record and with those that share its pool."""
    mine = max(0, int(work.budget) - int(work.nodes))
    return mine + max(0, fetch_add_at(work.pool, 0)) if work.pool else mine


def take_away(work: Work) -> None:
    """Stop the thread that works with this record, at its next node or when the slice it has just taken is used up."""
    work.pool = 0
    work.budget = 0


def scrambled(seed: int) -> int:
    """64 well-mixed bits from any seed, never 0 (the splitmix64 finaliser)."""
    mask = 2**64 - 1
    x = (seed * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return (x ^ (x >> 31)) or 1


def counters(work: Work) -> Counters:
    """The counters of a work record."""
    return Counters(**{name: int(work[name]) for name in Counters.__struct_fields__})


def total(counted: Sequence[Counters]) -> Counters:
    """The sum of the counters of several threads; of selective depths the largest."""
    sums = {name: sum(getattr(one, name) for one in counted) for name in Counters.__struct_fields__}
    return Counters(**{**sums, "selective_depth": max(one.selective_depth for one in counted)})


def since(before: Counters, now: Counters) -> Counters:
    """What was counted between two moments, and the deepest ply by then."""
    gone = {name: getattr(now, name) - getattr(before, name) for name in Counters.__struct_fields__}
    return Counters(**{**gone, "selective_depth": now.selective_depth})


def line(work: Work, ply: int = 0) -> list[int]:
    """The best line found from a ply on."""
    moves: list[int] = []
    for move in work.line[ply]:
        if move < 0:
            break
        moves.append(int(move))
    return moves


def left_open(work: Work, ply: int = 0) -> int | None:
    """How much depth was left where the best line found from a ply on ends; None if that is a leaf."""
    end = next(int(move) for move in work.line[ply] if move < 0)
    return None if end == END else OPEN_END - end


@kernel
def given_more(work: Work) -> bool:
    """The budget is used up: take another slice from the pool of all threads; False if it is empty, or there is no pool."""
    pool = work.pool
    if pool == 0:
        return False
    left = fetch_add_at(pool, int64(0))
    wanted = min(max(int64(LEAST_SLICE), min(int64(SLICE), left // SLICES)), work.most - work.nodes)
    if left <= 0 or wanted <= 0:
        return False
    left = fetch_add_at(pool, -wanted)
    if left < wanted:  # others were quicker
        fetch_add_at(pool, wanted - max(left, int64(0)))
        wanted = left
    if wanted <= 0:
        return False
    work.budget = work.nodes + wanted
    return True


@helper
def entered(work: Work, ply: int) -> bool:
    """Count a node entered at this ply; False if the search has to stop instead."""
    if work.nodes >= work.budget and not given_more(work):
        work.stopped = 1
        return False
    work.nodes += 1
    work.line[ply, 0] = END
    if ply > work.selective_depth:
        work.selective_depth = ply
    return True


@helper
def keep_line(work: Work, ply: int, move: int) -> None:
    """The best line from here is this move and then the best line of the position behind it."""
    work.line[ply, 0] = move
    i = 0
    while work.line[ply + 1, i] >= 0:
        work.line[ply, i + 1] = work.line[ply + 1, i]
        i += 1
    work.line[ply, i + 1] = work.line[ply + 1, i]


@helper
def open_line(work: Work, ply: int, depth: int) -> None:
    """Note that from this ply on only a value is known and no line, with so much depth left."""
    work.line[ply, 0] = OPEN_END - depth


@helper
def shuffled(bits: Any) -> Any:
    """The next 64 random bits (xorshift64)."""
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    return bits ^ (bits << np.uint64(17))


@helper
def scaled(bits: Any, n: int) -> int:
    """A whole number from 0 to n - 1 that random bits stand for (n is far below 2^31: the bias is not measurable)."""
    return int64(((bits >> np.uint64(33)) * np.uint64(n)) >> np.uint64(31))


@helper
def random_below(work: Work, n: int) -> int:
    """A random whole number from 0 to n - 1."""
    work.random = shuffled(work.random)
    return scaled(work.random, n)


@helper
def random_fraction(work: Work) -> float:
    """A random number from 0 on and below 1."""
    work.random = shuffled(work.random)
    return float(work.random >> np.uint64(11)) * 2.0**-53

"""Two recordings of one position side by side: which node of the one stands at the same place as which of the other.

A place is a path: the depth of the pass over the root (and which pass of that depth it is), then move after move. A move
that was tried more often than once, such as a reduced search that was done again, is told apart by what became of it (a
trial that was set aside, or a search that counts) and by its number among those. So every node has at most one partner, and
the nodes without one hang, as whole subtrees, below places that both searches came to: there they parted.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

from engines.algorithm import Algorithm
from engines.compiled.kernel import helper, int64, kernel
from engines.rules import Rules, State, key, passed, play
from engines.tape.recording import Column, Recording
from engines.tape.tape import ASIDE, NOBODY

ONLY_FIRST, ONLY_SECOND, ORDER, TRIAL, RETRY = 1, 2, 4, 8, 16
"""What is so at a place that both searches came to: a child that only the first search has, or only the second one; the
moves that count were tried in another order; a trial of the same position or of a pass, or a move that was searched twice,
stands in one of them only."""
PARTS = ONLY_FIRST | ONLY_SECOND
"""There the searches part."""


class Rows(NamedTuple):
    """The columns of a tape that say what led where, and where the children of its nodes are (see `Recording.children`)."""

    parent: Column
    move: Column
    turn: Column
    kind: Column
    starts: Column
    order: Column


class Alignment(NamedTuple):
    """Which nodes of two recordings stand at the same place."""

    partner: Column
    """For each node of the first recording the one of the second at its place, or `NOBODY`."""
    other: Column
    """For each node of the second recording the one of the first at its place, or `NOBODY`."""
    marks: Column
    """For each node of the first recording that has a partner what is so there: `ONLY_FIRST`, `ORDER` and so on."""
    above: Column
    """For each node of the first recording the nearest place above it where the searches part; `NOBODY` if there is none."""


def can_be_aligned(algorithm: Algorithm) -> bool:
    """Whether searches are compared node by node: those that go depth first, with one value at a node."""
    return not (algorithm.iterates or algorithm.expects or algorithm.vectors)


def aligned(first: Recording, second: Recording) -> Alignment:
    """The alignment of two recordings of one position."""
    found = Alignment(
        np.full(len(first), NOBODY, np.int32),
        np.full(len(second), NOBODY, np.int32),
        np.zeros(len(first), np.int8),
        np.full(len(first), NOBODY, np.int32),
    )
    for here, there in paired_roots(first, second):
        found.partner[here], found.other[there] = there, here
    align(rows_of(first), rows_of(second), found)
    return found


def paired_roots(first: Recording, second: Recording) -> list[tuple[int, int]]:
    """The passes over the root that belong together: the first one to a depth with the first one to that depth, and so on.
    Searches that have no depth in common are laid side by side from their beginnings."""
    passes = [recording.roots().tolist() for recording in (first, second)]
    by_depth: dict[int, list[int]] = defaultdict(list)
    for root in reversed(passes[1]):
        by_depth[int(second.depth[root])].append(root)
    pairs = [(root, left.pop()) for root in passes[0] if (left := by_depth[int(first.depth[root])])]
    return pairs or list(zip(*passes, strict=False))


def rows_of(recording: Recording) -> Rows:
    """The columns of a recording that its tree is made of."""
    starts, order, _ = recording._index
    return Rows(recording.parent, recording.move, recording.turn, recording.kind, starts, order)


def position_keys(recording: Recording) -> Column | None:
    """The key of the position at every node; None if the game has no keys."""
    game, state = recording.position.game, recording.position.state
    keys, rows = np.full(len(recording), key(game.rules, state), np.uint64), rows_of(recording)
    for root in recording.roots().tolist():
        note_keys(game.rules, rows, state, root, keys)
    return keys if keys.any() else None


@kernel
def align(first: Rows, second: Rows, found: Alignment) -> int:
    """Go through the first recording, parents before children, and pair the children of each pair of nodes; how many places
    there are where the searches part. The roots are paired already."""
    places = int64(0)
    for node in range(len(first.parent)):
        twin = int64(found.partner[node])
        if twin == NOBODY:
            continue
        above = first.parent[node]
        if above != NOBODY:
            found.above[node] = above if found.marks[above] & PARTS else found.above[above]
        pair_children(first, second, found, node, twin)
        mark(first, second, found, node, twin)
        places += (found.marks[node] & PARTS) != 0
    return places


@helper
def pair_children(first: Rows, second: Rows, found: Alignment, node: int, twin: int) -> None:
    """Pair the children of two nodes: each with the first one that is left of the same move and the same role."""
    low, end = second.starts[twin + 1], second.starts[twin + 2]
    for place in range(first.starts[node + 1], first.starts[node + 2]):
        child = first.order[place]
        while low < end and found.other[second.order[low]] != NOBODY:
            low += 1
        for there in range(low, end):
            one = second.order[there]
            if found.other[one] == NOBODY and is_same_step(first, second, child, one):
                found.partner[child] = one
                found.other[one] = child
                break


@helper
def is_same_step(first: Rows, second: Rows, child: int, one: int) -> bool:
    """Whether two children of paired nodes are the same move, and both trials that were set aside, or both not."""
    if first.move[child] != second.move[one] or first.turn[child] != second.turn[one]:
        return False
    return bool((first.kind[child] == ASIDE) == (second.kind[one] == ASIDE))


@helper
def mark(first: Rows, second: Rows, found: Alignment, node: int, twin: int) -> None:
    """Write down what differs between the children of two nodes that are paired."""
    seen = int64(0)
    for place in range(first.starts[node + 1], first.starts[node + 2]):
        child = first.order[place]
        if found.partner[child] == NOBODY:
            seen |= ONLY_FIRST | role(first, child)
    low, end = second.starts[twin + 1], second.starts[twin + 2]
    for place in range(low, end):
        child = second.order[place]
        if found.other[child] == NOBODY:
            seen |= ONLY_SECOND | role(second, child)
    for place in range(first.starts[node + 1], first.starts[node + 2]):
        child = first.order[place]
        if first.kind[child] == ASIDE:
            continue
        while low < end and second.kind[second.order[low]] == ASIDE:
            low += 1
        if low == end:
            break
        if found.partner[child] != second.order[low]:
            seen |= ORDER
            break
        low += 1
    found.marks[node] = seen


@helper
def role(rows: Rows, child: int) -> int:
    """What a child was that only one search has: a trial, a move that was searched again, or nothing out of the ordinary."""
    if rows.kind[child] != ASIDE:
        return int64(0)
    return int64(RETRY) if rows.move[child] >= 0 else int64(TRIAL)


@kernel
def note_keys(game: Rules, rows: Rows, state: State, node: int, keys: Any) -> int:
    """Write the keys of all positions below a node, whose own position this is; how many there are."""
    count = int64(0)
    for place in range(rows.starts[node + 1], rows.starts[node + 2]):
        child = int64(rows.order[place])
        if rows.move[child] >= 0:
            after = play(game, state, int64(rows.move[child]))
        elif rows.turn[child] == rows.turn[node]:
            after = state
        else:
            after = passed(game, state)
        keys[child] = key(game, after)
        count += 1 + note_keys(game, rows, after, child, keys)
    return count

"""The events of a recorded search, in the order in which they happened: nodes are entered, values come back, bounds move.

A tape has a row for each node, with the window it was entered with and the value it was left with. What happened in between
follows from the rows alone, because a search that goes depth first leaves a node before it enters the node's next sibling:

    enter 0, enter 1, leaf 1, return 0 <- 1, raise 0, enter 2, ..., leave 0

A node is told by its row; `child` is the one whose value came back, and `NOBODY` in all other events.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.kernel import helper, int64, kernel
from engines.tape.recording import Column, Recording
from engines.tape.tape import ASIDE, CUT, NOBODY, OPEN

ENTERED, LEAF, RETURNED, RAISED, STOPPED, LEFT = range(6)
"""A node is entered; it is scored without going on below it; a child's value comes back; that value moves an edge of the
node's window; it is so good for whoever moves that the other moves are cut off; the node is left, all of it known."""
NEVER = np.iinfo(np.int32).max
"""When something happened that has not happened: later than any event."""


class Events(NamedTuple):
    """The events as columns, and for each node the number of the event by which it was entered, by which it was done, and by
    which its value came back to its parent; `NEVER` if it was not."""

    kind: Column
    node: Column
    child: Column
    entered: Column
    done: Column
    returned: Column

    def __len__(self) -> int:
        return len(self.kind)


class Tree(NamedTuple):
    """The columns of a tape that say what happened, and where the children of its nodes are: see `Recording.children`."""

    turn: Column
    kind: Column
    value: Column
    alpha: Column
    beta: Column
    starts: Column
    order: Column


class Sides(NamedTuple):
    """Whether values that come back make windows narrower, and who wants large values: a bit for each player."""

    narrows: bool
    first: int


def events_of(recording: Recording, narrows: bool, first_side: int = 1) -> Events:
    """All events of a recording. `narrows`: its nodes have windows, which values that come back make narrower. `first_side`:
    the players who want large values, a bit for each."""
    nodes = len(recording)
    starts, order, _ = recording._index
    times = [np.full(nodes, NEVER, np.int32) for _ in range(3)]
    path = np.zeros((3, int(recording.ply.max(initial=0)) + 2), np.int64)
    tree = Tree(recording.turn, recording.kind, recording.value, recording.alpha, recording.beta, starts, order)
    sides = Sides(narrows, first_side)
    told = Events(np.zeros(0, np.int8), np.zeros(0, np.int32), np.zeros(0, np.int32), *times)
    count = tell(tree, sides, told, path)
    told = Events(np.zeros(count, np.int8), np.zeros(count, np.int32), np.full(count, NOBODY, np.int32), *times)
    tell(tree, sides, told, path)
    return told


@kernel
def tell(tree: Tree, sides: Sides, told: Events, path: Any) -> int:
    """Walk through all trees and write what happened; how many events there are. With empty columns they are only counted.
    `path` is scratch: a node on the way down, how many of its children are done, and the edge of its window that moves."""
    starts, order, kinds = tree.starts, tree.order, tree.kind
    now = int64(0)
    for root in range(starts[0], starts[1]):
        top = int64(0)
        path[0, 0], path[1, 0], path[2, 0] = order[root], 0, edge(tree, sides, order[root])
        told.entered[order[root]] = now
        now = write(told, now, ENTERED, order[root], NOBODY)
        while top >= 0:
            here = path[0, top]
            first, last = starts[here + 1], starts[here + 2]
            if path[1, top] < last - first:
                below = order[first + path[1, top]]
                path[1, top] += 1
                top += 1
                path[0, top], path[1, top], path[2, top] = below, 0, edge(tree, sides, below)
                told.entered[below] = now
                now = write(told, now, ENTERED, below, NOBODY)
                continue
            top -= 1
            if kinds[here] == OPEN:  # the search was stopped there, or somewhere below
                continue
            told.done[here] = now
            now = write(told, now, LEAF if first == last else LEFT, here, NOBODY)
            if top < 0:
                continue
            above = path[0, top]
            told.returned[here] = now
            now = write(told, now, RETURNED, above, here)
            if kinds[here] == ASIDE:
                continue
            if sides.narrows and tree.turn[above] != 0 and is_better(tree, sides, here, above, path[2, top]):
                path[2, top] = tree.value[here]
                now = write(told, now, RAISED, above, here)
            if kinds[above] == CUT and path[1, top] == starts[above + 2] - starts[above + 1]:
                now = write(told, now, STOPPED, above, here)
    return now


@helper
def write(told: Events, now: int, what: int, where: int, below: int) -> int:
    """Write an event, if there is room for it; the number of the next one."""
    if now < len(told.kind):
        told.kind[now] = what
        told.node[now] = where
        told.child[now] = below
    return now + 1


@helper
def edge(tree: Tree, sides: Sides, node: int) -> int:
    """The edge of a node's window that whoever moves there can move."""
    return int64(tree.alpha[node]) if wants_more(tree.turn[node], sides.first) else int64(tree.beta[node])


@helper
def is_better(tree: Tree, sides: Sides, child: int, above: int, bound: int) -> bool:
    """Whether a child's value is better than a bound for whoever moves above it."""
    value = tree.value[child]
    return bool(value > bound if wants_more(tree.turn[above], sides.first) else value < bound)


@helper
def wants_more(turn: int, first_side: int) -> bool:
    """Whether a player wants large values."""
    player = 0 if turn > 0 else -turn
    return bool((first_side >> player) & 1)

"""The events of a recorded search, in the order in which they happened: nodes are entered, values come back, bounds move.

A tape has a row for each node, in the order in which they were entered, with the window it was entered with and the value it
was left with. What happened in between follows from the rows alone, because a search that goes depth first leaves a node
before it enters the node's next sibling:

    enter 0, enter 1, leaf 1, return 0 <- 1, raise 0, enter 2, ..., leave 0

Only a search that probes does otherwise: it puts a node aside and comes back to it later. A node is told by its row; `child`
is the one whose value came back, and `NOBODY` in all other events.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.kernel import helper, int64, kernel
from engines.tape.recording import Column, Recording
from engines.tape.tape import ASIDE, CUT, NOBODY, OPEN

ENTERED, LEAF, RETURNED, RAISED, STOPPED, LEFT, PAUSED, RESUMED = range(8)
"""A node is entered; it is scored without going on below it; a child's value comes back; that value moves an edge of the
node's window; it is so good for whoever moves that the other moves are cut off; the node is left, all of it known. Or it is
put aside, and come back to later."""
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
    """The columns of a tape that say what happened, where the children of its nodes are (see `Recording.children`), and for
    each node the last row below it."""

    parent: Column
    ply: Column
    turn: Column
    kind: Column
    value: Column
    alpha: Column
    beta: Column
    starts: Column
    order: Column
    final: Column


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
    columns = (recording.turn, recording.kind, recording.value, recording.alpha, recording.beta, starts, order)
    tree = Tree(recording.parent, recording.ply, *columns, np.arange(nodes, dtype=np.int32))
    sides = Sides(narrows, first_side)
    told = Events(np.zeros(0, np.int8), np.zeros(0, np.int32), np.zeros(0, np.int32), *times)
    count = tell(tree, sides, told, path)
    for time in times:
        time[:] = NEVER
    told = Events(np.zeros(count, np.int8), np.zeros(count, np.int32), np.full(count, NOBODY, np.int32), *times)
    tell(tree, sides, told, path)
    return told


@kernel
def tell(tree: Tree, sides: Sides, told: Events, path: Any) -> int:
    """Go through all rows and write what happened; how many events there are. With empty columns they are only counted.
    `path` is scratch: the node of each ply on the way to the row, the edge of its window that moves, and, on the way back to
    a node that was put aside, the nodes in between."""
    parent, ply = tree.parent, tree.ply
    rows = len(parent)
    for row in range(rows - 1, -1, -1):
        if parent[row] != NOBODY:
            tree.final[parent[row]] = max(tree.final[parent[row]], tree.final[row])
    now, top = int64(0), int64(-1)
    for row in range(rows):
        above, between = int64(parent[row]), int64(0)
        while above != NOBODY and (ply[above] > top or path[0, ply[above]] != above):
            path[2, between] = above
            between += 1
            above = int64(parent[above])
        while top >= 0 and (above == NOBODY or path[0, top] != above):
            now = closed(tree, sides, told, path, top, now, int64(row), int64(-1) if above == NOBODY else int64(ply[above]))
            top -= 1
        while between > 0:
            between -= 1
            top += 1
            path[0, top] = path[2, between]
            path[1, top] = edge_so_far(tree, sides, told, path[2, between])
            now = write(told, now, RESUMED, path[2, between], NOBODY)
        top += 1
        path[0, top], path[1, top] = row, edge(tree, sides, row)
        told.entered[row] = now
        now = write(told, now, ENTERED, row, NOBODY)
    while top >= 0:
        now = closed(tree, sides, told, path, top, now, int64(rows), int64(-1))
        top -= 1
    return now


@helper
def closed(tree: Tree, sides: Sides, told: Events, path: Any, top: int, now: int, row: int, stays: int) -> int:
    """The search goes away from the node at the end of the path, before it enters a row; the nodes up to the ply `stays` it
    does not go away from. Gives the number of the next event."""
    here = path[0, top]
    if tree.final[here] >= row:
        return write(told, now, PAUSED, here, NOBODY)
    if tree.kind[here] == OPEN:  # the search was stopped there, or somewhere below
        return now
    told.done[here] = now
    is_leaf = tree.starts[here + 1] == tree.starts[here + 2]
    now = write(told, now, LEAF if is_leaf else LEFT, here, NOBODY)
    if top == 0:
        return now
    above = path[0, top - 1]
    told.returned[here] = now
    now = write(told, now, RETURNED, above, here)
    if tree.kind[here] == ASIDE:
        return now
    waits = top - 1 > stays and tree.final[above] >= row  # its window is known as it was when the search came back to it
    if sides.narrows and tree.turn[above] != 0 and not waits and is_better(tree, sides, here, above, path[1, top - 1]):
        path[1, top - 1] = tree.value[here]
        now = write(told, now, RAISED, above, here)
    if tree.kind[above] == CUT and tree.final[above] == tree.final[here]:
        now = write(told, now, STOPPED, above, here)
    return now


@helper
def edge_so_far(tree: Tree, sides: Sides, told: Events, node: int) -> int:
    """The edge of a node's window, after the values that have come back."""
    bound = edge(tree, sides, node)
    for place in range(tree.starts[node + 1], tree.starts[node + 2]):
        child = int64(tree.order[place])
        is_back = told.returned[child] != NEVER and tree.kind[child] != ASIDE
        if is_back and tree.turn[node] != 0 and is_better(tree, sides, child, node, bound):
            bound = int64(tree.value[child])
    return bound


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

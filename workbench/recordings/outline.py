"""A recorded search as an outline: which of its nodes are unfolded, and the rows that are to be seen then.

Nothing is drawn here. Rows are made only of what is unfolded, so millions of nodes are no burden.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from engines.rules import INFINITY
from engines.tape.recording import Column, Recording
from engines.tape.tape import OPEN

Order = Literal["order", "value", "size"]
ORDERS: tuple[Order, ...] = ("order", "value", "size")
PAGE = 40
"""The number of a node's children that are shown at first, and that each further step adds."""
SMALL = 30
"""A tree of no more nodes is unfolded from the start."""


class TreeRow(NamedTuple):
    """A visible row: a node, or, if `more` is above 0, the row for that many of the node's children that are not shown
    yet."""

    node: int
    more: int = 0


class Outline:
    """The rows of a recording, from top to bottom, with some nodes folded and others unfolded."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.order: Order = "order"
        self.rows: list[TreeRow] = []
        self._shown: dict[int, int] = {}
        """How many children are shown of each node that is unfolded."""
        roots = recording.roots()
        if len(recording) <= SMALL:
            self._shown = {node: PAGE for node in range(len(recording)) if len(recording.children(node))}
        elif len(roots):
            self._shown[int(roots[-1])] = PAGE
        self._lay_out()

    # What can be asked.

    def is_unfolded(self, node: int) -> bool:
        """The node's children have rows."""
        return node in self._shown

    def place_of(self, node: int) -> int:
        """The number of a node's row; it has to have one."""
        return self.rows.index(TreeRow(node))

    def level(self, row: TreeRow) -> int:
        """How far a row is indented."""
        return int(self.recording.ply[row.node]) + (row.more > 0)

    def sort_by(self, order: Order) -> None:
        """Another order of the children."""
        self.order = order
        self._lay_out()

    def children_of(self, node: int) -> Column:
        """A node's children in the order chosen: as searched, the best for the side to move first, or the largest first."""
        recording = self.recording
        found = recording.children(node)
        if self.order == "order" or len(found) < 2:
            return found
        if self.order == "size":
            keys = np.array([-recording.subtree_size(int(child)) for child in found])
        else:
            keys = -self._for_mover(node, found)
            keys[recording.kind[found] == OPEN] = 2 * INFINITY
        return found[np.argsort(keys, kind="stable")]

    def _for_mover(self, node: int, children: Column) -> Column:
        """The values of children from the view of the player to move above them."""
        recording, turn = self.recording, int(self.recording.turn[node])
        if turn < 0 and recording.values(node) and recording.more is not None:
            own: Column = recording.more[children, -turn].astype(np.int64)
            return own
        return (1 if turn >= 0 else -1) * recording.value[children].astype(np.int64)

    # Folding.

    def _lay_out(self) -> None:
        """Rebuild all rows."""
        self.rows = [row for root in self.recording.roots() for row in self._rows_below(int(root))]

    def _rows_below(self, node: int) -> Iterator[TreeRow]:
        """A node's own row and those of everything unfolded below it."""
        stack = [TreeRow(node)]
        while stack:
            row = stack.pop()
            yield row
            if row.more or row.node not in self._shown:
                continue
            children = self.children_of(row.node)
            shown = self._shown[row.node]
            if len(children) > shown:
                stack.append(TreeRow(row.node, len(children) - shown))
            stack.extend(TreeRow(int(child)) for child in children[:shown][::-1])

    def fold(self, place: int) -> None:
        """Hide everything below the node of a row."""
        node = self.rows[place].node
        level = self.level(self.rows[place])
        end = place + 1
        while end < len(self.rows) and self.level(self.rows[end]) > level:
            end += 1
        del self._shown[node]
        self.rows[place:end] = [TreeRow(node)]

    def unfold(self, place: int) -> None:
        """Show the children of the node of a row, and what was unfolded below them."""
        node = self.rows[place].node
        self._shown[node] = PAGE
        self.rows[place : place + 1] = self._rows_below(node)

    def show_more(self, place: int) -> None:
        """Show more of the children for which a row stands."""
        node, more = self.rows[place]
        shown = self._shown[node]
        self._shown[node] = shown + PAGE
        rows = [row for child in self.children_of(node)[shown : shown + PAGE] for row in self._rows_below(int(child))]
        if more > PAGE:
            rows.append(TreeRow(node, more - PAGE))
        self.rows[place : place + 1] = rows

    def unfold_above(self, node: int) -> bool:
        """Make sure that a node has a row; whether that took new rows."""
        changed = False
        path = self.recording.path(node)
        for above, child in pairwise(path):
            place = int(np.flatnonzero(self.children_of(above) == child)[0])
            if self._shown.get(above, 0) <= place:
                self._shown[above] = (place // PAGE + 1) * PAGE
                changed = True
        if changed:
            first = self.rows.index(TreeRow(path[0]))
            end = first + 1
            while end < len(self.rows) and self.level(self.rows[end]) > 0:
                end += 1
            self.rows[first:end] = self._rows_below(path[0])
        return changed

"""Where the nodes of a tree are drawn: the whole of a small tree, or the surroundings of the node where the search is.

A tree that is too wide is folded: what is far from the current node goes into bundles with a count. The path to the current
node is always there. Lengths are columns of a terminal; a picture multiplies them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import NamedTuple

from workbench.watch.trace import Moment, Node, Trace

GAP = 1
"""Columns between two nodes."""
BUNDLE = 5
"""Columns that a bundle takes."""
MOST_FAILURES = 60
"""After so many nodes for which there was no room, no further ones are tried."""
NEAR = 12
"""So many moves to each side are tried before nodes that are farther from the path."""
MOST_TRIED = 1_500


class Bundle(NamedTuple):
    """Nodes that are folded: how many moves, how many nodes of the search below them, and whether they were searched."""

    moves: int
    nodes: int
    first: int
    """The place of the first of them among the children."""


@dataclass
class Box:
    """A drawn node, or a bundle in place of some."""

    node: Node | None
    """None for a bundle."""
    above: Box | None
    level: int
    """0 for the uppermost that is drawn."""
    bundle: Bundle | None = None
    children: list[Box] = field(default_factory=list)
    x: int = 0
    """The column of its middle."""
    width: int = 0
    """The columns that it takes by itself."""

    def all(self) -> Iterator[Box]:
        """This box and all below it, from top to bottom."""
        yield self
        for child in self.children:
            yield from child.all()


@dataclass(frozen=True)
class Drawing:
    """A laid out tree."""

    root: Box
    width: int
    levels: int
    hidden: int
    """So many levels above the uppermost are not drawn."""

    def boxes(self) -> list[Box]:
        """All boxes, from top to bottom and from left to right."""
        return list(self.root.all())


class Layout:
    """Lays out the surroundings of a moment in so many columns and levels."""

    gap, bundle = GAP, BUNDLE

    def __init__(self, trace: Trace, moment: Moment, width: int, levels: int, top: Node | None = None) -> None:
        """`top`: the node below which everything is drawn; a root if it is None."""
        self.trace, self.moment = trace, moment
        self.columns, self.levels = max(width, 8), max(levels, 2)
        self._children: dict[Node, list[Node]] = {}
        self._shown: dict[Node, set[int]] = {}
        """The children that are drawn of a node that is drawn, by their places."""
        self._level: dict[Node, int] = {}
        self._above: dict[Node, Node] = {}
        self._width: dict[Node, int] = {}
        """The columns of everything that is drawn of a node and below it."""
        self._owns: dict[Node, int] = {}
        self.way: tuple[Node, ...] = way_below(moment, top)
        """The nodes from the uppermost down to where the search is, as far as it is below that one."""
        self._path: set[Node] = set(self.way)
        self._above_way = 0
        above = trace.parent(self.way[0]) if self.way else None
        while above is not None:
            self._above_way, above = self._above_way + 1, trace.parent(above)

    def drawing(self) -> Drawing:
        """The drawing; the path alone if there is room for no more."""
        path, hidden = self.way, self._hidden()
        for above_it, on_path in pairwise(path[hidden : hidden + self.levels]):
            self._add(above_it, on_path)
        root: Node = path[hidden]
        self._level.setdefault(root, 0)
        self._shown.setdefault(root, set())
        self._measure(root)
        failures = 0
        for above, place in islice(self._wishes(root), MOST_TRIED):
            failures += not self._try(root, above, place)
            if failures > MOST_FAILURES:
                break
        top = self._box(root, None, 0)
        self.place(top, 0)
        width = self._width[root]
        return Drawing(top, width, 1 + max(box.level for box in top.all()), hidden)

    def _hidden(self) -> int:
        """How many levels above the first that is drawn there are: none, as long as the whole tree has room."""
        deepest = self.trace.depth - self._above_way
        if deepest < self.levels:
            return 0
        here = self.way.index(self.moment.here) if self.moment.here in self.way else 0
        return max(0, min(here - (self.levels - 2), deepest + 1 - self.levels))

    # Which nodes are drawn.

    def _below(self, node: Node) -> list[Node]:
        if node not in self._children:
            self._children[node] = list(self.trace.children(node))
        return self._children[node]

    def _add(self, above: Node, node: Node) -> None:
        self._level.setdefault(above, 0)
        self._shown.setdefault(above, set()).add(self._below(above).index(node))
        self._above[node], self._level[node] = above, self._level[above] + 1
        self._shown.setdefault(node, set())

    def _wishes(self, root: Node) -> Iterator[tuple[Node, int]]:
        """Children that should be drawn, the most interesting first: below the current node, beside its path, on the best
        line, and then level by level."""
        path = [node for node in self.way if node in self._level]
        line = [node for node in self.moment.line if isinstance(node, int)]
        for distance in range(NEAR):
            for above in reversed(path):
                yield from self._beside(above, distance)
            if distance == 0:
                for above_it, on_line in pairwise(line):
                    if above_it in self._level:
                        yield above_it, self._below(above_it).index(on_line)
        waiting = [root]
        for node in waiting:  # grows while it is walked
            for place in range(len(self._below(node))):
                yield node, place
            waiting += [self._below(node)[place] for place in sorted(self._shown[node])]

    def _beside(self, above: Node, distance: int) -> Iterator[tuple[Node, int]]:
        """The children of a node on the path that are so far from the one that the search is at."""
        below = self._below(above)
        at = next((place for place, child in enumerate(below) if child in self._path), None)
        if at is None:
            reached = [place for place, child in enumerate(below) if self.moment.look(child).stage not in ("ahead", "never")]
            at = reached[-1] if reached else 0
        for place in {at - distance, at + distance}:
            if 0 <= place < len(below):
                yield above, place

    def _try(self, root: Node, above: Node, place: int) -> bool:
        """Draw a child of a node too, if there is room for it; whether it is drawn."""
        if place in self._shown[above]:
            return True
        if self._level[above] + 1 >= self.levels:
            return False
        node = self._below(above)[place]
        self._add(above, node)
        self._width[node] = self._total(node)
        self._width_up(above)
        if self._width[root] <= self.columns:
            return True
        self._shown[above].discard(place)
        del self._level[node], self._above[node], self._shown[node], self._width[node]
        self._width_up(above)
        return False

    # How wide it is.

    def own(self, node: Node) -> int:
        """The columns that a node takes by itself."""
        if node not in self._owns:
            self._owns[node] = self.measured(node)
        return self._owns[node]

    def measured(self, node: Node) -> int:
        """The columns that a node takes by itself, worked out."""
        value, detail = self.trace.widest(node)
        return max(value + 1, detail, min(len(self.trace.move(node)), 8) if self.trace.parent(node) is not None else 0)

    def _measure(self, node: Node) -> None:
        for place in self._shown[node]:
            self._measure(self._below(node)[place])
        self._width[node] = self._total(node)

    def _total(self, node: Node) -> int:
        parts = [self._width[self._below(node)[place]] for place in self._shown[node]]
        parts += [self.bundle] * len(self._bundles(node))
        return max(self.own(node), sum(parts) + self.gap * max(len(parts) - 1, 0))

    def _width_up(self, node: Node) -> None:
        """Measure a node again, and all above it."""
        while True:
            self._width[node] = self._total(node)
            if node not in self._above:
                return
            node = self._above[node]

    def _bundles(self, node: Node) -> list[tuple[int, int]]:
        """The runs of children that are not drawn, from a place to before another. A node at the lowest level has none, and
        neither has one of which nothing is drawn but its own subtree's count."""
        if self._level[node] + 1 >= self.levels:
            return []
        runs: list[tuple[int, int]] = []
        first = None
        shown = self._shown[node]
        count = len(self._below(node))
        for place in range(count + 1):
            hidden = place < count and place not in shown
            if hidden and first is None:
                first = place
            elif not hidden and first is not None:
                runs.append((first, place))
                first = None
        return runs

    # Boxes.

    def _box(self, node: Node, above: Box | None, level: int) -> Box:
        box = Box(node, above, level, width=self.own(node))
        runs = dict(self._bundles(node))
        place, count = 0, len(self._below(node)) if self._level[node] + 1 < self.levels else 0
        while place < count:
            if place in runs:
                folded = self._below(node)[place : runs[place]]
                bundle = Bundle(len(folded), sum(map(self.trace.size, folded)), place)
                box.children.append(Box(None, box, level + 1, bundle, width=self.bundle))
                place = runs[place]
            else:
                box.children.append(self._box(self._below(node)[place], box, level + 1))
                place += 1
        return box

    def subtree(self, box: Box) -> int:
        """The columns of a box and everything below it."""
        return box.width if box.node is None else self._width[box.node]

    def place(self, box: Box, left: int) -> None:
        """Put a box above the middle of its children, inside the columns that belong to its subtree."""
        room = self.subtree(box)
        if not box.children:
            box.x = left + room // 2
            return
        total = sum(map(self.subtree, box.children)) + self.gap * (len(box.children) - 1)
        at = left + room // 2 - total // 2
        for child in box.children:
            self.place(child, at)
            at += self.subtree(child) + self.gap
        middle = (box.children[0].x + box.children[-1].x) // 2
        box.x = max(left + box.width // 2, min(middle, left + room - (box.width + 1) // 2))


def way_below(moment: Moment, top: Node | None) -> tuple[Node, ...]:
    """The path of a moment from a node on; the node alone if the path does not go through it."""
    if top is None:
        return moment.path
    return moment.path[moment.path.index(top) :] if top in moment.path else (top,)


def drawing_of(trace: Trace, moment: Moment, width: int, levels: int) -> Drawing:
    """The drawing of a moment."""
    return Layout(trace, moment, width, levels).drawing()

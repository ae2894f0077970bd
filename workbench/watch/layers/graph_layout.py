"""Where the nodes and edges of a graph are drawn: a row for each layer, the targets at the top, what is in no layer at the
bottom.

An edge to the row above is a line of its own that shares no column with another one, so that lines may cross but never
join. Every other edge stands beside its node, with an arrow for where it leads: up past a row, down, or within the row.
Lengths are columns and lines of a terminal; a picture multiplies them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace

GAP = 3
"""Columns between two nodes."""
MOST_TRACKS = 4
"""So many lines for edges are between two rows at most; edges for which there is no room stand beside their nodes."""
MOST_BESIDE = 3
"""So many edges are named beside a node."""
NAME = 10
"""Letters of a name that are shown."""
BUNDLE = 6
UP, DOWN, ALONG = "↑", "↓", "→"


@dataclass
class GraphBox:
    """A node on its row, or the nodes of a row for which there is no room."""

    node: int | None
    row: int
    label: str = ""
    beside: str = ""
    """Edges that are not drawn."""
    x: int = 0
    """The first column."""
    width: int = 0
    folded: int = 0

    @property
    def last(self) -> int:
        """The last column."""
        return self.x + self.width - 1


@dataclass(frozen=True)
class Edge:
    """An edge that is drawn: from a node to one of the row above, as corners from below to above."""

    node: int
    to: int
    corners: tuple[tuple[int, int], ...]


@dataclass
class GraphDrawing:
    """A laid out graph."""

    boxes: list[GraphBox] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    lines: dict[int, int] = field(default_factory=dict)
    """The line of each row that is drawn."""
    titles: dict[int, str] = field(default_factory=dict)
    width: int = 0
    height: int = 0
    hidden: int = 0
    """So many rows above are not drawn."""


class GraphLayout:
    """Lays out the rows around the layer that is being found, in so many columns and lines."""

    def __init__(self, trace: LayerTrace, moment: LayerMoment, width: int, height: int) -> None:
        self.trace, self.moment = trace, moment
        self.columns, self.lines = max(width, 16), max(height, 3)
        self.rows, self.row_of, self.before = trace.rows, trace.row_of, trace.predecessors

    def drawing(self) -> GraphDrawing:
        """The drawing: as many rows as there is room for, the present one among them."""
        wanted = self._present()
        first = 0
        while True:
            drawing = self._from(first)
            if wanted in drawing.lines or first >= wanted:
                return drawing
            first += 1

    def _present(self) -> int:
        """The row where something happens."""
        event = self.moment.event
        if event is None:
            return 0
        return len(self.rows) - 1 if event.kind == "ended" else self.row_of[self.moment.here]

    def _from(self, first: int) -> GraphDrawing:
        """The drawing from a row on, as far as there is room."""
        drawing = GraphDrawing(hidden=first)
        line = 0
        above: list[GraphBox] = []
        for number in range(first, len(self.rows)):
            boxes = self._place(number)
            edges, left, tracks = self._route(above, boxes, line) if above else ([], set(self._upward(boxes)), 0)
            here = line + (tracks + 1 if above else 0)
            if here >= self.lines:
                break
            self._name(boxes, left)
            drawing.boxes += boxes
            drawing.edges += edges
            drawing.lines[number] = here
            drawing.titles[number] = self._title(number)
            line, above = here, [box for box in boxes if box.node is not None]
        drawing.height = line + 1
        drawing.width = max((box.last + 1 for box in drawing.boxes), default=0)
        return drawing

    def _title(self, number: int) -> str:
        layer = self.trace.layer(self.rows[number][0])
        return "no layer" if layer is None else f"layer {layer}"

    # Where nodes stand.

    def label(self, node: int) -> str:
        """The name of a node with room for its layer; the view puts a shape in front of it."""
        value = self.trace.moment(len(self.trace)).look(node).value
        return f"{self.trace.name(node)[:NAME]} {value}"

    def _width(self, node: int) -> int:
        lines = sum(self.row_of[to] == self.row_of[node] - 1 for to in set(self.trace.successors[node]))
        into = sum(self.row_of[node] == self.row_of[one] - 1 for one in self.before[node])
        beside = len(self._beside(node, self._others(node)))
        return max(len(self.label(node)) + 2 + (beside + 1 if beside else 0), lines + into, 3)

    def _place(self, number: int) -> list[GraphBox]:
        """The boxes of a row from left to right, as many as there is room for: the node where the search is, its neighbours,
        and then in order."""
        row, here = self.rows[number], self.moment.here
        near = {here, *self.trace.successors[here], *self.before[here]}
        likely = list(dict.fromkeys([node for node in near if self.row_of[node] == number] + row[: self.columns // 4]))
        likely.sort(key=lambda node: (node != here, node not in near, self.trace.place_of[node]))
        room, chosen = self.columns, set[int]()
        whole = len(likely) == len(row) and sum(self._width(node) + GAP for node in row) - GAP <= room
        for node in likely:
            width = self._width(node) + GAP
            if whole or width <= room - BUNDLE or node == here:
                chosen.add(node)
                room -= width
        boxes = [GraphBox(node, number, width=self._width(node)) for node in row if node in chosen]
        if len(chosen) < len(row):
            folded = len(row) - len(chosen)
            boxes.append(GraphBox(None, number, f"…{folded}", width=BUNDLE - 1, folded=folded))
        total = sum(box.width + GAP for box in boxes) - GAP
        at = max(0, (self.columns - total) // 2)
        for box in boxes:
            box.x = at
            at += box.width + GAP
        return boxes

    # Edges.

    def _upward(self, boxes: Sequence[GraphBox]) -> list[tuple[int, int]]:
        """The edges of the nodes of a row to the row above."""
        return [
            (box.node, to)
            for box in boxes
            if box.node is not None
            for to in dict.fromkeys(self.trace.successors[box.node])
            if self.row_of[to] == box.row - 1
        ]

    def _route(
        self, above: Sequence[GraphBox], boxes: Sequence[GraphBox], line: int
    ) -> tuple[list[Edge], set[tuple[int, int]], int]:
        """The edges between two rows, those that are not drawn, and how many lines they take. Each end of an edge has a
        column that no other edge has."""
        uppers = {box.node: box for box in above}
        lowers = {box.node: box for box in boxes if box.node is not None}
        wanted = [(node, to) for node, to in self._upward(boxes) if to in uppers]
        left = set(self._upward(boxes)) - set(wanted)
        wanted.sort(key=lambda edge: (uppers[edge[1]].x, lowers[edge[0]].x))
        used: set[int] = set()
        ends: dict[tuple[int, int], tuple[int, int]] = {}
        for node, to in wanted:
            low, high = lowers[node], uppers[to]
            straight = [x for x in range(max(low.x, high.x), min(low.last, high.last) + 1) if x not in used]
            if straight:
                ends[node, to] = (straight[len(straight) // 2],) * 2
            else:
                from_x = nearest(low, used, high.x + high.width // 2)
                to_x = nearest(high, used | {from_x} if from_x is not None else used, low.x + low.width // 2)
                if from_x is None or to_x is None:
                    left.add((node, to))
                    continue
                ends[node, to] = from_x, to_x
            used.update(ends[node, to])
        tracks = self._tracks(ends, left)
        count = max((track + 1 for track in tracks.values()), default=1)
        edges = []
        for edge, (from_x, to_x) in ends.items():
            if edge not in tracks:
                continue
            y = line + 1 + tracks[edge]
            bottom = line + count
            corners = ((from_x, bottom), (from_x, y), (to_x, y), (to_x, line + 1))
            edges.append(Edge(*edge, corners))
        return edges, left, count

    def _tracks(
        self, ends: dict[tuple[int, int], tuple[int, int]], left: set[tuple[int, int]]
    ) -> dict[tuple[int, int], int]:
        """A line for each edge, so that no two on the same line touch; edges for which none is left go to `left`."""
        found: dict[tuple[int, int], int] = {}
        taken: list[list[tuple[int, int]]] = []
        for edge, (one, other) in sorted(ends.items(), key=lambda item: (abs(item[1][0] - item[1][1]), item[1])):
            first, last = min(one, other), max(one, other)
            if first == last:
                found[edge] = 0
                continue
            for number in range(MOST_TRACKS):
                if number == len(taken):
                    taken.append([])
                if all(last < start or first > end for start, end in taken[number]):
                    taken[number].append((first, last))
                    found[edge] = number
                    break
            else:
                left.add(edge)
        return found

    def _others(self, node: int) -> list[int]:
        """Where the edges lead that are not to the row above."""
        row = self.row_of[node]
        return [to for to in dict.fromkeys(self.trace.successors[node]) if self.row_of[to] != row - 1]

    def _beside(self, node: int, others: Sequence[int]) -> str:
        """Edges that are not drawn, with an arrow for where each leads."""
        row = self.row_of[node]
        arrows = [UP if self.row_of[to] < row else DOWN if self.row_of[to] > row else ALONG for to in others]
        named = [f"{arrow}{self.trace.name(to)[:NAME]}" for arrow, to in zip(arrows, others, strict=True)]
        if len(named) > MOST_BESIDE:
            named = [*named[: MOST_BESIDE - 1], f"…{len(named) - MOST_BESIDE + 1}"]
        return " ".join(named)

    def _name(self, boxes: Sequence[GraphBox], left: set[tuple[int, int]]) -> None:
        """Write what stands at each node of a row."""
        for box in boxes:
            if box.node is None:
                continue
            others = [*(to for node, to in sorted(left) if node == box.node), *self._others(box.node)]
            box.label = self.label(box.node)
            box.beside = self._beside(box.node, others)
            if len(box.label) + len(box.beside) + 2 > box.width:
                box.beside = f"…{len(others)}"


def nearest(box: GraphBox, used: set[int], wanted: int) -> int | None:
    """The free column of a box that is nearest to a wanted one."""
    free = [x for x in range(box.x, box.last + 1) if x not in used]
    return min(free, key=lambda x: abs(x - wanted)) if free else None

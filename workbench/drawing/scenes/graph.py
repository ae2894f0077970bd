"""A graph as shapes: a row for each layer, targets at the top, and arrows for the edges.

Edges between neighbouring rows are drawn. Every other one is named below its node, with an arrow for where it leads: up past
a row, down, or within the row; so no line runs through a node.
"""

from __future__ import annotations

from workbench.drawing.scenes.scene import Form, Line, NodeFacts, SceneEdge, SceneLabel, Shape, text_width
from workbench.drawing.scenes.tree import (
    DETAIL,
    DETAIL_LINE,
    FORMS,
    MOVE,
    POINTER,
    RADIUS,
    SPACE,
    VALUE,
    Extents,
    SceneParts,
    key_of,
    node_marks,
)
from workbench.watch.layers.graph_layout import ALONG, DOWN, UP, GraphBox, GraphLayout
from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace
from workbench.watch.trace import Look

COLUMNS, LINES = 130, 70
"""The room for the layout in a terminal, which chooses the nodes that are drawn of a large graph."""
GUTTER = 86.0
GAP = 34.0
EDGES = 74.0
"""The height of the edges between two rows."""
ASIDE = 5.0
"""An edge that leads down is so far beside one that leads up."""
MOST_NAMED = 4


class GraphParts:
    """Makes the shapes of a graph at a moment."""

    def __init__(self, trace: LayerTrace, moment: LayerMoment) -> None:
        self.trace, self.moment = trace, moment
        self.drawing = GraphLayout(trace, moment, COLUMNS, LINES).drawing()
        self.rows: dict[int, list[GraphBox]] = {number: [] for number in self.drawing.lines}
        for box in self.drawing.boxes:
            self.rows[box.row].append(box)
        self.parts = SceneParts(0, 0, [], [], [], [], [])
        self.looks = {box.node: moment.look(box.node) for box in self.drawing.boxes if box.node is not None}
        self.drawn = set(self.looks)
        self.x: dict[int, float] = {}
        self.y: dict[int, float] = {}
        self._at_end = trace.moment(len(trace))

    def made(self) -> SceneParts:
        """All the shapes."""
        width = GUTTER + max(map(self._row_width, self.rows.values()))
        y = RADIUS + 6.0 + (DETAIL_LINE if self.drawing.hidden else 0.0)
        if self.drawing.hidden:
            self.parts.labels.append(
                SceneLabel(0, 6.0, f"{self.drawing.hidden} more above", DETAIL, "start", marks=("row",))
            )
        for number, boxes in self.rows.items():
            self._place(number, boxes, width, y)
            y += 2 * RADIUS + 2 * DETAIL_LINE + EDGES
        y -= EDGES + RADIUS
        hidden = len(self.trace.rows) - max(self.rows) - 1
        if hidden > 0:
            self.parts.labels.append(SceneLabel(0, y + 6.0, f"{hidden} more below", DETAIL, "start", marks=("row",)))
            y += DETAIL_LINE
        for node in self.looks:
            self._edges(node)
        for node, look in self.looks.items():
            self._node(node, look)
        return self.parts._replace(width=width, height=y)

    # Where nodes stand.

    def _value(self, look: Look) -> str:
        return " ".join(filter(None, (look.value, look.detail)))

    def _extents(self, node: int) -> Extents:
        """What a node takes at any moment: most at the end."""
        right = RADIUS + SPACE + text_width(self.trace.name(node), MOVE, bold=True)
        value = self._value(self._at_end.look(node))
        side = max(text_width(value, VALUE, bold=True), text_width(self._others(node), DETAIL)) / 2
        return Extents(max(RADIUS + POINTER, side), max(right, side))

    def _box_extents(self, box: GraphBox) -> Extents:
        if box.node is not None:
            return self._extents(box.node)
        half = text_width(f"+{box.folded:,} nodes", DETAIL) / 2 + 6.0
        return Extents(half, half)

    def _row_width(self, boxes: list[GraphBox]) -> float:
        return sum(sum(self._box_extents(box)) + GAP for box in boxes) - GAP

    def _place(self, number: int, boxes: list[GraphBox], width: float, y: float) -> None:
        is_now = number == self.moment.layer
        title = self.drawing.titles[number]
        self.parts.labels.append(SceneLabel(0, y, title, MOVE, "start", is_now, ("row", *(["here"] if is_now else []))))
        at = GUTTER + (width - GUTTER - self._row_width(boxes)) / 2
        for box in boxes:
            own = self._box_extents(box)
            x = at + own.left
            at = x + own.right + GAP
            if box.node is not None:
                self.x[box.node], self.y[box.node] = x, y
                continue
            key, said, marks = f"row{number}", f"+{box.folded:,} nodes", ("bundle", "ahead")
            self.parts.shapes.append(Shape("square", x, y, own.left + own.right, 2 * RADIUS, marks, key))
            self.parts.labels.append(SceneLabel(x, y, said, DETAIL, marks=marks, key=key))
            self.parts.nodes.append(NodeFacts(key, "", "bundle", "", said, "", "", marks, (0, box.folded)))

    # Edges.

    def _is_line(self, node: int, to: int) -> bool:
        """Whether an edge is drawn: it leads to a row beside this one, and both ends are there."""
        return to in self.drawn and abs(self.trace.row_of[to] - self.trace.row_of[node]) == 1

    def _others(self, node: int) -> str:
        """The edges that are not drawn, in words."""
        row, found = self.trace.row_of[node], []
        for to in dict.fromkeys(self.trace.successors[node]):
            if not self._is_line(node, to):
                arrow = UP if self.trace.row_of[to] < row else DOWN if self.trace.row_of[to] > row else ALONG
                found.append(f"{arrow} {self.trace.name(to)}")
        if len(found) > MOST_NAMED:
            found = [*found[: MOST_NAMED - 1], f"+{len(found) - MOST_NAMED + 1}"]
        return "  ".join(found)

    def _edges(self, node: int) -> None:
        is_known = self.moment.is_known(node)
        for to in dict.fromkeys(self.trace.successors[node]):
            is_best = is_known and self.moment.best(node) == to
            marks = (("done",) if is_known else ("ahead",)) + (("line",) if is_best else ())
            if to in self.drawn:
                self.parts.edges.append(SceneEdge(key_of(node), key_of(to), marks))
            if not self._is_line(node, to):
                continue
            is_up = self.y[to] < self.y[node]
            x, to_x = self.x[node] - (0 if is_up else ASIDE), self.x[to] - (0 if is_up else ASIDE)
            low = RADIUS + 2 * DETAIL_LINE if self._others(node if not is_up else to) else RADIUS + DETAIL_LINE
            start = self.y[node] - RADIUS - 2.0 if is_up else self.y[node] + low
            end = self.y[to] + low if is_up else self.y[to] - RADIUS - 2.0
            self.parts.lines.append(Line(((x, start), (to_x, end)), marks, f"{node}>{to}", True))

    # Nodes.

    def _node(self, node: int, look: Look) -> None:
        x, y, key, marks = self.x[node], self.y[node], key_of(node), node_marks(look)
        form: Form = FORMS[look.shape]
        if look.shape == "leaf" and self.trace.is_target(node):
            form = "star"
        side = 2 * RADIUS if form != "square" else 1.5 * RADIUS
        self.parts.shapes.append(Shape(form, x, y, side, side, marks, key))
        if look.is_here:
            self.parts.shapes.append(Shape("pointer", x - RADIUS - 9.0, y, 11.0, 13.0, ("here",), key))
        name = self.trace.name(node)
        labels = self.parts.labels
        labels.append(
            SceneLabel(x + RADIUS + SPACE, y, name, MOVE, "start", look.is_here or look.on_line, ("move", *marks), key)
        )
        under = y + RADIUS + DETAIL_LINE / 2 + 1.0
        if value := self._value(look):
            labels.append(SceneLabel(x, under, value, VALUE, bold=True, marks=("value", *marks), key=key))
        if others := self._others(node):
            labels.append(SceneLabel(x, under + DETAIL_LINE, others, DETAIL, marks=("detail", *marks), key=key))
        self.parts.nodes.append(NodeFacts(key, "", look.shape, name, look.value, look.detail, look.mark, marks))


def graph_parts(trace: LayerTrace, moment: LayerMoment) -> SceneParts:
    """The shapes of a graph at a moment."""
    return GraphParts(trace, moment).made()

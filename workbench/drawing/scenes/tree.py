"""A tree as shapes: layers from top to bottom, a shape for who moves, the value beside it and the window below.

the move         above a node, on the edge that leads to it
△ 3              the node; a leaf is a box with what it pays
[3, +∞]          the window, the visits or the numbers of proof
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

from workbench.drawing.scenes.scene import Form, Line, NodeFacts, Point, SceneEdge, SceneLabel, Shape, text_width
from workbench.render.style import short_number
from workbench.render.values import counted
from workbench.watch.layout import Box, Drawing, Layout
from workbench.watch.trace import Look, Moment, Node, Trace

RADIUS = 12.0
VALUE, DETAIL, MOVE = 14.0, 11.5, 12.0
"""Sizes of letters."""
SPACE = 5.0
"""Between a shape and its value."""
POINTER = 17.0
"""The room for what points at the present node."""
LEAF_HEIGHT = 24.0
DETAIL_LINE, MOVE_LINE = 19.0, 22.0
GAP, BUNDLE = 18, 88
MARGIN = 20.0
CLOSE, FAR, SLOPE = 34.0, 100.0, 9.0
"""The height of the edges between two layers: from, to, and how many times as wide they are at most in between."""
FORMS: dict[str, Form] = {"max": "up", "min": "down", "chance": "circle", "other": "diamond", "leaf": "square"}
CUT = "cut"
MANY = 100_000


class Extents(NamedTuple):
    """What a node takes to the left and to the right of the middle of its shape."""

    left: float
    right: float

    def with_(self, other: Extents) -> Extents:
        """What both take."""
        return Extents(max(self.left, other.left), max(self.right, other.right))


class SceneParts(NamedTuple):
    """The shapes of a tree or a graph, and how much room they take."""

    width: float
    height: float
    lines: list[Line]
    shapes: list[Shape]
    labels: list[SceneLabel]
    nodes: list[NodeFacts]
    edges: list[SceneEdge]


def key_of(node: Node) -> str:
    """The key of a node in a scene."""
    return str(node) if isinstance(node, int) else f"{key_of(node.above)}/{node.move}"


def below_words(look: Look) -> str:
    """What stands below a node."""
    mark = look.mark if look.mark != "trial" else "tried first"
    return " ".join(filter(None, (look.detail, mark)))


def value_width(look: Look) -> float:
    """How wide the value of a node is."""
    return text_width(look.value, VALUE, bold=True)


def leaf_width(look: Look) -> float:
    """How wide the box of a leaf is."""
    return max(value_width(look) + 12.0, LEAF_HEIGHT) if look.value else LEAF_HEIGHT * 0.6


def extents_of(look: Look, move: str) -> Extents:
    """What a node takes. `move`: the move above it."""
    if look.shape == "leaf":
        left = right = leaf_width(look) / 2
    else:
        left = RADIUS
        right = RADIUS + (SPACE + value_width(look) if look.value else 0.0)
        right += SPACE + text_width(CUT, DETAIL) if look.is_cut else 0.0
    side = max(text_width(below_words(look), DETAIL), text_width(move, MOVE, bold=True) + 4.0) / 2
    return Extents(max(left + POINTER, side), max(right, side))


class PixelLayout(Layout):
    """The layout of a tree in pixels."""

    gap, bundle = GAP, BUNDLE

    def __init__(
        self, trace: Trace, moment: Moment, width: int, levels: int, top: Node | None, extents: Callable[[Node], Extents]
    ) -> None:
        self.extents = extents
        super().__init__(trace, moment, width, levels, top)

    def measured(self, node: Node) -> int:
        own = self.extents(node)
        return ceil(own.left + own.right)

    def place(self, box: Box, left: int) -> None:
        """Put the shape of a box above the middle of those of its children, inside the room of its subtree."""
        room = self.subtree(box)
        own = self.extents(box.node) if box.node is not None else Extents(BUNDLE / 2, BUNDLE / 2)
        first, last = left + own.left, left + room - own.right
        if not box.children:
            box.x = round((first + last) / 2)
            return
        at = left
        for child in box.children:
            self.place(child, at)
            at += self.subtree(child) + self.gap
        middle = (box.children[0].x + box.children[-1].x) / 2
        slack = left + room - (at - self.gap)
        box.x = round(max(first, min(middle + slack / 2, last)))
        shift = round(max(0.0, min(box.x - middle, slack)))
        for child in box.children:
            for one in child.all():
                one.x += shift


class TreeParts:
    """Makes the shapes of a laid out tree at a moment."""

    def __init__(self, trace: Trace, moment: Moment, drawing: Drawing, has_details: bool) -> None:
        """`has_details`: there is room for a detail below every inner node."""
        self.trace, self.moment, self.drawing = trace, moment, drawing
        self.boxes = drawing.boxes()
        self.looks = {id(box): moment.look(box.node) for box in self.boxes if box.node is not None}
        self.below = DETAIL_LINE if has_details else 0.0
        self.parts = SceneParts(0, 0, [], [], [], [], [])
        self.y = self._heights()

    def _heights(self) -> list[float]:
        """The height of the middle of each layer."""
        spans = [0.0] * self.drawing.levels
        for box in self.boxes:
            for child in box.children:
                spans[child.level] = max(spans[child.level], abs(child.x - box.x))
        found = [RADIUS + 4.0]
        for span in spans[1:]:
            edges = max(CLOSE, min(FAR, span / SLOPE))
            found.append(found[-1] + RADIUS + self.below + edges + MOVE_LINE + RADIUS)
        return found

    def made(self) -> SceneParts:
        """All the shapes."""
        for box in self.boxes:
            for child in box.children:
                self._edge(box, child)
        for box in self.boxes:
            if box.node is None:
                self._bundle(box)
            else:
                self._node(box, box.node, self.looks[id(box)])
        deepest = self.y[-1] + RADIUS + DETAIL_LINE + (DETAIL_LINE if self._has_more else 0.0)
        return self.parts._replace(width=float(self.drawing.width), height=deepest + 4.0)

    _has_more = False

    def _key(self, box: Box) -> str:
        if box.node is not None:
            return key_of(box.node)
        assert box.above is not None
        assert box.bundle is not None
        return f"{self._key(box.above)}+{box.bundle.first}"

    # Edges.

    def _edge(self, box: Box, child: Box) -> None:
        above, look = self.looks[id(box)], self.looks.get(id(child))
        marks = edge_marks(above, look)
        start = self.y[box.level] + RADIUS + (self.below or 0.0)
        end = self.y[child.level] - RADIUS
        turn = end - MOVE_LINE
        points: tuple[Point, ...] = ((box.x, start), (child.x, turn), (child.x, end))
        if not above.detail and above.shape != "leaf":
            points = ((box.x, self.y[box.level] + RADIUS), *points)
        points = tuple(dict.fromkeys(points))
        key = self._key(child)
        self.parts.lines.append(Line(points, marks, key))
        self.parts.edges.append(SceneEdge(self._key(box), key, marks))
        if look is not None and look.stage == "never" and above.stage != "never":
            self._cross(box.x + 0.7 * (child.x - box.x), start + 0.7 * (turn - start), key)

    def _cross(self, x: float, y: float, key: str) -> None:
        for way in (-5.0, 5.0):
            self.parts.lines.append(Line(((x - 5.0, y - way), (x + 5.0, y + way)), ("cut",), key))

    # Nodes.

    def _node(self, box: Box, node: Node, look: Look) -> None:
        x, y, key = float(box.x), self.y[box.level], self._key(box)
        marks = node_marks(look)
        width = leaf_width(look) if look.shape == "leaf" else 2 * RADIUS
        height = min(LEAF_HEIGHT, width) if look.shape == "leaf" else 2 * RADIUS
        self.parts.shapes.append(Shape(FORMS[look.shape], x, y, width, height, marks, key))
        if look.is_here:
            self.parts.shapes.append(Shape("pointer", x - width / 2 - 9.0, y, 11.0, 13.0, ("here",), key))
        if look.value and look.shape == "leaf":
            self.parts.labels.append(SceneLabel(x, y, look.value, VALUE, bold=True, marks=("value", *marks), key=key))
        elif look.value:
            self.parts.labels.append(
                SceneLabel(x + RADIUS + SPACE, y, look.value, VALUE, "start", True, ("value", *marks), key)
            )
        if look.is_cut and look.shape != "leaf":
            at = x + RADIUS + SPACE + (value_width(look) + SPACE if look.value else 0.0)
            self.parts.labels.append(SceneLabel(at, y, CUT, DETAIL, "start", marks=("cut",), key=key))
        under = y + RADIUS + DETAIL_LINE / 2
        if said := below_words(look):
            self.parts.labels.append(SceneLabel(x, under, said, DETAIL, marks=("detail", *marks), key=key))
        move = self.trace.move(node) if box.above is not None else ""
        if move:
            place = y - RADIUS - MOVE_LINE / 2 - 1.0
            strong = look.on_path or look.on_line
            self.parts.labels.append(SceneLabel(x, place, move, MOVE, bold=strong, marks=("move", *marks), key=key))
        above = self._key(box.above) if box.above is not None else ""
        self.parts.nodes.append(NodeFacts(key, above, look.shape, move, look.value, look.detail, look.mark, marks))

    def _bundle(self, box: Box) -> None:
        assert box.bundle is not None
        x, y, key = float(box.x), self.y[box.level], self._key(box)
        moves, nodes = box.bundle.moves, box.bundle.nodes
        marks = ("bundle", "done" if nodes else "ahead")
        said = [f"+{counted(moves, 'move')}"]
        if nodes:
            said.append(f"{short_number(nodes)} nodes" if nodes >= MANY else counted(nodes, "node"))
        height = 2 * RADIUS + (DETAIL_LINE if len(said) > 1 else 0.0)
        self.parts.shapes.append(Shape("square", x, y - RADIUS + height / 2, BUNDLE, height, marks, key))
        for row, words in enumerate(said):
            self.parts.labels.append(SceneLabel(x, y + row * (DETAIL_LINE - 1.0), words, DETAIL, marks=marks, key=key))
        assert box.above is not None
        facts = NodeFacts(key, self._key(box.above), "bundle", "", " ".join(said), "", "", marks, (moves, nodes))
        self.parts.nodes.append(facts)


def node_marks(look: Look) -> tuple[str, ...]:
    """The words for what a node is at a moment."""
    states = {"here": look.is_here, "path": look.on_path, "line": look.on_line, "cut": look.is_cut}
    return (look.shape, look.stage, *(mark for mark, holds in states.items() if holds))


def edge_marks(above: Look, look: Look | None) -> tuple[str, ...]:
    """The words for what an edge is at a moment; `look` is None of an edge to a bundle."""
    if look is None:
        return ("bundle",)
    found: list[str] = [look.stage]
    found += ["path"] if look.on_path and above.on_path else []
    found += ["line"] if look.on_line and above.on_line else []
    return tuple(found)

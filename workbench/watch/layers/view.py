"""The drawn graph of a moment as lines of text: a row for each layer, targets at the top, edges as lines that go upwards."""

from __future__ import annotations

from itertools import pairwise

from rich.text import Text

from workbench.render.style import plain_letters
from workbench.watch.layers.graph_layout import ALONG, DOWN, UP, Edge, GraphBox, GraphDrawing, GraphLayout
from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace
from workbench.watch.strokes import HEAVY, LIGHT, NONE, plain_stroke, stroke
from workbench.watch.trace import Look, Node
from workbench.watch.view import CURRENT, DASH, FAINT, HERE, PATH, PLAIN_SHAPES, SHAPES, Canvas

MOST_STRETCHED = 3
GUTTER = 9
"""Columns for the names of the rows."""
LAYER_STYLES = ("bold yellow", "cyan", "green", "magenta", "blue", "bright_cyan", "bright_green", "bright_magenta")
"""The colours of layers, again and again; the number of the layer stands beside each node."""
TARGET, DEAD_END = "★", "■"
PLAIN = {UP: "^", DOWN: "v", ALONG: ">", TARGET: "*", DEAD_END: "#", "∞": "oo", "…": ".."}


class GraphView:
    """The drawing of a moment in so many columns and lines. It has what `workbench.watch.view.TreeView` has for a screen."""

    def __init__(self, trace: LayerTrace, moment: LayerMoment, width: int, height: int) -> None:
        self.trace, self.moment, self.width, self.height = trace, moment, width, height
        self.plain = plain_letters()
        self.gutter = GUTTER if width >= 40 else 0
        self.drawing: GraphDrawing = GraphLayout(trace, moment, width - self.gutter, height).drawing()
        self.stretch = max(1, min(MOST_STRETCHED, height // max(self.drawing.height, 1)))
        """A graph that is small is drawn higher."""
        self.top = max(0, (height - self.drawing.height * self.stretch) // 3)
        self.canvas = Canvas(width, height)
        self.spots: list[GraphSpot] = []
        """Where nodes stand, for the mouse."""

    def lines(self) -> list[Text]:
        """The drawing as text."""
        for row, line in self.drawing.lines.items():
            if self.gutter:
                style = PATH if row == self.moment.layer else FAINT
                self.canvas.put(0, self.top + line * self.stretch, self.drawing.titles[row][: GUTTER - 1], style)
        self._strokes()
        for box in self.drawing.boxes:
            if box.node is None:
                self._bundle(box)
            else:
                self._node(box, box.node)
        return self.canvas.lines()

    def node_at(self, x: int, y: int) -> Node | None:
        """The node that is drawn there; None if there is none."""
        for spot in self.spots:
            if spot.line == y and spot.first - 1 <= x <= spot.last and spot.box.node is not None:
                return spot.box.node
        return None

    def note(self) -> str:
        """What of the graph is not drawn, in words; empty if all of it is."""
        hidden = [f"layers 0 to {self.drawing.hidden - 1} above"] if self.drawing.hidden > 1 else []
        hidden = ["layer 0 above"] if self.drawing.hidden == 1 else hidden
        below = len(self.trace.rows) - max(self.drawing.lines, default=0) - 1
        hidden += [f"{below} more below"] if below > 0 else []
        return ", ".join(hidden)

    def style_of(self, look: Look, node: int) -> str:
        """The colour of a node's layer."""
        if look.is_here:
            return CURRENT
        if look.stage == "ahead":
            return FAINT
        return LAYER_STYLES[(self.trace.layer(node) or 0) % len(LAYER_STYLES)]

    def shape(self, node: int) -> str:
        """Who decides at a node; a target, or where no edge leads on."""
        kind = self.trace.shape(node)
        if kind != "leaf":
            return (PLAIN_SHAPES if self.plain else SHAPES)[kind]
        ends = TARGET if self.trace.is_target(node) else DEAD_END
        return PLAIN[ends] if self.plain else ends

    def _node(self, box: GraphBox, node: int) -> None:
        look, y = self.moment.look(node), self._line_of(box.row)
        x = self.gutter + box.x + 1
        name = box.label.rpartition(" ")[0]
        value = PLAIN.get(look.value, look.value) if self.plain else look.value
        label = f"{self.shape(node)}{name} {value}".rstrip()
        if look.is_here:
            self.canvas.put(x - 1, y, ">" if self.plain else HERE, PATH)
        self.canvas.put(x, y, label, self.style_of(look, node))
        if box.beside:
            beside = "".join(PLAIN.get(letter, letter) for letter in box.beside) if self.plain else box.beside
            self.canvas.put(x + len(f"{self.shape(node)}{box.label}") + 1, y, beside, FAINT)
        self.spots.append(GraphSpot(y, x, x + len(label), box))

    def _line_of(self, row: int) -> int:
        """The line on which a row stands."""
        return self.top + self.drawing.lines[row] * self.stretch

    def _ends(self, edge: Edge) -> tuple[tuple[int, int], tuple[int, int]]:
        """Where an edge begins, close to its lower node, and where it ends, close to the upper one."""
        (low_x, low_y), (high_x, high_y) = edge.corners[0], edge.corners[-1]
        more = self.stretch - 1
        return (low_x, low_y * self.stretch + more), (high_x, high_y * self.stretch - more)

    def _bundle(self, box: GraphBox) -> None:
        y, x = self._line_of(box.row), self.gutter + box.x
        label = "".join(PLAIN.get(letter, letter) for letter in box.label) if self.plain else box.label
        self.canvas.put(x, y, label, FAINT)
        self.spots.append(GraphSpot(y, x, x + len(box.label), box))

    def _is_reason(self, edge: Edge) -> bool:
        """Whether the edge is the one that whoever decides takes."""
        return self.moment.best(edge.node) == edge.to

    def _strokes(self) -> None:
        """All edges: heavy where the strategy goes, dashed before both ends are known."""
        arms: dict[tuple[int, int], list[int]] = {}
        known: dict[tuple[int, int], bool] = {}

        def add(x: int, y: int, side: int, weight: int, is_known: bool) -> None:
            cell = arms.setdefault((x, y), [NONE] * 4)
            cell[side] = max(cell[side], weight)
            known[x, y] = known.get((x, y), False) or is_known

        for edge in self.drawing.edges:
            is_known = self.moment.is_known(edge.node)
            weight = HEAVY if is_known and self._is_reason(edge) else LIGHT
            low, high = self._ends(edge)
            add(*low, 1, weight, is_known)
            add(*high, 0, weight, is_known)
            for (x, y), (to_x, to_y) in pairwise([low, *((x, y * self.stretch) for x, y in edge.corners), high]):
                for at in range(min(x, to_x), max(x, to_x)):
                    add(at, y, 3, weight, is_known)
                    add(at + 1, y, 2, weight, is_known)
                for at in range(min(y, to_y), max(y, to_y)):
                    add(x, at, 1, weight, is_known)
                    add(x, at + 1, 0, weight, is_known)
        draw = plain_stroke if self.plain else stroke
        for (x, y), cell in arms.items():
            letter = draw(*cell)
            if not known[x, y] and not self.plain and letter in "─│":
                letter = DASH if letter == "─" else "┊"
            self.canvas.put(self.gutter + x, self.top + y, letter, "" if known[x, y] else FAINT)


class GraphSpot:
    """A box on the screen, for the mouse."""

    def __init__(self, line: int, first: int, last: int, box: GraphBox) -> None:
        self.line, self.first, self.last, self.box = line, first, last, box

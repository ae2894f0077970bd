"""Where a search is drawn: lays out its moments, each as a `Scene`.

    stage = Stage(trace, what="alphabeta on Tree")
    scenes = [stage.scene(at) for at in range(len(trace) + 1)]

A small tree is measured at all its moments, and drawn as a whole: every node has the same place in all scenes, which are of
the same size, so that nothing jumps when they are shown one after another (`is_still`). Of a tree that is too large the
surroundings of the present node are drawn, and the rest in bundles with a count.
"""

from __future__ import annotations

from functools import cached_property

from workbench.drawing.scenes.graph import graph_parts
from workbench.drawing.scenes.legend import LEGEND_LINE, entries_of, legend_parts, legend_rows
from workbench.drawing.scenes.scene import Line, Scene, SceneLabel, Shape, text_width, wrapped
from workbench.drawing.scenes.tree import MARGIN, Extents, PixelLayout, SceneParts, TreeParts, extents_of
from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace
from workbench.watch.layout import Drawing
from workbench.watch.trace import Moment, Node, Trace

WIDTH, LEVELS = 1400, 8
"""The largest picture: pixels, and layers of nodes."""
NARROWEST = 460.0
MOST_NODES, MOST_LOOKS = 250, 40_000
"""A tree of no more nodes, at no more moments in all, is measured at all of them."""
TITLE, SENTENCE, SENTENCE_LINE = 16.0, 13.0, 19.0
HEAD = 44.0


class Stage:
    """Lays out the moments of a search in pixels."""

    def __init__(
        self,
        trace: Trace,
        what: str = "",
        top: Node | None = None,
        width: int = WIDTH,
        levels: int = LEVELS,
        has_words: bool = True,
    ) -> None:
        """`what`: the algorithm and the position, for the title. `top`: the node below which everything is drawn; the root
        if it is None. `has_words`: the title, the sentence and the legend are part of the scene."""
        self.trace, self.what, self.top, self.has_words = trace, what, top, has_words
        self.width, self.levels = width, levels
        self.is_graph = isinstance(trace, LayerTrace) and not trace.is_tree
        self._drawings: dict[Node, Drawing] = {}

    def scene(self, at: int) -> Scene:
        """The scene after so many events."""
        moment = self.trace.moment(at)
        parts = self._parts(moment)
        title = f"{self.what}: event {moment.at:,} of {len(self.trace):,}".removeprefix(": ")
        legend = entries_of(self.trace, parts)
        widest = max((one[0] for one in self._still.values()), default=0.0)
        width = max(parts.width + 2 * MARGIN, NARROWEST, widest)
        head = HEAD if self.has_words else MARGIN / 2
        shift = (width - parts.width) / 2
        parts = moved(parts, shift, head)
        end = head + parts.height
        sentence = moment.sentence()
        height = end + MARGIN / 2
        if self.has_words:
            room = width - 2 * MARGIN
            rows = wrapped(sentence, SENTENCE, room)
            parts.labels.append(SceneLabel(MARGIN, 24.0, title, fitting(title, room), "start", True, ("caption",)))
            below = end + SENTENCE_LINE
            for row, words in enumerate(rows):
                place = below + row * SENTENCE_LINE
                parts.labels.append(SceneLabel(MARGIN, place, words, SENTENCE, "start", marks=("sentence",)))
            below += max(len(rows), self._still_rows(width)[0]) * SENTENCE_LINE + 8.0
            shapes, lines, labels = legend_parts(legend, MARGIN, below, room)
            parts.shapes.extend(shapes)
            parts.lines.extend(lines)
            parts.labels.extend(labels)
            height = below + max(legend_rows(legend, room), self._still_rows(width)[1]) * LEGEND_LINE
        return Scene(
            round(width, 1),
            round(height, 1),
            moment.at,
            len(self.trace),
            title,
            sentence,
            tuple(parts.lines),
            tuple(parts.shapes),
            tuple(parts.labels),
            tuple(parts.nodes),
            tuple(parts.edges),
            legend,
            round(end, 1),
        )

    @property
    def is_still(self) -> bool:
        """Whether every node has the same place at all moments."""
        return bool(self._still)

    # What is measured at all moments.

    def _roots(self) -> list[Node]:
        if self.top is not None:
            return [self.top]
        paths = (self.trace.moment(at).path for at in range(len(self.trace) + 1))
        return list(dict.fromkeys(path[0] for path in paths if path))

    @cached_property
    def _measured(self) -> dict[Node, Extents] | None:
        """What each node takes at most at any moment; None of a tree that is too large to find out."""
        count = len(self.trace) + 1
        if self.is_graph or count > MOST_LOOKS // 4:
            return None
        waiting: list[Node] = self._roots()
        for node in waiting:  # grows while it is walked
            waiting += self.trace.children(node)
            if len(waiting) > MOST_NODES or len(waiting) * count > MOST_LOOKS:
                return None
        found: dict[Node, Extents] = {}
        for at in range(count):
            moment = self.trace.moment(at)
            for node in waiting:
                own = extents_of(moment.look(node), self._move(node))
                found[node] = found[node].with_(own) if node in found else own
        return found

    @cached_property
    def _still(self) -> dict[Node, tuple[float, Drawing]]:
        """For each root the width of the scene, and the drawing of the whole tree; empty if a tree is not drawn as a
        whole."""
        if self._measured is None:
            return {}
        found: dict[Node, tuple[float, Drawing]] = {}
        moments: dict[Node, int] = {}
        for at in range(len(self.trace), -1, -1):
            moments |= dict.fromkeys(self.trace.moment(at).path[:1], at)
        for root in self._roots():
            moment = self.trace.moment(moments.get(root, len(self.trace)))
            drawing = self._laid_out(moment)
            if drawing.hidden or sum(1 for box in drawing.boxes() if box.node is not None) != self._count(root):
                return {}
            found[root] = max(drawing.width + 2 * MARGIN, NARROWEST), drawing
        return found

    def _count(self, root: Node) -> int:
        waiting = [root]
        for node in waiting:  # grows while it is walked
            waiting += self.trace.children(node)
        return len(waiting)

    def _still_rows(self, width: float) -> tuple[int, int]:
        """The lines of the sentence and of the legend, at most, where the scenes are of the same size."""
        if not self.is_still:
            return 0, 0
        return self._most_rows(width)

    def _most_rows(self, width: float) -> tuple[int, int]:
        if width not in self._rows:
            room = width - 2 * MARGIN
            moments = [self.trace.moment(at) for at in range(len(self.trace) + 1)]
            sentences = max(len(wrapped(moment.sentence(), SENTENCE, room)) for moment in moments)
            entries = {entry for moment in moments for entry in entries_of(self.trace, self._parts(moment))}
            self._rows[width] = sentences, legend_rows(tuple(entries), room)
        return self._rows[width]

    @cached_property
    def _rows(self) -> dict[float, tuple[int, int]]:
        return {}

    # SceneParts.

    def _move(self, node: Node) -> str:
        return self.trace.move(node) if self.trace.parent(node) is not None else ""

    def _laid_out(self, moment: Moment) -> Drawing:
        def extents(node: Node) -> Extents:
            if self._measured is not None and node in self._measured:
                return self._measured[node]
            return extents_of(moment.look(node), self._move(node))

        layout = PixelLayout(self.trace, moment, self.width - int(2 * MARGIN), self.levels, self.top, extents)
        return layout.drawing()

    def _parts(self, moment: Moment) -> SceneParts:
        if isinstance(self.trace, LayerTrace) and isinstance(moment, LayerMoment) and self.is_graph:
            return graph_parts(self.trace, moment)
        root = self.top if self.top is not None else next(iter(moment.path), None)
        still = self._still.get(root) if root is not None else None
        drawing = still[1] if still is not None else self._laid_out(moment)
        has_details = any(self.trace.widest(box.node)[1] for box in drawing.boxes()[:3] if box.node is not None)
        return TreeParts(self.trace, moment, drawing, has_details).made()


def scene_of(trace: Trace, at: int, what: str = "", top: Node | None = None) -> Scene:
    """One scene; for several of one search, make a `Stage`."""
    return Stage(trace, what, top).scene(at)


def fitting(text: str, width: float) -> float:
    """The size of letters in which a title fits."""
    return min(TITLE, max(9.0, TITLE * width / max(text_width(text, TITLE, bold=True), 1.0)))


def moved(parts: SceneParts, x: float, y: float) -> SceneParts:
    """The same somewhere else."""
    lines = [
        Line(tuple((round(a + x, 1), round(b + y, 1)) for a, b in line.points), line.marks, line.key, line.has_arrow)
        for line in parts.lines
    ]
    shapes = [
        Shape(one.form, round(one.x + x, 1), round(one.y + y, 1), one.width, one.height, one.marks, one.key)
        for one in parts.shapes
    ]
    labels = [
        SceneLabel(round(one.x + x, 1), round(one.y + y, 1), one.text, one.size, one.anchor, one.bold, one.marks, one.key)
        for one in parts.labels
    ]
    return parts._replace(lines=lines, shapes=shapes, labels=labels)

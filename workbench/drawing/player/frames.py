"""A trace as data that a page can play: the tree once, and for each event only what it has changed.

The page works every moment out from the number of events, so that going back is as exact there as it is in a trace.

    strings    every text once; the rest names them by their places
    nodes      for each node its parent (-1 for a root), the move that leads to it, its shape, how many nodes of the search
               are below it, and the moment when the search comes to it (-1: never)
    frames     for each moment a list, see `FRAME`; the first holds what is known before it, each later one the changes

A look is two numbers in a frame: `stage + 4 * is_cut + 8 * mark`, and the places of value and detail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engines.algorithm import Algorithm
from engines.contract import InputError
from workbench.drawing.player.boards import Places, boards_of
from workbench.drawing.player.excerpt import Excerpt
from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace
from workbench.watch.steps import lines_of, step_line
from workbench.watch.trace import Look, Moment, Node, Trace, Unsearched

STAGES = ("ahead", "open", "done", "never")
MARKS = ("", "table", "horizon", "pruned", "trial", "quiet")
SHAPES = ("max", "min", "chance", "other", "leaf")
FRAME = ("looks", "here", "end", "shown", "step", "visited", "sentence", "variables", "line", "choices")
"""What a frame has, in order: changed looks (node, look, value, detail, ...), the node where the search is, the end of its
path, whether node and path are marked (1: the node, 2: the path), the line of the card or -1, how many nodes were visited,
the sentence, the variables (name, value, ...) and the best line, which are 0 where they have not changed; and of a graph the
changes of where whoever decides at a node goes (node, the other node or -1, ...)."""
HERE_SHOWN, PATH_SHOWN = 1, 2
MOST_GRAPH = 600
"""A graph of more nodes is not played back: it is drawn as a whole."""
BETWEEN = 50
"""After so many events progress is told again."""

Progress = Callable[[int, int], None]
"""Is told how many events are written, and how many there are."""


class Frames:
    """Writes the frames of an excerpt."""

    def __init__(self, trace: Trace, algorithm: Algorithm, part: Excerpt) -> None:
        self.trace, self.algorithm, self.part = trace, algorithm, part
        self.graph = trace if isinstance(trace, LayerTrace) and not trace.is_tree else None
        """The trace, if it is that of a graph."""
        if self.graph is not None and len(self.graph.successors) > MOST_GRAPH:
            count = f"{len(self.graph.successors):,}"
            raise InputError(
                f"This graph has {count} nodes; a page has room for {MOST_GRAPH:,}, a picture for some of them."
            )
        self.strings = Places([""])
        self.numbers: dict[Node, int] = {}
        """The number of each node in the page: a parent's is less than its children's, whose order is from left to right."""
        self.order: list[Node] = []
        self._looks: dict[Node, tuple[int, int, int]] = {}
        self._line: tuple[int, ...] = ()
        self._variables: list[int] = []
        self._choices: dict[int, int] = {}
        self._steps: dict[tuple[str, ...], int] = {}

    def written(self, progress: Progress = lambda done, total: None) -> dict[str, Any]:
        """The data: strings, nodes and frames."""
        moments = range(self.part.first, self.part.last + 1)
        self._number(moments)
        frames = []
        for at in moments:
            frames.append(self._frame(self.trace.moment(at), is_first=at == self.part.first))
            if at % BETWEEN == 0:
                progress(at - self.part.first, len(moments) - 1)
        begin = self.trace.moment(self.part.first)
        nodes = {
            "parent": [self._above(node) for node in self.order],
            "move": [self.strings.place(self._name(node)) for node in self.order],
            "shape": [SHAPES.index(begin.look(node).shape) for node in self.order],
            "size": [self.trace.size(node) for node in self.order],
            "first": [-1 if isinstance(node, Unsearched) else self.trace.moment_of(node) for node in self.order],
        }
        heres = sorted({frame[1] for frame in frames})
        boards = boards_of(self.trace, [(number, self.order[number]) for number in heres], self.strings)
        return {
            "strings": self.strings.all,
            "nodes": nodes,
            "frames": frames,
            "layers": None if self.graph is None else self._edges(self.graph),
            "boards": boards,
            "steps": lines_of(self.algorithm),
        }

    # The tree.

    def _above(self, node: Node) -> int:
        above = self.trace.parent(node)
        return -1 if above is None else self.numbers[above]

    def _name(self, node: Node) -> str:
        return self.trace.move(node) if self.trace.parent(node) is not None or self.graph is not None else ""

    def _edges(self, graph: LayerTrace) -> dict[str, Any]:
        """Where the nodes of a graph stand, row by row, and where their edges lead."""
        titles = ["in no layer" if (layer := graph.layer(row[0])) is None else f"layer {layer}" for row in graph.rows]
        return {"rows": graph.rows, "titles": titles, "to": [list(dict.fromkeys(below)) for below in graph.successors]}

    def _number(self, moments: Iterable[int]) -> None:
        """Number all nodes that are drawn: those that the excerpt is about, those above them, and all children of these."""
        if self.graph is not None:
            self._take(range(len(self.graph.successors)))
            return
        about: set[Node] = set()
        roots: dict[Node, None] = {}
        for at in moments:
            moment = self.trace.moment(at)
            ends: list[Node] = [moment.here, *moment.path[-1:], *moment.line[-1:]]
            if at > self.part.first:
                ends += self.trace.touched(at - 1)
            for end in ends:
                node: Node | None = end
                while node is not None and node not in about:
                    about.add(node)
                    last, node = node, self.trace.parent(node)
                    if node is None:
                        roots[last] = None
        waiting: list[Node] = list(reversed(roots))
        while waiting:
            node = waiting.pop()
            self._take([node])
            if node in about or isinstance(node, Unsearched) or self.part.is_whole:
                waiting += reversed(self.trace.children(node))

    def _take(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self.numbers[node] = len(self.order)
            self.order.append(node)

    # A moment.

    def _frame(self, moment: Moment, is_first: bool) -> list[Any]:
        here = moment.look(moment.here)
        end = moment.path[-1] if moment.path else moment.here
        shown = HERE_SHOWN * here.is_here + PATH_SHOWN * (here if end == moment.here else moment.look(end)).on_path
        variables = [self.strings.place(text) for variable in moment.variables() for text in variable]
        line = tuple(self.numbers[node] for node in moment.line)
        touched = self.order if is_first else dict.fromkeys(self.trace.touched(moment.at - 1))
        frame = [
            self._changes(moment, touched),
            self.numbers[moment.here],
            self.numbers[end],
            shown,
            self._step(moment.steps()),
            self.trace.visited(moment.at),
            self.strings.place(moment.sentence()),
            variables if is_first or variables != self._variables else 0,
            list(line) if is_first or line != self._line else 0,
            *([self._chosen(moment)] if isinstance(moment, LayerMoment) and self.graph is not None else []),
        ]
        self._variables, self._line = variables, line
        return frame

    def _step(self, names: tuple[str, ...]) -> int:
        if names not in self._steps:
            line = step_line(self.algorithm, names)
            self._steps[names] = -1 if line is None else line
        return self._steps[names]

    def _chosen(self, moment: LayerMoment) -> list[int]:
        """The nodes of a graph where another edge is taken than before."""
        found: list[int] = []
        for node in range(len(self.order)):
            best = moment.best(node)
            if (to := -1 if best is None else best) != self._choices.get(node, -1):
                self._choices[node] = to
                found += (node, to)
        return found

    def _changes(self, moment: Moment, nodes: Iterable[Node]) -> list[int]:
        """The looks of these nodes that are not what they were."""
        found: list[int] = []
        for node in nodes:
            look = self._coded(moment.look(node))
            if look != self._looks.get(node, (0, 0, 0)) and node in self.numbers:
                self._looks[node] = look
                found += (self.numbers[node], *look)
        return found

    def _coded(self, look: Look) -> tuple[int, int, int]:
        state = STAGES.index(look.stage) + 4 * look.is_cut + 8 * MARKS.index(look.mark)
        return state, self.strings.place(look.value), self.strings.place(look.detail)

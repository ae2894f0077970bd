"""The trace of a search from the ends of a graph backwards: which node joins which layer, and why."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engines.algorithm import Algorithm
from engines.contract import Report, listed
from engines.game import Game
from engines.position import Position
from engines.run.work import new_work
from engines.search.attractor import Attraction
from workbench.render.values import counted
from workbench.watch.layers.rows import ordered, predecessors_of
from workbench.watch.trace import Happening, Look, Moment, Node, Shape, Trace, Variable, player_marks

NEVER = 2**31
BEFORE = "Nothing has happened yet: a step forward takes the nodes where the game ends."
MOST_NAMED = 8
"""So many nodes are named in a sentence."""


class Joined(NamedTuple):
    """A node that has joined a layer: by which kind of reason, and the edge that was the reason, as the node it leads to."""

    kind: str
    node: int
    by: int | None


class LayerTrace(Trace):
    """The layers of a graph, or of a typed tree, in the order in which the search finds their nodes."""

    def __init__(self, position: Position, algorithm: Algorithm, layers: int | None = None) -> None:
        self.start, self.algorithm, self.notice = position, algorithm, ""
        self.game: Game = position.game
        self.root = int(position.state.node)
        known = Attraction(position.game.rules_for(position), self.game.endless or 0, self.game.has_winner)
        self.known = known
        self.successors = [known.behind(node) for node in range(len(known.nodes))]
        self.events: list[Joined] = []
        self.layers: list[list[int]] = []
        self._starts: list[int] = []
        self.has_ended = False
        self._grow(layers)
        self.when = [NEVER] * len(self.successors)
        """For each node the number of the event by which it joined a layer."""
        for number, event in enumerate(self.events):
            if event.kind not in ("layer", "ended"):
                self.when[event.node] = number
        self._entries = sorted(number for number in self.when if number != NEVER)
        self._above: dict[int, int] = {}
        if self.is_tree:
            self._above = {child: node for node, below in enumerate(self.successors) for child in below}

    def _grow(self, last: int | None) -> None:
        known, work = self.known, new_work()
        self._layer(known.layer[: known.count].tolist())
        while last is None or len(self.layers) <= last:
            if not known.grow(work):
                self.has_ended = True
                self.events.append(Joined("ended", self.root, None))
                return
            self._layer(known.layer[: known.count].tolist())

    def _layer(self, nodes: list[int]) -> None:
        """A layer that was found, as events: the search has gone through the edges in this order."""
        number = len(self.layers)
        self.layers.append(nodes)
        self._starts.append(len(self.events))
        self.events.append(Joined("layer", nodes[0] if nodes else self.root, None))
        self.events += [self._joined(node, number) for node in nodes]

    def _joined(self, node: int, layer: int) -> Joined:
        if not layer:
            return Joined("target" if self.game.has_winner else "valued", node, None)
        below = self.successors[node]
        last = [child for child in below if int(self.known.rank[child]) == layer - 1]
        if not self.game.has_winner:
            return Joined("valued", node, last[0])
        winner = int(self.known.winner[node])
        if self.owner(node) == winner:
            return Joined("one edge", node, next(child for child in last if int(self.known.winner[child]) == winner))
        return Joined("all edges", node, last[0])

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        signs = [*player_marks(self.position(self.root), False), ("1 2", "the layer, each in a colour of its own")]
        signs += [] if self.is_tree else [("★", "a target"), ("■", "no way on")]
        return (*signs, ("━", "the edge that is taken"), ("┊", "not known yet"), ("…6", "6 nodes folded"))

    # What holds at all moments.

    @property
    def is_tree(self) -> bool:
        """It is a tree, and is drawn as one."""
        return self.game.is_tree

    def __len__(self) -> int:
        return len(self.events)

    def moment(self, at: int) -> LayerMoment:
        return LayerMoment(self, at)

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """For each node those with an edge to it."""
        return predecessors_of(self.successors)

    @cached_property
    def rows(self) -> list[list[int]]:
        """The nodes of each layer, and last those in none, in the order in which they are drawn."""
        rest = [node for node in range(len(self.successors)) if self.layer(node) is None]
        rows = [layer for layer in [*self.layers, rest] if layer]
        return ordered(rows, self.successors, self.predecessors)

    @cached_property
    def row_of(self) -> list[int]:
        """The row of each node."""
        found = [0] * len(self.successors)
        for number, row in enumerate(self.rows):
            for node in row:
                found[node] = number
        return found

    @cached_property
    def place_of(self) -> list[int]:
        """The place of each node in its row."""
        found = [0] * len(self.successors)
        for row in self.rows:
            for place, node in enumerate(row):
                found[node] = place
        return found

    def owner(self, node: int) -> int:
        """1 where MAX decides, -1 where MIN does."""
        return int(np.sign(self.known.nodes[node, 3]))

    def layer(self, node: int) -> int | None:
        """The layer that a node joins in the end; None if it joins none."""
        return int(self.known.rank[node]) if self.when[node] != NEVER else None

    def name(self, node: int) -> str:
        """What a node is called."""
        return self.game.node_name(node)

    def children(self, node: Node) -> Sequence[Node]:
        assert isinstance(node, int)
        return self.successors[node]

    def parent(self, node: Node) -> Node | None:
        return self._above.get(node) if isinstance(node, int) else node.above

    @cached_property
    def _sizes(self) -> list[int]:
        sizes = [1] * len(self.successors)
        for node in range(len(sizes) - 1, -1, -1):  # the children of a written tree come behind their parents
            if node in self._above:
                sizes[self._above[node]] += sizes[node]
        return sizes

    def size(self, node: Node) -> int:
        return self._sizes[node] if isinstance(node, int) else 0

    def move(self, node: Node) -> str:
        assert isinstance(node, int)
        above = self._above.get(node)
        if above is None:
            return self.name(node)
        here = self.position(above)
        return here.game.move_text(here.state, self.successors[above].index(node))

    def position(self, node: Node) -> Position:
        assert isinstance(node, int)
        return Position(self.game, self.start.state._replace(node=node))

    @cached_property
    def depth(self) -> int:
        if not self.is_tree:
            return len(self.layers)
        plies = [0] * len(self.successors)
        for node in range(len(plies)):
            if node in self._above:
                plies[node] = plies[self._above[node]] + 1
        return max(plies)

    def shape(self, node: int) -> Shape:
        """Who decides at a node."""
        if not self.successors[node]:
            return "leaf"
        return "max" if self.owner(node) > 0 else "min"

    def is_target(self, node: int) -> bool:
        """Whether somebody has got what is wanted at a node without successors."""
        winner = int(self.known.winner[node])
        return winner != 0 and winner != (self.game.endless or 0)

    def widest(self, node: Node) -> tuple[int, int]:
        return self._widest

    @cached_property
    def _widest(self) -> tuple[int, int]:
        end = self.moment(len(self))
        looks = [end.look(node) for node in range(min(len(self.successors), 300))]
        return 1 + max(len(look.value) for look in looks), max(len(look.detail) for look in looks)

    def worth(self, node: int) -> str:
        """What a node of a graph without targets pays, or is worth."""
        return f"{self.game.shown_value(int(self.known.values[node])):g}"

    # Places.

    @property
    def landmarks(self) -> tuple[str, ...]:
        return ("layer",)

    def next_of(self, kinds: Sequence[str], at: int, step: int) -> int | None:
        numbers = [number for number, event in enumerate(self.events) if event.kind in kinds]
        place = bisect_right(numbers, at - 1) if step > 0 else bisect_left(numbers, at - 1) - 1
        return numbers[place] + 1 if 0 <= place < len(numbers) else None

    def moment_of(self, node: int) -> int:
        return self.when[node] + 1 if self.when[node] != NEVER else len(self)

    def touched(self, number: int) -> Iterable[Node]:
        event = self.events[number]
        return [node for node, when in enumerate(self.when) if when > number] if event.kind == "ended" else [event.node]

    def visited(self, at: int) -> int:
        return bisect_left(self._entries, at)

    def moment_of_visit(self, count: int) -> int:
        return self._entries[min(max(count, 1), len(self._entries)) - 1] + 1 if self._entries else 0

    def layer_at(self, at: int) -> int:
        """The layer that is being found after so many events; -1 before the first."""
        return bisect_left(self._starts, at) - 1


class LayerMoment(Moment):
    """What is known after so many events."""

    def __init__(self, trace: LayerTrace, at: int) -> None:
        self.trace = trace
        self.at = max(0, min(at, len(trace)))
        last = trace.events[self.at - 1] if self.at else None
        self.event: Happening | None = Happening(*last) if last is not None else None
        self.here = last.node if last is not None else trace.root
        path = [self.here]
        while (above := trace.parent(path[-1])) is not None:
            assert isinstance(above, int)
            path.append(above)
        self.path = tuple(path[::-1])

    def is_known(self, node: int) -> bool:
        """Whether a node has joined a layer."""
        return self.trace.when[node] < self.at

    @property
    def layer(self) -> int:
        """The layer that is being found; -1 before the first."""
        return self.trace.layer_at(self.at)

    @property
    def is_over(self) -> bool:
        """Whether it is known that nothing is added any more."""
        return self.event is not None and self.event.kind == "ended"

    def best(self, node: int) -> int | None:
        """Where whoever decides at a node goes, as far as it is known by now."""
        trace, known = self.trace, self.trace.known
        below = [child for child in trace.successors[node] if self.is_known(child)]
        if not below or not self.is_known(node):
            return None
        owner = trace.owner(node)

        def worth(child: int) -> int:
            return owner * known.value(child, done=False)

        return max(below, key=worth)

    @cached_property
    def line(self) -> tuple[int, ...]:  # type: ignore[override]  # as a property it is made only when it is asked for
        """Best play from the start, as far as it is known."""
        line = [self.trace.root]
        while (best := self.best(line[-1])) is not None and best not in line:
            line.append(best)
        return tuple(line) if len(line) > 1 else ()

    def look(self, node: Node) -> Look:
        assert isinstance(node, int)
        trace = self.trace
        is_known = self.is_known(node)
        here = node == self.here and self.event is not None and self.event.kind != "layer"
        shape = trace.shape(node)
        value = detail = ""
        if is_known:
            layer = int(trace.known.rank[node])
            value = trace.worth(node) if not trace.game.has_winner else self._mark(node, layer)
            detail = "" if trace.game.has_winner else f"layer {layer}"
        elif trace.is_tree and shape == "leaf":
            value = trace.worth(node)
        elif self.is_over:
            value = "∞"
        return Look(
            "done" if is_known else "ahead",
            shape,
            value,
            detail,
            is_here=here,
            on_path=here or (trace.is_tree and node in self.path),
            on_line=node in self.line,
        )

    def _mark(self, node: int, layer: int) -> str:
        """The layer of a node; with the sign of who gets there, where both want something."""
        if len(set(np.unique(self.trace.known.winner)) - {0}) < 2:
            return str(layer)
        return f"{'+' if self.trace.known.winner[node] > 0 else '-'}{layer}"

    # In words.

    def variables(self) -> tuple[Variable, ...]:
        if self.event is None:
            return ()
        trace = self.trace
        found = [Variable("layer", str(self.layer)), Variable("nodes so far", f"{trace.visited(self.at):,}")]
        node = self.event.node
        if self.event.kind not in ("layer", "ended") and trace.successors[node]:
            found.append(Variable("decides", trace.game.players[0 if trace.owner(node) > 0 else 1]))
            for child in trace.successors[node][:MOST_NAMED]:
                mark = self.look(child).value
                found.append(Variable(f"to {trace.name(child)}", mark if self.is_known(child) else "not known yet"))
        return tuple(found)

    def steps(self) -> tuple[str, ...]:
        return (self.event.kind,) if self.event is not None else ()

    def sentence(self) -> str:
        event = self.event
        if event is None:
            return BEFORE
        told = {
            "layer": self._layer_words,
            "ended": self._ended_words,
            "target": self._target_words,
            "one edge": self._one_edge_words,
            "all edges": self._all_edges_words,
            "valued": self._valued_words,
        }
        return told[event.kind](event.node, event.child)

    def _decider(self, node: int) -> str:
        return self.trace.game.players[0 if self.trace.owner(node) > 0 else 1]

    def _names(self, nodes: Sequence[int]) -> str:
        named = [self.trace.name(node) for node in dict.fromkeys(nodes)]
        if len(named) > MOST_NAMED:
            named = [*named[: MOST_NAMED - 1], f"{len(named) - MOST_NAMED + 1} more"]
        return listed(named)

    def _layer_words(self, node: int, by: int | None) -> str:
        layer, nodes = self.layer, self.trace.layers[self.layer]
        if not layer:
            ends = "where the game ends" if nodes else "where a player has got what is wanted; there are none"
            return f"Layer 0: the nodes {ends}."
        return f"Layer {layer} begins: the edges that lead into layer {layer - 1} are followed backwards."

    def _ended_words(self, node: int, by: int | None) -> str:
        trace = self.trace
        left = [one for one, when in enumerate(trace.when) if when >= self.at]
        said = "Nothing is added any more."
        if not left:
            return f"{said} Every node is in a layer."
        where = f"{counted(len(left), 'node')} {'is' if len(left) == 1 else 'are'} in no layer ({self._names(left)})"
        endless = trace.game.endless or 0
        if not endless:
            return f"{said} {where}: from there nobody can force an end, and what never ends is drawn."
        winner, other = trace.game.players[::endless]
        return f"{said} {where}: from there {other} can never force the play to a target, and {winner} wins."

    def _target_words(self, node: int, by: int | None) -> str:
        name, winner = self.trace.name(node), self.trace.game.players[0 if self.trace.known.winner[node] > 0 else 1]
        ending = self.trace.game.ending(self.trace.position(node))
        return f"{name}: {ending or 'the game is over'}. {winner} wins, with no move left to make: layer 0."

    def _one_edge_words(self, node: int, by: int | None) -> str:
        layer = self.layer
        assert by is not None
        edge = f"the edge to {self.trace.name(by)}, which is in layer {layer - 1}, is enough"
        return f"{self.trace.name(node)} joins layer {layer}: {self._decider(node)} decides there, and {edge}."

    def _all_edges_words(self, node: int, by: int | None) -> str:
        layer, below = self.layer, self.trace.successors[node]
        name, decider = self.trace.name(node), self._decider(node)
        winner = self.trace.game.players[0 if self.trace.known.winner[node] > 0 else 1]
        if len(set(below)) == 1:
            return f"{name} joins layer {layer}: {decider} decides there, but the only edge leads to {self._names(below)}."
        leads = f"all edges ({self._names(below)}) lead into the layers so far, where {winner} wins"
        return f"{name} joins layer {layer}: {decider} decides there, but {leads}."

    def _valued_words(self, node: int, by: int | None) -> str:
        trace, below = self.trace, self.trace.successors[node]
        if not below:
            return f"{trace.name(node)} ends the game and pays {trace.worth(node)}: layer 0."
        values = listed([trace.worth(child) for child in below])
        which = "largest" if trace.owner(node) > 0 else "smallest"
        takes = f"{self._decider(node)} takes the {which}" if len(below) > 1 else "there is no choice"
        return f"{trace.name(node)} is worth {trace.worth(node)}: behind it are {values}, all known now, and {takes}."


def layers_of(report: Report, position: Position, algorithm: Algorithm) -> LayerTrace:
    """The search of a report, carried out once more, layer by layer."""
    return LayerTrace(position, algorithm, report.limit.depth)

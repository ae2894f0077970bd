"""Where a watcher is in one trace, or in two that are stepped together; and how fast the search plays by itself."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from engines.algorithm import Algorithm
from workbench.watch.trace import Moment, Node, Trace, Unsearched

SPEEDS = (0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 100.0)
"""Events a second."""
USUAL_SPEED = 2
FORWARD = {"cut": "cut", "left": "node that is left", "iteration": "iteration", "expanded": "expansion", "layer": "layer"}
"""What a jump goes to, by the kind of event."""


@dataclass(frozen=True)
class WatchedSearch:
    """A trace with the name of what searched."""

    name: str
    algorithm: Algorithm
    trace: Trace


@dataclass(frozen=True)
class Alone:
    """The nodes that only the first of two searches visits, and those that only the second one does; None if the trees are
    too large to say."""

    first: frozenset[Node] | None
    second: frozenset[Node] | None

    @classmethod
    def of(cls, first: Trace, second: Trace) -> Alone:
        """Go through both trees."""
        return cls(visited_alone(first, second), visited_alone(second, first))


@dataclass
class Replay:
    """The place in a trace. A second one follows it: it has always visited as many nodes."""

    first: WatchedSearch
    second: WatchedSearch | None = None
    alone: Alone | None = None
    """What only one of the two visits."""
    at: int = 0
    playing: bool = False
    speed: int = USUAL_SPEED
    """The place in `SPEEDS`."""
    _owed: float = field(default=0.0, repr=False)
    """The part of an event that is due."""

    @property
    def length(self) -> int:
        """How many events the first trace has."""
        return len(self.first.trace)

    @property
    def rate(self) -> float:
        """Events a second."""
        return SPEEDS[self.speed]

    def moment(self) -> Moment:
        """The moment that is shown."""
        return self.first.trace.moment(self.at)

    def second_moment(self) -> Moment | None:
        """What the second search had done when it had visited as many nodes; all of it once the first is at its end."""
        if self.second is None:
            return None
        trace, other = self.second.trace, self.first.trace
        count = other.visited(self.at)
        if count == 0:
            return trace.moment(0)
        if self.at == self.length or count > trace.visited(len(trace)):
            return trace.moment(len(trace))
        is_entering = other.visited(self.at - 1) < count
        return trace.moment(trace.moment_of_visit(count) if is_entering else trace.last_moment_of_visit(count))

    # Going somewhere.

    def go_to(self, at: int) -> None:
        """Show the moment after so many events, or the nearest that there is."""
        self.at = max(0, min(at, self.length))

    def step(self, events: int) -> None:
        """Go on, or back, by so many events."""
        self.go_to(self.at + events)

    def jump(self, step: int) -> str:
        """Go to the next landmark, or to the one before: a cut, an iteration, a layer; what is missing, if there is none."""
        kinds = self.first.trace.landmarks
        found = self.first.trace.next_of(kinds, self.at, step)
        if found is None:
            return f"There is no {'further' if step > 0 else 'earlier'} {FORWARD.get(kinds[0], kinds[0])}."
        self.go_to(found)
        return ""

    def go_to_node(self, node: Node) -> str:
        """Go to where the search comes to a node; why not, if it never does."""
        if isinstance(node, Unsearched):
            return "The search never comes to that node."
        self.go_to(self.first.trace.moment_of(node))
        return ""

    # Playing.

    def faster(self, step: int) -> None:
        """Another speed."""
        self.speed = max(0, min(self.speed + step, len(SPEEDS) - 1))

    def toggle(self) -> None:
        """Play, or stop; from the end it begins again."""
        if not self.playing and self.at == self.length:
            self.at = 0
        self.playing = not self.playing
        self._owed = 0.0

    def tick(self, seconds: float) -> bool:
        """Play on for so many seconds; whether another moment is shown."""
        if not self.playing:
            return False
        self._owed += seconds * self.rate
        events = int(self._owed)
        self._owed -= events
        self.step(events)
        if self.at == self.length:
            self.playing = False
        return events > 0


MOST_COMPARED = 20_000
"""Larger trees are not gone through to find out what only one of two searches visits."""


def visited_alone(trace: Trace, other: Trace) -> frozenset[Node] | None:
    """The nodes of a search to which the same moves never lead the other one; None if the trees are too large to say."""
    if max(trace.visited(len(trace)), other.visited(len(other))) > MOST_COMPARED:
        return None
    alone: set[Node] = set()
    waiting: list[tuple[Node, list[Node]]] = [(root, list(other.roots)) for root in trace.roots]
    for node, twins in waiting:  # grows while it is walked
        known: dict[Hashable, list[Node]] = {}
        for below in (child for twin in twins for child in other.children(twin)):
            if not isinstance(below, Unsearched):
                known.setdefault(other.key(below), []).append(below)
        for child in trace.children(node):
            if not isinstance(child, Unsearched):
                same = known.get(trace.key(child), [])
                waiting.append((child, same))
                if not same:
                    alone.add(child)
    return frozenset(alone)

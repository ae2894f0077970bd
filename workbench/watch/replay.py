"""Where a watcher is in one trace, or in two that are stepped together; and how fast the search plays by itself."""

from __future__ import annotations

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


@dataclass
class Replay:
    """The place in a trace. A second one follows it: it has always visited as many nodes."""

    first: WatchedSearch
    second: WatchedSearch | None = None
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


def same_child(trace: Trace, other: Trace, above: Node, node: Node) -> Node | None:
    """The child of a node in another trace that the same move leads to; None if there is none."""
    move = trace.move(node)
    return next((child for child in other.children(above) if other.move(child) == move), None)


def is_in(trace: Trace, other: Trace, node: Node) -> bool:
    """Whether the other search visits the node that the same moves lead to."""
    way: list[Node] = []
    above: Node | None = node
    while above is not None:
        way.append(above)
        above = trace.parent(above)
    found: Node | None = next(iter(other.moment(0).path), None)
    for step in reversed(way[:-1]):
        if found is None:
            return False
        found = same_child(trace, other, found, step)
    return found is not None and not isinstance(found, Unsearched)

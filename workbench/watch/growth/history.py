"""What happened to a tree that grows: its events, and for each node what was known of it from which event on.

It is written once, from the first event to the last, and then only read. What is known of a node after so many events is
looked up, so that going back is exact.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from engines.tape.tape import NOBODY
from workbench.watch.trace import Happening


class History:
    """The nodes and the events of a search, in their order."""

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.moves: list[int] = []
        """The move that leads to a node, as the game numbers it."""
        self.turn: list[int] = []
        """Who moves: 1 and -1 for the two players, 0 for nature."""
        self.ply: list[int] = []
        self.born: list[int] = []
        """The number of the event by which a node came to be."""
        self.children: list[list[int]] = []
        self.roots: list[int] = []
        self.starts: list[int] = []
        """The number of the event with which each chapter begins: an iteration, an expansion."""
        self._kinds: list[str] = []
        self._nodes: list[int] = []
        self._others: list[int] = []
        self._ends: list[int] = []
        self._times: list[list[int]] = []
        self._states: list[list[Any]] = []
        self._of_kind: dict[str, list[int]] = {}
        self._changes: list[list[int]] | None = None
        """For each event the nodes that it changed; made when it is first asked for."""

    def __len__(self) -> int:
        return len(self._kinds)

    # Writing.

    def begin(self) -> None:
        """The next event is the first of a new chapter."""
        self.starts.append(len(self))

    def happen(self, kind: str, node: int, child: int = NOBODY, end: int | None = None) -> None:
        """One more event. `end`: the end of the way that the search has gone by then, the node itself if it is not told."""
        self._of_kind.setdefault(kind, []).append(len(self))
        self._kinds.append(kind)
        self._nodes.append(node)
        self._others.append(child)
        self._ends.append(node if end is None else end)

    def add(self, parent: int, move: int, turn: int, state: Any) -> int:
        """A new node, by the last event; its number."""
        node = len(self.parent)
        self.parent.append(parent)
        self.moves.append(move)
        self.turn.append(turn)
        self.ply.append(0 if parent == NOBODY else self.ply[parent] + 1)
        self.born.append(len(self) - 1)
        self.children.append([])
        (self.roots if parent == NOBODY else self.children[parent]).append(node)
        self._times.append([len(self) - 1])
        self._states.append([state])
        return node

    def change(self, node: int, state: Any) -> None:
        """What is known of a node from the last event on."""
        times, states = self._times[node], self._states[node]
        if times[-1] == len(self) - 1:
            states[-1] = state
        else:
            times.append(len(self) - 1)
            states.append(state)

    def now(self, node: int) -> Any:
        """What is known of a node after the last event that was written."""
        return self._states[node][-1]

    # Reading.

    def state(self, node: int, at: int) -> Any:
        """What was known of a node after so many events; None if it was not there yet."""
        place = bisect_left(self._times[node], at) - 1
        return self._states[node][place] if place >= 0 else None

    def changed(self, number: int) -> list[int]:
        """The nodes of which something else was known after the event with this number."""
        if self._changes is None:
            self._changes = [[] for _ in range(len(self))]
            for node, times in enumerate(self._times):
                for time in times:
                    self._changes[time].append(node)
        return self._changes[number]

    def happening(self, number: int) -> Happening:
        """The event with this number."""
        other = self._others[number]
        return Happening(self._kinds[number], self._nodes[number], None if other == NOBODY else other)

    def end(self, number: int) -> int:
        """The end of the way that the search had gone by an event."""
        return self._ends[number]

    def chapter(self, number: int) -> int:
        """The chapter to which an event belongs, from 0 on."""
        return bisect_right(self.starts, number) - 1

    def path(self, node: int) -> list[int]:
        """The nodes from the root down to this one."""
        path = [node]
        while (above := self.parent[path[-1]]) != NOBODY:
            path.append(above)
        return path[::-1]

    def known_children(self, node: int, at: int) -> list[int]:
        """The children of a node that are there after so many events."""
        return [child for child in self.children[node] if self.born[child] < at]

    def next_of(self, numbers: Sequence[int], at: int, step: int) -> int | None:
        """Of these events the next one after so many, or with a step of -1 the one before the last: a moment."""
        place = bisect_right(numbers, at - 1) if step > 0 else bisect_left(numbers, at - 1) - 1
        return numbers[place] + 1 if 0 <= place < len(numbers) else None

    def of_kinds(self, kinds: Sequence[str]) -> list[int]:
        """The numbers of all events of these kinds, in order."""
        found = [self._of_kind.get(kind, []) for kind in kinds]
        return found[0] if len(found) == 1 else sorted(number for numbers in found for number in numbers)

    def sizes(self) -> list[int]:
        """How many nodes there are below each node in the end, itself included."""
        sizes = [1] * len(self.parent)
        for node in range(len(self.parent) - 1, -1, -1):
            if self.parent[node] != NOBODY:
                sizes[self.parent[node]] += sizes[node]
        return sizes

    def on_the_way(self, node: int) -> list[tuple[int, int]]:
        """The steps from the root down to a node."""
        return list(pairwise(self.path(node)))

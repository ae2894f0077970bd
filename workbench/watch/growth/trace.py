"""The trace of a tree that grows, whatever grows it: where its nodes are, and what is known of them at a moment."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any

from engines.algorithm import Algorithm
from engines.position import Position
from engines.tape.tape import NOBODY
from workbench.watch.growth.history import History
from workbench.watch.trace import (
    FOLDED_MARK,
    LINE_MARK,
    Happening,
    Look,
    Moment,
    Node,
    Shape,
    Stage,
    Trace,
    Variable,
    player_marks,
)

BEFORE = "Nothing has happened yet: a step forward begins the search."
MOST_PLACES = 20_000
"""So many positions are kept."""
MEASURED = 300
"""So many nodes are looked at to find out how wide values are."""


class GrowthTrace(Trace):
    """The events of a search that grows a tree. What its numbers mean, a class for each family says."""

    kinds: tuple[str, ...] = ()
    """The kinds of its events."""

    def __init__(self, position: Position, algorithm: Algorithm, history: History, notice: str = "") -> None:
        self.root_position, self.algorithm, self.history, self.notice = position, algorithm, history, notice
        self._places: dict[int, Position] = {}

    def __len__(self) -> int:
        return len(self.history)

    def moment(self, at: int) -> GrowthMoment:
        return GrowthMoment(self, at)

    # What a family says of its numbers.

    @abstractmethod
    def value(self, moment: GrowthMoment, node: int) -> str:
        """The value of a node, short."""

    @abstractmethod
    def detail(self, moment: GrowthMoment, node: int) -> str:
        """What stands below it."""

    @abstractmethod
    def is_done(self, moment: GrowthMoment, node: int) -> bool:
        """Whether nothing can change any more what is known of a node."""

    @abstractmethod
    def line(self, moment: GrowthMoment) -> tuple[int, ...]:
        """The best line from the root on."""

    @abstractmethod
    def variables(self, moment: GrowthMoment) -> tuple[Variable, ...]:
        """The variables of the algorithm."""

    @abstractmethod
    def sentence(self, moment: GrowthMoment, event: Happening) -> str:
        """What happens, and why."""

    def steps(self, moment: GrowthMoment, event: Happening) -> tuple[str, ...]:
        """Words for the step of the algorithm."""
        return (event.kind,)

    own_marks: tuple[tuple[str, str], ...] = ()
    """The signs of its numbers, and what they mean."""

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        by_chance = 0 in self.history.turn
        return (
            *player_marks(self.root_position, by_chance),
            LINE_MARK,
            ("┊", "not there yet"),
            *self.own_marks,
            FOLDED_MARK,
        )

    # The tree.

    def key(self, node: Node) -> Hashable:
        return self.history.moves[node] if isinstance(node, int) else node.move

    def children(self, node: Node) -> Sequence[Node]:
        return self.history.children[node] if isinstance(node, int) else []

    def parent(self, node: Node) -> Node | None:
        if not isinstance(node, int):
            return node.above
        above = self.history.parent[node]
        return None if above == NOBODY else above

    @cached_property
    def _sizes(self) -> list[int]:
        return self.history.sizes()

    def size(self, node: Node) -> int:
        return self._sizes[node] if isinstance(node, int) else 0

    def move(self, node: Node) -> str:
        if not isinstance(node, int) or self.history.parent[node] == NOBODY:
            return "root"
        above = self.position(self.history.parent[node])
        game, state = above.game, above.state
        return game.pretty_line(state, (game.move_text(state, self.history.moves[node]),))[0]

    def position(self, node: Node) -> Position:
        assert isinstance(node, int)
        if len(self._places) > MOST_PLACES:
            self._places.clear()
        missing: list[int] = []
        at = node
        while at not in self._places and self.history.parent[at] != NOBODY:
            missing.append(at)
            at = self.history.parent[at]
        position = self._places.setdefault(at, self.root_position)
        for step in reversed(missing):
            position = self._places[step] = position.play(self.history.moves[step])
        return position

    def find(self, moves: Sequence[int], root: int = 0) -> int | None:
        """The node that these moves lead to from a root; None if it never came into the tree."""
        node = root
        for move in moves:
            found = next((child for child in self.history.children[node] if self.history.moves[child] == move), None)
            if found is None:
                return None
            node = found
        return node

    @cached_property
    def depth(self) -> int:
        return max(self.history.ply, default=0)

    def shape(self, node: int) -> Shape:
        """Who moves at a node."""
        if not self.history.children[node] and self.position(node).is_over:
            return "leaf"
        turn = self.history.turn[node]
        return "max" if turn > 0 else "min" if turn < 0 else "chance"

    def written(self, node: int) -> str:
        """What a leaf of a tree that a person wrote pays; empty of all others."""
        position = self.position(node)
        if not position.game.is_tree or not position.is_over or position.game.player_count != 2:
            return ""
        return f"{position.game.shown_value(position.result * position.turn):g}"

    def widest(self, node: Node) -> tuple[int, int]:
        return self._widths

    @cached_property
    def _widths(self) -> tuple[int, int]:
        """The columns that the values and the details take, by what they come to in the end."""
        end = self.moment(len(self))
        nodes = range(min(len(self.history.parent), MEASURED))
        value = max((len(self.value(end, node)) for node in nodes), default=1)
        return value + 1, max((len(self.detail(end, node)) for node in nodes), default=0)

    # Places.

    @property
    def landmarks(self) -> tuple[str, ...]:
        return ("iteration",)

    def next_of(self, kinds: Sequence[str], at: int, step: int) -> int | None:
        numbers = self.history.starts if tuple(kinds) == ("iteration",) else self.history.of_kinds(kinds)
        return self.history.next_of(numbers, at, step)

    def moment_of(self, node: int) -> int:
        return self.history.born[node] + 1

    def touched(self, number: int) -> Iterable[Node]:
        return self.history.changed(number)

    def visited(self, at: int) -> int:
        return bisect_left(self.history.born, at)

    def moment_of_visit(self, count: int) -> int:
        born = self.history.born
        return born[min(max(count, 1), len(born)) - 1] + 1 if born else 0


class GrowthMoment(Moment):
    """What is known after so many events."""

    def __init__(self, trace: GrowthTrace, at: int) -> None:
        self.trace, self.history = trace, trace.history
        self.at = max(0, min(at, len(trace)))
        self.event: Happening | None = self.history.happening(self.at - 1) if self.at else None
        self.here = self.event.node if self.event is not None else 0
        end = self.history.end(self.at - 1) if self.at else 0
        path = self.history.path(end) if self.history.parent else []
        self.way = frozenset(path)
        """The nodes through which the search has gone."""
        self.path = tuple(path) if self.here in self.way else tuple(self.history.path(self.here))

    @property
    def chapter(self) -> int:
        """The iteration that the event belongs to, from 0 on."""
        return self.history.chapter(self.at - 1)

    def state(self, node: int) -> Any:
        """What is known of a node."""
        return self.history.state(node, self.at)

    def before(self, node: int) -> Any:
        """What was known of a node before the event."""
        return self.history.state(node, self.at - 1)

    def children(self, node: int) -> list[int]:
        """The children that are there."""
        return self.history.known_children(node, self.at)

    @cached_property
    def line(self) -> tuple[int, ...]:  # type: ignore[override]  # as a property it is made only when it is asked for
        """The best line so far."""
        return self.trace.line(self) if self.at else ()

    def look(self, node: Node) -> Look:
        assert isinstance(node, int)
        shape = self.trace.shape(node)
        if self.state(node) is None:
            return Look("ahead", shape, self.trace.written(node), "")
        stage: Stage = "done" if self.trace.is_done(self, node) else "open"
        return Look(
            stage,
            shape,
            self.trace.value(self, node),
            self.trace.detail(self, node),
            is_here=node == self.here,
            on_path=node in self.way or node in self.path,
            on_line=node in self.line,
        )

    def variables(self) -> tuple[Variable, ...]:
        return self.trace.variables(self) if self.event is not None else ()

    def sentence(self) -> str:
        return self.trace.sentence(self, self.event) if self.event is not None else BEFORE

    def steps(self) -> tuple[str, ...]:
        return self.trace.steps(self, self.event) if self.event is not None else ()

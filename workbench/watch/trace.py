"""A trace: the events of a search in order, and the state of its tree after each of them.

Whatever shows a search step by step needs only this. A state is never changed by stepping: it is worked out from the number
of events that have happened, so that going back is exact, and any place can be jumped to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engines.contract import listed
from engines.position import Position

Stage = Literal["ahead", "open", "done", "never"]
"""A node of the tree at a moment: not reached yet, being searched, finished, or cut off and never searched."""
Shape = Literal["max", "min", "chance", "other", "leaf"]
"""Who moves at a node: the first player, the second, nature, one of more players; or nobody, as nothing lies below it."""


class Unsearched(NamedTuple):
    """A node that the search never entered: the one above it, and the move that leads to it."""

    above: Node
    move: int


Node = int | Unsearched
"""A node of a drawn tree: its row on the tape (or its number in a tree that grows), or one that was never searched."""


class Happening(NamedTuple):
    """One event: a word for what kind it is, the node where the search is, and the child that it is about, if any."""

    kind: str
    node: int
    child: int | None = None


@dataclass(frozen=True)
class Look:
    """What is drawn of a node at a moment."""

    stage: Stage
    shape: Shape
    value: str
    """Its value so far, short; empty while nothing is known."""
    detail: str
    """What stands below the value: the window, visits, proof numbers."""
    is_here: bool = False
    """The search is at this node."""
    on_path: bool = False
    """It lies between the root and the node where the search is, or is that node."""
    on_line: bool = False
    """It is on the best line so far."""
    is_cut: bool = False
    """The search stopped at this node, because a move was too good."""
    mark: str = ""
    """A sign for how a leaf ended: `table`, `horizon`, `pruned`, `trial`."""


class Variable(NamedTuple):
    """A variable of the algorithm as it stands."""

    name: str
    value: str


class Moment(ABC):
    """The state of the tree after so many events."""

    at: int
    event: Happening | None
    """The last event that has happened; None before the first."""
    here: int
    """The node where the search is."""
    path: tuple[int, ...]
    """The nodes from the root down to it, and further to where the search came from, if it is on its way up a tree that
    grows."""
    line: tuple[int, ...]
    """The best line so far: nodes from the root down."""

    @abstractmethod
    def look(self, node: Node) -> Look:
        """What is drawn of a node."""

    @abstractmethod
    def variables(self) -> tuple[Variable, ...]:
        """The variables of the algorithm at this node, by name."""

    @abstractmethod
    def sentence(self) -> str:
        """What happens here, and why."""

    @abstractmethod
    def steps(self) -> tuple[str, ...]:
        """Words for the step of the algorithm that this is, the most exact first; see `workbench.watch.steps`."""


class Trace(ABC):
    """The events of a search, and the tree that they are about."""

    @abstractmethod
    def __len__(self) -> int:
        """How many events there are. `at` is a number of events that have happened: from 0 to this."""

    @abstractmethod
    def moment(self, at: int) -> Moment:
        """The state after so many events."""

    notice: str = ""
    """What of the search it does not show, and why; empty if it shows all of it."""

    @property
    @abstractmethod
    def marks(self) -> tuple[tuple[str, str], ...]:
        """The signs of its drawing, and what they mean."""

    # The tree, which is the same at all moments.

    @property
    def roots(self) -> Sequence[Node]:
        """The roots: of a search that goes deeper pass by pass one for each pass."""
        return self.moment(0).path[:1]

    def key(self, node: Node) -> Hashable:
        """What tells a node from its siblings, in the trace of another search too."""
        return self.move(node)

    @abstractmethod
    def children(self, node: Node) -> Sequence[Node]:
        """What is drawn below a node, from left to right: children that were searched, and those that never were."""

    @abstractmethod
    def parent(self, node: Node) -> Node | None:
        """The node above; None of a root."""

    @abstractmethod
    def size(self, node: Node) -> int:
        """How many nodes of the search are below a node, itself included; 0 if it was never searched."""

    @abstractmethod
    def move(self, node: Node) -> str:
        """The move that leads to a node, as people read it; of a root, what it looked for."""

    @abstractmethod
    def position(self, node: Node) -> Position:
        """The position of a node."""

    @property
    @abstractmethod
    def depth(self) -> int:
        """How many levels below a root the tree has."""

    @abstractmethod
    def widest(self, node: Node) -> tuple[int, int]:
        """How many columns the value and the detail of a node like this one take at any moment: so that nothing jumps."""

    # Finding places.

    @property
    @abstractmethod
    def landmarks(self) -> tuple[str, ...]:
        """The kinds of events that are worth a jump: cuts, where there are any; iterations; layers."""

    @abstractmethod
    def next_of(self, kinds: Sequence[str], at: int, step: int) -> int | None:
        """The next moment whose event is of one of these kinds (or, with a step of -1, the one before); None if there is
        none."""

    @abstractmethod
    def moment_of(self, node: int) -> int:
        """The moment at which the search came to a node for the first time."""

    @abstractmethod
    def touched(self, number: int) -> Iterable[Node]:
        """The nodes of which the event with this number (from 0 on) may have changed what is drawn. What the place of the
        search changes, `is_here`, `on_path` and `on_line`, does not count."""

    @abstractmethod
    def visited(self, at: int) -> int:
        """How many nodes have been entered by then."""

    @abstractmethod
    def moment_of_visit(self, count: int) -> int:
        """The moment at which so many nodes have been entered."""

    def last_moment_of_visit(self, count: int) -> int:
        """The last moment at which no more than so many nodes have been entered."""
        return self.moment_of_visit(count + 1) - 1 if count < self.visited(len(self)) else len(self)


LINE_MARK, FOLDED_MARK = ("━", "best line so far"), ("…6", "6 moves folded, their nodes below")


def player_marks(position: Position, by_chance: bool) -> list[tuple[str, str]]:
    """The shapes of nodes by who moves there."""
    players = position.game.players
    found = [("△", players[0]), *([("▽", players[1])] if len(players) > 1 else [])]
    found += [("◇", listed(players[2:]))] if len(players) > 2 else []
    return [*found, ("○", "chance")] if by_chance else found

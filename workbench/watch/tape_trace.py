"""The trace of a recorded search that goes depth first: its events are read off its tape."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engines.position import Position
from engines.tape.events import ENTERED, NEVER, STOPPED, Events, events_of
from engines.tape.recording import Recording
from engines.tape.tape import ASIDE, CUT, NOBODY, OPEN, PRUNED, TABLE
from workbench.recordings.bounds import first_side, has_bounds
from workbench.recordings.why.nodes import move_name, node_value, position_at, window_text
from workbench.render.values import counted
from workbench.watch.tape_moment import TapeMoment
from workbench.watch.trace import FOLDED_MARK, LINE_MARK, Happening, Moment, Node, Shape, Trace, Unsearched, player_marks

KINDS = ("entered", "leaf", "returned", "raised", "cut", "left", "paused", "resumed")
"""Words for the events of `engines.tape.events`, in their order."""
ENDS = {TABLE: ("▤", "the table knew"), PRUNED: ("⊘", "given up"), ASIDE: ("?", "a trial")}
"""Signs of nodes that ended in a way of their own."""
MOST_NAMES = 50_000
"""How many names of moves are kept."""
KINDS_OF_NODES = 100
"""More than there are."""
MEASURED = 300
"""So many nodes at the start of the tape, and as many others, are looked at to find out how wide values and windows are."""


class TapeTrace(Trace):
    """The events of a recorded depth-first search."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._moves: dict[Node, str] = {}
        if not recording.complete:
            nodes = counted(len(recording), "node")
            self.notice = f"The recording was full after {nodes}: what the search did then is not shown."
        self.shows_windows = has_bounds(recording)
        """Some node had a window that was narrower than everything."""
        self.events: Events = events_of(recording, self.shows_windows, first_side(recording))

    def __len__(self) -> int:
        return len(self.events)

    def moment(self, at: int) -> Moment:
        return TapeMoment(self, at)

    def happening(self, at: int) -> Happening:
        """The event with this number."""
        child = int(self.events.child[at])
        return Happening(KINDS[self.events.kind[at]], int(self.events.node[at]), None if child == NOBODY else child)

    def stopped_after(self, child: int) -> int:
        """The number of the event that cuts off the moves behind this child; `NEVER` if it never came back."""
        back = int(self.events.returned[child])
        if back == NEVER:
            return NEVER
        return back + 1 + (KINDS[self.events.kind[back + 1]] == "raised")

    @cached_property
    def marks(self) -> tuple[tuple[str, str], ...]:
        kinds = self.recording.kind
        found = [*player_marks(self.recording.position, bool((self.recording.turn == 0).any())), LINE_MARK]
        found += [("┊", "not searched"), *([("✂ ╳", "cut off")] if (kinds == CUT).any() else [])]
        found += [("[3, 9]", "the window"), ("≥ ≤", "a bound")] if self.shows_windows else []
        found += [(sign, words) for kind, (sign, words) in ENDS.items() if (kinds == kind).any()]
        if self.recording.algorithm.expects and (self.recording.turn == 0).any():
            found.append(("Σ", "a mean, as far as it is known"))
        return (*found, FOLDED_MARK)

    # The tree.

    @property
    def is_written(self) -> bool:
        """Whether the whole tree is known beforehand, as it was written by a person."""
        return self.recording.position.game.is_tree

    @property
    def roots(self) -> Sequence[Node]:
        return [int(root) for root in self.recording.roots()]

    def key(self, node: Node) -> Hashable:
        return node.move if isinstance(node, Unsearched) else int(self.recording.move[node])

    def children(self, node: Node) -> Sequence[Node]:
        searched: list[Node] = [*map(int, self._searched(node))]
        missing = self._unsearched(node)
        if not missing or not self.is_written:
            return [*searched, *missing]
        return sorted([*searched, *missing], key=self._place)

    def _searched(self, node: Node) -> Sequence[int]:
        return () if isinstance(node, Unsearched) else self.recording.children(node).tolist()

    def _place(self, node: Node) -> int:
        """Where a child stands among its siblings in a tree that was written."""
        return node.move if isinstance(node, Unsearched) else int(self.recording.move[node])

    def _unsearched(self, node: Node) -> list[Node]:
        """The moves of a node that were never searched, where they are drawn: behind a cut, and in a written tree all."""
        if not isinstance(node, Unsearched):
            if not self.is_written and self.recording.kind[node] != CUT:
                return []
            if not self.recording.complete and node in self.recording.path(len(self.recording) - 1):
                return []  # they may have been searched when the tape was full
        elif not self.is_written:
            return []
        position = self.position(node)
        if position.is_over:
            return []
        known = (
            set() if isinstance(node, Unsearched) else {int(self.recording.move[c]) for c in self.recording.children(node)}
        )
        return [Unsearched(node, move) for move in position.game.legal_moves(position.state) if move not in known]

    def parent(self, node: Node) -> Node | None:
        if isinstance(node, Unsearched):
            return node.above
        above = int(self.recording.parent[node])
        return None if above == NOBODY else above

    def size(self, node: Node) -> int:
        return 0 if isinstance(node, Unsearched) else self.recording.subtree_size(node)

    def move(self, node: Node) -> str:
        if node not in self._moves:
            if len(self._moves) > MOST_NAMES:
                self._moves.clear()
            self._moves[node] = self._named(node)
        return self._moves[node]

    def _named(self, node: Node) -> str:
        if isinstance(node, Unsearched):
            above = self.position(node.above)
            return above.game.pretty_line(above.state, (above.game.move_text(above.state, node.move),))[0]
        return move_name(self.recording, node)

    def position(self, node: Node) -> Position:
        if isinstance(node, Unsearched):
            return self.position(node.above).play(node.move)
        return position_at(self.recording, node)

    @cached_property
    def depth(self) -> int:
        deepest = int(self.recording.ply.max(initial=0))
        if not self.is_written:
            return deepest + bool((self.recording.kind == CUT).any())
        level, positions = 0, [self.recording.position]
        while below := [one.play(move) for one in positions if not one.is_over for move in one.game.legal_moves(one.state)]:
            level, positions = level + 1, below
        return max(deepest, level)

    def shape(self, node: Node) -> Shape:
        """Who moves at a node."""
        if isinstance(node, Unsearched):
            position = self.position(node)
            if position.is_over:
                return "leaf"
            return shape_of(0 if position.by_chance else 1 if position.mover == 0 else -position.mover)
        if not len(self.recording.children(node)) and self.recording.kind[node] != OPEN:
            return "leaf"
        return shape_of(int(self.recording.turn[node]))

    def widest(self, node: Node) -> tuple[int, int]:
        value, leaf, detail = self._widths
        return (leaf, 0) if self.shape(node) == "leaf" else (value, detail)

    @cached_property
    def _widths(self) -> tuple[int, int, int]:
        """The columns that values of inner nodes, values of leaves, and windows take."""
        every = leaf = detail = 1
        for node in self._measured().tolist():
            width = len(node_value(self.recording, node))
            every = max(every, width)
            if self.shape(node) == "leaf":
                leaf = max(leaf, width)
            if self.shows_windows:
                detail = max(detail, len(window_text(self.recording, node)))
        inner = every + 3  # what a child has told so far, with a sign of a bound, a shape and a blank
        return inner, leaf, detail + 1 if self.shows_windows else 0

    def _measured(self) -> npt.NDArray[np.int64]:
        """Nodes that have what can be wide: the first ones, and some of every size of value."""
        told = self.recording.value.astype(np.int64) * KINDS_OF_NODES + self.recording.kind
        values = np.unique(told, return_index=True)[1]
        some = values[np.linspace(0, len(values) - 1, min(len(values), MEASURED)).astype(np.int64)]
        return np.union1d(np.arange(min(len(self.recording), MEASURED)), some)

    # Places.

    @cached_property
    def landmarks(self) -> tuple[str, ...]:
        return ("cut",) if (self.events.kind == STOPPED).any() else ("left",)

    def next_of(self, kinds: Sequence[str], at: int, step: int) -> int | None:
        wanted = np.flatnonzero(np.isin(self.events.kind, [KINDS.index(kind) for kind in kinds]))
        place = int(np.searchsorted(wanted, at - 1, side="right" if step > 0 else "left")) - (step < 0)
        return int(wanted[place]) + 1 if 0 <= place < len(wanted) else None

    def moment_of(self, node: int) -> int:
        return int(self.events.entered[node]) + 1

    def touched(self, number: int) -> Iterator[Node]:
        event = self.happening(number)
        yield event.node
        if event.child is not None:
            yield event.child
        if event.kind in ("leaf", "cut", "left"):  # what was never searched below it is given up
            waiting = self._unsearched(event.node)
            for node in waiting:  # grows while it is walked
                yield node
                waiting += self._unsearched(node)

    @cached_property
    def _entries(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        return np.flatnonzero(self.events.kind == ENTERED)

    def visited(self, at: int) -> int:
        return int(np.searchsorted(self._entries, at))

    def moment_of_visit(self, count: int) -> int:
        return int(self._entries[min(max(count, 1), len(self._entries)) - 1]) + 1 if len(self._entries) else 0

    def is_in_order(self) -> bool:
        """Whether nodes stand on the tape as they were entered. If not, the tape was written when the search was over, and
        the events are a walk through its tree."""
        times = self.events.entered
        return bool((np.diff(times[times != NEVER]) > 0).all())


def shape_of(turn: int) -> Shape:
    """The shape of an inner node at which this player moves."""
    return "chance" if turn == 0 else "max" if turn > 0 else "min" if turn == -1 else "other"

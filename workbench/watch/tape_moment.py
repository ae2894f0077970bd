"""The state of a recorded depth-first search after so many of its events, worked out from the tape alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engines.contract import Bound
from engines.tape.tape import ASIDE, CUT, NOBODY, PRUNED, QUIET, TABLE
from workbench.recordings.bounds import bound_at, is_known, wants_more
from workbench.recordings.why.nodes import edge_at, node_value, value_at
from workbench.recordings.why.values import SIGNS
from workbench.watch.sentences import sentence_of
from workbench.watch.steps import steps_of
from workbench.watch.trace import Happening, Look, Moment, Node, Stage, Unsearched, Variable
from workbench.watch.variables import variables_of

if TYPE_CHECKING:
    from workbench.watch.tape_trace import TapeTrace

MARKS = {TABLE: "table", PRUNED: "pruned", ASIDE: "trial", QUIET: "quiet"}
"""What is said of a leaf that ended in a way of its own."""


class TapeMoment(Moment):
    """What is known after the first `at` events."""

    def __init__(self, trace: TapeTrace, at: int) -> None:
        self.trace, self.recording, self.events = trace, trace.recording, trace.events
        self.at = max(0, min(at, len(trace)))
        self.event: Happening | None = trace.happening(self.at - 1) if self.at else None
        self.here = self.event.node if self.event is not None else int(next(iter(self.recording.roots()), 0))
        self.path = tuple(self.recording.path(self.here)) if len(self.recording) else ()

    # What is known of a node.

    def is_entered(self, node: int) -> bool:
        """Whether the search has been at a node."""
        return int(self.events.entered[node]) < self.at

    def is_done(self, node: int) -> bool:
        """Whether the search is through with a node."""
        return int(self.events.done[node]) < self.at

    def has_returned(self, node: int) -> bool:
        """Whether the node's value has come back to the one above."""
        return int(self.events.returned[node]) < self.at

    def returned(self, node: int) -> Iterator[int]:
        """The children of a node whose values have come back and count, in the order in which they did."""
        children = self.recording.children(node)
        for child in map(int, children[np.argsort(self.events.returned[children], kind="stable")]):
            if self.has_returned(child) and self.recording.kind[child] != ASIDE:
                yield child

    def best(self, node: int) -> int:
        """The child of a node that is best for whoever moves there, so far; `NOBODY` if there is none, or nature moves."""
        recording = self.recording
        if self.is_done(node):
            return int(recording.decider[node])
        if recording.turn[node] == 0:
            return NOBODY
        best = NOBODY
        for child in self.returned(node):
            if best == NOBODY or self.worth(node, child) > self.worth(node, best):
                best = child
        return best

    def worth(self, node: int, child: int) -> float:
        """What a child is worth to whoever moves at the node above it."""
        if values := self.recording.values(child):
            return float(values[max(0, -int(self.recording.turn[node]))])
        value = int(self.recording.value[child])
        return value if wants_more(self.recording, node) else -value

    def window(self, node: int) -> tuple[int, int]:
        """The window of a node as it is by now: values that have come back have made it narrower."""
        low, high = int(self.recording.alpha[node]), int(self.recording.beta[node])
        if self.recording.turn[node] == 0 or not self.trace.shows_windows:
            return low, high
        for child in self.returned(node):
            value = int(self.recording.value[child])
            if wants_more(self.recording, node):
                low = max(low, value)
            else:
                high = min(high, value)
        return low, high

    def value(self, node: int) -> str:
        """The value of a node so far, short."""
        recording = self.recording
        if self.is_done(node):
            return self._plain(node_value(recording, node))
        best = self.best(node)
        if best == NOBODY:
            return self._part_of_mean(node) if recording.turn[node] == 0 else ""
        if recording.values(best):
            return self._plain(node_value(recording, best))
        sure: Bound = "at least" if wants_more(recording, node) else "at most"
        if bound_at(recording, best) not in ("exact", sure):
            return ""
        return self._plain(SIGNS[sure] + value_at(recording, int(recording.value[best])))

    def _part_of_mean(self, node: int) -> str:
        """The part of a chance node's mean that has come back."""
        if self.recording.values(node):
            return ""
        seen = [child for child in self.returned(node) if is_known(self.recording, child)]
        parts = sum((self.recording.likelihood(child) or 0.0) * int(self.recording.value[child]) for child in seen)
        return f"Σ{self._plain(value_at(self.recording, round(parts)))}" if seen else ""

    def _plain(self, text: str) -> str:
        """A value as it is drawn: a bound stands close to its sign, and in a tree that a person wrote there is no plus."""
        text = re.sub(r"^([≤≥]) ", r"\1", text)
        return re.sub(r"\+(?=\d)", "", text) if self.trace.is_written else text

    def window_words(self, node: int) -> str:
        """The window of a node, short; empty where there is none."""
        if not self.trace.shows_windows:
            return ""
        low, high = self.window(node)
        return f"[{self._plain(edge_at(self.recording, low))}, {self._plain(edge_at(self.recording, high))}]"

    def _stage(self, node: int) -> Stage:
        if not self.is_entered(node):
            return "ahead"
        return "done" if self.is_done(node) else "open"

    def look(self, node: Node) -> Look:
        shape = self.trace.shape(node)
        if isinstance(node, Unsearched):
            position = self.trace.position(node)
            value = ""
            if position.is_over and self.trace.is_written and position.game.player_count == 2:
                value = f"{position.game.shown_value(position.result * position.turn):g}"
            return Look("never" if self._is_given_up(node) else "ahead", shape, value, "")
        stage = self._stage(node)
        value = self.value(node)
        if stage == "ahead" and shape == "leaf" and self.trace.is_written:
            value = self._plain(node_value(self.recording, node))
        kind = int(self.recording.kind[node])
        return Look(
            stage,
            shape,
            value,
            self.window_words(node) if shape != "leaf" and stage != "ahead" else "",
            is_here=node == self.here and self.event is not None,
            on_path=node in self.path,
            on_line=node in self.line,
            is_cut=kind == CUT and self._has_stopped(node),
            mark=MARKS.get(kind, "") if stage == "done" else "",
        )

    def _has_stopped(self, node: int) -> bool:
        """Whether the search has stopped at this node before all moves were looked at."""
        children = self.recording.children(node)
        if not len(children):
            return False
        last = int(children[np.argmax(self.events.returned[children])])
        return self.trace.stopped_after(last) < self.at

    def _is_given_up(self, node: Unsearched) -> bool:
        """Whether it is certain by now that a node is never searched."""
        above = node.above
        while isinstance(above, Unsearched):
            above = above.above
        return self.is_done(above) or (self.recording.kind[above] == CUT and self._has_stopped(above))

    @cached_property
    def line(self) -> tuple[int, ...]:  # type: ignore[override]  # as a property it is made only when it is asked for
        """The best line so far, from the root of this pass on."""
        if not self.path:
            return ()
        line = [self.path[0]]
        while (best := self.best(line[-1])) != NOBODY and self.is_entered(best):
            line.append(best)
        return tuple(line) if len(line) > 1 else ()

    # In words.

    def variables(self) -> tuple[Variable, ...]:
        return variables_of(self)

    def sentence(self) -> str:
        return sentence_of(self)

    def steps(self) -> tuple[str, ...]:
        return steps_of(self)

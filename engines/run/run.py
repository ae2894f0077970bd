"""One search under way: what it works on, where it may write, and where it waits if somebody holds it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from engines import catalog
from engines.contract import Limit, Setting
from engines.position import Position
from engines.rules import Rules
from engines.run.memory import Memory, touch
from engines.run.result import DepthResult
from engines.run.work import UNLIMITED, Work, new_work, take_away
from engines.tape.tape import AnyTape

if TYPE_CHECKING:
    from engines.algorithm import View
    from engines.catalog import SolvedTables


class FinishedDepths(list[DepthResult]):
    """What was believed at each depth that is finished. A search that is held waits where it adds to it."""

    def __init__(self) -> None:
        super().__init__()
        self.last: int | None = None
        """The depth of the limit: behind it there is nothing to wait for."""
        self.waits = False
        self._waited = self._waits_since = 0.0
        self._from: int | None = None
        self._changed = threading.Condition()

    def append(self, row: DepthResult) -> None:
        """A depth is finished. Returns when the search may go on."""
        super().append(row)
        with self._changed:
            if row.exact or row.depth == self.last or not self._holds(row.depth):
                return
            self.waits, self._waits_since = True, perf_counter()
            while self.waits:
                self._changed.wait()

    def wait_while_held(self) -> None:
        """For threads that only help: wait as long as the search does."""
        with self._changed:
            while self.waits:
                self._changed.wait()

    def hold(self, depth: int | None) -> None:
        """Wait behind this depth and every later one; None: nowhere. What waits where it need not goes on at once."""
        with self._changed:
            self._from = depth
            if self.waits and not self._holds(self[-1].depth):
                self.waits = False
                self._waited += perf_counter() - self._waits_since
                self._changed.notify_all()

    def seconds_waited(self) -> float:
        """So long it has waited by now."""
        with self._changed:
            return self._waited + (perf_counter() - self._waits_since if self.waits else 0.0)

    def _holds(self, depth: int) -> bool:
        return self._from is not None and depth >= self._from


def clock_runs(held: bool) -> None:
    """Whatever a search does counts as its time."""


@dataclass
class Run:
    """One search under way: what it works on, and where it may write. The searching thread owns it."""

    position: Position
    limit: Limit
    parameters: Mapping[str, Setting]
    work: Work
    tape: AnyTape
    view: View = "mover"
    """From whose side values go on the tape."""
    memory: Memory = field(default_factory=Memory)
    """What is kept from one search to the next."""
    depth: int = 0
    """The depth being searched now; read by whoever watches."""
    depths: FinishedDepths = field(default_factory=FinishedDepths)
    """What was believed at each depth that is finished; read by whoever watches."""
    earlier_seconds: float = 0.0
    """What an earlier search took that this one goes on with."""
    helpers: list[Work] = field(default_factory=list)
    """The records of other threads that work on it too; read, and stopped, by whoever watches."""
    stop_requested: bool = False
    """Somebody told it to stop."""
    hold_clock: Callable[[bool], None] = clock_runs
    """Called with True and then False around what is no part of the search's time."""
    rehearsal: bool = False
    """Only to have the code in memory: what is found is thrown away."""
    root_done: int = 0
    root_count: int = 0
    """How many moves of the root are searched at this depth, and how many there are."""

    solved: SolvedTables | None = None
    """The tables of solved positions that it looks into, if it does."""
    rules: Rules = field(init=False)
    """The game as the kernels see it, with what this search writes into it."""

    def __post_init__(self) -> None:
        self.rules = self.new_rules()
        self.depths.last = self.limit.depth

    def prefault(self, empty: Any) -> None:
        """Touch the memory of an empty table before the search begins, if whoever keeps it wants that."""
        if self.memory.prefault:
            self.hold_clock(True)
            touch(empty, lambda: self.stop_requested)
            self.hold_clock(False)

    def allow(self, work: Work, nodes: int) -> None:
        """Let a record of this search go on until it has entered so many nodes; not if the search was told to stop, before
        or in this very moment."""
        work.budget = nodes
        if self.stop_requested:
            take_away(work)

    @contextmanager
    def aside(self, most: int = UNLIMITED) -> Iterator[Work]:
        """A second record, for what counts apart, such as a search that makes sure of a win. It is the run's meanwhile: what
        it spends is taken from the limit of the first, at most so much, and whoever stops the search stops it."""
        first, second = self.work, new_work()
        left = max(0, int(first.budget) - int(first.nodes))
        lent = min(left, most)
        second.pool, second.most, self.work = first.pool, most, second
        self.allow(second, lent)
        try:
            yield second
        finally:
            self.work = first
            self.allow(first, int(first.nodes) + left - lent + max(0, int(second.budget) - int(second.nodes)))

    def new_rules(self) -> Rules:
        """The rules for one thread of the search, with the tables of solved positions if they are wanted."""
        rules = self.position.game.rules_for(self.position)
        if not self.parameters.get("tables"):
            return rules
        if self.solved is None:
            self.solved = catalog.solved_tables(self.position)
        return self.solved.with_tables(rules)

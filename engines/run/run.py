"""The state of one running search: its inputs, the records it writes to, and where it waits when it is held."""

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
from engines.tape.tape import AnyTape, NoTape

if TYPE_CHECKING:
    from engines.algorithm import View
    from engines.catalog import SolvedTables


class FinishedDepths(list[DepthResult]):
    """The results of all finished depths. A search that is held waits when it appends one."""

    def __init__(self) -> None:
        super().__init__()
        self.last: int | None = None
        """The depth of the limit: after it a held search ends instead of waiting."""
        self.waits = False
        self._waited = self._waits_since = 0.0
        self._from: int | None = None
        self._changed = threading.Condition()

    def append(self, row: DepthResult) -> None:
        """Add the result of a finished depth. Returns when the search may go on."""
        super().append(row)
        with self._changed:
            if row.exact or row.depth == self.last or not self._holds(row.depth):
                return
            self.waits, self._waits_since = True, perf_counter()
            while self.waits:
                self._changed.wait()

    def wait_while_held(self) -> None:
        """Wait while the search is held; called by helper threads."""
        with self._changed:
            while self.waits:
                self._changed.wait()

    def hold(self, depth: int | None) -> None:
        """Make the search wait after this depth and every later one; with None, nowhere. A search that waits and no longer
        needs to goes on at once."""
        with self._changed:
            self._from = depth
            if self.waits and not self._holds(self[-1].depth):
                self.waits = False
                self._waited += perf_counter() - self._waits_since
                self._changed.notify_all()

    def seconds_waited(self) -> float:
        """Seconds spent waiting so far."""
        with self._changed:
            return self._waited + (perf_counter() - self._waits_since if self.waits else 0.0)

    def _holds(self, depth: int) -> bool:
        return self._from is not None and depth >= self._from


def clock_runs(held: bool) -> None:
    """The default for `Run.hold_clock`: the clock is never held."""


@dataclass
class Run:
    """The state of one running search: its inputs, and the records it writes to. The searching thread owns it."""

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
    """The depth being searched now; read by other threads."""
    depths: FinishedDepths = field(default_factory=FinishedDepths)
    """The results of all finished depths; read by other threads."""
    earlier_seconds: float = 0.0
    """Seconds that the earlier search took, if this one resumes it."""
    helpers: list[Work] = field(default_factory=list)
    """The work records of helper threads; read, and stopped, by other threads."""
    stop_requested: bool = False
    """Whether a stop was requested."""
    hold_clock: Callable[[bool], None] = clock_runs
    """Called with True before, and False after, whatever must not count as search time."""
    rehearsal: bool = False
    """Whether this is a trial run that only loads compiled code; its result is thrown away."""
    watcher: Callable[[Any], None] | None = None
    """Called after every iteration, with what the search has grown, for those who want to see how it came about; such a
    search goes on iteration by iteration, and finds the very same. None: nobody watches."""
    visits: AnyTape = field(default_factory=NoTape)
    """A depth-first proof search writes each visit of a position here, where somebody watches: its tape it writes only when
    it is over."""
    root_done: int = 0
    root_count: int = 0
    """How many moves of the root are searched at this depth, and how many there are."""

    solved: SolvedTables | None = None
    """The tables of solved positions that it looks into, if it does."""
    rules: Rules = field(init=False)
    """The rules record that the kernels take, with the data that this search writes into it."""

    def __post_init__(self) -> None:
        self.rules = self.new_rules()
        self.depths.last = self.limit.depth

    def steps(self, last: int, grown: Any) -> Iterator[int]:
        """Up to how many iterations the search shall go on, again and again: at once to the last one, or, where somebody
        watches, one after the other, and each is shown. Ends where nothing is left to do."""
        if self.watcher is None:
            yield last
            return
        while not self.work.stopped and (before := int(self.work.iterations)) < last:
            yield before + 1
            self.watcher(grown)
            if int(self.work.iterations) == before:
                return

    def prefault(self, empty: Any) -> None:
        """Prefault the memory of an empty table before the search begins, if `Memory.prefault` is set."""
        if self.memory.prefault:
            self.hold_clock(True)
            touch(empty, lambda: self.stop_requested)
            self.hold_clock(False)

    def allow(self, work: Work, nodes: int) -> None:
        """Set the node budget of a work record of this search, unless a stop was requested before or is requested at this
        very moment."""
        work.budget = nodes
        if self.stop_requested:
            take_away(work)

    @contextmanager
    def aside(self, most: int = UNLIMITED) -> Iterator[Work]:
        """A second work record for a search that is counted separately, such as one that verifies a win. Meanwhile it is the
        run's own record: its nodes are taken from the limit of the first, at most so many, and a stop of the search stops
        it."""
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

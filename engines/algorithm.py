"""What an algorithm declares about itself, what it is given when it runs, and what it gives back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from engines.contract import Bound, Counters, Limit, Parameter, Setting, StoppedBy, TableCounters
from engines.game import Position
from engines.parts.table import Memory, touch
from engines.parts.tape import AnyTape
from engines.parts.work import UNLIMITED, Work, new_work, take_away
from engines.rules import Rules

if TYPE_CHECKING:
    from engines.tables.shelf import Shelf

NEEDS = {
    "alternating": "two players who take turns, and no chance",
    "opponent": "two players, of whom one wins, and no chance",
    "ends": "a game that comes to its end whatever is played",
    "decided": "a game that ends, or whose rules say who wins if it never does",
    "sides": "one player, or two of whom one loses what the other wins",
    "company": "two players or more",
    "chance": "chance",
    "no chance": "a game without chance",
    "alone": "a single player who wants a score",
    "knowledge": "what a game knows of its own values",
    "table": "a game that is small enough to be solved as a whole",
    "graph": "nodes that are all known beforehand",
    "uci": "a game that engines with UCI play",
}
"""What an algorithm may need of a position, in words. A position has it or says why not: `Position.lacks`."""

View = Literal["mover", "first"]

TABLES = Parameter(
    name="tables", default=False, sentence="Take a position that a table of solved ones has for finished (retrograde)."
)
"""A switch for every algorithm that asks the rules how a position ended, which is all it takes. Not for those that play
games to their end, and need their moves."""


@dataclass
class FoundMove:
    """What was found about one move of the root. Values are for the side to move there."""

    move: int
    value: float
    """In units of the kernels; a mean from 0 to 1, in millionths, if the algorithm samples."""
    bound: Bound
    nodes: int
    line: list[int] = field(default_factory=list)
    """The best line that begins with it, where the search kept one."""
    visits: int | None = None
    error: float | None = None
    """The standard error of a mean."""
    proven: int = 0
    """Of a move that was sampled: 1 if the first player is proven to win, -1 if the second, 2 if it is a draw."""
    proof: int | None = None
    disproof: int | None = None
    values: tuple[float, ...] = ()
    """What each player gets, where the algorithm tells."""
    spread: float | None = None
    """The standard deviation of an expectation."""
    cut_short: bool = False
    """The line ends before the search did."""


@dataclass
class FoundLevel:
    """How good the searches of one level were, of those that advise each other. Values are for the side to move."""

    level: int
    searches: int
    mean: float
    best: int


@dataclass
class FoundNode:
    """What was found about one node of a graph that was solved as a whole. The value is for the first player."""

    node: int
    owner: int
    layer: int | None
    """How many steps from the end it was found; None if it is in no layer."""
    value: int | None
    move: int | None
    """The edge to take there."""


@dataclass
class FoundDepth:
    """What was believed when one depth was finished, or as far as it got. The value is for the side to move."""

    depth: int
    value: float | None = None
    line: list[int] = field(default_factory=list)
    root_moves: list[FoundMove] = field(default_factory=list)
    exact: bool = False
    nodes: int = 0
    leaves: int = 0
    seconds: float = 0.0
    table: TableCounters | None = None
    """What was done with the transposition table at this depth, if there is one."""
    cut_short: bool = False
    """The line ends before the search did: the value is known behind it, the moves are not."""
    iterations: int | None = None
    error: float | None = None
    samples: int | None = None
    """Of so many results the value is the mean, where it is one and nothing is proven."""
    proof: int | None = None
    disproof: int | None = None
    target: int | None = None
    """Of a search that proves: the numbers, and what the first player shall get at least, in the question that is asked."""
    values: tuple[float, ...] = ()
    spread: float | None = None
    counted: Counters | None = None
    """What was counted at this depth alone."""


@dataclass
class FoundAnswer:
    """Whether the first player gets at least so much, and how many nodes it took to find out."""

    target: int
    yes: bool
    nodes: int


class Finished(list[FoundDepth]):
    """What was believed at each depth that is finished. A search that is held waits where it adds to it."""

    def __init__(self) -> None:
        super().__init__()
        self.last: int | None = None
        """The depth of the limit: behind it there is nothing to wait for."""
        self.waits = False
        self._waited = self._waits_since = 0.0
        self._from: int | None = None
        self._changed = threading.Condition()

    def append(self, row: FoundDepth) -> None:
        """A depth is finished. Returns when the search may go on."""
        super().append(row)
        with self._changed:
            if row.exact or row.depth == self.last or not self._holds(row.depth):
                return
            self.waits, self._waits_since = True, perf_counter()
            while self.waits:
                self._changed.wait()

    def follow(self) -> None:
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
    depths: Finished = field(default_factory=Finished)
    """What was believed at each depth that is finished; read by whoever watches."""
    earlier_seconds: float = 0.0
    """What an earlier search took that this one goes on with."""
    helpers: list[Work] = field(default_factory=list)
    """The records of other threads that work on it too; read, and stopped, by whoever watches."""
    told: bool = False
    """Somebody told it to stop."""
    hold_clock: Callable[[bool], None] = clock_runs
    """Called with True and then False around what is no part of the search's time."""
    rehearsal: bool = False
    """Only to have the code in memory: what is found is thrown away."""
    root_done: int = 0
    root_count: int = 0
    """How many moves of the root are searched at this depth, and how many there are."""

    shelf: Shelf | None = None
    """The tables that it looks into, if it does."""
    rules: Rules = field(init=False)
    """The game as the kernels see it, with what this search writes into it."""

    def __post_init__(self) -> None:
        self.rules = self.new_rules()
        self.depths.last = self.limit.depth

    def have_at_hand(self, empty: Any) -> None:
        """Touch the memory of an empty table before the search begins, if whoever keeps it wants that."""
        if self.memory.at_hand:
            self.hold_clock(True)
            touch(empty, lambda: self.told)
            self.hold_clock(False)

    def allow(self, work: Work, nodes: int) -> None:
        """Let a record of this search go on until it has entered so many nodes; not if the search was told to stop, before
        or in this very moment."""
        work.budget = nodes
        if self.told:
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
        if self.shelf is None:
            from engines.tables.shelf import shelf_for

            self.shelf = shelf_for(self.position)
        return self.shelf.told(rules)


@dataclass
class Found:
    """The result of a run, still in moves and values of the kernels."""

    best: FoundDepth
    depths: list[FoundDepth]
    stopped_by: StoppedBy
    distance_nodes: int = 0
    """Nodes of a second search that made sure of a win, or of how quick it is. They are within the limit too."""
    line_nodes: int = 0
    """Nodes of searches that followed lines to their leaves, within the limit too."""
    knows_distance: bool = True
    """False if a win is proven but how quick it is was not found out in time."""
    table: TableCounters | None = None
    """What was done with the transposition table in all, if there is one."""
    tree_depths: tuple[int, ...] = ()
    """How many nodes of a tree that was sampled were visited at each ply."""
    playout_plies: float | None = None
    by_thread: tuple[Counters, ...] = ()
    """What each of several threads counted."""
    levels: list[FoundLevel] = field(default_factory=list)
    """Of searches whose levels advise each other."""
    answers: list[FoundAnswer] = field(default_factory=list)
    """Of searches that prove."""
    caution: str = ""
    """What the value does not take into account, in a sentence."""
    regions: list[FoundNode] = field(default_factory=list)
    """Of searches that solve a graph as a whole: what every node is worth."""


@dataclass(frozen=True)
class Algorithm:
    """A search method: how it is called, what it needs, which parameters it has, and the function that runs it.

    The card that explains it is the docstring of the module that `search` is in.
    """

    id: str
    name: str
    year: int | None
    summary: str
    search: Callable[[Run], Found]
    needs: tuple[str, ...] = ()
    limits: tuple[str, ...] = ("depth", "nodes", "seconds")
    """The fields of a `Limit` that mean something to it."""
    parameters: tuple[Parameter, ...] = ()
    judges: bool = True
    """Its value is a belief about the position: proven where it is exact. False: a mere sample, never a proof."""
    view: View = "mover"
    """From whose side it writes values on the tape."""
    samples: bool = False
    """It plays games to learn from and counts iterations. Its values are means of their results, in millionths of a win."""
    scores: bool = False
    """It samples, but looks for one good game: its values are results of games, in units of the kernels."""
    expands: bool = False
    """It expands one position at a time, and counts that as iterations."""
    proves: bool = False
    """It expands, and what it counts are proof numbers. It has no opinion, only an answer or none."""
    expects: bool = False
    """Its values are expectations, on the scale of `engines.stakes.stake`."""
    vectors: bool = False
    """It weighs what each of several players gets, in the units of `engines.stakes.gains`."""
    records: bool = True
    """Its nodes can be written on a tape. A compiled search without a tree has nothing to write."""
    compiled: bool = True
    """It searches with kernels of its own, which are compiled and can be recorded. False: another program does the work."""

    variant: Callable[[Mapping[str, Setting]], str] = lambda parameters: ""
    """Which other code than the usual one is compiled for these parameters, by a name; usually none."""
    variants: tuple[Mapping[str, Setting], ...] = ()
    """Parameters that need other code, so that it can be compiled ahead of time."""

    @property
    def draws_lots(self) -> bool:
        """Another seed may lead to another move."""
        return self.samples or not self.judges

    @property
    def iterates(self) -> bool:
        """It counts iterations, and its checkpoints take the place of depths."""
        return self.samples or self.expands

    @property
    def means(self) -> bool:
        """Its values are means, from 0 to 1 in millionths."""
        return self.samples and not self.scores

    @property
    def trial(self) -> Limit:
        """The least that is worth a search: enough to have its code compiled."""
        return Limit(depth=2) if "depth" in self.limits else Limit(iterations=8)

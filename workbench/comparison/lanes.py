"""A comparison: several searches of one position with one budget.

A lane is an algorithm with its parameters. All lanes get the same budget, and run together or one after another. They can
also be stepped: all one depth deeper, or all to twice the work. This module knows nothing of screens and prints nothing. The
caller polls `look`, which also starts the next lane when one has ended.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import sleep

from msgspec.structs import replace

from engines import catalog
from engines.contract import DEPTH_BY_DEPTH, MAX_DEPTH, DepthRow, Glance, InputError, Limit, Report
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from workbench.comparison.lane_specs import mode_for
from workbench.jobs.compile import missing_code
from workbench.sessions.comparison_types import LaneBelief, LaneBudget, LaneSpec, Mode, Work

FIRST_WORK = 1_000
"""The nodes of the first step by work; each later step has twice as many."""
WATCH = 0.0005
"""Seconds between two checks of the number of evaluations, where that is the budget."""


def limit_of(budget: LaneBudget, algorithm: str, position: Position, by_depth: bool = False) -> Limit:
    """The limit of one lane's search. With `by_depth`, a search to a depth completes all depths before it."""
    limit, declared = budget.limit, catalog.algorithm(algorithm).limits
    if budget == LaneBudget() and "depth" in declared:
        limit = replace(limit, depth=position.game.depth_from(position.state))
    stops = limit.nodes is not None or limit.seconds is not None or limit.iterations is not None
    if (by_depth or budget.evaluations is not None) and not stops and "nodes" in declared:
        limit = replace(limit, nodes=DEPTH_BY_DEPTH)
    return limit


@dataclass
class Lane:
    """A lane with its search and its results."""

    spec: LaneSpec
    search: Search | None = None
    memory: Memory = field(default_factory=Memory)
    rows: dict[int, DepthRow] = field(default_factory=dict)
    """The result at each completed depth."""
    points: list[tuple[int, float]] = field(default_factory=list)
    """Pairs of a number of nodes and the value after them, from steps by work."""
    report: Report | None = None
    problem: str = ""
    """A sentence on why there is no report; empty if nothing went wrong."""
    ended_by: str = ""
    """What ended the search: the reason in its report, or `evaluations`."""
    taken: bool = True
    glance: Glance | None = None

    @property
    def running(self) -> bool:
        """Whether its search is running."""
        return self.search is not None and not self.taken

    def belief(self, shown_depth: int | None = None) -> LaneBelief:
        """The current result, or the one at a depth."""
        row = self.rows.get(shown_depth) if shown_depth is not None else None
        if shown_depth is None and self.report is not None and not self.running:
            return belief_of(self.report)
        if row is None and shown_depth is None and self.rows:
            row = self.rows[max(self.rows)]
        if row is None:
            return LaneBelief()
        told = {name: getattr(row, name) for name in LaneBelief.__struct_fields__ if hasattr(row, name)}
        return LaneBelief(**told)

    def work(self) -> Work:
        """The work done so far."""
        report, glance = self.report, self.glance
        if report is not None and not self.running:
            return work_of(report)
        if glance is None:
            return Work(nodes=0, evaluations=None, playout_moves=None, seconds=0.0)
        counted = glance.counters
        compiled = catalog.algorithm(self.spec.algorithm).compiled
        evaluations = counted.evaluations if compiled else None
        return Work(nodes=counted.nodes, evaluations=evaluations, playout_moves=None, seconds=glance.seconds)

    def by_work(self) -> list[tuple[int, float]]:
        """Pairs of a total number of nodes and the value after them."""
        if self.points:
            return self.points
        total, found = 0, []
        for depth in sorted(self.rows):
            total += self.rows[depth].nodes
            found.append((total, self.rows[depth].value))
        return found

    def whole_report(self) -> Report | None:
        """The report, completed by all depths that were searched in single steps; None if there is none."""
        if self.report is None:
            return None
        rows = {row.depth: row for row in self.report.depths} | self.rows
        return replace(self.report, depths=tuple(rows[depth] for depth in sorted(rows)))


def belief_of(report: Report) -> LaneBelief:
    """The result that a report contains."""
    return LaneBelief(**{name: getattr(report, name) for name in LaneBelief.__struct_fields__})


def work_of(report: Report) -> Work:
    """The work that a report contains. External programs do not tell their evaluations."""
    known = report.algorithm not in catalog.ALGORITHMS or catalog.algorithm(report.algorithm).compiled
    return Work(
        nodes=report.all_nodes,
        evaluations=report.evaluations if known else None,
        playout_moves=playout_moves(report),
        seconds=report.seconds,
    )


def playout_moves(report: Report) -> int | None:
    """The moves played in playouts; None if the algorithm makes none."""
    playouts, plies = getattr(report, "playouts", None), getattr(report, "playout_plies", None)
    return None if playouts is None or plies is None else round(playouts * plies)


class Comparison:
    """Lanes with one budget on one position."""

    def __init__(
        self,
        position: Position,
        lanes: Sequence[LaneSpec],
        budget: LaneBudget | None = None,
        together: bool | None = None,
        by_depth: bool = False,
    ) -> None:
        self.position, self.budget, self.by_depth = position, budget or LaneBudget(), by_depth
        self.asked = together
        """The user's choice whether to run the lanes together; None if there is none."""
        self.lanes = [Lane(lane) for lane in lanes]
        self.stepped_depth = self.stepped_work = 0
        self.shown: int | None = None
        """The depth whose results are shown; None for the newest."""
        self.not_ready: frozenset[str] = frozenset()
        """The algorithms that are still compiled: their lanes wait, while others may begin."""
        self._waiting: list[Lane] = []
        for lane in lanes:
            self._check(lane)

    @property
    def mode(self) -> tuple[Mode, str]:
        """Whether the lanes run together or one after another, and the reason in words."""
        return mode_for([lane.spec for lane in self.lanes], self.asked)

    def _check(self, lane: LaneSpec) -> None:
        """Raise InputError if a lane cannot search this position, or cannot keep to the budget."""
        found = catalog.algorithm(lane.algorithm)
        if reason := catalog.misfit(found, self.position):
            raise InputError(reason)
        try:
            catalog.check_limit(found, limit_of(self.budget, lane.algorithm, self.position, self.by_depth))
        except InputError as error:
            raise InputError(f"{error} All lanes share one budget: give a limit that each of them has.") from None
        if self.budget.evaluations is not None and not found.compiled:
            raise InputError(f"{found.id} does not say how many positions it evaluates; give nodes, depth or seconds.")

    def change(self, lanes: Sequence[LaneSpec], budget: LaneBudget | None = None) -> None:
        """Set other lanes, or another budget. A lane that stays keeps its results if the budget stays too. Raises
        InputError, and changes nothing, if a lane is not possible."""
        new = Comparison(self.position, lanes, budget or self.budget, self.asked, self.by_depth)
        self.stop()
        kept = list(self.lanes) if new.budget == self.budget else []
        for number, lane in enumerate(new.lanes):
            same = next((one for one in kept if replace(one.spec, name="") == replace(lane.spec, name="")), None)
            if same is not None:
                kept.remove(same)
                same.spec = lane.spec
                new.lanes[number] = same
        self.lanes = new.lanes
        self.budget, self.shown = new.budget, None

    # Starting and stopping.

    @property
    def busy(self) -> bool:
        """Whether a lane is running or waiting for its turn."""
        return bool(self._waiting) or any(lane.running for lane in self.lanes)

    def limit_again(self, lane: Lane) -> Limit:
        """The limit with which a lane's search does the same once more, however long that takes. Raises InputError if that
        is not known yet."""
        if self.stepped_depth:
            return Limit(depth=self.stepped_depth, nodes=DEPTH_BY_DEPTH)
        if self.stepped_work:
            return Limit(nodes=self.stepped_work)
        limit = limit_of(self.budget, lane.spec.algorithm, self.position, self.by_depth)
        if limit.seconds is None and self.budget.evaluations is None:
            return limit
        if lane.report is None:
            raise InputError(
                "Run the lanes first: their budget is no number of nodes, so that it is not known how many to record."
            )
        return Limit(depth=limit.depth, nodes=max(1, lane.report.all_nodes))

    def run(self) -> None:
        """Run all lanes from the beginning to the budget."""
        self.stop()
        self.stepped_depth = self.stepped_work = 0
        limits = [limit_of(self.budget, lane.spec.algorithm, self.position, self.by_depth) for lane in self.lanes]
        for lane in self.lanes:
            lane.memory, lane.rows, lane.points = Memory(prefault=True), {}, []
        self._begin(limits)

    def step_depth(self) -> None:
        """Search exactly one depth further in all lanes, with their tables kept. After `step_back`, show the next depth
        instead."""
        if self.busy:
            return
        deepest = max((max(lane.rows, default=0) for lane in self.lanes), default=0)
        if self.shown is not None:
            self.shown = self.shown + 1 if self.shown + 1 < deepest else None
            return
        depth = min(deepest + 1, MAX_DEPTH)
        self._begin([Limit(depth=depth) for _ in self.lanes])
        self.stepped_depth, self.stepped_work = depth, 0

    def step_back(self) -> bool:
        """Show the results of all lanes one depth earlier. Returns False if there is no earlier depth."""
        depths = sorted({depth for lane in self.lanes for depth in lane.rows})
        earlier = [depth for depth in depths if self.shown is None or depth < self.shown]
        if self.shown is None and earlier:
            earlier.pop()
        if self.busy or not earlier:
            return False
        self.shown = earlier[-1]
        return True

    def step_work(self) -> None:
        """Run all lanes from the beginning to the same number of nodes, twice as many as in the step before."""
        if self.busy:
            return
        work = self.stepped_work * 2 or FIRST_WORK
        points = [list(lane.points) for lane in self.lanes]
        for lane in self.lanes:
            lane.memory, lane.rows = Memory(prefault=True), {}
        self._begin([Limit(nodes=work) for _ in self.lanes])
        self.stepped_depth, self.stepped_work = 0, work
        for lane, before in zip(self.lanes, points, strict=True):
            lane.points = before if work > FIRST_WORK else []

    def _begin(self, limits: Sequence[Limit]) -> None:
        """Start new searches. All are created before the first starts, so that an InputError comes before any result is
        lost."""
        searches = [
            Search(
                self.position.judged_with(lane.spec.options),
                catalog.algorithm(lane.spec.algorithm),
                limit,
                lane.spec.parameters,
                lane.spec.seed,
                memory=lane.memory,
            )
            for lane, limit in zip(self.lanes, limits, strict=True)
        ]
        for lane, search in zip(self.lanes, searches, strict=True):
            lane.search, lane.taken, lane.glance = search, True, None
            lane.report, lane.problem, lane.ended_by = None, "", ""
        self.shown, self._waiting = None, list(self.lanes)
        self.look()

    def _start(self, lane: Lane) -> None:
        assert lane.search is not None
        lane.taken = False
        lane.search.start()
        if self.budget.evaluations is not None and not self.stepped_depth and not self.stepped_work:
            watcher = threading.Thread(target=_watch, args=(lane, lane.search, self.budget.evaluations), daemon=True)
            watcher.start()

    def stop(self, seconds: float | None = 2.0) -> None:
        """Stop all running searches and wait until they have ended, at most so many seconds. That takes a moment, unless
        code is being compiled. Lanes that were waiting get no report."""
        self._waiting = []
        running = [lane for lane in self.lanes if lane.running]
        for lane in running:
            assert lane.search is not None
            lane.search.stop()
        for lane in running:
            assert lane.search is not None
            lane.search.join(seconds)
            self._look_at(lane)

    def look(self) -> None:
        """Take over what the lanes have found, and start those whose turn it is and whose code is compiled."""
        for lane in self.lanes:
            if lane.running:
                self._look_at(lane)
        together = self.mode[0] == "together"
        for lane in [one for one in self._waiting if one.spec.algorithm not in self.not_ready]:
            if together or not any(one.running for one in self.lanes):
                self._waiting.remove(lane)
                self._start(lane)

    def _look_at(self, lane: Lane) -> None:
        search = lane.search
        assert search is not None
        lane.glance = search.glance()
        for row in lane.glance.depths:
            lane.rows.setdefault(row.depth, row)
        if search.running:
            return
        lane.taken = True
        try:
            lane.report = search.report()
        except InputError as error:
            lane.problem = str(error)
            return
        lane.ended_by = lane.ended_by or lane.report.stopped_by
        if self.stepped_work and lane.report.value is not None:
            lane.points.append((self.stepped_work, lane.report.value))

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so many seconds. Returns whether all lanes have ended."""
        running = next((lane for lane in self.lanes if lane.running), None)
        if running is not None and running.search is not None:
            running.search.join(seconds)
        self.look()
        return not self.busy

    def missing_code(self) -> list[str]:
        """The algorithms whose code has to be compiled first."""
        if self.position.is_over:
            return []
        return missing_code((lane.spec.algorithm for lane in self.lanes), self.position.game)


def _watch(lane: Lane, search: Search, evaluations: int) -> None:
    """Stop a search shortly after it has made so many evaluations."""
    while search.running:
        if search.work.evaluations >= evaluations:
            lane.ended_by = "evaluations"
            search.stop()
            return
        sleep(WATCH)

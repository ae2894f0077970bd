"""State of the Compare screen: the lanes on the analysed position, what is true of the position, and the session.

This module knows nothing of the screen, which calls `look` twenty times a second and draws the view that it returns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engines import catalog
from engines.contract import InputError, Limit, Setting, shown
from workbench.analysis.desk import Desk
from workbench.analysis.view_state import CompilingView
from workbench.comparison.job import ComparisonJob, TruthJob
from workbench.comparison.lane_specs import FEWEST_LANES, MOST_LANES, is_lane, named, spec_of
from workbench.comparison.lanes import Comparison, Lane
from workbench.comparison.view_state import CompareView, lane_views
from workbench.jobs.compile import Compiling, is_missing
from workbench.sessions.comparison_types import BUDGETS, Agreement, Compared, LaneBudget, LaneSpec, Truth

USUAL = ("alphabeta", "deepening", "mtdf")
SIZES = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


class CompareDesk:
    """The state of one comparison: lanes on one position, the chosen lane, and what runs."""

    def __init__(self, desk: Desk, lanes: Sequence[LaneSpec] = (), budget: LaneBudget | None = None) -> None:
        self.desk, self.position = desk, desk.position
        self.at = 0
        """The lane that is chosen, counted from 0."""
        self.agreement: Agreement | None = None
        self.compiling: Compiling | None = None
        self._compiled = ""
        """The algorithm that is being compiled."""
        self._open = self._series = False
        """Whether a run has not been seen to end yet; whether what comes next extends the comparison that was kept last."""
        self._truth_job: TruthJob | None = None
        if not lanes:
            lanes, budget = self._last() or (usual_lanes(desk), usual_budget(desk))
        self.job = ComparisonJob(Comparison(self.position, lanes, budget, by_depth=True))
        self._recall()

    @property
    def comparison(self) -> Comparison:
        """The lanes with their budget."""
        return self.job.comparison

    @property
    def truth(self) -> Truth | None:
        """What is true of the position; None as long as it is not known."""
        return self.job.truth

    def _last(self) -> tuple[tuple[LaneSpec, ...], LaneBudget] | None:
        """The lanes and budget of the session's last comparison of this position; None if there is none."""
        for last in self._earlier():
            game = self.position.game.id
            known = last.game == game and all(is_lane(row.algorithm, row.changed, game) for row in last.lanes)
            if last.position == self.position.text and known and FEWEST_LANES <= len(last.lanes) <= MOST_LANES:
                return named([spec_of(row.algorithm, row.changed, game) for row in last.lanes]), last.budget
        return None

    def _recall(self) -> None:
        """Take over the results of the session's last comparison of this position, if it had the same lanes."""
        for last in self._earlier():
            mine = [(lane.spec.algorithm, lane.spec.changed) for lane in self.comparison.lanes]
            here = (self.position.game.id, self.position.text)
            if (last.game, last.position) == here and mine == [(row.algorithm, row.changed) for row in last.lanes]:
                if last.budget != self.comparison.budget:
                    continue
                for lane, row, report in zip(self.comparison.lanes, last.lanes, last.reports, strict=True):
                    lane.report, lane.ended_by, lane.problem = report, row.ended_by, row.problem
                    lane.rows = {one.depth: one for one in report.depths} if report is not None else {}
                self.job.truth, self.agreement = last.truth, last.agreement
                return

    def _earlier(self) -> list[Compared]:
        """The session's comparisons, the last one first."""
        return [kept.compared for kept in reversed(self.desk.session.study.comparisons)]

    # Lanes and budget.

    @property
    def specs(self) -> list[LaneSpec]:
        """The specifications of all lanes."""
        return [lane.spec for lane in self.comparison.lanes]

    def choose(self, step: int) -> None:
        """Choose the next lane, or the one before."""
        self.at = (self.at + step) % len(self.comparison.lanes)

    def add(self, algorithm: str, parameters: dict[str, Setting]) -> None:
        """Add a lane at the end."""
        if len(self.specs) >= MOST_LANES:
            raise InputError(f"There is room for {MOST_LANES} lanes; remove one first.")
        self._change([*self.specs, self._spec(algorithm, parameters)])
        self.at = len(self.specs) - 1

    def replace(self, algorithm: str, parameters: dict[str, Setting]) -> None:
        """Give the chosen lane another algorithm or other parameters."""
        changed = self._spec(algorithm, {**parameters, **self.specs[self.at].options})
        self._change([*self.specs[: self.at], changed, *self.specs[self.at + 1 :]])

    def remove(self) -> None:
        """Remove the chosen lane."""
        if len(self.specs) <= FEWEST_LANES:
            raise InputError(f"A comparison has at least {FEWEST_LANES} lanes.")
        self._change([lane for number, lane in enumerate(self.specs) if number != self.at])
        self.at = min(self.at, len(self.specs) - 1)

    def spend(self, budget: LaneBudget) -> None:
        """Set another budget for all lanes."""
        self._change(self.specs, budget)

    def _spec(self, algorithm: str, parameters: dict[str, Setting]) -> LaneSpec:
        return spec_of(algorithm, parameters, self.position.game.id, seed=self.desk.seed)

    def _change(self, lanes: Sequence[LaneSpec], budget: LaneBudget | None = None) -> None:
        self.stop()
        self.comparison.change(named(lanes), budget)
        self._series = False
        self.agreement = self.job.agreement()

    def next_order(self) -> str:
        """Switch to the next order of running: decided by the number of cores, together, one after another. Returns it in
        words."""
        if self.comparison.busy:
            raise InputError("The lanes run; stop them first.")
        order: list[bool | None] = [None, True, False]
        self.comparison.asked = order[(order.index(self.comparison.asked) + 1) % len(order)]
        mode, why = self.comparison.mode
        return f"The lanes run {mode} ({why})."

    def pair(self) -> tuple[Lane, Lane]:
        """The lanes whose searches are compared node by node: the first one and the chosen one, or the second."""
        lanes = self.comparison.lanes
        return lanes[0], lanes[self.at or 1]

    # Running.

    @property
    def busy(self) -> bool:
        """Whether lanes are running, or their code is being compiled."""
        return self.compiling is not None or self.comparison.busy

    def run(self) -> None:
        """Run all lanes to the budget."""
        self._series = False
        self._do(self.comparison.run)

    def step_depth(self) -> None:
        """Search one depth further in all lanes."""
        if not self.busy:
            self._do(self.comparison.step_depth)

    def step_work(self) -> None:
        """Run all lanes with twice the work."""
        if not self.busy:
            self._do(self.comparison.step_work)

    def step_back(self) -> bool:
        """Show the results of all lanes one depth earlier. Returns False if there is no earlier depth."""
        return self.comparison.step_back()

    def stop(self) -> None:
        """Stop all lanes and the compiler."""
        compiling, self.compiling = self.compiling, None
        if compiling is not None:
            compiling.stop()
        self.comparison.stop()
        self._stop_truth_job()
        if self._open:
            self._end()

    def _do(self, start: Callable[[], None]) -> None:
        """Start the lanes. Those whose code has to be compiled first begin when that is done."""
        self._stop_truth_job()
        self.comparison.not_ready = frozenset(self.comparison.missing_code())
        start()
        self._compile_next()
        self._open = self.busy
        if self._open:
            self.agreement = None

    def _compile_next(self) -> None:
        """Begin to compile what is missing, if anything is."""
        if missing := self.job.missing_code():
            game, self._compiled = self.position.game, missing[0]
            self.compiling = Compiling(f"{missing[0]} for {game.title}", missing[0], game.id, None)

    # Looking.

    def look(self) -> CompareView:
        """Poll the lanes, and return the state as one frozen view. Raises InputError if something went wrong."""
        self.poll()
        return self.view()

    def view(self) -> CompareView:
        """The state as it is, without polling."""
        comparison = self.comparison
        mode, why = comparison.mode
        return CompareView(
            position=self.position,
            lanes=lane_views(comparison, self.truth),
            at=self.at,
            shown=comparison.shown,
            stepped_work=comparison.stepped_work,
            budget=comparison.budget,
            mode=mode,
            why=why,
            searching=comparison.busy,
            compiling=CompilingView.of(self.compiling) if self.compiling is not None else None,
            looks_for_truth=self.looks_for_truth,
            truth=self.truth,
            agreement=self.agreement,
        )

    def poll(self) -> None:
        """Update the state with what the lanes have done. Raises InputError if something went wrong."""
        if self.compiling is not None:
            self._see_whether_it_is_compiled(self.compiling)
        self.comparison.look()
        if self._open and not self.busy:
            self._end()
            if self.job.lacks_truth:
                self._truth_job = TruthJob(self.position, self.job.reports)
            if self.job.problems:
                raise InputError(self.job.problems)
        if self._truth_job is not None and not self._truth_job.running:
            self.job.truth, self._truth_job = self._truth_job.truth, None
            self.agreement = self.job.agreement()
            self._keep()

    def _see_whether_it_is_compiled(self, compiling: Compiling) -> None:
        """Let lanes begin whose code is there now, and compile what comes next."""
        if not is_missing(self._compiled, self.position.game):
            compiling.stop()
            self.compiling = None
            self.comparison.not_ready = frozenset(self.comparison.missing_code())
            self._compile_next()
        elif compiling.ended:
            self.stop()
            raise InputError(f"Compiling {self._compiled} failed; plybench warm shows why.")

    def _end(self) -> None:
        """Note that a run has ended."""
        self._open = False
        self.agreement = self.job.agreement()
        self._keep()
        self._series = True

    def _keep(self) -> None:
        """Store the comparison in the session. It replaces the one that was stored last if it continues that one."""
        if not any(report is not None and report.value is not None for report in self.job.reports):
            return
        study, result = self.desk.session.study, self.job.result()
        if self._series and study.comparisons and study.comparisons[-1].compared.position == result.position:
            study.comparisons.pop()
        study.keep_comparison(result, stepped=bool(self.comparison.stepped_depth))
        self.desk.changed()

    @property
    def looks_for_truth(self) -> bool:
        """Whether the truth is being looked up or proven."""
        return self._truth_job is not None

    def _stop_truth_job(self) -> None:
        if self._truth_job is not None:
            self._truth_job.stop(wait=0)
            self._truth_job = None

    def close(self) -> None:
        """Stop everything, because the screen is closed."""
        self.stop()


class LaneChoice:
    """Adapts a lane to what the algorithm dialog needs (`workbench.app.dialogs.algorithm.Choosing`)."""

    def __init__(self, desk: CompareDesk, lane: LaneSpec) -> None:
        self.position, self.algorithm = desk.position, lane.algorithm
        self.settings = {**desk.desk.settings, lane.algorithm: lane.changed}

    def limit_for(self, algorithm: str) -> Limit | None:
        """Always None: all lanes share one budget, which the dialog does not set."""
        return None


def usual_lanes(desk: Desk) -> tuple[LaneSpec, ...]:
    """The default lanes: the algorithm chosen on the Analyse screen, and others to compare it with."""
    position = desk.position
    fitting = [name for name in catalog.ALGORITHMS if not catalog.misfit(catalog.algorithm(name), position)]
    others = [name for name in USUAL if name in fitting and name != desk.algorithm][:2]
    first = spec_of(desk.algorithm, desk.parameters, position.game.id, seed=desk.seed)
    return named([first, *(spec_of(name, {}, position.game.id, seed=desk.seed) for name in others)])


def usual_budget(desk: Desk) -> LaneBudget:
    """The default budget: a depth that all default lanes reach within seconds."""
    depth = desk.limit_for(USUAL[0]).depth
    return LaneBudget(depth=depth) if depth is not None else LaneBudget(depth=desk.position.game.default_depth)


def read_budget(text: str) -> LaneBudget:
    """A budget as the user types it: `8`, `depth 8`, `nodes 200k`, `2 seconds, depth 9`."""
    given: dict[str, float] = {}
    for part in filter(None, (part.strip().lower() for part in re.split(r"[,;]", text))):
        match = re.fullmatch(r"(?:([a-z]+)\s*=?\s*)?([0-9]+(?:\.[0-9]+)?)\s?([kmg]?)(?:\s+([a-z]+))?", part)
        name = (match[1] or match[4] or "depth") if match else ""
        name = {"s": "seconds", "second": "seconds", "node": "nodes", "evals": "evaluations"}.get(name, name)
        if match is None or name not in BUDGETS or name in given or (match[1] and match[4]):
            raise InputError(
                f"A budget is written depth 8, or nodes 200k, seconds 2 ({', '.join(BUDGETS)}), not {shown(part)}."
            )
        given[name] = float(match[2]) * SIZES[match[3]]
    if not given:
        raise InputError("The budget is empty; depth 8, for example, is one.")
    whole = {name: int(number) for name, number in given.items() if name != "seconds"}
    return LaneBudget(**whole, seconds=given.get("seconds"))

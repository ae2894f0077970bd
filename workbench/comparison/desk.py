"""State of the Compare screen: the lanes on the analysed position, what is true of the position, and the session.

This module knows nothing of the screen, which calls `look` twenty times a second and draws the state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engines import catalog
from engines.contract import InputError, Limit, Setting, shown
from engines.position import Position
from workbench.analysis.desk import Desk
from workbench.comparison.agreement import agreement
from workbench.comparison.lane_specs import FEWEST_LANES, MOST_LANES, is_lane, named, spec_of
from workbench.comparison.lanes import Comparison
from workbench.comparison.result import compared
from workbench.jobs.compile import Compiling, is_missing
from workbench.jobs.searches import SearchThread
from workbench.proofs.truth import NODES, from_reports, truth_of
from workbench.sessions.comparison_types import BUDGETS, Agreement, LaneBudget, LaneSpec, Truth

USUAL = ("alphabeta", "deepening", "mtdf")
SIZES = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


class CompareDesk:
    """The state of one comparison: lanes on one position, the chosen lane, and what runs."""

    def __init__(self, desk: Desk, lanes: Sequence[LaneSpec] = (), budget: LaneBudget | None = None) -> None:
        self.desk, self.position = desk, desk.position
        self.at = 0
        """The lane that is chosen, counted from 0."""
        self.truth: Truth | None = None
        self.agreement: Agreement | None = None
        self.compiling: Compiling | None = None
        self._deed: Callable[[], None] | None = None
        """What to do once the code is compiled."""
        self._compiled = ""
        """The algorithm that is being compiled."""
        self._open = self._series = False
        """Whether a run has not been seen to end yet; whether what comes next extends the comparison that was kept last."""
        self._telling: TruthJob | None = None
        if not lanes:
            lanes, budget = self._last() or (usual_lanes(desk), usual_budget(desk))
        self.comparison = Comparison(self.position, lanes, budget, by_depth=True)
        self._recall()

    def _last(self) -> tuple[tuple[LaneSpec, ...], LaneBudget] | None:
        """The lanes and budget of the session's last comparison of this position; None if there is none."""
        for kept in reversed(self.desk.session.study.comparisons):
            found = kept.compared
            game = self.position.game.id
            known = found.game == game and all(is_lane(row.algorithm, row.changed, game) for row in found.lanes)
            if found.position == self.position.text and known and FEWEST_LANES <= len(found.lanes) <= MOST_LANES:
                return named([spec_of(row.algorithm, row.changed, game) for row in found.lanes]), found.budget
        return None

    def _recall(self) -> None:
        """Take over the results of the session's last comparison of this position, if it had the same lanes."""
        for kept in reversed(self.desk.session.study.comparisons):
            found = kept.compared
            mine = [(lane.spec.algorithm, lane.spec.changed) for lane in self.comparison.lanes]
            here = (self.position.game.id, self.position.text)
            if (found.game, found.position) == here and mine == [(row.algorithm, row.changed) for row in found.lanes]:
                if found.budget != self.comparison.budget:
                    continue
                for lane, row, report in zip(self.comparison.lanes, found.lanes, found.reports, strict=True):
                    lane.report, lane.ended_by, lane.problem = report, row.ended_by, row.problem
                    lane.rows = {one.depth: one for one in report.depths} if report is not None else {}
                self.truth, self.agreement = found.truth, found.agreement
                return

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
        self.agreement, self._series = None, False
        self._judge()

    def next_order(self) -> str:
        """Switch to the next order of running: decided by the number of cores, together, one after another. Returns it in
        words."""
        if self.comparison.busy:
            raise InputError("The lanes run; stop them first.")
        order: list[bool | None] = [None, True, False]
        self.comparison.asked = order[(order.index(self.comparison.asked) + 1) % len(order)]
        mode, why = self.comparison.mode
        return f"The lanes run {mode} ({why})."

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
        self._deed = None
        compiling, self.compiling = self.compiling, None
        if compiling is not None:
            compiling.stop()
        self.comparison.stop()
        self._stop_telling()
        if self._open:
            self._end()

    def _do(self, deed: Callable[[], None]) -> None:
        if missing := self._missing():
            self._deed, self._compiled = deed, missing[0]
            game = self.position.game
            self.compiling = Compiling(f"{missing[0]} for {game.title}", missing[0], game.id, None)
            return
        self._stop_telling()
        deed()
        self._open = self.comparison.busy
        if self._open:
            self.agreement = None

    def _missing(self) -> list[str]:
        """The algorithms that have to be compiled first, for the lanes and for finding the truth."""
        game, wanted = self.position.game, self.comparison.missing_code()
        prover = self.position.game.prover
        looked_up = self.position.game.has_references or self.position.game.is_typed_by_hand
        fits = not looked_up and not catalog.misfit(catalog.algorithm(prover), self.position)
        if fits and is_missing(prover, game):
            wanted.append(prover)
        return list(dict.fromkeys(wanted))

    # Looking.

    def look(self) -> None:
        """Update the state with what the lanes have done. Raises InputError if something went wrong."""
        if self.compiling is not None:
            self._see_whether_it_is_compiled(self.compiling)
        self.comparison.look()
        if self._open and not self.comparison.busy:
            self._end()
            problems = [lane.problem for lane in self.comparison.lanes if lane.problem]
            self._tell_truth()
            if problems:
                raise InputError(" ".join(problems))
        if self._telling is not None and not self._telling.running:
            self.truth, self._telling = self._telling.found or self._proven(), None
            self._judge()
            self._keep()

    def _see_whether_it_is_compiled(self, compiling: Compiling) -> None:
        if not is_missing(self._compiled, self.position.game):
            compiling.stop()
            deed, self._deed, self.compiling = self._deed, None, None
            if deed is not None:
                self._do(deed)
        elif compiling.ended:
            self.compiling = self._deed = None
            raise InputError(f"Compiling {self._compiled} failed; plybench warm shows why.")

    def _end(self) -> None:
        """Note that a run has ended."""
        self._open = False
        self._judge()
        self._keep()
        self._series = True

    def _judge(self) -> None:
        names = [lane.spec.name for lane in self.comparison.lanes]
        reports = [lane.whole_report() for lane in self.comparison.lanes]
        self.agreement = agreement(names, reports, self.truth) if any(reports) else None

    def _keep(self) -> None:
        """Store the comparison in the session. It replaces the one that was stored last if it continues that one."""
        complete = all(lane.report is not None and lane.ended_by != "request" for lane in self.comparison.lanes)
        if not any(lane.report is not None and lane.report.value is not None for lane in self.comparison.lanes):
            return
        study = self.desk.session.study
        found = compared(self.comparison, self.truth, complete)
        if self._series and study.comparisons and study.comparisons[-1].compared.position == found.position:
            study.comparisons.pop()
        study.keep_comparison(found, stepped=bool(self.comparison.stepped_depth))
        self.desk.changed()

    # The truth.

    @property
    def looks_for_truth(self) -> bool:
        """Whether the truth is being looked up or proven."""
        return self._telling is not None

    def _proven(self) -> Truth | None:
        reports = [lane.report for lane in self.comparison.lanes]
        return from_reports(reports, [lane.belief().best_move for lane in self.comparison.lanes])

    def _tell_truth(self) -> None:
        """Find out in the background what is true of the position and of the moves that the lanes prefer."""
        moves = list(dict.fromkeys(lane.belief().best_move for lane in self.comparison.lanes))
        if self.truth is None or any(move is not None and self.truth.of(move) is None for move in moves):
            self._telling = TruthJob(self.position, moves)

    def _stop_telling(self) -> None:
        if self._telling is not None:
            self._telling.stop(wait=0)
            self._telling = None

    def close(self) -> None:
        """Stop everything, because the screen is closed."""
        self.stop()


class TruthJob(SearchThread):
    """Finds out in a background thread what is true of a position and of the moves that lanes prefer."""

    def __init__(self, position: Position, moves: Sequence[str | None]) -> None:
        super().__init__("truth")
        self.found: Truth | None = None
        """The truth; None as long as it is not known."""
        self._position, self._moves = position, moves
        self._thread.start()

    def work(self) -> None:
        """Look the truth up, or prove it."""
        found = truth_of(self._position, self._moves, NODES, self.run)
        self.found = None if self._stopping.is_set() else found


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
        raise InputError("The budget is empty; depth 8, for one, is a budget.")
    whole = {name: int(number) for name, number in given.items() if name != "seconds"}
    return LaneBudget(**whole, seconds=given.get("seconds"))

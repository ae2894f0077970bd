"""A comparison from its lanes to its result, without a screen: run the lanes, find out what is true, compose the result.

The command `compare` runs all of it. The Compare screen takes the same steps one at a time, because its lanes can also be
stepped, and because it looks for the truth in a thread.
"""

from __future__ import annotations

from collections.abc import Callable

from engines import catalog
from engines.contract import Report
from engines.position import Position
from workbench.comparison.agreement import agreement
from workbench.comparison.lanes import Comparison
from workbench.comparison.result import compared
from workbench.jobs.compile import is_missing
from workbench.jobs.searches import RunSearch, SearchThread, run_to_end
from workbench.proofs.truth import find_truth, from_reports
from workbench.sessions.comparison_types import Agreement, Compared, Truth

POLL = 0.5
"""Seconds between two looks at lanes that nobody watches."""


def wait_for_end(comparison: Comparison) -> None:
    """Wait until all lanes have ended, and show nothing meanwhile."""
    while not comparison.wait(POLL):
        pass


class ComparisonJob:
    """The lanes of a comparison, what is true of its position, and the result of both."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.truth: Truth | None = None
        """The truth of the position and of the moves that lanes prefer; None as long as it is not known."""
        self.interrupted = False
        """Whether the user interrupted `run`."""

    def run(
        self,
        watch: Callable[[Comparison], object] = wait_for_end,
        run: RunSearch = run_to_end,
        wants_truth: bool = True,
        truth_nodes: int | None = None,
    ) -> Compared:
        """Run all lanes to the budget, then find the truth if it is wanted, with at most so many nodes for each proof.

        `watch` waits until the lanes have ended, `run` runs the searches for the truth. Ctrl-C ends either early; the result
        then contains what there is.
        """
        try:
            self.comparison.run()
            watch(self.comparison)
        except KeyboardInterrupt:
            self.comparison.stop(None)
            self.interrupted = True
        if wants_truth and not self.interrupted:
            self.truth, self.interrupted = find_truth(self.comparison.position, self.reports, truth_nodes, run)
        return self.result()

    # The steps.

    def missing_code(self) -> list[str]:
        """The algorithms whose code has to be compiled first, for the lanes and for finding the truth."""
        position, missing = self.comparison.position, self.comparison.missing_code()
        game = position.game
        looked_up = game.has_references or game.is_typed_by_hand
        fits = not looked_up and not catalog.misfit(catalog.algorithm(game.prover), position)
        if fits and is_missing(game.prover, game):
            missing.append(game.prover)
        return list(dict.fromkeys(missing))

    @property
    def reports(self) -> list[Report | None]:
        """The report of each lane; None where it has none yet, was not reached or failed."""
        return [lane.report for lane in self.comparison.lanes]

    @property
    def problems(self) -> str:
        """Sentences on why lanes failed; empty if none did."""
        return " ".join(lane.problem for lane in self.comparison.lanes if lane.problem)

    @property
    def lacks_truth(self) -> bool:
        """Whether the truth of the position, or of a move that a lane prefers, has not been found."""
        truth, moves = self.truth, [report.best_move for report in self.reports if report is not None]
        return truth is None or any(move is not None and truth.of(move) is None for move in moves)

    @property
    def is_complete(self) -> bool:
        """Whether nobody interrupted it: every lane came to its own end, be it a failure, and the search for the truth did
        too."""
        ended = (lane.problem or (lane.report is not None and lane.ended_by != "request") for lane in self.comparison.lanes)
        return not self.interrupted and all(ended)

    def agreement(self) -> Agreement | None:
        """Whether the lanes agree that must; None if no lane has a report."""
        names = [lane.spec.name for lane in self.comparison.lanes]
        reports = [lane.whole_report() for lane in self.comparison.lanes]
        return agreement(names, reports, self.truth) if any(reports) else None

    def result(self) -> Compared:
        """The result so far."""
        return compared(self.comparison, self.truth, self.is_complete)


class TruthJob(SearchThread):
    """Finds out in a background thread what is true of a position and of the moves that lanes prefer."""

    def __init__(self, position: Position, reports: list[Report | None]) -> None:
        super().__init__("truth")
        self.truth = from_reports(reports, [report.best_move for report in reports if report is not None])
        """The truth; until it is found, and if it cannot be, what one of the reports proves."""
        self._position, self._reports = position, reports
        self._thread.start()

    def work(self) -> None:
        """Look the truth up, or prove it."""
        self.truth, _ = find_truth(self._position, self._reports, run=self.run)

"""A search that is carried out once more, iteration by iteration: it finds the very same, as all its random numbers are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Report
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from engines.tape.report_checks import read_parameters
from engines.tape.tape import Tape
from workbench.render.values import counted

MOST_ITERATIONS = 2_000
"""Of a longer search so many iterations can be watched."""
MOST_NODES = 3_000_000
"""After so many nodes the search is not followed any further."""


class Rerun:
    """The search of a report, once more; it can be stopped at any iteration."""

    def __init__(self, report: Report, visits: Tape | None = None, most: int = MOST_ITERATIONS) -> None:
        self.report = report
        self.algorithm: Algorithm = catalog.algorithm(report.algorithm)
        self.position: Position = catalog.restore(report.position, report.game, report.size, report.options)
        parameters = read_parameters(report)
        if int(parameters.get("threads", 1)) > 1:
            raise InputError(
                f"{counted(int(parameters['threads']), 'thread')} searched at once, in no order that could be told again; "
                "with one thread it can be watched."
            )
        self.whole = report.iterations or 0
        """The iterations of the search that is watched."""
        self.limit = max(1, min(self.whole, most))
        limit = Limit(iterations=self.limit)
        self.search = Search(self.position, self.algorithm, limit, parameters, report.seed, memory=Memory())
        if visits is not None:
            self.search.run.visits = visits

    def run(self, watcher: Callable[[Any], None] | None, stopped: Callable[[], bool] = lambda: False) -> Report:
        """Carry it out; `watcher` sees what has grown after each iteration, as far as it is followed."""
        run = self.search.run

        def watch(grown: Any) -> None:
            if watcher is not None:
                watcher(grown)
            if int(run.work.nodes) > MOST_NODES or stopped():
                self.search.stop()

        run.watcher = watch
        return self.search.run_here().report()

    def notice(self, done: int, what: str = "iteration") -> str:
        """What is not shown of the search; empty if all of it is."""
        return f"The first {done:,} of {counted(self.whole, what)}." if done < self.whole else ""

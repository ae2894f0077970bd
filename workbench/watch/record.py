"""Searches a position once more with every node recorded, so that it can be watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Report, Setting
from engines.position import Position
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from workbench.jobs.compile import compile_first
from workbench.watch.open import needs_recording, trace_of
from workbench.watch.trace import Trace

MOST_NODES = 2_000_000
"""More than so many nodes of a search are not recorded."""
MOST_SEARCHED = 30_000_000
"""After so many a search that nobody can watch as a whole is stopped."""
POLL_SECONDS = 0.05


def check_watchable(algorithm: Algorithm, position: Position) -> None:
    """An InputError if a search cannot be recorded, or does not fit the position."""
    if not algorithm.records:
        raise InputError(f"{algorithm.id} keeps no tree, so there is nothing to watch.")
    if position.is_over:
        raise InputError("The game is over; there is nothing to search.")
    if reason := catalog.misfit(algorithm, position):
        raise InputError(reason)


def recorded(
    position: Position,
    algorithm: Algorithm,
    parameters: Mapping[str, Setting],
    limit: Limit,
    seed: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> Recording:
    """The recording of a search, which the calling thread waits for; compiled first if it is not."""
    check_watchable(algorithm, position)
    compile_first(algorithm.id, position.game, stopped, recorded=True)
    tape = new_tape(MOST_NODES)
    report = _report(Search(position, algorithm, limit, parameters, seed, tape=tape), stopped)
    return Recording.of(tape, report, algorithm.view)


def _report(search: Search, stopped: Callable[[], bool]) -> Report:
    """The report of a search that is stopped when that is wanted, or when it has far more nodes than can be recorded."""
    search.start()
    while not search.join(POLL_SECONDS):
        if stopped() or search.counters().nodes > MOST_SEARCHED:
            search.stop()
    return search.report()


def traced(
    position: Position,
    algorithm: Algorithm,
    parameters: Mapping[str, Setting],
    limit: Limit,
    seed: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Trace, Report, Recording | None]:
    """The trace of a search that is run for it, and its recording if it is read off one."""
    if not needs_recording(algorithm):
        compile_first(algorithm.id, position.game, stopped)
        report = _report(Search(position, algorithm, limit, parameters, seed), stopped)
        return trace_of(report, None, stopped), report, None
    found = recorded(position, algorithm, parameters, limit, seed, stopped)
    return trace_of(found.report, found, stopped), found.report, found


class SecondChoice:
    """What is chosen in the dialog of algorithms: the search that is watched beside another one."""

    def __init__(self, position: Position, report: Report) -> None:
        self.position, self.algorithm = position, companion(position, catalog.algorithm(report.algorithm))
        self.settings: Mapping[str, Mapping[str, Setting]] = {}

    def limit_for(self, algorithm: str) -> Limit | None:
        """Always None: it looks as deep as the other one."""
        return None


def as_deep_as(report: Report, trace: Trace, algorithm: Algorithm) -> Limit:
    """The limit with which a second search looks as deep as another one, or iterates as often."""
    if algorithm.iterates:
        return Limit(iterations=report.iterations or 100)
    return Limit(depth=report.depth or max(trace.depth, 1))


def companion(position: Position, searched: Algorithm) -> str:
    """The algorithm to watch beside another one: the simplest that has to find the same value, or the same one again."""
    for name, other in ((name, catalog.algorithm(name)) for name in catalog.ALGORITHMS):
        agrees = searched.exact_value and other.exact_value == searched.exact_value
        if agrees and other.records and name != searched.id and not catalog.misfit(other, position):
            return name
    return searched.id

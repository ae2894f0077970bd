"""Searches a position once more with every node recorded, so that it can be watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Report, Setting
from engines.position import Position
from engines.run.background import Background
from engines.run.search import Search
from engines.run.work import new_work
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from workbench.jobs.compile import compile_first, is_missing
from workbench.watch.kinds import needs_recording
from workbench.watch.open import trace_of
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


class TraceWork(Background):
    """Makes the trace of a search that has ended. One that counts iterations is carried out once more, which may take a
    while."""

    def __init__(self, report: Report, recording: Recording | None = None) -> None:
        super().__init__("trace", new_work())
        self.report, self.recording = report, recording
        self._trace: Trace | None = None

    def do(self) -> None:
        """Make the trace."""
        self._trace = trace_of(self.report, self.recording, lambda: self.stopped_by is not None)

    def says(self) -> str:
        """What takes time."""
        again = catalog.algorithm(self.report.algorithm).iterates
        what = "Carrying the search out once more, step by step" if again else "Reading the events of the search"
        return f"{what} ... {self.elapsed():.0f} s"

    def trace(self) -> Trace:
        """Wait for the end and return the trace; an InputError if there is none."""
        self.finish()
        assert self._trace is not None
        return self._trace


class BesideWork(TraceWork):
    """Records a search that is watched beside another one, and makes its trace."""

    def __init__(
        self, position: Position, algorithm: Algorithm, parameters: Mapping[str, Setting], report: Report, depth: int
    ) -> None:
        """`report`: that of the other search. `depth`: how deep its tree is."""
        super().__init__(report)
        self.position, self.algorithm, self.parameters = position, algorithm, parameters
        self.limit = as_deep_as(report, depth, algorithm)

    def do(self) -> None:
        """Record it, then make its trace."""
        chosen, stopped = (self.position, self.algorithm, self.parameters, self.limit), lambda: self.stopped_by is not None
        self.recording = recorded(*chosen, stopped=stopped)
        self.report = self.recording.report
        super().do()

    def says(self) -> str:
        """Whether it has to be compiled first."""
        if self.recording is not None:
            return super().says()
        game = self.position.game
        compiles = is_missing(self.algorithm.id, game, recorded=True)
        what = f"Compiling {self.algorithm.id} for {game.title}, recorded, once" if compiles else "Recording the search"
        return f"{what} ... {self.elapsed():.0f} s"


class SecondChoice:
    """What is chosen in the dialog of algorithms: the search that is watched beside another one."""

    def __init__(self, position: Position, report: Report) -> None:
        self.position, self.algorithm = position, companion(position, catalog.algorithm(report.algorithm))
        self.settings: Mapping[str, Mapping[str, Setting]] = {}

    def limit_for(self, algorithm: str) -> Limit | None:
        """Always None: it looks as deep as the other one."""
        return None


def as_deep_as(report: Report, depth: int, algorithm: Algorithm) -> Limit:
    """The limit with which a second search looks as deep as another one, whose tree is so deep, or iterates as often."""
    if algorithm.iterates:
        return Limit(iterations=report.iterations or 100)
    return Limit(depth=report.depth or max(depth, 1))


def companion(position: Position, searched: Algorithm) -> str:
    """The algorithm to watch beside another one: the simplest that has to find the same value, or the same one again."""
    for name, other in ((name, catalog.algorithm(name)) for name in catalog.ALGORITHMS):
        agrees = searched.exact_value and other.exact_value == searched.exact_value
        if agrees and other.records and name != searched.id and not catalog.misfit(other, position):
            return name
    return searched.id

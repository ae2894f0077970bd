"""The trace of a search, of whatever kind it is."""

from __future__ import annotations

from collections.abc import Callable

from engines import catalog
from engines.contract import InputError, Report
from engines.tape.recording import Recording
from workbench.watch.growth.open import grown
from workbench.watch.layers.layer_trace import LayerTrace
from workbench.watch.layers.positions import PositionsTrace
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.trace import Trace


def trace_of(report: Report, recording: Recording | None = None, stopped: Callable[[], bool] = lambda: False) -> Trace:
    """The trace of a search; an InputError if there is none. A search that goes depth first is read off its recording; that
    of one that counts iterations holds no order, so that it is carried out once more."""
    algorithm = catalog.algorithm(report.algorithm)
    if algorithm.by_layers:
        position = catalog.restore(report.position, report.game, report.size, report.options)
        if algorithm.looks_up:
            return PositionsTrace(position, algorithm)
        return LayerTrace(position, algorithm, report.limit.depth)
    if not algorithm.records:
        raise InputError(f"{algorithm.id} keeps no tree, so there is nothing to watch.")
    if report.stopped_by == "game over":
        raise InputError("The game is over; there is nothing to search.")
    if algorithm.iterates:
        return grown(report, stopped)
    if recording is None:
        raise InputError("This search was not recorded, so that it cannot be watched; search again with a tape.")
    trace = TapeTrace(recording)
    if not trace.is_in_order():
        raise InputError("This recording was written when the search was over, and holds no order that could be watched.")
    return trace

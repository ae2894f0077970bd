"""The trace of a search, of whatever kind it is; and the drawing that suits it."""

from __future__ import annotations

from collections.abc import Callable

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import InputError, Report
from engines.tape.recording import Recording
from workbench.watch.growth.open import grown
from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace
from workbench.watch.layers.view import GraphView
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.trace import Moment, Node, Trace
from workbench.watch.view import TreeView


def can_be_watched(algorithm: Algorithm) -> bool:
    """Whether there is anything to see of a search: it keeps a tree, or goes through a graph layer by layer."""
    return algorithm.records or works_by_layers(algorithm)


def works_by_layers(algorithm: Algorithm) -> bool:
    """It needs no recording: all nodes are known beforehand."""
    return "graph" in algorithm.needs


def needs_recording(algorithm: Algorithm) -> bool:
    """Whether a search can be watched only where it was recorded: else it is carried out once more, step by step."""
    return algorithm.records and not algorithm.iterates


def trace_of(report: Report, recording: Recording | None = None, stopped: Callable[[], bool] = lambda: False) -> Trace:
    """The trace of a search; an InputError if there is none. A search that goes depth first is read off its recording; that
    of one that counts iterations holds no order, so that it is carried out once more."""
    algorithm = catalog.algorithm(report.algorithm)
    if works_by_layers(algorithm):
        position = catalog.restore(report.position, report.game, report.size, report.options)
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


def view_of(
    trace: Trace, moment: Moment, width: int, height: int, is_missing: Callable[[Node], bool] | None = None
) -> TreeView | GraphView:
    """The drawing of a moment: a graph as a graph, everything else as a tree. `is_missing`: see `TreeView`."""
    if isinstance(trace, LayerTrace) and isinstance(moment, LayerMoment) and not trace.is_tree:
        return GraphView(trace, moment, width, height)
    return TreeView(trace, moment, width, height, is_missing)

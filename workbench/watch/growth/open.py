"""A search that grows a tree, carried out once more for whoever watches: the trace of the right kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.contract import InputError, Report
from engines.parts.proof.table_prover import TableProver
from engines.tape.tape import new_tape
from workbench.watch.growth.best_first_trace import ValuedTrace
from workbench.watch.growth.expanded import ExpansionRecorder
from workbench.watch.growth.proof_trace import ProofTrace
from workbench.watch.growth.rerun import Rerun
from workbench.watch.growth.sampled import SamplingRecorder
from workbench.watch.growth.sampled_trace import SampledTrace
from workbench.watch.growth.trace import GrowthTrace
from workbench.watch.growth.visits import Visitor
from workbench.watch.growth.visits_trace import VisitsTrace

MOST_ROWS = 1_000_000
"""So many visits and children of a depth-first proof search are written down."""
FULL = "Then the memory was full, and what was solved was given up."
NOTHING = "The search was stopped before anything had happened."


def grown(report: Report, stopped: Callable[[], bool] = lambda: False) -> GrowthTrace:
    """The trace of a search that counts iterations; an InputError if it cannot be told in order."""
    return _sampled(report, stopped) if Rerun(report).algorithm.samples else _expanded(report, stopped)


def _sampled(report: Report, stopped: Callable[[], bool]) -> GrowthTrace:
    rerun = Rerun(report)
    recorder = SamplingRecorder(rerun)
    rerun.run(recorder.see, stopped)
    if recorder.told is None:
        raise InputError(NOTHING)
    return SampledTrace(recorder.told, rerun.algorithm, rerun.notice(recorder.done))


def _expanded(report: Report, stopped: Callable[[], bool]) -> GrowthTrace:
    tape = new_tape(MOST_ROWS)
    rerun = Rerun(report, tape)
    recorder, visitor = ExpansionRecorder(rerun), Visitor(rerun, tape)

    def see(search: Any) -> None:
        if isinstance(search, TableProver):
            visitor.see(search)
        else:
            recorder.see(search)

    rerun.run(see, stopped)
    if visitor.prover is not None:
        visits = visitor.told()
        return VisitsTrace(visits, rerun.algorithm, rerun.notice(visits.done, "visit"))
    told = recorder.told
    if not told.history.parent:
        raise InputError(NOTHING)
    notice = rerun.notice(told.done, "expansion")
    kind = ProofTrace if rerun.algorithm.proves else ValuedTrace
    return kind(told, rerun.algorithm, f"{notice} {FULL}" if told.ended_early else notice)

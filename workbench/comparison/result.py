"""The result of a comparison as one frozen document."""

from __future__ import annotations

from workbench.comparison.agreement import agreement, difference
from workbench.comparison.lanes import Comparison, belief_of
from workbench.jobs.workers import cores
from workbench.sessions.comparison_types import NOT_REACHED, Compared, LaneRow, Truth


def compared(comparison: Comparison, truth: Truth | None = None, complete: bool = True) -> Compared:
    """The result so far. `complete` is False if the user interrupted the comparison."""
    position = comparison.position
    reports = tuple(lane.whole_report() for lane in comparison.lanes)
    mode, why = comparison.mode
    rows = []
    for lane, report in zip(comparison.lanes, reports, strict=True):
        first = comparison.lanes[0]
        rows.append(
            LaneRow(
                name=lane.spec.name,
                algorithm=lane.spec.algorithm,
                changed=lane.spec.changed,
                ended_by=lane.ended_by or NOT_REACHED,
                work=lane.work() if report is not None else None,
                differs=None if lane is first or report is None else difference(first.belief(), belief_of(report)),
                truth=truth.of(report.best_move) if truth is not None and report is not None else None,
                problem=lane.problem,
            )
        )
    return Compared(
        game=position.game.id,
        size=position.game.size,
        options=position.game.options,
        position=position.text,
        budget=comparison.budget,
        mode=mode,
        why=why,
        cores=cores(),
        complete=complete,
        reports=reports,
        lanes=tuple(rows),
        agreement=agreement([row.name for row in rows], reports, truth),
        truth=truth,
    )

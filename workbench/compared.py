"""What came out of a comparison: one frozen document for JSON, for sessions and for people."""

from __future__ import annotations

from msgspec import Struct

from engines.contract import Report, Setting
from workbench.agreement import Agreement, Difference, agreement, difference
from workbench.compare import Budget, Comparison, Mode, Work, belief_of, cores
from workbench.truth import MoveTruth, Truth

NOT_REACHED = "not reached"


class LaneRow(Struct, frozen=True, kw_only=True):
    """One lane, beside its report."""

    name: str
    algorithm: str
    changed: dict[str, Setting]
    """The parameters that are not the usual ones."""
    ended_by: str
    work: Work | None
    differs: Difference | None
    """From the first lane; None for that one."""
    truth: MoveTruth | None
    """What is true of its move."""
    problem: str = ""
    """Why it has no report."""

    @property
    def title(self) -> str:
        """The name, and what is set."""
        words = " ".join(f"{name}={str(value).lower()}" for name, value in self.changed.items())
        return f"{self.name} {words}".strip()


class Compared(Struct, frozen=True, kw_only=True):
    """A whole comparison."""

    game: str
    size: str
    options: dict[str, Setting]
    position: str
    budget: Budget
    mode: Mode
    why: str
    """Why the lanes ran together, or one after another."""
    cores: int
    complete: bool
    """False if it was interrupted."""
    reports: tuple[Report | None, ...]
    """None where a lane was not reached, or could not be run."""
    lanes: tuple[LaneRow, ...]
    agreement: Agreement
    truth: Truth | None = None


def compared(comparison: Comparison, truth: Truth | None = None, complete: bool = True) -> Compared:
    """What is known by now."""
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

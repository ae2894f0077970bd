"""The frozen view of the Compare screen: everything that its panels are functions of.

The desk makes one each time the screen looks. Nothing in it changes afterwards, so that panels can be tested without a desk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from engines.contract import DepthRow, Glance, Report
from engines.position import Position
from workbench.analysis.view_state import CompilingView
from workbench.comparison.agreement import difference, move_marks
from workbench.comparison.lanes import Comparison, Lane
from workbench.sessions.comparison_types import (
    Agreement,
    LaneBelief,
    LaneBudget,
    LaneDifference,
    LaneSpec,
    Mode,
    MoveTruth,
    Truth,
    Work,
)


@dataclass(frozen=True, eq=False)
class LaneView:
    """A lane at one moment."""

    spec: LaneSpec
    belief: LaneBelief
    """The result at the depth that is shown."""
    differs: LaneDifference
    """How that differs from the first lane's."""
    truth: MoveTruth | None
    """What is true of its move; None if that is not known."""
    mark: str
    """How its move compares with those of other lanes: see `move_marks`."""
    work: Work
    """The work done so far."""
    first_work: Work | None
    """The work of the first lane, with which it is compared; None for that one itself, and while one of both runs."""
    report: Report | None
    glance: Glance | None
    """The counters of its search; None if it has not run."""
    rows: Mapping[int, DepthRow]
    """The result at each completed depth."""
    by_work: tuple[tuple[int, float], ...]
    """Pairs of a total number of nodes and the value after them."""
    running: bool
    ended_by: str
    """What ended its search: the reason in its report, or `evaluations`."""
    problem: str
    """A sentence on why there is no report; empty if nothing went wrong."""

    @classmethod
    def of(cls, lane: Lane, first: Lane, shown: int | None, truth: Truth | None, mark: str) -> Self:
        """The state of a lane, compared with the first one."""
        belief = lane.belief(shown)
        return cls(
            spec=lane.spec,
            belief=belief,
            differs=difference(first.belief(shown), belief),
            truth=truth.of(belief.best_move) if truth is not None else None,
            mark=mark,
            work=lane.work(),
            first_work=None if lane is first or lane.report is None or first.report is None else first.work(),
            report=lane.report,
            glance=lane.glance,
            rows=dict(lane.rows),
            by_work=tuple(lane.by_work()),
            running=lane.running,
            ended_by=lane.ended_by,
            problem=lane.problem,
        )


@dataclass(frozen=True, eq=False)
class CompareView:
    """State of the Compare screen at one moment."""

    position: Position
    lanes: tuple[LaneView, ...]
    at: int
    """The index, from 0, of the chosen lane."""
    shown: int | None
    """The depth whose results are shown; None for the newest."""
    stepped_work: int
    """The nodes of the last step by work; 0 if the last run was none."""
    budget: LaneBudget
    mode: Mode
    """Whether the lanes run together or one after another."""
    why: str
    """The reason for that, in words."""
    searching: bool
    """Whether a lane is running or waiting for its turn."""
    compiling: CompilingView | None
    """The progress of the compiler, if it runs before the lanes can; otherwise None."""
    looks_for_truth: bool
    """Whether the truth is being looked up or proven."""
    truth: Truth | None
    agreement: Agreement | None
    """Whether the lanes agree that must; None as long as they run."""

    @property
    def busy(self) -> bool:
        """Whether lanes are running, or their code is being compiled."""
        return self.searching or self.compiling is not None


def lane_views(comparison: Comparison, truth: Truth | None) -> tuple[LaneView, ...]:
    """The state of all lanes."""
    shown = comparison.shown
    beliefs = [lane.belief(shown) for lane in comparison.lanes]
    truths = [truth.of(belief.best_move) if truth is not None else None for belief in beliefs]
    first, marks = comparison.lanes[0], move_marks(beliefs, truths)
    return tuple(LaneView.of(lane, first, shown, truth, mark) for lane, mark in zip(comparison.lanes, marks, strict=True))

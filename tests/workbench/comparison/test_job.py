"""A comparison without a screen: from its lanes to the result, whole or interrupted."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from time import monotonic

import pytest

from engines import catalog
from engines.run.search import Search
from workbench.analysis.desk import Desk
from workbench.comparison.desk import CompareDesk
from workbench.comparison.job import ComparisonJob, wait_for_end
from workbench.comparison.lane_specs import read_lanes
from workbench.comparison.lanes import Comparison
from workbench.sessions.comparison_types import LaneBudget

LATE = "17516442226766"


def job_of(algorithms: str = "alphabeta,deepening", depth: int = 4) -> ComparisonJob:
    lanes, _ = read_lanes(algorithms, (), "connect4")
    return ComparisonJob(Comparison(catalog.position(LATE, "connect4"), lanes, LaneBudget(depth=depth)))


def test_all_lanes_and_the_truth() -> None:
    job = job_of()
    result = job.run()
    assert result.complete
    assert not job.interrupted
    assert job.problems == ""
    assert [report and report.depth for report in result.reports] == [4, 4]
    assert result.truth is not None
    assert (result.truth.outcome, result.truth.distance, result.truth.source) == ("first", 13, "solver")
    assert all(row.truth is not None for row in result.lanes)
    assert not job.lacks_truth
    assert result.agreement == job.agreement()
    assert job_of().run(wants_truth=False).truth is None


def test_ctrl_c_while_lanes_run_keeps_what_there_is() -> None:
    def watch(comparison: Comparison) -> None:
        raise KeyboardInterrupt

    job = job_of(depth=28)
    result = job.run(watch)
    assert job.interrupted
    assert not result.complete
    assert result.truth is None
    assert not job.comparison.busy


def test_ctrl_c_while_the_truth_is_looked_for_keeps_the_lanes() -> None:
    asked: list[str] = []

    def run(search: Search, what: str) -> bool:
        asked.append(what)
        return True

    job = job_of()
    result = job.run(wait_for_end, run)
    assert asked[0] == "truth by solver"
    assert job.interrupted
    assert not result.complete
    assert all(report is not None for report in result.reports)


def test_a_lane_that_fails_is_no_interruption_and_one_that_is_stopped_is() -> None:
    job = job_of()
    job.run(wants_truth=False)
    lane = job.comparison.lanes[1]
    lane.report, lane.problem = None, "The engine has ended."
    assert job.is_complete
    assert job.problems == "The engine has ended."
    lane.problem = ""
    assert not job.is_complete, "it was not reached"
    job.comparison.lanes[0].ended_by = "request"
    assert not job.is_complete


def test_the_view_of_the_desk_is_of_one_moment() -> None:
    specs, _ = read_lanes("minimax,alphabeta,alphabeta", (), "connect4")
    desk = CompareDesk(Desk(catalog.position(LATE, "connect4")), specs, LaneBudget(depth=3))
    before = desk.look()
    desk.run()
    give_up = monotonic() + 120
    while desk.busy or desk.looks_for_truth or desk.truth is None or desk.agreement is None:
        assert monotonic() < give_up
        desk.look()
        desk.comparison.wait(0.01)
    after = desk.look()
    assert all(lane.report is None and not lane.rows and lane.truth is None for lane in before.lanes)
    assert before.agreement is None
    assert [lane.belief.depth for lane in after.lanes] == [3, 3, 3]
    assert all(lane.truth is not None and not lane.running for lane in after.lanes)
    assert not after.busy
    assert after.agreement is not None
    assert after.truth == desk.truth
    with pytest.raises(FrozenInstanceError):
        after.shown = 2  # type: ignore[misc]
    desk.step_back()
    assert after.shown is None
    assert [lane.belief.depth for lane in desk.view().lanes] == [2, 2, 2]

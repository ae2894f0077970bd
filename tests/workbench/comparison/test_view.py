"""What terminal and app say of a comparison: composed once, laid out twice."""

from __future__ import annotations

import pytest
from rich.console import Console

from engines import catalog
from tests.workbench.comparison.test_screen import LATE, finished
from workbench.comparison import panels
from workbench.comparison.agreement import DIFFERS, EQUAL, WORSE, move_marks
from workbench.comparison.desk import CompareDesk
from workbench.comparison.lane_cells import (
    TITLES,
    first_move,
    first_work,
    line_words,
    marks_of,
    ratio_text,
    report_cells,
    times_ratio,
)
from workbench.comparison.verdict import verdict
from workbench.comparison.view import lanes
from workbench.sessions.comparison_types import LaneBelief, LaneBudget, MoveTruth, Work


@pytest.fixture(scope="module")
def desk() -> CompareDesk:
    return finished(5)


def printed(desk: CompareDesk) -> str:
    console = Console(width=200, record=True, highlight=False, markup=False)
    with console.capture() as capture:
        for part in lanes(desk.job.result(), desk.position):
            console.print(part)
    return " ".join(capture.get().split())


def test_a_line_has_its_mark_where_it_leaves_the_first_one() -> None:
    where = catalog.position("startpos", "connect4")
    assert line_words(where, "445", None) == [("4", False), ("4", False), ("5", False)]
    assert line_words(where, "445", 2) == [("4", False), ("~4", True), ("5", False)]
    assert line_words(where, "", 1) == []
    assert (first_move(where, "445"), first_move(where, "")) == ("4", "")


def test_the_cells_of_the_app_are_those_of_the_terminal(desk: CompareDesk) -> None:
    view, result = desk.look(), desk.job.result()
    for lane, row, report, mark in zip(view.lanes, result.lanes, result.reports, marks_of(result), strict=True):
        assert report is not None
        first = first_work(result, row)
        expected = report_cells(row, report, first_move(view.position, report.pv), view.position.game, mark, first)
        assert panels.cells_of(lane, view) == expected
    table, text = panels.table(view, 120).plain, printed(desk)
    for name in ("value", "best_move", "nodes", "nodes_per_second", "regret"):
        assert TITLES[name] in table.splitlines()[0]
        assert TITLES[name] in text


def truth_of_move(move: str, regret: float, plies: int | None = 0) -> MoveTruth:
    return MoveTruth(move=move, outcome="first", distance=3, value=0.0, regret=regret, plies=plies)


@pytest.mark.plain
def test_only_a_move_that_is_worse_has_the_mark_of_one() -> None:
    """A point given away, or a later win, is worse; another move that gives away nothing is equal; else nobody knows."""
    one, other = LaneBelief(value=1.0, best_move="a"), LaneBelief(value=1.0, best_move="b")
    good, late, bad = truth_of_move("a", 0.0), truth_of_move("b", 0.0, 4), truth_of_move("b", 0.5)
    assert move_marks([one, one], [good, good]) == ("", "")
    assert move_marks([one, other], [good, bad]) == ("", WORSE)
    assert move_marks([one, other], [good, late]) == ("", WORSE)
    assert move_marks([one, other], [good, truth_of_move("b", 0.0)]) == ("", EQUAL)
    assert move_marks([other, one], [bad, good]) == (WORSE, ""), "lane 1 is no judge"
    assert move_marks([one, other], [None, None]) == ("", DIFFERS)
    assert move_marks([one, other], [good, None]) == ("", DIFFERS)
    proven = [LaneBelief(value=1.0, best_move=move, exact=True) for move in "ab"]
    assert move_marks(proven, [None, None]) == ("", EQUAL)
    assert move_marks([one, LaneBelief()], [None, None]) == ("", ""), "a lane that knows no move"


@pytest.mark.plain
def test_ratios_to_the_first_lane_are_short() -> None:
    shown = [ratio_text(amount, 1000) for amount in (310, 1000, 2.9, 2500, 140_000, 9_940, 9_960)]
    assert shown == ["x0.31", "x1", "x0.0029", "x2.5", "x140", "x9.9", "x10"]
    assert ratio_text(5, 0) == ""
    quick, slow = (Work(nodes=1, evaluations=None, playout_moves=None, seconds=seconds) for seconds in (0.001, 1.0))
    assert (times_ratio(slow, quick), times_ratio(slow, slow)) == ("", "x1")


def test_both_give_the_same_verdict(desk: CompareDesk) -> None:
    view, result = desk.look(), desk.job.result()
    reports = [(lane.spec.name, lane.report) for lane in view.lanes]
    known = verdict(view.position, view.agreement, view.truth, view.budget, view.mode, view.why, reports)
    assert (known.agrees, known.has_compared, known.outcome, known.source) == (True, True, "X in 13", "solver")
    assert known.agreement == result.agreement.sentence
    assert (known.budget, known.truth) == ("depth 3", "The truth, by solver: X in 13.")
    shown, text = panels.verdict(view, "[Space]").plain, printed(desk)
    for sentence in filter(None, (known.agreement, known.outcome, known.source, known.budget, known.order, known.remarks)):
        assert sentence in shown
        assert " ".join(sentence.split()) in text


def test_a_verdict_before_anything_has_run() -> None:
    where = catalog.position(LATE, "connect4")
    nothing = verdict(where, None, None, LaneBudget(nodes=700), "together", "as was asked for", [("a", None)])
    assert (nothing.agreement, nothing.truth, nothing.outcome, nothing.remarks) == ("", "", "", "")
    assert nothing.agrees
    assert not nothing.has_compared
    assert (nothing.budget, nothing.order) == ("700 nodes", "together (as was asked for)")

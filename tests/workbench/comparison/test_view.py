"""What terminal and app say of a comparison: composed once, laid out twice."""

from __future__ import annotations

import pytest
from rich.console import Console

from engines import catalog
from tests.workbench.comparison.test_screen import LATE, finished
from workbench.comparison import panels
from workbench.comparison.desk import CompareDesk
from workbench.comparison.lane_cells import TITLES, first_move, line_words, report_cells
from workbench.comparison.verdict import verdict
from workbench.comparison.view import lanes
from workbench.sessions.comparison_types import LaneBudget


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
    assert line_words(where, "445", 2) == [("4", False), ("≠4", True), ("5", False)]
    assert line_words(where, "", 1) == []
    assert (first_move(where, "445"), first_move(where, "")) == ("4", "")


def test_the_cells_of_the_app_are_those_of_the_terminal(desk: CompareDesk) -> None:
    view, result = desk.look(), desk.job.result()
    for lane, row, report in zip(view.lanes, result.lanes, result.reports, strict=True):
        assert report is not None
        expected = report_cells(row, report, first_move(view.position, report.pv), view.position.game)
        assert panels.cells_of(lane, view) == expected
    table, text = panels.table(view, 120).plain, printed(desk)
    for name in ("value", "best_move", "nodes", "nodes_per_second", "regret"):
        assert TITLES[name] in table.splitlines()[0]
        assert TITLES[name] in text


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

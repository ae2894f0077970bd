"""The Compare screen: what it says, and a story from the first key to the session."""

from __future__ import annotations

from time import sleep

import pytest
from rich.text import Text
from textual.widgets import OptionList, Static, TabbedContent

from engines import catalog
from engines.contract import InputError, Limit
from tests.workbench.app.test_app import Person, own_data, tell
from tests.workbench.conftest import Plybench
from workbench.analysis.desk import Desk
from workbench.app.dialogs.algorithm import AlgorithmDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.compare import CompareScreen, LaneCard
from workbench.comparison import panels
from workbench.comparison.desk import CompareDesk, read_budget
from workbench.comparison.lane_specs import read_lanes
from workbench.sessions import store as sessions
from workbench.sessions.comparison_types import LaneBelief, LaneBudget

__all__ = ["own_data"]
LATE = "17516442226766"


# Pure functions.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8", LaneBudget(depth=8)),
        ("depth 8", LaneBudget(depth=8)),
        ("nodes 200k", LaneBudget(nodes=200_000)),
        ("200 k nodes, depth=9", LaneBudget(nodes=200_000, depth=9)),
        ("2.5 seconds", LaneBudget(seconds=2.5)),
        ("1M evaluations; 3 s", LaneBudget(evaluations=1_000_000, seconds=3)),
    ],
)
def test_budgets_are_read(text: str, expected: LaneBudget) -> None:
    assert read_budget(text) == expected


@pytest.mark.parametrize(
    "text", ["", ",", "much", "depth", "depth eight", "8, 9", "nodes 5 depth", "depth 999", "-3", "minutes 3"]
)
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(InputError):
        read_budget(text)


def test_a_budget_reads_back_what_it_says() -> None:
    for budget in (LaneBudget(depth=8), LaneBudget(nodes=200_000), LaneBudget(seconds=2.5)):
        assert read_budget(budget.text.replace(",", "")) == budget


def test_a_bar_leans_to_who_is_better() -> None:
    chess = catalog.position("startpos", "chess").game
    even, better, won = (panels.leaning(value, chess, 1) for value in (0.0, 2.0, 999_990.0))
    assert even == 0.5 < better < won == 1.0
    assert panels.leaning(-2.0, chess, 1) == pytest.approx(1 - better)
    assert panels.leaning(None, chess, 1) == 0.0
    tree = catalog.position("(1 2)", "tree").game
    assert panels.leaning(5, tree, 10) == 0.75


def test_a_line_fits_and_marks_where_it_parts() -> None:
    where = catalog.position("startpos", "connect4")
    belief = LaneBelief(value=0, pv=tuple("4444443333335555552222"))
    for width in range(4, 40):
        for room in (1, 2, 5):
            lines = panels.wrapped_line(where, belief, 3, width, room).plain.split("\n")
            assert len(lines) <= room
            assert all(len(line) <= width for line in lines), (width, lines)
    assert "~4" in panels.wrapped_line(where, belief, 3, 40, 1).plain
    assert panels.wrapped_line(where, belief, 3, 10, 1).plain.endswith("…")


def test_cells_never_overflow() -> None:
    assert panels.padded("abcdef", 4) == "abc…"
    assert (panels.padded("ab", 4), panels.padded("ab", -4)) == ("  ab", "ab  ")


def test_panels_fit_whatever_the_size() -> None:
    view = finished(6).look()
    for width in (22, 24, 40):
        for height in (4, 5, 9, 11):
            for number in range(6):
                lines = panels.card(view, number, width, height).plain.split("\n")
                assert len(lines) <= height
                assert all(Text(line).cell_len <= width for line in lines), lines
    for width in (50, 78, 120):
        assert all(len(line) <= width for line in panels.table(view, width).plain.split("\n"))
        for height in (3, 8):
            assert panels.depths_table(view, width, height).plain.count("\n") < height


def finished(lanes: int) -> CompareDesk:
    """A desk with lanes that have run."""
    names = ["minimax", "negamax", "alphabeta", "deepening", "random", "solver"][:lanes]
    specs = read_lanes(",".join(names), (), "connect4")[0]
    desk = CompareDesk(Desk(catalog.position(LATE, "connect4")), specs, LaneBudget(depth=3))
    desk.run()
    return waited(desk)


def waited(desk: CompareDesk) -> CompareDesk:
    """Until nothing runs."""
    while desk.busy or desk.looks_for_truth:
        sleep(0.01)
        desk.look()
    return desk


def test_a_comparison_goes_into_the_session_once() -> None:
    desk = finished(3)
    study = desk.desk.session.study
    (kept,) = study.comparisons
    assert kept.compared.truth is not None, "the truth came later, and took the place of what was kept"
    assert [report and report.depth for report in kept.compared.reports] == [3, 3, 3]
    desk.step_depth()
    waited(desk)
    assert len(study.comparisons) == 1, "a step goes on with it"
    desk.run()
    waited(desk)
    assert len(study.comparisons) == 2
    again = CompareDesk(desk.desk)
    assert [lane.spec.algorithm for lane in again.comparison.lanes] == ["minimax", "negamax", "alphabeta"]
    assert again.comparison.lanes[0].report == study.comparisons[-1].compared.reports[0]
    assert again.comparison.budget == LaneBudget(depth=3)


def test_what_a_lane_cannot_be_changes_nothing() -> None:
    desk = finished(2)
    with pytest.raises(InputError, match="at least 2"):
        desk.remove()
    with pytest.raises(InputError, match="they do not play Connect 4"):
        desk.add("uci", {})
    with pytest.raises(InputError, match="no limit in iterations"):
        desk.spend(LaneBudget(iterations=5))
    assert [lane.spec.name for lane in desk.comparison.lanes] == ["minimax", "negamax"]
    assert desk.comparison.lanes[0].report is not None


# Stories.


def cards(person: Person) -> list[str]:
    return [str(card.render()) for card in person.app.screen.query(LaneCard)]


def screen_of(person: Person) -> CompareScreen:
    screen = person.app.screen
    assert isinstance(screen, CompareScreen)
    return screen


async def all_done(person: Person) -> None:
    screen = screen_of(person)
    await person.until(lambda: not screen.desk.busy and not screen.desk.looks_for_truth)


def test_a_story_of_lanes() -> None:
    async def story(person: Person) -> None:
        person.desk.limits["connect4", "alphabeta"] = Limit(depth=4)
        await person.press("C")
        screen = screen_of(person)
        assert [lane.name for lane in screen.desk.specs] == ["deepening", "alphabeta", "mtdf"]
        assert "Space runs all lanes" in person.text("verdict")
        await person.press("space")
        await all_done(person)
        reports = [lane.report for lane in screen.desk.comparison.lanes]
        assert all(report is not None and report.depth == 4 for report in reports)
        for card, report in zip(cards(person), reports, strict=True):
            assert report is not None
            assert f"{report.all_nodes:,}" in card
            assert "right" in card or "gives" in card
        assert "are exact and agree at all 4 depths" in person.text("verdict")
        assert "The truth: X in 13, by solver" in person.text("verdict")
        assert "■ done" in person.text("compare-status")

        await person.press("right_square_bracket")
        await all_done(person)
        assert max(screen.desk.comparison.lanes[0].rows) == 5
        await person.press("left_square_bracket", "left_square_bracket")
        assert "looking back at depth 3" in person.text("compare-status")

        await person.press("right", "plus")
        assert isinstance(person.app.screen, AlgorithmDialog)
        person.app.screen.query_one("#algorithms", OptionList).highlighted = 1  # the first one below its heading
        await person.press("enter")
        assert [lane.name for lane in screen.desk.specs] == ["deepening", "alphabeta", "mtdf", "minimax"]
        assert (len(cards(person)), screen.desk.at) == (4, 3)
        await person.press("d")
        assert len(cards(person)) == 3

        await person.press("l")
        await person.type("nodes 700")
        assert screen.desk.comparison.budget == LaneBudget(nodes=700)
        await person.press("space")
        await all_done(person)
        assert all("700" in card for card in cards(person))
        await person.press("equals_sign", "equals_sign")
        await all_done(person)
        assert screen.desk.comparison.stepped_work >= 1000
        await person.pilot.click(LaneCard, offset=(3, 3))
        assert screen.desk.at == 0

        await person.press("l")
        await person.type("much")
        assert screen.desk.comparison.budget == LaneBudget(nodes=700), "what cannot be read is said, and changes nothing"
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    app = tell(story, catalog.position(LATE, "connect4"))
    (row,) = sessions.listing()
    kept = sessions.read(row.path).study.comparisons
    assert [len(one.compared.lanes) for one in kept] == [3, 3]
    assert kept[0].compared.truth is not None
    assert app.desk.session.study.comparisons == kept


def test_small_screens_have_tabs_and_a_search_is_stopped() -> None:
    async def story(person: Person) -> None:
        await person.press("C")
        screen = screen_of(person)
        tabs = person.app.screen.query_one(TabbedContent)
        first = tabs.active
        await person.press("tab")
        assert tabs.active != first
        screen.desk.spend(LaneBudget(seconds=300))
        await person.press("space")
        await person.until(lambda: any(lane.rows for lane in screen.desk.comparison.lanes))
        assert "running" in person.text("compare-status")
        assert "depth" in str(screen.query_one("#across-depths", Static).render())
        await person.press("space")
        assert not screen.desk.busy
        await person.pilot.resize_terminal(160, 50)
        await person.until(lambda: not person.app.screen.query(TabbedContent))
        await person.pilot.resize_terminal(80, 24)
        await person.until(lambda: bool(person.app.screen.query(TabbedContent)))
        await person.press("space", "escape")
        assert not screen.desk.comparison.busy, "nothing runs on behind the scenes"

    tell(story, catalog.position("4453", "connect4"), size=(80, 24))


def test_a_lane_that_keeps_no_depths_is_verified_too(plybench: Plybench) -> None:
    ran = plybench(
        "compare", "startpos", "--game", "tictactoe", "--algorithms", "minimax,random", "--depth", "3", "--session", "lots"
    )
    assert ran.code == 0, ran.err
    checks = plybench("session", "verify", "lots", "--json").json["checks"]
    assert {check["status"] for check in checks} == {"same"}


def test_sessions_show_verify_and_export_comparisons(plybench: Plybench) -> None:
    desk = finished(3)
    path = sessions.create(desk.desk.session)
    again = sessions.read(path)
    assert again.study.comparisons == desk.desk.session.study.comparisons
    name = again.name
    shown = plybench("session", "show", name).out
    assert "comparison 1 of" in shown
    assert "negamax" in shown
    checks = plybench("session", "verify", name, "--json").json
    assert [(check["comparison"], check["search"], check["status"]) for check in checks["checks"]] == [
        (1, 1, "same"),
        (1, 2, "same"),
        (1, 3, "same"),
    ]
    for to in ("md", "html"):
        text = plybench("session", "export", name, "--to", to).out
        assert "Comparison 1: minimax, negamax, alphabeta" in text
        assert "The truth, by solver: X in 13." in text
    desk.step_depth()
    waited(desk)
    sessions.write(desk.desk.session.saved(), path)
    assert plybench("session", "verify", name, "--json").json["checks"] == [], "a stepped one is left out"

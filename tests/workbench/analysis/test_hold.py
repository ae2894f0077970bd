"""Hold, go on, run to a depth: on the desk, without a screen, for searches with every kind of limit."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

import pytest

from engines import catalog
from engines.contract import InputError, Limit, Report
from engines.run.search import Search
from workbench.analysis.desk import Desk
from workbench.analysis.panels.status import status_text

START = catalog.position("startpos", "tictactoe")
LIMITS = [Limit(depth=5), Limit(nodes=3000), Limit(depth=5, nodes=2_000_000), Limit(seconds=600)]


def until(desk: Desk, holds: Callable[[], bool]) -> None:
    give_up = monotonic() + 60
    while not holds():
        assert monotonic() < give_up
        desk.look()
        sleep(0.002)
    desk.look()


def desk_with(algorithm: str, limit: Limit) -> Desk:
    desk = Desk(START)
    desk.algorithm = algorithm
    desk.limits["tictactoe", algorithm] = limit
    return desk


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    slowly(monkeypatch)


def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every search waits behind its first depth, so that whatever is done then comes in time."""
    start = Search.start

    def start_and_wait(search: Search) -> Search:
        search.hold(1)
        return start(search)

    monkeypatch.setattr(Search, "start", start_and_wait)


def begun(desk: Desk) -> None:
    """Run, and be held behind the first depth."""
    desk.run()
    until(desk, lambda: desk.held)
    assert max(desk.beliefs) == 1
    desk.go_on()
    desk.hold()
    until(desk, lambda: desk.held)
    assert max(desk.beliefs) == 2


def counted(report: Report) -> tuple[object, ...]:
    return report.value, report.pv, report.depth, report.nodes, report.stopped_by


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs"])
def test_a_search_that_was_held_ends_as_if_it_had_not_been(algorithm: str, limit: Limit) -> None:
    desk = desk_with(algorithm, limit)
    begun(desk)
    assert not desk.busy
    assert desk.search is not None
    depth, nodes, seconds = max(desk.beliefs), desk.search.counters().nodes, desk.search.elapsed()
    sleep(0.05)
    desk.look()
    assert (max(desk.beliefs), desk.search.counters().nodes) == (depth, nodes), "it waits"
    assert desk.search.elapsed() == pytest.approx(seconds, abs=0.02), "and so does its clock"
    desk.step()
    until(desk, lambda: desk.held)
    assert max(desk.beliefs) == depth + 1, "one depth more, and it waits again"
    desk.go_on()
    if limit.seconds is not None:
        desk.stop()
        assert desk.report is not None
        assert desk.report.stopped_by in ("request", "solved")
        return
    until(desk, lambda: not desk.busy)
    assert not desk.held
    search = Search(START, catalog.algorithm(algorithm), desk.search.run.limit).start()
    search.go_on()
    plain = search.report()
    assert desk.report is not None
    assert counted(desk.report) == counted(plain)


@pytest.mark.usefixtures("slow")
def test_time_stands_still_while_it_is_held() -> None:
    desk = desk_with("alphabeta", Limit(seconds=0.2))
    desk.run()
    until(desk, lambda: desk.held)
    sleep(0.4)
    assert desk.held, "longer than the limit"
    desk.go_on()
    until(desk, lambda: not desk.busy)
    assert desk.report is not None
    assert desk.report.stopped_by in ("seconds", "solved")
    assert desk.report.seconds < 0.4


@pytest.mark.usefixtures("slow")
def test_stop_frees_what_is_held() -> None:
    desk = desk_with("pvs", Limit(depth=6))
    begun(desk)
    began = monotonic()
    desk.stop()
    assert monotonic() - began < 1
    assert not desk.held
    assert desk.report is not None
    assert desk.report.stopped_by == "request"
    assert len(desk.session.study.searches) == 1


@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs", "minimax"])
@pytest.mark.parametrize("limit", LIMITS)
def test_run_to_a_depth_goes_on_from_what_is_known(algorithm: str, limit: Limit) -> None:
    desk = desk_with(algorithm, limit)
    desk.run_to(2)
    until(desk, lambda: not desk.busy and bool(desk.beliefs))
    assert max(desk.beliefs) == 2
    first = desk.beliefs[2]
    desk.run_to(4)
    until(desk, lambda: not desk.busy)
    assert sorted(desk.beliefs) == [1, 2, 3, 4]
    assert desk.beliefs[2] is first, "what is known is not searched again"
    desk.run_to(3)
    assert desk.shown == 3
    assert not desk.busy, "a depth that is known is only looked at"
    desk.run_to(4)
    assert desk.shown is None


@pytest.mark.usefixtures("slow")
def test_run_to_a_depth_while_it_is_held() -> None:
    desk = desk_with("pvs", Limit(nodes=2_000_000))
    begun(desk)
    search = desk.search
    desk.run_to(4)
    until(desk, lambda: desk.held)
    assert desk.search is search, "the same search"
    assert max(desk.beliefs) == 4


def test_hold_on_the_way_of_a_search_without_memory() -> None:
    desk = desk_with("minimax", Limit(depth=4))
    desk.run_to(4)
    until(desk, lambda: desk.search is not None)
    desk.hold()
    desk.go_on()  # and on second thoughts not
    desk.hold()
    until(desk, lambda: desk.held)
    assert max(desk.beliefs) < 4
    desk.go_on()
    until(desk, lambda: not desk.busy)
    assert max(desk.beliefs) == 4


def test_what_cannot_be_held_says_so() -> None:
    desk = desk_with("pvs", Limit(depth=3))
    with pytest.raises(InputError, match="No search is running"):
        desk.hold()


@pytest.mark.usefixtures("slow")
def test_the_status_before_a_search_that_waits_was_looked_at() -> None:
    """It may begin to wait between two looks: then no depth is known here yet."""
    desk, give_up = desk_with("deepening", Limit(seconds=600)), monotonic() + 60
    desk.run()
    while not desk.held:
        assert monotonic() < give_up
        sleep(0.002)
    assert not desk.beliefs
    assert "Tic-tac-toe" in status_text(desk.view(), "Space", 120).plain
    desk.stop()

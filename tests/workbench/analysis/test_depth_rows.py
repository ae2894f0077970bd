"""The panel of depths: a click shows a depth, the wheel scrolls, and nothing jumps."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.workbench.app.test_pictures import app, position
from tests.workbench.live_screens import story
from tests.workbench.settling import begun, settled
from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.widgets.depth_rows import DepthRows

DEEPEST = 5


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches anybody's sessions."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


def searched() -> PlybenchApp:
    """An app in which a small search is done."""
    return app(position("connect4/small-4x4"), "alphabeta", DEEPEST)


async def opened(pilot: Pilot[None]) -> tuple[AnalyseScreen, DepthRows]:
    """The screen and its panel of depths."""
    await begun(pilot)
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, AnalyseScreen)
    return screen, screen.query_one(DepthRows)


def lines(rows: DepthRows) -> list[str]:
    """What the panel shows."""
    return str(rows.render()).split("\n")


def visible(rows: DepthRows) -> list[int]:
    """The depths whose rows can be seen."""
    return [int(line[1:].split()[0]) for line in lines(rows)[1:]]


async def shows(pilot: Pilot[None], rows: DepthRows, depths: list[int]) -> None:
    """Wait until the rows of these depths can be seen, for a while at most."""
    for _ in range(100):
        if visible(rows) == depths:
            return
        await pilot.pause(0.05)
    assert visible(rows) == depths


@pytest.mark.plain
@story
async def test_a_click_shows_a_depth_and_moves_nothing() -> None:
    async with searched().run_test(size=(160, 50)) as pilot:
        screen, rows = await opened(pilot)
        before = [line[1:] for line in lines(rows)]
        assert lines(rows)[DEEPEST].startswith("▸")
        for depth in (2, 4, 1):
            await pilot.click(DepthRows, offset=(9, 1 + depth))
            await settled(pilot)
            assert screen.desk.shown == depth
            assert [line.startswith("▸") for line in lines(rows)[1:]] == [row == depth for row in range(1, DEEPEST + 1)]
            assert [line[1:] for line in lines(rows)] == before
            assert screen.query_one("#search").border_subtitle == f"depth {depth} alone; # adds up all"
        await pilot.click(DepthRows, offset=(9, 1 + DEEPEST))
        await settled(pilot)
        assert screen.desk.shown is None, "the newest depth is not a look back"
        await pilot.click(DepthRows, offset=(9, 1))
        await pilot.click(DepthRows, offset=(9, 3 + DEEPEST))
        await settled(pilot)
        assert screen.desk.shown is None, "neither the titles nor the room below the rows are a depth"


@pytest.mark.plain
@story
async def test_where_there_is_no_room_for_all_the_wheel_scrolls_and_a_click_hits_what_it_points_at() -> None:
    async with searched().run_test(size=(80, 24)) as pilot:
        screen, rows = await opened(pilot)
        await pilot.press("tab")
        await settled(pilot)
        rows.styles.height = 5  # titles and two rows
        await settled(pilot)
        await shows(pilot, rows, [4, 5])
        assert rows.rows == 2
        rows.scroll_rows(-9)
        await shows(pilot, rows, [1, 2])
        await pilot.click(DepthRows, offset=(5, 3))
        await settled(pilot)
        assert screen.desk.shown == 2
        assert rows.top == 0, "the row was visible, so nothing moved"
        await pilot.press("right_square_bracket", "right_square_bracket")
        await settled(pilot)
        await shows(pilot, rows, [3, 4])  # no farther than needed
        assert screen.desk.shown == 4


@pytest.mark.plain
@story
async def test_a_key_and_a_click_add_the_counters_up() -> None:
    async with searched().run_test(size=(160, 50)) as pilot:
        screen, _ = await opened(pilot)
        search = screen.query_one("#search")
        assert search.border_subtitle == f"depth {DEEPEST} alone; # adds up all"
        await pilot.press("number_sign")
        await settled(pilot)
        assert search.border_subtitle == "all depths together; # shows one alone"
        assert "this depth" in str(screen.query_one("#counters").render())
        await pilot.click("#counters")
        await settled(pilot)
        assert search.border_subtitle == f"depth {DEEPEST} alone; # adds up all"

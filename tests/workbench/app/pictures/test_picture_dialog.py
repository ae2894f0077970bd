"""Pictures in the app: drawn into a file from every screen that shows a search, and opened again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Checkbox, Input, Label

from engines.contract import Limit
from tests.engines.tape.test_events import recorded
from tests.workbench.app.test_app import own_data
from tests.workbench.drawing.scenes.samples import COURSE
from tests.workbench.settling import begun
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.open import OpenDialog
from workbench.app.dialogs.picture import PictureDialog
from workbench.app.screens.compare import CompareScreen
from workbench.app.screens.horizon import HorizonScreen
from workbench.app.screens.tree import TreeScreen
from workbench.app.screens.watch import WatchScreen
from workbench.input.pictured import Drawn, drawn_in
from workbench.watch.tape_trace import TapeTrace

__all__ = ["own_data"]
Story = Callable[[PlybenchApp, Pilot[None]], Coroutine[Any, Any, None]]
DRAWN = Drawn(position=COURSE, game="tree", algorithm="alphabeta", depth=3, step=17)


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    give_up = monotonic() + 120
    while not holds():
        assert monotonic() < give_up
        await pilot.pause(0.05)


def tell(story: Story, app: PlybenchApp | None = None) -> None:
    async def told() -> None:
        used = app or PlybenchApp(recorded(COURSE, "tree", "alphabeta", Limit(depth=3)).position)
        async with used.run_test(size=(120, 36)) as pilot:
            if app is None:
                await begun(pilot)
            await story(used, pilot)

    asyncio.run(told())


def watch() -> WatchScreen:
    recording = recorded(COURSE, "tree", "alphabeta", Limit(depth=3))
    return WatchScreen(TapeTrace(recording), recording.report, recording)


async def typed(app: PlybenchApp, pilot: Pilot[None], name: str) -> None:
    await until(pilot, lambda: isinstance(app.screen, PictureDialog) and app.screen.is_mounted)
    app.screen.query_one(Input).value = name
    await pilot.press("enter")


def test_an_event_is_drawn_from_watch(tmp_path: Path) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        app.push_screen(watch())
        await pilot.pause(0.2)
        await pilot.press("n", "w")
        await until(pilot, lambda: isinstance(app.screen, PictureDialog))
        assert app.screen.query_one(Input).value == "alphabeta.svg"
        await typed(app, pilot, "cut.svg")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        assert isinstance(app.screen, WatchScreen)
        found = drawn_in(tmp_path / "cut.svg")
        assert found is not None
        assert found.step == app.screen.replay.at
        await until(pilot, lambda: any("cut.svg" in note.message for note in app._notifications))

    tell(story)


@pytest.mark.parametrize("name", ["film.gif", "dark.png"])
def test_pixels_are_drawn_with_progress(name: str, tmp_path: Path) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        app.push_screen(watch())
        await pilot.pause(0.2)
        await pilot.press("right", "right", "right", "w")
        await until(pilot, lambda: isinstance(app.screen, PictureDialog))
        app.screen.query_one(Checkbox).value = True
        await typed(app, pilot, name)
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        assert drawn_in(tmp_path / name) == Drawn(position=COURSE, game="tree", algorithm="alphabeta", depth=3, step=3)

    tell(story)


def test_what_is_wrong_is_said_in_the_dialog_and_nothing_typed_is_lost(tmp_path: Path) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        app.push_screen(watch())
        await pilot.pause(0.2)
        await pilot.press("w")
        for name, words in (("x.bmp", "ending of the name"), ("missing/x.svg", "cannot be written")):
            await typed(app, pilot, name)
            await pilot.pause(0.1)
            assert isinstance(app.screen, PictureDialog)
            assert app.screen.query_one(Input).value == name
            assert words in str(app.screen.query_one("#problem", Label).render())
        await typed(app, pilot, "x.dot")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        assert (tmp_path / "x.dot").exists()

    tell(story)


def test_the_tree_below_a_node_is_drawn_from_tree(tmp_path: Path) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        screen = TreeScreen(recorded(COURSE, "tree", "alphabeta", Limit(depth=3)), node=1)
        app.push_screen(screen)
        await until(pilot, lambda: screen.is_mounted and screen.tape.node == 1)
        await pilot.press("w")
        await typed(app, pilot, "below.tex")
        await until(pilot, lambda: isinstance(app.screen, TreeScreen))
        found = drawn_in(tmp_path / "below.tex")
        assert found is not None
        assert found.node == "1"

    tell(story)


def test_the_search_of_a_lane_is_drawn_from_compare(tmp_path: Path) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("C")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and app.screen.is_mounted)
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await pilot.press("w")
        assert not isinstance(app.screen, PictureDialog), "nothing has been searched yet"
        await pilot.press("space")
        await until(pilot, lambda: all(screen.desk.job.reports) and not screen.desk.busy)
        await pilot.press("w")
        await typed(app, pilot, "lane.svg")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        found = drawn_in(tmp_path / "lane.svg")
        assert found is not None
        assert found.algorithm == screen.desk.specs[0].algorithm

    tell(story)


def test_the_search_that_is_fooled_is_drawn_from_horizon(tmp_path: Path) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        screen = HorizonScreen(app.desk.position)
        app.push_screen(screen)
        await until(pilot, lambda: screen.is_mounted and screen.desk.look().row is not None)
        await pilot.press("w")
        await typed(app, pilot, "fooled.svg")
        await until(pilot, lambda: isinstance(app.screen, HorizonScreen))
        found = drawn_in(tmp_path / "fooled.svg")
        assert found is not None
        assert found.read_position().text == screen.desk.entry.position.text

    tell(story)


def watches(app: PlybenchApp) -> bool:
    return isinstance(app.screen, WatchScreen)


def assert_watched(screen: Screen[Any]) -> None:
    assert isinstance(screen, WatchScreen)
    assert screen.replay.at == 17
    assert screen.report.algorithm == "alphabeta"
    assert screen.start.text == COURSE


def test_plybench_open_watches_the_search_of_a_picture() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: watches(app))
        assert_watched(app.screen)
        await pilot.press("escape")
        assert app.desk.algorithm == "alphabeta"
        assert app.desk.limit == Limit(depth=3)

    tell(story, PlybenchApp(DRAWN.read_position(), "a picture", drawn=DRAWN))


@pytest.mark.parametrize("name", ["x.svg", "pasted"])
def test_the_open_dialog_takes_a_picture_or_its_text(name: str, tmp_path: Path) -> None:
    text = f"<svg><metadata>{DRAWN.command()}</metadata></svg>"
    (tmp_path / "x.svg").write_text(text)

    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, OpenDialog))
        dialog = app.screen
        assert isinstance(dialog, OpenDialog)
        dialog.query_one(Input).value = name if name == "x.svg" else text
        await until(pilot, lambda: dialog.lists_what_is_typed)
        await pilot.press("enter")
        await until(pilot, lambda: watches(app))
        assert_watched(app.screen)

    tell(story)

"""What the tests of screens with long work share, such as Match and Tune."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from engines import catalog
from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.job_screen import LiveScreen
from workbench.jobs.long_work import LongWork
from workbench.jobs.workers import GivenExecutor, Workers

SIZES = [(80, 24), (160, 50)]


@contextmanager
def in_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Games are played in a thread of this process, and kept in a directory of their own."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    with ThreadPoolExecutor(1) as executor:

        def given(work: LongWork) -> Workers:
            return GivenExecutor(executor)

        monkeypatch.setattr(LongWork, "new_workers", given)
        monkeypatch.setattr(LongWork, "compile", lambda work, algorithm, game: None)
        yield


def story(told: Callable[..., Coroutine[None, None, None]]) -> Callable[..., None]:
    """A test that waits for the app."""

    @wraps(told)
    def test(**given: object) -> None:
        asyncio.run(told(**given))

    return test


def app(size: str = "5x4") -> PlybenchApp:
    return PlybenchApp(catalog.position("startpos", "connect4", size))


async def opened(pilot: Pilot[None], key: str) -> LiveScreen:
    while not isinstance(pilot.app.screen, AnalyseScreen):
        await pilot.pause()
    await pilot.press(key)
    await pilot.pause()
    assert isinstance(pilot.app.screen, LiveScreen)
    return pilot.app.screen


async def ended(screen: LiveScreen, pilot: Pilot[None]) -> None:
    while screen.work.busy:
        await asyncio.sleep(0.02)
    screen.tick()
    await pilot.pause()


def text_of(screen: LiveScreen) -> str:
    return "\n".join(str(strip.text) for strip in screen._compositor.render_strips())


async def typed(pilot: Pilot[None], key: str, text: str) -> None:
    await pilot.press(key)
    await pilot.pause()
    field = pilot.app.screen.query_one("#typed")
    field.focus()
    field.value = text  # type: ignore[attr-defined]
    await pilot.pause()
    await pilot.press("enter")
    await pilot.pause()
    await pilot.pause()


async def check_that_a_problem_is_said_in_full_and_once(key: str) -> None:
    """However little room there is at the top of the screen that the key opens."""
    async with app().run_test(size=(80, 24), notifications=True) as pilot:
        screen = await opened(pilot, key)
        screen.work.problem = f"A long sentence, {'and more of it, ' * 12}to its very end."
        for _ in range(3):
            screen.tick()
            await pilot.pause()
        assert [said.message for said in pilot.app._notifications] == [screen.work.problem]
        async with asyncio.timeout(20):
            while not (toasts := list(screen.query(Toast))) or not toasts[0].region:
                await pilot.pause(0.05)
        lines = toasts[0].render_lines(Region(0, 0, *toasts[0].outer_size))
        assert "to its very end." in " ".join(line.text.strip("▌ ") for line in lines)
        assert screen.region.contains_region(toasts[0].region)

"""The start page, as a newcomer meets it: what is on it, and where each of its keys leads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList

from engines import catalog
from positions import library
from tests.workbench.settling import settled
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.open import OpenDialog
from workbench.app.dialogs.sessions import SessionsDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.compare import CompareScreen
from workbench.app.screens.horizon import HorizonScreen
from workbench.app.screens.match import MatchScreen
from workbench.app.screens.play import PlayScreen
from workbench.app.screens.start import StartScreen
from workbench.app.screens.tune import TuneScreen
from workbench.app.screens.watch import WatchScreen
from workbench.sessions import store as sessions
from workbench.sessions.model import Session
from workbench.start.purposes import GO_ON, PURPOSES, Purpose, purpose

SIZES = [(80, 24), (120, 36), (160, 50), (220, 60)]
OPENED: dict[str, type[Screen[Any]]] = {
    "last": AnalyseScreen,
    "watched": WatchScreen,
    "analyse": AnalyseScreen,
    "compare": CompareScreen,
    "horizon": HorizonScreen,
    "play": PlayScreen,
    "match": MatchScreen,
    "tune": TuneScreen,
    "open": OpenDialog,
    "sessions": SessionsDialog,
}


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches anybody's sessions."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYBENCH_PIECES", "")


async def until(pilot: Pilot[None], kind: type[Screen[Any]]) -> None:
    """Until a screen of this kind is on top."""
    give_up = monotonic() + 120
    while not isinstance(pilot.app.screen, kind):
        assert monotonic() < give_up, f"{pilot.app.screen} is there, and no {kind.__name__}"
        await pilot.pause(0.02)
    await settled(pilot)


def tell(
    story: Callable[[PlybenchApp, Pilot[None]], Awaitable[None]],
    size: tuple[int, int] = (120, 36),
    app: PlybenchApp | None = None,
) -> None:
    """Run a story in an app that was started with nothing to open."""

    async def run() -> None:
        made = app or PlybenchApp(goes_on=True, starts=True)
        async with made.run_test(size=size, notifications=True) as pilot:
            await until(pilot, StartScreen if app is None else AnalyseScreen)
            await story(made, pilot)

    asyncio.run(run())


def text_of(screen: Screen[Any]) -> str:
    return "\n".join(strip.text for strip in screen._compositor.render_strips())


def keep_a_session() -> Path:
    """A session that was worked on last: a small board, one move made."""
    session = Session.new("Small board", catalog.position("startpos", "connect4", "5x4"), "Small board")
    session.study.play("3")
    return sessions.create(session)


@pytest.mark.parametrize("size", SIZES)
def test_every_purpose_is_on_the_first_screen_with_its_key(size: tuple[int, int]) -> None:
    keep_a_session()

    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        lines = text_of(app.screen).split("\n")
        for one in PURPOSES:
            assert any(f" {one.key}  {one.title} " in line for line in lines), one.title
        for one in PURPOSES:
            if one.id != GO_ON:
                start = " ".join(one.sentences.split("{")[0].split()[:4])
                assert start in text_of(app.screen), f"the sentences of {one.id} are shown when it is chosen"
            await pilot.press("down")
            await settled(pilot)
        chosen = app.screen.query_one(OptionList).highlighted_option
        assert chosen is not None
        assert chosen.id == GO_ON, "and round again"
        assert "Small board: 1 position" in text_of(app.screen)

    tell(story, size)


def test_where_there_is_little_room_all_can_be_scrolled_to() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        for one in PURPOSES[1:]:
            assert one.title in text_of(app.screen)
            await pilot.press("down")
            await settled(pilot)

    tell(story, (50, 14))


@pytest.mark.parametrize("one", PURPOSES[1:], ids=lambda one: one.id)
def test_one_key_leads_right_there(one: Purpose) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        await pilot.press(one.key)
        await until(pilot, OPENED[one.leads_to])
        if one.position:
            entry = library.get(one.position)
            assert app.desk.position.text == entry.position().text
            assert app.desk.session.name == entry.title
        if one.algorithm:
            assert app.desk.algorithm == one.algorithm
        if isinstance(app.screen, CompareScreen):
            assert tuple(spec.algorithm for spec in app.screen.desk.specs) == one.lanes
        if isinstance(app.screen, PlayScreen):
            await pilot.press("m")
            await pilot.pause()
            await pilot.press("4", "enter")
            give_up = monotonic() + 120
            while app.screen.playing.study.ply < 2:
                assert monotonic() < give_up, "no answer"
                await pilot.pause(0.05)
        await pilot.press("f2")
        await until(pilot, StartScreen)

    tell(story)


def test_space_then_shows_what_was_promised() -> None:
    """The two that end by themselves within a moment: a graph that is solved, and a proof."""

    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        for id in ("solve_graph", "prove"):
            await pilot.press(purpose(id).key)
            await until(pilot, AnalyseScreen)
            await pilot.press("space")
            give_up = monotonic() + 200
            while app.desk.busy or app.desk.report is None:
                assert monotonic() < give_up, id
                await pilot.pause(0.05)
            assert app.desk.report.outcome or app.desk.report.exact, id
            await pilot.press("f2")
            await until(pilot, StartScreen)

    tell(story)


def test_escape_leads_on_to_analyse_and_from_there_f2_leads_back() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("escape")
        await until(pilot, AnalyseScreen)
        await pilot.press("H")
        await until(pilot, HorizonScreen)
        await pilot.press("f2")
        await until(pilot, StartScreen)
        await pilot.press("f2")
        await settled(pilot)
        assert sum(isinstance(screen, StartScreen) for screen in app.screen_stack) == 1
        await pilot.press("escape")
        await until(pilot, HorizonScreen)
        await pilot.press("f2")
        await until(pilot, StartScreen)
        await pilot.press("5")
        await until(pilot, AnalyseScreen)
        assert [type(screen) for screen in app.screen_stack[1:]] == [AnalyseScreen], "what was open is closed"
        await pilot.press("o")
        await until(pilot, OpenDialog)
        await pilot.press("f2")
        await until(pilot, StartScreen)

    tell(story)


def test_a_click_leads_there_as_well() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        lines = text_of(app.screen).split("\n")
        row = next(number for number, line in enumerate(lines) if "My sessions" in line)
        await pilot.click(offset=(12, row))
        await until(pilot, SessionsDialog)

    tell(story)


def test_who_opens_something_does_not_meet_it() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        assert isinstance(app.screen, AnalyseScreen)
        assert "Start page" in [action.title for action in app.keys.at(app.screen.place)]
        await pilot.press("f2")
        await until(pilot, StartScreen)
        titles = [command.title.partition("  · ")[0] for command in pilot.app.get_system_commands(pilot.app.screen)]
        assert {one.title for one in PURPOSES} <= set(titles)

    tell(story, app=PlybenchApp(catalog.position("startpos", "tictactoe")))


def test_the_last_session_stays_as_it_was_until_one_goes_on_with_it() -> None:
    path = keep_a_session()
    before = path.read_bytes()

    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await until(pilot, AnalyseScreen)
        await pilot.press("space")
        while app.desk.busy or app.desk.report is None:
            await pilot.pause(0.05)
        await pilot.pause(0.2)
        assert app.autosave is not None
        assert app.autosave.path != path
        await pilot.press("f2")
        await until(pilot, StartScreen)
        app.close_session()
        assert path.read_bytes() == before
        app.screen.last = sessions.summary(path)  # type: ignore[attr-defined]
        await pilot.press("0")
        await until(pilot, AnalyseScreen)
        assert app.desk.session.name == "Small board"
        assert app.desk.session.study.ply == 1

    tell(story)


def test_without_a_session_there_is_nothing_to_go_on_with() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        assert purpose(GO_ON).title not in text_of(app.screen)
        await pilot.press("0")
        await settled(pilot)
        assert isinstance(app.screen, StartScreen)
        assert "No session is saved yet" in next(iter(app._notifications)).message

    tell(story)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_what_it_looks_like(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    async def begun(pilot: Pilot[None]) -> None:
        await until(pilot, StartScreen)
        await pilot.press("down", "down", "down", "down")
        await settled(pilot)
        await pilot.pause(0.1)

    assert snap_compare(PlybenchApp(goes_on=True, starts=True), terminal_size=size, run_before=begun)

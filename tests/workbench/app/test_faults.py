"""Screens that come and go quickly, clicks that come late, and faults of the app itself: what is quiet, what is said."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual._node_list import DuplicateIds
from textual.command import CommandList
from textual.css.query import NoMatches
from textual.events import Key
from textual.widgets import TabbedContent
from textual.worker import WorkerFailed

from tests.workbench.settling import begun, settled
from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.widgets.options import SafeOptionList
from workbench.app.widgets.palette import SafeCommandPalette
from workbench.jobs import crash_log as faults
from workbench.sessions import store as sessions


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


def test_keys_that_come_all_at_once_and_a_fault_that_is_said() -> None:
    """Screens are closed while they are built, and a number is typed, as fast as a terminal sends what was pasted. Then
    something fails for which nobody is prepared."""
    app, asked = PlybenchApp(), list[int]()

    async def story() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await begun(pilot)
            assert app._driver is not None
            app.desk.run_to = asked.append  # type: ignore[method-assign, assignment]
            for number, key in enumerate(["a", "ctrl+p", "o", "e", "C", "S"] * 2):
                for pressed in (key, "escape"):
                    app._driver.process_message(Key(pressed, pressed if len(pressed) == 1 else None))
                    for _ in range(number):  # further and further into the building of it
                        await asyncio.sleep(0)
                await settled(pilot)
                await pilot.press("escape")
                await settled(pilot)
                assert isinstance(app.screen, AnalyseScreen), key
            await pilot.press("g")
            for key in ("backspace", "5", "left", "2", "end", "backspace", "enter"):  # all at once
                app._driver.process_message(Key(key, key if len(key) == 1 else None))
            await settled(pilot)
            assert asked == [2], "letters do not overtake other keys"
            app.desk.write_note("kept")
            app.call_later(lambda: 1 // 0)
            await pilot.pause(0.1)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(story())
    assert "ZeroDivisionError" in app.fault
    assert str(faults.log_file()) in app.fault
    assert "test_faults.py" in faults.log_file().read_text()
    assert app.last_word == ""
    assert [sessions.read(row.path).study.note for row in sessions.listing()] == ["kept"]


def test_a_palette_that_is_closed_twice_and_tabs_that_are_not_built_yet() -> None:
    async def story() -> None:
        app = PlybenchApp()
        async with app.run_test(size=(120, 36)) as pilot:
            await begun(pilot)
            await pilot.press("ctrl+p")
            palette = app.screen
            assert isinstance(palette, SafeCommandPalette)
            said: list[str] = []
            palette.set_timer(0.01, lambda: said.append("with its list"))
            await pilot.pause(0.05)
            await palette.query(CommandList).remove()
            palette.set_timer(0.01, lambda: said.append("without"))
            await pilot.pause(0.05)
            assert said == ["with its list"]
            palette.dismiss()
            palette.dismiss()  # Escape came twice, and the second was for what was just going
            await settled(pilot)
            screen = app.screen
            assert isinstance(screen, AnalyseScreen)
            tabs = screen.query_one(TabbedContent)
            tabs.set_reactive(TabbedContent.active, "")
            screen.action_next_tab()
            assert tabs.active == ""
            app.exit()

    asyncio.run(story())


def test_once_the_app_ends_only_what_is_half_built_is_quiet() -> None:
    async def story() -> None:
        app = PlybenchApp()
        app._exit = True
        app._handle_exception(NoMatches("no board"))
        app._handle_exception(WorkerFailed(NoMatches("no list")))
        app._handle_exception(DuplicateIds("status is there"))
        assert (app.fault, app._exception) == ("", None)
        app._handle_exception(WorkerFailed(ValueError("something else")))
        assert "something else" in app.fault
        assert app._exception is not None

    asyncio.run(story())
    assert "no board" not in faults.log_file().read_text()


def test_the_file_of_faults_does_not_grow_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "faults.txt"
    path.write_text("old\n" * 200_000)
    faults.note(ValueError("new"), path)
    assert path.stat().st_size < faults.LONGEST
    assert path.read_text().rstrip().endswith("ValueError: new")


@pytest.mark.parametrize(("row", "means_nothing"), [(1, False), (2, True), (None, False)])
def test_a_click_on_a_row_that_is_gone_means_nothing(row: int | None, means_nothing: bool) -> None:
    prevented = []
    click = SimpleNamespace(style=SimpleNamespace(meta={"option": row}), prevent_default=lambda: prevented.append(True))
    asyncio.run(SafeOptionList._on_click(SafeOptionList("one", "two"), click))  # type: ignore[arg-type]
    assert bool(prevented) == means_nothing

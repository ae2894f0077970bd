"""Whoever asks to watch is told what is being done meanwhile, and can give it up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import sleep

import pytest
from textual.widgets import Label

from engines.contract import InputError, Limit, Report
from engines.tape.recording import Recording
from positions import library
from tests.workbench.app.test_app import own_data
from tests.workbench.settling import begun
from tests.workbench.watch.test_screen import Story, Watcher
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.waiting import WaitingDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.watch.trace import Trace

__all__ = ["own_data"]


def tell(entry: str, algorithm: str, limit: Limit, story: Story) -> None:
    """Somebody at the Analyse screen, where a search is chosen."""

    async def told() -> None:
        found = library.get(entry)
        app = PlybenchApp(found.position(), found.title)
        app.desk.algorithm, app.desk.limits[found.game, algorithm] = algorithm, limit
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            await begun(pilot)
            await story(Watcher(app, pilot))

    asyncio.run(told())


def notices(person: Watcher) -> list[str]:
    return [notification.message for notification in person.app._notifications]


async def waits(person: Watcher) -> WaitingDialog:
    dialog = person.app.screen
    assert isinstance(dialog, WaitingDialog)
    await person.until(lambda: not dialog.has_class("-unseen"))
    return dialog


def test_a_long_recording_says_how_far_it_is_and_is_given_up() -> None:
    async def story(person: Watcher) -> None:
        screen = person.app.screen
        assert isinstance(screen, AnalyseScreen)
        screen.record(30, watches=True)
        await person.pilot.pause(0.05)
        dialog = await waits(person)
        await person.press("W", "W", "t")  # nothing begins anew
        assert person.app.screen is dialog
        await person.until(lambda: "Recording a search to depth 30: " in str(dialog.query_one("#hint", Label).render()))
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert not person.app.desk.busy
        assert person.app.desk.recording is None
        assert notices(person) == ["The recording was given up."]
        screen.record(2, watches=True)
        await person.watches()

    tell("connect4/start", "alphabeta", Limit(depth=2), story)


def test_a_search_that_is_carried_out_once_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(report: Report, recording: Recording | None, stopped: Callable[[], bool]) -> Trace:
        while not stopped():
            sleep(0.01)
        raise InputError("It was stopped.")

    async def story(person: Watcher) -> None:
        await person.press("space")
        await person.until(lambda: not person.app.desk.busy and person.app.desk.report is not None)
        await person.press("W")
        dialog = await waits(person)
        said = str(dialog.query_one("#hint", Label).render())
        assert said.startswith("Carrying the search out once more, step by step")
        await person.press("W", "escape")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert notices(person) == ["Given up."]

    monkeypatch.setattr("workbench.watch.record.trace_of", endless)
    tell("tictactoe/start", "uct", Limit(iterations=20), story)


def test_what_cannot_be_watched_is_told() -> None:
    async def story(person: Watcher) -> None:
        await person.press("space")
        await person.until(lambda: not person.app.desk.busy and person.app.desk.report is not None)
        await person.press("W")
        await person.until(lambda: bool(notices(person)))
        assert notices(person)[0].endswith(".")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell("samegame/ten-by-ten", "nrpa", Limit(iterations=2), story)

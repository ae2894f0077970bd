"""Damaged sessions in the app: whatever the reader accepts can be opened, looked at from every side, and saved again.

With PLYBENCH_LONG=1 three hundred of them; else a few, the same ones in every run.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from time import monotonic

import pytest
from textual.pilot import Pilot

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.damage.files import damaged
from tests.thorough import LONG
from tests.workbench.session_samples import full, italian
from tests.workbench.settling import begun
from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.jobs import crash_log as faults
from workbench.sessions import codec as session_file
from workbench.sessions import store as sessions
from workbench.sessions import tapes
from workbench.sessions.model import Session

OPENED = 300 if LONG else 8
MOST = 100 * OPENED
"""So many are damaged at most: about half of them are refused."""
TAPE_SECONDS = 1.0
"""A tape is read in a thread, and waited for so long. Where there is none a search is recorded, which is not waited for."""
LEAVE = "escape"
TREE = ("t", "n", "greater_than_sign", "full_stop", "s", "tab", LEAVE)
TOUR = (
    ("tab", "left_square_bracket", "left_square_bracket", "right_square_bracket", "right_square_bracket"),
    ("full_stop", "full_stop", "comma", LEAVE, "L", "tab"),
    ("C", "right_square_bracket", "left_square_bracket", "tab", LEAVE),
    ("H", "left_square_bracket", "full_stop", LEAVE),
    ("w", "x", "enter"),
    ("S", "down", "up", LEAVE),
    ("home", "f", "down", "enter", "v", "end", "b", "d", "u"),
    ("R", "n", LEAVE),
    ("j", "down", "enter"),
)
"""The depths, the line, lanes, the horizon, a note, the sessions, the game, its review, and another position."""
SHARE = 1 if LONG else 3
"""Each session has every so many-th part of the tour, and its tree if it has one; all together have all of it."""
MET = {"TreeScreen", "CompareScreen", "HorizonScreen", "SessionsDialog", "TypedDialog", "ReviewScreen"}
SIZES = ((160, 50), (80, 24))


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the user's files are."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def originals(path: Path) -> list[bytes]:
    """Sessions before they are damaged: two with searches of chess, and one with a recorded search in a tape beside it."""
    return [session_file.text_of(session.saved()) for session in (full(), taped(path), italian())]


def taped(path: Path) -> Session:
    """A session with the tape of a search."""
    session = Session.new("Recorded", catalog.position("startpos moves b2 a1", "tictactoe"))
    algorithm, tape = catalog.algorithm("alphabeta"), new_tape(2_000)
    search = Search(session.study.position(), algorithm, Limit(depth=2), tape=tape)
    search.run_here().finish()
    report = search.report()
    session.study.add(report, tapes.write(Recording.of(tape, report, algorithm.view), path))
    return session


def accepted(path: Path) -> Iterator[bytes]:
    """Damaged sessions that are read all the same, and are not what they were."""
    whole = originals(path)
    before = [session_file.read(data, "whole").saved() for data in whole]
    for data in damaged(whole, MOST, seed=7):
        try:
            if session_file.read(data, "damaged").saved() not in before:
                yield data
        except InputError:
            continue


@pytest.mark.timeout(3600)
def test_damaged_sessions_that_can_be_read_can_be_looked_at_in_the_app() -> None:
    path, seen = sessions.create(italian()), Counter[str]()
    for number, data in enumerate(islice(accepted(path), OPENED)):
        path.write_bytes(data)
        try:
            asyncio.run(visit(path, SIZES[number % len(SIZES)], TOUR[number % SHARE :: SHARE], seen))
            log = faults.log_file()
            assert not log.exists(), log.read_text()
        except BaseException:
            kept = Path(tempfile.gettempdir()) / "plybench-damaged-in-app"
            kept.write_bytes(data)
            print(f"Session {number} is kept in {kept}.")
            raise
        for row in sessions.listing():  # what was changed is saved, and whole; it may have another name by now
            sessions.read(row.path)
            row.path.unlink()
    assert set(seen) >= MET, seen


async def visit(path: Path, size: tuple[int, int], tour: Iterable[tuple[str, ...]], seen: Counter[str]) -> None:
    """Open a session, and look at it from several sides; what goes wrong is raised on the way out."""
    app = PlybenchApp(session=sessions.read(path), path=path)
    async with app.run_test(size=size) as pilot:
        await begun(pilot)
        for keys in (TREE, *tour):
            await walk(pilot, keys, seen)
            while not isinstance(app.screen, AnalyseScreen):  # it may have gone elsewhere than was meant
                await pilot.press(LEAVE)


async def walk(pilot: Pilot[None], keys: tuple[str, ...], seen: Counter[str]) -> None:
    """Press keys one by one, as long as the app is there."""
    app = pilot.app
    assert isinstance(app, PlybenchApp)
    for number, key in enumerate(keys):
        app.desk.limits[app.desk.position.game.id, app.desk.algorithm] = Limit(depth=2)
        has_tape = key == "t" and app.desk.taped is not None
        await pilot.press(key)
        give_up = monotonic() + TAPE_SECONDS
        while has_tape and isinstance(app.screen, AnalyseScreen) and monotonic() < give_up:
            await pilot.pause(0.02)
        seen[type(app.screen).__name__] += 1
        if number == 0 and key == "t" and isinstance(app.screen, AnalyseScreen):
            return  # there is no tree: its keys mean something else here

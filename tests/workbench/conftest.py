"""Runs the command line inside the test's own process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Protocol
from weakref import WeakKeyDictionary, WeakSet

import pytest
from textual._context import active_app
from textual.message_pump import MessagePump
from textual.screen import Screen

from tests.thorough import LONG
from workbench.cli.main import main


@dataclass
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


class Plybench(Protocol):
    """`plybench("analyze", "startpos", ...)`."""

    def __call__(self, *args: str) -> Answer: ...


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads the settings of whoever runs it."""
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "config"))


def interrupted(seconds: float, *args: str) -> Answer:
    """A command in a process of its own that somebody interrupts when it has searched for so many seconds."""
    program = [sys.executable, "-m", "workbench.cli", *args]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until_searched(process, seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    return Answer(process.returncode, out, err)


def until_searched(process: subprocess.Popen[str], seconds: float) -> None:
    """Until a thread of lower priority than the first one, as searches are, has had the processor for so long; on a busy
    machine that is not soon. Where nobody can tell, wait longer than it should take."""
    tasks, give_up = Path(f"/proc/{process.pid}/task"), monotonic() + 60
    if not tasks.exists():
        sleep(3 + seconds)
    while tasks.exists() and process.poll() is None and monotonic() < give_up:
        with contextlib.suppress(OSError):  # one has ended meanwhile
            usual = niceness_and_seconds(tasks / str(process.pid))[0]
            for task in tasks.iterdir():
                niceness, spent = niceness_and_seconds(task)
                if niceness > usual and spent >= seconds:
                    return
        sleep(0.02)


def niceness_and_seconds(task: Path) -> tuple[int, float]:
    """How nice a thread is to others, and for how long it has had the processor."""
    fields = (task / "stat").read_text().rpartition(")")[2].split()
    return int(fields[16]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


QUIET_TURNS = 10
"""So many turns of the loop in a row in which nobody is at anything: what is handled may lead to more."""


async def until_all_is_handled(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Until no widget of the app has a message waiting, and all are through with what they were at. A new size, too, waits a
    moment for the next one."""
    app, give_up, quiet = active_app.get(), monotonic() + max_sleep, 0
    while quiet < QUIET_TURNS and monotonic() < give_up:
        if app._resize_event is not None or any(is_busy(node) for node in [app, *app._registry]):
            quiet = 0
            await asyncio.sleep(0.0005)
        else:
            quiet += 1
            await asyncio.sleep(0)


def is_busy(node: MessagePump) -> bool:
    """It handles a message, or has one waiting: nobody waits for its next one."""
    queue: Any = node._message_queue
    return bool(node.is_running and not node._closed and (queue.values or not queue.ready_event._waiters))


@pytest.fixture(autouse=True)
def no_idle_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's pilot waits after each key until the process uses no processor, up to a second: as long as a search runs,
    that never comes. All messages are waited for instead."""
    monkeypatch.setattr("textual.app.wait_for_idle", until_all_is_handled)
    monkeypatch.setattr("textual.pilot.wait_for_idle", until_all_is_handled)


PICTURE_SECONDS = 0.25


@pytest.fixture(autouse=True)
def pictures_now_and_then(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody looks at the picture, to compose it costs more than all else: what rests for a quarter of a second is
    composed, not every step on the way there."""
    if LONG or "snap_compare" in request.fixturenames:
        return
    compose = Screen._compositor_refresh
    composed: WeakKeyDictionary[Screen[Any], float] = WeakKeyDictionary()
    owed: WeakSet[Screen[Any]] = WeakSet()

    def later(screen: Screen[Any]) -> None:
        owed.discard(screen)
        if screen.is_running:
            composed.pop(screen, None)
            screen.call_later(screen._compositor_refresh)

    def seldom(screen: Screen[Any]) -> None:
        if screen is not screen.app.screen or monotonic() - composed.get(screen, 0.0) >= PICTURE_SECONDS:
            composed[screen] = monotonic()
            compose(screen)
            return
        screen.app._update_mouse_over(screen)
        if screen not in owed:
            owed.add(screen)
            asyncio.get_running_loop().call_later(PICTURE_SECONDS, later, screen)

    monkeypatch.setattr(Screen, "_compositor_refresh", seldom)


@pytest.fixture
def plybench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Plybench:
    """The command line as a function, without the settings of whoever runs the tests."""
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "config"))
    for name in ("BOOK", "SYZYGY", "GAVIOTA", "PIECES"):
        monkeypatch.delenv(f"PLYBENCH_{name}", raising=False)

    def run(*args: str) -> Answer:
        monkeypatch.setattr(sys, "argv", ["plybench", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Answer(ended.value.code, out, err)

    return run

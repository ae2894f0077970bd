"""The real app in a terminal that is ended by others: signals, kills, a terminal that goes away.

With PLYBENCH_LONG=1 at many moments; else once each.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

from workbench.sessions import store as sessions

if sys.platform != "linux":
    pytest.skip("needs pseudo terminals and /proc", allow_module_level=True)

from tests.thorough import LONG
from tests.workbench.terminal import Terminal, send

KILLS = 1000 if LONG else 3
KEPT_AFTER = 1.0
"""Seconds after which a change is in the file."""
CODES = {"SIGTERM": 143, "SIGHUP": 129, "close": 129, "SIGKILL": -9}
MOMENTS = {
    "start": "",
    "board": "",
    "search": " ",
    "dialog": "o",
    "note": "w",
    "saving": "",
    "tree": "t",
}


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


def check_files() -> list[str]:
    """Every session can be read; gives their notes."""
    rows = sessions.listing()
    assert [row.error for row in rows if row.error] == []
    return [sessions.read(row.path).study.note for row in rows]


def test_told_to_end_while_it_searches(tmp_path: Path) -> None:
    with Terminal(tmp_path / "data", "open", "chess/kiwipete") as terminal:
        terminal.until_drawn("Kiwipete")
        terminal.write_note("kept")
        terminal.press(" ", drawn="searching")
        send(terminal, "SIGTERM")
        assert terminal.ended() == 143
        terminal.check_quiet()
        terminal.check_given_back()
    assert check_files() == ["kept"]


@pytest.mark.parametrize("how", ["close", "SIGKILL"])
def test_nothing_is_left_behind_while_it_compiles(how: str, tmp_path: Path) -> None:
    with Terminal(tmp_path / "data", "open", "chess/kiwipete", cache=tmp_path / "cache") as terminal:
        terminal.until_drawn("Kiwipete")
        terminal.write_note("kept")
        terminal.press(" ")
        terminal.until(lambda: len(terminal.note_children()) == 2, "it compiles, and searches meanwhile")
        sleep(0 if how == "close" else KEPT_AFTER)
        terminal.note_children()
        send(terminal, how)
        assert terminal.ended() == CODES[how]
        terminal.check_quiet()
    assert check_files() == ["kept"]


@pytest.mark.skipif(not LONG, reason="long")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("how", ["SIGTERM", "SIGHUP", "close", "SIGKILL"])
@pytest.mark.parametrize("moment", list(MOMENTS))
def test_at_any_moment(how: str, moment: str, tmp_path: Path) -> None:
    random = Random(f"{how} {moment}")
    for number in range(6):
        with Terminal(tmp_path / f"data{number}", "open", "chess/kiwipete") as terminal:
            if moment == "start":
                sleep(random.uniform(0, 1.5))
            else:
                terminal.until_drawn("Kiwipete")
                terminal.press(MOMENTS[moment])
                if moment == "saving":
                    terminal.write_note("saved")
                sleep(random.uniform(0, 1.5))
            began = b"\x1b[?1049h" in terminal.seen
            terminal.note_children()
            send(terminal, how)
            code = terminal.ended()
            assert code in (CODES[how], -15, -1), (code, number)
            terminal.check_quiet()
            if began and how in ("SIGTERM", "SIGHUP"):
                terminal.check_given_back()


@pytest.mark.timeout(4 * 3600)
def test_nothing_older_than_a_second_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes are written one after the other; then the app is killed: the last one that is old enough is in the file."""
    random, lost = Random(5), list[str]()
    for number in range(KILLS):
        data = tmp_path / f"data{number}"
        monkeypatch.setenv("PLYBENCH_DATA", str(data))
        with Terminal(data, "open", "chess/kiwipete") as terminal:
            terminal.until_drawn("Kiwipete")
            written: list[tuple[float, int]] = []
            end = monotonic() + random.uniform(1.1, 3)
            while monotonic() < end:
                terminal.write_note(f"note {len(written)}.")
                written.append((monotonic(), len(written)))
                sleep(random.uniform(0, 0.4))
            killed = monotonic()
            send(terminal, "SIGKILL")
            terminal.ended()
            terminal.check_quiet()
        old = [which for when, which in written if when < killed - KEPT_AFTER]
        (note,) = check_files() or [""]
        kept = int(note.removeprefix("note ").rstrip(".")) if note else -1
        if old and kept < old[-1]:
            lost.append(f"kill {number}: note {kept} was kept, but {old[-1]} was old enough: {written}, killed {killed}")
    assert not lost

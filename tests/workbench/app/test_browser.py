"""The app in a real browser, through `plybench serve`: what a person reads there, and what the keys do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, Page, Route

from engines import catalog
from tests.workbench.browsers import opened_browser
from workbench.sessions import store as sessions
from workbench.sessions.model import Session

TERMINAL = re.compile(r"new (\w+)\.Terminal\(\{")
READ = """() => {
    const screen = window.seen && window.seen.buffer.active;
    return screen ? Array.from({length: window.seen.rows}, (_, y) =>
        screen.getLine(screen.viewportY + y)?.translateToString() ?? "").join("\\n") : "";
}"""
CURSOR = "() => window.seen.buffer.active.cursorY"
PATIENCE = 30.0
OPEN_DIALOG = "words, a file, or a position"
SAID = "whole number"


def row_of(text: str, label: str) -> str:
    """The line of a page that a field's label stands on, from the label onwards."""
    return next(line[line.index(label) :] for line in text.splitlines() if re.search(rf"{label} {{2,}}\S", line))


class PageReader:
    """Somebody at a browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def text(self) -> str:
        """What the terminal in the page shows."""
        return str(self.page.evaluate(READ))

    def until(self, words: str) -> str:
        """Wait until the page shows these words."""
        give_up = monotonic() + PATIENCE
        while words not in (text := self.text()):
            assert monotonic() < give_up, f"{words!r} is not on the page:\n{text}"
            sleep(0.05)
        return text

    def until_gone(self, words: str) -> None:
        """Wait until the page shows these words no more."""
        give_up = monotonic() + PATIENCE
        while words in (text := self.text()):
            assert monotonic() < give_up, f"{words!r} is still on the page:\n{text}"
            sleep(0.05)

    def until_in(self, label: str) -> None:
        """Wait until the cursor is in the field of this label."""
        give_up = monotonic() + PATIENCE
        while label not in (line := self.text().splitlines()[self.page.evaluate(CURSOR)]):
            assert monotonic() < give_up, f"the cursor is not in {label}, but here:\n{line}"
            sleep(0.05)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def type(self, words: str) -> None:
        self.page.keyboard.type(words)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server with no sessions but those of the test."""
    environment = {**os.environ, "PLYBENCH_DATA": str(tmp_path / "data"), "NUMBA_DISABLE_JIT": "1"}
    environment["PLYBENCH_CONFIG"] = str(tmp_path / "config")
    command = [sys.executable, "-m", "workbench.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            address = re.search(r"http://127.0.0.1:\d+/\?token=[\w-]{43}", said)
            assert address, said
            yield address[0]
        finally:
            process.terminate()


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[PageReader]:
    """A visitor whose page keeps the terminal where it can be asked what it shows; nothing else of it is changed."""
    page = browser.new_page(viewport={"width": 1600, "height": 1000})

    def keep_the_terminal(route: Route) -> None:
        script = route.fetch()
        body, count = TERMINAL.subn(r"window.seen = new \1.Terminal({", script.text())
        assert count == 1
        route.fulfill(response=script, body=body)

    page.route("**/textual.js", keep_the_terminal)
    page.goto(server)
    found = PageReader(page)
    found.until("What would you like to do?")
    page.locator(".textual-terminal").click(position={"x": 300, "y": 5})
    yield found
    page.close()


def test_the_start_page_appears_and_a_key_leads_on(visitor: PageReader) -> None:
    text = visitor.until("My sessions")
    assert "Watch minimax on a small tree" in text
    assert "Play Connect 4" in text
    visitor.press("8")
    visitor.until("A roundabout with two exits")
    visitor.press("Space")
    visitor.until("done")
    visitor.press("F2")
    visitor.until("What would you like to do?")
    visitor.press("Escape")
    visitor.until("A roundabout with two exits")


def test_a_session_is_opened_from_its_file(visitor: PageReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "elsewhere"))
    session = Session.new("From a friend", catalog.position("startpos", "connect4", "5x4"), "A game on a small board")
    for move in "3324":
        session.study.play(move)
    sessions.create(session).rename(tmp_path / "friend.plybench.json")
    visitor.press("o")
    visitor.until(OPEN_DIALOG)
    visitor.type("friend.plybench.json")
    visitor.until("From a friend")
    visitor.press("Enter")
    visitor.until("A game on a small board")
    visitor.until("start 3 3 2 4")


def test_an_error_is_said_beside_the_field_and_what_was_typed_stays(visitor: PageReader) -> None:
    """The terms of a match, a form with an error in its first field and something right in its second."""
    visitor.press("Escape")
    visitor.until("Root moves")
    visitor.press("M")
    visitor.until("Contestants")
    visitor.press("l")
    text = visitor.until("The terms of the match")
    assert "between any two contestants" in row_of(text, "Games")
    games = re.search(r"\d+", row_of(text, "Games"))
    assert games
    visitor.press("End")
    visitor.type("x")
    visitor.press("Tab")
    visitor.until_in("Depth")
    visitor.type("7")
    visitor.press("Enter")
    text = visitor.until(SAID)
    wrong = f"{games[0]}x"
    assert re.search(rf" {wrong} +The number of games is a {SAID}", row_of(text, "Games"))
    assert " 7 " in row_of(text, "Depth")
    visitor.press("Escape")
    visitor.until_gone("The terms of the match")
    visitor.press("l")
    text = visitor.until("You left the form like this")
    assert f" {wrong} " in row_of(text, "Games")
    assert " 7 " in row_of(text, "Depth")
    visitor.press("End")
    visitor.press("Backspace")
    visitor.press("Enter")
    visitor.until_gone("The terms of the match")
    visitor.until(f"games {games[0]}, depth 7, ")


def test_a_position_that_is_wrong_stays_in_its_field(visitor: PageReader) -> None:
    visitor.press("o")
    visitor.until(OPEN_DIALOG)
    visitor.type("8/8/8/8 w")
    visitor.press("Enter")
    text = visitor.until("The board has 8 rows")
    assert "8/8/8/8 w" in text
    visitor.press("Escape")
    visitor.until("Root moves")

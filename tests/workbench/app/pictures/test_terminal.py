"""Which terminals show pictures, and that asking them costs nobody a key or a moment."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from textual import _xterm_parser
from textual._xterm_parser import XTermParser

from engines.contract import InputError
from workbench.app.pictures import start, terminal
from workbench.app.pictures.terminal import (
    LONG_ANSWER,
    hear,
    may_show_pictures,
    missing_packages,
    named_protocol,
    protocol_in,
)
from workbench.cli.commands.app import pictures_to_use
from workbench.settings import Pictures, read_pictures, settings_path, write_setting

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("more", "wanted", "may"),
    [
        ({}, "auto", True),
        ({}, "off", False),
        ({"TMUX": "/tmp/tmux"}, "auto", False),
        ({"STY": "1.pts"}, "auto", False),
        ({"TMUX": "/tmp/tmux"}, "on", True),
        ({"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}, "on", False),
        ({"TERM": "dumb"}, "on", False),
        ({"TERM": "linux"}, "auto", False),
        ({"TERM": ""}, "auto", False),
    ],
)
def test_where_pictures_are_looked_for(more: dict[str, str], wanted: Pictures, may: bool) -> None:
    assert may_show_pictures(wanted, XTERM | more) is may


def test_a_terminal_is_known_by_its_name_or_by_its_answer() -> None:
    assert named_protocol({"TERM": "xterm-kitty"}) == named_protocol({"TERM": "xterm-ghostty"}) == "kitty"
    assert named_protocol(XTERM) is named_protocol({}) is None
    assert protocol_in("\x1b[?63;1;2;4;6;9;15;16;22;28c") == "sixel"
    for other in ("\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c", "\x1b[?62;c", "\x1b[?4c", "\x1b[?6c", "", "c"):
        assert protocol_in(other) is None, other


def test_the_answer_is_heard_and_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(XTermParser, "_sequence_to_key_events", XTermParser._sequence_to_key_events)  # put back at the end
    monkeypatch.setattr(_xterm_parser, "_MAX_SEQUENCE_SEARCH_THRESHOLD", 32)
    heard: list[str] = []
    assert hear(heard.append)
    for answer in ("\x1b[?63;1;2;4c", "\x1b[?6c", LONG_ANSWER):
        events = list(XTermParser().feed(f"a{answer}\x1b[Ab"))
        assert [event.key for event in events if hasattr(event, "key")] == ["a", "up", "b"]
        assert heard == [answer]
        heard.clear()


def test_a_textual_that_cannot_be_listened_to_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(XTermParser, "_sequence_to_key_events")
    assert not hear(print)


def test_without_a_terminal_no_cell_has_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stdout__", None)
    assert terminal.cell_size() is None


class FakeApp:
    """What the beginning of pictures uses of the app."""

    def __init__(self) -> None:
        self.pictures = None
        self.said: list[str] = []

    def notify(self, sentence: str, **how: Any) -> None:
        self.said.append(sentence)


def test_packages_that_are_missing_are_named_if_pictures_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_packages("sixel") == missing_packages("kitty") == []
    monkeypatch.setattr(terminal, "find_spec", lambda name: None if name in ("PIL", "resvg_py") else name)
    assert (missing_packages("sixel"), missing_packages("kitty")) == (["resvg_py", "PIL"], ["resvg_py"])
    quiet, app = FakeApp(), FakeApp()
    start.show_pictures(quiet, "auto", "sixel")  # type: ignore[arg-type]
    start.show_pictures(app, "on", "sixel")  # type: ignore[arg-type]
    assert (quiet.said, quiet.pictures, app.pictures) == ([], None, None)
    assert app.said == [
        "Men are not shown as pictures: they need packages that are not installed: pip install 'plybench[images]'."
    ]


def test_a_terminal_without_a_protocol_is_told_if_pictures_are_wanted() -> None:
    quiet, app = FakeApp(), FakeApp()
    start.take(quiet, "auto", "\x1b[?6c")  # type: ignore[arg-type]
    start.take(app, "on", "\x1b[?6c")  # type: ignore[arg-type]
    assert (quiet.said, app.said) == ([], ["Men are not shown as pictures: the terminal has no protocol for them."])


def test_nothing_is_imported_for_pictures_before_a_terminal_has_a_protocol() -> None:
    """Making ready for them must not make the first frame late."""
    names = "PIL", "resvg_py", "textual_image", "chess", "workbench.app.widgets.board"
    code = f"""if True:
        import sys
        from workbench.app.app import PlybenchApp
        PlybenchApp(pictures="auto")
        print([name for name in {names} if name in sys.modules], "workbench.app.pictures.start" in sys.modules)"""
    environment = os.environ | {"TERM": "xterm", "TMUX": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "[] True"


def write(text: str) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text)


@pytest.mark.parametrize("wanted", ["auto", "on", "off"])
def test_the_setting_is_read(wanted: Pictures) -> None:
    assert read_pictures() == "auto"
    write(f'pictures = "{wanted}"\n')
    assert read_pictures() == wanted
    write_setting("book", "/tmp/book.bin")
    assert read_pictures() == wanted


@pytest.mark.parametrize(("value", "said"), [("true", "True"), ('"always"', "always"), ("[]", r"\[\]")])
def test_a_wrong_setting_is_told_and_pictures_stay_automatic(value: str, said: str) -> None:
    write(f"pictures = {value}\n")
    with pytest.raises(
        InputError, match=f"""pictures is not '{said}' but one of "auto", "on" and "off", in quotation marks"""
    ):
        read_pictures()
    pictures, complaints = pictures_to_use()
    assert pictures == "auto"
    assert len(complaints) == 1

"""The help with all keys, and the cards of the algorithms."""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Markdown, Static

from engines import catalog
from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import Keys, bindings, key_names
from workbench.app.places import ALSO_KEYS, PLACES, places_of

KEY_WIDTH = 14
WIDEST, FRAME = 130, 8
"""The largest width of the dialog in columns, and how many of them its frame takes."""


class HelpDialog(Dialog[None]):
    """Shows what every key does, those of the screen below first."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("reading")
    place = "reading"

    def __init__(self, keys: Keys, came_from: str) -> None:
        super().__init__()
        self._keys, self._came_from = keys, came_from

    def compose(self) -> ComposeResult:
        width = min(WIDEST, self.app.size.width * 96 // 100) - FRAME
        box = VerticalScroll(Static(help_text(self._keys, self._came_from, width)), classes="dialog large")
        box.border_title = "Keys"
        box.border_subtitle = self._keys.said(self.place, "{cancel} closes")
        yield box


def help_text(keys: Keys, came_from: str, width: int = WIDEST) -> Text:
    """The text of the help: the actions of the place the user comes from, then those available everywhere, then all
    others."""
    text = Text()

    def add(key: str, sentence: str, title: str = "") -> None:
        first, *rest = wrap(f"{title}: {sentence}" if title else sentence, max(width - KEY_WIDTH - 2, KEY_WIDTH)) or [""]
        text.append(f"  {key:<{KEY_WIDTH}}", "bold")
        text.append(first[: len(title)], "bold").append(first[len(title) :])
        text.append("".join("\n" + " " * (KEY_WIDTH + 2) + line for line in rest) + "\n")

    here = places_of(came_from)
    for place in [*here, *(other for other in PLACES if other not in here)]:
        actions = [action for action in keys.actions if action.place == place]
        groups = [(group, list(some)) for group, some in groupby(actions, key=lambda action: action.group)]
        text.append(f"{PLACES[place].title}\n", "bold underline")
        for group, some in groups:
            if group:
                text.append(f"  {group}\n", "bold")
            for action in some:
                add(" ".join(key_names(action)), action.sentence, action.title)
        rows = PLACES[place].also
        for key, meaning in rows:
            if key in ALSO_KEYS:
                add(key, meaning)
        marks = [row for row in rows if row[0] not in ALSO_KEYS]
        if marks:
            text.append("  What the marks and words mean\n", "bold")
        for mark, meaning in marks:
            add(mark, meaning)
        text.append("\n")
    return text


class CardDialog(Dialog[None]):
    """Shows how an algorithm works."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("reading")
    place = "reading"

    def __init__(self, algorithm: str) -> None:
        super().__init__()
        self._algorithm = algorithm

    def compose(self) -> ComposeResult:
        box = VerticalScroll(Markdown(catalog.card(self._algorithm)), classes="dialog large")
        box.border_title = self._algorithm
        box.border_subtitle = self.with_keys("{cancel} closes")
        yield box

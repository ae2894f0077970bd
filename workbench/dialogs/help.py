"""All keys, and the cards of the algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown, Static

from engines import catalog
from workbench.actions import ACTIONS, Action, key_name

CLOSE: list[BindingType] = [Binding("escape,q,question_mark,i", "dismiss(None)", "Close")]


class HelpDialog(ModalScreen[None]):
    """What every key does."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, actions: Sequence[Action] = ACTIONS) -> None:
        super().__init__()
        self._actions = actions

    def compose(self) -> ComposeResult:
        text = Text()
        for group, actions in groupby(self._actions, key=lambda action: action.group):
            text.append(f"{group}\n", "bold underline")
            for action in actions:
                text.append(f"  {key_name(action):<10}", "bold")
                text.append(f"{action.sentence}\n")
            text.append("\n")
        text.append("On the board\n", "bold underline")
        text.append("  arrows    Move the cursor. Enter picks a man up and puts it down; so does the mouse.\n")
        text.append("\nWhat a mark on the board means\n", "bold underline")
        text.append("  ◇ ◆       The best move: from, to.      ▫ ▪  The reply.      61%  A move's share of the nodes.\n")
        box = VerticalScroll(Static(text), classes="dialog large")
        box.border_title, box.border_subtitle = "Keys", "Escape closes"
        yield box


class CardDialog(ModalScreen[None]):
    """How an algorithm works."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, algorithm: str) -> None:
        super().__init__()
        self._algorithm = algorithm

    def compose(self) -> ComposeResult:
        box = VerticalScroll(Markdown(catalog.card(self._algorithm)), classes="dialog large")
        box.border_title, box.border_subtitle = self._algorithm, "Escape closes"
        yield box

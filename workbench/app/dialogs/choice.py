"""A dialog to choose one of a few options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import OptionList

from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.app.widgets.options import SafeOptionList


class ChoiceDialog(Dialog[int | None]):
    """Asks the user to choose one of several texts. The result is its index, or None after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("question")
    place = "question"

    def __init__(self, title: str, texts: Sequence[str], at: int = 0) -> None:
        super().__init__()
        self._title, self._texts, self._at = title, texts, at

    def compose(self) -> ComposeResult:
        box = Vertical(SafeOptionList(*self._texts, markup=False), classes="dialog small")
        box.border_title = self._title
        yield box

    def on_mount(self) -> None:
        """Highlight the option that is most likely to be chosen."""
        self.query_one(OptionList).highlighted = self._at

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the index of the option."""
        self.dismiss(event.option_index)

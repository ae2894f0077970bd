"""A dialog that asks for one line of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.app.widgets.line import LineInput


class TypedDialog(Dialog[str | None]):
    """Asks for one line of text. The result is None after Escape. The hint below the field can depend on what is typed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("question")
    place = "question"

    def __init__(self, title: str, hint: str | Callable[[str], str], text: str = "") -> None:
        super().__init__()
        self._title, self._hint, self._text = title, hint, text

    def compose(self) -> ComposeResult:
        hint = Label(self._hint_for(self._text), id="hint", markup=False)
        box = Vertical(LineInput(self._text, id="typed"), hint, classes="dialog small")
        box.border_title = self._title
        box.border_subtitle = self.with_keys("Enter accepts, {cancel} cancels")
        yield box

    def _hint_for(self, text: str) -> str:
        return self._hint if isinstance(self._hint, str) else self._hint(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Update the hint."""
        self.query_one("#hint", Label).update(self._hint_for(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the text."""
        self.dismiss(event.value.strip())

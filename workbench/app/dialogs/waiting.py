"""The dialog that waits for work in the background: what is being done, how far it is, and a way to cancel.

It exists from the start, so that no key can ask for the same work once more, but becomes visible only if the work takes a
while.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Label

from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings

HERTZ = 20
PATIENCE = 0.2
"""Seconds before the dialog becomes visible. Small work is done by then."""


class Awaited(Protocol):
    """Work in the background that tells how far it is."""

    @property
    def running(self) -> bool:
        """Whether it has not ended."""

    def elapsed(self) -> float:
        """Seconds since it began."""

    def says(self) -> str:
        """What it is doing, in a line."""


class WaitingDialog(Dialog[bool]):
    """Closes by itself with True when the work has ended, well or not; with None when it is given up."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("waiting")
    place = "waiting"

    def __init__(self, title: str, work: Awaited) -> None:
        super().__init__(classes="-unseen")
        self.title_text, self.work = title, work

    def compose(self) -> ComposeResult:
        box = Vertical(Label(self.work.says(), id="hint", markup=False), classes="dialog small")
        box.border_title = self.title_text
        box.border_subtitle = self.with_keys("{cancel} gives it up")
        yield box

    def on_mount(self) -> None:
        """Start polling."""
        self.set_interval(1 / HERTZ, self.tick)

    def tick(self) -> None:
        """Show how far the work is."""
        self.query_one("#hint", Label).update(self.work.says())
        self.set_class(self.work.elapsed() < PATIENCE, "-unseen")
        if not self.work.running:
            self.dismiss(True)

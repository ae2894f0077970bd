"""Waiting for a proof: what is being done, how far it is, and a way to give it up.

It is there from the beginning, so that no key asks for another proof meanwhile, but is only seen if it takes a while.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Label

from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.proofs.job import CheckedProof

HERTZ = 20
PATIENCE = 0.2
"""Seconds in which a small proof is there, so that nothing has to be said of waiting."""


class ProofDialog(Dialog[bool]):
    """Closes by itself, with True, when the proof is there, or when it is known that there will be none."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("waiting")
    place = "waiting"

    def __init__(self, proving: CheckedProof) -> None:
        super().__init__(classes="-unseen")
        self.proving = proving

    def compose(self) -> ComposeResult:
        box = Vertical(Label(self.proving.says(), id="hint", markup=False), classes="dialog small")
        box.border_title = "Proof"
        box.border_subtitle = self.with_keys("{cancel} gives it up")
        yield box

    def on_mount(self) -> None:
        """Begin to look."""
        self.set_interval(1 / HERTZ, self.tick)

    def tick(self) -> None:
        """Say how far it is."""
        self.query_one("#hint", Label).update(self.proving.says())
        self.set_class(self.proving.elapsed() < PATIENCE, "-unseen")
        if not self.proving.running:
            self.dismiss(True)

"""The dialog that waits for a proof: what is being done, how far it is, and a way to cancel.

It exists from the start, so that no key can ask for another proof meanwhile, but becomes visible only if the proof takes a
while.
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
"""Seconds before the dialog becomes visible. Small proofs are done by then."""


class ProofDialog(Dialog[bool]):
    """Closes by itself with True when the proof is ready or has failed."""

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
        """Start polling."""
        self.set_interval(1 / HERTZ, self.tick)

    def tick(self) -> None:
        """Show how far the work is."""
        self.query_one("#hint", Label).update(self.proving.says())
        self.set_class(self.proving.elapsed() < PATIENCE, "-unseen")
        if not self.proving.running:
            self.dismiss(True)

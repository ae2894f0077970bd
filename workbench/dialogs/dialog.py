"""What all dialogs have in common."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

from workbench.widgets.fitting import Fitting

Answer = TypeVar("Answer")


class Dialog(Fitting, ModalScreen[Answer]):
    """A dialog answers once: a key or a click that comes twice at once, or that is not for the one on top, would have it
    answer again."""

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close it with an answer, if it is the one on top."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

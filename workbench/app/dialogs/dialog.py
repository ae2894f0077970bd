"""The base class of all dialogs."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import ModalScreen

from workbench.app.widgets.base_screen import BaseScreen

Answer = TypeVar("Answer")


class Dialog(BaseScreen, ModalScreen[Answer]):
    """A modal question on top of a screen; it closes with the answer."""

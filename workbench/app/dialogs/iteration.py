"""The dialog that shows one iteration of a Monte Carlo search phase by phase; a key runs the next one."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from engines.contract import InputError
from workbench.analysis.desk import Desk
from workbench.analysis.iteration import Iteration
from workbench.analysis.panels.iteration_text import iteration_text
from workbench.app.dialogs.dialog import Dialog
from workbench.app.dialogs.help import FRAME, WIDEST
from workbench.app.keys import bindings


class IterationDialog(Dialog[None]):
    """Shows what one iteration did, and runs the next on request."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("iteration")
    place = "iteration"

    def __init__(self, desk: Desk, iteration: Iteration) -> None:
        super().__init__()
        self._desk, self._iteration = desk, iteration

    def compose(self) -> ComposeResult:
        box = VerticalScroll(Static(id="phases"), classes="dialog large")
        box.border_subtitle = self.with_keys("{next} makes the next one, {cancel} closes")
        yield box

    def on_mount(self) -> None:
        """Show the first iteration."""
        self._tell()

    def on_resize(self) -> None:
        """Rewrap the lines to the new width."""
        self._tell()

    def _tell(self) -> None:
        width = min(WIDEST, self.app.size.width * 96 // 100) - FRAME
        self.query_one("#phases", Static).update(iteration_text(self._iteration, width, self.app.size.height))
        box = self.query_one(VerticalScroll)
        box.border_title = f"{self._desk.algorithm}: iteration {self._iteration.number:,}"
        box.scroll_home(animate=False)

    def action_next(self) -> None:
        """Run one more iteration."""
        try:
            self._iteration = self._desk.watch()
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=8)
            return
        self._tell()

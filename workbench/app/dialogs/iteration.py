"""One iteration of a search that samples, phase by phase; a key makes the next one."""

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
    """What one iteration did, and then the next."""

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
        """Tell the first one."""
        self._tell()

    def on_resize(self) -> None:
        """The lines are as long as there is room."""
        self._tell()

    def _tell(self) -> None:
        width = min(WIDEST, self.app.size.width * 96 // 100) - FRAME
        self.query_one("#phases", Static).update(iteration_text(self._iteration, width, self.app.size.height))
        box = self.query_one(VerticalScroll)
        box.border_title = f"{self._desk.algorithm}: iteration {self._iteration.number:,}"
        box.scroll_home(animate=False)

    def action_next(self) -> None:
        """Make one more."""
        try:
            self._iteration = self._desk.watch()
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=8)
            return
        self._tell()

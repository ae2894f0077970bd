"""The dialog that draws a search into a file: it asks for the name, draws in a thread, and says where the picture is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Checkbox, Input, Label
from textual.worker import get_current_worker

from engines.contract import InputError, listed, shown
from engines.storage.files import check_writable
from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.app.widgets.line import LineInput
from workbench.app.widgets.options import MarkedCheckbox
from workbench.drawing.scenes import subject
from workbench.drawing.scenes.files import FORMS, form_of
from workbench.input.files import expanded
from workbench.play.export import unused


class PictureDialog(Dialog[str | None]):
    """Asks for the name of a file, whose ending chooses the form. The result is a sentence on what was drawn; None after
    Escape, which also ends the drawing."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("question")
    place = "question"

    @dataclass
    class Done(Message):
        """Posted by the thread that draws: a sentence on what was drawn, or what is wrong."""

        sentence: str
        problem: str

    @dataclass
    class DrawnSoFar(Message):
        """Posted by the thread that draws: how far it is."""

        said: str

    def __init__(self, name: str, make: subject.Maker) -> None:
        """`name`: what is drawn, for the name of the file. `make`: lays it out."""
        super().__init__()
        self._make, self._usual, self._draws = make, str(unused(name, ".svg")), False

    def compose(self) -> ComposeResult:
        hint = f"The ending chooses the form: {listed(list(FORMS), 'or')}; .gif is a film up to here, .html plays all of it."
        box = Vertical(
            LineInput(self._usual, id="typed"),
            MarkedCheckbox("dark", id="dark"),
            Label(hint, id="hint", markup=False),
            Label("", id="problem", markup=False),
            classes="dialog small",
        )
        box.border_title = "Draw this search into a file"
        box.border_subtitle = self.with_keys("Enter draws it, Tab goes to the colours, {cancel} cancels")
        yield box

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Draw it, unless that is being done; what was typed stays if something is wrong."""
        name = event.value.strip()
        if self._draws or not name:
            return
        path = expanded(name)
        try:
            form_of(path)
            check_writable(path)
        except InputError as error:
            self._say(str(error))
            return
        self._draws = True
        self._say("")
        self.query_one("#hint", Label).update("Drawing ...")
        self._draw(name, "dark" if self.query_one("#dark", Checkbox).value else "light")

    @work(thread=True, exclusive=True, group="picture")
    def _draw(self, name: str, theme: str) -> None:
        worker = get_current_worker()
        problem = said = ""

        def progress(done: int, count: int) -> None:
            if worker.is_cancelled:
                raise InputError("The drawing was given up.")
            self.post_message(self.DrawnSoFar(f"{done:,} of {count:,} are drawn."))

        try:
            said = subject.write(expanded(name), self._make, theme, lambda: worker.is_cancelled, progress)
        except InputError as error:
            problem = str(error)
        if not worker.is_cancelled:
            self.post_message(self.Done(f"{shown(name, 80)} has the picture: {said}.", problem))

    def on_picture_dialog_drawn_so_far(self, event: DrawnSoFar) -> None:
        """Show how far it is."""
        self.query_one("#hint", Label).update(event.said)

    def on_picture_dialog_done(self, event: Done) -> None:
        """Close with the sentence, or say what is wrong."""
        self._draws = False
        if event.problem:
            self.query_one("#hint", Label).update("Nothing was written.")
            self._say(event.problem)
        else:
            self.dismiss(event.sentence)

    def _say(self, problem: str) -> None:
        self.query_one("#problem", Label).update(problem)


def draw_into_file(screen: Screen[Any], name: str, make: subject.Maker) -> None:
    """Ask for a file, and draw a search into it; then say where it is."""

    def drawn(sentence: str | None) -> None:
        if sentence is not None:
            screen.notify(sentence, timeout=8, markup=False)

    screen.app.push_screen(PictureDialog(name, make), drawn)

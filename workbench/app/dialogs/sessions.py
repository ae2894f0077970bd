"""The dialog that manages sessions: open, start, rename, duplicate, delete with undo, export."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engines.contract import InputError
from workbench.app.dialogs.choice import ChoiceDialog
from workbench.app.dialogs.dialog import Dialog
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.keys import bindings, keys_of
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.options import SafeOptionList
from workbench.export.session import write
from workbench.portable import handover
from workbench.render.values import counted
from workbench.sessions import store as sessions

if TYPE_CHECKING:
    from workbench.app.app import PlybenchApp

FORMS = {
    "plybench": "One file that opens on another machine, with everything in it",
    "md": "Markdown report",
    "html": "HTML report",
    "pgn": "PGN with evaluations",
    "epd": "EPD",
    "csv": "CSV",
}


class SessionsDialog(Dialog[None]):
    """Lists all sessions, the one that was changed last first."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("sessions")
    place = "sessions"

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[sessions.SessionRow] = []
        self._deleted: list[Path] = []

    @property
    def bench(self) -> PlybenchApp:
        """The app, which holds the open session."""
        from workbench.app.app import PlybenchApp

        assert isinstance(self.app, PlybenchApp)
        return self.app

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large") as box:
            box.border_title = "Sessions"
            yield SafeOptionList(id="sessions")
            yield Static(f"They are files in {sessions.directory()}", id="hint", markup=False)
            yield KeysFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Save the open session, so that the list is up to date, and show the list."""
        if self.bench.autosave is not None:
            self._try(self.bench.autosave.flush)
        self._list()

    def _try(self, deed: Callable[[], object]) -> bool:
        """Call a function; if it raises InputError, show why. Returns whether it succeeded."""
        try:
            deed()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return False
        return True

    def _list(self, at: int = 0) -> None:
        self._rows = sessions.listing()
        options = self.query_one("#sessions", OptionList)
        options.clear_options()
        options.add_options([Option(self._line(row)) for row in self._rows])
        if not self._rows:
            options.add_option(Option("No session is saved yet: the first search or move begins one.", disabled=True))
        else:
            options.highlighted = max(0, min(at, len(self._rows) - 1))

    def _line(self, row: sessions.SessionRow) -> Text:
        is_open = self.bench.has_open(row.path)
        text = Text.assemble((f"{'●' if is_open else ' '} {row.name}\n    ", "bold"))
        if row.error:
            return text.append(row.error, "red")
        text.append(f"{row.changed.astimezone():%Y-%m-%d %H:%M}  ", "dim")
        text.append(f"{counted(row.studies, 'position')}, {counted(row.searches, 'search')}  {', '.join(row.games)}", "dim")
        return text

    def _chosen(self) -> sessions.SessionRow | None:
        at = self.query_one("#sessions", OptionList).highlighted
        return self._rows[at] if at is not None and at < len(self._rows) else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the session on Enter or a click."""
        self.action_open()

    def action_open(self) -> None:
        """Open the highlighted session and close the dialog."""
        row = self._chosen()
        if row is None:
            return
        if self.bench.has_open(row.path) or self._try(lambda: self.bench.open_session(row.path)):
            self.dismiss()

    def action_new(self) -> None:
        """Start another session with the position on the board."""
        self.bench.new_session()
        self.notify("A new session; it is saved from the first change on.")
        self.dismiss()

    def action_rename(self) -> None:
        """Ask for another name of the session."""
        if row := self._chosen():
            self.app.push_screen(TypedDialog("Another name", "", row.name), lambda name: self._rename(row, name))

    def _rename(self, row: sessions.SessionRow, name: str | None) -> None:
        if not name or name == row.name:
            return
        autosave = self.bench.autosave
        if autosave is not None and self.bench.has_open(row.path):
            self._try(lambda: autosave.rename(name))
            self._try(autosave.flush)
        else:
            self._try(lambda: sessions.rename(row.path, name))
        self._list(self._rows.index(row))

    def action_duplicate(self) -> None:
        """Copy the session."""
        row = self._chosen()
        if row is not None and not row.error:
            self._try(lambda: sessions.duplicate(row.path))
            self._list()

    def action_delete(self) -> None:
        """Delete the session; undo restores it."""
        row = self._chosen()
        if row is None:
            return
        if self.bench.has_open(row.path):
            self.bench.new_session()
        if self._try(lambda: self._deleted.append(sessions.delete(row.path))):
            undo = keys_of(self.app).key("sessions.undo")
            self.notify(f"{row.name} is deleted. {undo} brings it back.")
        self._list(self._rows.index(row))

    def action_undo(self) -> None:
        """Restore the session that was deleted last."""
        if not self._deleted:
            self.notify("Nothing was deleted here.")
            return
        self._try(lambda: sessions.restore(self._deleted.pop()))
        self._list()

    def action_export(self) -> None:
        """Export the session as a report."""
        row = self._chosen()
        if row is None or row.error:
            return
        self.app.push_screen(ChoiceDialog("Export as", list(FORMS.values())), lambda number: self._export(row, number))

    def _export(self, row: sessions.SessionRow, number: int | None) -> None:
        if number is None:
            return
        ending = list(FORMS)[number]
        if ending == "plybench":
            self._try(lambda: self._pack(row))
            return
        stem = row.path.name.partition(".")[0]
        names = (f"{stem}{'' if copy == 1 else f' {copy}'}.{ending}" for copy in count(1))
        file = next(file for file in map(Path.cwd().joinpath, names) if not file.exists())
        try:
            write(sessions.read(row.path), ending, file)
        except InputError as error:
            self.notify(f"It could not be written: {error}", severity="error", timeout=10)
            return
        self.notify(f"Written to {file}.", timeout=10)

    def _pack(self, row: sessions.SessionRow) -> None:
        """Pack the session into one file, and say how it is opened elsewhere."""
        packed = handover.pack(row.path, handover.target_for(row.name, Path.cwd()))
        self.notify(packed.sentence, timeout=15)

"""The dialog that opens a position: from the library, from a file, or from pasted notation of any game; with a preview."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from engines import catalog
from engines.contract import InputError
from engines.position import Position
from positions import library
from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.line import LineInput, as_written
from workbench.app.widgets.options import SafeOptionList
from workbench.input.files import MOST_SHOWN, Contents, FileItem, missing, named
from workbench.input.pictured import Drawn, pasted_drawing
from workbench.input.recognise import listed, pasted_study
from workbench.sessions.model import Study

TYPED_SECONDS = 0.06
"""The list is updated once nothing has been typed for this many seconds, and not for every letter of a word."""
SETTLED_SECONDS = 0.15
"""A file is read once nothing has been typed for this many further seconds."""


@dataclass(frozen=True)
class OpenedPosition:
    """A position and its title."""

    position: Position
    title: str
    proof: Path | None = None
    """The proof file that was opened, if it was one."""
    own: Path | None = None
    """The session or the tape that was opened, if it was one."""
    study: Study | None = None
    """The game that the position is from, with all its variations, if a file held one."""
    remarks: Sequence[str] = ()
    """Sentences about parts of the file that could not be read."""
    drawn: Drawn | None = None
    """The search of a picture whose text was pasted."""


class OpenDialog(Dialog[OpenedPosition | None]):
    """A field for words to search for, the name of a file, or a notation; below it the matching positions."""

    CSS_PATH = "../styles/open.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]  # noqa: RUF012 - Textual's own form
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("open"),
        Binding("down", "choose(1)", show=False, priority=True),
        Binding("up", "choose(-1)", show=False, priority=True),
        Binding("pagedown", "choose(10)", show=False, priority=True),
        Binding("pageup", "choose(-10)", show=False, priority=True),
    ]
    place = "open"

    @dataclass
    class Listed(Message):
        """Posted when a file has been read: its entries, or what is wrong with it."""

        words: str
        found: Sequence[FileItem]
        problem: str

    @dataclass
    class Previewed(Message):
        """Posted when the position of a file's entry has been read."""

        row: FileItem
        position: Position | None
        problem: str

    @dataclass
    class Tried(Message):
        """Posted when the typed text has been read as a position."""

        words: str
        opened: OpenedPosition | None

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._before = position
        self._found: list[FileItem] = []
        self._typing: Timer | None = None
        """Runs while the list does not yet match what was typed last."""
        self._listed = ""
        """The text that the list was made for."""
        self._entered = False
        """Whether Enter was pressed while a file was still being read: then its first entry is opened as soon as it is
        known."""
        self._file: Path | None = None
        """The file whose entries the list shows; None if it shows the library."""
        self._note = ""
        """A remark about the whole file."""
        self._read: tuple[FileItem, Position] | None = None
        """The entry of a file that was read last, with its position."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large") as box:
            box.border_title = "Open a position"
            hint = "Enter opens it, arrows choose, {browse} finds a file, {cancel} cancels"
            box.border_subtitle = self.with_keys(hint)
            yield LineInput(placeholder="words, a file, or a position: a FEN, 4453, ((3 12) (2 4)) ...", id="words")
            with Horizontal(id="choice"):
                yield SafeOptionList(id="entries")
                with Vertical(id="preview"):
                    yield BoardView(self._before, id="preview-board")
                    with VerticalScroll(id="about-box", can_focus=False):
                        yield Static(id="about")
            yield Label("", id="problem", markup=False)

    def on_mount(self) -> None:
        """List the whole library."""
        self.query_one("#preview-board").can_focus = False
        self._list("")

    # The list.

    def on_input_changed(self, event: Input.Changed) -> None:
        """Schedule an update of the list."""
        self._entered = False
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(TYPED_SECONDS, self._catch_up)

    def _catch_up(self) -> None:
        """Update the list to what was typed last."""
        if self._typing is not None:
            self._typing.stop()
            self._typing = None
            self._list(self.query_one("#words", Input).value)

    @property
    def lists_what_is_typed(self) -> bool:
        """Whether the list matches the text as it is now."""
        return self._listed == self.query_one("#words", Input).value

    def _list(self, words: str) -> None:
        at = None if words.strip() in library.entries() else named(words)
        self._file, self._read, self._note = (at[0] if at else None), None, ""
        if at is None:
            self._listed = words
            self._fill([in_library(entry) for entry in matching(words)])
        else:
            self._fill([])
            self.query_one("#about", Static).update(Text(f"Reading {at[0].name} ..."))
            self.set_timer(SETTLED_SECONDS, lambda: self._look_into(words))

    def _look_into(self, words: str) -> None:
        """Read the file in a thread, unless something else was typed since. A large file takes time, and quitting does not
        wait for it."""
        at = named(words)
        if at is None or words != self.query_one("#words", Input).value:
            return

        def look() -> None:
            try:
                self.post_message(self.Listed(words, listed(*at, self._before.game.id), ""))
            except InputError as error:
                self.post_message(self.Listed(words, [], str(error)))

        threading.Thread(target=look, daemon=True).start()

    def on_open_dialog_listed(self, event: Listed) -> None:
        """Show the entries of the file."""
        if event.words != self.query_one("#words", Input).value:
            return
        count = event.found.total if isinstance(event.found, Contents) else len(event.found)
        self._note = event.problem
        if count > MOST_SHOWN:
            self._note = f"The first {MOST_SHOWN:,} of {count:,}; #{count} after the name chooses the last."
        self._listed = event.words
        self._fill(event.found)
        if event.problem:
            self.query_one("#about", Static).update("")
            self._draw(None)
        elif self._entered and (row := self._chosen()) is not None:
            self._open(row)
        self._entered = False

    def _fill(self, found: Sequence[FileItem]) -> None:
        self._found = list(found[:MOST_SHOWN])
        entries = self.query_one("#entries", OptionList)
        entries.clear_options()
        entries.add_options(under_headings(self._found))
        self._highlight(0)
        self._preview()

    def _highlight(self, number: int) -> None:
        """Highlight the row with this number; headings do not count."""
        entries = self.query_one("#entries", OptionList)
        rows = [at for at, option in enumerate(entries.options) if isinstance(option, Listing)]
        if rows:
            entries.highlighted = rows[max(0, min(len(rows) - 1, number))]
            if entries.highlighted == rows[0]:
                entries.scroll_home(animate=False)  # to show the heading above it

    def action_choose(self, step: int) -> None:
        """Move the highlight up or down while the text field keeps the focus."""
        self._catch_up()
        chosen = self._chosen()
        self._highlight((self._found.index(chosen) if chosen is not None else 0) + step)

    def _chosen(self) -> FileItem | None:
        option = self.query_one("#entries", OptionList).highlighted_option
        return option.row if isinstance(option, Listing) else None

    def _say(self, problem: str) -> None:
        self.query_one("#problem", Label).update(problem)

    # The preview.

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the board of the highlighted position and its description."""
        self._preview()

    def _preview(self) -> None:
        row, words = self._chosen(), self.query_one("#words", Input).value
        about = self.query_one("#about", Static)
        self._say(self._note)
        if row is not None:
            about.update(Text.assemble((f"{row.title}\n", "bold"), row.about))
            threading.Thread(target=self._read_row, args=(row,), daemon=True).start()
        elif words.strip() and self._file is None:
            threading.Thread(target=self._try_words, args=(words,), daemon=True).start()

    def _draw(self, position: Position | None) -> None:
        """Draw a board, or clear the preview."""
        board = self.query_one("#preview-board", BoardView)
        board.visible = position is not None
        if position is not None:
            board.show(position)

    def _read_row(self, row: FileItem) -> None:
        try:
            self.post_message(self.Previewed(row, row.read(), ""))
        except InputError as error:
            self.post_message(self.Previewed(row, None, str(error)))

    def _try_words(self, words: str) -> None:
        self.post_message(self.Tried(words, self._typed(words)[0]))

    def on_open_dialog_tried(self, event: Tried) -> None:
        """Show the typed position, if it is valid and the text has not changed since."""
        if event.words != self.query_one("#words", Input).value or self._found or self._file is not None:
            return
        about = self.query_one("#about", Static)
        if event.opened is not None:
            self._draw(event.opened.position)
            about.update(Text(f"A position ({event.opened.position.game.title}). Enter opens it.", "bold"))
        else:
            about.update("Nothing in the library has these words. Enter says why they are not a position.")

    def on_open_dialog_previewed(self, event: Previewed) -> None:
        """Show the position, if its entry is still highlighted."""
        if event.row is not self._chosen():
            return
        if event.position is None:
            self._say(event.problem)
            self._draw(None)
        else:
            self._read = event.row, event.position
            self._draw(event.position)

    # Opening.

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the row that was clicked, even if the list has changed since."""
        assert isinstance(event.option, Listing)
        self._open(event.option.row)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open the highlighted entry, or the pasted notation."""
        self._catch_up()
        row = self._chosen()
        if row is not None:
            self._open(row)
        elif self._file is None:
            opened, problem = self._typed(event.value)
            if opened is not None:
                self.dismiss(opened)
            else:
                self._say(problem)
        else:
            self._entered = not self.lists_what_is_typed

    def _open(self, row: FileItem) -> None:
        try:
            if row.study is not None:
                study, remarks = row.study()
                self.dismiss(OpenedPosition(study.position(), row.title, study=study, remarks=remarks))
                return
            position = self._read[1] if self._read is not None and self._read[0] is row else row.read()
        except InputError as error:
            self._say(str(error))
            return
        self.dismiss(OpenedPosition(position, row.title, row.proof, row.own))

    def _typed(self, text: str) -> tuple[OpenedPosition | None, str]:
        """Read the text as a position of the current game or of the first other game that can read it. Returns the position,
        or None and what is wrong."""
        text = as_written(text)
        try:
            if (drawn := pasted_drawing(text)) is not None:
                return OpenedPosition(drawn.read_position(), "", drawn=drawn), ""
            if (pasted := pasted_study(text)) is not None:
                study, remarks = pasted
                return OpenedPosition(study.position(), "", study=study, remarks=remarks), ""
        except InputError as error:
            return None, str(error)
        names = dict.fromkeys([self._before.game.id, *catalog.GAMES])
        problem = missing(text)
        for name in names:
            try:
                return OpenedPosition(catalog.position(text.strip(), name), ""), ""
            except InputError as error:
                problem = problem or str(error)
        return None, problem

    def action_browse(self) -> None:
        """Choose a file in a directory tree."""
        from workbench.app.dialogs.file import FileDialog

        self.app.push_screen(FileDialog(self._file.parent if self._file else Path.cwd()), self._browsed)

    def _browsed(self, path: Path | None) -> None:
        if path is None:
            return
        words = self.query_one("#words", Input)
        here = Path.cwd()
        words.value = str(path.relative_to(here) if path.is_relative_to(here) else path)
        words.cursor_position = len(words.value)
        words.focus()


def matching(words: str) -> list[library.Entry]:
    """The library's entries that contain the words, or the one whose id they are. For a single word that occurs nowhere,
    those that resemble it."""
    if words.strip() in library.entries():
        return [library.get(words.strip())]
    found = library.search(words.split())
    if not found and len(words.split()) == 1:
        found = [entry for entry in library.search(()) if is_like(words, f"{entry.id} {entry.title}")]
    return found


def in_library(entry: library.Entry) -> FileItem:
    """The row for an entry of the library."""
    return FileItem(entry.title, entry.game, f"{entry.id}\n{entry.known}", entry.position, group=entry.group)


class Listing(Option):
    """A row of the list, with the entry that it stands for."""

    def __init__(self, row: FileItem) -> None:
        super().__init__(line_of(row))
        self.row = row


def under_headings(rows: Sequence[FileItem]) -> list[Option]:
    """The rows of the list, with a heading above those of a group."""
    options: list[Option] = []
    for group, its in groupby(rows, key=lambda row: row.group):
        if group:
            options.append(Option(Text(group, "bold underline"), disabled=True))
        options += map(Listing, its)
    return options


def line_of(row: FileItem) -> Text:
    """The text of a row."""
    text = Text(row.title, "bold")
    text.append(f"  {row.beside}", "dim")
    return text


def is_like(word: str, text: str) -> bool:
    """Whether the letters of a word occur in a text in the same order."""
    letters = iter(text.lower())
    return all(letter in letters for letter in word.lower())

"""Open a position: browse and search the library with a preview, or paste a notation of any game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from engines import catalog
from engines.contract import InputError
from engines.game import Position
from positions import library
from workbench.widgets.board import BoardView


@dataclass(frozen=True)
class Opened:
    """A position, and what it is called."""

    position: Position
    title: str


class OpenDialog(ModalScreen[Opened | None]):
    """One line for words to search for, or for a notation; below it what the library has, with a preview."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Cancel", priority=True),
        Binding("down", "choose(1)", show=False, priority=True),
        Binding("up", "choose(-1)", show=False, priority=True),
        Binding("pagedown", "choose(10)", show=False, priority=True),
        Binding("pageup", "choose(-10)", show=False, priority=True),
    ]

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._before = position
        self._found: list[library.Entry] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large") as box:
            box.border_title = "Open a position"
            box.border_subtitle = "Enter opens it, arrows choose, Escape cancels"
            yield Input(placeholder="words to look for, or a position: a FEN, 4453, ((3 12) (2 4)) ...", id="words")
            with Horizontal(id="choice"):
                yield OptionList(id="entries")
                with Vertical(id="preview"):
                    yield BoardView(self._before, id="preview-board")
                    yield Static(id="about")
            yield Label("", id="problem")

    def on_mount(self) -> None:
        """Show everything."""
        self.query_one("#preview-board").can_focus = False
        self._list("")

    def _list(self, words: str) -> None:
        self._found = library.search(words.split()) if words.strip() else list(library.entries().values())
        if not self._found and len(words.split()) == 1:
            self._found = [entry for entry in library.entries().values() if is_like(words, f"{entry.id} {entry.title}")]
        entries = self.query_one("#entries", OptionList)
        entries.clear_options()
        entries.add_options([Option(self._line(entry)) for entry in self._found])
        if self._found:
            entries.highlighted = 0
        self._preview()

    @staticmethod
    def _line(entry: library.Entry) -> Text:
        text = Text(f"{entry.title}", "bold", no_wrap=True, overflow="ellipsis")
        text.append(f"  {entry.game}", "dim")
        return text

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search as one types."""
        self._list(event.value)

    def action_choose(self, step: int) -> None:
        """Up and down in the list while one types."""
        entries = self.query_one("#entries", OptionList)
        if self._found:
            entries.highlighted = max(0, min(len(self._found) - 1, (entries.highlighted or 0) + step))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what it is."""
        self._preview()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click opens it."""
        self._open(self._found[event.option_index])

    def _preview(self) -> None:
        at = self.query_one("#entries", OptionList).highlighted
        about, problem = self.query_one("#about", Static), self.query_one("#problem", Label)
        words = self.query_one("#words", Input).value
        problem.update("")
        if self._found and at is not None and at < len(self._found):
            entry = self._found[at]
            self.query_one("#preview-board", BoardView).show(entry.position())
            about.update(Text.assemble((f"{entry.title}\n", "bold"), (f"{entry.id}\n", "dim"), entry.known))
        elif words.strip():
            opened = self._read(words, say=False)
            if opened is not None:
                self.query_one("#preview-board", BoardView).show(opened.position)
                about.update(Text(f"A position of {opened.position.game.title}. Enter opens it.", "bold"))
            else:
                about.update("Nothing in the library has these words. Enter says what is wrong with them as a position.")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open what is highlighted, or what was pasted."""
        at = self.query_one("#entries", OptionList).highlighted
        if self._found and at is not None:
            self._open(self._found[at])
            return
        opened = self._read(event.value, say=True)
        if opened is not None:
            self.dismiss(opened)

    def _open(self, entry: library.Entry) -> None:
        self.dismiss(Opened(entry.position(), entry.title))

    def _read(self, text: str, say: bool) -> Opened | None:
        """The position that was typed: of this game, or of the first other one that can read it."""
        names = dict.fromkeys([self._before.game.id, *catalog.GAMES])
        problem = ""
        for name in names:
            try:
                return Opened(catalog.position(text.strip(), name), "")
            except InputError as error:
                problem = problem or str(error)
        if say:
            self.query_one("#problem", Label).update(problem)
        return None


def is_like(word: str, text: str) -> bool:
    """The letters of a word come in a text, in this order."""
    letters = iter(text.lower())
    return all(letter in letters for letter in word.lower())

"""A dialog to choose a file."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.markup import escape
from textual.widgets import DirectoryTree

from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings


class Files(DirectoryTree):
    """Without pictures that not every terminal has."""

    ICON_NODE, ICON_NODE_EXPANDED, ICON_FILE = "▸ ", "▾ ", "  "


class FileDialog(Dialog[Path | None]):
    """The directories from one on; Escape chooses nothing."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("file")
    place = "file"

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._directory = directory.absolute()

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large") as box:
            box.border_title = escape(str(self._directory))
            hint = "Enter opens, {up} goes up, {cancel} cancels"
            box.border_subtitle = escape(self.with_keys(hint))
            yield Files(self._directory, id="files")

    def on_mount(self) -> None:
        """Begin in the tree."""
        self.query_one(DirectoryTree).focus()

    def action_up(self) -> None:
        """The directory above."""
        self._directory = self._directory.parent
        self.query_one(".dialog").border_title = escape(str(self._directory))
        self.query_one(DirectoryTree).path = self._directory

    def on_directory_tree_file_selected(self, event: DirectoryTree.FileSelected) -> None:
        """Give it back."""
        self.dismiss(event.path)

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
    """A directory tree without the icons that many terminal fonts lack."""

    ICON_NODE, ICON_NODE_EXPANDED, ICON_FILE = "▸ ", "▾ ", "  "


class FileDialog(Dialog[Path | None]):
    """Asks for a file, starting from a directory. The result is its path, or None after Escape."""

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
        """Focus the tree."""
        self.query_one(DirectoryTree).focus()

    def action_up(self) -> None:
        """Show the parent directory."""
        self._directory = self._directory.parent
        self.query_one(".dialog").border_title = escape(str(self._directory))
        self.query_one(DirectoryTree).path = self._directory

    def on_directory_tree_file_selected(self, event: DirectoryTree.FileSelected) -> None:
        """Close with the path of the file."""
        self.dismiss(event.path)

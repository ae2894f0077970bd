"""The command palette."""

from __future__ import annotations

import contextlib

from textual.command import CommandList, CommandPalette


class Palette(CommandPalette):
    """Textual's own, which fails when a page key comes before its list is drawn, or when it is closed while it still looks
    for commands."""

    def _action_command_list(self, action: str) -> None:
        with contextlib.suppress(KeyError):  # the lines of the list are not known yet
            super()._action_command_list(action)

    def _watch__list_visible(self) -> None:
        if self.query(CommandList):
            super()._watch__list_visible()

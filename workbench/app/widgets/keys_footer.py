"""The footer that shows the keys of a screen."""

from __future__ import annotations

from itertools import groupby

from textual.app import ComposeResult
from textual.binding import Binding
from textual.events import Resize
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from workbench.app.keys import FURTHER

PALETTE = 13
"""The columns of the palette's key at the right edge."""


class KeysFooter(Footer):
    """A footer that uses its width: after the keys that it always has come further ones, as many as there is room for.

    And it does not leak memory. Textual's footer creates its keys again whenever a dialog opens or closes, and binds each to
    attributes of the footer; these bindings are never removed. Here those of removed keys are.
    """

    _left_out: frozenset[str] = frozenset()
    """The actions that there is no room for."""

    def compose(self) -> ComposeResult:
        """The keys that there is room for."""
        self._left_out = self._without_room()
        for widget in super().compose():
            if not (isinstance(widget, FooterKey) and widget.action in self._left_out):
                yield widget

    def on_resize(self, event: Resize) -> None:
        """Show more keys, or fewer."""
        if self._bindings_ready and self._without_room() != self._left_out:
            self.call_after_refresh(self.recompose)

    def _without_room(self) -> frozenset[str]:
        shown = {
            found.action: found for _, found, _, _ in reversed(self.screen.active_bindings.values()) if found.show
        }  # of several keys of an action the first
        further = [found for name in FURTHER for found in shown.values() if found.id == name]
        always = [found for found in reversed(shown.values()) if found not in further]
        room = self.app.size.width - (PALETTE if self.show_command_palette else 0)
        for group, found_together in groupby(always, lambda found: found.group):
            together = list(found_together)
            room -= sum(map(self._width, [together] if group is not None else [[one] for one in together]))
        left_out = []
        for found in further:
            if self._width([found]) <= room:
                room -= self._width([found])
            else:
                left_out.append(found.action)
        return frozenset(left_out)

    def _width(self, together: list[Binding]) -> int:
        """The columns of a key, or of some that share a title, with the blanks between."""
        group = together[0].group
        title = together[0].description if group is None else group.description
        return sum(len(self.app.get_key_display(found)) for found in together) + len(title) + 3

    async def recompose(self) -> None:
        """Show the current keys, and drop the bindings of removed ones."""
        await super().recompose()
        for bound in getattr(self, "__watchers", {}).values():
            bound[:] = [(widget, setter) for widget, setter in bound if not widget._closing]

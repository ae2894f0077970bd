"""The base class of all screens and dialogs."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from textual.await_complete import AwaitComplete
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import TabbedContent, TabPane

from engines.contract import InputError
from workbench.app.keys import keys_of

SETTLING = 6
"""How many more times a screen is drawn after the last change: a panel that has just become visible gets its size a little
later."""


class BaseScreen:
    """A screen that knows its keys, shows errors as sentences, and works around two faults of Textual.

    First, when two resize events are queued, Textual would post each of them again after the other without end: so an event
    whose size is out of date is dropped. Second, Textual delivers the result of a screen before it checks whether the screen
    can be closed, and fails on a second result: so `dismiss` does nothing on a screen that is closed or is not on top.
    """

    place: str
    """The id of the place in `workbench.app.actions` that its keys belong to."""

    def with_keys(self, sentence: str) -> str:
        """Replace the names of actions in braces by their keys."""
        assert isinstance(self, Screen)
        return keys_of(self.app).said(self.place, sentence)

    def try_to(self, deed: Callable[[], object]) -> None:
        """Call a function; if it raises InputError, show the sentence."""
        assert isinstance(self, Screen)
        try:
            deed()
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=8)

    def action_next_tab(self) -> None:
        """Show the next tab."""
        assert isinstance(self, Screen)
        for tabs in self.query(TabbedContent):
            panes = [pane.id or "" for pane in tabs.query(TabPane) if tabs.get_tab(pane).display]
            if tabs.active in panes:  # while the tabs are being built none is active
                tabs.active = panes[(panes.index(tabs.active) + 1) % len(panes)]

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close the screen with a result, if it is the top one."""
        assert isinstance(self, Screen)
        return Screen.dismiss(self, result) if self.is_active else AwaitComplete()

    async def _on_resize(self, event: Resize) -> None:
        assert isinstance(self, Screen)
        if event.size != self.app.size:
            event.prevent_default()
            event.stop()


class DrawnParts:
    """Remembers what each part of a screen showed last, so that only changed parts are drawn again."""

    def __init__(self) -> None:
        self._drawn: dict[str, Hashable] = {}
        self._last: Hashable = None
        self._still = 0

    def is_new(self, part: str, seen: Hashable) -> bool:
        """Whether a part has to show something new. If so, it is recorded as drawn."""
        if self._drawn.get(part) == seen:
            return False
        self._drawn[part] = seen
        return True

    def is_still(self, now: Hashable, busy: bool) -> bool:
        """Whether nothing has changed for a while: then drawing is skipped, so that an idle app uses no processor time."""
        self._still = self._still + 1 if now == self._last and not busy else 0
        self._last = now
        return self._still > SETTLING

    def wake(self) -> None:
        """Draw again for a while, because something may have changed."""
        self._still = 0

    def forget(self) -> None:
        """Forget what was drawn, because the widgets have been replaced."""
        self._drawn.clear()

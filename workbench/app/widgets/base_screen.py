"""What all screens and dialogs have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from textual.await_complete import AwaitComplete
from textual.events import Resize
from textual.screen import Screen

from engines.contract import InputError
from workbench.app.keys import keys_of

SETTLING = 6
"""So many times a screen is drawn after the last change: a panel that has just come to light has its size a moment later."""


class BaseScreen:
    """A screen that names its keys, says in a sentence why something cannot be done, does not look back, and answers once.

    Of two changes of size that wait at once, each would have Textual announce its own again after the other, for ever: so
    one that is out of date is passed over. And Textual hands an answer over before it asks whether the screen can be closed,
    and fails at a second one: so a key or a click that reaches a screen which is closed already, or which has another one on
    top by now, is no answer.
    """

    place: str
    """The place that its keys belong to (`workbench.app.actions`)."""

    def with_keys(self, sentence: str) -> str:
        """A sentence with the keys of the actions that it names in braces."""
        assert isinstance(self, Screen)
        return keys_of(self.app).said(self.place, sentence)

    def try_to(self, deed: Callable[[], object]) -> None:
        """Do it, or say why not."""
        assert isinstance(self, Screen)
        try:
            deed()
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=8)

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close it with an answer, if it is the one on top."""
        assert isinstance(self, Screen)
        return Screen.dismiss(self, result) if self.is_active else AwaitComplete()

    async def _on_resize(self, event: Resize) -> None:
        assert isinstance(self, Screen)
        if event.size != self.app.size:
            event.prevent_default()
            event.stop()


class DrawnParts:
    """What the parts of a screen showed when they were drawn last, so that only what is new is drawn again."""

    def __init__(self) -> None:
        self._drawn: dict[str, Hashable] = {}
        self._last: Hashable = None
        self._still = 0

    def is_new(self, part: str, seen: Hashable) -> bool:
        """A part is to show something else than before; from now on it counts as drawn."""
        if self._drawn.get(part) == seen:
            return False
        self._drawn[part] = seen
        return True

    def is_still(self, now: Hashable, busy: bool) -> bool:
        """Nothing has happened for a while: an app that is only looked at uses no processor."""
        self._still = self._still + 1 if now == self._last and not busy else 0
        self._last = now
        return self._still > SETTLING

    def wake(self) -> None:
        """Something may have happened."""
        self._still = 0

    def forget(self) -> None:
        """The parts are new: nothing is drawn yet."""
        self._drawn.clear()

"""What all screens have in common."""

from __future__ import annotations

from typing import Any

from textual.await_complete import AwaitComplete
from textual.events import Resize
from textual.screen import Screen


class Fitting:
    """A screen that does not look back, and answers once.

    Of two changes of size that wait at once, each would have Textual announce its own again after the other, for ever: so
    one that is out of date is passed over. And Textual hands an answer over before it asks whether the screen can be closed,
    and fails at a second one: so a key or a click that reaches a screen which is closed already, or which has another one on
    top by now, is no answer.
    """

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close it with an answer, if it is the one on top."""
        assert isinstance(self, Screen)
        return Screen.dismiss(self, result) if self.is_active else AwaitComplete()

    async def _on_resize(self, event: Resize) -> None:
        assert isinstance(self, Screen)
        if event.size != self.app.size:
            event.prevent_default()
            event.stop()

"""What all screens have in common."""

from __future__ import annotations

from textual.events import Resize
from textual.screen import Screen


class Fitting:
    """A screen that does not look back. Of two changes of size that wait at once, each would have Textual announce its own
    again after the other, for ever: so one that is out of date is passed over."""

    async def _on_resize(self, event: Resize) -> None:
        assert isinstance(self, Screen)
        if event.size != self.app.size:
            event.prevent_default()
            event.stop()

"""A line to type into."""

from __future__ import annotations

from textual.events import Key
from textual.widgets import Input


class Line(Input):
    """Textual's own takes letters at once, but has its editing keys and Enter go round through the app. Where several keys
    come together, from a slow connection or a busy machine, letters would overtake them: here all are done in turn."""

    async def _on_key(self, event: Key) -> None:
        if event.is_printable:
            return
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            event.stop()
            event.prevent_default()
            await self.run_action(binding.action)

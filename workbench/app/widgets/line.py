"""A one-line text input."""

from __future__ import annotations

from textual.events import Key, Paste
from textual.widgets import Input

LINE_END = "⏎"
"""How the end of a line is shown in a text of several lines that was pasted."""


class LineInput(Input):
    """Textual's own takes letters at once, but has its editing keys and Enter go round through the app. Where several keys
    come together, from a slow connection or a busy machine, letters would overtake them: here all are done in turn. And of a
    text that is pasted Textual's own takes the first line alone: here all of them stay."""

    async def _on_key(self, event: Key) -> None:
        if event.is_printable:
            return
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            event.stop()
            event.prevent_default()
            await self.run_action(binding.action)

    def _on_paste(self, event: Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(LINE_END.join(event.text.strip().splitlines()), *self.selection)


def as_written(text: str) -> str:
    """What was pasted into a line, in the lines that it had."""
    return text.replace(LINE_END, "\n")

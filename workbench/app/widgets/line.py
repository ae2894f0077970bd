"""A one-line text input."""

from __future__ import annotations

from textual.events import Key, Paste
from textual.widgets import Input

LINE_END = "⏎"
"""Stands for a line break in pasted text of several lines."""


class LineInput(Input):
    """A text field that handles all keys in order and keeps all pasted lines.

    Textual's field inserts letters at once, but sends editing keys and Enter through the app. When several keys arrive
    together, over a slow connection or on a busy machine, letters would overtake them. And of a pasted text it keeps only
    the first line.
    """

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
    """Text from a `LineInput` with its original line breaks."""
    return text.replace(LINE_END, "\n")

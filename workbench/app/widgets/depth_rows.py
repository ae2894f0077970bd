"""The panel of depths: a list that is scrolled, and whose rows are clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Static

WHEEL_ROWS = 3


class DepthRows(Static):
    """The visible part of the depths below a line of titles; the screen draws it anew when `top` has changed. It follows the
    newest depth until the user scrolls back."""

    @dataclass
    class Took(Message):
        """Posted when a row was clicked."""

        depth: int

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.top = 0
        """The index of the first visible row."""
        self.depths: Sequence[int] = ()
        self._state: tuple[int, int | None, int] = (0, None, 0)
        """The number of depths, the one that is looked at, and the room when the panel was drawn last."""

    def take(self, depths: Sequence[int], looked_at: int | None) -> None:
        """Note which depths there are. Where another one is looked at than before, there are new ones, or there is other
        room, scroll as little as shows the one that is looked at."""
        state = (len(depths), looked_at, self.rows)
        is_new, self.depths, self._state = state != self._state, depths, state
        if is_new and looked_at in depths:
            number = depths.index(looked_at)
            self.scroll_rows(min(0, number - self.top) or max(0, number - self.top - self.rows + 1))
        self.scroll_rows(0)

    @property
    def rows(self) -> int:
        """The number of rows that there is room for below the titles."""
        return max(1, self.content_size.height - 1)

    def scroll_rows(self, rows: int) -> None:
        """Move the visible part by so many rows, as far as there are any."""
        self.top = max(0, min(self.top + rows, len(self.depths) - self.rows))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        self.scroll_rows(WHEEL_ROWS)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        self.scroll_rows(-WHEEL_ROWS)
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Report the depth whose row was clicked."""
        offset = event.get_content_offset(self)
        number = self.top + offset.y - 1 if offset is not None else -1
        if offset is not None and offset.y > 0 and number < len(self.depths):
            self.post_message(self.Took(self.depths[number]))

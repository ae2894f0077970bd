"""A slider that shows and changes the place in a recorded search."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget


class Timeline(Widget):
    """A slider from the first node of a search to its last."""

    @dataclass
    class Sought(Message):
        """Posted when a place was clicked or dragged to."""

        node: int

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Timeline.Sought)

    def __init__(self, length: int, what: str = "node", id: str | None = None) -> None:
        """`what`: the word for what is counted."""
        super().__init__(id=id)
        self.length, self.what = length, what
        self.place = 0

    def show(self, place: int) -> None:
        """Move the knob to a node."""
        self.place = place
        self.refresh()

    def render(self) -> Text:
        numbers = self._numbers
        room = max(self.size.width - len(numbers) - 1, 1)
        knob = round(self.place / max(self.length - 1, 1) * (room - 1))
        return Text("━" * knob + "●" + "─" * (room - knob - 1) + " " + numbers, no_wrap=True)

    @property
    def _first(self) -> int:
        """What the first place is called: node 1; before the first event is event 0."""
        return int(self.what == "node")

    @property
    def _numbers(self) -> str:
        last = f"{self.length - 1 + self._first:,}"
        return f"{self.what} {self.place + self._first:>{len(last)},} of {last}"

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Start dragging the knob."""
        self.capture_mouse()
        self._seek(event.x)

    def on_mouse_up(self) -> None:
        """Stop dragging the knob."""
        self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the knob."""
        if self.app.mouse_captured is self:
            self._seek(event.x)

    def _seek(self, x: int) -> None:
        room = max(self.size.width - len(self._numbers) - 1, 1)
        part = min(max(x, 0), room - 1) / max(room - 1, 1)
        self.post_message(self.Sought(round(part * (self.length - 1))))

"""The lists of moves that are clicked: those of the game, drawn line by line, and those of the root of a search, which are
scrolled and sorted too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from workbench.analysis.game_text import Kind, Word
from workbench.render.root_order import ORDERS, Order
from workbench.sessions.model import Path

WHEEL_ROWS = 3
STYLES: dict[Kind, Style] = {
    "played": Style(bold=True),
    "here": Style(bold=True, reverse=True),
    "ahead": Style(dim=True),
    "branch": Style(underline=True),
    "plain": Style(dim=True),
    "main": Style(bold=True),
    "variation": Style(italic=True),
}


class GameMoves(Widget):
    """The line through the current position, and its variations."""

    @dataclass
    class Went(Message):
        """Posted when a move was clicked."""

        path: Path

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.lines: list[list[Word]] = []

    def take(self, lines: Sequence[Sequence[Word]]) -> None:
        """Draw other lines of words."""
        self.lines = [list(line) for line in lines]
        self.refresh()

    @property
    def text(self) -> str:
        """The visible text."""
        return "\n".join("".join(word.text for word in line) for line in self.lines)

    def render_line(self, y: int) -> Strip:
        words = self.lines[y] if y < len(self.lines) else []
        strip = Strip([Segment(word.text, self.rich_style + STYLES[word.kind]) for word in words])
        return strip.adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Go to the position of the word that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y >= len(self.lines):
            return
        end = 0
        for word in self.lines[offset.y]:
            end += len(word.text)
            if offset.x < end:
                if word.path is not None:
                    self.post_message(self.Went(word.path))
                return


class RootMoves(Static):
    """The visible part of the root moves; the screen draws it anew when `top` or `order` has changed."""

    @dataclass
    class Picked(Message):
        """Posted when a row was clicked."""

        number: int

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.top = 0
        """The index of the first visible row."""
        self.order: Order = "best"
        self.count = 0
        """The number of all rows."""

    def take(self, count: int, hint: str, value: str) -> None:
        """Note how many rows there are now, and stay within them; the hint is shown if they are more than fit. `value`: what
        the values of the rows are."""
        self.count = count
        self.scroll_rows(0)
        first, last = self.top + 1, min(self.top + self.height, count)
        title = "Root moves" if self.order == "best" else f"Root moves {ORDERS[self.order]}"
        title += f": {value}" if value != "value" else ""
        said = f"{value}, share of nodes" if last - first + 1 >= count else f"{first} to {last} of {count}  {hint}"
        if (self.border_title, self.border_subtitle) != (title, said):  # even the same ones would draw the panel again
            self.border_title, self.border_subtitle = title, said

    @property
    def height(self) -> int:
        """The number of rows that there is room for."""
        return max(1, self.content_size.height)

    def scroll_rows(self, rows: int) -> None:
        """Move the visible part by so many rows, as far as there are any."""
        self.top = max(0, min(self.top + rows, self.count - self.height))

    def show_row(self, number: int) -> None:
        """Scroll until a row is visible."""
        self.scroll_rows(min(0, number - self.top) or max(0, number - self.top - self.height + 1))

    def sort_next(self) -> None:
        """List the rows in the next order, from the top."""
        names = list(ORDERS)
        self.order, self.top = names[(names.index(self.order) + 1) % len(names)], 0

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        self.scroll_rows(WHEEL_ROWS)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        self.scroll_rows(-WHEEL_ROWS)
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Report the row that was clicked; a click on the frame's title sorts."""
        offset = event.get_content_offset(self)
        if offset is None:
            if event.y == 0:
                self.sort_next()
        elif self.top + offset.y < self.count:
            self.post_message(self.Picked(self.top + offset.y))

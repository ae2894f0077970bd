"""The list of the game's moves, drawn line by line; a click on a move goes there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from workbench.analysis.game_text import Kind, Word
from workbench.sessions.model import Path

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

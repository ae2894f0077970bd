"""A tree as it is drawn on a blackboard, at one moment of a search. It draws lines, not a widget for each node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from workbench.watch.layers.view import GraphView
from workbench.watch.panels import view_of
from workbench.watch.trace import Moment, Node, Trace
from workbench.watch.view import TreeView


class DrawnTree(Widget):
    """The drawing of a moment, as much of it as there is room for around the node where the search is."""

    DEFAULT_CSS = """
    DrawnTree { height: 1fr; border: round $primary 35%; border-title-color: $primary; border-subtitle-color: $text-muted; }
    """

    @dataclass
    class Clicked(Message):
        """Posted when a node was clicked."""

        tree: DrawnTree
        node: Node

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._trace: Trace | None = None
        self._moment: Moment | None = None
        self._is_missing: Callable[[Node], bool] | None = None
        self._view: TreeView | GraphView | None = None
        self._strips: list[Strip] = []

    def show(self, trace: Trace, moment: Moment, is_missing: Callable[[Node], bool] | None = None) -> None:
        """Draw another moment. `is_missing`: whether another search that is watched too never visits a node."""
        self._trace, self._moment, self._is_missing = trace, moment, is_missing
        self._draw()

    def on_resize(self) -> None:
        """Draw as much as there is room for now."""
        self._draw()

    def _draw(self) -> None:
        width, height = self.content_size
        if self._trace is None or self._moment is None or not width or not height:
            return
        self._view = view_of(self._trace, self._moment, width, height, self._is_missing)
        console = Console(width=width, color_system="truecolor", legacy_windows=False)
        self._strips = [Strip(line.render(console), width) for line in self._view.lines()]
        self.border_subtitle = self._view.note()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if y >= len(self._strips):
            return Strip.blank(self.content_size.width, self.rich_style)
        return self._strips[y].apply_style(self.rich_style).simplify()

    def on_click(self, event: events.Click) -> None:
        """Report the node that was clicked; of a bundle, the first that is folded in it."""
        offset = event.get_content_offset(self)
        if offset is None or self._view is None or self._trace is None:
            return
        node = self._view.node_at(offset.x, offset.y)
        if node is not None:
            self.post_message(self.Clicked(self, node))

"""A list of options."""

from __future__ import annotations

from textual.geometry import Size
from textual.widgets import OptionList

NARROWEST = 10
"""Columns: in fewer, Textual's own list cannot break its lines."""


class Options(OptionList):
    """Textual's own, but for terminals too small for it: there it pages through lines that were never drawn, and breaks
    lines that have no width."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Lines for all options."""
        return super().get_content_height(container, viewport, max(width, NARROWEST))

    def action_page_up(self) -> None:
        """One page up, where there are pages."""
        if self.content_size.area:
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """One page down."""
        if self.content_size.area:
            super().action_page_down()  # type: ignore[no-untyped-call]

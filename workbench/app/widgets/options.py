"""A list of options."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from textual.events import Click
from textual.geometry import Size
from textual.widgets import OptionList

NARROWEST = 10
"""Columns: in fewer, Textual's own list cannot break its lines."""


class ClickedInTime:
    """For a list whose options change: a click names the row that was there when it was made, which may be gone when the
    list comes to it. Then it means nothing."""

    async def _on_click(self, event: Click) -> None:
        assert isinstance(self, OptionList)
        clicked = event.style.meta.get("option")
        if clicked is not None and clicked >= self.option_count:
            event.prevent_default()


class SafeOptionList(ClickedInTime, OptionList):
    """Textual's own, but for terminals too small for it: there it pages through lines that were never drawn, and breaks
    lines that have no width."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Lines for all options."""
        return super().get_content_height(container, viewport, max(width, NARROWEST))

    def action_page_up(self) -> None:
        """One page up, where there are pages."""
        self._page(super().action_page_up)

    def action_page_down(self) -> None:
        """One page down."""
        self._page(super().action_page_down)

    def _page(self, turn: Callable[[], None]) -> None:
        if self.content_size.area:
            with contextlib.suppress(KeyError):  # the lines have just become others, and are not known yet
                turn()

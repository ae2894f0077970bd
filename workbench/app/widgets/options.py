"""Lists of options that survive small terminals and late clicks, and check boxes that can be told apart without colours."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.widgets import Checkbox, OptionList

NARROWEST = 10
"""The least width in columns with which Textual's list can wrap its lines."""


class ClickedInTime:
    """A mixin for lists whose options change. A click on a row that no longer exists when the click is handled is
    ignored."""

    async def _on_click(self, event: Click) -> None:
        assert isinstance(self, OptionList)
        clicked = event.style.meta.get("option")
        if clicked is not None and clicked >= self.option_count:
            event.prevent_default()


class SafeOptionList(ClickedInTime, OptionList):
    """Textual's list, made safe for very small terminals, where it fails on paging through lines that were never drawn and
    on wrapping lines to no width."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines that all options take."""
        return super().get_content_height(container, viewport, max(width, NARROWEST))

    def action_page_up(self) -> None:
        """Go one page up, if the list has been drawn."""
        self._page(super().action_page_up)

    def action_page_down(self) -> None:
        """Go one page down, if the list has been drawn."""
        self._page(super().action_page_down)

    def _page(self, turn: Callable[[], None]) -> None:
        if self.content_size.area:
            with contextlib.suppress(KeyError):  # the options have changed and their lines are not computed yet
                turn()


class MarkedCheckbox(Checkbox):
    """A check box written `[x]` or `[ ]`: Textual's own differ in shade alone."""

    DEFAULT_CSS = """
    MarkedCheckbox > .toggle--button, MarkedCheckbox.-on > .toggle--button { color: $text; background: transparent; }
    """

    @property
    def _button(self) -> Content:
        return Content.assemble(("[x]" if self.value else "[ ]", self.get_visual_style("toggle--button")))

"""A list of options."""

from __future__ import annotations

from textual.widgets import OptionList


class Options(OptionList):
    """Textual's own, which pages through lines that a terminal too small has not drawn, and then raises a KeyError."""

    def action_page_up(self) -> None:
        """One page up, where there are pages."""
        if self.content_size.area:
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """One page down."""
        if self.content_size.area:
            super().action_page_down()  # type: ignore[no-untyped-call]

"""The command palette."""

from __future__ import annotations

import contextlib

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette
from textual.errors import NoWidget
from textual.events import Click
from textual.timer import Timer, TimerCallback
from textual.widgets import LoadingIndicator

from workbench.app.widgets.options import ClickedInTime


class SafeCommandList(ClickedInTime, CommandList):
    """The commands that match; they change with every letter."""


class SafeCommandPalette(CommandPalette):
    """Textual's command palette, which fails when a page key comes before its list is drawn, and when it is closed while it
    still collects commands for a list that is gone."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield SafeCommandList() if type(widget) is CommandList else widget

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close the palette if it is the top screen: Escape may be pressed twice."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        """Set a timer whose callback does nothing once the list is gone, because a timer that has fired cannot be
        stopped."""

        def while_whole() -> object:
            return callback() if callback is not None and self.query(CommandList) else None

        return super().set_timer(delay, while_whole, name=name, pause=pause)

    def _on_click(self, event: Click) -> None:  # type: ignore[override]
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:  # the click is from before the terminal became smaller; Textual's handler would raise the same
            event.prevent_default()

    def _action_command_list(self, action: str) -> None:
        with contextlib.suppress(KeyError):  # the lines of the list are not computed yet
            super()._action_command_list(action)

    def _watch__list_visible(self) -> None:
        if self.query(CommandList):
            super()._watch__list_visible()

    async def _watch__show_busy(self) -> None:
        if self.query(LoadingIndicator):
            await super()._watch__show_busy()

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
    """What there is to choose from; it changes with every letter."""


class SafeCommandPalette(CommandPalette):
    """Textual's own, which fails when a page key comes before its list is drawn, or when it is closed while it still looks
    for commands: then it has no list any more to write them into."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield SafeCommandList() if type(widget) is CommandList else widget

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close it, if it is the one on top: Escape may come twice."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        """What it does later it does only while it still has its list: a time that is up cannot be stopped any more."""

        def while_whole() -> object:
            return callback() if callback is not None and self.query(CommandList) else None

        return super().set_timer(delay, while_whole, name=name, pause=pause)

    def _on_click(self, event: Click) -> None:  # type: ignore[override]
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:  # it was made before the terminal became smaller; Textual's own handler would ask the same
            event.prevent_default()

    def _action_command_list(self, action: str) -> None:
        with contextlib.suppress(KeyError):  # the lines of the list are not known yet
            super()._action_command_list(action)

    def _watch__list_visible(self) -> None:
        if self.query(CommandList):
            super()._watch__list_visible()

    async def _watch__show_busy(self) -> None:
        if self.query(LoadingIndicator):
            await super()._watch__show_busy()

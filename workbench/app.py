"""The app: what `plybench` opens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from engines.game import Position
from workbench.actions import ACTIONS
from workbench.desk import Desk
from workbench.screens.analyse import AnalyseScreen

DARK = Theme(
    name="plybench-dark",
    primary="#8fb8de",
    secondary="#7fd48a",
    accent="#e3c567",
    foreground="#d5dde6",
    background="#10151b",
    surface="#161d25",
    panel="#1b232d",
    success="#7fd48a",
    warning="#e3c567",
    error="#e07a7a",
    dark=True,
)
LIGHT = Theme(
    name="plybench-light",
    primary="#22577a",
    secondary="#2e7d4f",
    accent="#9a6a00",
    foreground="#1c2530",
    background="#f6f8fa",
    surface="#eceff3",
    panel="#dfe5ec",
    success="#2e7d4f",
    warning="#9a6a00",
    error="#b3352b",
    dark=False,
)
SAFE = Theme(
    name="plybench-colour-blind-safe",
    primary="#56b4e9",
    secondary="#0072b2",
    accent="#e69f00",
    foreground="#e8e8e8",
    background="#101010",
    surface="#181818",
    panel="#222222",
    success="#56b4e9",
    warning="#e69f00",
    error="#d55e00",
    dark=True,
)
THEMES = (DARK, LIGHT, SAFE)


class PlybenchApp(App[None]):
    """Plybench in a terminal."""

    TITLE = "Plybench"
    CSS_PATH = "styles/app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True)]

    def __init__(self, position: Position | None = None, title: str = "", theme: str = DARK.name) -> None:
        super().__init__()
        self.desk = Desk(position, title)
        self._wanted_theme = theme

    def on_mount(self) -> None:
        """Show the desk."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self._wanted_theme
        self.push_screen(AnalyseScreen(self.desk))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette has every action."""
        if isinstance(screen, AnalyseScreen):
            for action in ACTIONS:
                yield SystemCommand(action.title, action.sentence, getattr(screen, f"action_{action.id}"))
        yield from super().get_system_commands(screen)

    def on_unmount(self) -> None:
        """Whatever runs is stopped: quitting never waits for a search."""
        self.desk.close()

"""The app: what `plybench` opens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.theme import Theme

from engines.contract import InputError
from engines.game import Position
from workbench import sessions
from workbench.actions import ACTIONS
from workbench.autosave import Autosave
from workbench.desk import Desk
from workbench.screens.analyse import AnalyseScreen
from workbench.session import Session

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

    @dataclass
    class Told(Message):
        """Saving has something to say."""

        sentence: str

    def __init__(
        self,
        position: Position | None = None,
        title: str = "",
        theme: str = DARK.name,
        session: Session | None = None,
        path: Path | None = None,
    ) -> None:
        super().__init__()
        self.desk = Desk(position, title, session)
        self.desk.changed = self.save
        self._wanted_theme = theme
        self.autosave = Autosave(session, path, self._tell) if session is not None and path is not None else None
        """Saves the session; None until there is something to save."""

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

    # Saving.

    def save(self) -> None:
        """The session has changed: save it soon, in a file of its own from the first change on."""
        try:
            if self.autosave is None:
                session = self.desk.session
                session.rename(sessions.free_name(session.name))
                self.autosave = Autosave(session, sessions.create(session), self._tell)
            self.autosave.touch()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)

    def _tell(self, sentence: str) -> None:
        self.post_message(self.Told(sentence))

    def on_plybench_app_told(self, event: Told) -> None:
        """Say it."""
        if event.sentence:
            self.notify(event.sentence, severity="error", timeout=10)

    def open_session(self, path: Path) -> None:
        """Go on with another session; an InputError if it cannot be read."""
        session = sessions.read(path)
        self.close_session()
        self.autosave = Autosave(session, path, self._tell)
        self.desk.open(session)

    def new_session(self) -> None:
        """Begin another session with the position on the board."""
        self.close_session()
        self.desk.open(Session.new(self.desk.title or "untitled", self.desk.position))

    def close_session(self) -> None:
        """Save what is not saved yet."""
        autosave, self.autosave = self.autosave, None
        if autosave is not None:
            self.desk.stop()
            autosave.close()

    def on_unmount(self) -> None:
        """Whatever runs is stopped: quitting never waits for a search. Nothing is lost."""
        self.desk.close()
        self.close_session()

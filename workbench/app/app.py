"""The Textual application class.

Importing this module imports Textual and nothing else that is slow. The first screen is an empty frame; everything that
takes time to import is imported after it is drawn.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, ClassVar

from textual._node_list import DuplicateIds
from textual.app import App, ComposeResult, SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.css.query import NoMatches
from textual.events import Event, InputEvent, Key, MouseDown
from textual.message import Message
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import Static
from textual.worker import WorkerFailed

from engines.contract import InputError
from workbench.app.actions import EVERYWHERE
from workbench.app.keys import Keys, bindings, remapped, spoken

if TYPE_CHECKING:
    from engines.position import Position
    from engines.tape.recording import Recording
    from workbench.analysis.desk import Desk
    from workbench.sessions.autosave import Autosave
    from workbench.sessions.model import Session, Study
    from workbench.sessions.types import KeptSearch

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
SCREENS_BELOW = 1
"""The number of screens below the lowest one a user can see: Textual's default screen, which shows the first frame."""
TAPE_SECONDS = 5.0
"""How long closing a session waits for a tape that is still being written, in seconds."""


class PlybenchApp(App[None]):
    """The Plybench application."""

    TITLE = "Plybench"
    CSS_PATH = "styles/app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(EVERYWHERE),
        Binding("f1", "help", "Help", show=False, priority=True),
    ]

    class Taped(Message):
        """Posted when a thread has finished writing a tape."""

    @dataclass
    class Notice(Message):
        """Posted by the thread that saves sessions: a sentence to show to the user."""

        sentence: str

    def __init__(
        self,
        position: Position | None = None,
        title: str = "",
        theme: str = DARK.name,
        session: Session | None = None,
        path: Path | None = None,
        goes_on: bool = False,
        proof: Path | None = None,
        remarks: Sequence[str] = (),
    ) -> None:
        """`goes_on`: open the session that was changed last. `proof`: a proof file to check and show. `remarks`: notices to
        show."""
        super().__init__()
        self._proof, self._remarks = proof, remarks
        self._position, self._title, self._session, self._path = position, title, session, path
        self._goes_on = goes_on
        self._wanted_theme = theme
        self.keys = Keys()
        """The keys of all actions; replaced by those of the settings once these are read."""
        self.autosave: Autosave | None = None
        """Saves the session; None until there is something to save."""
        self._writers: list[threading.Thread] = []
        self._written = SimpleQueue[tuple["Study", "KeptSearch", str]]()
        """Tapes that have been written but that their searches do not name yet: study, search and the name of the file."""
        self.last_word = ""
        """A sentence to print after the app has ended."""
        self.fault = ""
        """A sentence to print if the app ended because of an error in itself."""

    @cached_property
    def desk(self) -> Desk:
        """The state of the Analyse screen."""
        from workbench.analysis.desk import Desk

        if self._goes_on:
            self._find_last()
        desk = Desk(self._position, self._title, self._session)
        if self._session is not None and self._path is not None:
            self._save_to(self._session, self._path)
        return desk

    def _find_last(self) -> None:
        """Take up the session that was changed last, if it can be read."""
        from workbench.sessions import store as sessions

        for row in sessions.listing()[:1]:
            try:
                self._session, self._path = sessions.read(row.path), row.path
            except InputError as error:
                self.notify(str(error), severity="error", timeout=10)

    def compose(self) -> ComposeResult:
        """Yield the frame that is shown before anything else is imported."""
        yield Static(" Plybench", id="first-status")
        with Horizontal():
            for title in ("Position", "Search"):
                box = Static(classes="first-panel")
                box.border_title = title
                yield box

    def on_mount(self) -> None:
        """Draw the first frame, then build the Analyse screen."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self._wanted_theme
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        from workbench.app.screens.analyse import AnalyseScreen

        self.desk.changed = self.save
        self.desk.recorded, self.desk.read_tape = self.keep_tape, self.read_tape
        self._read_keys()
        screen = AnalyseScreen(self.desk)
        self.push_screen(screen)
        for remark in self._remarks[:1]:
            self.notify(remark, severity="warning", timeout=10)
        if self._proof is not None:
            from workbench.app.screens.proof import show_proof

            self.call_after_refresh(show_proof, screen, self._proof)

    def _read_keys(self) -> None:
        """Read the keys that the settings give to actions. If something is wrong with them, keep the default keys and say
        so."""
        from workbench.settings import read_keys

        try:
            self.keys = remapped(read_keys())
        except InputError as error:
            self._tell(f"{error} So all keys in the settings are left aside.")
        self.set_keymap(self.keys.keymap)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notification. Markup is always off: a sentence may contain brackets that the user typed."""
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield every action of the current screen for the command palette, with its key."""
        actions = self.keys.at(place_of(screen))
        for action in actions:
            yield SystemCommand(
                f"{action.title}  ·  {spoken(action)}", action.sentence, partial(screen.run_action, action.call)
            )
        titles = [action.title for action in actions]
        yield from (command for command in super().get_system_commands(screen) if command.title not in titles)

    def action_help(self) -> None:
        """Open the help, with the keys of the current screen first; close it if it is open."""
        from workbench.app.dialogs.help import HelpDialog

        if isinstance(self.screen, HelpDialog):
            self.screen.dismiss()
        else:
            self.push_screen(HelpDialog(self.keys, place_of(self.screen)))

    def action_help_quit(self) -> None:
        """Tell the user how to quit: Ctrl+C copies text and does not end the app."""
        self.notify(self.keys.said(EVERYWHERE, "{quit} ends Plybench."))

    def action_command_palette(self) -> None:
        """Open the command palette."""
        from workbench.app.widgets.palette import SafeCommandPalette

        if not isinstance(self.screen, SafeCommandPalette):
            self.push_screen(SafeCommandPalette())  # has no name, because the previous palette may still be closing

    def _handle_exception(self, error: Exception) -> None:
        """End the app on an error, and report it once the terminal is restored. Errors about missing or duplicate widgets
        are ignored while the app ends: Textual then mounts and removes nothing any more, so a screen may stay half built."""
        cause = error.error if isinstance(error, WorkerFailed) else error
        if self._exit and isinstance(cause, NoMatches | DuplicateIds):
            self.log.warning(f"Half built: {error}")
            return
        if not self.fault:
            from workbench.jobs.crash_log import crash_sentence

            self.fault = crash_sentence(error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without a traceback on the terminal. It is in the file that `fault` names."""
        self._close_messages_no_wait()

    async def _replace_screen(self, screen: Screen[object]) -> Screen[object]:
        """Remove a screen, but only after it is fully mounted. Textual otherwise refuses new children to its widgets and
        still sends them their mount events, which then look for children that do not exist. Code that adds widgets later
        holds the screen's lock for as long as it does so."""
        if screen._task is not None:
            await screen._mounted_event.wait()
        async with screen.lock:
            pass
        return await super()._replace_screen(screen)

    async def on_event(self, event: Event) -> None:
        """Handle an input event. Input while the app ends and mouse presses on a widget that is being removed are dropped,
        because Textual fails on both. A key that comes before the top screen is mounted waits for that, so that its action
        finds the widgets."""
        if isinstance(event, InputEvent) and (self._exit or not self.screen_stack):
            return
        if isinstance(event, Key) and self.screen._task is not None and not self.screen.is_mounted:
            await self.screen._mounted_event.wait()
            if self._exit:
                return
        if isinstance(event, MouseDown) and not event.is_forwarded:
            widget, _ = self.screen.get_widget_and_offset_at(event.x, event.y)
            if widget is not None and widget.parent is None and not isinstance(widget, Screen):
                return
        await super().on_event(event)

    def pop_screen(self) -> AwaitComplete:
        """Close the top screen, but never the last one. Only the top screen calls this: see `BaseScreen.dismiss`."""
        is_last = len(self.screen_stack) <= SCREENS_BELOW + 1
        return AwaitComplete() if is_last else super().pop_screen()

    # Saving.

    def save(self) -> None:
        """Save the session soon, because it has changed. The first change gives the session its file."""
        from workbench.sessions import store as sessions

        try:
            if self.autosave is None:
                session = self.desk.session
                session.rename(sessions.free_name(session.name))
                self._save_to(session, sessions.create(session))
            assert self.autosave is not None
            self.autosave.touch()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)

    def keep_tape(self, study: Study, kept: KeptSearch, recording: Recording) -> None:
        """Write the tape of a search beside the session in a thread; when that is done, store the file's name with the
        search."""
        if self.autosave is None:
            return
        path = self.autosave.path

        def write() -> None:
            from workbench.sessions import tapes

            try:
                self._written.put((study, kept, tapes.write(recording, path)))
            except InputError as error:
                self._tell(f"The tree is not kept in the session. {error}")
            else:
                self.post_message(self.Taped())

        self._writers = [thread for thread in self._writers if thread.is_alive()]
        self._writers.append(threading.Thread(target=write, name="tape", daemon=True))
        self._writers[-1].start()

    def read_tape(self, kept: KeptSearch) -> Recording:
        """Read the tape that a search of the session names. Raises InputError if it cannot be read."""
        from workbench.sessions import tapes

        if self.autosave is None:
            raise InputError("The session has no file yet.")
        return tapes.read(kept, self.autosave.path)

    def on_plybench_app_taped(self) -> None:
        """Store the names of the tapes that have been written with their searches."""
        while not self._written.empty():
            study, kept, name = self._written.get()
            study.attach(kept, name)
            self.save()

    def _save_to(self, session: Session, path: Path) -> None:
        from workbench.sessions.autosave import Autosave

        self.autosave = Autosave(session, path, self._tell)

    def _tell(self, sentence: str) -> None:
        self.post_message(self.Notice(sentence))

    def on_plybench_app_notice(self, event: Notice) -> None:
        """Show the sentence."""
        if event.sentence:
            self.notify(event.sentence, severity="error", timeout=10)

    def open_session(self, path: Path) -> None:
        """Switch to another session. Raises InputError if it cannot be read."""
        from workbench.sessions import store as sessions

        session = sessions.read(path)
        self.close_session()
        self._save_to(session, path)
        self.desk.open(session)

    def open_file(self, path: Path) -> None:
        """Open a session, which is taken in first if it is a portable one, or a tape. An InputError if it cannot be read."""
        from workbench.input import recognise

        found = recognise.own_file(path)
        if found is None:
            raise InputError(f"{path.name} is not a session any more.")
        if found.portable is not None:
            from workbench.portable import handover

            imported = handover.take_in(path)
            self.open_session(imported.file)
            self.notify(imported.sentence, timeout=10)
        elif found.file is not None:
            self.open_session(found.file)
        elif found.session is not None:
            self.close_session()
            self.desk.open(found.session)

    def new_session(self) -> None:
        """Start another session with the position on the board."""
        from workbench.sessions.model import Session

        self.close_session()
        self.desk.open(Session.new(self.desk.title or "untitled", self.desk.position, self.desk.title))

    def close_session(self) -> None:
        """Save what is not saved yet. Raises InputError if that fails; the session then stays open."""
        if self.autosave is not None:
            self.desk.stop()  # the result so far belongs to this session
            for writer in self._writers:
                writer.join(TAPE_SECONDS)
            self.on_plybench_app_taped()
            self.autosave.close()
            self.autosave = None

    def put_everything_away(self) -> None:
        """Stop all searches and external programs, and save the session: quitting never waits for a search. If saving fails,
        `last_word` says why."""
        if "desk" in self.__dict__:
            from engines.parts.external.uci_process import end_all

            self.desk.close()
            end_all()
            try:
                self.close_session()
            except InputError as error:
                self.last_word = f"The last changes could not be saved. {error}"

    def on_unmount(self) -> None:
        """Stop everything and save when the app ends."""
        self.put_everything_away()


def place_of(screen: Screen[object]) -> str:
    """The id of the place in `workbench.app.actions` that a screen belongs to."""
    place = getattr(screen, "place", EVERYWHERE)
    return place if isinstance(place, str) else EVERYWHERE

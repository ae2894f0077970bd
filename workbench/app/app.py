"""The Textual application class.

Importing this module imports Textual and nothing else that is slow. The first screen is an empty frame; everything that
takes time to import is imported after it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual._node_list import DuplicateIds
from textual.app import ComposeResult, SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.css.query import NoMatches
from textual.events import Event, InputEvent, Key, MouseDown
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import WorkerFailed

from engines.contract import InputError
from workbench.app.keys import Keys, bindings, remapped, spoken
from workbench.app.places import EVERYWHERE
from workbench.app.saving import SavingApp
from workbench.app.themes import DARK, SAFE, SAFE_COLOURS, THEMES

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.terminal_theme import TerminalTheme
    from textual.theme import Theme

    from engines.position import Position
    from workbench.app.pictures.layer import PictureLayer
    from workbench.app.screens.analyse import AnalyseScreen
    from workbench.input.pictured import Drawn
    from workbench.sessions.model import Session
    from workbench.settings import Pictures

SCREENS_BELOW = 1
"""The number of screens below the lowest one a user can see: Textual's default screen, which shows the first frame."""
START_TITLE = "What would you like to do?"


class PlybenchApp(SavingApp):
    """The Plybench application."""

    TITLE = "Plybench"
    CSS_PATH = "styles/app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(EVERYWHERE),
        Binding("f1", "help", "Help", show=False, priority=True),
    ]

    def __init__(
        self,
        position: Position | None = None,
        title: str = "",
        theme: str = DARK.name,
        session: Session | None = None,
        path: Path | None = None,
        goes_on: bool = False,
        starts: bool = False,
        proof: Path | None = None,
        remarks: Sequence[str] = (),
        pictures: Pictures = "off",
        drawn: Drawn | None = None,
    ) -> None:
        """`goes_on`: open the session that was changed last. `starts`: begin with the start page. `proof`: a proof file to
        check and show. `remarks`: notices to show. `pictures`: whether men are shown as real pictures. `drawn`: the search
        of a picture, to be watched."""
        super().__init__(position, title, session, path, goes_on)
        self._proof, self._remarks, self._starts, self._drawn = proof, remarks, starts, drawn
        self._wanted_theme, self._wanted_pictures = theme, pictures
        self.pictures: PictureLayer | None = None
        """The men as pictures; None where the terminal shows none, and until it has said so."""
        self._looks_for_pictures = pictures != "off" and self._listen()
        self.keys = Keys()
        """The keys of all actions; replaced by those of the settings once these are read."""
        self.fault = ""
        """A sentence to print if the app ended because of an error in itself."""

    def compose(self) -> ComposeResult:
        """Yield the frame that is shown before anything else is imported."""
        yield Static(" Plybench", id="first-status")
        with Horizontal():
            for title in (START_TITLE,) if self._starts else ("Position", "Search"):
                box = Static(classes="first-panel")
                box.border_title = title
                yield box

    def on_mount(self) -> None:
        """Draw the first frame, then build the start page or the Analyse screen."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self._wanted_theme
        self.theme_changed_signal.subscribe(self, self._keep_theme)
        self.call_after_refresh(self._begin)

    @property
    def ansi_theme(self) -> TerminalTheme:
        """What the names of the terminal's colours stand for."""
        return SAFE_COLOURS if self.theme == SAFE.name else super().ansi_theme

    def _keep_theme(self, theme: Theme) -> None:
        """Remember the theme that the user has chosen."""
        from workbench.settings import write_theme

        if theme.name == self._wanted_theme:
            return
        self._wanted_theme = theme.name
        try:
            write_theme(theme.name)
        except InputError as error:
            self._tell(f"The theme cannot be remembered. {error}")

    def _begin(self) -> None:
        self._read_keys()
        if self._looks_for_pictures:
            self.call_after_refresh(self._look_for_pictures)
        for remark in self._remarks[:1]:
            self.notify(remark, severity="warning", timeout=10)
        if self._starts:
            self.action_start_page()
            return
        screen = self.to_analyse()
        if self._proof is not None:
            from workbench.app.screens.proof import show_proof

            self.call_after_refresh(show_proof, screen, self._proof)
        if self._drawn is not None:
            self.call_after_refresh(self.watch_drawn, self._drawn)

    def watch_drawn(self, drawn: Drawn) -> None:
        """Watch the search that a picture shows; its position is open."""
        from workbench.app.screens.drawn import show_drawn

        if self.analyse is not None:
            show_drawn(self.analyse, drawn)

    def _listen(self) -> bool:
        """Make ready to hear from the terminal whether it can show pictures."""
        from workbench.app.pictures.start import listen
        from workbench.app.pictures.terminal import may_show_pictures

        return may_show_pictures(self._wanted_pictures) and listen(self, self._wanted_pictures)

    def _look_for_pictures(self) -> None:
        """Find out whether the terminal can show pictures, once there is something to see."""
        from workbench.app.pictures.start import look_for_pictures

        look_for_pictures(self, self._wanted_pictures)

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Draw an update of the screen, with the pictures over it."""
        super()._display(screen, renderable if self.pictures is None else self.pictures.over(screen, renderable))

    def action_start_page(self) -> None:
        """Open the start page."""
        from workbench.app.screens.start import StartScreen

        if not isinstance(self.screen, StartScreen):
            self.push_screen(StartScreen())

    @property
    def analyse(self) -> AnalyseScreen | None:
        """The Analyse screen, which lies below all others; None as long as only the start page has been there."""
        from workbench.app.screens.analyse import AnalyseScreen

        return next((screen for screen in self.screen_stack if isinstance(screen, AnalyseScreen)), None)

    def to_analyse(self) -> AnalyseScreen:
        """Close whatever lies on the Analyse screen, and return it. The first call builds it."""
        from workbench.app.screens.analyse import AnalyseScreen

        there = self.analyse
        if there is not None:
            while self.screen is not there:
                self.pop_screen()
            return there
        self.desk.changed = self.save
        self.desk.recorded, self.desk.read_tape = self.keep_tape, self.read_tape
        screen = AnalyseScreen(self.desk)
        if len(self.screen_stack) > SCREENS_BELOW:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)
        return screen

    def _read_keys(self) -> None:
        """Read the keys that the settings give to actions. If something is wrong with them, keep the default keys and say
        so."""
        from workbench.settings import read_keys

        try:
            self.keys = remapped(read_keys())
        except InputError as error:
            self._tell(f"{error} So all keys in the settings are ignored.")
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

    def on_unmount(self) -> None:
        """Stop everything and save when the app ends."""
        self.put_everything_away()


def place_of(screen: Screen[object]) -> str:
    """The id of the place in `workbench.app.actions` that a screen belongs to."""
    place = getattr(screen, "place", EVERYWHERE)
    return place if isinstance(place, str) else EVERYWHERE

"""The start page: what there is to do, by purpose, with one key for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engines.contract import InputError
from positions import library
from workbench.app.keys import bindings, keys_of, spoken
from workbench.app.places import ANALYSE, COMPARE, HORIZON, MATCH, PLAY, START, TUNE, WATCH
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.options import SafeOptionList
from workbench.comparison.lane_specs import read_lanes
from workbench.play.levels import level
from workbench.render.values import counted
from workbench.sessions import store as sessions
from workbench.start.purposes import GO_ON, PURPOSES, Lead, Purpose, purpose

if TYPE_CHECKING:
    from workbench.app.app import PlybenchApp
    from workbench.app.screens.analyse import AnalyseScreen

PLACES: dict[Lead, str] = {
    "watched": WATCH,
    "compare": COMPARE,
    "horizon": HORIZON,
    "play": PLAY,
    "match": MATCH,
    "tune": TUNE,
}
"""The places whose keys the sentences of a purpose name; Analyse if none is given."""
NORMAL, ROOMY_WIDTH, ROOMY_HEIGHT = 110, 150, 48
"""From the first width on the board stands beside the list; where there is all this room, the list has the sentences too."""
HEADED_HEIGHT = 30
"""From this height on the list has headings."""
TALL = 40
"""From this height on the board stands below the list of a narrow screen."""
KEY_WIDTH = 4
"""Columns of a row before the title."""


class StartScreen(BaseScreen, Screen[None]):
    """A list of purposes, and what the chosen one shows."""

    CSS_PATH = "../styles/start.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NORMAL, "-normal"), (ROOMY_WIDTH, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings(START)
    place = START

    def __init__(self) -> None:
        super().__init__()
        self.last = next((row for row in sessions.listing() if not row.error), None)
        """The session that was changed last and can be opened, if there is one."""
        self.purposes = [one for one in PURPOSES if one.id != GO_ON or self.last is not None]
        self._shape: tuple[bool, bool] | None = None
        """Whether the list has headings, and sentences."""

    @property
    def bench(self) -> PlybenchApp:
        """The app, which holds the sessions and the other screens."""
        from workbench.app.app import PlybenchApp

        assert isinstance(self.app, PlybenchApp)
        return self.app

    def compose(self) -> ComposeResult:
        from workbench.app.app import START_TITLE

        yield Static(Text.assemble((" Plybench  ", "bold"), ("a microscope for game-tree search", "dim")), id="start-status")
        with Horizontal(id="start-body"):
            purposes = SafeOptionList(id="purposes", classes="panel")
            purposes.border_title = START_TITLE
            yield purposes
            with Vertical(id="start-about", classes="panel"):
                yield Static(id="start-words")
                yield Static(id="start-known")
                yield BoardView(
                    next(library.get(one.position) for one in PURPOSES if one.position).position(), id="start-board"
                )
        yield KeysFooter()

    def on_mount(self) -> None:
        """Fill the list and choose its first row."""
        self.query_one(BoardView).can_focus = False
        self.query_one(OptionList).focus()
        self._fill()

    def on_resize(self, event: Resize) -> None:
        """Give the list as much text as there is room for."""
        self._fill()

    # The list.

    def _fill(self) -> None:
        size = self.app.size
        shape = (size.height >= HEADED_HEIGHT, size.width >= ROOMY_WIDTH and size.height >= ROOMY_HEIGHT)
        if shape == self._shape:
            return
        self._shape = shape
        options = self.query_one("#purposes", OptionList)
        chosen = (options.highlighted_option and options.highlighted_option.id) or self.purposes[0].id
        options.clear_options()
        headed, roomy = shape
        group = ""
        for one in self.purposes:
            if headed and one.group != group:
                parted = options.option_count > 0 and not roomy
                options.add_option(Option(Text("\n" * parted + one.group), disabled=True))
            group = one.group
            options.add_option(Option(self._row(one, roomy), id=one.id))
        options.highlighted = options.get_option_index(chosen)

    def _row(self, one: Purpose, roomy: bool) -> Table:
        row = Table.grid(expand=True)
        row.add_column(width=KEY_WIDTH)
        row.add_column(ratio=1)
        row.add_row(Text.assemble((f" {self._key(one)} ", "bold reverse")), Text(one.title, "bold"))
        if roomy:
            row.add_row("", Text(self._sentences(one), "dim"))
        return row

    def _key(self, one: Purpose) -> str:
        return spoken(next(action for action in keys_of(self.app).at(START) if action.id == one.id))

    def _sentences(self, one: Purpose) -> str:
        if one.id == GO_ON and self.last is not None:
            found = self.last
            kept = f"{counted(found.studies, 'position')} and {counted(found.searches, 'search')}"
            return f"{found.name}: {kept}, changed on {found.changed.astimezone():%Y-%m-%d at %H:%M}."
        return keys_of(self.app).said(PLACES.get(one.leads_to, ANALYSE), one.sentences)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what the purpose opens."""
        if event.option_id is not None:
            self._draw(purpose(event.option_id))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go there."""
        if event.option_id is not None:
            self.action_lead(event.option_id)

    def _draw(self, one: Purpose) -> None:
        about, board = self.query_one("#start-about"), self.query_one(BoardView)
        about.border_title = escape(one.title)
        entry = library.get(one.position) if one.position else None
        sentences = [] if self._shape == (True, True) else [self._sentences(one), "\n\n"]
        words = Text().append("".join(sentences))
        if entry is not None:
            used = one.lanes or tuple(filter(None, (one.algorithm,)))
            words.append(entry.title, "bold").append(f"  {', '.join((entry.position().game.title, *used))}", "dim")
        self.query_one("#start-words", Static).update(words)
        self.query_one("#start-known", Static).update(Text(entry.known if entry is not None else "", "dim"))
        board.visible = entry is not None
        if entry is not None:
            board.show(entry.position())

    # Leading on.

    def action_leave(self) -> None:
        """Go back to the screen below; to Analyse if there is none yet."""
        if self.bench.analyse is None:
            self.bench.to_analyse()
        else:
            self.dismiss(None)

    def action_lead(self, id: str) -> None:
        """Go where a purpose leads."""
        one = purpose(id)
        if one not in self.purposes:
            self.notify("No session is saved yet: the first search or move begins one.")
            return
        try:
            self._open(one)
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return
        analyse = self.bench.to_analyse()
        analyse.at = None
        go_on_from(analyse, one)

    def _open(self, one: Purpose) -> None:
        """Begin a session with the position of the purpose, or open the session that was changed last."""
        bench = self.bench
        if one.position:
            entry = library.get(one.position)
            bench.begin_session(entry.position(), entry.title)
            if one.algorithm:
                limit = one.limit or bench.desk.limit_for(one.algorithm)
                bench.desk.choose(one.algorithm, one.parameters, limit)
        elif one.id == GO_ON and self.last is not None:
            bench.desk.stop()  # the desk of an app that has just begun opens the last session by itself
            if not bench.has_open(self.last.path):
                bench.open_session(self.last.path)


def go_on_from(analyse: AnalyseScreen, one: Purpose) -> None:
    """Open what a purpose leads to beyond the Analyse screen."""
    opened: dict[Lead, Callable[[], None]] = {
        "watched": lambda: analyse.record(analyse.desk.limit.depth or 1, watches=True),
        "compare": lambda: compare(analyse, one),
        "horizon": analyse.action_horizon,
        "play": lambda: play(analyse, one),
        "match": analyse.action_match,
        "tune": analyse.action_tune,
        "open": analyse.action_open,
        "sessions": analyse.action_sessions,
    }
    if one.leads_to in opened:
        analyse.try_to(opened[one.leads_to])


def compare(analyse: AnalyseScreen, one: Purpose) -> None:
    """Open the Compare screen with the lanes of a purpose."""
    from workbench.app.screens.compare import CompareScreen

    game = analyse.desk.position.game.id
    analyse.app.push_screen(CompareScreen(analyse.desk, read_lanes(",".join(one.lanes), (), game)[0]))


def play(analyse: AnalyseScreen, one: Purpose) -> None:
    """Begin a game in which the user moves first, against a level."""
    from workbench.app.dialogs.new_game import NewGame
    from workbench.app.screens.play import begin

    position = analyse.desk.position
    begin(analyse.desk, NewGame(position, (None, level(position.game, one.level)), None))
    analyse.action_play()

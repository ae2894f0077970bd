"""The Analyse screen: a board, a search of its position, and the results of the search as they come in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Click, Resize
from textual.screen import Screen
from textual.widgets import Static

from engines.contract import MAX_DEPTH, InputError, Limit, shown
from workbench.analysis.board_marks import OVERLAYS, Overlay
from workbench.analysis.desk import Desk
from workbench.analysis.game_text import continuation
from workbench.app.dialogs.algorithm import AlgorithmDialog, ChosenAlgorithm
from workbench.app.dialogs.help import CardDialog
from workbench.app.dialogs.iteration import IterationDialog
from workbench.app.dialogs.open import OpenDialog, OpenedPosition
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.keys import bindings
from workbench.app.places import ANALYSE
from workbench.app.screens.analyse_parts.layout import (
    LARGE_HEIGHT,
    LARGE_WIDTH,
    LOW_HEIGHT,
    TALL_HEIGHT,
    Arrangement,
    Layout,
    fitting_layout,
)
from workbench.app.screens.analyse_parts.panels import PanelDrawing
from workbench.app.screens.analyse_parts.recordings import RecordingKeysScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.depth_rows import DepthRows
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.render.report_text import how_it_ended
from workbench.sessions.model import Path

if TYPE_CHECKING:
    from workbench.app.screens.horizon import ChosenExample

HERTZ = 20


class AnalyseScreen(RecordingKeysScreen):
    """The screen for one position and one search of it."""

    CSS_PATH = "../styles/analyse.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(ANALYSE)
    place = ANALYSE

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.flipped = False
        self.overlay: Overlay = "most"
        """Which root moves the board marks."""
        self.sums = False
        """Whether the counters are those of all depths together, not of one alone."""
        self.drawing = PanelDrawing(self)
        self._layout: Layout = "full"
        self._settled = True
        self.drawn = 0
        """How many times the screen was drawn; benchmarks read it."""

    # Layout.

    def compose(self) -> ComposeResult:
        self._layout = fitting_layout(self.app.size)
        hint = self.with_keys("{line_forward} and {line_back} walk it")
        yield Static(id="status")
        yield from Arrangement(self._layout, self.desk.position, self.flipped, hint).widgets()
        yield Static(id="compiling")
        yield KeysFooter(show_command_palette=self._layout != "narrow")

    async def on_mount(self) -> None:
        """Build the panels and start polling the search, twenty times a second."""
        await self._choose_layout()
        self.query_one(BoardView).focus()
        self.set_interval(1 / HERTZ, self.tick)

    async def on_resize(self, event: Resize) -> None:
        """Switch to another layout if the new size calls for it."""
        await self._choose_layout()

    async def _choose_layout(self) -> None:
        if fitting_layout(self.app.size) != self._layout:
            self._settled = False  # the timer runs in a task of its own and skips ticks until the layout is rebuilt
            await self.recompose()
            self._settled = True
            self.drawing.forget()
            for board in self.query(BoardView):  # there is none if the app is ending
                board.focus()
        height = self.app.size.height
        self.set_class(height < LOW_HEIGHT, "low")
        self.set_class(height >= TALL_HEIGHT, "tall")
        self.set_class(height >= LARGE_HEIGHT and self.app.size.width >= LARGE_WIDTH, "large")

    # Polling.

    def tick(self) -> None:
        """Poll the search and draw what has changed."""
        try:
            view = self.desk.look()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return
        if not self.is_current or not self._settled:
            return
        self.drawing.draw(view)
        self.drawn += 1

    # Searching.

    def action_run(self) -> None:
        """Start, stop or continue the search."""
        self.at = None
        if self.desk.busy:
            self.desk.stop()
        elif self.desk.held:
            self.try_to(self.desk.go_on)
        else:
            self.try_to(self.desk.run)

    def action_deeper(self) -> None:
        """Search one depth further, or show the next depth that was searched."""
        self.at = None
        self.try_to(self.desk.step)

    def action_shallower(self) -> None:
        """Show the depth before the one shown."""
        self.at = None
        if not self.desk.beliefs:
            self.hint_at("Nothing has been searched yet. {deeper} searches one depth, {run} to the limit.")
        elif self.desk.busy:
            self.hint_at("A search runs. {hold} finishes its depth and waits, {run} stops it; then {shallower} looks back.")
        self.desk.step_back()

    def action_run_to(self) -> None:
        """Ask for a depth, and search to it."""
        if self.desk.iterates:
            so_far = f"{self.desk.iterations:,} are known; it goes on with the same tree."
            more = str(max(1000, 2 * self.desk.iterations))
            asked = "Sample to how many iterations?" if self.desk.samples else "Go on to how many expansions?"
            self.app.push_screen(TypedDialog(asked, so_far, more), self._run_to)
            return
        known = max(self.desk.beliefs, default=0)
        so_far = f"Depth {known} is known; it goes on from there." if known else "It goes depth by depth, and waits there."
        self.app.push_screen(TypedDialog("Search to which depth?", so_far, str(known + 2)), self._run_to)

    def _run_to(self, text: str | None) -> None:
        if text is None:
            return
        self.at = None
        if self.desk.iterates:
            self._sample_to(text)
            return
        if not text.isdecimal() or not 1 <= int(text) <= MAX_DEPTH:
            self.notify(
                f"A depth is a whole number from 1 to {MAX_DEPTH}, not {shown(text)}.", severity="warning", timeout=8
            )
            return
        self.try_to(lambda: self.desk.run_to(int(text)))

    def _sample_to(self, text: str) -> None:
        number = text.replace(",", "").replace("_", "").strip()
        if not number.isdecimal() or len(number) > 15 or int(number) < 1:
            self.notify(f"Iterations are a whole number of at least 1, not {shown(text)}.", severity="warning", timeout=8)
            return
        self.try_to(lambda: self.desk.run_to_iterations(int(number)))

    def action_iteration(self) -> None:
        """Open the dialog that shows the next iteration of a Monte Carlo search."""
        self.at = None
        self.try_to(lambda: self.app.push_screen(IterationDialog(self.desk, self.desk.watch())))

    def action_hold(self) -> None:
        """Hold the search after the current depth, or continue a search on hold."""
        self.at = None
        self.try_to(self.desk.go_on if self.desk.held or self.desk.holding else self.desk.hold)

    def on_depth_rows_took(self, message: DepthRows.Took) -> None:
        """Show the depth whose row was clicked."""
        if self.desk.busy:
            self.hint_at("A search runs. {hold} finishes its depth and waits, {run} stops it; then a click shows a depth.")
        else:
            self.at = None
            self.desk.show(message.depth)

    @on(Click, "#counters")
    def action_sums(self) -> None:
        """Switch between the counters of one depth and those of all depths together."""
        if self.desk.iterates:
            self.hint_at("A growing tree is always counted from its beginning.")
        else:
            self.sums = not self.sums

    # The board.

    def action_flip(self) -> None:
        """Turn the board around."""
        self.flipped = not self.flipped

    def action_root_moves(self) -> None:
        """Mark the next choice of root moves on the board."""
        names = list(OVERLAYS)
        self.overlay = names[(names.index(self.overlay) + 1) % len(names)]

    # Dialogs.

    def action_algorithm(self) -> None:
        """Open the dialog for choosing the algorithm."""
        self.app.push_screen(AlgorithmDialog(self.desk), self._chosen)

    def _chosen(self, chosen: ChosenAlgorithm | None) -> None:
        if chosen is not None:
            self.at = None
            self.try_to(lambda: self.desk.choose(chosen.algorithm, chosen.parameters, chosen.limit))

    def action_open(self) -> None:
        """Open the dialog for opening a position."""
        self.app.push_screen(OpenDialog(self.desk.position), self._opened)

    def action_edit(self) -> None:
        """Open the dialog for setting up a position."""
        from workbench.app.dialogs.setup import setup_dialog

        self.app.push_screen(setup_dialog(self.here), self._opened)

    def _opened(self, opened: OpenedPosition | None) -> None:
        if opened is not None and opened.own is not None:
            self._open_own(opened)
        elif opened is not None:
            self.at = None
            self.desk.load(opened.position, opened.title, opened.study)
            for remark in opened.remarks[:1]:
                self.notify(remark, severity="warning", timeout=10)
            if self.desk.fit_remark:
                self.hint_at(f"{self.desk.fit_remark} {{algorithm}} chooses another.")
            if opened.proof is not None:
                from workbench.app.screens.proof import show_proof

                show_proof(self, opened.proof)
            if opened.drawn is not None:
                from workbench.app.screens.drawn import show_drawn

                show_drawn(self, opened.drawn)

    def _open_own(self, opened: OpenedPosition) -> None:
        """Open a session or a tape in the place of the session that is open."""
        from workbench.app.app import PlybenchApp

        self.at = None
        app, path = self.app, opened.own
        assert isinstance(app, PlybenchApp)
        assert path is not None
        self.try_to(lambda: app.open_file(path))

    def action_note(self) -> None:
        """Edit the note on the position."""
        note = self.desk.session.study.note_here
        self.app.push_screen(
            TypedDialog("A note on this position", "It goes into the session and its reports.", note), self._noted
        )

    def _noted(self, text: str | None) -> None:
        if text is not None:
            self.desk.write_note(text)

    def action_sessions(self) -> None:
        """Open the dialog that manages sessions."""
        from workbench.app.dialogs.sessions import SessionsDialog

        self.at = None
        self.app.push_screen(SessionsDialog())

    def action_proof(self) -> None:
        """Write out what the search has proven, check it, and show it as a tree."""
        self.at = None
        if self.desk.busy:
            self.hint_at("The search still runs; {run} stops it.")
        elif self.desk.report is None or (self.desk.report.outcome is None and not self.desk.report.exact):
            self.hint_at("Nothing is proven here yet. {algorithm} offers dfpn, which proves who wins.")
        else:
            from workbench.app.screens.proof import show_proof

            self.try_to(lambda: show_proof(self, self.desk.proof_work()))

    def action_compare(self) -> None:
        """Open the Compare screen."""
        from workbench.app.screens.compare import CompareScreen

        self.at = None
        self.desk.stop()

        def open_it() -> None:
            self.app.push_screen(CompareScreen(self.desk))

        if self.desk.position.is_over:
            self.hint_at("The game is over; {take_back} takes the last move back.")
        else:
            self.try_to(open_it)

    def action_match(self) -> None:
        """Open the Match screen."""
        from workbench.app.screens.match import MatchScreen

        self._open_long_work(MatchScreen)

    def action_tune(self) -> None:
        """Open the Tune screen."""
        from workbench.app.screens.tune import TuneScreen

        self._open_long_work(TuneScreen)

    def _open_long_work(self, kind: Callable[[Desk], Screen[None]]) -> None:
        self.desk.stop()
        try:
            self.app.push_screen(kind(self.desk))
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=8)

    def action_horizon(self) -> None:
        """Open the Horizon screen."""
        from workbench.app.screens.horizon import HorizonScreen

        self.desk.stop()
        self.app.push_screen(HorizonScreen(self.desk.position, self.desk.title), self._fooled)

    def _fooled(self, taken: ChosenExample | None) -> None:
        """Analyse an example of the horizon effect with the search that misjudges it."""
        if taken is not None:
            self.at = None
            self.desk.load(taken.position, taken.title)
            self.try_to(lambda: self.desk.choose(taken.algorithm, taken.parameters, Limit(depth=taken.depth)))

    def action_play(self) -> None:
        """Continue the game being played in this study, or start one."""
        from workbench.app.dialogs.new_game import NewGame, NewGameDialog
        from workbench.app.screens.play import begin, goes_on

        self.at = None
        self.desk.stop()

        def chosen(new: NewGame | None) -> None:
            if new is not None:
                self.try_to(lambda: begin(self.desk, new))
                self.try_to(self._open_game)

        if goes_on(self.desk):
            self.try_to(self._open_game)
        else:
            record = self.desk.session.study.record
            self.app.push_screen(NewGameDialog(self.desk.position, record.players if record else None), chosen)

    def _open_game(self) -> None:
        from workbench.app.screens.play import PlayScreen

        self.app.push_screen(PlayScreen(self.desk), self._reviewed)

    def action_review(self) -> None:
        """Review the game on the board, to the end of its line."""
        from workbench.app.screens.review import ReviewScreen

        self.at = None
        self.desk.stop()
        study = self.desk.session.study
        end = study.position_at((*study.path, *continuation(study)))
        ending = study.record.ending if study.record else ""
        self.try_to(lambda: self.app.push_screen(ReviewScreen(end, ending or how_it_ended(end)), self._reviewed))

    def _reviewed(self, place: Path | None) -> None:
        """Go to the position that the user chose in the review."""
        if place is not None:
            self.at = None
            self.try_to(lambda: self.desk.go(place))

    def action_card(self) -> None:
        """Show the card of the algorithm."""
        self.app.push_screen(CardDialog(self.desk.algorithm))

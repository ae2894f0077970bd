"""The Watch screen: a search event by event. It has the tree as it is drawn on a blackboard, the algorithm with its present
step and its variables, and a sentence that says what happens here and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from engines import catalog
from engines.contract import InputError, Report
from engines.tape.recording import Recording
from workbench.analysis.board_marks import Marks, last_squares
from workbench.app.dialogs.algorithm import AlgorithmDialog, ChosenAlgorithm
from workbench.app.dialogs.help import CardDialog
from workbench.app.dialogs.picture import draw_into_file
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.dialogs.waiting import WaitingDialog
from workbench.app.keys import bindings
from workbench.app.places import WATCH
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.recorded.drawn_tree import DrawnTree
from workbench.app.widgets.recorded.timeline import Timeline
from workbench.drawing.scenes.subject import of_moment
from workbench.sessions.text import settings_text
from workbench.watch import panels
from workbench.watch.record import BesideWork, SecondChoice, TraceWork
from workbench.watch.replay import Alone, Replay, WatchedSearch
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.trace import Node, Trace

HERTZ = 20
WIDE, TALL = 110, 36
ROOMY, VAST = 150, 200
"""From so many columns on the lines of a card have more room."""
PAGE = 10
"""A page is the tenth part of a search."""


def open_watch(screen: Screen[Any], report: Report, recording: Recording | None = None, node: int | None = None) -> None:
    """Watch a search from a screen on. A dialog waits while its events are read, or while a search that counts iterations is
    carried out once more."""

    def show(trace: Trace) -> None:
        screen.app.push_screen(WatchScreen(trace, report, recording, node))

    wait_for_trace(screen, "Watch", TraceWork(report, recording), show)


def wait_for_trace(screen: Screen[Any], title: str, work: TraceWork, use: Callable[[Trace], None]) -> None:
    """Wait for a trace in a dialog, which can be left, and then use it; or say why there is none."""
    work.start()

    def ended(well: bool | None) -> None:
        if not well:
            work.stop()
            screen.notify("Given up.")
            return
        try:
            trace = work.trace()
        except InputError as error:
            screen.notify(str(error), severity="warning", timeout=8, markup=False)
            return
        use(trace)

    screen.app.push_screen(WaitingDialog(title, work), ended)


def name_of(report: Report) -> str:
    """What a search is called: its algorithm, and the parameters that are not the usual ones."""
    return " ".join(filter(None, (report.algorithm, settings_text(report))))


def _told_by(nodes: frozenset[Node] | None) -> Callable[[Node], bool] | None:
    return None if nodes is None else nodes.__contains__


class WatchScreen(BaseScreen, Screen[None]):
    """A recorded search that is stepped through."""

    CSS_PATH = "../styles/watch.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings(WATCH)
    place = WATCH

    def __init__(self, trace: Trace, report: Report, recording: Recording | None = None, node: int | None = None) -> None:
        """`recording`: the one that the trace was read off, if it was. `node`: where to begin; before the first event if it
        is None."""
        super().__init__()
        self.report, self.recording = report, recording
        algorithm = catalog.algorithm(report.algorithm)
        self.replay = Replay(WatchedSearch(name_of(report), algorithm, trace))
        self.start = trace.position(trace.moment(0).here)
        """The position that is searched."""
        if node is not None:
            self.replay.go_to_node(node)

    def compose(self) -> ComposeResult:
        yield Static(id="watch-status")
        with Horizontal(id="watch-body"):
            with Vertical(id="watch-trees"):
                yield DrawnTree(id="watch-tree")
                yield DrawnTree(id="watch-second")
                yield Static(id="watch-marks")
            with Vertical(id="watch-side"):
                with VerticalScroll(id="watch-here", can_focus=False):
                    yield Static(id="watch-sentence")
                    yield Static(id="watch-variables")
                yield Static(id="watch-steps")
                board = BoardView(self.start, id="watch-board")
                board.can_focus = False
                yield board
        yield Timeline(self.replay.length + 1, "event", id="watch-timeline")
        yield KeysFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Name the panels, and draw the first moment."""
        self.query_one("#watch-here").border_title = "What happens"
        self.query_one("#watch-steps").border_title = self.replay.first.algorithm.name
        self.set_class(self.start.game.is_tree, "-boardless")
        self._fit()
        self.query_one("#watch-second").display = False
        self.set_interval(1 / HERTZ, self._tick)
        if notice := self.replay.first.trace.notice:
            self.notify(notice, timeout=10, markup=False)
        self.call_after_refresh(self.draw)

    # Drawing.

    def draw(self) -> None:
        """Draw the present moment."""
        if not self.is_mounted:
            return
        replay, moment = self.replay, self.replay.moment()
        second, alone = replay.second_moment(), replay.alone or Alone(None, None)
        first_tree, second_tree = self.query_one("#watch-tree", DrawnTree), self.query_one("#watch-second", DrawnTree)
        first_tree.border_title = replay.first.name
        first_tree.show(replay.first.trace, moment, _told_by(alone.first))
        second_tree.display = second is not None
        self.set_class(second is not None, "-beside")
        if replay.second is not None and second is not None:
            second_tree.border_title = replay.second.name
            second_tree.show(replay.second.trace, second, _told_by(alone.second))
        self.query_one("#watch-status", Static).update(panels.status_line(replay, moment, second, self._what()))
        notice = replay.first.trace.notice if moment.at == replay.length else ""
        self.query_one("#watch-sentence", Static).update(Text(" ".join(filter(None, (moment.sentence(), notice)))))
        here = self.query_one("#watch-variables", Static)
        here.update(panels.variables_panel(moment, max(here.content_size.width, 20)))
        steps = self.query_one("#watch-steps", Static)
        room = steps.content_size
        if room.width:
            steps.update(panels.steps_panel(replay.first.algorithm, moment, room.width, room.height))
        marks = self.query_one("#watch-marks", Static)
        marks.update(panels.marks_panel(replay, max(marks.content_size.width, 20)))
        board = self.query_one(BoardView)
        if board.display:
            position = replay.first.trace.position(moment.here)
            board.show(position, marks=Marks(last=last_squares(position)))
        self.query_one(Timeline).show(moment.at)

    def _what(self) -> str:
        """The position that is searched, in a word or two."""
        game, by_depth = self.start.game, not self.replay.first.algorithm.iterates
        searched = f", depth {self.report.depth}" if self.report.depth and by_depth else ""
        return f"on {' '.join(filter(None, (game.title, game.size)))}{searched}"

    def on_resize(self) -> None:
        """Draw what there is room for now."""
        self._fit()
        self.call_after_refresh(self.draw)

    def _fit(self) -> None:
        self.set_class(ROOMY <= self.app.size.width < VAST, "-roomy")
        self.set_class(self.app.size.width >= VAST, "-vast")

    def _tick(self) -> None:
        if not self.is_current:
            return
        was_playing = self.replay.playing
        if self.replay.tick(1 / HERTZ) or was_playing != self.replay.playing:
            self.draw()

    def show_node(self, node: Node) -> None:
        """Go to where the search comes to a node."""
        if problem := self.replay.go_to_node(node):
            self.notify(problem)
        self.draw()

    # Actions.

    def action_run(self) -> None:
        """Play, or stop."""
        self.replay.toggle()
        self.draw()

    def action_step(self, events: int) -> None:
        """Go on or back by some events."""
        self.replay.playing = False
        self.replay.step(events)
        self.draw()

    def action_jump(self, step: int) -> None:
        """Go to the next cut, or to the one before."""
        self.replay.playing = False
        if problem := self.replay.jump(step):
            self.notify(problem)
        self.draw()

    def action_page(self, step: int) -> None:
        """A tenth of the search on or back."""
        self.action_step(step * max(1, self.replay.length // PAGE))

    def action_first(self) -> None:
        """Before the first event."""
        self.action_step(-self.replay.length)

    def action_final(self) -> None:
        """To the last event."""
        self.action_step(self.replay.length)

    def action_speed(self, step: int) -> None:
        """Play faster or slower."""
        self.replay.faster(step)
        self.draw()

    def action_ask(self) -> None:
        """Ask for the number of an event."""

        def go(text: str | None) -> None:
            if not text:
                return
            number = text.replace(",", "").strip()
            if not number.isdecimal():
                self.notify("Type the number of an event, such as 17.", severity="warning")
                return
            self.replay.go_to(int(number))
            self.draw()

        hint = f"Events are numbered from 1 to {self.replay.length:,}."
        self.app.push_screen(TypedDialog("Go to which event?", hint), go)

    def action_tree(self) -> None:
        """Show this node in the tree that folds."""
        from workbench.app.screens.tree import TreeScreen

        if self.recording is None:
            self.notify("This search is not recorded; the tree is opened from Analyse.")
            return
        below = [screen for screen in self.app.screen_stack if isinstance(screen, TreeScreen)]
        node = self.replay.moment().here if isinstance(self.replay.first.trace, TapeTrace) else None
        if below and below[-1].recording is self.recording:
            self.dismiss()
            if node is not None:
                below[-1].tape.go_to(node)
        else:
            self.app.push_screen(TreeScreen(self.recording, node=node))

    def action_write(self) -> None:
        """Draw the search at this event into a file."""
        first = self.replay.first
        at = self.replay.moment().at
        draw_into_file(self, first.name, of_moment(first.trace, self.report, self.start, at))

    def action_card(self) -> None:
        """Explain the algorithm."""
        self.app.push_screen(CardDialog(self.replay.first.algorithm.id))

    def action_panel(self) -> None:
        """On a small screen, show the steps or the board."""
        self.toggle_class("-board")
        self.call_after_refresh(self.draw)

    def action_leave(self) -> None:
        """Go back to the screen below."""
        self.dismiss()

    def on_drawn_tree_clicked(self, message: DrawnTree.Clicked) -> None:
        """Go to where the search comes to the node that was clicked."""
        if message.tree.id != "watch-tree":
            return
        self.replay.playing = False
        self.show_node(message.node)

    def on_timeline_sought(self, message: Timeline.Sought) -> None:
        """Go to the event at the clicked place of the slider."""
        self.replay.playing = False
        self.replay.go_to(message.node)
        self.draw()

    # A second search.

    def action_add(self) -> None:
        """Ask which search to watch beside this one."""

        def chosen(found: ChosenAlgorithm | None) -> None:
            if found is None:
                return
            algorithm, depth = catalog.algorithm(found.algorithm), self.replay.first.trace.depth
            work = BesideWork(self.start, algorithm, found.parameters, self.report, depth)

            def take(trace: Trace) -> None:
                self._take_second(WatchedSearch(name_of(work.report), algorithm, trace))

            wait_for_trace(self, "A second search", work, take)

        self.app.push_screen(AlgorithmDialog(SecondChoice(self.start, self.report)), chosen)

    def _take_second(self, watched: WatchedSearch) -> None:
        if self.is_mounted:
            self.replay.second = watched
            self.replay.alone = Alone.of(self.replay.first.trace, watched.trace)
            self.draw()
            self.call_after_refresh(self.draw)

    def action_remove(self) -> None:
        """Take the second search away."""
        self.replay.second = self.replay.alone = None
        self.draw()
        self.call_after_refresh(self.draw)

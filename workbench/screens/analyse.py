"""The Analyse screen: a board, a search on it, and everything it finds, live."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import ClassVar, Literal

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import Digits, Footer, Static, TabbedContent, TabPane
from textual_plot import HiResMode, PlotWidget

from engines.contract import Glance, InputError
from engines.game import Position, Square
from engines.recording import Recording
from workbench import panels
from workbench.actions import ANALYSE
from workbench.desk import Desk
from workbench.dialogs.algorithm import AlgorithmDialog, Chosen
from workbench.dialogs.choice import ChoiceDialog
from workbench.dialogs.help import CardDialog
from workbench.dialogs.open import OpenDialog, Opened
from workbench.dialogs.typed import TypedDialog
from workbench.keys import bindings, keys_of
from workbench.session import Kept
from workbench.widgets.board import BoardView, Marks

HERTZ = 20
NORMAL_WIDTH, WIDE_WIDTH = 110, 150
LOW_HEIGHT, TALL_HEIGHT = 30, 42
"""Below the first there is no room for the evaluation under the board, from the second on the board has all it can use."""
SETTLING = 6
"""So many times it is drawn after the last change: a panel that has just come to light has its size a moment later."""
NOTED_MOVES = 8
"""So many root moves have their share written on the board."""
RECORDED_DEPTH = 4
"""The tree is recorded to this depth if nothing has been searched yet."""

Layout = Literal["narrow", "normal", "wide"]
TITLES = {
    "line": "Principal variation",
    "moves": "Root moves",
    "depths": "Depths",
    "evaluation": "Evaluation",
    "values": "Value by depth",
    "nodes": "Nodes by depth",
    "table": "Transposition table",
}
SUBTITLES = {"moves": "value, share of nodes", "nodes": "powers of ten", "table": "by depth"}


class Plot(PlotWidget):
    """A plot that is only looked at: a wheel turned over it does not zoom, for no key would bring the whole back."""

    can_focus = False


class AnalyseScreen(Screen[None]):
    """One position, one search."""

    CSS_PATH = "../styles/analyse.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(ANALYSE)
    place = ANALYSE

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.at: int | None = None
        """How far along the principal variation the board stands; None: not on it."""
        self.flipped = False
        self._layout: Layout = "wide"
        self._drawn: dict[str, Hashable] = {}
        self._open_tree = False
        self._settled = True
        self._last: Hashable = None
        self._still = 0
        self.drawn = 0
        """How many times it was drawn; benchmarks count it."""

    # What it is made of.

    def compose(self) -> ComposeResult:
        yield Static(id="status")
        with Horizontal(id="body", classes=self._layout):
            if self._layout == "wide":
                yield from self._wide()
            else:
                yield from self._small()
        yield Static(id="compiling")
        yield Footer(show_command_palette=self._layout != "narrow")

    def _wide(self) -> ComposeResult:
        with Vertical(id="left"):
            yield self._board()
            yield panel("evaluation")
        with Vertical(id="middle"):
            yield from self._search()
            yield self._line()
            yield panel("moves")
            yield panel("table")
        with Vertical(id="right"):
            yield panel("depths")
            yield plot_panel("values")
            yield plot_panel("nodes")

    def _small(self) -> ComposeResult:
        with Vertical(id="left"):
            yield self._board()
            if self._layout == "normal":
                yield panel("evaluation")
        with Vertical(id="middle"):
            yield from self._search()
            with TabbedContent(id="tabs"):
                with TabPane("Moves", id="tab-moves"):
                    yield self._line()
                    yield panel("moves")
                with TabPane("Depths", id="tab-depths"):
                    yield panel("depths")
                if self._layout == "narrow":
                    with TabPane("Eval", id="tab-evaluation"):
                        yield panel("evaluation")
                with TabPane("Plots", id="tab-plots"):
                    yield plot_panel("values")
                    yield plot_panel("nodes")
                with TabPane("Table", id="tab-table"):
                    yield panel("table")

    def _board(self) -> Vertical:
        board = BoardView(self.desk.position, id="board")
        board.flipped = self.flipped
        box = Vertical(board, id="position", classes="panel")
        box.border_title = "Position"
        return box

    def _line(self) -> Static:
        box = panel("line")
        box.border_subtitle = escape(self.with_keys("{line_forward} and {line_back} walk it"))
        return box

    def _search(self) -> ComposeResult:
        box = Vertical(
            Horizontal(Digits("", id="value"), Static(id="belief"), id="headline"),
            Static(id="counters"),
            id="search",
            classes="panel",
        )
        box.border_title = "Search"
        yield box

    async def on_mount(self) -> None:
        """Begin to look, twenty times a second."""
        await self._choose_layout()
        self.query_one(BoardView).focus()
        self.set_interval(1 / HERTZ, self.tick)

    async def on_resize(self, event: Resize) -> None:
        """Another size may need another layout."""
        await self._choose_layout()

    async def _choose_layout(self) -> None:
        width = self.app.size.width
        wanted: Layout = "narrow" if width < NORMAL_WIDTH else "normal" if width < WIDE_WIDTH else "wide"
        if wanted != self._layout:
            self._layout = wanted
            self._settled = False  # the clock runs in a task of its own
            await self.recompose()
            self._settled = True
            self._drawn.clear()
            self.query_one(BoardView).focus()
        self.set_class(self.app.size.height < LOW_HEIGHT, "low")
        self.set_class(self.app.size.height >= TALL_HEIGHT, "tall")

    # Looking.

    def tick(self) -> None:
        """Look at the search and draw what has changed."""
        try:
            glance = self.desk.look()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return
        if not self.is_current or not self._settled:
            return
        seen: Hashable = (id(self.desk.position), len(self.desk.beliefs), self.desk.shown, id(self.desk.report), self.at)
        if not self._is_still(seen):
            self._draw("status", panels.status_text(self.desk, glance))
            self._draw_compiling()
            self._draw_search(glance)
            if self._is_new("board", (seen, self.flipped)):
                self._draw_board()
            self._draw_panels(seen)
            self._draw_plots(seen)
        self.drawn += 1
        if self._open_tree and not self.desk.busy:
            self._open_tree = False
            self._show_tree()

    def _is_still(self, seen: Hashable) -> bool:
        """Nothing has happened for a while: an app that is only looked at uses no processor."""
        tabs = tuple(tabs.active for tabs in self.query(TabbedContent))
        desk = self.desk
        now = (seen, self.flipped, self.size, tabs, desk.algorithm, desk.limit, desk.session.study.note_here, desk.title)
        self._still = self._still + 1 if now == self._last and not desk.busy else 0
        self._last = now
        return self._still > SETTLING

    def _is_new(self, what: str, seen: Hashable) -> bool:
        if self._drawn.get(what) == seen:
            return False
        self._drawn[what] = seen
        return True

    def _draw(self, id: str, text: Text) -> None:
        for widget in self.query(f"#{id}").results(Static):
            if self._is_new(id, (text.markup, widget.size)):
                widget.update(text)

    def _draw_compiling(self) -> None:
        compiling = self.desk.compiling
        line = self.query_one("#compiling", Static)
        line.display = compiling is not None
        if compiling is not None:
            self._draw("compiling", panels.compiling_text(compiling, self.size.width))

    def _draw_search(self, glance: Glance | None) -> None:
        desk, belief = self.desk, self.desk.belief
        value = belief.row.value if belief else None
        if belief is None and desk.report is not None:
            value = desk.report.value
        digits = self.query_one("#value", Digits)
        shown = panels.big_value(value, desk.position.game)
        if self._is_new("value", shown):
            digits.update(shown)
            digits.set_class((value or 0) > 0, "good")
            digits.set_class((value or 0) < 0, "bad")
        self._draw("belief", panels.beliefs_text(desk, self.with_keys("{run}"), self.with_keys("{take_back}")))
        counters = self.query_one("#counters", Static)
        room = counters.content_size
        if room.width:
            cells = panels.counter_cells(glance, desk)
            self._draw("counters", panels.counters_text(cells, room.width, room.height) if cells else Text(""))

    def _draw_board(self) -> None:
        desk, belief, board = self.desk, self.desk.belief, self.query_one(BoardView)
        board.flipped = self.flipped
        if self.at is not None and belief is not None:
            here = along(desk.position, belief.row.pv[: self.at])
            board.show(here, marks=Marks(last=last_squares(here)))
        else:
            board.show(desk.position, marks=marks_of(desk))
        board.refresh()
        box = self.query_one("#position")
        box.border_subtitle = f"after {self.at} of the line" if self.at is not None else marked_text(desk)

    def _draw_panels(self, seen: Hashable) -> None:
        desk = self.desk
        for name in ("line", "moves", "depths", "evaluation", "table"):
            for widget in self.query(f"#{name}").results(Static):
                room = widget.content_size
                if not room.width or not self._is_new(f"panel-{name}", (seen, room)):
                    continue
                if name == "line":
                    text = panels.line_panel(desk, self.at)
                    if desk.belief is not None:
                        text.append("\n")
                        text.append_text(panels.leaf_text(desk.position, desk.belief.row.pv, self.at))
                elif name == "moves":
                    text = panels.moves_panel(desk, room.width, room.height)
                elif name == "depths":
                    text = panels.depths_panel(desk, room.height)
                elif name == "evaluation":
                    here = self._here()
                    text = panels.evaluation_panel(here.game.evaluation(here.state), here.game, room.width)
                else:
                    text = panels.table_panel(desk, room.width, room.height)
                widget.update(text)

    def _here(self) -> Position:
        """The position on the board: the one that is analysed, or one on its line."""
        belief = self.desk.belief
        return along(self.desk.position, belief.row.pv[: self.at]) if self.at is not None and belief else self.desk.position

    def _draw_plots(self, seen: Hashable) -> None:
        rows = [self.desk.beliefs[depth].row for depth in sorted(self.desk.beliefs)]
        for name in ("values", "nodes"):
            for plot in self.query(f"#{name}-plot").results(Plot):
                if not plot.size.width or not self._is_new(f"plot-{name}", (seen, plot.size)):
                    continue
                plot.clear()
                if name == "values":
                    game = self.desk.position.game
                    points = [(row.depth, row.value) for row in rows if not panels.is_win(row.value, game)]
                else:
                    points = [(row.depth, math.log10(max(1, row.nodes))) for row in rows]
                if len(points) < 2:
                    continue
                depths, ys = [float(depth) for depth, _ in points], [y for _, y in points]
                plot.set_xlimits(min(depths), max(depths))
                margin = (max(ys) - min(ys)) * 0.1 or 1.0
                plot.set_ylimits(0.0 if name == "nodes" else min(ys) - margin, max(ys) + margin)
                plot.plot(depths, ys, line_style="green" if name == "values" else "cyan", hires_mode=HiResMode.BRAILLE)

    # Doing.

    def action_run(self) -> None:
        """Start, or stop."""
        self.at = None
        if self.desk.busy:
            self.desk.stop()
        else:
            self._try(self.desk.run)

    def action_deeper(self) -> None:
        """One depth more."""
        self.at = None
        self._try(self.desk.step)

    def action_shallower(self) -> None:
        """One depth back."""
        self.at = None
        if not self.desk.beliefs:
            self._hint_at("Nothing has been searched yet. {deeper} searches one depth, {run} to the limit.")
        self.desk.step_back()

    def _try(self, deed: Callable[[], object]) -> None:
        """Do it, or say why not."""
        try:
            deed()
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=8)

    def with_keys(self, sentence: str) -> str:
        """A sentence with the keys of the actions that it names in braces."""
        return keys_of(self.app).said(ANALYSE, sentence)

    def _hint_at(self, sentence: str) -> None:
        self.notify(self.with_keys(sentence))

    def action_take_back(self) -> None:
        """Back to the position before."""
        self.at = None
        if not self.desk.back():
            self.notify("There is no move to take back.")

    def action_replay(self) -> None:
        """Forward again."""
        self.at = None
        if not self.desk.forward():
            self.notify("Nothing was taken back.")

    def action_flip(self) -> None:
        """Turn the board round."""
        self.flipped = not self.flipped

    def action_line_forward(self) -> None:
        """Along the principal variation."""
        if self.desk.belief is None:
            self._hint_at("There is no line yet. {run} starts the search.")
            return
        self.at = min((self.at or 0) + 1, len(self.desk.belief.row.pv))

    def action_line_back(self) -> None:
        """Back along it."""
        if self.at is not None:
            self.at = self.at - 1 if self.at > 1 else None

    def action_line_leave(self) -> None:
        """Off the line."""
        self.at = None

    def action_next_tab(self) -> None:
        """The next panel."""
        for tabs in self.query(TabbedContent):
            panes = [pane.id or "" for pane in tabs.query(TabPane)]
            tabs.active = panes[(panes.index(tabs.active) + 1) % len(panes)]

    def action_move(self) -> None:
        """Type a move."""
        if self.desk.position.is_over:
            self._hint_at("The game is over; {take_back} takes the last move back.")
            return
        self.app.push_screen(TypedDialog("Your move", self._hint()), self._typed)

    def _hint(self) -> str:
        choices = self.desk.position.game.line_choices(self.desk.position.state)
        pretty = [panels.pretty(self.desk.position, (choice,)) for choice in choices[:12]]
        return " ".join(pretty) + (f" ... {len(choices)} in all" if len(choices) > 12 else "")

    def _typed(self, text: str | None) -> None:
        if text:
            self.at = None
            self._try(lambda: self.desk.play_text(text))

    def on_board_view_played(self, event: BoardView.Played) -> None:
        """A move was made on the board."""
        if self.at is not None:
            self._hint_at("The board shows the line; {line_leave} goes back to the position.")
            return
        position = self.desk.position
        if len(event.moves) == 1:
            self.desk.play(event.moves[0])
            return
        texts = [panels.pretty(position, (position.game.move_text(position.state, move),)) for move in event.moves]

        def chosen(number: int | None) -> None:
            if number is not None:
                self.desk.play(event.moves[number])

        self.app.push_screen(ChoiceDialog("Which move?", texts), chosen)

    def action_algorithm(self) -> None:
        """Choose how to search."""
        self.app.push_screen(AlgorithmDialog(self.desk), self._chosen)

    def _chosen(self, chosen: Chosen | None) -> None:
        if chosen is not None:
            self.at = None
            self._try(lambda: self.desk.choose(chosen.algorithm, chosen.parameters, chosen.limit))

    def action_open(self) -> None:
        """Another position."""
        self.app.push_screen(OpenDialog(self.desk.position), self._opened)

    def action_edit(self) -> None:
        """Set a position up."""
        from workbench.dialogs.setup import setup_dialog

        self.app.push_screen(setup_dialog(self._here()), self._opened)

    def _opened(self, opened: Opened | None) -> None:
        if opened is not None:
            self.at = None
            self.desk.load(opened.position, opened.title)

    def action_note(self) -> None:
        """Write something about the position."""
        note = self.desk.session.study.note_here
        self.app.push_screen(
            TypedDialog("A note on this position", "It goes into the session and its reports.", note), self._noted
        )

    def _noted(self, text: str | None) -> None:
        if text is not None:
            self.desk.write_note(text)

    def action_sessions(self) -> None:
        """Open, rename, duplicate, delete and export sessions."""
        from workbench.dialogs.sessions import SessionsDialog

        self.at = None
        self.app.push_screen(SessionsDialog())

    def action_tree(self) -> None:
        """Record the search and browse it."""
        if self.desk.recording is not None:
            self._show_tree()
            return
        if self.desk.position.is_over:
            self.notify("The game is over; there is nothing to search.")
            return
        taped = self.desk.taped
        if taped is not None and not self.desk.busy:
            self._read_tape(taped)
        else:
            self._record()

    @work(thread=True, exclusive=True, group="tape")
    def _read_tape(self, kept: Kept) -> None:
        """Read a tape that the session names. That may take a second; if it cannot be read, record the search anew."""
        try:
            recording = self.desk.read_tape(kept)
        except InputError as error:
            sentence = f"{error} The search is recorded again."
            self.app.call_from_thread(self.notify, sentence, severity="warning", timeout=8, markup=False)
            self.app.call_from_thread(self._record)
            return
        self.app.call_from_thread(self._take_tape, kept, recording)

    def _take_tape(self, kept: Kept, recording: Recording) -> None:
        """Browse a tape that was read, if nobody went elsewhere meanwhile."""
        if self.desk.taped is kept and self.app.screen is self:
            self.desk.recording = recording
            self._show_tree()

    def _record(self) -> None:
        """Search once more, and record it."""
        depth = self.desk.belief.row.depth if self.desk.belief else RECORDED_DEPTH
        self.notify(f"Recording a search to depth {depth}.")
        self._open_tree = True
        self._try(lambda: self.desk.record(depth))

    def _show_tree(self) -> None:
        from workbench.screens.tree import TreeScreen

        if self.desk.recording is not None:
            self.app.push_screen(TreeScreen(self.desk.recording))

    def action_compare(self) -> None:
        """Several algorithms side by side."""
        from workbench.screens.compare import CompareScreen

        self.at = None
        self.desk.stop()

        def open_it() -> None:
            self.app.push_screen(CompareScreen(self.desk))

        if self.desk.position.is_over:
            self._hint_at("The game is over; {take_back} takes the last move back.")
        else:
            self._try(open_it)

    def action_card(self) -> None:
        """Read about the algorithm."""
        self.app.push_screen(CardDialog(self.desk.algorithm))


def panel(name: str) -> Static:
    """A panel with its name in the border."""
    box = Static(id=name, classes="panel")
    box.border_title, box.border_subtitle = TITLES[name], SUBTITLES.get(name, "")
    return box


def plot_panel(name: str) -> Vertical:
    """A panel with a plot in it."""
    box = Vertical(Plot(id=f"{name}-plot", allow_pan_and_zoom=False), id=name, classes="panel plot")
    box.border_title, box.border_subtitle = TITLES[name], SUBTITLES.get(name, "")
    return box


def along(position: Position, line: tuple[str, ...]) -> Position:
    """The position at the end of a line."""
    for move in line:
        position = position.play(position.game.read_move(position.state, move))
    return position


def last_squares(position: Position) -> tuple[Square, ...]:
    """The squares of the move that was played last."""
    return position.game.move_squares(position.back().state, position.played[-1]) if position.played else ()


def marks_of(desk: Desk) -> Marks:
    """The last move, the best one, the reply to it, and what each root move took of the work."""
    position, belief, game = desk.position, desk.belief, desk.position.game
    if belief is None or game.grid(position.state) is None:
        return Marks(last=last_squares(position))
    moves = belief.row.pv[:2]
    best = game.read_move(position.state, moves[0]) if moves else None
    reply: tuple[Square, ...] = ()
    if best is not None and len(moves) > 1:
        after = position.play(best)
        reply = game.move_squares(after.state, game.read_move(after.state, moves[1]))
    shares: dict[Square, float] = {}
    total = sum(row.nodes for row in belief.root_moves) or 1
    for row in sorted(belief.root_moves, key=lambda row: -row.nodes)[:NOTED_MOVES]:
        goal = game.move_squares(position.state, game.read_move(position.state, row.move))[-1]
        shares[goal] = shares.get(goal, 0.0) + row.nodes / total
    return Marks(
        last=last_squares(position),
        best=game.move_squares(position.state, best) if best is not None else (),
        reply=reply,
        notes={square: f"{100 * share:.0f}%" for square, share in shares.items() if share >= 0.01},
    )


def marked_text(desk: Desk) -> str:
    """What the marks on the board mean."""
    belief = desk.belief
    if belief is None or not belief.row.pv:
        return "arrows and Enter, or the mouse, move"
    line = desk.position.game.pretty_line(desk.position.state, belief.row.pv[:2])
    return f"◆ best {line[0]}" + (f"  ▪ reply {line[1]}" if len(line) > 1 else "")

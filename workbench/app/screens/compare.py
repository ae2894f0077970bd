"""The Compare screen: two to six lanes with one budget on one position, side by side as they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static, TabbedContent, TabPane

from engines import catalog
from engines.contract import InputError
from engines.tape.report_checks import read_parameters
from workbench.analysis.desk import Desk
from workbench.analysis.panels.status import compiling_text
from workbench.app.dialogs.algorithm import AlgorithmDialog, ChosenAlgorithm
from workbench.app.dialogs.help import CardDialog
from workbench.app.dialogs.picture import draw_into_file
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.keys import bindings
from workbench.app.places import COMPARE
from workbench.app.widgets.base_screen import BaseScreen, DrawnParts
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.plot import PlotView
from workbench.comparison import panels
from workbench.comparison.desk import CompareDesk, LaneChoice, read_budget, usual_budget
from workbench.comparison.view_state import CompareView
from workbench.difference.job import Comparing, record_lane
from workbench.drawing.scenes.subject import of_search
from workbench.input.pictured import drawn_of
from workbench.sessions.comparison_types import LaneSpec, settings_words
from workbench.sessions.text import position_of

HERTZ = 20
TABLE_TICKS, PLOT_TICKS = 3, 6
"""Tables and plots are drawn once in this many ticks; the cards with the running numbers are drawn in every tick."""
GROWING = ("across-table", "verdict")
"""Ids of the parts as high as their text. All others get their height from the screen, so that new text moves nothing."""
CARD_WIDTH = 25
"""The least width of a card, in columns."""
CARD_HEIGHT, LOW_CARD_HEIGHT = 13, 11
"""Lines of a card where there is room, and on a low screen."""
LOW_HEIGHT = 30
LEAST_BELOW = 9
"""Lines that stay free below the cards if these stand in two rows."""
WHOLE_WIDTH, WHOLE_HEIGHT = 150, 44
"""From this size on all panels are shown at once."""
PLOTS = {"work": "Value by nodes", "nodes": "Nodes by depth", "time": "Time by depth"}


class LaneCard(Static):
    """The card of one lane; a click chooses the lane."""

    class LaneChosen(Message):
        """Posted when the card is clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def on_click(self) -> None:
        """Choose the lane."""
        self.post_message(self.LaneChosen(self.number))


class CompareScreen(BaseScreen, Screen[None]):
    """The screen of one comparison."""

    CSS_PATH = "../styles/compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMPARE)
    place = COMPARE

    def __init__(self, desk: Desk, lanes: Sequence[LaneSpec] = ()) -> None:
        """`lanes`: those to compare, if not the last or the usual ones."""
        super().__init__()
        self.desk = CompareDesk(desk, lanes, usual_budget(desk))
        self._whole = True
        self._drawn = DrawnParts()
        self._parts: dict[str, Static | None] = {}
        self._cards: list[LaneCard] = []
        self._settled = True
        self._ticks = 0
        self.drawn = 0
        """How many times the screen was drawn; benchmarks read it."""

    # Layout.

    def compose(self) -> ComposeResult:
        self._whole = self._fits_whole()
        yield Static(id="compare-status")
        yield Container(*(LaneCard(number) for number in range(len(self.desk.specs))), id="lanes")
        with Vertical(id="below", classes="whole" if self._whole else "tabbed"):
            if self._whole:
                yield Horizontal(self._table(), self._depths(), id="upper")
                yield Horizontal(*(self._plot(name) for name in PLOTS), id="plots")
            else:
                with TabbedContent(id="compare-tabs"):
                    for name, box in (("Lanes", self._table()), ("Depths", self._depths())):
                        yield TabPane(name, box)
                    for name, title in PLOTS.items():
                        yield TabPane(title, self._plot(name))
        yield Static(id="compiling")
        yield KeysFooter(show_command_palette=self._whole)

    def _table(self) -> VerticalScroll:
        box = VerticalScroll(
            Static(id="across-table"), Static(id="verdict"), id="table-box", classes="across", can_focus=False
        )
        box.border_title = "Lanes" if self._whole else ""
        return box

    def _depths(self) -> Vertical:
        box = Vertical(Static(id="across-depths"), id="depths-box", classes="across")
        box.border_title = "Depth by depth" if self._whole else ""
        return box

    def _plot(self, name: str) -> Vertical:
        plot = PlotView("Lines appear here when two depths or more are done.", id=f"{name}-plot")
        box = Vertical(plot, classes="across plot-box")
        box.border_title = PLOTS[name] if self._whole else ""
        return box

    async def on_mount(self) -> None:
        """Start polling the lanes."""
        await self._choose_layout()
        self._forget()
        self.set_interval(1 / HERTZ, self.tick)

    def on_unmount(self) -> None:
        """Stop all lanes when the screen is left."""
        self.desk.close()

    async def on_resize(self, event: Resize) -> None:
        """Switch to another layout if the new size calls for it."""
        await self._choose_layout()

    async def _choose_layout(self) -> None:
        if self._fits_whole() != self._whole:
            await self._rebuild()
        self._arrange()

    def _fits_whole(self) -> bool:
        size = self.app.size
        return size.width >= WHOLE_WIDTH and size.height >= WHOLE_HEIGHT

    async def _rebuild(self) -> None:
        self._settled = False  # the timer runs in a task of its own and skips ticks until the layout is rebuilt
        active = [tabs.active for tabs in self.query(TabbedContent)]
        await self.recompose()
        for tabs in self.query(TabbedContent):
            tabs.active = active[0] if active else tabs.active
        self._settled = True
        self._forget()

    def _forget(self) -> None:
        """Draw everything next time and look up the widgets again, because they may have been replaced."""
        self._drawn.forget()
        self._parts.clear()
        self._cards = list(self.query(LaneCard))

    def _arrange(self) -> None:
        """Put the cards in one row or two, as high as there is room for."""
        size, lanes = self.app.size, len(self.desk.specs)
        columns = max(1, min(lanes, size.width // CARD_WIDTH))
        rows = -(-lanes // columns)
        columns = -(-lanes // rows)
        room = (size.height - 2 - LEAST_BELOW) // rows
        grid = next(iter(self.query("#lanes")), None)
        if grid is None:
            return  # the screen is being closed
        grid.styles.grid_size_columns, grid.styles.grid_size_rows = columns, rows
        wanted = CARD_HEIGHT if size.height >= LOW_HEIGHT else LOW_CARD_HEIGHT
        grid.styles.height = rows * max(6, min(wanted, room))
        self._drawn.wake()

    # Polling.

    def tick(self) -> None:
        """Poll the lanes and draw what has changed."""
        try:
            view = self.desk.look()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return
        if not self.is_current or not self._settled:
            return
        self._ticks += 1
        if not self._is_still(view):
            self._draw("compare-status", panels.status(view))
            self._draw_compiling(view)
            for card in self._cards:
                self._draw_card(card, view)
            if self._ticks % TABLE_TICKS == 0 or not view.busy:
                self._draw_tables(view)
            if self._ticks % PLOT_TICKS == 0 or not view.busy:
                self._draw_plots(view)
        self.drawn += 1

    def _is_still(self, view: CompareView) -> bool:
        """Whether nothing has changed for a while."""
        tabs = tuple(tabs.active for tabs in self.query(TabbedContent))
        now = (view.shown, view.at, self.size, tabs, id(view.truth), id(view.agreement), self._whole)
        return self._drawn.is_still(now, view.busy or view.looks_for_truth)

    def _part(self, id: str) -> Static | None:
        """A widget by its id, looked up only once because it is drawn often; None if this layout does not have it."""
        if id not in self._parts:
            self._parts[id] = next(iter(self.query(f"#{id}").results(Static)), None)
        return self._parts[id]

    def _draw(self, id: str, text: Text) -> None:
        widget = self._part(id)
        if widget is not None and self._drawn.is_new(id, (text.plain, tuple(text.spans), widget.size)):
            shape = text.plain.count("\n") if id == "across-table" else text.plain
            widget.update(text, layout=id in GROWING and self._drawn.is_new(f"shape-{id}", shape))

    def _draw_card(self, card: LaneCard, view: CompareView) -> None:
        if card.number >= len(view.lanes):
            return
        spec, room = view.lanes[card.number].spec, card.content_size
        card.set_class(card.number == view.at, "chosen")
        names = (Text(f"{card.number + 1} {spec.name}").markup, Text(settings_words(spec.changed)).markup)
        if self._drawn.is_new(f"names-{card.number}", names):
            card.border_title, card.border_subtitle = names
        if room.width:
            text = panels.card(view, card.number, room.width, room.height)
            if self._drawn.is_new(f"card-{card.number}", (text.plain, tuple(text.spans), room)):
                card.update(text, layout=False)

    def _draw_compiling(self, view: CompareView) -> None:
        line = self._part("compiling")
        if line is not None:
            line.display = view.compiling is not None
        if view.compiling is not None:
            self._draw("compiling", compiling_text(view.compiling, self.size.width))

    def _draw_tables(self, view: CompareView) -> None:
        table, depths = self._part("across-table"), self._part("across-depths")
        if table is not None and table.size.width:
            self._draw("across-table", panels.table(view, table.size.width))
        self._draw("verdict", panels.verdict(view, self.with_keys("{run}")))
        if depths is not None and depths.size.width:
            self._draw("across-depths", panels.depths_table(view, depths.size.width, depths.size.height))

    def _draw_plots(self, view: CompareView) -> None:
        for name in PLOTS:
            for plot in self.query(f"#{name}-plot").results(PlotView):
                drawn = panels.plot(view, name)
                if self._drawn.is_new(f"plot-{name}", (repr(drawn), plot.size)):
                    plot.show(drawn)

    # Actions.

    def try_to(self, deed: Callable[[], object]) -> None:
        """Call a function, or show why it raised InputError; then draw what has changed."""
        self._drawn.wake()
        super().try_to(deed)

    def action_run(self) -> None:
        """Start or stop the lanes."""
        self.try_to(self.desk.stop if self.desk.busy else self.desk.run)

    def action_deeper(self) -> None:
        """Search one depth further in all lanes."""
        self.try_to(self.desk.step_depth)

    def action_shallower(self) -> None:
        """Show the depth before in all lanes."""
        if not self.desk.step_back() and not self.desk.busy:
            self.notify(self.with_keys("There is no earlier depth. {deeper} searches one depth, {run} to the budget."))

    def action_work(self) -> None:
        """Run all lanes with twice the work."""
        self.try_to(self.desk.step_work)

    def action_choose(self, step: int) -> None:
        """Choose another lane, `step` further."""
        self.desk.choose(step)

    def on_lane_card_lane_chosen(self, message: LaneCard.LaneChosen) -> None:
        """Choose the clicked lane, unless it has been removed since."""
        if message.number < len(self.desk.specs):
            self.desk.at = message.number

    def action_add(self) -> None:
        """Add a lane, which starts as a copy of the chosen one."""

        def chosen(found: ChosenAlgorithm | None) -> None:
            if found is not None:
                self._change(lambda: self.desk.add(found.algorithm, found.parameters))

        self.app.push_screen(AlgorithmDialog(LaneChoice(self.desk, self._lane())), chosen)

    def action_change(self) -> None:
        """Change the algorithm and parameters of the chosen lane."""

        def chosen(found: ChosenAlgorithm | None) -> None:
            if found is not None:
                self._change(lambda: self.desk.replace(found.algorithm, found.parameters))

        self.app.push_screen(AlgorithmDialog(LaneChoice(self.desk, self._lane())), chosen)

    def action_remove(self) -> None:
        """Remove the chosen lane."""
        self._change(self.desk.remove)

    def _lane(self) -> LaneSpec:
        return self.desk.specs[self.desk.at]

    def _change(self, deed: Callable[[], None]) -> None:
        before = len(self.desk.specs)
        self.try_to(deed)
        self._drawn.forget()
        if len(self.desk.specs) != before:
            self.call_next(self.replace_cards)

    async def replace_cards(self) -> None:
        """Mount one card for each lane."""
        cards, lanes = list(self.query(LaneCard)), len(self.desk.specs)
        async with self.batch():  # keeps the screen from being removed meanwhile
            for card in cards[lanes:]:
                await card.remove()
            await self.query_one("#lanes").mount_all(LaneCard(number) for number in range(len(cards), lanes))
        self._arrange()
        self._forget()

    def action_budget(self) -> None:
        """Ask for the budget of every lane."""

        def typed(text: str | None) -> None:
            if text is not None:
                self._change(lambda: self.desk.spend(read_budget(text)))

        hint = "depth 8, nodes 200k, evaluations 1M, iterations 5000 or seconds 2; with commas, whichever comes first."
        now = self.desk.comparison.budget.text.replace(",", "") if self.desk.comparison.budget else ""
        self.app.push_screen(TypedDialog("The budget of every lane", hint, now), typed)

    def action_order(self) -> None:
        """Switch between running the lanes together and one after another."""
        self.try_to(lambda: self.notify(self.desk.next_order()))

    def action_write(self) -> None:
        """Draw the search of the chosen lane into a file."""
        lane, report = self._lane(), self.desk.job.reports[self.desk.at]
        if report is None or not report.nodes:
            self.notify(self.with_keys("Nothing has been searched yet; {run} does it."))
            return
        drawn = drawn_of(report)
        algorithm, parameters = catalog.algorithm(report.algorithm), read_parameters(report)
        make = of_search(position_of(report), algorithm, parameters, drawn.limit, report.seed)
        draw_into_file(self, f"{lane.algorithm} {report.game}", make)

    def action_difference(self) -> None:
        """Record two lanes again, and show where they part."""
        self.try_to(self._open_difference)

    def _open_difference(self) -> None:
        from workbench.app.screens.difference import DifferenceScreen

        position, pair = self.desk.position, self.desk.pair()
        limits = [self.desk.comparison.limit_again(lane) for lane in pair]
        specs = [lane.spec for lane in pair]

        def make(stopped: Callable[[], bool]) -> Comparing:
            first, second = (record_lane(position, spec, limit, stopped) for spec, limit in zip(specs, limits, strict=True))
            return Comparing(first, second)

        what = f"Recording {specs[0].name} and {specs[1].name} once more."
        self.app.push_screen(DifferenceScreen(position, make, what))

    def action_card(self) -> None:
        """Show the card of the chosen lane's algorithm."""
        self.app.push_screen(CardDialog(self._lane().algorithm))

    def action_leave(self) -> None:
        """Return to the Analyse screen."""
        self.dismiss()

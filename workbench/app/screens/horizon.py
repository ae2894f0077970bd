"""The Horizon screen: curated examples of the horizon effect, shown with real searches; and a finder of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engines import catalog
from engines.contract import Limit, Setting
from engines.position import Position
from workbench.analysis.board_marks import Marks, last_squares
from workbench.app.dialogs.picture import draw_into_file
from workbench.app.keys import bindings
from workbench.app.places import HORIZON
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.options import SafeOptionList
from workbench.app.widgets.plot import PlotView
from workbench.drawing.scenes.subject import of_search
from workbench.horizon import panels
from workbench.horizon.desk import HorizonDesk
from workbench.horizon.effect import ALGORITHM
from workbench.horizon.story import Story
from workbench.horizon.view_state import HorizonView

NORMAL, WIDE = 110, 150
TALL = 44
TITLES = {
    "examples": "Examples",
    "horizon-start": "Position",
    "horizon-belief": "Believed",
    "horizon-values": "Value by depth, for each search",
    "horizon-story": "Story",
    "horizon-plot": "Value by depth, drawn",
}
HERTZ = 4
"""How often per second the screen checks whether a search has ended. Results are posted as messages."""


@dataclass(frozen=True)
class ChosenExample:
    """An example to be analysed, and the algorithm and parameters to search it with."""

    position: Position
    title: str
    algorithm: str
    parameters: dict[str, Setting]
    depth: int


class HorizonScreen(BaseScreen, Screen[ChosenExample | None]):
    """A list of examples; for the chosen one the story, the values by depth, and the board at the end of the line."""

    CSS_PATH = "../styles/horizon.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NORMAL, "-normal"), (WIDE, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings(HORIZON)
    place = HORIZON

    @dataclass
    class Grown(Message):
        """Posted when a story has grown, or with a sentence that says why there is none."""

        number: int
        story: Story | str

    def __init__(self, position: Position, title: str = "") -> None:
        super().__init__()
        self.desk = HorizonDesk(position, title)
        self._story_drawn: str | None = None
        """The text of the story that was drawn last."""

    def compose(self) -> ComposeResult:
        yield Static(id="horizon-status")
        with Horizontal(id="horizon-body"):
            with Vertical(id="horizon-left"):
                yield SafeOptionList(*map(self._option, range(len(self.desk.entries))), id="examples", classes="panel")
                with Vertical(id="horizon-start", classes="panel"):
                    yield BoardView(self.desk.entry.position, id="start-board")
                with Vertical(id="horizon-end", classes="panel"):
                    yield BoardView(self.desk.entry.position, id="end-board")
            with Vertical(id="horizon-right"):
                yield Static(id="horizon-belief", classes="panel")
                with VerticalScroll(id="horizon-values", classes="panel", can_focus=False):
                    yield Static(id="values-head")
                    yield Static(id="values")
                with VerticalScroll(id="horizon-story", classes="panel", can_focus=False):
                    yield Static(id="story")
                with Vertical(id="horizon-plot", classes="panel plot"):
                    yield PlotView("A line for each search appears here when it is done.", id="curves")
        yield KeysFooter(show_command_palette=False)

    def _option(self, number: int) -> Option:
        entry = self.desk.entries[number]
        return Option(entry.title, id=str(number))

    def on_mount(self) -> None:
        """Start with the first example."""
        for board in self.query(BoardView):
            board.can_focus = False
        for name, title in TITLES.items():
            self.query_one(f"#{name}").border_title = title
        said = self.with_keys("{shallower} and {deeper} step the depth")
        self.query_one("#horizon-belief").border_subtitle = said.replace("[", r"\[")
        self.query_one("#horizon-story").border_subtitle = self.with_keys("{read} shows more").replace("[", r"\[")
        examples = self.query_one("#examples", SafeOptionList)
        examples.focus()
        examples.highlighted = self.desk.number
        self.set_interval(1 / HERTZ, lambda: self._draw_story(self.desk.look()))

    def on_unmount(self) -> None:
        """Stop the search, so that quitting does not wait for it."""
        self.desk.stop()

    # Events.

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show another example."""
        if event.option_id is not None:
            self.desk.choose(int(event.option_id), self._seen)
            for box in ("#horizon-story", "#horizon-values"):
                self.query_one(box).scroll_home(animate=False)
            self._draw()

    def _seen(self, number: int, story: Story | str) -> None:
        """Post a story that has grown. Called from the thread that searches."""
        self.post_message(self.Grown(number, story))

    def on_horizon_screen_grown(self, event: Grown) -> None:
        """Draw the story that has grown."""
        self.desk.take(event.number, event.story)
        if event.number == self.desk.number:
            self._draw()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the example in Analyse."""
        self.action_analyse()

    def on_resize(self) -> None:
        """Fit the columns to the new width."""
        self.call_after_refresh(self._draw)

    # Drawing.

    def _draw(self) -> None:
        if not self.is_attached:
            return
        view = self.desk.look()
        entry, game = view.entry, view.entry.position.game
        title = view.story.title if view.story and entry.example is None else entry.title
        status = Text(" Horizon  ", "bold")
        status.append(title, "bold yellow")
        status.append(f"   {' '.join(filter(None, (game.title, game.size)))}, {mover(entry.position)}", "dim")
        self.query_one("#horizon-status", Static).update(status)
        self._draw_boards(view)
        self._draw_story(view)
        self.query_one("#horizon-belief", Static).update(panels.belief_text(view))
        head, *rows = panels.values_text(view, self.query_one("#horizon-values").content_size.width).split("\n")
        self.query_one("#values-head", Static).update(head)
        self.query_one("#values", Static).update(Text("\n").join(rows))
        box = self.query_one("#horizon-values")
        box.border_subtitle = panels.values_note(view)
        self.call_after_refresh(self._keep_in_sight, box)
        self._draw_plot(view)

    def _keep_in_sight(self, box: Widget) -> None:
        """Scroll the table so that the depth that is shown stays visible."""
        line, height, first = self.desk.depth - 1, box.content_size.height - 1, box.scroll_offset.y  # line 0: header
        if height > 0 and not first <= line < first + height:
            box.scroll_to(y=line if line < first else line - height + 1, animate=False)

    def _draw_story(self, view: HorizonView) -> None:
        text = panels.story_text(view)
        story = self.query_one("#story", Static)
        if story.visual is None or self._story_drawn != text.markup:
            self._story_drawn = text.markup
            story.update(text)

    def _draw_boards(self, view: HorizonView) -> None:
        row, position = view.row, view.entry.position
        first = position.game.read_move(position.state, row.pv[0]) if row is not None and row.pv else None
        best = position.game.move_squares(position.state, first) if first is not None else ()
        self.query_one("#start-board", BoardView).show(position, marks=Marks(best=best))
        self.query_one("#horizon-start").border_subtitle = mover(position)
        here = view.board
        self.query_one("#end-board", BoardView).show(here, marks=Marks(last=last_squares(here)))
        box = self.query_one("#horizon-end")
        length = len(row.pv) if row is not None else 0
        at = length if view.at is None else view.at
        box.border_title = "At the end of the line" if at == length else f"After {at} of {length} plies"
        if not length:
            box.border_title = "Position"
        box.border_subtitle = mover(here)

    def _draw_plot(self, view: HorizonView) -> None:
        self.query_one("#curves", PlotView).show(panels.curves_plot(view))

    # Actions.

    def action_deeper(self) -> None:
        """Show the next depth."""
        if not self.desk.step(1):
            self.notify("This is the last depth of the story." if self.desk.story else "Nothing has been searched yet.")
        self._draw()

    def action_shallower(self) -> None:
        """Show the depth before."""
        if not self.desk.step(-1):
            self.notify("This is the first depth." if self.desk.story else "Nothing has been searched yet.")
        self._draw()

    def action_search(self) -> None:
        """Show the next of the searches."""
        self.desk.next_lane()
        self._draw()

    def action_walk(self, by: int) -> None:
        """Move along the line, `by` moves."""
        self.desk.walk(by)
        self._draw()

    def action_read(self) -> None:
        """Let the story take the room of everything beside it, or undo that."""
        self.toggle_class("-reading")

    def action_find(self) -> None:
        """Choose the analysed position in place of an example."""
        if not self.desk.has_own:
            self.notify("The position that is analysed cannot be searched depth by depth; choose an example.")
            return
        self.query_one("#examples", SafeOptionList).highlighted = 0

    def action_analyse(self) -> None:
        """Open the position in Analyse, with the search that is shown."""
        entry, story = self.desk.entry, self.desk.story
        if entry.example is None:
            self.dismiss(None)
            return
        configurations = [curve.configuration for curve in story.curves] if story else []
        shown = self.desk.shown_lane
        parameters = configurations[shown].parameters if shown < len(configurations) else {}
        self.dismiss(ChosenExample(entry.position, entry.title, ALGORITHM, dict(parameters), entry.example.deepest))

    def action_write(self) -> None:
        """Draw the search that is shown into a file."""
        view, position = self.desk.look(), self.desk.entry.position
        story, row = self.desk.story, view.row
        if story is None or row is None:
            self.notify("Nothing has been searched yet.")
            return
        curve = story.curves[self.desk.shown_lane]
        make = of_search(position, catalog.algorithm(ALGORITHM), curve.configuration.parameters, Limit(depth=row.depth))
        draw_into_file(self, f"horizon {position.game.id}", make)

    def action_leave(self) -> None:
        """Return to the Analyse screen."""
        self.dismiss(None)


def mover(position: Position) -> str:
    """The name of the side to move."""
    return "the game is over" if position.is_over else f"{position.game.players[0 if position.turn > 0 else 1]} to move"

"""The Difference screen: two recorded searches of one position, where they part, why, and what it cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from engines.contract import InputError
from engines.position import Position
from workbench.analysis.board_marks import Marks, last_squares
from workbench.app.keys import bindings
from workbench.app.places import DIFFERENCE
from workbench.app.screens.tree import TreeScreen
from workbench.app.screens.watch import open_watch
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.options import SafeOptionList
from workbench.difference import panels
from workbench.difference.desk import DifferenceDesk
from workbench.difference.job import Comparing
from workbench.recordings.why.nodes import position_at

WIDE, TALL = 130, 40
MARGIN = 4
"""Columns of the list that no text can have: its padding and the scroll bar."""

Making = Callable[[Callable[[], bool]], Comparing]
"""Makes the comparison, which may take a while; it is told whether nobody waits for it any more."""


class DifferenceScreen(BaseScreen, Screen[None]):
    """A list of the subtrees that hold the difference; for the chosen one what made it, with the position."""

    CSS_PATH = "../styles/difference.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings(DIFFERENCE)
    place = DIFFERENCE

    def __init__(self, position: Position, making: Making, what: str = "Comparing the two searches.") -> None:
        """`what`: what is said as long as the comparison is made."""
        super().__init__()
        self.position, self._making, self._what = position, making, what
        self.desk: DifferenceDesk | None = None

    def compose(self) -> ComposeResult:
        yield Static(Text(f" Difference  {self._what}", no_wrap=True, overflow="ellipsis"), id="difference-status")
        with Horizontal(id="difference-body"):
            with Vertical(id="difference-left"):
                yield Static(id="difference-head")
                yield SafeOptionList(id="difference-parts")
                yield Static(id="difference-note")
            with Vertical(id="difference-right"):
                with VerticalScroll(id="difference-story", can_focus=False):
                    yield Static(id="difference-text")
                with VerticalScroll(id="difference-whole"):
                    yield Static(id="difference-tables")
                board = BoardView(self.position, id="difference-board")
                board.can_focus = False
                yield board
        yield KeysFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Compare the searches in a thread."""
        self.query_one("#difference-story").border_title = "What happened here"
        self.query_one("#difference-whole").border_title = "The whole"
        self.set_class(self.position.game.is_tree, "-boardless")
        self.parts.focus()
        self._compare()

    @property
    def parts(self) -> SafeOptionList:
        """The list of subtrees."""
        return self.query_one("#difference-parts", SafeOptionList)

    @property
    def chosen(self) -> int:
        """The row that is chosen."""
        return self.parts.highlighted or 0

    @work(thread=True, exclusive=True, group="difference")
    def _compare(self) -> None:
        worker = get_current_worker()
        try:
            desk = DifferenceDesk(self._making(lambda: worker.is_cancelled))
        except InputError as error:
            if not worker.is_cancelled:
                self.app.call_from_thread(self._give_up, str(error))
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._take, desk)

    def _give_up(self, sentence: str) -> None:
        if self.is_mounted:
            self.app.notify(sentence, severity="warning", timeout=8, markup=False)
            self.dismiss()

    def _take(self, desk: DifferenceDesk) -> None:
        if self.is_mounted:
            self.desk = desk
            self.draw()

    # Drawing.

    def draw(self, chosen: int = 0) -> None:
        """List the subtrees of the present level, and choose one."""
        desk = self.desk
        if desk is None:
            return
        self.query_one("#difference-status", Static).update(panels.status(desk.found))
        width = max(self.parts.size.width - MARGIN, 20)
        self.query_one("#difference-head", Static).update(panels.head(desk, width))
        rows, whole = desk.rows, desk.level.parts.difference
        self.parts.clear_options()
        self.parts.add_options(Option(panels.row(entry, whole, width)) for entry in rows)
        self.query_one("#difference-note", Static).update(Text(panels.note(desk)))
        self.query_one("#difference-tables", Static).update(panels.overview(desk, self.position.game))
        if rows:
            self.parts.highlighted = min(chosen, len(rows) - 1)
        self._draw_story()

    def _draw_story(self) -> None:
        desk = self.desk
        if desk is None:
            return
        self.query_one("#difference-text", Static).update(panels.story(desk, self.chosen))
        self.query_one("#difference-story").scroll_home(animate=False)
        if desk.rows:
            opens = self.with_keys(f"{{tree}} opens {desk.opened_name(self.chosen)}'s tree")
            self.query_one("#difference-story").border_subtitle = opens.replace("[", r"\[")
            here = position_at(*desk.opened(self.chosen))
            self.query_one(BoardView).show(here, marks=Marks(last=last_squares(here)))

    def on_resize(self) -> None:
        """Fit the columns to the new width."""
        self.call_after_refresh(lambda: self.draw(self.chosen))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what there is to say of another subtree."""
        self._draw_story()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the tree there."""
        self.action_tree()

    # Actions.

    def action_tree(self) -> None:
        """Open the tree of the search at the chosen subtree."""
        if self.desk is not None and self.desk.rows:
            recording, node = self.desk.opened(self.chosen)
            self.app.push_screen(TreeScreen(recording, node=node))

    def action_watch(self) -> None:
        """Watch the search from the chosen subtree on."""
        if self.desk is not None and self.desk.rows:
            recording, node = self.desk.opened(self.chosen)
            open_watch(self, recording.report, recording, node)

    def action_into(self) -> None:
        """List the subtrees within the chosen one."""
        desk = self.desk
        if desk is not None and desk.rows:
            before = len(desk.levels)
            self.try_to(lambda: desk.into(self.chosen))
            if len(desk.levels) > before:
                self.draw()

    def action_out(self) -> None:
        """Back to the list that this one lies within."""
        if self.desk is not None and (chosen := self.desk.out()) is not None:
            self.draw(chosen)

    def action_other(self) -> None:
        """Open the other search's tree from now on."""
        if self.desk is not None:
            self.desk.switch()
            self._draw_story()

    def action_panel(self) -> None:
        """Go to the whole, which a small screen shows in place of the list, or back to the list."""
        self.toggle_class("-overview")
        whole = self.query_one("#difference-whole")
        self.call_after_refresh((whole if self.has_class("-overview") else self.parts).focus)

    def action_leave(self) -> None:
        """Go back to the screen below."""
        self.dismiss()

"""The Review screen: a game with the value of every position, and its mistakes."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engines.position import Position
from workbench.analysis.board_marks import Marks, last_squares
from workbench.app.keys import bindings
from workbench.app.places import REVIEW
from workbench.app.widgets.base_screen import BaseScreen, DrawnParts
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.options import SafeOptionList
from workbench.app.widgets.plot import PlotView
from workbench.render.style import DIM
from workbench.review import view as words
from workbench.review.job import Review, ReviewedMove, ReviewJob
from workbench.sessions.model import Path

HERTZ = 5
NORMAL, WIDE = 110, 150
LOW = 30
PLOT_HEIGHT = 12
"""The least height of a plot in lines. With fewer a bar chart made of characters is drawn."""


class ReviewScreen(BaseScreen, Screen[Path | None]):
    """The review of a game. The result is the path of the position to analyse further, or None if none was chosen."""

    CSS_PATH = "../styles/review.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NORMAL, "-normal"), (WIDE, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-low"), (LOW, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings(REVIEW)
    place = REVIEW

    def __init__(self, end: Position, ending: str = "") -> None:
        super().__init__()
        self.end, self.ending = end, ending
        self.moves = end.game.line_text(end.start, end.played)
        self.work = ReviewJob(end)
        self.ply = len(self.moves)
        """The ply that is shown, counted from 1; 0 is the start."""
        self._drawn = DrawnParts()

    def compose(self) -> ComposeResult:
        yield Static(id="review-status")
        with Horizontal(id="review-body"):
            with Vertical(id="review-left"):
                board = Vertical(BoardView(self.end, id="review-board"), id="review-position", classes="panel")
                yield board
                with VerticalScroll(id="review-words", classes="panel", can_focus=False):
                    yield Static(id="review-text")
            moves = SafeOptionList(*map(self._option, range(len(self.moves) + 1)), id="review-moves", classes="panel")
            moves.border_title = "Moves"
            yield moves
            with Vertical(id="review-right"):
                with Vertical(id="review-plot", classes="panel plot"):
                    yield PlotView("A line appears here when two positions are searched.", id="chances")
                    yield Static(id="review-chart")
                sides = Static(id="review-sides", classes="panel")
                sides.border_title = "Both sides"
                yield sides
        yield KeysFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Start the review, with the end of the game shown."""
        self.query_one(BoardView).can_focus = False
        plot = self.query_one("#review-plot")
        plot.border_title = "Who stood better, by move"
        self.query_one("#review-words").border_title = "This move"
        moves = self.query_one("#review-moves", SafeOptionList)
        moves.border_subtitle = self.with_keys("{next} next mistake").replace("[", r"\[")
        moves.focus()
        moves.highlighted = self.ply
        self.set_interval(1 / HERTZ, self.tick)

    def on_unmount(self) -> None:
        """Stop the review, so that quitting does not wait for a search."""
        self.work.stop()

    # Drawing.

    @property
    def review(self) -> Review | None:
        """The review so far; None before there is any."""
        return self.work.result

    def row(self, ply: int) -> ReviewedMove | None:
        """The review of the move at a ply; None if it is not known yet."""
        return self.review.at(ply) if self.review else None

    def _option(self, ply: int) -> Option:
        return Option(self._line(ply), id=str(ply))

    def _line(self, ply: int) -> Text:
        return words.move_line(self.review, ply, self.moves[ply - 1] if ply else "", self.end)

    def tick(self) -> None:
        """Draw what has changed."""
        if not self.is_current:
            return
        review = self.review
        if not self._drawn.is_new("all", (self.ply, self.work.running, self.size, id(review), self.work.problem)):
            return
        moves = self.query_one("#review-moves", SafeOptionList)
        for ply in range(len(self.moves) + 1):
            row = self.row(ply)
            value = review.values[ply] if review else None
            if self._drawn.is_new(f"move {ply}", (value, row and row.verdict, review and review.outcomes[ply])):
                moves.replace_option_prompt_at_index(ply, self._line(ply))
        status = words.status_line(review, self.end, self.ending, self.work.problem, self.work.running)
        self.query_one("#review-status", Static).update(status)
        self._draw_place()
        sides = [words.both_sides(review, self.end)] if review else []
        note = [words.verdict(review)] if review and review.complete else []
        self.query_one("#review-sides", Static).update(Text("\n".join(sides + note)))
        self._draw_plot()

    def _draw_place(self) -> None:
        """Draw the position after the move; for a mistake, the position before it with the better move marked."""
        row = self.row(self.ply)
        here = words.place(self.end, self.ply)
        box = self.query_one("#review-position")
        best: tuple[tuple[int, int], ...] = ()
        game = here.game
        if row is not None and row.better is not None:
            before = words.place(self.end, self.ply - 1)
            played = game.move_squares(before.state, here.played[-1])
            best = game.move_squares(before.state, game.read_move(before.state, row.better))
            self.query_one(BoardView).show(before, marks=Marks(best=best, reply=played))
            box.border_title, box.border_subtitle = f"Before move {self.ply}", "◆ better   ▪ played"
        else:
            self.query_one(BoardView).show(here, marks=Marks(last=last_squares(here)))
            box.border_title, box.border_subtitle = f"After move {self.ply}" if self.ply else "The start", ""
        self.query_one("#review-text", Static).update(self._story(row))

    def _story(self, row: ReviewedMove | None) -> Text:
        if row is None:
            return Text("It will be judged soon." if self.work.running and self.ply else "Choose a move.", DIM)
        return words.move_story(row, self.end)

    def _draw_plot(self) -> None:
        review = self.review
        plot, chart = self.query_one("#chances", PlotView), self.query_one("#review-chart", Static)
        drawn, room = words.chances_plot(review, self.end, self.ply), self.query_one("#review-plot").content_size
        chart.display = drawn.has_lines and room.height < PLOT_HEIGHT
        plot.display = not chart.display
        plot.show(drawn)
        if chart.display and review is not None:
            height = max(3, room.height - 1 - room.height % 2)
            chart.update(words.chart(review.chances, self.end, room.width, height))

    # Actions.

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show another move."""
        self.ply = event.option_index
        self.tick()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the position in Analyse."""
        self.action_analyse()

    def action_mistake(self, step: int) -> None:
        """Go to the next mistake, or to the one before."""
        plies = [row.ply for row in self.review.mistakes] if self.review else []
        ahead = [ply for ply in plies if ply > self.ply] if step > 0 else [ply for ply in plies[::-1] if ply < self.ply]
        if not ahead and not plies:
            self.notify("No mistake is known yet." if self.work.running else "No mistake was found.")
            return
        self.query_one("#review-moves", SafeOptionList).highlighted = (
            ahead[0] if ahead else plies[0] if step > 0 else plies[-1]
        )

    def action_analyse(self) -> None:
        """Open the position in Analyse; for a mistake, the position before it."""
        row = self.row(self.ply)
        self.dismiss(self.moves[: self.ply - 1 if row is not None and row.better is not None else self.ply])

    def action_leave(self) -> None:
        """Return to the screen below."""
        self.dismiss(None)

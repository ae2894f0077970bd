"""The Review screen: a game with the value of every position, and its mistakes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual_plot import HiResMode

from engines.position import Position
from workbench.analysis.board_marks import Marks, last_squares
from workbench.app.actions import REVIEW
from workbench.app.keys import bindings
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.options import SafeOptionList
from workbench.app.widgets.panel import StillPlot, whole_ticks
from workbench.render.style import DIM, STRONG, bar, coloured
from workbench.render.values import value_text
from workbench.review import view as words
from workbench.review.job import MARKS, Review, ReviewedMove, ReviewJob, effect_words
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
        self._shown: dict[int, Hashable] = {}
        self._drawn: Hashable = None

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
                    yield Static("A line appears here when two positions are searched.", classes="hint")
                    yield StillPlot(id="chances")
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
        first, second = self.end.game.players
        plot.border_subtitle = f"1: {first} wins, -1: {second} wins"
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
    def found(self) -> Review | None:
        """The review so far; None before there is any."""
        return self.work.found

    def row(self, ply: int) -> ReviewedMove | None:
        """The review of the move at a ply; None if it is not known yet."""
        found = self.found
        return next((row for row in found.moves if row.ply == ply), None) if found else None

    def _option(self, ply: int) -> Option:
        return Option(self._line(ply), id=str(ply))

    def _line(self, ply: int) -> Text:
        """The line of a move in the list: its name, its mark, and the value after it."""
        game, found = self.end.game, self.found
        if ply:
            before = words.place(self.end, ply - 1)
            shown = ReviewedMove(ply=ply, side=0 if before.turn > 0 else 1, move=self.moves[ply - 1], value=0.0)
            name = words.move_name(shown, self.end)
        else:
            name = "start"
        row = self.row(ply)
        mark = MARKS[row.verdict] if row else ""
        text = Text(f"{name:<10}", STRONG if mark else "", no_wrap=True)
        text.append(f"{mark:<3}", words.MARK_STYLES.get(row.verdict, "") if row else "")
        value = found.values[ply] if found and ply < len(found.values) else None
        if value is not None:
            text.append(f"{value_text(value, game):>10}", coloured(value))
            if found and found.outcomes[ply] is not None:
                text.append(" ■", DIM)
        return text

    def tick(self) -> None:
        """Draw what has changed."""
        if not self.is_current:
            return
        found = self.found
        seen = (self.ply, self.work.running, self.size, id(found), self.work.problem)
        if seen == self._drawn:
            return
        self._drawn = seen
        moves = self.query_one("#review-moves", SafeOptionList)
        for ply in range(len(self.moves) + 1):
            row = self.row(ply)
            value = found.values[ply] if found else None
            if self._shown.get(ply) != (state := (value, row.verdict if row else "", found and found.outcomes[ply])):
                self._shown[ply] = state
                moves.replace_option_prompt_at_index(ply, self._line(ply))
        self.query_one("#review-status", Static).update(self._status())
        self._draw_place()
        sides = [words.sides(found, side, self.end) for side in (0, 1)] if found else []
        note = words.verdict(found) if found and found.complete else ""
        self.query_one("#review-sides", Static).update(Text("\n".join([*sides, note]).strip()))
        self._draw_plot()

    def _status(self) -> Text:
        text = Text(" Review ", "bold", no_wrap=True, overflow="ellipsis")
        text.append(words.title(self.end, self.ending), STRONG)
        if self.work.problem:
            text.append(f"  {self.work.problem}", "bold red")
        elif self.work.running:
            share = self.found.share if self.found else 0.0
            text.append(f"  ● {bar(share, 16)} {100 * share:3.0f} %", "bold green")
        elif self.found:
            count = len(self.found.mistakes)
            text.append(f"  ■ {'no mistakes' if not count else '1 mistake' if count == 1 else f'{count} mistakes'}", STRONG)
        return text

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
        self.query_one("#review-text", Static).update(self._story(row, here))

    def _story(self, row: ReviewedMove | None, here: Position) -> Text:
        if row is None:
            return Text("It is judged soon." if self.work.running and self.ply else "Choose a move.", DIM)
        before = words.place(self.end, self.ply - 1)
        text = Text.assemble((f"{words.move_name(row, self.end)} ", STRONG))
        text.append(f"{row.verdict}. ", words.MARK_STYLES.get(row.verdict, "green"))
        text.append(row.words or f"It led to {value_text(row.value, here.game)}.")
        if len(row.line) > 1:
            text.append(f"\n{' '.join(before.game.pretty_line(before.state, row.line[:8]))}", DIM)
        if effect := effect_words(row, before):
            text.append(f"\n{effect}", "cyan")
        return text

    def _draw_plot(self) -> None:
        plot, found = self.query_one("#chances", StillPlot), self.found
        points = [(float(ply), one) for ply, one in enumerate(found.chances) if one is not None] if found else []
        plot.clear()
        room, chart = self.query_one("#review-plot").content_size, self.query_one("#review-chart", Static)
        plot.display = len(points) > 1 and room.height >= PLOT_HEIGHT
        chart.display = len(points) > 1 and not plot.display
        self.query_one("#review-plot .hint").display = len(points) < 2
        if chart.display and found is not None:
            height = max(3, room.height - 1 - room.height % 2)
            chart.update(words.chart(found.chances, self.end, room.width, height))
        if not plot.display:
            return
        plot.set_xlimits(0, max(2, len(self.moves)))
        plot.set_xticks(whole_ticks(0, max(2, len(self.moves))))
        plot.set_ylimits(-1.1, 1.1)
        plot.set_yticks([-1.0, 0.0, 1.0])
        plot.plot([0.0, float(len(self.moves))], [0.0, 0.0], line_style="grey50", hires_mode=HiResMode.BRAILLE)
        plot.plot([x for x, _ in points], [y for _, y in points], line_style="green", hires_mode=HiResMode.BRAILLE)
        assert found is not None
        wrong = [(float(row.ply), found.chances[row.ply] or 0.0) for row in found.mistakes]
        if wrong:
            plot.scatter([x for x, _ in wrong], [y for _, y in wrong], marker="?", marker_style="bold yellow")
        at = found.chances[self.ply]
        if at is not None:
            plot.scatter([float(self.ply)], [at], marker="◆", marker_style="bold red")

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
        found = self.found
        plies = [row.ply for row in found.mistakes] if found else []
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

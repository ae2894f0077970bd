"""The Match screen: players against each other, with the table, the sequential test and the score game by game."""

from __future__ import annotations

import shlex
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from workbench.analysis.desk import Desk
from workbench.app.forms.contestants import ContestantsDialog, ContestantsForm
from workbench.app.forms.form import FormDialog, Values
from workbench.app.forms.match_terms import MatchTermsForm
from workbench.app.keys import bindings
from workbench.app.places import MATCH
from workbench.app.screens.job_screen import LiveScreen
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.plot import PlotView
from workbench.matches import view as show_match
from workbench.matches.desk import MatchDesk
from workbench.play.game_files import positions_of
from workbench.render.plots.chart import PlotLine

LARGEST_BAR, BESIDE_BAR = 80, 20
"""The largest width of the sequential test's bar, and the columns that its two ends take."""
LOW = 30
"""On a screen with fewer lines than this some are left out."""


class MatchScreen(LiveScreen):
    """The screen of a match in the game that is analysed."""

    CSS_PATH = "../styles/live.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(MATCH)
    place = MATCH

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.work: MatchDesk = MatchDesk(desk)
        self._drafts: dict[str, Values] = {"players": {}, "terms": {}}
        """What was left in the forms without being taken."""

    def compose(self) -> ComposeResult:
        yield Static(id="live-status")
        table = VerticalScroll(Static(id="standings"), classes="live-box", id="table-box", can_focus=False)
        table.border_title = "Contestants"
        yield table
        score = Vertical(
            PlotView("The score of contestant 1 appears here, game by game.", id="score-plot"),
            classes="live-box",
            id="score-box",
        )
        score.border_title = "Score of contestant 1 by game"
        games = Vertical(Static(id="latest"), classes="live-box", id="games-box")
        games.border_title = "Last games"
        yield Horizontal(score, games, id="lower")
        yield KeysFooter(show_command_palette=False)

    def tick(self) -> None:
        """Report once for each match which openings were skipped, and draw what has changed."""
        if self.is_current and self.is_mounted and self._drawn.is_new("skipped", self.work.skipped) and self.work.skipped:
            self.notify(self.work.skipped, severity="warning", timeout=15, markup=False)
        super().tick()

    def draw(self) -> None:
        """Draw the status, the tables, the plot and the last games."""
        game, outcome = self.work.start_position.game, self.work.outcome
        status = show_match.status_line(outcome, f"{game.title} {game.size}", self.work.terms.games)
        self.put("live-status", status + self.doing())
        self.put("standings", self.tables())
        points = [(float(number), score) for number, score in enumerate(self.work.scores, 1)]
        even = [(points[0][0], 0.5), (points[-1][0], 0.5)] if len(points) > 1 else []
        self.plot("score-plot", [PlotLine(points, "green", "score"), PlotLine(even, "bright_black", "even")], 0.0, 1.0)
        box = self.query_one("#games-box")
        if outcome is not None:
            self.put("latest", show_match.latest_games(outcome.games, max(1, box.content_size.height)))
        else:
            self.put("latest", Text("Games appear here as they end; every one is kept.", style="dim"))

    def tables(self) -> RenderableType:
        """The standings; before the first game, the list of players."""
        outcome = self.work.outcome
        if outcome is None or not outcome.done:
            lines = show_match.players_list(self.work.players, self.work.start_position.game.id)
            said = self.with_keys("{run} plays, {players} changes who, {terms} the terms.")
            return Group(*lines, Text(f"\n{self.work.terms_text}", style="dim"), Text(said, style="dim"))
        parts = show_match.SCREEN if self.size.height >= LOW else show_match.LOW_SCREEN
        last = show_match.terms_and_place(outcome, self.work.terms_text, self.work.place)
        return show_match.match_table(outcome, parts, min(LARGEST_BAR, self.size.width - BESIDE_BAR), last)

    def action_players(self) -> None:
        """Ask for the contestants."""
        draft = self._drafts["players"]
        count = max(len(self.work.texts), sum(1 for name in draft if name.startswith("who-") and draft[name]))
        form = ContestantsForm(self.work.start_position, count)
        self.app.push_screen(ContestantsDialog(form, shlex.join(self.work.texts), self.work.choose, draft), self._taken)

    def action_terms(self) -> None:
        """Ask for the terms of the match."""
        self.app.push_screen(
            FormDialog(MatchTermsForm(), self.work.terms_text, self.work.agree, self._drafts["terms"]), self._taken
        )

    def _taken(self, taken: bool | None) -> None:
        """Draw what a form has changed."""
        self.tick()

    def action_analyse(self) -> None:
        """Open the last game in Analyse."""
        game = self.work.last_game
        if game is None:
            self.notify(self.with_keys("There is no game yet; {run} plays."))
            return
        self.work.stop()
        self.desk.load(positions_of(game)[-1], f"{game.players[0]} - {game.players[1]}, game {game.number}")
        self.dismiss()

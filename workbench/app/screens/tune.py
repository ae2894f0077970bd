"""The Tune screen: a genetic algorithm looks for evaluation weights; shows fitness, diversity, population and the final
test."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from workbench.analysis.desk import Desk
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.forms.form import FormDialog, Values
from workbench.app.forms.tune_terms import TuneTermsForm
from workbench.app.keys import bindings
from workbench.app.places import TUNE
from workbench.app.screens.job_screen import LiveScreen
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.plot import PlotView
from workbench.render.plots.chart import PlotLine
from workbench.tuning import view as show_tune
from workbench.tuning.desk import TuneDesk

PLOTS = {"fitness": "Fitness by generation", "diversity": "Diversity by generation"}
GENOME_ROOM = 100
"""From this width on the best genome is shown bit by bit."""


class TuneScreen(LiveScreen):
    """The screen for tuning the game that is analysed."""

    CSS_PATH = "../styles/live.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(TUNE)
    place = TUNE

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.work: TuneDesk = TuneDesk(desk.position.game)
        self._draft: Values = {}
        """What was left in the form without being taken."""

    def compose(self) -> ComposeResult:
        yield Static(id="live-status")
        yield Static(id="best")
        plots = []
        for name, title in PLOTS.items():
            plot = PlotView("A line appears here when two generations are done.", id=f"{name}-plot")
            box = Vertical(plot, classes="live-box", id=f"{name}-box")
            box.border_title = title
            plots.append(box)
        population = Vertical(Static(id="population"), classes="live-box", id="population-box")
        population.border_title = "Population"
        yield Horizontal(Vertical(*plots, id="plots"), population, id="tuning")
        yield KeysFooter(show_command_palette=False)

    def draw(self) -> None:
        """Draw the status, the best genome, the plots and the population."""
        outcome, tuning = self.work.outcome, self.work.tuning
        title = f"{tuning.start.game.title} {tuning.start.game.size}"
        status = show_tune.status_line(outcome, title, tuning.doing, self.work.testing, self.work.busy)
        self.put("live-status", status + self.doing())
        self.put("best", show_tune.best_weights(outcome, tuning.coding, self.size.width >= GENOME_ROOM))
        rows = [(float(one.number), one) for one in outcome.generations]
        self.plot(
            "fitness-plot",
            [
                PlotLine([(x, one.fitness[one.best]) for x, one in rows], "green", "best"),
                PlotLine([(x, one.mean) for x, one in rows], "bright_black", "mean"),
            ],
        )
        self.plot("diversity-plot", [PlotLine([(x, one.diversity) for x, one in rows], "cyan")], 0.0)
        room = self.query_one("#population-box").content_size.height
        if outcome.generations:
            self.put("population", show_tune.population_table(outcome.generations[-1], max(1, room - 1)))
        else:
            said = self.with_keys("{run} begins, {terms} changes the terms.")
            self.put("population", Text(f"{self.work.terms_text}.\n\n{said}", style="dim"))

    def action_terms(self) -> None:
        """Ask for the parameters of the genetic algorithm."""

        def taken(taken: bool | None) -> None:
            self.tick()

        self.app.push_screen(FormDialog(TuneTermsForm(), self.work.terms_text, self.work.agree, self._draft), taken)

    def action_keep(self) -> None:
        """Keep the best weights under a name."""
        if self.work.tuning.best is None:
            self.notify(self.with_keys("There are no weights yet; {run} begins."))
            return

        def typed(text: str | None) -> None:
            if text:
                self.try_to(lambda: self.work.keep(text))

        hint = "weights=NAME then uses them in every command and for every player."
        self.app.push_screen(TypedDialog("A name for the best weights", hint, self.work.kept_as or "tuned"), typed)

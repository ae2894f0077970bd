"""The Tune screen: a genetic algorithm looks for evaluation weights; shows fitness, diversity, population and the final
test."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from workbench.analysis.desk import Desk
from workbench.app.actions import TUNE
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.keys import bindings
from workbench.app.screens.job_screen import LinesPlot, LiveScreen
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.tuning import view as show_tune
from workbench.tuning.desk import TuneDesk
from workbench.tuning.terms import EXAMPLES
from workbench.tuning.types import weights_text

PLOTS = {"fitness": "Fitness: best, mean", "diversity": "Diversity"}
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

    def compose(self) -> ComposeResult:
        yield Static(id="live-status")
        yield Static(id="best")
        plots = []
        for name, title in PLOTS.items():
            hint = Static("A line appears here when two generations are done.", classes="hint")
            box = Vertical(hint, LinesPlot(id=f"{name}-plot"), classes="live-box", id=f"{name}-box")
            box.border_title = title
            plots.append(box)
        population = Vertical(Static(id="population"), classes="live-box", id="population-box")
        population.border_title = "Population"
        yield Horizontal(Vertical(*plots, id="plots"), population, id="tuning")
        yield KeysFooter(show_command_palette=False)

    def draw(self) -> None:
        """Draw the status, the best genome, the plots and the population."""
        found = self.work.found
        self.put("live-status", self.status())
        self.put("best", self.best())
        rows = [(float(one.number), one) for one in found.generations]
        self.plot(
            "fitness-plot",
            [
                ([(x, one.fitness[one.best]) for x, one in rows], "green", ""),
                ([(x, one.mean) for x, one in rows], "bright_black", ""),
            ],
        )
        self.plot("diversity-plot", [([(x, one.diversity) for x, one in rows], "cyan", "")], 0.0)
        room = self.query_one("#population-box").content_size.height
        if found.generations:
            self.put("population", show_tune.population_table(found.generations[-1], max(1, room - 1)))
        else:
            said = self.with_keys("{run} begins, {terms} changes the terms.")
            self.put("population", Text(f"{self.work.terms_text}.\n\n{said}", style="dim"))

    def status(self) -> Text:
        """The status line: which generation, and how far it is."""
        found, game = self.work.found, self.work.start_position.game
        text = Text.assemble(
            (" Tune ", "bold"), f" {game.title} {game.size}  generation {found.done}/{found.terms.generations}"
        )
        done, total = self.work.tuning.doing
        if self.work.busy and not found.complete and total:
            text.append(f"  {done}/{total} games", style="dim")
        elif self.work.busy and found.complete:
            text.append("  testing {}/{} games".format(*self.work.testing), style="dim")
        return text + self.doing()

    def best(self) -> RenderableType:
        """The best genome, and the result of the acceptance test."""
        found = self.work.found
        if found.best is None or found.best_fitness is None:
            usual = weights_text(self.work.tuning.usual)
            return Text(f" The game's own weights: {usual}", style="dim")
        last = found.generations[-1]
        line = Text.assemble(" best ", (weights_text(found.best), "bold"), f"  fitness {found.best_fitness:.4f}")
        if self.size.width >= GENOME_ROOM:
            coding = self.work.tuning.coding
            bits = f"{last.genomes[last.best]:0{coding.genes}b}"
            parts = [bits[place : place + coding.bits] for place in range(0, len(bits), coding.bits)]
            line.append("  " + " ".join(parts), style="dim")
        if found.preset:
            line.append(f"  kept as {found.preset}", style="green")
        if found.acceptance is None:
            return line
        return Group(line, show_tune.acceptance_line(found.acceptance))

    def action_terms(self) -> None:
        """Ask for the parameters of the genetic algorithm."""

        def typed(text: str | None) -> None:
            if text is not None:
                self.try_to(lambda: self.work.agree(text))

        self.app.push_screen(TypedDialog("The terms", f"Such as {EXAMPLES}.", self.work.terms_text), typed)

    def action_keep(self) -> None:
        """Keep the best weights under a name."""
        if self.work.tuning.best is None:
            self.notify(self.with_keys("There are no weights yet; {run} begins."))
            return

        def typed(text: str | None) -> None:
            if text:
                self.try_to(lambda: self.work.keep(text))

        hint = "weights=NAME then means them in every command and for every player."
        self.app.push_screen(TypedDialog("A name for the best weights", hint, self.work.kept_as or "tuned"), typed)

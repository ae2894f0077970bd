"""State of the Tune screen: terms, and a genetic algorithm that runs. No screen is known here."""

from __future__ import annotations

from engines.contract import InputError
from engines.position import Position
from workbench.analysis.desk import Desk
from workbench.jobs.job import LongWork
from workbench.jobs.workers import Workers
from workbench.play.openings import start_of
from workbench.tuning.genetic import Tuning
from workbench.tuning.job import TuningJob
from workbench.tuning.terms import read_terms, typed_terms
from workbench.tuning.types import TuneOutcome, TuneTerms


class TuneDesk(LongWork):
    """Tuning the weights of the game that is analysed; an InputError if it has none."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.start_position: Position = start_of(desk.position.game)
        self.job = TuningJob(self.start_position, read_terms(""))

    @property
    def terms(self) -> TuneTerms:
        """How the genetic algorithm works."""
        return self.tuning.terms

    @property
    def tuning(self) -> Tuning:
        """The genetic algorithm, with its generations by now."""
        return self.job.tuning

    @property
    def found(self) -> TuneOutcome:
        """The result so far."""
        return self.job.outcome()

    @property
    def testing(self) -> tuple[int, int]:
        """How many games of the acceptance test are done, of how many."""
        return self.job.testing or (0, 0)

    @property
    def kept_as(self) -> str | None:
        """The name under which the weights are kept."""
        return self.job.kept_as

    def agree(self, text: str) -> None:
        """Other terms."""
        if self.busy:
            raise InputError("It is running; stop it first.")
        self.job = TuningJob(self.start_position, read_terms(text))
        self.changes += 1

    @property
    def terms_text(self) -> str:
        """The terms as they are typed."""
        return typed_terms(self.terms)

    def do(self, workers: Workers) -> None:
        """Make the generations that are missing, then test the best weights."""
        self.job.run(workers, self._note, lambda: self.compile("alphabeta", self.start_position.game.id))

    def keep(self, name: str) -> None:
        """Keep the best weights under a name."""
        self.job.keep(name)
        self._note()

    def _note(self) -> None:
        """There is something new to see."""
        self.changes += 1

"""State of the Tune screen: the terms and the running genetic algorithm. It knows nothing of the screen."""

from __future__ import annotations

from engines.contract import InputError
from engines.game import Game
from engines.position import Position
from workbench.jobs.long_work import LongWork
from workbench.jobs.workers import Workers
from workbench.play.openings import start_of
from workbench.tuning.genetic import Tuning
from workbench.tuning.job import TuningJob
from workbench.tuning.terms import read_terms, typed_terms
from workbench.tuning.types import TuneOutcome, TuneTerms


class TuneDesk(LongWork):
    """The state of tuning the weights of a game. Raises InputError if the game has none."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.start_position: Position = start_of(game)
        self.job = TuningJob(self.start_position, read_terms(""))

    @property
    def terms(self) -> TuneTerms:
        """The parameters of the genetic algorithm."""
        return self.tuning.terms

    @property
    def tuning(self) -> Tuning:
        """The genetic algorithm with its generations so far."""
        return self.job.tuning

    @property
    def outcome(self) -> TuneOutcome:
        """The result so far."""
        return self.job.outcome()

    @property
    def testing(self) -> tuple[int, int]:
        """How many games of the acceptance test are done, of how many."""
        return self.job.testing or (0, 0)

    @property
    def kept_as(self) -> str | None:
        """The name under which the weights are kept; None if they are not."""
        return self.job.kept_as

    def agree(self, text: str) -> None:
        """Set other terms, typed as text."""
        if self.busy:
            raise InputError("It is running; stop it first.")
        self.job = TuningJob(self.start_position, read_terms(text))
        self.changes += 1

    @property
    def terms_text(self) -> str:
        """The terms as the user would type them."""
        return typed_terms(self.terms)

    def do(self, workers: Workers) -> None:
        """Make the generations that are missing, then test the best weights. Called in a background thread."""
        self.job.run(workers, self._note, lambda: self.compile("alphabeta", self.start_position.game.id))

    def keep(self, name: str) -> None:
        """Keep the best weights under a name."""
        self.job.keep(name)
        self._note()

    def _note(self) -> None:
        """Count a change, so that the screen draws again."""
        self.changes += 1

"""Tuning from start to end without a screen: compile, resume from the journal, run, test, and keep the weights; or the test
alone, of weights that the caller names.

The command `tune` and the Tune screen both use this; they differ only in how they show the result so far.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engines.contract import InputError
from engines.position import Position
from workbench.jobs.journal import taken_up
from workbench.jobs.workers import Workers
from workbench.tuning import named_weights
from workbench.tuning.duels import PlayedDuels
from workbench.tuning.genetic import AcceptanceTest, Tuning
from workbench.tuning.types import DRAWS, Acceptance, TuneOutcome, TuneTerms, Weights, weights_text


class TuningJob:
    """A genetic algorithm, the test of the weights that it finds, and the journal of both."""

    def __init__(
        self,
        start: Position,
        terms: TuneTerms,
        reference: Weights | None = None,
        draws: int = DRAWS,
        journal: Path | None = None,
        save: str | None = None,
        candidate: Weights | None = None,
    ) -> None:
        """With `draws`, the best weights are tested against the `reference`. They are kept under the name `save`, if it is
        given. A `journal` given by the caller is kept when all is done. With a `candidate` no generation is made: these
        weights are tested, without a journal."""
        self.tuning = Tuning(start, terms)
        self.candidate = candidate
        self.reference, self.draws, self.journal, self.save = reference, draws, journal, save
        self.acceptance: Acceptance | None = None
        self.testing: tuple[int, int] | None = None
        """How many games of the acceptance test are done, of how many; None before it begins."""
        self.kept_as: str | None = None
        """The name under which the weights are kept; None if they are not."""

    @property
    def is_done(self) -> bool:
        """Whether all generations are complete, and the test if one is wanted."""
        return self.tuning.is_complete and (self.acceptance is not None or not self.draws)

    def outcome(self) -> TuneOutcome:
        """The result so far."""
        return self.tuning.outcome(self.acceptance, self.kept_as)

    def run(
        self,
        workers: Workers,
        on_change: Callable[[], object] = lambda: None,
        compile: Callable[[], object] | None = None,
    ) -> bool:
        """Make the generations that are missing, and test the best weights. Returns True if the user interrupted it with
        Ctrl-C. `on_change` is called in this thread whenever the result has changed. `compile` compiles the code that plays,
        if it is missing; without it, that happens in this process."""
        tuning, compile = self.tuning, compile or self.tuning.compile
        if self.candidate is not None:
            try:
                self._test(self.candidate, workers, on_change, compile)
            except KeyboardInterrupt:
                return True
            return False
        interrupted = False
        with taken_up(tuning, "tuning", self.journal, lambda: self.is_done) as journal:
            try:
                if not tuning.is_complete and not tuning.is_compiled:
                    compile()
                for _ in tuning.run(journal, workers):
                    on_change()
                if tuning.is_complete and not self.is_done:
                    assert tuning.best is not None
                    self._test(tuning.best, workers, on_change, compile, journal.add)
            except KeyboardInterrupt:
                interrupted = True
            if self.save is not None and tuning.is_complete:
                self.keep(self.save)
        on_change()
        return interrupted

    def _test(
        self,
        weights: Weights,
        workers: Workers,
        on_change: Callable[[], object],
        compile: Callable[[], object],
        keep: Callable[[PlayedDuels], None] = lambda played: None,
    ) -> None:
        """Test weights; `keep` is called with the results of their games. There is no verdict if the workers are stopped
        meanwhile."""
        tuning = self.tuning
        test = AcceptanceTest(tuning.duels, weights, tuning.coding, self.reference, self.draws, tuning.terms.seed)
        missing = len(tuning.duels.missing(test.meetings))
        if missing and not tuning.is_compiled:
            compile()
        self.testing = (0, missing)
        on_change()
        for done in test.run(workers, keep):
            self.testing = (done, missing)
            on_change()
        if not tuning.duels.missing(test.meetings):
            self.acceptance = test.verdict()

    def keep(self, name: str) -> None:
        """Keep the best weights under a name."""
        best = self.tuning.best
        if best is None:
            raise InputError("There are no weights yet.")
        named_weights.keep(self.tuning.start.game.id, name, weights_text(best))
        self.kept_as = name

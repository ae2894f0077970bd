"""What lies on the desk of the Tune screen: terms, and a genetic algorithm that runs. No screen is known here."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import InputError, shown
from engines.position import Position
from workbench.analysis.desk import Desk
from workbench.jobs.job import LongWork
from workbench.jobs.journal import Journal, fingerprint
from workbench.jobs.workers import Workers
from workbench.play.openings import start_of
from workbench.sessions.store import data_directory
from workbench.tuning import named_weights as presets
from workbench.tuning.genetic import AcceptanceTest, Tuning
from workbench.tuning.types import Acceptance, TuneOutcome, TuneTerms
from workbench.tuning.view import weights_text

NUMBERS = ("population", "generations", "bits", "depth", "seed")
SHARES = ("pairing", "mutation")
WORDS = "population 16, generations 100, depth 4, seed 1, pairing 0.5, mutation 0.05, bits 10"


class TuneDesk(LongWork):
    """Tuning the weights of the game that is analysed; an InputError if it has none."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.start_position: Position = start_of(desk.position.game)
        self.terms = TuneTerms(seed=1)
        self.tuning = Tuning(self.start_position, self.terms)
        self.acceptance: Acceptance | None = None
        self.testing = (0, 0)
        """How many games of the acceptance test are done, of how many."""
        self.kept_as: str | None = None

    @property
    def found(self) -> TuneOutcome:
        """What is known by now."""
        return self.tuning.outcome(self.acceptance, self.kept_as)

    def agree(self, text: str) -> None:
        """Other terms."""
        if self.busy:
            raise InputError("It is running; stop it first.")
        terms = read_terms(text)
        tuning = Tuning(self.start_position, terms)
        self.terms, self.tuning, self.acceptance, self.kept_as = terms, tuning, None, None
        self.changes += 1

    @property
    def terms_text(self) -> str:
        """The terms as they are typed."""
        return ", ".join(f"{name} {getattr(self.terms, name):g}" for name in (*NUMBERS, *SHARES))

    def do(self, workers: Workers) -> None:
        """Make the generations that are missing, then test the best weights."""
        tuning = self.tuning
        if not tuning.is_compiled:
            self.compile("alphabeta", self.start_position.game.id)
        path = data_directory() / "tuning" / f"{fingerprint(tuning.head)}.journal"
        with Journal(path, tuning.head) as journal:
            tuning.resume(journal)
            for _ in tuning.run(journal, workers):
                self.changes += 1
            best = tuning.best
            if not tuning.is_complete or best is None or self.acceptance is not None:
                return
            test = AcceptanceTest(tuning.duels, best, tuning.coding, seed=self.terms.seed)
            missing = len(tuning.duels.missing(test.meetings))
            for done in test.run(workers, journal.add):
                self.testing = (done, missing)
                self.changes += 1
            if not tuning.duels.missing(test.meetings):
                self.acceptance = test.verdict()
                journal.remove()

    def keep(self, name: str) -> None:
        """Keep the best weights under a name."""
        best = self.tuning.best
        if best is None:
            raise InputError("There are no weights yet.")
        presets.keep(self.start_position.game.id, name, weights_text(best))
        self.kept_as = name
        self.changes += 1


def read_terms(text: str) -> TuneTerms:
    """What a person typed."""
    terms = TuneTerms(seed=1)
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition(" ")
        try:
            if name in NUMBERS:
                terms = replace(terms, **{name: int(value)})
            elif name in SHARES:
                terms = replace(terms, **{name: float(value)})
            else:
                raise ValueError
        except InputError:
            raise
        except ValueError:
            raise InputError(f"{shown(part)} is no term of tuning; terms are such as {WORDS}.") from None
    return terms

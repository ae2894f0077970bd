"""State of the Match screen: the players, the terms, and the running match. It knows nothing of the screen."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, shown
from engines.position import Position
from workbench.analysis.desk import Desk
from workbench.jobs.long_work import LongWork
from workbench.jobs.workers import Workers
from workbench.matches.job import MatchJob
from workbench.matches.match import Match
from workbench.matches.terms import read_terms, typed_terms
from workbench.matches.types import MatchOutcome
from workbench.play.game_loop import PlayedGame, check_game
from workbench.play.openings import start_of
from workbench.play.players import Player, read_players

USUAL = ("alphabeta", "random")


class MatchDesk(LongWork):
    """The state of a match in the analysed game."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.start_position: Position = start_of(desk.position.game)
        check_game(self.start_position.game)
        chosen = catalog.algorithm(desk.algorithm)
        fitting = chosen.judges and catalog.misfit(chosen, self.start_position) is None
        first = desk.algorithm if fitting else USUAL[0]
        self.texts: tuple[str, ...] = (first, USUAL[1])
        self.terms, self.limit, self.openings = read_terms("")
        self.match: Match | None = None
        self.outcome: MatchOutcome | None = None
        """The result so far; replaced whenever a game has ended. None before the first."""
        self.scores: list[float] = []
        """The first contestant's share of all points, after each game of the plan."""
        self.place = ""
        """Where the games were written, once all are played; empty before."""
        self.skipped = ""
        """A sentence about openings of a file that were skipped; empty if there are none."""

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, read from the text that the user typed."""
        return read_players(self.texts, self.start_position.game.id, self.limit)[0]

    # Changes by the user.

    def choose(self, text: str) -> None:
        """Set other players, given as words."""
        try:
            words = tuple(shlex.split(text))
        except ValueError:
            raise InputError(f"A quotation mark is missing in {shown(text, 80)}.") from None
        before = self.texts
        self.texts = words
        self._check(lambda: setattr(self, "texts", before))

    def agree(self, text: str) -> None:
        """Set other terms: `games 100, depth 4, seed 1` and so on."""
        before = self.terms, self.limit, self.openings
        self.terms, self.limit, self.openings = read_terms(text)

        def undo() -> None:
            self.terms, self.limit, self.openings = before

        self._check(undo)

    def _check(self, undo: Callable[[], None]) -> None:
        """Accept a change if a match can be made with it. Otherwise call `undo` and raise InputError."""
        if self.busy:
            undo()
            raise InputError("The match is running; stop it first.")
        try:
            Match(self.players, self.start_position, replace(self.terms, games=1), "start")
        except InputError:
            undo()
            raise
        self.match = self.outcome = None
        self.scores, self.place, self.skipped = [], "", ""
        self.changes += 1

    @property
    def terms_text(self) -> str:
        """The terms as the user would type them."""
        return typed_terms(self.terms, self.limit, self.openings)

    # Running.

    def do(self, workers: Workers) -> None:
        """Play the games that are missing. Called in a background thread."""
        job = MatchJob(self.players, self.start_position, self.terms, self.openings)
        self.match, self.skipped = job.match, job.match.openings.skipped
        game = self.start_position.game.id
        job.run(workers, lambda: self._look(job), lambda name: self.compile(name, game))

    def _look(self, job: MatchJob) -> None:
        match = job.match
        self.outcome = match.outcome()
        self.place = str(job.place) if job.place is not None and match.is_complete else ""
        points, scores = 0.0, []
        name = match.players[0].name
        for number, game in enumerate((one for one in self.outcome.games if name in one.players), 1):
            points += game.score(game.players.index(name))
            scores.append(points / number)
        self.scores = scores
        self.changes += 1

    @property
    def last_game(self) -> PlayedGame | None:
        """The game with the highest number; None if none is played."""
        return self.outcome.games[-1] if self.outcome and self.outcome.games else None

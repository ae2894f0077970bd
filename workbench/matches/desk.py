"""What lies on the desk of the Match screen: players, terms, and a match that runs. No screen is known here."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Limit, shown
from engines.position import Position
from workbench.analysis.desk import Desk
from workbench.jobs.job import LongWork
from workbench.jobs.journal import Journal, fingerprint
from workbench.jobs.workers import Workers
from workbench.matches.match import Match
from workbench.matches.statistics import ALPHA, BETA, Sprt
from workbench.matches.types import MatchOutcome, Terms
from workbench.play import game_files
from workbench.play.game_loop import MOST_PLIES, PlayedGame, check_game
from workbench.play.openings import start_of
from workbench.play.players import Player, read_limit, read_players
from workbench.sessions.store import data_directory

GAMES = 40
USUAL = ("alphabeta", "random")
WORDS = "games 100, depth 4, nodes 5000, seed 1, openings random:4, sprt 0:20, adjudicate proof, gauntlet"


class MatchDesk(LongWork):
    """A match of the game that is analysed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.start_position: Position = start_of(desk.position.game)
        check_game(self.start_position.game)
        fitting = catalog.misfit(catalog.algorithm(desk.algorithm), self.start_position) is None
        first = desk.algorithm if fitting and desk.algorithm != "random" else USUAL[0]
        self.texts: tuple[str, ...] = (first, USUAL[1])
        self.limit = Limit()
        self.openings = "random"
        self.terms = Terms(games=GAMES, seed=1, most_plies=MOST_PLIES)
        self.match: Match | None = None
        self.found: MatchOutcome | None = None
        """What is known by now; another one whenever a game has ended."""
        self.scores: list[float] = []
        """The first player's share of all points, after each game of the plan."""
        self.place = ""
        """Where the games are, once all are played."""
        self.skipped = ""
        """What is to be said of a file of openings, once it is read; else empty."""

    @property
    def players(self) -> tuple[Player, ...]:
        """The players that were typed."""
        return read_players(self.texts, self.start_position.game.id, self.limit)[0]

    # What a person changes.

    def choose(self, text: str) -> None:
        """Other players: each a word."""
        try:
            words = tuple(shlex.split(text))
        except ValueError:
            raise InputError(f"A quotation mark is missing in {shown(text, 80)}.") from None
        before = self.texts
        self.texts = words
        self._check(lambda: setattr(self, "texts", before))

    def agree(self, text: str) -> None:
        """Other terms: `games 100, depth 4, seed 1` and so on."""
        before = self.terms, self.limit, self.openings
        self.terms, self.limit, self.openings = read_terms(text)

        def undo() -> None:
            self.terms, self.limit, self.openings = before

        self._check(undo)

    def _check(self, undo: Callable[[], None]) -> None:
        """Take it if a match can be made of it; else undo it, and say why."""
        if self.busy:
            undo()
            raise InputError("The match is running; stop it first.")
        try:
            Match(self.players, self.start_position, replace(self.terms, games=1), "start")
        except InputError:
            undo()
            raise
        self.match = self.found = None
        self.scores, self.place, self.skipped = [], "", ""
        self.changes += 1

    @property
    def terms_text(self) -> str:
        """The terms as they are typed."""
        words = [f"games {self.terms.games}"]
        given = {name: getattr(self.limit, name) for name in Limit.__struct_fields__}
        words += [f"{name} {value:g}" for name, value in given.items() if value is not None]
        words += [f"seed {self.terms.seed}", f"openings {self.openings}"]
        if self.terms.sprt is not None:
            words.append(f"sprt {self.terms.sprt.elo0:g}:{self.terms.sprt.elo1:g}")
        if self.terms.adjudicate != "none":
            words.append(f"adjudicate {self.terms.adjudicate}")
        if self.terms.style == "gauntlet":
            words.append("gauntlet")
        return ", ".join(words)

    # Running.

    def do(self, workers: Workers) -> None:
        """Play what is not played yet."""
        match = self.match = Match(self.players, self.start_position, self.terms, self.openings)
        self.skipped = match.openings.skipped
        folder = data_directory() / "matches"
        for name in match.uncompiled():
            self.compile(name, self.start_position.game.id)
        with Journal(folder / f"{fingerprint(match.head)}.journal", match.head) as journal:
            match.resume(journal)
            self._look(match)
            for _ in match.run(journal, workers):
                self._look(match)
            if match.is_complete:
                event = " - ".join(player.name for player in match.players)
                name = f"{self.start_position.game.id} {event}"
                self.place = str(game_files.keep_games(match.counted(), folder, name, event))
                journal.remove()
        self._look(match)

    def _look(self, match: Match) -> None:
        self.found = match.outcome()
        points, scores = 0.0, []
        name = match.players[0].name
        for number, game in enumerate((one for one in self.found.games if name in one.players), 1):
            points += game.score(game.players.index(name))
            scores.append(points / number)
        self.scores = scores
        self.changes += 1

    @property
    def last_game(self) -> PlayedGame | None:
        """The game with the highest number."""
        return self.found.games[-1] if self.found and self.found.games else None


def read_terms(text: str) -> tuple[Terms, Limit, str]:
    """What a person typed: terms, the limit of all who have none of their own, and openings."""
    terms, openings = Terms(games=GAMES, seed=1, most_plies=MOST_PLIES), "random"
    limits: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition(" ")
        name, value = name.lower(), value.strip()
        if name in Limit.__struct_fields__:
            limits[name] = value
        elif name in ("games", "seed", "plies") and re.fullmatch("[0-9]{1,12}", value):
            terms = replace(terms, **{"most_plies" if name == "plies" else name: int(value)})
        elif name == "openings" and value:
            openings = value
        elif name == "sprt" and (found := re.fullmatch(r"(-?[0-9.]+):(-?[0-9.]+)", value)):
            low, high = float(found[1]), float(found[2])
            if low >= high:
                raise InputError(f"The second Elo of a test is larger than the first, not {shown(value)}.")
            terms = replace(terms, sprt=Sprt(elo0=low, elo1=high, alpha=ALPHA, beta=BETA))
        elif name == "adjudicate" and value in ("none", "proof", "table", "both"):
            terms = replace(terms, adjudicate=value)
        elif name == "gauntlet" and not value:
            terms = replace(terms, style="gauntlet")
        else:
            raise InputError(f"{shown(part)} is no term of a match; terms are such as {WORDS}.")
    return terms, read_limit(limits), openings

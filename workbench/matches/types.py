"""The frozen types of matches: what is to be played, and the results. They are written to JSON and to journals."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engines.contract import InputError, Setting
from workbench.matches.bounds import LONGEST_GAME, MOST_GAMES
from workbench.matches.statistics import Rating, Sprt, Strength, Tally
from workbench.play.game_loop import Adjudication, Effort, PlayedGame
from workbench.play.players import Player

Style = Literal["round robin", "gauntlet"]
"""Everybody against everybody, or the first contestant against all others."""


class Terms(Struct, frozen=True, kw_only=True):
    """The terms of a match: everything except the players and the openings."""

    games: int
    """The games between any two players who meet."""
    seed: int = 0
    style: Style = "round robin"
    adjudicate: Adjudication = "none"
    most_plies: int
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_GAMES:
            raise InputError(f"A match has 1 to {MOST_GAMES:,} games, not {self.games:,}.")
        if not 1 <= self.most_plies <= LONGEST_GAME:
            raise InputError(f"A game is drawn after 1 to {LONGEST_GAME:,} plies, not {self.most_plies:,}.")


class MatchHead(Struct, frozen=True, kw_only=True):
    """Everything that determines the games of a match, written at the start of its journal."""

    format: str
    version: str
    game: str
    size: str
    options: dict[str, Setting]
    players: tuple[str, ...]
    """The players, each encoded as JSON."""
    terms: Terms
    openings: int
    digest: str
    """A digest of all openings."""


class GameTask(Struct, frozen=True, kw_only=True):
    """One game for a worker to play."""

    number: int
    pair: int
    """The index, from 0, of the pair of games between these two players."""
    sides: tuple[int, int]
    """The indices, from 0, of the player who moves first and of the other one."""
    players: tuple[Player, Player]
    game: str
    size: str
    options: dict[str, Setting]
    opening: str
    seed: int
    adjudicate: Adjudication
    most_plies: int

    def is_of(self, game: PlayedGame) -> bool:
        """Whether a played game is the one of this task, whatever its result."""
        names = self.players[0].name, self.players[1].name
        planned = self.game, self.size, self.options, names, self.opening, self.seed
        return planned == (game.game, game.size, game.options, game.players, game.opening, game.seed)


class Encounter(Struct, frozen=True, kw_only=True):
    """The result between two players, from the first one's side."""

    players: tuple[str, str]
    tally: Tally
    strength: Strength | None


class Standing(Struct, frozen=True, kw_only=True):
    """The result of a player against all others together."""

    name: str
    title: str
    """A description of the player."""
    tally: Tally
    score: float | None
    strength: Strength | None
    """The strength against all others together; None without games."""
    rating: Rating | None
    """The rating; None if there are only two players."""
    effort: Effort
    mean_depth: float
    nodes_per_move: float
    seconds_per_move: float


class Progress(Struct, frozen=True, kw_only=True):
    """The state of a sequential test."""

    test: Sprt
    ratio: float
    lower: float
    upper: float
    verdict: int | None
    """The accepted hypothesis: 0 for `elo0`, 1 for `elo1`; None while undecided."""
    games: int
    """The games that entered the test. Those played after its decision count nowhere."""


class MatchOutcome(Struct, frozen=True, kw_only=True):
    """The result of a match so far."""

    game: str
    size: str
    options: dict[str, Setting]
    terms: Terms
    openings: int
    total: int
    done: int
    complete: bool
    resumed: int
    """The number of games that were taken over from the journal."""
    repeatable: bool
    """Whether the same command gives the same games: no limit is in seconds, and no threads share a search."""
    distinct: int
    """The number of games that differ from each other."""
    evidence: int
    """The number of games used for intervals and ratings. Repetitions of a game between players that are not random are left
    out."""
    first_wins: int
    draws: int
    second_wins: int
    adjudicated: int
    standings: tuple[Standing, ...]
    """The players, best first."""
    encounters: tuple[Encounter, ...]
    sprt: Progress | None
    games: tuple[PlayedGame, ...]

"""The frozen types of matches: what is to be played, and what came out. Pure data, for JSON and for journals."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engines.contract import InputError, Setting
from workbench.matches.bounds import LONGEST_GAME, MOST_GAMES
from workbench.matches.statistics import Rating, Sprt, Strength, Tally
from workbench.play.game_loop import Adjudication, Effort, PlayedGame
from workbench.play.players import Player

Style = Literal["round robin", "gauntlet"]
"""Everybody against everybody, or the first player against all others."""


class Terms(Struct, frozen=True, kw_only=True):
    """What a match is about, apart from who plays and from where."""

    games: int
    """Of any two who meet."""
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
    """Everything that decides how a match comes out: its journal begins with it."""

    format: str
    version: str
    game: str
    size: str
    options: dict[str, Setting]
    players: tuple[str, ...]
    """Each as JSON, whatever kind of player it is."""
    terms: Terms
    openings: int
    digest: str
    """Of all openings."""


class GameTask(Struct, frozen=True, kw_only=True):
    """One game to be played by a worker, wherever it is."""

    number: int
    pair: int
    """Which pair of games of these two it belongs to, counted from 0."""
    sides: tuple[int, int]
    """Which players, by their numbers from 0: the first to move, and the second."""
    players: tuple[Player, Player]
    game: str
    size: str
    options: dict[str, Setting]
    opening: str
    seed: int
    adjudicate: Adjudication
    most_plies: int

    def is_of(self, game: PlayedGame) -> bool:
        """The game is this one, whatever came out."""
        names = self.players[0].name, self.players[1].name
        planned = self.game, self.size, self.options, names, self.opening, self.seed
        return planned == (game.game, game.size, game.options, game.players, game.opening, game.seed)


class Encounter(Struct, frozen=True, kw_only=True):
    """How two players came out against each other, from the side of the first of them."""

    players: tuple[str, str]
    tally: Tally
    strength: Strength | None


class Standing(Struct, frozen=True, kw_only=True):
    """How a player came out against all others together."""

    name: str
    title: str
    """What it is."""
    tally: Tally
    score: float | None
    strength: Strength | None
    """Against all others together."""
    rating: Rating | None
    """Where there are more than two."""
    effort: Effort
    mean_depth: float
    nodes_per_move: float
    seconds_per_move: float


class Progress(Struct, frozen=True, kw_only=True):
    """Where a sequential test stands."""

    test: Sprt
    ratio: float
    lower: float
    upper: float
    verdict: int | None
    """0: the difference is `elo0`; 1: it is `elo1`; None: it is not decided."""
    games: int
    """So many games decided it, or went into it by now. Those played beyond that count nowhere."""


class MatchOutcome(Struct, frozen=True, kw_only=True):
    """All that is known of a match by now."""

    game: str
    size: str
    options: dict[str, Setting]
    terms: Terms
    openings: int
    total: int
    done: int
    complete: bool
    resumed: int
    """Games that were taken from the journal."""
    repeatable: bool
    """The same command gives the same games: no limit is in seconds."""
    distinct: int
    """How many of the games are different from each other."""
    evidence: int
    """How many of them went into intervals and ratings: not those that players who draw no lots had played before."""
    first_wins: int
    draws: int
    second_wins: int
    adjudicated: int
    standings: tuple[Standing, ...]
    """The best first."""
    encounters: tuple[Encounter, ...]
    sprt: Progress | None
    games: tuple[PlayedGame, ...]

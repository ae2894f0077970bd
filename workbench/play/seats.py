"""Who plays which side of a game: people and players, from the words that a user names them by."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Limit, shown
from engines.position import Position
from workbench.play.levels import Level, level, levels
from workbench.play.players import Player, read_player
from workbench.sessions.play_types import YOU

PEOPLE = (YOU, "person", "human", "me")
NODES, ITERATIONS = 200_000, 5_000
"""The default limits of a player."""
SIDES = {"first": 0, "white": 0, "x": 0, "second": 1, "black": 1, "o": 1}
"""Names of sides that are understood in every game."""

Seats = tuple[Player | None, Player | None]
"""Who plays first, and who plays second; None for a person."""


def read_seat(text: str, game: str, limit: Limit | None = None) -> Player | None:
    """The player that a text names: None for a person, otherwise a player or level; `3` is short for level 3."""
    plain = text.strip()
    if plain.lower() in PEOPLE:
        return None
    if plain.isdecimal():
        plain = f"level:{plain}"
    try:
        return with_limit(read_player(plain, game, limit or Limit()))
    except InputError as error:
        if plain.partition(":")[0].rpartition("=")[2] in (*catalog.ALGORITHMS, "level"):
            raise
        raise InputError(f"{shown(text)} is not a player; a player is you, level:3, or an algorithm ({error})") from None


def with_limit(player: Player) -> Player:
    """The same player, with the default limit if it has none."""
    if player.limit != Limit() or isinstance(player, Level):
        return player
    has = catalog.algorithm(player.algorithm).limits
    return replace(player, limit=Limit(nodes=NODES) if "nodes" in has else Limit(iterations=ITERATIONS))


def seat_text(player: Player | None) -> str:
    """The text of a player that `read_seat` reads."""
    return YOU if player is None else player.title


def usual_level(position: Position) -> Level:
    """The default level: below the middle."""
    return level(position.game, max(1, round(0.4 * len(levels(position.game)))))


class SeatWishes(Struct, frozen=True, kw_only=True):
    """Who is to play, as the user named them: one for each side, or one opponent. Raises InputError if they contradict."""

    first: str | None = None
    second: str | None = None
    level: int | None = None
    """The opponent is this level."""
    algorithm: str | None = None
    """The opponent is this algorithm."""
    side: str = "first"
    """The side that the user plays against the opponent."""
    limit: Limit = Limit()
    """The limit of players that have none of their own."""

    def __post_init__(self) -> None:
        if self.level is not None and self.algorithm is not None:
            raise InputError("An opponent is a level or an algorithm, not both.")
        if self.level is not None and self.limit != Limit():
            raise InputError("A level has its own limit; --algorithm takes others.")

    @property
    def settings_of(self) -> str | None:
        """The algorithm that settings are meant for: the only one that is named; None if there is none."""
        others = [name for name in (self.first, self.second, self.algorithm) if name not in (None, YOU)]
        heads = [str(name).partition(":")[0].rpartition("=")[2] for name in others]
        return heads[0] if len(heads) == 1 and heads[0] != "level" and not heads[0].isdecimal() else None

    def seats(self, start: Position, settings: Mapping[str, str]) -> Seats:
        """The players of a game from this position, the opponent with these settings. If nobody is named, the user plays
        against the default level."""
        texts = [self.first, self.second]
        opponent = f"level:{self.level}" if self.level is not None else self.algorithm
        if opponent is not None and settings:
            opponent = ":".join([opponent, *(f"{name}={value}" for name, value in settings.items())])
        if opponent is None and texts == [None, None]:
            opponent = usual_level(start).title
        if opponent is not None:
            other = 1 - read_side(self.side, start)
            if texts[other] is not None:
                raise InputError("Two opponents are named for one side: --first or --second, and --level or --algorithm.")
            texts[other] = opponent
        first, second = (read_seat(text or YOU, start.game.id, self.limit) for text in texts)
        return first, second


def read_side(text: str, position: Position) -> int:
    """The side that the user names: 0 for the first, 1 for the second."""
    names = {**SIDES, **{name.lower(): number for number, name in enumerate(position.game.players)}}
    if text.lower() not in names:
        first, second = position.game.players
        raise InputError(f"A side is {first} (first) or {second} (second), not {shown(text)}.")
    return names[text.lower()]


def opponents(players: Seats) -> str:
    """The names of the players, for the title of a session."""
    names = [player.name for player in players if player is not None]
    return " and ".join(names) if names else "a person"

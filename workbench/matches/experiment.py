"""The course's experiment: two algorithms that find the same values play the same games against random players.

Minimax and alpha-beta search equally deep and find the same values, so all games are the same move by move. Only the number
of nodes and the time differ. Games are played one after another, so that times can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engines.contract import InputError, Limit, Setting
from engines.position import Position
from workbench.play.game_loop import Effort, PlayedGame, check_game, play_game
from workbench.play.players import Player, seed_of

ALGORITHMS = ("minimax", "alphabeta")
GAMES, DEPTH = 100, 4
RANDOM = Player(name="random", algorithm="random", limit=Limit())


class Side(Struct, frozen=True, kw_only=True):
    """The totals of one algorithm."""

    algorithm: str
    wins: int
    draws: int
    losses: int
    moves: int
    nodes: int
    seconds: float
    """The time of its searches, in seconds."""
    seconds_per_game: float


class Experiment(Struct, frozen=True, kw_only=True):
    """The result of the experiment."""

    game: str
    size: str
    options: dict[str, Setting]
    depth: int
    games: int
    seed: int
    sides: tuple[Side, ...]
    same_games: int
    """The number of games that were the same move by move for all algorithms."""
    identical: bool
    node_ratio: float | None
    """The first algorithm's nodes divided by the last one's; None if that is not defined."""
    time_ratio: float | None
    moves: tuple[tuple[str, ...], ...]
    """The moves of every game of the first algorithm."""


class ExperimentRun:
    """A running experiment."""

    def __init__(
        self,
        start: Position,
        algorithms: Sequence[str] = ALGORITHMS,
        games: int = GAMES,
        depth: int = DEPTH,
        seed: int = 0,
    ) -> None:
        check_game(start.game)
        if len(algorithms) < 2:
            raise InputError(f"The experiment compares two algorithms or more, not {len(algorithms)}.")
        self.start, self.games, self.depth, self.seed = start, games, depth, seed
        self.players = [Player(name=name, algorithm=name, limit=Limit(depth=depth)) for name in algorithms]
        for player in self.players:
            player.check(start)
        self.played: list[list[PlayedGame]] = [[] for _ in self.players]

    def run(self) -> Iterator[int]:
        """Play the games and yield how many are done. The algorithm moves first in every other game."""
        for player in self.players:  # compiles the code before the time is measured
            player.move(self.start)
        for number in range(self.games):
            for player, played in zip(self.players, self.played, strict=True):
                players = (player, RANDOM) if number % 2 == 0 else (RANDOM, player)
                game = play_game(players, self.start, seed_of(self.seed, number), number + 1)
                assert game is not None
                played.append(game)
            yield number + 1

    def outcome(self) -> Experiment:
        """The result of the games that all algorithms have played."""
        done = min(map(len, self.played))
        played = [games[:done] for games in self.played]
        sides = [_side(player.name, games) for player, games in zip(self.players, played, strict=True)]
        same = sum(len({games[number].moves for games in played}) == 1 for number in range(done))
        game, first, last = self.start.game, sides[0], sides[-1]
        return Experiment(
            game=game.id,
            size=game.size,
            options=game.options,
            depth=self.depth,
            games=done,
            seed=self.seed,
            sides=tuple(sides),
            same_games=same,
            identical=same == done,
            node_ratio=first.nodes / last.nodes if last.nodes else None,
            time_ratio=first.seconds / last.seconds if last.seconds else None,
            moves=tuple(one.moves for one in played[0]),
        )


def _side(name: str, games: Sequence[PlayedGame]) -> Side:
    scores = [game.score(game.players.index(name)) for game in games]
    effort = sum((game.efforts[game.players.index(name)] for game in games), Effort())
    return Side(
        algorithm=name,
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        moves=effort.moves,
        nodes=effort.nodes,
        seconds=effort.seconds,
        seconds_per_game=effort.seconds / max(1, len(games)),
    )

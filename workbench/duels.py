"""Games between weights of one game's evaluation, in pieces for workers; what is known of two who have met is kept."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Limit, Setting
from engines.duel import Ring, fits
from engines.game import Position
from workbench.played import MOST_PLIES, play_game
from workbench.players import Player
from workbench.tune_types import Weights
from workbench.workers import Workers, results

CHUNKS = 4
"""The games of a round are shared out in so many pieces for each worker."""
VALUES = {"first": 1, "draw": 0, "second": -1}

Meeting = tuple[Weights, Weights]
"""Whose weights the first player has, and whose the second."""


class Result(Struct, frozen=True, array_like=True):
    """How a game between two weights came out."""

    value: int
    """1 if the first player wins, -1 if the second does, 0 if nobody."""
    plies: int


class DuelTask(Struct, frozen=True, kw_only=True):
    """Games for a worker."""

    game: str
    size: str
    options: dict[str, Setting]
    start: str
    depth: int
    meetings: tuple[Meeting, ...]


class Duels:
    """Where weights meet: a start, a depth, and what is known of those who have met."""

    def __init__(self, start: Position, depth: int) -> None:
        if not any(parameter.name == "weights" for parameter in start.game.parameters):
            raise InputError(f"{start.game.title} has no weights to tune.")
        self.start, self.depth = start, depth
        self.known: dict[Meeting, Result] = {}
        self.played = 0
        """How many games were really played."""

    def missing(self, meetings: Iterable[Meeting]) -> list[Meeting]:
        """Those of the meetings whose result is not known, each once."""
        return [meeting for meeting in dict.fromkeys(meetings) if meeting not in self.known]

    def meet(self, meetings: Iterable[Meeting], workers: Workers) -> Iterator[int]:
        """Have all games played that are not known yet; yields how many are done, as they are."""
        missing = self.missing(meetings)
        size = max(1, -(-len(missing) // (CHUNKS * workers.count)))
        game = self.start.game
        tasks = [
            DuelTask(
                game=game.id,
                size=game.size,
                options=game.options,
                start=self.start.text,
                depth=self.depth,
                meetings=tuple(missing[first : first + size]),
            )
            for first in range(0, len(missing), size)
        ]
        done = 0
        for task, found in results(play_duels, tasks, workers):
            self.known.update(zip(task.meetings, found, strict=True))
            done += len(found)
            self.played += len(found)
            yield done

    def points(self, one: Weights, other: Weights) -> float:
        """What one makes against the other in two games, one with each side."""
        first, second = self.known[one, other].value, self.known[other, one].value
        return 1 + (first - second) / 2


def both_sides(one: Weights, other: Weights) -> list[Meeting]:
    """The two games of two who meet."""
    return [(one, other), (other, one)]


def play_duels(task: DuelTask) -> list[Result]:
    """Play games, in whatever process this is."""
    options = tuple((name, str(value)) for name, value in task.options.items())
    start = _start(task.game, task.size, options, task.start)
    if fits(type(start.game)):
        ring = _rings.of(start, task.depth)
        found = [ring.play(*meeting) for meeting in task.meetings]
        return [Result(one.value, len(one.moves)) for one in found]
    return [_searched(start, task.depth, meeting) for meeting in task.meetings]


@lru_cache(maxsize=4)
def _start(game: str, size: str, options: tuple[tuple[str, str], ...], text: str) -> Position:
    return catalog.position(text, game, size or None, dict(options))


class _Rings(threading.local):
    """The ring of this thread, kept from one piece of work to the next."""

    def __init__(self) -> None:
        self.last: Ring | None = None

    def of(self, start: Position, depth: int) -> Ring:
        if self.last is None or self.last.start is not start or self.last.depth != depth:
            self.last = Ring(start, depth)
        return self.last


_rings = _Rings()


def _searched(start: Position, depth: int, meeting: Meeting) -> Result:
    """A game move by move with searches of their own, where the past matters."""
    players = [player_of(weights, depth) for weights in meeting]
    found = play_game((players[0], players[1]), start, most_plies=MOST_PLIES)
    assert found is not None
    return Result(VALUES[found.outcome], found.plies)


def player_of(weights: Sequence[int], depth: int, name: str = "") -> Player:
    """The player that such games are between."""
    text = ",".join(map(str, weights))
    return Player(name=name or text, algorithm="alphabeta", limit=Limit(depth=depth), options={"weights": text})

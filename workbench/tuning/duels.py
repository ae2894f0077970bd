"""Games between weights of one game's evaluation, in pieces for workers; what is known of two who have met is kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from time import monotonic

from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Limit, Setting
from engines.duel import Ring, can_duel
from engines.position import Position
from workbench.jobs.workers import Workers, results
from workbench.play.game_loop import MOST_PLIES, play_game
from workbench.play.players import Player
from workbench.tuning.types import Weights, weights_text

CHUNKS = 4
"""The games of a round are shared out in so many pieces for each worker."""
PATIENCE = 0.3
"""Seconds of play after which a worker hands over what it has, and leaves the rest of its piece to whoever is free."""
VALUES = {"first": 1, "draw": 0, "second": -1}

Meeting = tuple[Weights, Weights]
"""Whose weights the first player has, and whose the second."""


class DuelResult(Struct, frozen=True, array_like=True):
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


class PlayedDuels(Struct, frozen=True, kw_only=True):
    """Games that are over, as a journal keeps them."""

    meetings: tuple[Meeting, ...]
    results: tuple[DuelResult, ...]


class DuelQueue(Iterator[DuelTask]):
    """The queue of games that are not being played yet. Those that a worker leaves are put back."""

    def __init__(self, tasks: Iterable[DuelTask]) -> None:
        self.left = deque(tasks)

    def __next__(self) -> DuelTask:
        if not self.left:
            raise StopIteration
        return self.left.popleft()


class Duels:
    """Where weights meet: a start, a depth, and what is known of those who have met."""

    def __init__(self, start: Position, depth: int) -> None:
        if not any(parameter.name == "weights" for parameter in start.game.parameters):
            raise InputError(f"{start.game.title} has no weights to tune.")
        self.start, self.depth = start, depth
        self.known: dict[Meeting, DuelResult] = {}
        self.played = 0
        """How many games were really played."""

    def missing(self, meetings: Iterable[Meeting]) -> list[Meeting]:
        """Those of the meetings whose result is not known, each once."""
        return [meeting for meeting in dict.fromkeys(meetings) if meeting not in self.known]

    def meet(
        self, meetings: Iterable[Meeting], workers: Workers, keep: Callable[[PlayedDuels], None] = lambda met: None
    ) -> Iterator[int]:
        """Have all games played that are not known yet; yields how many are done, as they are. Each is kept before."""
        missing = self.missing(meetings)
        size = max(1, -(-len(missing) // (CHUNKS * workers.count)))
        chunks = (missing[first : first + size] for first in range(0, len(missing), size))
        pieces = DuelQueue(self._task(tuple(chunk)) for chunk in chunks)
        done = 0
        for task, found in results(play_duels, pieces, workers):
            met = PlayedDuels(meetings=task.meetings[: len(found)], results=tuple(found))
            keep(met)
            self.take(met)
            if rest := task.meetings[len(found) :]:
                pieces.left.append(self._task(rest))
            done += len(found)
            self.played += len(found)
            yield done

    def take(self, met: PlayedDuels) -> bool:
        """Learn how games came out; False, and nothing is learnt, if they cannot have come out like that."""
        weights = len(usual_weights(self.start))
        possible = len(met.meetings) == len(met.results) and all(
            len(first) == len(second) == weights
            and result.value in (-1, 0, 1)
            and self.known.get((first, second), result) == result
            for (first, second), result in zip(met.meetings, met.results, strict=True)
        )
        if possible:
            self.known.update(zip(met.meetings, met.results, strict=True))
        return possible

    def _task(self, meetings: tuple[Meeting, ...]) -> DuelTask:
        game = self.start.game
        return DuelTask(
            game=game.id,
            size=game.size,
            options=game.options,
            start=self.start.text,
            depth=self.depth,
            meetings=meetings,
        )

    def points(self, one: Weights, other: Weights) -> float:
        """What one makes against the other in two games, one with each side."""
        first, second = self.known[one, other].value, self.known[other, one].value
        return 1 + (first - second) / 2


def both_sides(one: Weights, other: Weights) -> list[Meeting]:
    """The two games of two who meet."""
    return [(one, other), (other, one)]


def play_duels(task: DuelTask) -> list[DuelResult]:
    """Play games, in whatever process this is: the first of them, or as many as there is patience for."""
    options = tuple(catalog.as_typed(task.options).items())
    start = _start(task.game, task.size, options, task.start)
    ring = _rings.of(start, task.depth) if can_duel(type(start.game)) else None
    found, began = list[DuelResult](), monotonic()
    for meeting in task.meetings:
        found.append(_searched(start, task.depth, meeting) if ring is None else _in_ring(ring, meeting))
        if monotonic() - began > PATIENCE:
            break
    return found


def _in_ring(ring: Ring, meeting: Meeting) -> DuelResult:
    found = ring.play(*meeting)
    return DuelResult(found.value, len(found.moves))


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


def _searched(start: Position, depth: int, meeting: Meeting) -> DuelResult:
    """A game move by move with searches of their own, where the past matters."""
    players = [player_of(weights, depth) for weights in meeting]
    found = play_game((players[0], players[1]), start, most_plies=MOST_PLIES)
    assert found is not None
    return DuelResult(VALUES[found.outcome], found.plies)


def player_of(weights: Sequence[int], depth: int, name: str = "") -> Player:
    """The player that such games are between."""
    text = weights_text(weights)
    return Player(name=name or text, algorithm="alphabeta", limit=Limit(depth=depth), options={"weights": text})


def usual_weights(start: Position) -> Weights:
    """The game's own weights."""
    kind = type(start.game)
    text = next((str(catalog.default_in(one, kind.id)) for one in kind.parameters if one.name == "weights"), "")
    if not text:
        raise InputError(f"{start.game.title} has no weights to tune.")
    return tuple(int(part) for part in text.split(","))

"""Games between weights of one game's evaluation, split into tasks for workers. Results of earlier games are reused."""

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
"""The number of tasks per worker into which the games of a round are split."""
PATIENCE = 0.3
"""Seconds of play after which a worker returns its results and leaves the rest of its task to other workers."""
VALUES = {"first": 1, "draw": 0, "second": -1}

Meeting = tuple[Weights, Weights]
"""The weights of the first player and of the second."""


class DuelResult(Struct, frozen=True, array_like=True):
    """The result of a game between two weights."""

    value: int
    """1 if the first player wins, -1 if the second does, 0 for a draw."""
    plies: int


class DuelTask(Struct, frozen=True, kw_only=True):
    """Games for a worker to play."""

    game: str
    size: str
    options: dict[str, Setting]
    start: str
    depth: int
    meetings: tuple[Meeting, ...]


class PlayedDuels(Struct, frozen=True, kw_only=True):
    """Finished games, as they are written to a journal."""

    meetings: tuple[Meeting, ...]
    results: tuple[DuelResult, ...]


class DuelQueue(Iterator[DuelTask]):
    """The queue of games that no worker is playing. Games that a worker leaves are put back."""

    def __init__(self, tasks: Iterable[DuelTask]) -> None:
        self.left = deque(tasks)

    def __next__(self) -> DuelTask:
        if not self.left:
            raise StopIteration
        return self.left.popleft()


class Duels:
    """Games from one start at one depth, with all results known so far."""

    def __init__(self, start: Position, depth: int) -> None:
        if not any(parameter.name == catalog.WEIGHTS for parameter in start.game.parameters):
            raise InputError(f"{start.game.title} has no weights to tune.")
        self.start, self.depth = start, depth
        self.known: dict[Meeting, DuelResult] = {}
        self.played = 0
        """How many games were actually played, and not looked up."""

    def missing(self, meetings: Iterable[Meeting]) -> list[Meeting]:
        """The meetings whose result is not known, each once."""
        return [meeting for meeting in dict.fromkeys(meetings) if meeting not in self.known]

    def meet(
        self, meetings: Iterable[Meeting], workers: Workers, keep: Callable[[PlayedDuels], None] = lambda met: None
    ) -> Iterator[int]:
        """Play all games whose results are missing, and yield the number done so far. `keep` is called with the results
        before that."""
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
        """Take over the results of games. Returns False, and takes over nothing, if they are not possible."""
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
        """The points of one against the other in two games, one with each side."""
        first, second = self.known[one, other].value, self.known[other, one].value
        return 1 + (first - second) / 2


def both_sides(one: Weights, other: Weights) -> list[Meeting]:
    """The two games of two who meet, one with each side."""
    return [(one, other), (other, one)]


def play_duels(task: DuelTask) -> list[DuelResult]:
    """Play the games of a task, at least one, until `PATIENCE` is used up; returns the results of those played. Called in
    workers."""
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
    """The compiled player of games of this thread, kept from one task to the next."""

    def __init__(self) -> None:
        self.last: Ring | None = None

    def of(self, start: Position, depth: int) -> Ring:
        if self.last is None or self.last.start is not start or self.last.depth != depth:
            self.last = Ring(start, depth)
        return self.last


_rings = _Rings()


def _searched(start: Position, depth: int, meeting: Meeting) -> DuelResult:
    """Play a game move by move with ordinary searches, for games in which the history matters."""
    players = [player_of(weights, depth) for weights in meeting]
    found = play_game((players[0], players[1]), start, most_plies=MOST_PLIES)
    assert found is not None
    return DuelResult(VALUES[found.outcome], found.plies)


def player_of(weights: Sequence[int], depth: int, name: str = "") -> Player:
    """The player with these weights."""
    text = weights_text(weights)
    return Player(name=name or text, algorithm="alphabeta", limit=Limit(depth=depth), options={catalog.WEIGHTS: text})


def usual_weights(start: Position) -> Weights:
    """The default weights of the game. Raises InputError if it has none."""
    kind = type(start.game)
    text = next((str(catalog.default_in(one, kind.id)) for one in kind.parameters if one.name == catalog.WEIGHTS), "")
    if not text:
        raise InputError(f"{start.game.title} has no weights to tune.")
    return tuple(int(part) for part in text.split(","))

"""A match: two or more players, and two games from each opening with colours swapped.

The plan is made before the first game: who plays whom from which opening with which seed. So the totals do not depend on
which worker plays which game, or on whether the match is interrupted and resumed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import msgspec
import numpy as np

from engines import catalog
from engines.contract import InputError
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from workbench.jobs.compile import missing_code
from workbench.jobs.journal import Journal, digest_of
from workbench.jobs.workers import Workers, results
from workbench.matches.bounds import MOST_PLAYERS
from workbench.matches.statistics import Tally, ratings, strength, tally
from workbench.matches.types import Encounter, GameTask, MatchHead, MatchOutcome, Progress, Standing, Terms
from workbench.play.game_loop import Effort, PlayedGame, check_game, play_game
from workbench.play.openings import read_openings
from workbench.play.players import Player, seed_of
from workbench.version import version

FORMAT = "plybench match 1"


class Match:
    """Players, openings and terms, and the games played so far."""

    def __init__(self, players: Sequence[Player], start: Position, terms: Terms, openings: str = "random") -> None:
        if not 2 <= len(players) <= MOST_PLAYERS:
            raise InputError(f"A match has 2 to {MOST_PLAYERS} players, not {len(players)}.")
        check_game(start.game)
        if terms.sprt is not None and len(players) > 2:
            raise InputError(f"A sequential test compares two players, not {len(players)}.")
        for player in players:
            player.check(start)
        self.players, self.start, self.terms = tuple(players), start, terms
        self.openings = read_openings(openings, start, -(-terms.games // 2), terms.seed)
        self._texts = [position.text for position in self.openings]
        self.played: dict[int, PlayedGame] = {}
        self.resumed = 0
        self._tested = 0
        """How many games, from the first on without a gap, have entered the sequential test."""
        self._tested_pairs: set[object] = set()
        """Pairs of games, by openings and moves, that have entered the sequential test."""
        self._ratio, self._verdict = 0.0, None if terms.sprt is None else self._judge(0.0)
        self._score = Tally()

    # The plan.

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """The pairs of players that meet, by their indices."""
        if self.terms.style == "gauntlet":
            return [(0, other) for other in range(1, len(self.players))]
        return list(combinations(range(len(self.players)), 2))

    @property
    def total(self) -> int:
        """The number of games of the whole match."""
        return self.terms.games * len(self.meetings)

    @property
    def head(self) -> MatchHead:
        """Everything that determines the games, written at the start of the journal."""
        game = self.start.game
        return MatchHead(
            format=FORMAT,
            version=version(),
            game=game.id,
            size=game.size,
            options=game.options,
            players=tuple(msgspec.json.encode(player).decode() for player in self.players),
            terms=self.terms,
            openings=len(self.openings),
            digest=digest_of(self._texts),
        )

    @property
    def repeatable(self) -> bool:
        """Whether the same match always gives the same games: no limit is in seconds, and no threads share a search."""
        return all(player.repeats for player in self.players)

    def tasks(self) -> Iterator[GameTask]:
        """Yield all games of the plan, pair by pair: all meetings are played once with each side before any is repeated."""
        game, number = self.start.game, 0
        for pair in range(-(-self.terms.games // 2)):
            for one, other in self.meetings:
                for sides in ((one, other), (other, one))[: self.terms.games - 2 * pair]:
                    number += 1
                    yield GameTask(
                        number=number,
                        pair=pair,
                        sides=sides,
                        players=(self.players[sides[0]], self.players[sides[1]]),
                        game=game.id,
                        size=game.size,
                        options=game.options,
                        opening=self._texts[pair % len(self._texts)],
                        seed=seed_of(self.terms.seed, number),
                        adjudicate=self.terms.adjudicate,
                        most_plies=self.terms.most_plies,
                    )

    # Playing.

    def uncompiled(self) -> list[str]:
        """The algorithms whose code has to be compiled first."""
        return missing_code((player.algorithm for player in self.players), self.start.game)

    def compile(self, name: str) -> None:
        """Compile an algorithm in this process, so that no two workers do it at the same time."""
        algorithm = catalog.algorithm(name)
        Search(self.start, algorithm, algorithm.trial).run_here().report()

    def resume(self, journal: Journal[MatchHead]) -> None:
        """Take over the games that a journal contains."""
        found = dict[int, tuple[int, PlayedGame]]()
        for line, game in journal.pieces(PlayedGame):
            if game.number in found or not 1 <= game.number <= self.total:
                raise journal.damage(line)
            found[game.number] = line, game
        for task in islice(self.tasks(), max(found, default=0)):
            if task.number in found and not task.is_of(found[task.number][1]):
                raise journal.damage(found[task.number][0])
        for _, game in found.values():
            self._take(game)
        self.resumed = len(self.played)

    def run(self, journal: Journal[MatchHead], workers: Workers) -> Iterator[PlayedGame]:
        """Play the games that are missing and yield each as it ends. A sequential test may end the match early."""
        missing = (task for task in self.tasks() if task.number not in self.played and not self.is_decided)
        for _, game in results(play_task, missing, workers):
            if game.number in self.played:
                continue
            journal.add(game)
            self._take(game)
            yield game
            if self.is_decided:
                return

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test has reached a decision."""
        return self._verdict is not None

    def _take(self, game: PlayedGame) -> None:
        self.played[game.number] = game
        if self.terms.sprt is not None:
            self._test()

    def _test(self) -> None:
        """Continue the sequential test, pair by pair in the order of the plan, in whatever order the games have ended."""
        while self._verdict is None and {self._tested + 1, self._tested + 2} <= self.played.keys():
            numbers = self._tested + 1, self._tested + 2
            self._tested += 2
            pair = moves_of([self.played[number] for number in numbers])
            if pair in self._tested_pairs and not self._draws_lots(0, 1):
                continue  # a repetition of a known pair is no further evidence
            self._tested_pairs.add(pair)
            self._score += pair_tally([self._points(number) for number in numbers])
            assert self.terms.sprt is not None
            self._ratio = self.terms.sprt.ratio(self._score)
            self._verdict = self._judge(self._ratio)

    def _judge(self, ratio: float) -> int | None:
        return None if self.terms.sprt is None else self.terms.sprt.verdict(ratio)

    def _points(self, number: int) -> float:
        """The points of player 0 in a match of two. Player 0 moves first in games with odd numbers."""
        return self.played[number].score(0 if number % 2 else 1)

    # Results.

    def counted(self) -> list[PlayedGame]:
        """The games that count, in the order of the plan. Games after the end of a sequential test do not."""
        last = self._tested if self.is_decided else self.total
        return [self.played[number] for number in sorted(self.played) if number <= last]

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to play."""
        return self.is_decided or len(self.played) == self.total

    def progress(self) -> Progress | None:
        """The state of the sequential test; None if there is none."""
        test = self.terms.sprt
        if test is None:
            return None
        return Progress(
            test=test,
            ratio=self._ratio,
            lower=test.lower,
            upper=test.upper,
            verdict=self._verdict,
            games=self._tested,
        )

    def outcome(self) -> MatchOutcome:
        """The result so far."""
        games, game = self.counted(), self.start.game
        results = [one.outcome for one in games]
        tallies, evidence = self._tallies(games), self._tallies(games, once=True)
        return MatchOutcome(
            game=game.id,
            size=game.size,
            options=game.options,
            terms=self.terms,
            openings=len(self.openings),
            total=self.total,
            done=len(games),
            complete=self.is_complete,
            resumed=self.resumed,
            repeatable=self.repeatable,
            distinct=len({(one.players, one.opening, one.moves) for one in games}),
            evidence=sum(evidence[meeting].games for meeting in self.meetings),
            first_wins=results.count("first"),
            draws=results.count("draw"),
            second_wins=results.count("second"),
            adjudicated=sum(one.adjudicated for one in games),
            standings=self._standings(games, tallies, evidence),
            encounters=tuple(
                Encounter(
                    players=(self.players[one].name, self.players[other].name),
                    tally=tallies[one, other],
                    strength=strength(evidence[one, other]),
                )
                for one, other in self.meetings
            ),
            sprt=self.progress(),
            games=tuple(games),
        )

    def _tallies(self, games: Sequence[PlayedGame], once: bool = False) -> dict[tuple[int, int], Tally]:
        """The results of each player against each other one. With `once`, pairs of games that are the same move by move
        count once if neither player is random, since repeating them adds no information."""
        meetings = self.meetings
        points: dict[tuple[int, int], dict[int, list[tuple[float, PlayedGame]]]] = {meeting: {} for meeting in meetings}
        for one in games:
            pair, place = divmod(one.number - 1, 2 * len(meetings))
            last = self.terms.games - 2 * pair == 1  # with an odd number of games the last pair has only one
            meeting = meetings[place if last else place // 2]
            side = 0 if last or place % 2 == 0 else 1
            points[meeting].setdefault(pair, []).append((one.score(side), one))
        found: dict[tuple[int, int], Tally] = {}
        for (first, second), by_pair in points.items():
            together = list(by_pair.values())
            if once and not self._draws_lots(first, second):
                together = list({moves_of([game for _, game in pair]): pair for pair in together}.values())
            mine = sum((pair_tally([value for value, _ in pair]) for pair in together), Tally())
            found[first, second] = mine
            found[second, first] = mine.turned()
        return found

    def _draws_lots(self, *numbers: int) -> bool:
        """Whether the game or one of these players is random: then other seeds may lead to other games, and equal games are
        still independent samples."""
        return self.start.game.has_chance or any(self.players[number].draws_lots for number in numbers)

    def _standings(
        self,
        games: Sequence[PlayedGame],
        tallies: dict[tuple[int, int], Tally],
        evidence: dict[tuple[int, int], Tally],
    ) -> tuple[Standing, ...]:
        names = [player.name for player in self.players]
        efforts = [Effort()] * len(names)
        for one in games:
            for name, effort in zip(one.players, one.efforts, strict=True):
                efforts[names.index(name)] += effort
        rated = None
        if len(names) > 2:
            points = np.zeros((len(names), len(names)))
            for meeting, tally in evidence.items():
                points[meeting] = tally.points
            rated = ratings(points)
        found = []
        for number, player in enumerate(self.players):
            total = sum((tally for (one, _), tally in tallies.items() if one == number), Tally())
            effort = efforts[number]
            moves = max(1, effort.moves)
            found.append(
                Standing(
                    name=player.name,
                    title=player.title,
                    tally=total,
                    score=total.score,
                    strength=strength(sum((tally for (one, _), tally in evidence.items() if one == number), Tally())),
                    rating=rated[number] if rated else None,
                    effort=effort,
                    mean_depth=round(effort.depth / moves, 2),
                    nodes_per_move=round(effort.nodes / moves, 1),
                    seconds_per_move=effort.seconds / moves,
                )
            )
        return tuple(sorted(found, key=lambda one: -(one.rating.elo if one.rating else one.score or 0.0)))


def pair_tally(points: Sequence[float]) -> Tally:
    """The tally of the games of one pair (or of its only game), given a player's points in each."""
    return tally(points, [sum(points)] if len(points) == 2 else ())


def moves_of(games: Sequence[PlayedGame]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A key by which the games of a pair can be compared: their openings and moves."""
    return tuple((game.opening, tuple(game.moves)) for game in games)


class _Memories(threading.local):
    """The memory of the players of a thread. It is cleared for each game, but not allocated again."""

    def __init__(self) -> None:
        self.here = Memory(), Memory()


_memories = _Memories()


def play_task(task: GameTask) -> PlayedGame:
    """Play one game. Called in worker processes."""
    opening = catalog.restore(task.opening, task.game, task.size, task.options)
    game = play_game(
        task.players, opening, task.seed, task.number, task.adjudicate, task.most_plies, memories=_memories.here
    )
    assert game is not None
    return game

"""NRPA: the same as the textbook's recursion with a dictionary, stable, and games that an independent checker replays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pytest

from engines import catalog
from engines.contract import Limit, Setting
from engines.run.search import Search
from engines.run.work import new_work
from tests.engines import checks
from tests.engines.search.test_nested import dealt, leftmost, oracle_of, replayed
from tests.naive import games as naive
from tests.naive.one_player import Morpion

MASK = 2**64 - 1


@dataclass
class Textbook:
    """Nested rollout policy adaptation as it is written down: recursion, copies of a dictionary of weights by the path."""

    root: naive.Naive
    random: int
    times: int
    alpha: float
    games: list[int] = field(default_factory=list)

    def fraction(self) -> float:
        self.random ^= self.random << 13 & MASK
        self.random ^= self.random >> 7
        self.random ^= self.random << 17 & MASK
        return (self.random >> 11) * 2.0**-53

    def game(self, policy: dict[tuple[str, ...], float]) -> tuple[int, list[str]]:
        position, made = self.root, list[str]()
        while legal := position.moves():
            odds = [math.exp(policy.get((*made, move), 0.0)) for move in legal]
            rest, chosen = self.fraction() * sum(odds), 0
            while rest >= odds[chosen]:
                rest -= odds[chosen]
                chosen += 1
            made.append(legal[chosen])
            position = position.play(legal[chosen])
        result = position.result()
        assert result is not None
        self.games.append(int(result))
        return int(result), made

    def adapted(self, policy: dict[tuple[str, ...], float], line: list[str]) -> dict[tuple[str, ...], float]:
        new, position = dict(policy), self.root
        for ply, made in enumerate(line):
            codes = [(*line[:ply], move) for move in position.moves()]
            odds = [math.exp(policy.get(code, 0.0)) for code in codes]
            for code, odd in zip(codes, odds, strict=True):
                new[code] = new.get(code, 0.0) - self.alpha * odd / sum(odds)
            new[(*line[:ply], made)] += self.alpha
            position = position.play(made)
        return new

    def search(self, level: int, policy: dict[tuple[str, ...], float]) -> tuple[int, list[str]]:
        if level == 0:
            return self.game(policy)
        best: tuple[int, list[str]] = (-(10**9), [])
        for _ in range(self.times):
            found = self.search(level - 1, policy)
            if found[0] >= best[0]:
                best = found
            policy = self.adapted(policy, best[1])
        return best


@pytest.mark.plain
@pytest.mark.parametrize(("level", "times", "alpha"), [(1, 12, 1.0), (2, 5, 1.0), (3, 4, 0.5)])
def test_it_is_the_algorithm_of_the_textbook(level: int, times: int, alpha: float) -> None:
    """Every game is the same, to the last random number."""
    text = leftmost(5)
    parameters = {"level": level, "n": times, "alpha": alpha}
    for seed in range(3):
        twin = Textbook(naive.Tree.read(text), int(new_work(seed).random), times, alpha)
        expected = twin.search(level, {})
        position = catalog.position(text, "tree")
        report = Search(position, catalog.algorithm("nrpa"), Limit(), parameters, seed).start().report()
        assert report.value == expected[0] == max(twin.games)
        assert replayed(naive.Tree.read(text), report) == report.value  # of several that are as good it is the first
        assert report.playouts == len(twin.games) == times**level
        assert report.levels[0].mean == pytest.approx(sum(twin.games) / len(twin.games))
        assert report.levels[level].searches == 1


@pytest.mark.plain
def test_weights_that_no_exponential_can_hold_do_no_harm() -> None:
    position = catalog.position(leftmost(4), "tree")
    report = checks.run_with(position, "nrpa", {"level": 2, "n": 40, "alpha": 100.0})
    assert report.playouts == 1600
    assert 0 <= (report.value or 0) <= 4
    assert not math.isnan(report.levels[0].mean)


def test_it_finds_the_best_of_a_small_board() -> None:
    for number in range(4):
        position = dealt("4x4", number, 3)
        best = checks.run(position, "minimax", depth=16)
        parameters: dict[str, Setting] = {"level": 2, "n": 20, "playouts": "uniform"}
        assert checks.run_with(position, "nrpa", parameters, iterations=8000).value == best.value


@pytest.mark.parametrize("playouts", ["knowing", "uniform"])
def test_games_of_samegame_are_what_the_checker_says(playouts: str) -> None:
    position = dealt("15x15", 11)
    report = checks.run_with(position, "nrpa", {"level": 2, "n": 40, "playouts": playouts})
    assert replayed(oracle_of(position), report) == report.value
    assert sum(row.visits or 0 for row in report.root_moves) == report.playouts == report.iterations == 1600
    assert max(row.value for row in report.root_moves) == report.value
    means = [row.mean for row in report.levels]
    assert means == sorted(means)


@pytest.mark.parametrize("size", ["5D", "5T"])
def test_games_of_morpion_are_what_the_checker_says(size: str) -> None:
    position = catalog.position("startpos", "morpion", size)
    report = checks.run_with(position, "nrpa", {"level": 2, "threads": 2}, iterations=20_000)
    assert replayed(Morpion.start(size == "5T"), report) == report.value
    assert (report.value or 0) >= 60


def test_a_search_goes_on_where_it_was_and_begins_anew_at_its_end() -> None:
    from engines.run.memory import Memory

    position, memory, algorithm = dealt("9x9", 5), Memory(), catalog.algorithm("nrpa")
    parameters = {"level": 2, "n": 20}
    for iterations in (1, 7, 333):
        Search(position, algorithm, Limit(iterations=iterations), parameters, 3, memory=memory).start().report()
    again = Search(position, algorithm, Limit(iterations=1000), parameters, 3, memory=memory).start().report()
    once = Search(position, algorithm, Limit(iterations=1000), parameters, 3).start().report()
    assert (again.value, again.pv, again.nodes, again.levels) == (once.value, once.pv, once.nodes, once.levels)
    assert [(row.level, row.searches) for row in once.levels] == [(0, 1000), (1, 50), (2, 2)]

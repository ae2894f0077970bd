"""Nested search: its known cost on the leftmost path, what memory is worth, and games that a checker replays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines import catalog
from engines.contract import Limit, Report, Setting
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from engines.search import nested
from tests.engines import checks
from tests.naive import games as naive
from tests.naive.one_player import Morpion, SameGame


def leftmost(depth: int, score: int = 0, on_path: bool = True) -> str:
    """A binary tree of one player in which a leaf pays how many moves to the left it begins with."""
    if depth == 0:
        return str(score)
    left, right = leftmost(depth - 1, score + on_path, on_path), leftmost(depth - 1, score, False)
    return f"max({left} {right})"


def replayed(oracle: naive.Naive, report: Report) -> naive.Value | None:
    """What the oracle says of the game that a search found."""
    for move in report.pv:
        oracle = oracle.play(move)
    return oracle.result()


def dealt(size: str, number: int, colours: int = 5) -> Position:
    return catalog.position(f"deal {number}", "samegame", size, {"colours": str(colours)})


def oracle_of(position: Position) -> SameGame:
    return SameGame.read(position.game.board_text(position.state).split("/"))


def mean(report: Report, level: int) -> float:
    return next(row.mean for row in report.levels if row.level == level)


@pytest.mark.plain
@pytest.mark.parametrize("depth", [1, 2, 5, 9])
@pytest.mark.parametrize("memory", [True, False])
def test_level_1_solves_the_leftmost_path_at_the_known_cost(depth: int, memory: bool) -> None:
    """Both moves are tried at each of n steps, and behind them is a random game of what is left: n (n + 1) moves in all."""
    position = catalog.position(leftmost(depth), "tree")
    report = checks.run_with(position, "nested", {"level": 1, "memory": memory})
    assert (report.value, report.pv) == (depth, ("1",) * depth)
    assert (report.playouts, report.iterations, report.nodes) == (2 * depth, 2 * depth, depth * (depth + 1))
    assert report.stopped_by == "iterations"


@pytest.mark.parametrize("depth", [2, 4, 8])
def test_level_2_costs_a_level_1_search_for_each_move(depth: int) -> None:
    position = catalog.position(leftmost(depth), "tree")
    report = checks.run_with(position, "nested", {"level": 2})
    assert report.value == depth
    assert report.nodes == sum(2 * (1 + left * (left + 1)) for left in range(depth))
    assert [row.level for row in report.levels] == [0, 1, 2]
    assert report.levels[1].searches == report.iterations == 2 * depth


def test_each_level_is_better_than_the_one_below_and_memory_than_none() -> None:
    """A level follows its adviser, so its games are better; one that forgets its best game plays worse ones."""
    position = dealt("9x9", 3)
    with_memory = checks.run_with(position, "nested", {"level": 1}, iterations=12_000)
    without = checks.run_with(position, "nested", {"level": 1, "memory": False}, iterations=12_000)
    two = checks.run_with(position, "nested", {"level": 2}, iterations=2_500)
    assert mean(with_memory, 0) < mean(without, 1) < mean(with_memory, 1) < mean(two, 2)
    uniform = checks.run_with(position, "nested", {"level": 1, "playouts": "uniform"}, iterations=12_000)
    assert mean(uniform, 0) < mean(with_memory, 0)


@pytest.mark.parametrize(("memory", "playouts"), [(True, "knowing"), (False, "uniform")])
def test_games_of_samegame_are_what_the_checker_says(memory: bool, playouts: str) -> None:
    for number in range(3):
        position = dealt("15x15", number)
        parameters: dict[str, Setting] = {"level": 1, "memory": memory, "playouts": playouts}
        report = Search(position, catalog.algorithm("nested"), Limit(), parameters, seed=number).start().report()
        assert replayed(oracle_of(position), report) == report.value
        assert report.selective_depth >= len(report.pv)


@pytest.mark.parametrize("size", ["5D", "5T"])
def test_games_of_morpion_are_what_the_checker_says(size: str) -> None:
    report = checks.run_with(catalog.position("startpos", "morpion", size), "nested", {"level": 1}, iterations=2_000)
    assert replayed(Morpion.start(size == "5T"), report) == report.value
    assert (report.value or 0) > 55


def test_it_finds_the_best_of_a_small_board() -> None:
    for number in range(4):
        position = dealt("4x4", number, 3)
        best = checks.run(position, "minimax", depth=16)
        assert best.exact
        assert checks.run_with(position, "nested", {"level": 3}, iterations=200).value == best.value


def test_with_two_players_each_takes_what_is_best_for_itself() -> None:
    """X wins at once where it can, and O too; there is no memory, since the other side would not follow it."""
    for text, move in (("XX./OO./...", "c3"), ("XX./OO./X..", "c2")):
        report = checks.run_with(catalog.position(text, "tictactoe"), "nested", {"level": 1})
        assert report.pv == (move,)
        assert report.outcome is None  # it plays well, but proves nothing
    position = catalog.position("startpos", "connect4", "4x4")
    report = checks.run_with(position, "nested", {"level": 2})
    oracle: naive.Naive = naive.Connect4.start(4, 4)
    for played in report.pv:
        oracle = oracle.play(played)
    result = oracle.result()
    assert result is not None
    assert (result > 0) - (result < 0) == ((report.value or 0) > 0) - ((report.value or 0) < 0)


def test_a_search_goes_on_where_it_was() -> None:
    position, memory, algorithm = dealt("9x9", 5), Memory(), catalog.algorithm("nested")
    parameters = {"level": 1}
    for iterations in (10, 11, 100):
        Search(position, algorithm, Limit(iterations=iterations), parameters, 3, memory=memory).start().report()
    again = Search(position, algorithm, Limit(iterations=3000), parameters, 3, memory=memory).start().report()
    once = Search(position, algorithm, Limit(iterations=3000), parameters, 3).start().report()
    assert (again.value, again.pv, again.nodes, again.levels) == (once.value, once.pv, once.nodes, once.levels)
    assert again.iterations == 3000


def test_two_threads_are_two_searches_and_the_same_every_time() -> None:
    position = dealt("9x9", 6)
    found = [
        checks.without_times(checks.run_with(position, "nested", {"level": 1, "threads": 2}, iterations=1500))
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0]["iterations"] == 1500
    assert found[0]["playouts"] == 1500
    assert replayed(oracle_of(position), checks.run_with(position, "nested", {"level": 1, "threads": 2}, iterations=1500))


def test_threads_that_are_done_at_different_times_come_to_an_end() -> None:
    """Without a limit each plays one game; the games have different lengths, and a budget may stop one thread first."""
    for number in range(1, 13):
        position = dealt("5x4", number)
        for limit in (Limit(), Limit(nodes=60 + 7 * number)):
            search = Search(position, catalog.algorithm("nested"), limit, {"level": 1, "threads": 3}, seed=number).start()
            assert search.join(20)
        assert mean(whole := checks.run_with(position, "nested", {"level": 1, "threads": 3}), 1) <= (whole.value or 0)
        assert next(row.searches for row in whole.levels if row.level == 1) == 3


@pytest.mark.parametrize("memory", [True, False])
def test_what_is_believed_before_the_first_game_is_over_is_a_whole_game(memory: bool) -> None:
    for number in range(1, 6):
        position = dealt("6x6", number)
        report = checks.run_with(position, "nested", {"level": 2, "memory": memory}, iterations=9 * number)
        assert replayed(oracle_of(position), report) == report.value
        assert report.root_moves[0].move == report.pv[0]
        assert report.root_moves[0].value == report.value


@pytest.mark.plain
@pytest.mark.parametrize("game", ["morpion", "samegame"])
def test_what_the_end_of_a_search_needs_is_loaded_before_it_begins(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where positions are arrays, the move at the end is made by compiled code. To load that takes longer than a person
    waits for a stop, so that the rehearsal does it, before it searches anything."""
    algorithm, loaded = catalog.algorithm("nested"), list[object]()
    monkeypatch.setattr(nested, "after", lambda *given: loaded.append(given))
    monkeypatch.setattr(nested, "search_until_done", lambda *given: None)
    run = Search(catalog.position("startpos", game), algorithm, algorithm.trial).run
    algorithm.search(run)
    assert not loaded, "a search that is no rehearsal has no time for it"
    algorithm.search(replace(run, rehearsal=True))
    assert len(loaded) == 1

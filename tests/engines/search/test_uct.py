"""UCT and PPA against their naive twins; threads that lose nothing; transpositions that keep values right."""

from __future__ import annotations

from time import sleep
from typing import Any

import numpy as np
import pytest

from engines import catalog
from engines.compiled.kernel import jit_enabled
from engines.contract import Limit, Report
from engines.parts.sampling.tree import AT_WORK, ROOT, AnyTree, LinkedTree, children, look_at, merges, node_count
from engines.position import Position
from engines.run.intervals import student, wilson
from engines.run.memory import Memory
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import OPEN, new_tape
from positions import library
from tests.engines import checks
from tests.naive import games as naive
from tests.naive import uct as naive_uct

MANY = 3000 if jit_enabled() else 40
ROOT_2, LEAF_2 = ({"parallel": parallel, "threads": 2} for parallel in ("root", "leaf"))
BOARDS: dict[str, tuple[str, Any]] = {
    "tictactoe": ("3x3x3", naive.TicTacToe.start()),
    "connect4": ("5x4", naive.Connect4.start(5, 4)),
    "breakthrough": ("5x4", naive.Breakthrough.start(5, 4)),
}


def sampled(position: Position, iterations: int, seed: int = 0, algorithm: str = "uct", **parameters: Any) -> Any:
    """The report of a search, and the team that it leaves behind."""
    memory = Memory()
    limit = Limit(iterations=iterations)
    search = Search(position, catalog.algorithm(algorithm), limit, parameters, seed, memory=memory)
    report = search.start().report()
    return report, checks.grown_by(memory).team


def compare(position: Position, tree: AnyTree, node: int, twin: naive_uct.Node) -> None:
    """The same visits and sums everywhere below a node."""
    seen = look_at(tree, node)
    assert seen.visits == twin.visits
    assert seen.total == pytest.approx(twin.total)
    below = {position.game.move_text(position.state, child.move): child for child in children(tree, node)}
    assert set(below) == set(twin.children)
    for move, child in below.items():
        compare(position.play(child.move), tree, child.node, twin.children[move])


@pytest.mark.plain
@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("seed", [0, 7])
def test_uct_grows_the_tree_of_its_naive_twin(game: str, seed: int) -> None:
    size, start = BOARDS[game]
    position, count = catalog.position("startpos", game, size), min(MANY, 300)
    _, team = sampled(position, count, seed)
    compare(position, team.tree, ROOT, naive_uct.uct(start, count, seed))


@pytest.mark.plain
@pytest.mark.parametrize("game", ["tictactoe", "breakthrough"])
@pytest.mark.parametrize("settings", [{"alpha": 1.0}, {"alpha": 0.32}, {"adaptation": "simple"}])
def test_ppa_grows_the_tree_of_its_naive_twin(game: str, settings: dict[str, Any]) -> None:
    size, start = BOARDS[game]
    position, count = catalog.position("startpos", game, size), min(MANY, 200)
    _, team = sampled(position, count, 3, "ppa", **settings)
    learner = naive_uct.Learner(float(settings.get("alpha", 1.0)), settings.get("adaptation") == "simple")
    compare(position, team.tree, ROOT, naive_uct.uct(start, count, 3, player=learner))


def check_books(tree: AnyTree, batch: int = 1) -> None:
    """The visits of every position are its own samples, one batch, and those by its children; no sum is out of bounds; and
    with transpositions a position is visited as often as all ways to it are gone. Nothing is left half done."""
    merged = isinstance(tree, LinkedTree) and merges(tree)
    size = int(tree.size[0])
    nodes, numbers = tree.nodes[:size], np.arange(size)
    homes = np.where(tree.links["home"][:size] > 0, tree.links["home"][:size] - 1, numbers) if merged else numbers
    games = tree.links["ways"][:size] if merged else nodes["visits"]  # by this very way
    for name in ("total", "squares"):
        assert (nodes[name] >= -1e-6).all()
        assert (nodes[name] <= nodes["visits"] + 1e-6).all()
    listed = (nodes["count"] > 0) & (homes == numbers)
    before = np.concatenate(([0], np.cumsum(games)))
    first = nodes["first"].astype(np.int64)
    below = before[first + nodes["tried"]] - before[first]
    assert (below[listed] == nodes["visits"][listed] - batch).all()
    arrivals = np.zeros(size, np.int64)
    np.add.at(arrivals, homes[1:], games[1:])
    if merged:
        assert (arrivals[1:] == nodes["visits"][1:]).all()
    if isinstance(tree, LinkedTree):
        assert not (nodes["count"] == AT_WORK).any()
        assert not (nodes["tried"] == AT_WORK).any()


@pytest.mark.plain
@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("parallel", ["", "root", "leaf", "tree"])
@pytest.mark.parametrize("game", ["connect4", "breakthrough", "tictactoe"])
def test_no_update_is_lost(game: str, parallel: str, transpositions: bool) -> None:
    """After a run with three threads, more than there are cores."""
    position, count = catalog.position("startpos", game), MANY * (10 if parallel == "tree" and jit_enabled() else 1)
    threads: dict[str, Any] = {"parallel": parallel, "threads": 3} if parallel else {}
    report, team = sampled(position, count, transpositions=transpositions, memory=64, **threads)
    batch = 3 if parallel == "leaf" else 1
    for tree in team.own_trees:
        check_books(tree, batch)
    roots = sum(int(tree.nodes["visits"][ROOT]) for tree in team.own_trees)
    assert (report.iterations, roots) == (count, batch * count)
    assert sum(row.visits for row in report.root_moves) == roots - batch * len(team.own_trees)
    assert report.tree_nodes == sum(node_count(tree) for tree in team.own_trees)
    if not parallel:
        assert report.by_thread == ()
    else:
        assert len(report.by_thread) == 3
        assert all(one.playouts > 0 for one in report.by_thread)
        for name in ("iterations", "playouts", "nodes", "leaves", "tree_nodes"):
            assert sum(getattr(one, name) for one in report.by_thread) == getattr(report, name)


@pytest.mark.plain
@pytest.mark.parametrize("parameters", [ROOT_2, LEAF_2, {"transpositions": True}])
def test_these_give_the_same_numbers_every_time(parameters: dict[str, Any]) -> None:
    position = catalog.position("startpos", "connect4")
    one, other = (sampled(position, MANY, 4, **parameters)[0] for _ in range(2))
    assert checks.without_times(one) == checks.without_times(other)
    different, _ = sampled(position, MANY, 5, **parameters)
    assert different.root_moves != one.root_moves


@pytest.mark.plain
@pytest.mark.parametrize("parameters", [ROOT_2, {"transpositions": True}, {"alpha": 0.5}])
def test_they_go_on_where_they_stopped(parameters: dict[str, Any]) -> None:
    position, memory = catalog.position("startpos", "connect4"), Memory()
    found = catalog.algorithm("ppa" if "alpha" in parameters else "uct")
    for limit in (1, 13, 60):
        report = Search(position, found, Limit(iterations=limit), parameters, 5, memory=memory).start().report()
    whole, _ = sampled(position, 60, 5, found.id, **parameters)
    rows = {"depths": (), "depth": 0}
    assert checks.without_times(report) | rows == checks.without_times(whole) | rows


@pytest.mark.parametrize("parallel", ["root", "leaf", "tree"])
@pytest.mark.parametrize("nodes", [1, 50, 5000])
def test_a_stop_in_the_middle_leaves_the_books_in_order(parallel: str, nodes: int) -> None:
    """A limit in nodes ends an iteration anywhere; then it goes on."""
    position, memory, found = catalog.position("startpos", "connect4"), Memory(), catalog.algorithm("uct")
    parameters: dict[str, Any] = {"parallel": parallel, "threads": 2, "memory": 16, "transpositions": nodes == 50}
    report = Search(position, found, Limit(nodes=nodes), parameters, memory=memory).start().report()
    assert report.nodes <= nodes
    assert report.stopped_by == "nodes"
    batch = 2 if parallel == "leaf" else 1
    for tree in checks.grown_by(memory).team.own_trees:
        check_books(tree, batch)
    more = (report.iterations or 0) + 500
    report = Search(position, found, Limit(iterations=more), parameters, memory=memory).start().report()
    assert report.iterations == more
    for tree in checks.grown_by(memory).team.own_trees:
        check_books(tree, batch)


@pytest.mark.parametrize("parallel", ["root", "leaf", "tree"])
def test_a_request_stops_all_threads(parallel: str) -> None:
    position, found = catalog.position("startpos", "breakthrough"), catalog.algorithm("uct")
    search = Search(position, found, Limit(seconds=60), {"parallel": parallel, "threads": 2}).start()
    while search.counters().iterations < 100:
        assert search.running
        sleep(0.002)
    search.stop()
    assert search.join(5)
    report = search.report()
    assert report.stopped_by == "request"
    assert report.iterations == sum(one.iterations for one in report.by_thread) >= 100


@pytest.mark.parametrize("parameters", [{"transpositions": True}, {"threads": 2}, ROOT_2])
def test_proofs_are_true_with_every_switch(parameters: dict[str, Any]) -> None:
    report, _ = sampled(catalog.position("startpos", "tictactoe"), 100_000, proofs=True, **parameters)
    assert (report.outcome, report.stopped_by) == ("draw", "solved")
    exercise = library.get("breakthrough/course-6x4").position()
    report, _ = sampled(exercise, 40_000, proofs=True, **parameters)
    assert (report.outcome, report.stopped_by) == ("second", "solved")
    assert {row.proven for row in report.root_moves} >= {"second"}


def test_transpositions_come_to_the_exact_values() -> None:
    """To that of tic-tac-toe with far fewer positions than ways, and to the winner of small boards that are solved."""
    position = catalog.position("startpos", "tictactoe")
    report, team = sampled(position, 100_000, transpositions=True)
    plain, _ = sampled(position, 100_000)
    assert abs(report.value) < 0.05
    known = np.count_nonzero(team.tree.nodes[: team.tree.size[0]]["visits"])  # visits are where a position was met first
    assert known <= 5478 < sum(plain.tree_depths)
    for game, size in (("connect4", "4x3"), ("breakthrough", "4x3"), ("breakthrough", "5x2")):
        small = catalog.position("startpos", game, size)
        exact = checks.run(small, "deepening", depth=40)
        report, _ = sampled(small, 60_000, transpositions=True, proofs=True)
        assert exact.exact
        assert (report.outcome, report.exact) == (exact.outcome, True)
    assert isinstance(team.tree, LinkedTree)


@pytest.mark.plain
@pytest.mark.parametrize("parameters", [{"transpositions": True}, ROOT_2, LEAF_2, {"threads": 3, "parallel": "tree"}])
def test_their_tapes_are_without_fault(parameters: dict[str, Any]) -> None:
    position, tape = catalog.position("startpos", "connect4"), new_tape(20_000)
    limit = Limit(iterations=min(MANY, 1000))
    report = Search(position, catalog.algorithm("uct"), limit, parameters, tape=tape).start().report()
    recording = Recording.of(tape, report, "first")
    assert recording.faults() == 0
    assert len(recording.roots()) == 1
    assert not (recording.kind == OPEN).any()
    root = recording.children(0)
    assert sorted(int(recording.alpha[child]) for child in root) == sorted(row.visits or 0 for row in report.root_moves)


@pytest.mark.plain
def test_intervals_are_wilsons_and_hold_the_value() -> None:
    report: Report = sampled(catalog.position("startpos", "connect4"), MANY)[0]
    for row in report.root_moves:
        assert row.interval is not None
        assert -1 <= row.interval[0] <= row.value <= row.interval[1] <= 1
        assert row.visits is not None
        low, high = wilson((row.value + 1) / 2, row.visits)
        assert row.interval == pytest.approx((2 * low - 1, 2 * high - 1), abs=1e-5)
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)


@pytest.mark.plain
def test_few_games_that_were_all_won_leave_an_interval() -> None:
    """A standard error of 0 says nothing: Wilson's interval is still wide, and so it is for the search as a whole."""
    position = catalog.position("((9 9) (1 1))", "tree")
    report, _ = sampled(position, 10)
    best = report.root_moves[0]
    assert (report.value, report.std_error, best.std_error) == (9, 0, 0)
    assert report.interval == best.interval == report.depths[-1].interval
    assert report.interval[0] < 9 - 0.2 * 8
    proven, _ = sampled(catalog.position("XX./OO./...", "tictactoe"), 100, proofs=True)
    assert proven.exact
    assert proven.interval is None


@pytest.mark.plain
def test_scores_without_a_most_have_students_interval() -> None:
    report, _ = sampled(catalog.position("startpos", "morpion"), 12)
    for row in (report, *report.root_moves):
        if row.interval is not None:
            assert row.interval[0] <= row.value <= row.interval[1]
    assert wilson(1.2, 9)[1] < 1.2
    assert student(1.2, 9, 0.1) == pytest.approx((1.2 - 0.2306, 1.2 + 0.2306))
    assert student(1.2, 9, 0.0) is None


@pytest.mark.plain
def test_trees_of_several_threads_are_added_up_where_nature_begins() -> None:
    report, team = sampled(catalog.position("startpos", "einstein"), 60, parallel="root", threads=3)
    roots = [look_at(tree, ROOT) for tree in team.own_trees]
    assert len({root.mean for root in roots}) > 1
    mean = sum(root.total for root in roots) / sum(root.visits for root in roots)
    assert report.value == pytest.approx(2 * mean - 1, abs=1e-5)


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", ["uct", "monte-carlo", "ppa"])
def test_the_nodes_that_are_counted_are_those_on_the_tape(algorithm: str) -> None:
    tape, found = new_tape(2000), catalog.algorithm(algorithm)
    search = Search(catalog.position("startpos", "connect4"), found, Limit(iterations=60), tape=tape).start()
    report = search.report()
    assert search.counters().visited_nodes == sum(report.tree_depths) == len(Recording.of(tape, report, "first"))


@pytest.mark.plain
def test_trees_that_cannot_be_put_together_are_all_on_the_tape() -> None:
    position, tape = catalog.position("startpos", "connect4"), new_tape(2000)
    parameters = {**ROOT_2, "transpositions": True}
    search = Search(position, catalog.algorithm("uct"), Limit(iterations=60), parameters, tape=tape)
    report = search.start().report()
    recording = Recording.of(tape, report, "first")
    assert [int(recording.alpha[root]) for root in recording.roots()] == [30, 30]
    assert recording.faults() == 0

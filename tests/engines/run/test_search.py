"""Searches in their threads: limits, stops, counters that only grow, and errors that come out."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any

import pytest
from msgspec.structs import replace

import engines
from engines import catalog
from engines.algorithm import Algorithm
from engines.compiled.kernel import jit_enabled
from engines.contract import Counters, InputError, Limit
from engines.perft import Perft
from engines.position import Position
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.search import Search
from engines.tape.tape import new_tape
from tests.engines import checks

WHOLE = ("retrograde", "attractor")
"""They solve a whole game, however large it is, or none; they have tests of their own."""
PAIRS = [
    (game, algorithm)
    for game in catalog.GAMES
    for algorithm in catalog.compiled_algorithms_for(game)
    if algorithm not in WHOLE
]
"""Every other algorithm on every game it fits."""
BY_DEPTH = [pair for pair in PAIRS if "depth" in catalog.algorithm(pair[1]).limits and pair[1] != "solver"]
"""Without those that never evaluate, or not at a depth that can be chosen."""
ROOT = Path(engines.__file__).parents[1]
SHORT = 5_000
"""Nodes that take no more than a moment."""


@cache
def full_tree(levels: int) -> Position:
    """Eight branches everywhere."""
    text = "1"
    for _ in range(levels):
        text = f"({' '.join([text] * 8)})"
    return catalog.position(text, "tree")


@cache
def long_position(game: str) -> Position:
    """A position that keeps a search busy for as long as its game can."""
    if game == "tictactoe":
        return catalog.position("startpos", game, "5x5x4")
    if game == "tree":
        return full_tree(5 if jit_enabled() else 4)
    return catalog.position("startpos", game)


@cache
def finished_position(game: str) -> Position:
    """The end of a game in which always the middle move was played."""
    position = catalog.position("startpos", game)
    while not position.is_over:
        legal = position.game.legal_moves(position.state)
        position = position.play(legal[len(legal) // 2])
    return position


def longest(algorithm: str) -> Limit:
    """A limit that is not reached while a test waits."""
    return Limit(depth=40) if "depth" in catalog.algorithm(algorithm).limits else Limit(iterations=2**40)


def wait_for_nodes(search: Search) -> None:
    """Wait until the kernel is compiled and runs, or has ended."""
    give_up = monotonic() + 120
    while search.running and search.counters().nodes < 2:
        assert monotonic() < give_up
        sleep(0.001)


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_stops_within_half_a_second(game: str, algorithm: str) -> None:
    search = Search(long_position(game), catalog.algorithm(algorithm), longest(algorithm)).start()
    wait_for_nodes(search)
    sleep(0.02)
    told = perf_counter()
    search.stop()
    assert search.join(10)
    assert perf_counter() - told < 0.5
    report = search.report()
    if algorithm not in ("random", "nested") and game not in ("tree", "graph"):  # those may have come to their end before
        if report.stopped_by != "request":
            assert comes_to_its_end(game, algorithm)
        else:
            assert report.exact is False


def comes_to_its_end(game: str, algorithm: str) -> bool:
    """Whether a search is so short that it may end before anybody can stop it."""
    few = replace(longest(algorithm), nodes=SHORT)
    return Search(long_position(game), catalog.algorithm(algorithm), few).start().report().stopped_by not in (
        "nodes",
        "request",
    )


def test_stops_within_half_a_second_on_a_big_tree() -> None:
    """One test for all algorithms: the tree takes seconds to make."""
    for algorithm in catalog.compiled_algorithms_for("tree"):
        search = Search(full_tree(6), catalog.algorithm(algorithm)).start()
        wait_for_nodes(search)
        told = perf_counter()
        search.stop()
        assert search.join(10)
        assert perf_counter() - told < 0.5, algorithm


@pytest.mark.plain
def test_stops_a_count_too() -> None:
    count = Perft(long_position("connect4"), 40).start()
    sleep(0.1)
    count.stop()
    assert count.join(0.5 if jit_enabled() else 5)
    assert count.report().complete is False


@pytest.mark.parametrize(("game", "algorithm"), checks.on_two_games(PAIRS))
def test_stopped_before_it_began_it_knows_nothing(game: str, algorithm: str) -> None:
    search = Search(long_position(game), catalog.algorithm(algorithm), catalog.algorithm(algorithm).trial)
    search.stop()
    report = search.start().report()
    assert (report.nodes, report.value, report.best_move, report.outcome) == (0, None, None, None)
    assert (report.stopped_by, report.depths, report.pv) == ("request", (), ())


@pytest.mark.parametrize(("game", "algorithm"), checks.on_two_games(PAIRS))
@pytest.mark.parametrize("recorded", [False, True])
def test_never_more_nodes_than_allowed(game: str, algorithm: str, recorded: bool) -> None:
    for limit in (1, 2, 3, 97, 1000)[: 5 if jit_enabled() else 4]:
        tape = new_tape(2000) if recorded and catalog.algorithm(algorithm).records else None
        report = checks.run(long_position(game), algorithm, tape=tape, nodes=limit)
        assert report.all_nodes <= limit
        if report.stopped_by == "nodes":
            whole = catalog.algorithm(algorithm).expands  # one more expansion would have been too much
            assert report.all_nodes == limit or whole
        else:
            assert report.stopped_by in ("solved", "depth", "iterations")


@pytest.mark.plain
def test_the_second_search_for_the_quickest_win_keeps_to_the_nodes_too() -> None:
    position = catalog.position("startpos", "tictactoe", "3x3x2")
    free = checks.run(position, "alphabeta", depth=4)
    assert (free.outcome, free.distance) == ("first", 3)
    cut_short = checks.run(position, "alphabeta", depth=4, nodes=free.nodes + 3)
    assert cut_short.nodes + cut_short.distance_nodes <= free.nodes + 3


def test_a_deadline_leaves_time_to_search_in_a_fresh_process() -> None:
    """Loading numba and the kernels takes longer than half a second: that must not be all of it."""
    code = (
        "from engines import catalog\n"
        "from engines.contract import Limit, as_json\n"
        "from engines.run.search import Search\n"
        "position = catalog.position('startpos', 'connect4')\n"
        "print(as_json(Search(position, catalog.algorithm('minimax'), Limit(seconds=0.3)).start().report()))"
    )
    checks.run(catalog.position("startpos", "connect4"), "minimax", depth=1)  # it is in the cache now
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    report = json.loads(done.stdout)
    assert report["best_move"] is not None
    assert report["depth"] >= 1


@pytest.mark.plain
@pytest.mark.parametrize(("game", "algorithm"), [pair for pair in PAIRS if pair[1] in ("minimax", "negamax", "alphabeta")])
def test_depth_by_depth_each_depth_is_the_search_to_that_depth(game: str, algorithm: str) -> None:
    position = long_position(game)
    report = checks.run(position, algorithm, nodes=3000 if jit_enabled() else 500)
    assert [row.depth for row in report.depths] == list(range(1, report.depth + 1))
    assert sum(row.nodes for row in report.depths) <= report.nodes
    for row in report.depths:
        alone = checks.run(position, algorithm, depth=row.depth)
        assert (row.value, row.best_move, row.pv, row.nodes, row.leaves) == (
            alone.value,
            alone.best_move,
            alone.pv,
            alone.nodes,
            alone.leaves,
        )
    last = report.depths[-1]
    assert (report.value, report.best_move, report.pv) == (last.value, last.best_move, last.pv)


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_a_finished_game_has_an_outcome_and_no_move(game: str, algorithm: str) -> None:
    position = finished_position(game)
    report = checks.run(position, algorithm, depth=3)
    assert (report.stopped_by, report.best_move, report.pv, report.nodes, report.exact) == ("game over", None, (), 1, True)
    assert report.root_moves == ()
    if position.game.has_winner:
        assert report.outcome in ("first", "second", "draw")
        assert report.distance == (None if report.outcome == "draw" else 0)
        method = catalog.algorithm(algorithm)
        expects = position.game.has_chance and (method.expects or method.vectors)
        win = 1 if method.means or expects else 1_000_000
        assert report.value == {"first": win, "second": -win, "draw": 0}[report.outcome]


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(BY_DEPTH))
def test_no_depth_at_all_gives_the_evaluation(game: str, algorithm: str) -> None:
    position = long_position(game)
    report = checks.run(position, algorithm, depth=0)
    assert report.value == pytest.approx(position.game.evaluation(position.state).value)
    assert (report.best_move, report.pv, report.nodes, report.leaves, report.evaluations) == (None, (), 1, 1, 1)
    assert (report.exact, report.stopped_by) == (False, "depth")


def never_falls(before: Counters, now: Counters) -> bool:
    """Every counter is at least what it was; but a tree in which something is proven may be cleared up."""
    names = [name for name in Counters.__struct_fields__ if name != "tree_nodes"]
    return all(getattr(before, name) <= getattr(now, name) for name in names)


SECONDS = 0.05 if jit_enabled() else 0.15


@pytest.mark.parametrize(("game", "algorithm"), checks.on_two_games(PAIRS))
def test_a_deadline_is_kept_and_counters_only_grow(game: str, algorithm: str) -> None:
    position = long_position(game)
    checks.run(position, algorithm, nodes=100)  # compiled or loaded now
    search, before = (
        Search(
            position, catalog.algorithm(algorithm), Limit(seconds=SECONDS), memory=checks.small_memory(algorithm)
        ).start(),
        Counters(),
    )
    began = perf_counter()
    while search.running:
        now = search.counters()
        assert never_falls(before, now)
        before = now
        sleep(0.0005)
    assert perf_counter() - began < SECONDS + 0.5
    report = search.report()
    assert never_falls(before, search.counters())
    if report.stopped_by == "seconds":
        assert report.seconds >= SECONDS - 0.01
        if algorithm not in ("solver", "nested"):  # the one proves something by then or not, the other plays a whole game
            # A busy machine may have given the thread, which is a nice one, no time: then this one shall do it.
            some = report if report.depth else checks.run(position, algorithm, seconds=2)
            assert some.depth >= 1
            assert some.value is not None
    for name in Counters.__struct_fields__:
        counted = getattr(search.counters(), name)
        found = search.algorithm
        families = {"tree_nodes": found.means or found.expands, "iterations": found.iterates, "playouts": found.samples}
        family = families.get(name, True)
        if name == "visited_nodes":  # a report has them ply by ply
            assert counted == (sum(report.tree_depths) if found.means else 0)
        elif not family:
            assert (getattr(report, name), counted) == (None, 0)
        else:
            assert getattr(report, name) == counted
    assert report.leaves <= report.nodes
    # With these, positions that are searched on are evaluated too.
    stands = bool(report.parameters.get("quiescence")) or algorithm == "best-first"
    assert report.evaluations <= (report.nodes if stands else report.leaves)
    assert report.first_move_cutoffs <= report.cutoffs


def test_counters_only_grow_while_the_quickest_win_is_looked_for() -> None:
    """Its nodes count apart: whoever watches must not see the number of nodes fall at the end."""
    position = catalog.position("startpos", "tictactoe", "6x6x3")
    search = Search(position, catalog.algorithm("alphabeta"), Limit(depth=9), {"quickest": False}).start()
    before = Counters()
    while search.running:
        now = search.counters()
        assert never_falls(before, now)
        before = now
        sleep(0.001)
    report = search.report()
    assert (report.outcome, report.distance_nodes > 10_000) == ("first", True)
    assert never_falls(before, search.counters())


@pytest.mark.plain
def test_an_error_in_the_thread_is_raised_where_the_report_is_asked_for() -> None:
    def search(run: Run) -> SearchResult:
        raise ZeroDivisionError("nothing to divide by")

    broken = Algorithm(id="broken", name="Broken", year=None, summary="", search=search)
    started = Search(catalog.position("startpos", "connect4"), broken).start()
    with pytest.raises(ZeroDivisionError, match="nothing to divide by"):
        started.report()
    assert started.join(1)
    assert not started.running


@pytest.mark.plain
def test_a_misfit_is_refused_before_it_starts() -> None:
    with pytest.raises(InputError):
        Search(catalog.position("(max(1 2) 3)", "tree"), catalog.algorithm("negamax"))


@pytest.mark.parametrize(("game", "algorithm"), checks.on_two_games(PAIRS))
def test_the_same_limit_gives_the_same_report(game: str, algorithm: str) -> None:
    def report(**limits: Any) -> dict[str, object]:
        found = checks.run(long_position(game), algorithm, seed=7, **limits)
        return checks.without_times(found)

    nodes = 500 if jit_enabled() else 60
    if jit_enabled() or algorithm != "nested":  # whose few iterations are thousands of games
        assert report(depth=1) == report(depth=1)
    assert report(nodes=nodes) == report(nodes=nodes)


@pytest.mark.plain
def test_a_report_carries_what_made_it() -> None:
    position = catalog.position("44", "connect4", "5x4", {"k": "3"})
    report = Search(position, catalog.algorithm("alphabeta"), Limit(depth=2), seed=9).start().report()
    assert (report.game, report.size, report.position, report.algorithm) == ("connect4", "5x4", "44", "alphabeta")
    assert (report.options["k"], report.parameters, report.seed) == (
        3,
        {"quickest": True, "backwards": False, "tables": False},
        9,
    )
    assert (report.limit, report.depth, report.selective_depth) == (Limit(depth=2), 2, 2)
    assert report.seconds > 0
    assert report.nodes_per_second == pytest.approx(report.nodes / report.seconds)

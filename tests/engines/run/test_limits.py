"""A limit holds for the whole of a search: the proof that follows a win, and all threads, are within it."""

from __future__ import annotations

import random
import weakref
from dataclasses import dataclass
from functools import cache
from time import sleep, thread_time
from typing import Any

import pytest

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import Counters, Limit, Report, Setting
from engines.position import Position
from engines.run.memory import Memory
from engines.run.result import DepthResult, SearchResult
from engines.run.run import Run
from engines.run.search import Search
from engines.run.work import entered, left_of, new_work
from engines.tape.tape import NoTape, new_tape
from tests.engines import checks
from tests.thorough import LONG

MATE_IN_TWO = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1"
"""WAC.004: 1. Qxh7+ is seen after 200 nodes, by captures and checks; to make sure of it takes 659 more."""


def spent(report: Report) -> int:
    """All nodes of a search."""
    return report.all_nodes


@pytest.mark.parametrize("nodes", [200, 300, 500, 900])
def test_the_proof_of_a_mate_is_within_the_nodes(nodes: int) -> None:
    report = checks.run(catalog.position(MATE_IN_TWO, "chess"), "deepening", nodes=nodes)
    assert report.best_move == "h6h7"
    assert report.distance_nodes > 0
    assert spent(report) == nodes
    assert (report.exact, report.outcome, report.distance) == (False, None, None), "it was seen, but not made sure of"
    assert report.stopped_by == "nodes"


def test_a_mate_that_the_nodes_allow_to_prove_is_proven() -> None:
    report = checks.run(catalog.position(MATE_IN_TWO, "chess"), "deepening", nodes=2000)
    assert (report.outcome, report.distance, report.stopped_by) == ("first", 3, "solved")
    assert report.pv == ("h6h7", "h8h7", "h5g6")
    assert spent(report) <= 2000


def test_to_prove_takes_at_most_half_of_what_is_left() -> None:
    """Else a mate that is hard to prove would take all, and the search would not look deeper, where it may be easy."""
    report = checks.run(catalog.position(MATE_IN_TWO, "chess"), "deepening", nodes=900)
    assert report.depth == 2
    assert report.distance_nodes < 450


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("algorithm", ["deepening", "pvs", "mtdf"])
def test_threads_share_the_nodes_and_use_them_all(algorithm: str, threads: int) -> None:
    for nodes in (1, 10, 777, 20_000):
        report = run_with_threads(algorithm, "connect4", threads, nodes)
        assert report.stopped_by == "nodes"
        assert nodes - 100 * threads < spent(report) <= nodes
        has_share = report.depth >= 1 and report.best_move is not None
        assert has_share or nodes < 100 * threads, "the thread that reports has its share, whoever else is quicker"


def run_with_threads(algorithm: str, game: str, threads: int, nodes: int, **others: bool | int | str) -> Report:
    """A search from the start position."""
    parameters = {"threads": threads, **others}
    position, limit = catalog.position("startpos", game), Limit(nodes=nodes)
    return Search(position, catalog.algorithm(algorithm), limit, parameters, memory=Memory(most=4)).run_here().report()


def new_run(nodes: int) -> Run:
    """A run of no algorithm in particular."""
    work = new_work()
    work.budget = nodes
    return Run(catalog.position("startpos", "tictactoe"), Limit(nodes=nodes), {}, work, NoTape())


@pytest.mark.plain
def test_what_counts_apart_is_taken_from_the_same_limit() -> None:
    run = new_run(10)
    for _ in range(4):
        assert entered(run.work, 0)
    with run.aside(most=5) as second:
        assert run.work is second
        assert [entered(second, 0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert run.work is not second
    assert left_of(run.work) == 1
    assert [entered(run.work, 0) for _ in range(2)] == [True, False]
    with run.aside() as second:
        assert not entered(second, 0)


@pytest.mark.plain
def test_a_stop_is_never_forgotten_between_two_records() -> None:
    """It may come at any moment: before a second record takes over, while it works, or when the first one goes on."""
    run = new_run(10)
    run.stop_requested = True  # the record that worked when it was told may be another one by now
    with run.aside() as second:
        assert not entered(second, 0)
    assert not entered(run.work, 0)
    run = new_run(10)
    with run.aside() as second:
        assert entered(second, 0)
        run.stop_requested = True
    assert not entered(run.work, 0)


@pytest.mark.parametrize("parallel", ["root", "tree", "leaf"])
def test_threads_that_sample_share_the_nodes_and_use_them_all(parallel: str) -> None:
    for nodes in (50, 5000, 40_000):
        report = run_with_threads("uct", "tictactoe", 3, nodes, parallel=parallel)
        assert report.stopped_by == "nodes"
        assert nodes - 3 <= report.nodes <= nodes
        assert sum(one.nodes for one in report.by_thread) == report.nodes


def test_threads_that_prove_share_the_nodes_and_use_them_all() -> None:
    for nodes in (60, 3000, 20_000):
        report = run_with_threads("pns", "connect4", 3, nodes)
        assert report.stopped_by == "nodes"
        assert nodes - 20 <= report.nodes <= nodes, "less than one expansion is left over"
    many = Search(
        catalog.position("startpos", "connect4"),
        catalog.algorithm("pns"),
        Limit(iterations=7),
        {"threads": 4, "job": 50},
        memory=Memory(most=4),
    )
    assert many.run_here().report().iterations == 7


@pytest.mark.parametrize(("algorithm", "game"), [("uct", "tictactoe"), ("pns", "tictactoe"), ("nrpa", "samegame")])
def test_a_smaller_limit_does_not_go_on_with_more_than_it_allows(algorithm: str, game: str) -> None:
    """A tree of 4,000 nodes is no answer for who allows 500."""
    position, memory = catalog.position("startpos", game, "5x5x4" if game == "tictactoe" else None), Memory(most=4)
    for nodes in (4000, 500, 900):
        report = Search(position, catalog.algorithm(algorithm), Limit(nodes=nodes), memory=memory).run_here().report()
        assert nodes - 30 <= report.nodes <= nodes


def test_a_proof_that_is_recorded_is_within_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """To write a proof down, what the table has forgotten or knows no shortest way for is searched again."""
    records: list[Any] = []

    def noted() -> Any:
        records.append(new_work())
        return records[-1]

    monkeypatch.setattr("engines.parts.proof.maker.new_work", noted)
    position = catalog.position("startpos", "tictactoe", "4x4x3")
    free = Search(position, catalog.algorithm("dfpn"), Limit(), tape=new_tape(200_000)).run_here().report()
    again = int(records[-1].nodes)
    assert (free.outcome, again > 0) == ("first", True)
    for nodes in (free.nodes + again // 2, free.nodes + 1):
        report = Search(position, catalog.algorithm("dfpn"), Limit(nodes=nodes), tape=new_tape(200_000)).run_here().report()
        assert report.outcome == "first"
        assert spent(report) + int(records[-1].nodes) <= nodes


@pytest.mark.plain
def test_the_time_of_a_search_is_its_own() -> None:
    """Not that of loading its code before, nor that of writing the report behind it."""

    def search(run: Run) -> SearchResult:
        sleep(0.02)
        return SearchResult(best=DepthResult(depth=0), depths=[], stopped_by="request")

    class Slow(Search):
        """Its code takes long to load."""

        def _get_ready(self) -> float:
            sleep(0.3)
            assert self.elapsed() == 0
            assert self.glance().seconds == 0
            return 0.3

        def counters(self) -> Counters:  # which the report begins with
            sleep(0.3 if self.found is not None and self.running else 0)
            return super().counters()

    quick = Algorithm(id="quick", name="Quick", year=None, summary="", search=search)
    slow = Slow(catalog.position("startpos", "tictactoe"), quick).start()
    report = slow.report()
    assert 0.02 <= report.seconds < 0.2
    assert slow.glance().seconds == pytest.approx(report.seconds)
    assert report.compile_seconds == 0.3


@pytest.mark.plain
@pytest.mark.parametrize(("algorithm", "game"), [("deepening", "tictactoe"), ("dfpn", "tictactoe"), ("solver", "connect4")])
def test_taking_memory_is_no_part_of_the_search(algorithm: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a search of a few nodes with a table would look slower than one of thousands without."""
    taken: list[int] = []

    def slowly(words: Any, is_told: Any) -> None:
        assert search.elapsed() == 0
        taken.append(len(words))
        sleep(0.3)

    monkeypatch.setattr("engines.run.run.touch", slowly)
    near_the_end = "X.O/.OX/X.O" if game == "tictactoe" else "44444436666661111112222223333377777755555"
    position, memory = catalog.position(near_the_end, game), Memory(most=1, prefault=True)
    search = Search(position, catalog.algorithm(algorithm), Limit(), {"table": 1}, memory=memory)
    report = search.run_here().report()
    assert len(taken) == 1
    assert report.seconds < 0.25
    if algorithm == "deepening":
        Search(position, catalog.algorithm(algorithm), Limit(), {"table": 1}, memory=memory).run_here().finish()
        assert len(taken) == 1, "what is kept is at hand"


@pytest.mark.plain
def test_a_search_that_nobody_needs_gives_its_memory_back_at_once() -> None:
    """Not only when somebody looks for circles: a table may have gigabytes."""
    position, memory = catalog.position("X.O/.OX/X.O", "tictactoe"), Memory(most=1, prefault=True)
    search = Search(position, catalog.algorithm("deepening"), Limit(), memory=memory).run_here()
    search.finish()
    kept = weakref.ref(memory)
    del search, memory
    assert kept() is None


# Many runs at random.

SMALL = ("tictactoe", "tree", "graph", "einstein", "samegame", "connect4")
"""Games whose searches are soon loaded."""
RUNS, LONG_RUNS = 100, 500
LATE = 0.05 + 0.1
"""A stop takes at most 50 ms; on a busy machine it may come later."""


@dataclass(frozen=True)
class Ask:
    """A search that somebody may ask for."""

    algorithm: str
    game: str
    limit: Limit
    parameters: dict[str, Setting]
    recorded: bool
    seed: int


@cache
def starting(game: str) -> Position:
    """A position of a game that takes a while."""
    if game == "tree":
        text = "1"
        for branches in (4, 5, 3, 4, 3, 5):
            text = f"({' '.join([text] * branches)})"
        return catalog.position(text, game)
    return catalog.position("startpos", game, "4x4x3" if game == "tictactoe" else None)


def any_ask(rng: random.Random, games: tuple[str, ...]) -> Ask:
    """An algorithm, a game that it fits, and a limit that it has."""
    game = rng.choice(games)
    fitting = [name for name in catalog.ALGORITHMS if catalog.algorithm(name).compiled]
    name = rng.choice([name for name in fitting if catalog.misfit(catalog.algorithm(name), starting(game)) is None])
    algorithm = catalog.algorithm(name)
    limits = {
        "depth": Limit(depth=rng.randint(0, 4)),
        "nodes": Limit(nodes=int(10 ** rng.uniform(0, 4.3))),
        "iterations": Limit(iterations=int(10 ** rng.uniform(0, 2.5))),
        "seconds": Limit(seconds=rng.uniform(0.01, 0.1)),
    }
    limit = limits[rng.choice(algorithm.limits)]
    known = {parameter.name for parameter in algorithm.parameters}
    parameters: dict[str, Setting] = {}
    if "threads" in known and rng.random() < 0.5:
        parameters["threads"] = rng.randint(2, 4)
    if "parallel" in known:
        parameters["parallel"] = rng.choice(("root", "tree", "leaf"))
    if "level" in known:
        parameters["level"] = 1
    recorded = algorithm.records and rng.random() < 0.3
    return Ask(name, game, limit, parameters, recorded, rng.randint(0, 99))


def asked(ask: Ask) -> tuple[Report, float]:
    """The report, and how many seconds of a processor it took."""
    tape = new_tape(5000) if ask.recorded else None
    memory = checks.small_memory(ask.algorithm)
    algorithm = catalog.algorithm(ask.algorithm)
    search = Search(starting(ask.game), algorithm, ask.limit, ask.parameters, ask.seed, tape, memory)
    began = thread_time()
    report = search.run_here().report()
    return report, thread_time() - began


def is_kept(ask: Ask) -> bool:
    """The limit was kept, by all that was done."""
    report, seconds = asked(ask)
    limit = ask.limit
    if limit.nodes is not None:
        return spent(report) <= limit.nodes
    if limit.iterations is not None:
        return (report.iterations or 0) <= limit.iterations
    if limit.depth is not None:
        return report.depth <= limit.depth and all(row.depth <= limit.depth for row in report.depths)
    assert limit.seconds is not None
    return report.seconds <= limit.seconds + LATE and seconds - report.compile_seconds <= limit.seconds + LATE


@pytest.mark.timeout(1800)  # five hundred, with PLYBENCH_LONG, and code to compile
def test_no_limit_is_exceeded() -> None:
    rng = random.Random(19)
    games = tuple(catalog.GAMES) if LONG else SMALL
    over = []
    for _ in range(LONG_RUNS if LONG else RUNS):
        ask = any_ask(rng, games)
        tries = 3 if ask.limit.seconds is not None else 1  # a machine that does something else is not the search's fault
        if not any(is_kept(ask) for _ in range(tries)):
            over.append(ask)
    assert over == []

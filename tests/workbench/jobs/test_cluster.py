"""A match and tuning on a Dask cluster of two processes, of which one is killed: the same totals as on this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import Limit
from workbench.jobs.journal import Journal
from workbench.jobs.pool import Pool
from workbench.jobs.workers import Cluster, GivenExecutor, Processes, Workers, opened
from workbench.matches.match import Match
from workbench.matches.types import MatchOutcome, Terms
from workbench.play.players import read_players
from workbench.tuning.genetic import Tuning
from workbench.tuning.types import Generation, TuneTerms

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # distributed has some of its own
]
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def match(path: Path, workers: Workers, kill: bool = False) -> MatchOutcome:
    players, _ = read_players(["alphabeta:depth=5", "deepening:depth=4:table=1", "random"], "connect4")
    wanted = Match(players, catalog.position("startpos", "connect4"), Terms(games=6, seed=4, most_plies=600))
    with Journal(path, wanted.head) as journal:
        for number, _ in enumerate(wanted.run(journal, workers), 1):
            if number == 5 and kill:
                kill_one(workers)
    return wanted.outcome()


def tuning(path: Path, workers: Workers, kill: bool = False) -> list[Generation]:
    terms = TuneTerms(population=6, generations=4, depth=3, seed=2)
    wanted = Tuning(catalog.position("startpos", "connect4", "6x5"), terms)
    with Journal(path, wanted.head) as journal:
        for generation in wanted.run(journal, workers):
            if generation is not None and generation.number == 2 and kill:
                kill_one(workers)
    return wanted.generations


def kill_one(workers: Workers) -> None:
    assert isinstance(workers, Cluster)
    processes = workers._client.run(os.getpid)
    os.kill(next(iter(processes.values())), signal.SIGKILL)


def test_a_cluster_gives_the_same_totals_also_when_a_worker_is_killed(address: str, tmp_path: Path) -> None:
    with opened(Processes(2)) as processes:
        wanted, generations = match(tmp_path / "match", processes), tuning(tmp_path / "tuning", processes)
    with opened(Cluster(address)) as cluster:
        assert cluster.count == 2
        found = match(tmp_path / "match there", cluster, kill=True)
        assert tuning(tmp_path / "tuning there", cluster, kill=True) == generations
    assert found.complete
    assert [(game.number, game.moves) for game in found.games] == [(game.number, game.moves) for game in wanted.games]
    assert found.encounters == wanted.encounters
    assert [one.tally for one in found.standings] == [one.tally for one in wanted.standings]


def test_a_process_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    players, _ = read_players(["alphabeta", "random"], "connect4", Limit(depth=3))
    totals = []
    for kill in (False, True):
        wanted = Match(players, catalog.position("startpos", "connect4"), Terms(games=12, seed=1, most_plies=600))
        workers = Processes(2) if kill else GivenExecutor(ThreadPoolExecutor(1))
        with Journal(tmp_path / f"{kill}", wanted.head) as journal, opened(workers):
            for number, _ in enumerate(wanted.run(journal, workers), 1):
                if number == 3 and kill:
                    pool = workers.open()
                    assert isinstance(pool, Pool)
                    os.kill(pool.processes[0], signal.SIGKILL)
        totals.append([game.moves for game in wanted.outcome().games])
    assert totals[0] == totals[1]
    assert len(totals[0]) == 12

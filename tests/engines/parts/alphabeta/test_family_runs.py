"""Runs of the alpha-beta family: recorded, with two threads, up to a limit, and told to stop."""

from __future__ import annotations

from time import perf_counter, sleep

import pytest

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.engines import checks
from tests.engines.parts.alphabeta.family import (
    FAMILY,
    PLAIN,
    RISKY,
    TWO_PLAYERS,
    Settings,
    check_table,
    deep_enough,
    end_of,
    look,
    moves_here,
    some_positions,
)


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_recorded_with_everything_on(game: str) -> None:
    """The same search, and a tape on which every value follows from those below it."""
    for number, position in enumerate(some_positions(game, 300)[::15]):
        depth = min(deep_enough(position, number) + 2, 4 if game == "chess" or moves_here(position) > 12 else 7)
        for settings in ({"table": 1}, {**RISKY[number % len(RISKY)], "table": 1}):
            name, tape = FAMILY[number % 3], new_tape(400_000)
            report = look(position, name, settings, depth=depth, nodes=300_000, tape=tape)
            plain = look(position, name, settings, depth=depth, nodes=300_000)
            assert checks.without_times(report) | {"tape_nodes": None} == checks.without_times(plain), position.text
            recording = Recording.of(tape, report, "mover")
            assert recording.complete
            assert recording.faults() == 0, (position.text, name, settings, depth)


@pytest.mark.parametrize("game", ["chess", "connect4", "breakthrough"])
def test_two_threads_find_the_same_value(game: str) -> None:
    both = 0
    depth = {"chess": 4, "connect4": 8, "breakthrough": 5}[game]
    start = catalog.position("startpos", game)
    others = [position for position in some_positions(game, 300)[:24:6] if moves_here(position) < 12]
    for position in [start, *others]:
        for name in FAMILY[:2]:
            one = look(position, name, {**PLAIN, "table": 8}, depth=depth)
            two = look(position, name, {**PLAIN, "table": 8, "threads": 2}, depth=depth)
            assert (one.value, one.depth) == (two.value, two.depth), position.text
            check_table(two.table, 8)
            main = sum(row.nodes for row in two.depths)
            assert two.nodes >= main
            both += two.nodes > main
    assert both > 0


@pytest.mark.plain
@pytest.mark.parametrize("game", TWO_PLAYERS)
@pytest.mark.parametrize("name", FAMILY)
def test_node_limits_are_kept(game: str, name: str) -> None:
    position = catalog.position("startpos", game)
    for limit in (1, 2, 17, 60, 250) if game != "chess" else (1, 2, 40):
        for threads in (1, 2):
            report = look(position, name, {"table": 1, "threads": threads}, nodes=limit)
            assert report.all_nodes <= limit
            assert report.stopped_by in ("nodes", "solved")
            assert report.stopped_by == "solved" or threads == 2 or report.all_nodes == limit


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"multipv": 3}, {"table": 0, "ordering": "none"}])
@pytest.mark.parametrize("game", ["chess", "connect4", "breakthrough"])
def test_told_to_stop_it_stops(game: str, settings: Settings) -> None:
    position = catalog.position("startpos", game)
    look(position, "pvs", settings, depth=2)
    search = Search(position, catalog.algorithm("pvs"), Limit(seconds=60), settings).start()
    while not search.run.depths and search.elapsed() < 10:
        sleep(0.01)
    sleep(0.05)
    began = perf_counter()
    search.stop()
    assert search.join(5.0)
    assert perf_counter() - began < 1.5
    report = search.report()
    assert report.stopped_by == "request"
    assert report.depth >= 1
    end_of(position, report.pv)

"""How long a search continues after it is told to stop, for every game and every algorithm that fits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import perf_counter, sleep

from benchmarks.rows import Row, Target
from engines import catalog
from engines.contract import Limit
from engines.position import Position
from engines.run.search import Search

MILLISECONDS = 50
HEAD_START = 0.2
"""Seconds that a search runs before it is stopped."""
MOST_TIMES = 5
ALL_SECONDS = 40.0
"""The time for all algorithms of a game, in seconds: the more there are, the less often each is stopped."""
DEPTHS = {"tictactoe": 25}
USUAL_DEPTH = 60
ENDLESS = 2**40
"""More iterations than any search completes."""
TREE_BRANCHES, TREE_DEPTH = 3, 9


def measure(quick: bool) -> Iterator[Row]:
    """One row for each game: the worst of all its algorithms."""
    cases = sum(len(catalog.compiled_algorithms_for(game)) for game in catalog.GAMES)
    times = 1 if quick else max(1, min(MOST_TIMES, int(ALL_SECONDS / (HEAD_START * cases))))
    for game in catalog.GAMES:
        yield worst_of(game, times)


def worst_of(game: str, times: int) -> Row:
    """The slowest stop of any algorithm on a game."""
    where, depth = large_position(game), DEPTHS.get(game, USUAL_DEPTH)
    slowest: dict[str, float] = {}
    finished = []
    for algorithm in catalog.compiled_algorithms_for(game):
        found = catalog.algorithm(algorithm)
        if catalog.misfit(found, where):  # for example, a large board cannot be solved as a whole
            continue
        Search(where, found, found.trial).start().report()  # compiles
        limit = Limit(depth=depth) if "depth" in found.limits else Limit(iterations=ENDLESS)
        stops = [stop_once(where, algorithm, limit) for _ in range(times)]
        slowest[algorithm] = max(seconds for seconds, _ in stops)
        if not any(was_stopped for _, was_stopped in stops):
            finished.append(algorithm)
    worst = max(slowest, key=lambda algorithm: slowest[algorithm])
    note = f"worst of {times} stops of each of {len(slowest)} algorithms: {worst}"
    if finished:
        note += f"; done before the stop: {', '.join(finished)}"
    latency = 1000 * slowest[worst]
    return Row(
        task=f"stop latency, {where.game.title}",
        ours=latency,
        unit="ms",
        result=latency,
        result_unit="ms",
        target=Target(below=MILLISECONDS),
        note=note,
    )


def stop_once(where: Position, algorithm: str, limit: Limit) -> tuple[float, bool]:
    """Seconds from the stop to the end of the search, and whether it was still running when it was stopped."""
    search = Search(where, catalog.algorithm(algorithm), limit).start()
    sleep(HEAD_START)
    was_running = search.running
    began = perf_counter()
    search.stop()
    search.join()
    seconds = perf_counter() - began
    search.report()  # raises the exception of the thread, if there was one
    return seconds, was_running


def large_position(game: str) -> Position:
    """A position that keeps a search busy."""
    if game == "tree":
        return catalog.position(large_tree(TREE_DEPTH, random.Random(1)), game)
    return catalog.position("startpos", game, "5x5x4" if game == "tictactoe" else None)


def large_tree(depth: int, numbers: random.Random) -> str:
    """A full tree with random leaves, as text."""
    if depth == 0:
        return str(numbers.randrange(100))
    return f"({' '.join(large_tree(depth - 1, numbers) for _ in range(TREE_BRANCHES))})"

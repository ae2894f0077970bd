"""Two threads on one search of chess, in nodes per second of wall-clock time. Both cores must be free.

With its defaults a search may find another value with two threads, since the second thread's table entries change the order
of moves, and with it what is reduced and pruned. Without those switches the value must be the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import product

from benchmarks import ours
from benchmarks.rows import Row, Target, not_measured, times_faster
from benchmarks.speed import chess_search
from engines import catalog
from engines.contract import Limit, Report, Setting
from engines.parts.alphabeta.parameters import UNSAFE
from engines.run.search import Search

DEPTHS = {"Kiwipete": (12, 7), "Bratko-Kopec 3": (13, 7), "Bratko-Kopec 11": (13, 7)}
"""How deep each position is searched with the defaults, which takes a few seconds, and without the unsafe switches."""
QUICK_LESS = 2
"""A quick run searches so many plies less."""
SAFE: Mapping[str, Setting] = dict.fromkeys(UNSAFE, False) | {"beam": 0}
TIMES_ONE = 1.4


def measure(quick: bool) -> Iterator[Row]:
    """Measure the gain in nodes per second, and whether the values agree."""
    less = QUICK_LESS if quick else 0
    yield rate({name: deep - less for name, (deep, _) in DEPTHS.items()}, rounds=1 if quick else 2)
    yield agreement({name: depth - less for name, (_, depth) in DEPTHS.items()})


def rate(depths: Mapping[str, int], rounds: int) -> Row:
    """One thread and two take turns: nodes per second over all positions, the best of several rounds."""
    task = f"chess deepening with two threads, {len(depths)} positions"
    if (os.cpu_count() or 1) < 2:
        return not_measured(task, "nodes/s", Target(at_least=TIMES_ONE), "skipped: there is only one core")
    search("Kiwipete", 1, 2)  # compiles
    rates: dict[int, list[float]] = {1: [], 2: []}
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _, threads in product(range(rounds), (1, 2)):
        reports = [search(name, depth, threads) for name, depth in depths.items()]
        took = sum(report.seconds for report in reports)
        rates[threads].append(sum(report.nodes for report in reports) / took)
        seconds[threads].append(took)
    sooner = min(seconds[1]) / min(seconds[2])
    note = f"the depth itself is reached {sooner:.1f} times as soon; needs a quiet machine"
    return times_faster(task, "nodes/s", max(rates[2]), "the same with one thread", max(rates[1]), TIMES_ONE, note)


def agreement(depths: Mapping[str, int]) -> Row:
    """The number of positions in which two threads find the same value as one, with all unsafe switches off."""
    values = {name: [search(name, depth, threads, SAFE).value for threads in (1, 2)] for name, depth in depths.items()}
    differ = [f"{name} is worth {one} with one and {two} with two" for name, (one, two) in values.items() if one != two]
    same = len(values) - len(differ)
    return Row(
        task="chess deepening with two threads, nothing unsafe: the same value",
        ours=same,
        unit="positions",
        result=same,
        result_unit="positions",
        target=Target(at_least=len(values)),
        note="; ".join(differ),
    )


def search(name: str, depth: int, threads: int, settings: Mapping[str, Setting] | None = None) -> Report:
    """One search of one of the positions, with a table of its own."""
    where = ours.position("chess", chess_search.POSITIONS[name][0])
    parameters = {**(settings or {}), "threads": threads}
    return Search(where, catalog.algorithm("deepening"), Limit(depth=depth), parameters).start().report()

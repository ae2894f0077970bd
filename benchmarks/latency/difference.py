"""The difference of two searches of ten million recorded nodes each: how long it takes until it is all told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter

from benchmarks.rows import Row, Target
from engines import catalog
from engines.contract import DEPTH_BY_DEPTH, Limit, Setting
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from positions import library
from workbench.difference.job import difference_of

NODES, QUICK_NODES = 10_000_000, 1_000_000
SECONDS = 20.0
DEPTH = 40


def measure(quick: bool) -> Iterator[Row]:
    """Record iterative deepening on Kiwipete with late moves reduced and not, and compare the tapes."""
    nodes = QUICK_NODES if quick else NODES
    difference_of(
        recorded(10_000, {}), recorded(10_000, {"late_move_reductions": True})
    )  # what is compiled once is no part of it
    first, second = recorded(nodes, {"late_move_reductions": False}), recorded(nodes, {"late_move_reductions": True})
    began = perf_counter()
    found = difference_of(first, second)
    took = perf_counter() - began
    yield Row(
        task=f"Difference of two tapes of {len(first):,} and {len(second):,} nodes",
        ours=took,
        unit="s",
        result=took,
        result_unit="s",
        target=Target(below=SECONDS),
        note=f"{sum(row.places for row in found.reasons):,} places where they part, {len(found.parts.subtrees)} named",
    )


def recorded(nodes: int, parameters: Mapping[str, Setting]) -> Recording:
    """So many nodes of a search."""
    algorithm, tape = catalog.algorithm("deepening"), new_tape(nodes)
    assert nodes < DEPTH_BY_DEPTH
    limit = Limit(nodes=nodes, depth=DEPTH)
    search = Search(library.get("chess/kiwipete").position(), algorithm, limit, parameters, tape=tape)
    return Recording.of(tape, search.run_here().report(), algorithm.view)

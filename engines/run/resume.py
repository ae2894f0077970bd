"""Resuming a search where an earlier one stopped.

A search that counts iterations keeps what it has grown: trees, a prover, workers. A later search of the same position, with
the same parameters and the same seed, goes on from there if its limit is not used up yet, and reports as if it had never
stopped. All drivers that count iterations share this one state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Generic, TypeVar

from engines.contract import Limit
from engines.run.result import DepthResult
from engines.run.run import Run
from engines.run.work import Work

G = TypeVar("G")

CARRIED = (
    "nodes",
    "leaves",
    "evaluations",
    "selective_depth",
    "iterations",
    "playouts",
    "tree_nodes",
    "visited_nodes",
    "playout_moves",
    "chance_nodes",
    "guesses",
    "random",
)
"""The counters that go on from where the earlier search left them."""


@dataclass(frozen=True)
class Resumable(Generic[G]):
    """The state of a search that can be resumed."""

    question: tuple[object, ...]
    """What was searched, and how: only a search with the same question may go on."""
    grown: G
    """The tree, prover or workers of the search: each algorithm family has its own type for that."""
    work: Work
    depths: list[DepthResult]
    seconds: float


def spent(kept: Resumable[G]) -> tuple[int, int]:
    """The iterations and the nodes of a search that has one record."""
    return int(kept.work.iterations), int(kept.work.nodes)


def resume(
    run: Run,
    algorithm: str,
    new: Callable[[], G],
    spent: Callable[[Resumable[G]], tuple[int, int]] = spent,
    can_resume: Callable[[int], bool] = lambda iterations: True,
) -> tuple[G, bool]:
    """The state of an earlier search, with its counters copied to the record of this one, and True; else a new state and
    False.

    `can_resume` tells whether the search can go on after so many iterations as if it had never stopped.
    """
    position = run.position  # not its text: that of a large tree takes longer to write than some searches
    question = (
        *(algorithm, position.game, position.start, position.played),
        *(tuple(run.parameters.items()), int(run.work.random)),
    )
    kept = run.memory.kept
    if kept is not None and kept.question == question:
        iterations, nodes = spent(kept)
        if is_within(run.limit, iterations, nodes) and can_resume(iterations):
            for name in CARRIED:
                run.work[name] = kept.work[name]
            run.depths[:] = kept.depths
            run.earlier_seconds = kept.seconds
            return kept.grown, True
    grown = new()
    run.memory.kept = Resumable(question, grown, run.work, run.depths, 0.0)
    return grown, False


def keep(run: Run, began: float) -> None:
    """Keep the state of this search, which started at `began`, for a later one with a larger limit."""
    assert run.memory.kept is not None
    seconds = run.earlier_seconds + perf_counter() - began
    run.memory.kept = replace(run.memory.kept, work=run.work.copy(), depths=list(run.depths), seconds=seconds)


def is_within(limit: Limit, iterations: int, nodes: int) -> bool:
    """Whether a search that has come so far is still within this limit."""
    enough = limit.iterations is None or iterations <= limit.iterations
    return enough and (limit.nodes is None or nodes <= limit.nodes)

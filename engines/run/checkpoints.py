"""The driver by checkpoints: a search that counts iterations runs up to its limit and reports at growing intervals what it
believes.

An iteration may be a sampled game or an expanded position; a checkpoint takes the place of a depth.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from engines.run.result import DepthResult
from engines.run.run import Run

DEFAULT_ITERATIONS = 10_000
"""Iterations of a search without a limit."""

GROWTH = 1.25
"""The number of iterations at a checkpoint is that at the one before times this."""


def next_checkpoint(iterations: int) -> int:
    """The iterations of the next checkpoint: 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15 ..., independent of the limit."""
    checkpoint = 1
    while checkpoint <= iterations:
        checkpoint = max(checkpoint + 1, int(checkpoint * GROWTH))
    return checkpoint


def last_iteration(run: Run, default: int = DEFAULT_ITERATIONS) -> int:
    """How many iterations the limit allows; so many, if no limit is given."""
    limit = run.limit
    if limit.iterations is not None:
        return limit.iterations
    return default if limit.nodes is None and limit.seconds is None else 2**62


class Mark(NamedTuple):
    """A checkpoint that was reached: the time, and the nodes and leaves of all threads by then."""

    time: float
    nodes: int
    leaves: int


def note_row(run: Run, row: DepthResult, before: Mark, nodes: int, leaves: int) -> Mark:
    """Note what is believed at a checkpoint, with the work since the one `before`, now that so many nodes and leaves are
    counted. Returns the mark of this checkpoint."""
    row.nodes, row.leaves, row.seconds = nodes - before.nodes, leaves - before.leaves, perf_counter() - before.time
    run.depths.append(row)
    return Mark(perf_counter(), nodes, leaves)


def checkpoints(
    run: Run,
    advance: Callable[[Run, int], None],
    beliefs: Callable[[Run], list[DepthResult]],
    ended: Callable[[], bool],
    default: int = DEFAULT_ITERATIONS,
    following: Callable[[int], int] = next_checkpoint,
) -> None:
    """Run a search from checkpoint to checkpoint, up to the limit or its end, and note at each what it believes. If it noted
    by itself what was believed between two of them, those rows know how many nodes and leaves there were by then."""
    work, last = run.work, last_iteration(run, default)
    began, nodes, leaves = perf_counter(), int(work.nodes), int(work.leaves)
    while not work.stopped and int(work.iterations) < last and not ended():
        run.depth = len(run.depths) + 1
        before = int(work.iterations)
        advance(run, min(last, following(before)))
        if int(work.iterations) == before and not ended():
            continue
        rows, seconds, first = beliefs(run), perf_counter() - began, nodes
        rows[-1].nodes, rows[-1].leaves = int(work.nodes), int(work.leaves)
        for row in rows:
            row.nodes, row.leaves = row.nodes - nodes, row.leaves - leaves
            nodes, leaves = nodes + row.nodes, leaves + row.leaves
            row.seconds = seconds * row.nodes / max(1, int(work.nodes) - first)
            run.depths.append(row)
        began = perf_counter()

"""The driver of searches that expand one position at a time: expansions up to the limit, and what is believed now and then.

An expansion is an iteration, and a checkpoint takes the place of a depth, as in searches that sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeVar

from engines.algorithm import FoundDepth, Run
from engines.parts.iterations import CARRIED, DEFAULT_ITERATIONS, may_go_on, next_checkpoint
from engines.parts.work import Work

G = TypeVar("G")


@dataclass
class Kept:
    """What has grown so far, and what was counted meanwhile: a search that asks for more goes on from here."""

    what: tuple[object, ...]
    grower: Any
    work: Work
    depths: list[FoundDepth]
    seconds: float

    def fits(self, run: Run, resumes: Callable[[int], bool]) -> bool:
        """It has not gone further than this search shall go, and can be gone on with."""
        count = int(self.work.iterations)
        return may_go_on(run.limit, count, int(self.work.nodes)) and resumes(count)


def kept_growth(
    run: Run, algorithm: str, kind: type[G], new: Callable[[Run], G], resumes: Callable[[int], bool] = lambda count: True
) -> G:
    """What an earlier search left that this one only prolongs, with its counters; else something new. `resumes` tells
    whether it can be gone on with after so many iterations as if it had never stopped."""
    position = run.position
    what = (algorithm, position.game, position.start, position.played, tuple(run.parameters.items()), int(run.work.random))
    kept = run.memory.kept
    if isinstance(kept, Kept) and kept.what == what and kept.fits(run, resumes):
        for name in (*CARRIED, "guesses"):
            run.work[name] = kept.work[name]
        run.depths[:] = kept.depths
        run.earlier_seconds = kept.seconds
        assert isinstance(kept.grower, kind)
        return kept.grower
    grower = new(run)
    run.memory.kept = Kept(what, grower, run.work, run.depths, 0.0)
    return grower


def keep_growth(run: Run, began: float) -> None:
    """Keep what has grown, for a search that asks for more."""
    kept = run.memory.kept
    assert isinstance(kept, Kept)
    kept.work, kept.depths = run.work.copy(), list(run.depths)
    kept.seconds = run.earlier_seconds + perf_counter() - began


def last_iteration(run: Run, default: int = DEFAULT_ITERATIONS) -> int:
    """How many iterations the limit allows; so many, if no limit is given."""
    limit = run.limit
    if limit.iterations is not None:
        return limit.iterations
    return default if limit.nodes is None and limit.seconds is None else 2**62


def checkpoints(
    run: Run,
    advance: Callable[[Run, int], None],
    beliefs: Callable[[Run], list[FoundDepth]],
    ended: Callable[[], bool],
    default: int = DEFAULT_ITERATIONS,
    following: Callable[[int], int] = next_checkpoint,
) -> None:
    """Let it grow from checkpoint to checkpoint, up to the limit or the end, and note at each what is believed. If it noted
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

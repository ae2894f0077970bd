"""The driver of searches that look for one good game: workers that play independently, and the best that any has found.

Values are results of whole games, in units of the kernels and **for the first player**. An iteration is whatever a worker
counts; checkpoints come after the same numbers of them whatever the limit is, and where a better game was found.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from engines.contract import Parameter, StoppedBy
from engines.rules import INFINITY
from engines.run.checkpoints import Mark, last_iteration, next_checkpoint, note_row
from engines.run.result import DepthResult, LevelResult, MoveResult, SearchResult
from engines.run.resume import keep, resume
from engines.run.run import Run
from engines.run.work import Work, new_work

PLIES = 520
"""No game here is longer."""
NONE_YET = -INFINITY
"""The score of no game at all."""
ALL, TOTAL, BEST = range(3)
"""The columns of what is counted by level: how many searches have ended, the sum of their scores, the best one."""
COUNTED = ("nodes", "leaves", "selective_depth", "iterations", "playouts", "playout_moves")
"""The counters that each worker has, and that are summed for the search."""
FOREVER = 2**62
THREADS = Parameter(
    name="threads",
    default=1,
    low=1,
    high=64,
    sentence="How many independent searches run at once; the best game of all counts.",
)
PLAYOUTS = Parameter(
    name="playouts",
    default="knowing",
    choices=("knowing", "uniform"),
    sentence="Sampled games: by what the game knows (SameGame: the commonest colour last), or any move alike.",
)


@dataclass
class Best:
    """The best game of a worker, from the root; and what was seen of each move there."""

    score: int = NONE_YET
    line: list[int] = field(default_factory=list)
    moves: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each move of the root: iterations behind it, and the best score."""

    def improve(self, score: int, line: Sequence[int], sign: int = 1) -> None:
        """Keep a game if it is better than the best so far."""
        if self.score == NONE_YET or sign * score > sign * self.score:
            self.score, self.line = score, list(line)

    def note(self, move: int, score: int, sign: int = 1) -> None:
        """One more iteration behind a move of the root."""
        times, best = self.moves.get(move, (0, score))
        self.moves[move] = times + 1, max(sign * score, sign * best) * sign


class SamplingWorker(ABC):
    """An independent search for a good game that can be continued where it stopped."""

    levels: Any
    """What was counted at each level, a row for each."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.best = Best()
        self.ended = False
        """Whether it is done, unless it restarts."""
        self.again = False
        """Whether it restarts when it is done."""

    @abstractmethod
    def begin(self) -> None:
        """Search from the beginning, but keep the best game."""

    @abstractmethod
    def advance(self, shared: Work, count: int) -> None:
        """That many iterations, or fewer if the work is stopped, by its own record or by `shared`, that of the search."""


def resumed_workers(run: Run, algorithm: str, new: Callable[[Work], SamplingWorker]) -> list[SamplingWorker]:
    """The workers of an earlier search that this one only prolongs, with what was counted; else new ones.

    One alone works on the record of the search itself; several have records of their own.
    """
    seed, count = int(run.work.random), int(run.parameters["threads"])

    def new_workers() -> list[SamplingWorker]:
        return [new(run.work)] if count == 1 else [new(new_work(seed + number)) for number in range(count)]

    workers, resumed = resume(run, algorithm, new_workers)
    if resumed:
        if len(workers) == 1:
            workers[0].work = run.work
        for worker in workers:
            worker.work.stopped = 0
    return workers


def search_until_done(run: Run, workers: list[SamplingWorker], slice_: int, again: bool) -> SearchResult:
    """Let the workers go on, about `slice_` iterations at a time, and note at each checkpoint what is the best. With `again`
    those that are done begin anew."""
    work, sign, last = run.work, run.position.turn, last_iteration(run, default=FOREVER)
    mark = Mark(perf_counter(), int(work.nodes), int(work.leaves))
    began = mark.time
    for worker in workers:
        worker.again = again
    while not work.stopped and work.iterations < last:
        if all(worker.ended and not worker.again for worker in workers):
            break
        run.depth = len(run.depths) + 1
        before, row = int(work.iterations), run.depths[-1] if run.depths else None
        checkpoint = next_checkpoint(before)
        advance_workers(run, workers, min(last, checkpoint, before - before % slice_ + slice_) - before)
        best = max((worker.best for worker in workers), key=lambda one: (one.score != NONE_YET, sign * one.score))
        if work.iterations == before or best.score == NONE_YET:
            continue
        if row is None or best.score * sign != row.value or work.iterations >= checkpoint or work.iterations == last:
            mark = note_row(run, belief(run, workers, best, sign), mark, int(work.nodes), int(work.leaves))
    if run.depths and work.iterations > (run.depths[-1].iterations or 0):
        best = max((worker.best for worker in workers), key=lambda one: (one.score != NONE_YET, sign * one.score))
        note_row(run, belief(run, workers, best, sign), mark, int(work.nodes), int(work.leaves))
    keep(run, began)
    stopped_by: StoppedBy = "request" if work.stopped else "iterations"
    return SearchResult(
        best=run.depths[-1] if run.depths else DepthResult(depth=0),
        depths=run.depths,
        stopped_by=stopped_by,
        knows_distance=False,
        levels=by_level(workers, sign),
        playout_plies=float(work.playout_moves) / float(work.playouts) if work.playouts else None,
    )


def advance_workers(run: Run, workers: list[SamplingWorker], count: int) -> None:
    """Run so many iterations, divided among the workers that are not done; then sum their counters in the record of the
    search."""
    shared = run.work
    if len(workers) == 1:
        workers[0].advance(shared, count)
        return
    workers = [worker for worker in workers if not worker.work.stopped and (worker.again or not worker.ended)]
    before = [{name: int(worker.work[name]) for name in COUNTED} for worker in workers]
    shares = [count // len(workers) + (number < count % len(workers)) for number in range(len(workers))]
    for number, worker in enumerate(workers):
        if run.limit.nodes is not None:
            left = max(0, run.limit.nodes - int(shared.nodes))
            worker.work.budget = worker.work.nodes + left // len(workers) + (number < left % len(workers))
    threads = [
        threading.Thread(target=worker.advance, args=(shared, share), daemon=True)
        for worker, share in zip(workers, shares, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for counted, worker in zip(before, workers, strict=True):
        for name in COUNTED:
            more = int(worker.work[name]) - counted[name]
            shared[name] = max(shared[name], worker.work[name]) if name == "selective_depth" else shared[name] + more
    if all(worker.work.stopped or (worker.ended and not worker.again) for worker in workers):
        shared.stopped = int(any(worker.work.stopped for worker in workers))


def belief(run: Run, workers: Sequence[SamplingWorker], best: Best, sign: int) -> DepthResult:
    """The result so far."""
    found = DepthResult(depth=len(run.depths) + 1, value=sign * best.score, iterations=int(run.work.iterations))
    found.line = best.line
    seen: dict[int, tuple[int, int]] = {}
    for worker in workers:
        for move, (times, score) in worker.best.moves.items():
            others, top = seen.get(move, (0, score))
            seen[move] = others + times, sign * max(sign * score, sign * top)
    for move, (times, score) in seen.items():
        first = best.line[:1] == [move]
        line, value = (best.line, best.score) if first else ([move], score)  # it may have become better behind the move
        found.root_moves.append(
            MoveResult(move=move, value=sign * value, bound="exact", nodes=times, line=line, visits=times)
        )
    found.root_moves.sort(key=lambda row: (row.move != (found.line[0] if found.line else None), -row.value, -row.nodes))
    return found


def by_level(workers: Sequence[SamplingWorker], sign: int) -> list[LevelResult]:
    """How good the searches of each level were, the games that were sampled first."""
    levels = []
    for level, rows in enumerate(np.stack([worker.levels for worker in workers], axis=1)):
        ended = int(rows[:, ALL].sum())
        if ended:
            best = max(sign * int(row[BEST]) for row in rows if row[ALL])
            mean = sign * float(rows[:, TOTAL].sum()) / ended
            levels.append(LevelResult(level=level, searches=ended, mean=mean, best=best))
    return levels

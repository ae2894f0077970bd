"""Measures processor time: the best of several runs, with all contestants taking turns."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import thread_time
from types import FrameType, FunctionType
from typing import Any, Generic, TypeVar

Task = Callable[[], object]
T = TypeVar("T")


class OnClock(Generic[T]):
    """A task that another process performs, the clock of that process's processor time, and what to do before the clock
    starts."""

    def __init__(self, task: Callable[[], T], clock: Callable[[], float], prepare: Task = lambda: None) -> None:
        self.task = task
        self.clock = clock
        self.prepare = prepare

    def __call__(self) -> T:
        return self.task()


def best_in_turn(rounds: int, *tasks: Task) -> list[float]:
    """The least processor time of each task, in seconds.

    The tasks take turns, so that a machine that is busy for a while is busy for all of them.
    """
    best = [float("inf")] * len(tasks)
    with _no_garbage_collection():
        for _ in range(rounds):
            for i, task in enumerate(tasks):
                best[i] = min(best[i], cpu_seconds(task))
    return best


def cpu_seconds(task: Task) -> float:
    """The processor time of one run of the task, in this thread or in the process that performs it."""
    clock = thread_time
    if isinstance(task, OnClock):
        task.prepare()
        clock = task.clock
    began = clock()
    task()
    return clock() - began


def count_calls(function: Callable[..., Any], task: Task) -> int:
    """The number of calls of a Python function while the task runs: the nodes of a search that does not count them itself.

    This is far too slow to be timed, and so the searches themselves need not spend time on counting.
    """
    assert isinstance(function, FunctionType)
    code, calls = function.__code__, 0

    def watch(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        if event == "call" and frame.f_code is code:
            calls += 1

    sys.setprofile(watch)
    try:
        task()
    finally:
        sys.setprofile(None)
    return calls


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Disable Python's garbage collector, as `timeit` does: it would only slow the peers."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

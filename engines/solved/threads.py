"""Worker threads that divide the parts of a job among them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from engines.contract import InputError
from engines.run.work import Work, new_work

Part = TypeVar("Part")
MOST_THREADS = 64


class Stopped(Exception):
    """The job was given up before it was done."""


class WorkerThreads:
    """Worker threads, each with a work record that counts positions and can be stopped, like that of a search."""

    def __init__(self, work: Work, threads: int | None = None) -> None:
        count = min(threads or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, MOST_THREADS)
        self.works = [work, *(new_work() for _ in range(count - 1))]
        self.stage = ""
        """The current stage of the job, in words for the user."""
        self.steps = self.step = 0
        """How many steps the job has, if that is known, and how many are done."""

    @property
    def helpers(self) -> list[Work]:
        """The records of all threads but the first."""
        return self.works[1:]

    @property
    def nodes(self) -> int:
        """Positions visited by all threads."""
        return sum(int(work.nodes) for work in self.works)

    def stop(self) -> None:
        """Stop all threads."""
        for work in self.works:
            work.budget = 0

    def share(self, parts: Iterable[Part], do: Callable[[Work, Part], object]) -> None:
        """Call `do` for every part, each in the next free thread. Raises `Stopped` if the work was stopped meanwhile."""
        waiting, lock = iter(list(parts)), threading.Lock()
        errors: list[BaseException] = []

        def take(work: Work) -> None:
            while not work.stopped and work.budget > 0 and not errors:
                with lock:
                    part = next(waiting, None)
                if part is None:
                    return
                try:
                    do(work, part)
                except BaseException as error:  # noqa: BLE001 - raised again below
                    errors.append(error)

        threads = [threading.Thread(target=take, args=(work,), daemon=True) for work in self.helpers]
        for thread in threads:
            thread.start()
        take(self.works[0])
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        if any(work.stopped or work.budget <= 0 for work in self.works):
            raise Stopped


def check_threads(threads: int | None) -> None:
    """An InputError if so many threads cannot be had."""
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise InputError(f"The threads are a whole number from 1 to {MOST_THREADS}, not {threads}.")


def number(workers: WorkerThreads, work: Work) -> int:
    """The number of the thread that has this work record."""
    return next(i for i, one in enumerate(workers.works) if one is work)

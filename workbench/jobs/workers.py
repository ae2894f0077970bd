"""Work in pieces for any executor: processes on this machine, a Dask cluster, or what else `concurrent.futures` runs on.

A piece is done by a plain function of one argument, and says the same wherever it is done. So a worker that is lost loses
nothing: its pieces are done again by others, and no total changes.
"""

from __future__ import annotations

import contextlib
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from importlib import import_module
from typing import Any, TypeVar

from engines.contract import InputError, shown
from workbench.jobs.pool import Pool, WorkerLost

Piece = TypeVar("Piece")
Done = TypeVar("Done")

AHEAD = 2
"""The number of pieces handed out in advance for each worker: none has to wait, and little is lost when the work stops
early."""
MOST_LOSSES = 8
"""How often workers may be lost without anything being done meanwhile."""
LOOKING = 0.2
"""Seconds between two checks whether more work is wanted."""
CONNECTING = 10.0
"""Seconds that a cluster has to answer."""


class Workers(ABC):
    """Something that performs pieces of work: it is opened, used, and opened again if it breaks."""

    def __init__(self, count: int) -> None:
        self.count = count
        """How many pieces it does at once."""
        self.stopping = threading.Event()
        """Set when the work has to stop. May be set by any thread."""

    @abstractmethod
    def open(self, broken: bool = False) -> Executor:
        """The executor; a new one if the last one is broken."""

    def close(self) -> None:
        """End all work. Pieces that are not done are dropped."""
        self.stopping.set()


class Processes(Workers):
    """Processes on this machine."""

    def __init__(self, count: int | None = None) -> None:
        super().__init__(count or cores())
        self._pool: Pool | None = None

    def open(self, broken: bool = False) -> Executor:
        if broken:
            self._end()
        if self._pool is None:
            self._pool = Pool(self.count)
        return self._pool

    def close(self) -> None:
        super().close()
        self._end()

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


class GivenExecutor(Workers):
    """An executor that the caller has made, and closes."""

    def __init__(self, executor: Executor, count: int = 1) -> None:
        super().__init__(count)
        self._executor = executor

    def open(self, broken: bool = False) -> Executor:
        return self._executor


class Cluster(Workers):
    """The workers of a Dask scheduler, which must have the same Plybench."""

    def __init__(self, address: str) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise InputError("A cluster needs the extra: pip install plybench[cluster].") from None
        try:
            self._client: Any = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TypeError):  # whatever the reason, no scheduler answers at this address
            raise InputError(f"There is no cluster scheduler at {shown(address, 80)}.") from None
        try:
            self._check()
        except BaseException:
            self._client.close()
            raise
        super().__init__(max(1, sum(self._client.nthreads().values())))

    def _check(self) -> None:
        from workbench.version import version

        if not self._client.nthreads():
            raise InputError("The cluster has no workers yet.")
        for address, found in self._client.run(_version).items():
            if found != version():
                raise InputError(f"The worker {address} has Plybench {found}, but this is {version()}.")

    def open(self, broken: bool = False) -> Executor:
        executor: Executor = self._client.get_executor(pure=False, retries=MOST_LOSSES)
        return executor

    def close(self) -> None:
        super().close()
        self._client.close()


def _version() -> str:
    from workbench.version import version

    return version()


def workers(jobs: int | None, cluster: str | None) -> Workers:
    """The workers that the user asked for: a cluster, a number of processes, or one process for each core."""
    return Cluster(cluster) if cluster else Processes(jobs)


@contextlib.contextmanager
def opened(found: Workers) -> Iterator[Workers]:
    """Close the workers at the end, whatever happens."""
    try:
        yield found
    finally:
        found.close()


def results(function: Callable[[Piece], Done], pieces: Iterable[Piece], found: Workers) -> Iterator[tuple[Piece, Done]]:
    """Have all pieces done, and yield each with what came out as soon as it is: in any order.

    Pieces are taken only as workers are free, so `pieces` may still be made, or end early. A piece that fails raises here;
    one whose worker is lost is done again. Ends soon after the workers are told to stop, whatever is missing.
    """
    waiting, again = iter(pieces), list[Piece]()
    running: dict[Future[Done], Piece] = {}
    executor, losses = found.open(), 0
    try:
        while not found.stopping.is_set():
            broken = False
            while len(running) < AHEAD * found.count and not broken:
                piece = again.pop() if again else next(waiting, _NOTHING)
                if piece is _NOTHING:
                    break
                try:
                    running[executor.submit(function, piece)] = piece
                except (BrokenExecutor, RuntimeError):  # it broke, or was shut down, since
                    again.append(piece)
                    broken = True
            if not running and not again:
                return
            lost = broken
            for future in wait(running, LOOKING, FIRST_COMPLETED).done if running else ():
                piece = running.pop(future)
                try:
                    value = future.result()
                except Exception as error:
                    if not is_loss(error):
                        raise
                    again.append(piece)
                    lost, broken = True, broken or isinstance(error, BrokenExecutor)
                else:
                    losses = 0
                    yield piece, value
            losses += lost
            if losses > MOST_LOSSES:
                raise InputError("The workers keep ending before they have done anything.")
            if broken:
                again += running.values()
                running.clear()
                executor = found.open(broken=True)
    finally:
        for future in running:
            future.cancel()


DASK_LOSSES = ("KilledWorker", "FutureCancelledError")
_NOTHING: Any = object()


def is_loss(error: BaseException) -> bool:
    """Whether the error means that a worker is gone, and not that its piece failed."""
    return isinstance(error, WorkerLost | BrokenExecutor | CancelledError) or type(error).__name__ in DASK_LOSSES


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

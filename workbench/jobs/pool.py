"""Worker processes on this machine: each is given one piece of work after the other through a pipe.

Its standard input stays open for as long as whoever started the worker wants it, and lives. When it closes the worker ends
at once, and the engines that it has started before, so that none is left behind even if Plybench is killed. A worker that is
lost, whatever kills it, costs the piece that it was at and nothing else: another one is started in its place.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import IO, Any

from engines.parts.external import uci_process as external

NICENESS = 10
"""The niceness of worker processes, so that they give way to the screen."""
GOODBYE = 2.0
"""Seconds that a worker has to end the engines it has started."""


class WorkerLost(Exception):
    """Raised when a worker ended before it had done its piece."""


class WorkerProcess:
    """A running worker process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; from workbench.jobs.pool import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # errors in a piece are part of its answer
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._to: IO[bytes] = self.process.stdin
        self._from: IO[bytes] = self.process.stdout
        self._sending = threading.Lock()

    def do(self, piece: bytes) -> Any:
        """Perform a pickled call in the process: returns or raises what it does, or raises `WorkerLost`."""
        try:
            with self._sending:
                pickle.dump(piece, self._to)
                self._to.flush()
            done, value = pickle.load(self._from)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):  # the process has ended, or was told to
            raise WorkerLost("A worker is gone.") from None
        if not done:
            raise value
        return value

    def tell_to_end(self) -> None:
        """Make the process end at once, whatever it is doing, without waiting for it."""
        if self._sending.acquire(timeout=0):
            with contextlib.suppress(OSError):  # there is no process left to send it to
                self._to.close()
            self._sending.release()
        else:  # a piece is being sent that the process does not read
            self.process.kill()

    def end(self) -> None:
        """Make the process end, and wait until it has."""
        self.tell_to_end()
        try:
            self.process.wait(GOODBYE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._from.close()


class Pool(Executor):
    """A fixed number of worker processes, each managed by a thread; a process is started when there is a first piece for
    it."""

    def __init__(self, count: int) -> None:
        self._waiting = SimpleQueue[tuple[Future[Any], bytes] | None]()
        self._lock = threading.Lock()
        self._workers: set[WorkerProcess] = set()
        self._ended = False
        self._threads = [threading.Thread(target=self._look_after, name=f"worker {n}", daemon=True) for n in range(count)]
        for thread in self._threads:
            thread.start()

    @property
    def processes(self) -> list[int]:
        """The process ids of the running workers."""
        with self._lock:
            return [worker.process.pid for worker in self._workers]

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Perform a call as soon as a worker is free."""
        future = Future[Any]()
        piece = pickle.dumps((function, args, named))
        with self._lock:
            if self._ended:
                raise RuntimeError("The pool has ended.")
            self._waiting.put((future, piece))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all workers: running pieces are cut off and waiting ones are dropped, whatever `cancel_futures` says."""
        with self._lock:
            self._ended = True
            for worker in self._workers:
                worker.tell_to_end()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def _look_after(self) -> None:
        """Pass pieces to one worker, and start another if it is lost."""
        worker: WorkerProcess | None = None
        while (item := self._waiting.get()) is not None:
            future, piece = item
            if self._ended:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                worker = worker or self._start()
                future.set_result(worker.do(piece))
            except WorkerLost as error:
                future.set_exception(error)
                self._drop(worker)
                worker = None
            except Exception as error:  # noqa: BLE001 - raised again where the result is asked for
                future.set_exception(error)
        self._drop(worker)

    def _start(self) -> WorkerProcess:
        with self._lock:
            if self._ended:
                raise WorkerLost("The pool has ended.")
            try:
                worker = WorkerProcess()
            except OSError as error:
                raise WorkerLost(f"No worker can be started: {error.strerror}.") from None
            self._workers.add(worker)
            return worker

    def _drop(self, worker: WorkerProcess | None) -> None:
        if worker is not None:
            worker.end()
            with self._lock:
                self._workers.discard(worker)


# Inside a worker process.


def main() -> None:
    """The loop of a worker process: perform one piece after the other until standard input closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # printed output must not mix with the answers
    pieces = SimpleQueue[bytes]()
    threading.Thread(target=_listen, args=[pieces], daemon=True).start()
    while True:
        answers.write(_answer(pieces.get()))
        answers.flush()


def _listen(pieces: SimpleQueue[bytes]) -> None:
    """Read pieces from standard input, also while one is being done, so that its end is noticed at once."""
    try:
        while True:
            pieces.put(pickle.load(sys.stdin.buffer))
    finally:
        external.end_all()
        os._exit(0)


def _answer(piece: bytes) -> bytes:
    """The pickled result of a pickled call."""
    try:
        function, args, named = pickle.loads(piece)
        return pickle.dumps((True, function(*args, **named)))
    except Exception as error:  # noqa: BLE001 - raised again where the piece came from
        return _failure(error)


def _failure(error: Exception) -> bytes:
    """An exception, pickled; or its text where that is not possible."""
    try:
        answer = pickle.dumps((False, error))
        pickle.loads(answer)
    except Exception:  # noqa: BLE001 - whatever it is made of
        answer = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return answer

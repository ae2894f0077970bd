"""Long work for a screen: it runs in a thread and on worker processes, is looked at while it runs, and can be stopped."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from abc import ABC, abstractmethod
from time import perf_counter

from engines.contract import InputError
from workbench.jobs import compile_process as child
from workbench.jobs.crash_log import log_file, note
from workbench.jobs.workers import Processes, Workers

COMPILING = 0.1
"""Seconds between two looks at a child that compiles."""


class LongWork(ABC):
    """A job that takes minutes. It knows no screen: observers poll its fields."""

    def __init__(self) -> None:
        self.problem = ""
        """Why it ended, if something was wrong."""
        self.compiling = ""
        """The algorithm that is being compiled; empty if none is."""
        self.changes = 0
        """Grows whenever there is something new to see."""
        self._thread: threading.Thread | None = None
        self._workers: Workers | None = None
        self._began = self._seconds = 0.0
        self._stopping = False

    @abstractmethod
    def do(self, workers: Workers) -> None:
        """The work, in a background thread. Ends soon after `workers.stopping` is set."""

    def new_workers(self) -> Workers:
        """What it runs on."""
        return Processes()

    @property
    def busy(self) -> bool:
        """Whether it is running."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def seconds(self) -> float:
        """How long it has run since it was started last."""
        return perf_counter() - self._began if self.busy else self._seconds

    def start(self) -> None:
        """Begin, or go on."""
        if self.busy:
            return
        self.problem, self._stopping = "", False
        self._began = perf_counter()
        self._workers = self.new_workers()
        self._thread = threading.Thread(target=self._carry_out, args=(self._workers,), daemon=True, name="long work")
        self._thread.start()

    def stop(self) -> None:
        """Tell it to end; it does within a moment."""
        self._stopping = True
        if self._workers is not None:
            self._workers.stopping.set()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        if self._thread is not None:
            self._thread.join(seconds)

    def compile(self, algorithm: str, game: str) -> None:
        """Have an algorithm compiled by a child process: the screen goes on meanwhile."""
        self.compiling = algorithm
        self.changes += 1
        process = child.start(child.CompileTask(algorithm=algorithm, game=game))
        try:
            while not self._stopping:
                try:
                    process.wait(COMPILING)
                    break
                except subprocess.TimeoutExpired:
                    continue
        finally:
            child.end(process)
            self.compiling = ""
            self.changes += 1

    def _carry_out(self, workers: Workers) -> None:
        try:
            self.do(workers)
        except InputError as error:
            self.problem = str(error)
        except Exception as error:  # noqa: BLE001 - said on the screen, and written to a file
            self.problem = f"Plybench has a fault ({type(error).__name__}: {error}); what is done is kept."
            with contextlib.suppress(OSError):
                note(error, log_file())
        finally:
            self._seconds = perf_counter() - self._began
            workers.close()
            self.changes += 1

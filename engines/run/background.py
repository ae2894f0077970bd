"""Compiled work in a thread of its own."""

from __future__ import annotations

import contextlib
import os
import threading
from abc import ABC, abstractmethod
from time import perf_counter
from typing import Self

from engines.contract import (
    Counters,
    StoppedBy,
)
from engines.run.work import Work, counters, take_away

NICENESS = 10
"""Search threads run at this niceness and so yield to the user interface: else two searches on two cores would starve it."""


class Background(ABC):
    """Compiled work in a background thread: start it, read its counters, stop it, wait for it."""

    def __init__(self, name: str, work: Work) -> None:
        self.work = work
        self.stopped_by: StoppedBy | None = None
        """Why it was stopped, if it was."""
        self.seconds = 0.0
        """How long the work itself took, once it has ended."""
        self._began = 0.0
        self._error: BaseException | None = None
        self._ended = threading.Event()  # not Thread.join: interrupted by Ctrl-C, it takes a running thread for ended
        self._name = name

    @abstractmethod
    def do(self) -> None:
        """The work itself. It runs in the background thread and ends soon after its node budget is set to 0."""

    def start(self) -> Self:
        """Start the background thread and return at once."""
        self._began = perf_counter()
        threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return self

    def run_here(self) -> Self:
        """Run in the calling thread and return when it has ended: many small searches then spend no time on starting
        threads."""
        self._began = perf_counter()
        self._carry_out()
        return self

    def stop(self, why: StoppedBy = "request") -> None:
        """Set the node budget to 0: the work ends at its next node."""
        if self.stopped_by is None:
            self.stopped_by = why
        take_away(self.work)

    @property
    def running(self) -> bool:
        """Whether it has been started and has not ended."""
        return self._began > 0 and not self._ended.is_set()

    def elapsed(self) -> float:
        """Seconds since the start; the whole time once it has ended."""
        return perf_counter() - self._began if self.running else self.seconds

    def counters(self) -> Counters:
        """The counters so far; may be read from any thread at any time."""
        return counters(self.work)

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most `seconds`; True if it has ended."""
        return self._ended.wait(seconds)

    def finish(self) -> None:
        """Wait for the end. An exception of the background thread is raised again here."""
        self._ended.wait()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        _be_nice()
        self._carry_out()

    def _carry_out(self) -> None:
        try:
            self.do()
        except BaseException as error:  # noqa: BLE001 - raised again by finish
            self._error = error
        self.seconds = perf_counter() - self._began
        self._ended.set()


def _be_nice() -> None:
    """Lower the priority of this thread, where the system can do that for a thread alone."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # no thread priorities here: the search runs at the usual one
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

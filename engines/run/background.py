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
"""Search threads give way to the screen: without this, two searches on two cores starve it."""


class Background(ABC):
    """Compiled work in a thread of its own: start it, watch its counters, stop it, wait for it."""

    def __init__(self, name: str, work: Work) -> None:
        self.work = work
        self.stopped_by: StoppedBy | None = None
        """Who stopped it, if somebody did."""
        self.seconds = 0.0
        """How long the work itself took, once it has ended."""
        self._began = 0.0
        self._error: BaseException | None = None
        self._ended = threading.Event()  # not Thread.join: interrupted by Ctrl-C, it takes a running thread for ended
        self._name = name

    @abstractmethod
    def do(self) -> None:
        """The work. It runs in the thread and ends soon after the budget is taken away."""

    def start(self) -> Self:
        """Begin. Returns at once."""
        self._began = perf_counter()
        threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return self

    def run_here(self) -> Self:
        """Do it now, in the thread of whoever asks: many small ones after another then spend no time on threads."""
        self._began = perf_counter()
        self._carry_out()
        return self

    def stop(self, why: StoppedBy = "request") -> None:
        """Take the budget away: the work ends at its next node."""
        if self.stopped_by is None:
            self.stopped_by = why
        take_away(self.work)

    @property
    def running(self) -> bool:
        """It has been started and has not ended."""
        return self._began > 0 and not self._ended.is_set()

    def elapsed(self) -> float:
        """Seconds since the start; the whole time once it has ended."""
        return perf_counter() - self._began if self.running else self.seconds

    def counters(self) -> Counters:
        """What it has counted by now; may be read from any thread at any time."""
        return counters(self.work)

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; True if it has ended."""
        return self._ended.wait(seconds)

    def finish(self) -> None:
        """Wait for the end. What went wrong in the thread is raised here."""
        self._ended.wait()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        _be_nice()
        self._carry_out()

    def _carry_out(self) -> None:
        try:
            self.do()
        except BaseException as error:  # noqa: BLE001 - handed over to whoever waits: see finish
            self._error = error
        self.seconds = perf_counter() - self._began
        self._ended.set()


def _be_nice() -> None:
    """Lower the priority of this thread, where the system can do that for a thread alone."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # no thread priorities here: the search runs at the usual one
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

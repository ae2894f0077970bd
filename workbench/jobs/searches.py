"""Work that consists of searches run one after another: how each of them is run, and a thread that can be stopped.

Whatever makes searches (a review, a hint, a story of the horizon effect, a verification) is given a function that runs them.
A command passes one that listens to Ctrl-C, a screen one that its thread can stop, a test one that runs to the end.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from engines.contract import InputError
from engines.run.search import Search
from workbench.jobs.compile import compile_first

RunSearch = Callable[[Search, str], bool]
"""Runs a search to its end; the text says what the search is for. Returns True if the user interrupted it."""
STOPPING = 2.0
"""Seconds that `stop` waits for the end of the thread at most."""


class SearchInterrupted(Exception):
    """Raised when the user interrupted a search whose report is needed."""


def run_to_end(search: Search, what: str = "") -> bool:
    """Run a search to its end without a way to interrupt it. Returns False."""
    search.start().finish()
    return False


class SearchThread(ABC):
    """A thread that makes searches one after another. `stop` ends the one that is running."""

    def __init__(self, name: str) -> None:
        self.problem: InputError | None = None
        """What went wrong, in a sentence for the person at the keyboard."""
        self._stopping = threading.Event()
        self._search: Search | None = None
        self._thread = threading.Thread(target=self._carry_out, name=name, daemon=True)

    @abstractmethod
    def work(self) -> None:
        """The work of the thread. It runs its searches with `run`, and ends when that returns True."""

    @property
    def running(self) -> bool:
        """Whether it is not done yet."""
        return self._thread.is_alive()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the end, at most so many seconds."""
        self._thread.join(seconds)

    def stop(self, wait: float = STOPPING) -> None:
        """Stop the running search and start no other; wait for the end, at most `wait` seconds."""
        self._stopping.set()
        search = self._search
        if search is not None:
            search.stop()
        if wait:
            self._thread.join(wait)

    def run(self, search: Search, what: str = "") -> bool:
        """Compile what a search needs in a child process, and run it; True if the thread was stopped."""
        compile_first(search.algorithm.id, search.position.game, self._stopping.is_set)
        self._search = search
        if not self._stopping.is_set():
            search.start().finish()
        return self._stopping.is_set()

    def _carry_out(self) -> None:
        try:
            self.work()
        except InputError as error:
            self.problem = error

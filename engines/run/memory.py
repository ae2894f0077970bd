"""State kept from one search to the next: a transposition table, a tree or prover to resume, a table of proof numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.run.resume import Resumable

TOUCHED, PAGE = 2**18, 2**9
"""Words that are touched between two checks for a stop, and words in a page of memory."""


class Memory:
    """State kept between searches. Each algorithm family has its own type for what it keeps here. `most` limits tables to so
    many megabytes, as for a trial run. With `prefault` a new table is touched before the clock runs, so that the time of a
    small search is its own.
    """

    def __init__(self, most: int | None = None, prefault: bool = False) -> None:
        self.most, self.prefault = most, prefault
        self.table: Any = None
        """The transposition table of the alpha-beta family."""
        self.kept: Resumable[Any] | None = None
        """The state of a search that counts iterations, from which a later one can resume."""
        self.proofs: Any = None
        """A table of proof numbers, where searches of several positions of one game share one."""


def touch(words: Any, is_stopped: Callable[[], bool]) -> None:
    """Prefault the memory of an empty table. The operating system provides each page when it is first written to: with
    entries at random places a search of a few thousand nodes would spend most of its time on that."""
    for first in range(0, len(words), TOUCHED):
        if is_stopped():
            return
        words[first : first + TOUCHED : PAGE] = 0

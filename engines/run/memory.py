"""What is kept from one search to the next: a transposition table, what a search has grown, a table of proof numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.run.resume import Resumable

TOUCHED, PAGE = 2**18, 2**9
"""So many words are touched before somebody may say stop, and so many are in a page."""


class Memory:
    """What is kept between searches. Each family has a type of its own for what it keeps here.

    `most` megabytes are enough for a trial run. With `prefault` a new table is touched before the clock runs, so that the
    time of a small search is its own.
    """

    def __init__(self, most: int | None = None, prefault: bool = False) -> None:
        self.most, self.prefault = most, prefault
        self.table: Any = None
        """The transposition table of the alpha-beta family."""
        self.kept: Resumable[Any] | None = None
        """A search that counts iterations, as far as it has come."""
        self.proofs: Any = None
        """A table of proof numbers that searches of several positions of one game share, if they shall."""


def touch(words: Any, is_told: Callable[[], bool]) -> None:
    """Have the memory of an empty table at hand. A system gives it, page by page, to who first writes there: with entries at
    random places a search of a few thousand nodes would spend most of its time on that."""
    for first in range(0, len(words), TOUCHED):
        if is_told():
            return
        words[first : first + TOUCHED : PAGE] = 0

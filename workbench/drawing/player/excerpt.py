"""Which events of a search are played back: all of them, or as many as a file should hold."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.render.values import counted

MOST_EVENTS = 6_000
"""A file holds no more events: that is 1 to 2 MB."""


@dataclass(frozen=True)
class Excerpt:
    """The moments from `first` to `last` of a search that has `total` events."""

    first: int
    last: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.first == 0 and self.last == self.total

    def words(self) -> str:
        """What is left out, in words; empty if nothing is."""
        if self.is_whole:
            return ""
        held = self.last - self.first
        which = f"the first {held:,}" if not self.first else f"number {self.first + 1:,} to {self.last:,}"
        return f"This search has {counted(self.total, 'event')}; {which} are played back here."


def excerpt(total: int, around: int | None = None, most: int = MOST_EVENTS) -> Excerpt:
    """As many events as there is room for: the first ones, or those around an event."""
    if total <= most:
        return Excerpt(0, total, total)
    first = 0 if around is None else max(0, min(around - most // 2, total - most))
    return Excerpt(first, first + most, total)

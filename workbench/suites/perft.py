"""Counts of whole games from a position, for several lengths one after the other: what a perft suite asks for."""

from __future__ import annotations

from collections.abc import Iterable

from engines.contract import StoppedBy
from engines.perft import Perft
from engines.position import Position
from engines.run.background import Background
from engines.run.work import new_work


class Counting(Background):
    """Counts the games of each of the given lengths."""

    def __init__(self, position: Position, depths: Iterable[int]) -> None:
        super().__init__("counts", new_work())
        self.position, self.depths = position, sorted(depths)
        self.leaves: dict[int, int] = {}
        """The counts so far, by length."""
        self.count_seconds = 0.0
        self._now: Perft | None = None

    def stop(self, why: StoppedBy = "request") -> None:
        super().stop(why)
        if self._now is not None:
            self._now.stop(why)

    def do(self) -> None:
        """Count, the shortest games first."""
        for depth in self.depths:
            self._now = Perft(self.position, depth)
            if self.stopped_by is not None:  # it can be stopped between two lengths, too
                self._now.stop(self.stopped_by)
            report = self._now.run_here().report()
            if not report.complete:
                return
            self.leaves[depth] = report.leaves
            self.count_seconds += report.seconds

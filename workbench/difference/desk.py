"""State of the Difference screen: the subtrees that are listed, within which place, and whose tree is opened."""

from __future__ import annotations

from typing import NamedTuple

from engines.contract import InputError
from engines.tape.recording import Recording
from engines.tape.tape import NOBODY
from workbench.difference.alignment import NodePair
from workbench.difference.job import Comparing
from workbench.difference.sentences import FIRST, SECOND
from workbench.difference.types import Part, Subtrees, TreePlace


class ListedSubtrees(NamedTuple):
    """The subtrees that are listed: of the whole, or within one of them."""

    spot: NodePair | None
    parts: Subtrees
    came_from: int = 0
    """The row that was chosen a level above."""


class DifferenceDesk:
    """What is shown of a difference. Row 0 of the whole is the place where it begins; all other rows are subtrees."""

    def __init__(self, comparing: Comparing) -> None:
        self.comparing = comparing
        self.found = comparing.difference()
        self.levels = [ListedSubtrees(None, self.found.parts)]
        self.side = 1
        """Whose tree is opened: 0 for A, 1 for B; where that one did not come, the other's."""

    @property
    def level(self) -> ListedSubtrees:
        """The subtrees that are listed now."""
        return self.levels[-1]

    @property
    def top(self) -> TreePlace | None:
        """The place within which the subtrees lie; None if they are those of the whole."""
        if len(self.levels) < 2:
            return None
        above, row = self.levels[-2], self.level.came_from
        return above.parts.subtrees[row - len(self._before(above))].top

    def _before(self, level: ListedSubtrees) -> tuple[TreePlace, ...]:
        """What is listed before the subtrees."""
        return () if level.spot is not None or self.found.begins is None else (self.found.begins,)

    @property
    def rows(self) -> tuple[TreePlace | Part, ...]:
        """What is listed."""
        return (*self._before(self.level), *self.level.parts.subtrees)

    def recordings(self) -> tuple[Recording, Recording]:
        """Both recorded searches."""
        return self.comparing.both.first, self.comparing.both.second

    def switch(self) -> None:
        """Open the other search's tree from now on."""
        self.side = 1 - self.side

    def opened(self, row: int) -> tuple[Recording, int]:
        """The search whose tree is opened at a row, and its node there."""
        side = self._side_at(row)
        return self.recordings()[side], self._spot(row)[side]

    def opened_name(self, row: int) -> str:
        """The name of that search."""
        return (FIRST, SECOND)[self._side_at(row)]

    def _side_at(self, row: int) -> int:
        return self.side if self._spot(row)[self.side] != NOBODY else 1 - self.side

    def into(self, row: int) -> None:
        """List the subtrees within the one of a row; an InputError if there are none."""
        chosen = self.rows[row]
        if not isinstance(chosen, Part):
            raise InputError("This is a single place; its subtrees are listed below, if they are large.")
        spot = self._spot(row)
        if NOBODY in spot:
            raise InputError(
                f"Only {FIRST if spot.second == NOBODY else SECOND} came here, so that all of it is the difference."
            )
        parts = self.comparing.parts(spot)
        if not parts.subtrees:
            raise InputError("Nothing within this subtree makes a difference in nodes.")
        self.levels.append(ListedSubtrees(spot, parts, row))

    def out(self) -> int | None:
        """Go back a level; gives the row that was chosen there, or None if this is the whole already."""
        return self.levels.pop().came_from if len(self.levels) > 1 else None

    def _spot(self, row: int) -> NodePair:
        chosen = self.rows[row]
        place = chosen.top if isinstance(chosen, Part) else chosen
        return NodePair(*(NOBODY if node is None else node for node in (place.first_node, place.second_node)))

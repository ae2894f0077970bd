"""The frozen view of the Horizon screen: everything that its panels are functions of.

The desk makes one each time the screen looks. Nothing in it changes afterwards, so that panels can be tested without a desk.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engines.contract import DepthRow
from engines.position import Position
from positions.horizon import Example
from workbench.horizon.effect import LineMove
from workbench.horizon.story import Story


@dataclass(frozen=True)
class HorizonEntry:
    """An entry of the list: an example, or the analysed position."""

    title: str
    own: Position | None = None
    example: Example | None = None

    @cached_property
    def position(self) -> Position:
        """The position; that of an example is created on first use."""
        if self.own is not None:
            return self.own
        assert self.example is not None
        return self.example.position()

    @property
    def depth(self) -> int:
        """The depth that is shown first."""
        return self.example.depth if self.example else 1

    def is_wrong(self, row: DepthRow | None) -> bool | None:
        """Whether a value contradicts the example's true value; None if that is not known."""
        if row is None or self.example is None:
            return None
        return not self.example.is_true(row.value)


@dataclass(frozen=True, eq=False)
class HorizonView:
    """State of the Horizon screen at one moment."""

    entry: HorizonEntry
    """The chosen entry."""
    number: int
    """Its index, from 0, in the list."""
    story: Story | None
    """The story so far; None if there is none yet."""
    problem: str
    """A sentence shown in place of the story: why there is none, or what it waits for."""
    busy: bool
    """Whether a search for the story is running."""
    depth: int
    """The depth that is shown."""
    curve: int
    """The index of the curve of the search that is shown."""
    row: DepthRow | None
    """The result of that search at that depth; None if it is not known."""
    kinds: tuple[LineMove, ...]
    """The moves of its line, each with how it forces a reply."""
    delaying: tuple[int, ...]
    """The plies of its line, from 0 on, with moves that only delay."""
    at: int | None
    """How many moves of the line the board shows; None for all."""
    board: Position
    """The position after these moves."""

"""The facts of a story as plain cells and words: values by depth, and lines with the moves that only delay.

They are composed here and nowhere else; terminal and app choose from them and lay them out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from engines.contract import DepthRow
from engines.position import Position
from workbench.horizon.story import Story
from workbench.render.values import is_win, value_text

FOOLED = "▸"
"""The mark before the value that is shown to be wrong."""
MARK = "↷"
"""The mark behind a move that only delays."""
LEGEND = f"{MARK} only postpones"
TRUE, SEEN_BY = "The truth: ", "Remedy: "
"""What stands before the truth, and before what would have found it in time."""


# Values by depth.


@dataclass(frozen=True)
class ValueCell:
    """The value of a search at a depth."""

    text: str
    """Empty if the search did not get there."""
    fooled: bool
    """Whether this is the value that the story is about."""
    wrong: bool | None
    """Whether it contradicts what is true; None if that is not known."""


@dataclass(frozen=True)
class ValueTable:
    """The values of all searches by depth."""

    names: tuple[str, ...]
    """The name of each search."""
    fooled: int
    """The index, from 0, of the one that is fooled."""
    rows: tuple[tuple[int, tuple[ValueCell, ...]], ...]
    """Each depth with the cells of all searches."""
    has_wins: bool
    """Whether a value says who wins, so that # has to be explained."""


def value_table(
    story: Story, position: Position, is_wrong: Callable[[DepthRow | None], bool | None] = lambda row: None
) -> ValueTable:
    """The values of a story by depth. `is_wrong` says whether a result is, None where that is not known."""

    def cell(number: int, depth: int) -> ValueCell:
        row = story.curves[number].at(depth)
        text = "" if row is None else signed_value(row.value, position)
        return ValueCell(text, number == story.fooled and depth == story.depth, is_wrong(row))

    return ValueTable(
        names=tuple(curve.configuration.name for curve in story.curves),
        fooled=story.fooled,
        rows=tuple(
            (depth, tuple(cell(number, depth) for number in range(len(story.curves))))
            for depth in range(1, story.deepest + 1)
        ),
        has_wins=any(is_win(row.value, position.game) for curve in story.curves for row in curve.rows),
    )


def signed_value(value: float, position: Position) -> str:
    """A value in few characters. A win is # with the plies to it, signed by who wins."""
    text = value_text(value, position.game)
    if " in " not in text:
        return text
    return f"{'+' if value > 0 else '-'}#{text.rpartition(' ')[2]}"


# Lines.


@dataclass(frozen=True)
class LineWord:
    """A move of a line."""

    text: str
    """The move as people read it, with the mark behind it if it only delays."""
    delays: bool
    kind: str
    """How a move that only delays forces a reply; empty for other moves."""


def line_words(moves: Sequence[str], kinds: Sequence[str], delaying: Collection[int]) -> list[LineWord]:
    """The moves of a line, given as people read them and with how each forces a reply. `delaying` has the plies, from 0 on,
    of those that only delay."""
    return [
        LineWord(f"{move}{MARK}", True, kind) if ply in delaying else LineWord(move, False, "")
        for ply, (move, kind) in enumerate(zip(moves, kinds, strict=True))
    ]

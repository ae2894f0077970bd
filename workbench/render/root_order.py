"""The order in which the moves of the root are listed: the best first, or as the user wants it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from engines.contract import RootMove
from engines.game import SHOWN_WIN
from engines.position import Position
from workbench.render.report_text import has_numbers
from workbench.render.values import is_vector

Order = Literal["best", "value", "work", "search", "name"]
ORDERS: dict[Order, str] = {
    "best": "best first",
    "value": "by value",
    "work": "by share",
    "search": "as searched",
    "name": "by name",
}
"""What the orders are called."""
KNOWN = {"at least": 0, "exact": 1, "at most": 2}
"""Of moves with the same number, one that may be better stands on top, one that may be worse below."""


def in_order(
    rows: Sequence[RootMove], best_move: str | None, position: Position, order: Order = "best"
) -> tuple[RootMove, ...]:
    """The root moves, best first: the move that the search would play, then by what the side to move gets. Random games
    and proofs come with an order of their own: by games, and by what is missing."""
    if order == "search":
        return tuple(rows)
    if order == "work":
        return tuple(sorted(rows, key=lambda row: -row.nodes))
    if order == "name":
        return tuple(sorted(rows, key=lambda row: row.move))
    if order == "best" and any(row.visits is not None or has_numbers(row) for row in rows):
        return tuple(sorted(rows, key=lambda row: row.move != best_move))

    def from_the_top(row: RootMove) -> tuple[bool, float, int]:
        return order == "best" and row.move != best_move, -worth(row, position), known(row, position)

    return tuple(sorted(rows, key=from_the_top))


def worth(row: RootMove, position: Position) -> float:
    """What a root move is worth to the side to move; where nature moves, how probable it is."""
    if position.by_chance:
        return row.likelihood or 0.0
    if is_vector(row.values):
        return row.values[position.mover]
    value = position.turn * row.value
    tells_nothing = position.game.has_winner and known(row, position) > KNOWN["exact"] and value > SHOWN_WIN / 2
    return -SHOWN_WIN / 2 if tells_nothing else value  # "wins not before 5": above what loses, below all else


def known(row: RootMove, position: Position) -> int:
    """Whether the side to move gets at least, exactly or at most that."""
    if is_vector(row.values):
        return KNOWN["exact" if row.bound == "exact" else "at most"]
    return KNOWN[row.bound] if position.turn > 0 else KNOWN["at most"] - KNOWN[row.bound]

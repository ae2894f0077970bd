"""The levels of play of tic-tac-toe, the beginner first."""

from __future__ import annotations

from engines.game_facts import NO_LIMIT, Habits

LADDER = (
    Habits(blind=1.0),
    Habits(depth=1, blind=1 / 2),
    Habits(depth=2, overlooks=1 / 2, slips=1 / 2, gives=NO_LIMIT),
    Habits(depth=2, overlooks=1 / 3, slips=1 / 3, gives=NO_LIMIT),
    Habits(depth=2, overlooks=1 / 10, slips=1 / 4, gives=NO_LIMIT),
    Habits(nodes=1_000_000),
)

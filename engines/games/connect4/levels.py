"""The levels of play of Connect 4, the beginner first."""

from __future__ import annotations

from engines.game_facts import NO_LIMIT, Habits

LADDER = (
    Habits(blind=1.0),
    Habits(depth=1, blind=1 / 2),
    Habits(depth=2, blind=1 / 10, overlooks=1 / 3, slips=1 / 3, gives=NO_LIMIT),
    Habits(depth=2, overlooks=1 / 4, slips=1 / 4, gives=NO_LIMIT),
    Habits(depth=3, overlooks=1 / 10, slips=1 / 4, gives=2.0),
    Habits(depth=4, slips=1 / 4, gives=2.0),
    Habits(depth=6, slips=1 / 8, gives=1.0),
    Habits(depth=8),
    Habits(depth=12),
    Habits(nodes=2_000_000, proves=30),
)

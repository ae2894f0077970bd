"""The levels of play of chess, the beginner first."""

from __future__ import annotations

from engines.game_facts import Habits

LADDER = (
    Habits(blind=1.0),
    Habits(depth=1, blind=1 / 3, overlooks=1 / 3),
    Habits(depth=1, overlooks=1 / 3, slips=1 / 3, gives=2.0),
    Habits(depth=2, overlooks=1 / 5, slips=1 / 3, gives=1.5),
    Habits(depth=2, overlooks=1 / 10, slips=1 / 3, gives=1.0),
    Habits(depth=3, slips=1 / 3, gives=0.6),
    Habits(depth=4, slips=1 / 5, gives=0.4),
    Habits(depth=5),
    Habits(nodes=50_000),
    Habits(nodes=1_000_000),
)

"""The levels of play of EinStein würfelt nicht!, the beginner first."""

from __future__ import annotations

from engines.game_facts import NO_LIMIT, Habits

LADDER = (
    Habits(blind=1.0),
    Habits(depth=1, blind=1 / 2),
    Habits(depth=1, slips=1 / 3, gives=NO_LIMIT),
    Habits(depth=1),
    Habits(depth=3),
    Habits(nodes=300_000),
)

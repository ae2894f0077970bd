"""What is kept of a game that is played: who plays it, on which clock, and how it ended. Pure data."""

from __future__ import annotations

import re

from msgspec import Struct

from engines.contract import InputError, Outcome, Seconds, shown

YOU = "you"
"""A person, where a player is asked for."""
LONGEST_GAME = 24 * 3600.0
"""Seconds that a clock may give."""


class Clock(Struct, frozen=True, kw_only=True):
    """The time that each side has for the game, and what every move adds, in seconds."""

    seconds: float
    bonus: float = 0.0

    @property
    def text(self) -> str:
        """As people write it: minutes, and seconds for each move."""
        return f"{self.seconds / 60:g}+{self.bonus:g}"


class PlayRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A study that is played as a game."""

    players: tuple[str, str]
    """`you`, or a player as one is typed."""
    clock: str = ""
    """The time control as text; empty if the game has no clock."""
    left: tuple[Seconds, Seconds] | None = None
    """The seconds that each side had left after the last move."""
    seed: int = 0
    outcome: Outcome | None = None
    """Who has won, where the rules had not ended the game."""
    ending: str = ""
    """How it ended then, in words."""


def read_clock(text: str) -> Clock | None:
    """A clock as the user types it: `5` minutes, `3+2`, `0.5+1`; None for nothing, `off` or `none`."""
    plain = text.strip().lower()
    if plain in ("", "off", "none", "no", "0"):
        return None
    match = re.fullmatch(r"([0-9]{1,4}(?:\.[0-9]{1,4})?)\s*(?:\+\s*([0-9]{1,4}(?:\.[0-9]{1,4})?))?", plain)
    seconds, bonus = (60 * float(match[1]), float(match[2] or 0)) if match else (0.0, 0.0)
    if match is None or not 0 < seconds <= LONGEST_GAME or bonus > 3600:
        raise InputError(f"A clock is written in minutes, and seconds for each move: 5, 3+2 or 0.5+1, not {shown(text)}.")
    return Clock(seconds=seconds, bonus=bonus)

"""Lines of box-drawing characters that meet: a light, a heavy and a dashed stroke."""

from __future__ import annotations

import unicodedata
from functools import cache

NONE, LIGHT, HEAVY = range(3)
WORDS = {"LIGHT": LIGHT, "HEAVY": HEAVY}
SIDES = ("UP", "DOWN", "LEFT", "RIGHT")
BOTH = {"VERTICAL": ("UP", "DOWN"), "HORIZONTAL": ("LEFT", "RIGHT")}


@cache
def _characters() -> dict[tuple[int, int, int, int], str]:
    """The characters by the weights of their four arms, read from their names in Unicode."""
    found = {(NONE, NONE, NONE, NONE): " "}
    for code in range(0x2500, 0x2580):
        words = unicodedata.name(chr(code), "").removeprefix("BOX DRAWINGS ").split()
        if words and not set(words) & {"DASH", "DOUBLE", "DIAGONAL", "ARC", "SINGLE"}:
            found.setdefault(_arms(words), chr(code))
    return found


def _arms(words: list[str]) -> tuple[int, int, int, int]:
    """The weights of the arms: `DOWN HEAVY AND RIGHT LIGHT`, or one weight in front for all."""
    arms = dict.fromkeys(SIDES, NONE)
    shared = WORDS.get(words[0])
    pending: list[str] = []
    for word in words:
        if word in WORDS and shared is None:
            arms |= dict.fromkeys(pending, WORDS[word])
            pending = []
        elif word in BOTH:
            pending += BOTH[word]
        elif word in SIDES:
            pending.append(word)
    if shared is not None:
        arms |= dict.fromkeys(pending, shared)
    return tuple(arms[side] for side in SIDES)  # type: ignore[return-value]


def stroke(up: int = NONE, down: int = NONE, left: int = NONE, right: int = NONE) -> str:
    """The character with arms of these weights."""
    return _characters().get((up, down, left, right), "┼")


def plain_stroke(up: int = NONE, down: int = NONE, left: int = NONE, right: int = NONE) -> str:
    """The same in plain letters."""
    vertical, horizontal = up or down, left or right
    return "+" if vertical and horizontal else "|" if vertical else "-" if horizontal else " "

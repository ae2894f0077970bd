"""Reads the words of sentences: values, bounds and moves; and compares a claim with what is known and what is true."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from tests.examiner.model import Node, Number
from tests.naive.games import SHOWN_WIN

Bound = Literal["exact", "at least", "at most"]
BOUNDS: dict[str, Bound] = {"exact": "exact", "at least": "at least", "at most": "at most"}
NUMBER = r"[+-]?\d[\d,]*(?:\.\d+)?|[+-]∞"
MOVE = r"(?:move )?\S+"


@dataclass(frozen=True)
class Claim:
    """A value that a sentence claims: an exact one, a lower bound or an upper bound. `slack` is the rounding. `anytime`: it
    only says who wins, and not when."""

    bound: Bound
    value: Number
    slack: Number = 0
    anytime: bool = False

    def faults(self, what: str, low: Number, high: Number) -> Iterator[str]:
        """Yield what is wrong with the claim if the value lies between `low` and `high`."""
        if self.anytime:
            low, high = (
                math.copysign(SHOWN_WIN, edge) if abs(float(edge)) > SHOWN_WIN / 2 else edge for edge in (low, high)
            )
        if self.bound != "at most" and not low >= self.value - self.slack:
            yield f"{what} is {spoken(low)} to {spoken(high)}, not {self.bound} {spoken(self.value)}"
        if self.bound != "at least" and not high <= self.value + self.slack:
            yield f"{what} is {spoken(low)} to {spoken(high)}, not {self.bound} {spoken(self.value)}"


def spoken(value: Number) -> str:
    """A number as it appears in messages."""
    return f"{float(value):+.6g}"


def is_win(value: Number) -> bool:
    """Whether a value stands for a won game, for either side."""
    return not math.isinf(value) and abs(float(value)) > SHOWN_WIN / 2


def read_number(text: str) -> tuple[Number, Number]:
    """Read a number. Returns it with its possible rounding, half a step of its last digit."""
    if "∞" in text:
        return (-math.inf if text.startswith("-") else math.inf), 0
    text = text.replace(",", "")
    digits = len(text.partition(".")[2])
    return Fraction(text), Fraction(1, 2 * 10**digits)


def value_words(players: Sequence[str]) -> str:
    """The pattern of a value in words, exact or a bound."""
    names = "|".join(re.escape(player) for player in players[:2])
    bounded = rf"it is at (?:least|most) a win for (?:{names})(?: at ply \d+)?"
    return rf"(?:it is at (?:least|most) )?(?:{NUMBER})|{bounded}|(?:{names}) wins(?: (?:at|by) ply \d+)?"


def read_value(text: str, players: Sequence[str]) -> Claim:
    """The claim that a value in words makes."""
    if found := re.fullmatch(r"it is (at least|at most) a win for (.+?)(?: at ply (\d+))?", text):
        sign, bound = (1 if found[2] == players[0] else -1), BOUNDS[found[1]]
        return Claim(bound, Fraction(sign * (SHOWN_WIN - int(found[3] or 0))), anytime=found[3] is None)
    if found := re.fullmatch(r"(.+) wins(?: (at|by) ply (\d+))?", text):
        sign = 1 if found[1] == players[0] else -1
        within: Bound = "exact" if found[2] != "by" else "at least" if sign > 0 else "at most"
        return Claim(within, Fraction(sign * (SHOWN_WIN - int(found[3] or 0))), anytime=found[3] is None)
    found = re.fullmatch(rf"(?:it is (at least|at most) )?({NUMBER})", text)
    assert found is not None, text
    value, slack = read_number(found[2])
    return Claim(BOUNDS[found[1] or "exact"], value, slack)


def read_bound(bound: str, number: str) -> Claim:
    """The claim of a number that is exact, or preceded by a bound."""
    value, slack = read_number(number)
    return Claim(BOUNDS[bound], value, slack)


Rule = tuple[str, Callable[[Any, Node, "re.Match[str]"], Iterator[str]]]
"""A pattern, and a function that yields what is wrong with a sentence of that form at a node."""


ONES = re.compile(r"(?<![\d,.])1 (?:games|moves|plies|nodes|outcomes|captures)\b")
"""Finds a plural after 1, which would be wrong."""


def examine(rules: Sequence[Rule], judge: Any, node: Node, said: str) -> list[str]:
    """What is wrong with a sentence, as a list of messages."""
    if slip := ONES.search(said):
        return [f"{slip[0]} is wrong"]
    for pattern, check in rules:
        if found := re.fullmatch(pattern, said):
            return list(check(judge, node, found))
    return ["nothing is known of such a sentence"]

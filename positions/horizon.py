"""Curated examples of the horizon effect: positions, who is fooled by them and at which depth, and what would have seen it.

Everything they state can be searched, and a test does so. Values are for the first player.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal

import msgspec
from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Outcome, Setting, instead, shown
from engines.position import Position

Kind = Literal["delay", "swing", "beyond"]
KINDS: dict[Kind, str] = {
    "delay": "moves that only postpone",
    "swing": "a capture too many at the end of the line",
    "beyond": "too far away",
}
Remedy = Literal["quiescence", "check_extension", "singular_extension", "plies"]


class Reference(Struct, frozen=True, kw_only=True):
    """A search that knows better: deep, or to the end."""

    algorithm: str
    depth: int | None = None
    nodes: int | None = None
    parameters: dict[str, Setting] = msgspec.field(default_factory=dict)
    outcome: Outcome | None = None
    """What it proves, where it does."""


class Example(Struct, frozen=True, kw_only=True):
    """A position in which a search is fooled."""

    id: str
    title: str
    game: str
    notation: str
    kind: Kind
    story: str
    """What happens, in words."""
    truth: str
    """What is really so, in words."""
    depth: int
    """The depth at which the search is fooled."""
    believes: float
    """What it takes the position to be worth then."""
    line: tuple[str, ...]
    """The line it believes in."""
    delaying: tuple[int, ...]
    """The plies of the line, from 0 on, that only postpone."""
    remedy: Remedy
    remedied: float
    """What the same search says with the remedy."""
    reference: Reference
    plies: int = 0
    """How many more, where they are the remedy."""
    switches: dict[str, Setting] = msgspec.field(default_factory=dict)
    """What is on in the search that is fooled; everything else is off."""
    at_least: float | None = None
    at_most: float | None = None
    """What the true value is for certain. The fooled one is outside."""
    until: int = 0
    """The last depth worth a look; by default two more than fooled, or what the remedy needs."""
    size: str | None = None
    settings: dict[str, Setting] = msgspec.field(default_factory=dict)
    held_apart: bool = False
    """The finder was not tuned on it."""

    def position(self) -> Position:
        """The position itself."""
        return catalog.restore(self.notation, self.game, self.size, self.settings)

    def is_true(self, value: float | None) -> bool:
        """A value agrees with what is certain."""
        if value is None:
            return False
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    @property
    def deepest(self) -> int:
        """How deep to look to see the whole story."""
        return self.until or self.depth + max(2, self.plies)


@cache
def examples() -> dict[str, Example]:
    """All examples by id."""
    source = resources.files("positions") / "data" / "horizon.toml"
    found: dict[str, Example] = {}
    for row in tomllib.loads(source.read_text(encoding="utf-8"))["example"]:
        example = msgspec.convert(row, Example)
        if example.id in found:
            raise ValueError(f"{example.id} is among the examples twice")
        found[example.id] = example
    return found


def get(name: str) -> Example:
    """The example with this id."""
    if name in examples():
        return examples()[name]
    raise InputError(f"There is no horizon example {shown(name)}.{instead(name, examples(), 'plybench horizon')}")

"""The frozen types of a profile: pure data, for JSON."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engines.contract import Count
from engines.tape.recording import PlyRow

Cause = Literal["main", "again", "pass", "trial", "first try", "research", "extension", "quiescence"]
CAUSES: dict[Cause, str] = {
    "main": "the tree itself: none of what follows",
    "again": "one more pass over the root at the same depth",
    "pass": "what comes of a pass (null move)",
    "trial": "the same position searched less deep, to decide without its moves or to extend one",
    "first try": "a move searched narrower or less deep, and then once more",
    "research": "a move searched once more after its first try",
    "extension": "a move searched no less deep than the position before it",
    "quiescence": "behind the horizon: captures, and answers to threats",
}
"""What can have led a search to a node, in words. A node counts under the first of these on its path from the root."""


class CauseRow(Struct, frozen=True, kw_only=True):
    """What one cause made."""

    cause: Cause
    entries: Count
    """How often it began: the nodes that have it while those above them have none."""
    nodes: Count


class DepthProfile(Struct, frozen=True, kw_only=True):
    """All passes over the root at one depth."""

    depth: int
    passes: Count
    nodes: Count
    growth: float | None
    """How many times the nodes of the depth before; None for the first."""


class Flame(Struct, frozen=True, kw_only=True):
    """A subtree with the largest subtrees below it. Those, the others and the node itself are all of its nodes."""

    node: int
    move: str
    nodes: Count
    below: tuple[Flame, ...]
    others: Count
    """How many more children there are, each with fewer nodes."""
    other_nodes: Count


class Profile(Struct, frozen=True, kw_only=True):
    """Where the nodes went; each way of counting them adds up to `recorded`."""

    game: str
    size: str
    position: str
    algorithm: str
    nodes: Count
    """All that were searched."""
    recorded: Count
    """Those that the tape holds, which are counted here."""
    causes: tuple[CauseRow, ...]
    depths: tuple[DepthProfile, ...]
    plies: tuple[PlyRow, ...]
    line: tuple[str, ...]
    """The moves to the place whose subtrees are shown."""
    flames: tuple[Flame, ...]
    """The passes over the root, or the one subtree that was asked for."""

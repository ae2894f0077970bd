"""The frozen types of a difference between two searches: pure data, for JSON."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engines.contract import Amount, Count, Ply, Setting

Reason = Literal[
    "cut short",
    "iteration",
    "pass",
    "depth",
    "table",
    "pruned",
    "trial",
    "again",
    "quiescence",
    "order",
    "window",
    "value",
    "moves",
]
REASONS: dict[Reason, str] = {
    "cut short": "one was stopped, or its tape was full",
    "iteration": "only one made this iteration",
    "pass": "one more pass over the root",
    "depth": "another depth left: reduced or extended",
    "table": "the table knew the value in one only",
    "pruned": "one gave up without all the moves",
    "trial": "only one tried a pass, or a shallower search",
    "again": "only one searched a move twice",
    "quiescence": "only one played captures out",
    "order": "moves tried in another order",
    "window": "asked about other values",
    "value": "another value came back",
    "moves": "one left moves out",
}
"""What can make two searches part at a place, in words; where several are so, the first of them counts."""


class ComparedSearch(Struct, frozen=True, kw_only=True):
    """One of the two searches."""

    name: str
    """How sentences call it."""
    file: str
    algorithm: str
    settings: dict[str, Setting]
    """Its parameters, and options of its game, that the other search has otherwise; and those that the other has not, if
    they are not the usual ones."""
    nodes: Count
    """All that it searched."""
    recorded: Count
    """Those that its tape holds, which are compared."""
    depth: Ply
    value: Amount | None
    best_move: str | None


class DepthDifference(Struct, frozen=True, kw_only=True):
    """What both searches spent and found at one depth, all passes over the root together."""

    depth: int
    first_nodes: Count
    second_nodes: Count
    first_value: str
    """The value, or the bound, of the last pass; empty if there was none, or if it was stopped."""
    second_value: str


class TreePlace(Struct, frozen=True, kw_only=True):
    """A place in the trees of both searches, or of one: a path from the root down."""

    first_node: int | None
    """The number of its node on the first tape, counted from 0; None if that search did not come there."""
    second_node: int | None
    depth: int
    """How deep the pass over the root looked that it belongs to."""
    line: tuple[str, ...]
    """The moves that lead there, as people read them."""
    first_value: str
    second_value: str
    reason: Reason | None
    """Why the searches part there; None if they do so only further below."""
    sentence: str


class Part(Struct, frozen=True, kw_only=True):
    """A subtree, with what both searches spent in it."""

    top: TreePlace
    first_nodes: Count
    second_nodes: Count
    difference: int
    """How many nodes more the second search spent."""
    places: Count
    """The places in it, itself included, where the searches part."""
    mostly: Reason
    """The reason of the places that make most of the difference."""
    known_elsewhere: Count | None
    """How many of the nodes of the search that spent more stand at positions that the other one saw too, here or elsewhere;
    None if the game has no keys of positions."""


class Subtrees(Struct, frozen=True, kw_only=True):
    """Disjoint subtrees that hold a difference."""

    difference: int
    """The whole, of which they hold a part."""
    held: int
    """The sum of the differences of those below: nine tenths of the whole, or more."""
    subtrees: tuple[Part, ...]
    others: Count
    """How many more there are that differ."""
    others_more: Count
    """The nodes that the second search spent more in some of those; in the others, `others_less`, it spent less."""
    others_less: Count
    finest: bool
    """Each of them begins where the searches part. False: there would be too many, so that they begin further above."""


class ReasonRow(Struct, frozen=True, kw_only=True):
    """How often a reason made the searches part, and what came of it."""

    reason: Reason
    places: Count
    first_only: Count
    """Nodes in subtrees below these places that only the first search has."""
    second_only: Count
    difference: int


class PositionCounts(Struct, frozen=True, kw_only=True):
    """The nodes by position, wherever in the tree it was reached."""

    first: Count
    """Different positions that the first search saw."""
    second: Count
    common: Count
    """Those that both saw."""
    first_only_nodes: Count
    """Nodes at positions that the second search did not see."""
    second_only_nodes: Count
    first_common_nodes: Count
    second_common_nodes: Count


class Difference(Struct, frozen=True, kw_only=True):
    """All that differs between two searches of one position."""

    game: str
    size: str
    position: str
    first: ComparedSearch
    second: ComparedSearch
    same: bool
    """Every node of the one is in the other, at the same place and time, with the same window, end and value."""
    same_nodes: Count
    """The nodes that were entered in the same order with the same windows, from the beginning."""
    begins: TreePlace | None
    """Where the first difference is, in the order of the search; None if there is none."""
    difference: int
    """How many nodes more the second tape holds."""
    parts: Subtrees
    reasons: tuple[ReasonRow, ...]
    depths: tuple[DepthDifference, ...]
    positions: PositionCounts | None
    """None if the game has no keys of positions."""

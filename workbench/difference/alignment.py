"""The trees of two searches laid on each other: where they part, and which subtrees hold the difference.

Every node that only one search has hangs below a place where both searches were and parted. So the difference in nodes is
the sum over these places, and over any subtrees that hold all of them: nothing is estimated.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from engines.tape.alignment import PARTS, aligned, position_keys
from engines.tape.recording import Column, Recording
from engines.tape.tape import NOBODY
from workbench.difference.types import PositionCounts

ENOUGH = (9, 10)
"""The share of a difference that subtrees have to hold to be named."""


class NodePair(NamedTuple):
    """A place by its nodes: on the first tape, and on the second; `NOBODY` where a search did not come there."""

    first: int
    second: int


class Cover(NamedTuple):
    """Disjoint subtrees that hold a difference."""

    spots: list[NodePair]
    """The fewest that hold enough of it, the largest first."""
    held: int
    others: int
    """How many more there are that differ, with the nodes that are more in some of them, and less in others."""
    more: int
    less: int
    finest: bool


class Aligned:
    """Two recordings of one position laid on each other."""

    def __init__(self, first: Recording, second: Recording) -> None:
        self.first, self.second = first, second
        found = aligned(first, second)
        self.partner, self.other, self.marks = found.partner, found.other, found.marks
        self._above = found.above
        self._sizes = tuple(recording._index[2].astype(np.int64) for recording in (first, second))

    @property
    def difference(self) -> int:
        """How many nodes more the second tape holds."""
        return len(self.second) - len(self.first)

    @cached_property
    def parting(self) -> Column:
        """The nodes of the first tape at which the searches part."""
        return np.flatnonzero(self.marks & PARTS)

    @cached_property
    def own(self) -> tuple[Column, Column]:
        """For each node of the first tape: the nodes in subtrees below it that only the first search has, and in such below
        its partner that only the second one has."""
        hanging = self._hanging(self.first.parent, self.partner)
        mine = np.bincount(self.first.parent[hanging], self._sizes[0][hanging], len(self.first)).astype(np.int64)
        hanging = self._hanging(self.second.parent, self.other)
        above = self.partner_of_second(self.second.parent[hanging])
        return mine, np.bincount(above, self._sizes[1][hanging], len(self.first)).astype(np.int64)

    def partner_of_second(self, nodes: Column) -> Column:
        """The nodes of the first tape at the places of nodes of the second."""
        found: Column = self.other[nodes]
        return found

    @staticmethod
    def _hanging(parent: Column, partner: Column) -> Column:
        """The nodes without a partner whose parents have one."""
        inner = np.flatnonzero((partner == NOBODY) & (parent != NOBODY))
        hanging: Column = inner[partner[parent[inner]] != NOBODY]
        return hanging

    @cached_property
    def lone_roots(self) -> list[NodePair]:
        """The passes over the root that only one of the searches made."""
        mine = [NodePair(root, NOBODY) for root in self.first.roots().tolist() if self.partner[root] == NOBODY]
        return mine + [NodePair(NOBODY, root) for root in self.second.roots().tolist() if self.other[root] == NOBODY]

    def spot(self, first: int) -> NodePair:
        """The place of a node of the first tape."""
        return NodePair(first, int(self.partner[first]))

    def nodes(self, spot: NodePair) -> tuple[int, int]:
        """How many nodes both searches spent at a place and below it."""
        first, second = (int(size[node]) if node != NOBODY else 0 for size, node in zip(self._sizes, spot, strict=True))
        return first, second

    def parts_at(self, first: int) -> bool:
        """Whether the searches part at a node of the first tape."""
        return bool(self.marks[first] & PARTS)

    def places_below(self, spot: NodePair) -> Column:
        """The nodes of the first tape in a subtree, its top included, at which the searches part."""
        ends = np.searchsorted(self.parting, (spot.first, spot.first + self._sizes[0][spot.first]))
        found: Column = self.parting[ends[0] : ends[1]]
        return found

    def places(self, spot: NodePair) -> int:
        """How many places there are in a subtree where the searches part."""
        return 1 if spot.first == NOBODY or spot.second == NOBODY else len(self.places_below(spot))

    # Which subtrees hold a difference.

    def cover(self, within: NodePair | None, most: int) -> Cover:
        """The fewest disjoint subtrees, of the whole or within a place, that hold nine tenths of its difference, or more.

        The candidates are the topmost places where the searches part, and below a place where they do what only one search
        has. If more than `most` of them are needed, those that lie below the same place are taken together: as far down as
        that can be without needing more."""
        lone, nodes = self._candidates(within)
        total = self.difference if within is None else self.gain(within)
        top = 0 if within is None else int(self.first.ply[within.first]) + 1
        deepest = int(self.first.ply[nodes].max(initial=top))
        lone_gains = np.array([self.gain(spot) for spot in lone], np.int64)
        for level in range(deepest, top - 1, -1):
            nodes = np.unique(self._raised(nodes, level))
            gains = np.concatenate([lone_gains, self._sizes[1][self.partner[nodes]] - self._sizes[0][nodes]])
            chosen = fewest(gains, total)
            if len(chosen) <= most:
                break
        spots = [lone[place] if place < len(lone) else self.spot(int(nodes[place - len(lone)])) for place in chosen.tolist()]
        rest = np.delete(gains, chosen)
        more, less = int(rest[rest > 0].sum()), -int(rest[rest < 0].sum())
        return Cover(spots, int(gains[chosen].sum()), int(np.count_nonzero(rest)), more, less, level == deepest)

    def _candidates(self, within: NodePair | None) -> tuple[list[NodePair], Column]:
        """The subtrees that only one search has, and the nodes of the first tape at the topmost places where both part."""
        if within is None:
            return self.lone_roots, self.parting[self._above[self.parting] == NOBODY]
        if within.first == NOBODY or within.second == NOBODY:
            return [], np.zeros(0, np.int64)
        start = within.first
        inside = self.places_below(within)
        inside = inside[inside > start]
        nearest = start if self.parts_at(start) else int(self._above[start])
        lone = [NodePair(child, NOBODY) for child in self.first.children(start).tolist() if self.partner[child] == NOBODY]
        children = self.second.children(within.second).tolist()
        lone += [NodePair(NOBODY, child) for child in children if self.other[child] == NOBODY]
        return lone, inside[self._above[inside] == nearest]

    def _raised(self, nodes: Column, level: int) -> Column:
        """The nodes themselves, or those above them at a ply, where they lie deeper."""
        raised = nodes.astype(np.int64)
        while (deeper := self.first.ply[raised] > level).any():
            raised[deeper] = self.first.parent[raised[deeper]]
        return raised

    def gain(self, spot: NodePair) -> int:
        """How many nodes more the second search spent at a place and below it."""
        first, second = self.nodes(spot)
        return second - first

    # By position.

    @cached_property
    def keys(self) -> tuple[Column, Column] | None:
        """The keys of the positions at all nodes of both tapes; None if the game has none."""
        first, second = position_keys(self.first), position_keys(self.second)
        return None if first is None or second is None else (first, second)

    @cached_property
    def _seen(self) -> tuple[SeenPositions, SeenPositions] | None:
        """The positions that both searches saw."""
        return None if self.keys is None else (SeenPositions.of(self.keys[0]), SeenPositions.of(self.keys[1]))

    def known_elsewhere(self, spot: NodePair) -> int | None:
        """How many nodes of the search that spent more in a subtree stand at positions that the other one saw too."""
        if self.keys is None or self._seen is None:
            return None
        side = 0 if self.gain(spot) < 0 else 1
        keys = self.keys[side][spot[side] : spot[side] + int(self._sizes[side][spot[side]])]
        here, there = SeenPositions.of(keys), self._seen[1 - side]
        return here.nodes_at(shared(here.keys, there.keys))

    def positions(self) -> PositionCounts | None:
        """The nodes by position; None if the game has no keys."""
        if self._seen is None:
            return None
        first, second = self._seen
        common = shared(first.keys, second.keys)
        nodes = [seen.nodes_at(common) for seen in self._seen]
        return PositionCounts(
            first=len(first.keys),
            second=len(second.keys),
            common=len(common),
            first_only_nodes=len(self.first) - nodes[0],
            second_only_nodes=len(self.second) - nodes[1],
            first_common_nodes=nodes[0],
            second_common_nodes=nodes[1],
        )


class SeenPositions(NamedTuple):
    """The different positions of some nodes, by their keys in order, and how many nodes stand at each."""

    keys: Column
    counts: Column

    @classmethod
    def of(cls, keys: Column) -> SeenPositions:
        """Those of nodes with such keys."""
        ordered = np.sort(keys)
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
        return cls(ordered[starts], np.diff(starts, append=len(ordered)))

    def nodes_at(self, some: Column) -> int:
        """How many nodes stand at some of the positions."""
        return int(self.counts[np.searchsorted(self.keys, some)].sum())


def shared(first: Column, second: Column) -> Column:
    """The keys that are in both, in order; in each of them no key occurs twice. (`numpy.intersect1d` does not know that they
    are in order, and `numpy.unique` hashes: both take several times as long for millions.)"""
    both = np.sort(np.concatenate([first, second]), kind="stable")
    found: Column = both[1:][both[1:] == both[:-1]]
    return found


def fewest(gains: Column, total: int) -> Column:
    """Which of disjoint subtrees hold enough of a difference: the fewest that do, the largest first. If there is none in
    all, they hold enough of what is more here and less there."""
    weights = np.abs(gains) if total == 0 else gains * (1 if total > 0 else -1)
    order = np.argsort(-weights, kind="stable")
    sums, wanted = np.cumsum(weights[order]), abs(total) or int(weights.sum())
    enough: Column = order[: int(np.argmax(sums * ENOUGH[1] >= wanted * ENOUGH[0])) + 1 if wanted and len(gains) else 0]
    return enough

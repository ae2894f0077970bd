"""In which order the nodes of each layer stand beside each other, so that few edges cross."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

SWEEPS = 4
"""How often the rows are ordered anew."""


def predecessors_of(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each node those with an edge to it."""
    before: list[list[int]] = [[] for _ in successors]
    for node, below in enumerate(successors):
        for to in dict.fromkeys(below):
            before[to].append(node)
    return before


def ordered(rows: list[list[int]], successors: Sequence[Sequence[int]], before: Sequence[Sequence[int]]) -> list[list[int]]:
    """The rows, each node as near as can be to the mean place of its neighbours in the row above, or below."""
    rows = [list(row) for row in rows]
    place = {node: (at + 0.5) / len(row) for row in rows for at, node in enumerate(row)}
    for sweep in range(SWEEPS):
        pairs = list(pairwise(rows))
        steps = pairs if sweep % 2 == 0 else [(low, high) for high, low in reversed(pairs)]
        for fixed, row in steps:
            known = set(fixed)
            for node in row:
                beside = [place[one] for one in (*successors[node], *before[node]) if one in known]
                if beside:
                    place[node] = sum(beside) / len(beside)
            row.sort(key=lambda node: place[node])
            place |= {node: (at + 0.5) / len(row) for at, node in enumerate(row)}
    return rows

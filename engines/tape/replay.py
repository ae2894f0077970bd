"""Replaying a tape with chance nodes or more than two players: recomputes every value from the leaves."""

from __future__ import annotations

from typing import Any

from engines.compiled.kernel import helper, int64, kernel
from engines.tape.tape import ASIDE, BILLIONTHS, CUT, EXPANDED, NOBODY, OPEN

STEPS = 2.0
"""Means of what was rounded, with probabilities that were rounded, are so many steps off at most."""


@kernel
def replay_means(parent: Any, side: Any, kind: Any, values: Any, likely: Any, sums: Any, ends: Any) -> None:
    """Overwrite the value of every inner node with what follows from its children: the best for the side that moves there (1
    wants it large, -1 small), the mean where nature moves (0). What is within rounding of that stands as it is. `ends`: the
    least and the most that there is: a cut chance node takes that for what it did not look at, or what a probe said.
    `sums` is scratch, five numbers for each node: of all children the sum of value times probability and the probability,
    the same for those that were not cut, and whether there are any."""
    for node in range(len(parent) - 1, -1, -1):
        if side[node] == 0 and (kind[node] == EXPANDED or kind[node] == CUT) and sums[node, 4] > 0.0:
            values[node] = settled_mean(kind[node], values[node], sums[node], ends)
        above = parent[node]
        if above == NOBODY or kind[node] == OPEN or kind[node] == ASIDE:
            continue
        if kind[above] != EXPANDED and kind[above] != CUT:
            continue
        if side[above] == 0:
            share = likely[node] / BILLIONTHS
            sums[above, 0] += share * values[node]
            sums[above, 1] += share
            if kind[node] != CUT:
                sums[above, 2] += share * values[node]
                sums[above, 3] += share
        elif sums[above, 4] == 0.0:
            values[above] = values[node]
        elif side[above] > 0:
            values[above] = max(values[above], values[node])
        else:
            values[above] = min(values[above], values[node])
        sums[above, 4] = 1.0


@helper
def settled_mean(kind: int, value: int, sums: Any, ends: Any) -> int:
    """What is written, if it is the mean of the children as near as the rounding allows; else that mean."""
    if kind == EXPANDED:
        return value if abs(sums[0] - value) <= STEPS else int64(round(sums[0]))
    for end in range(2):
        for seen in (0, 2):
            if abs(sums[seen] + (1.0 - sums[seen + 1]) * ends[end] - value) <= STEPS:
                return value
    return int64(round(sums[0]))


@kernel
def replay_vectors(
    parent: Any, turn: Any, kind: Any, decider: Any, values: Any, likely: Any, team: int, best: Any, sums: Any
) -> int:
    """How many nodes have values that do not follow from their children's: those of a child that is best for whoever moves
    there, alone or as one of the `team`; or their mean, where nature moves. `best` and `sums` are scratch: for each node the
    most that a child has for the mover, 1 where there is a child, and the sums of the children's values."""
    faults, players = int64(0), values.shape[1]
    for node in range(len(parent) - 1, -1, -1):
        if (kind[node] == EXPANDED or kind[node] == CUT) and best[node, 1] > 0.0:
            if turn[node] == 0:
                for player in range(players):
                    if abs(sums[node, player] - values[node, player]) > STEPS:
                        faults += 1
                        break
            elif decider[node] == NOBODY or not follows(values, node, decider[node], turn[node], team, best[node, 0]):
                faults += 1
        above = parent[node]
        if above == NOBODY or kind[node] == OPEN:
            continue
        mine = for_mover(values, node, turn[above], team) if turn[above] != 0 else 0.0
        if best[above, 1] == 0.0 or mine > best[above, 0]:
            best[above, 0] = mine
        best[above, 1] = 1.0
        for player in range(players):
            sums[above, player] += likely[node] / BILLIONTHS * values[node, player]
    return faults


@helper
def follows(values: Any, node: int, decider: int, turn: int, team: int, most: float) -> bool:
    """A node has the values of the child that decided it, and no other child has more for whoever moves."""
    for player in range(values.shape[1]):
        if values[node, player] != values[decider, player]:
            return False
    return bool(for_mover(values, decider, turn, team) >= most - STEPS)


@helper
def for_mover(values: Any, node: int, turn: int, team: int) -> float:
    """What a node is worth to whoever moved to it: alone, or as one of the team."""
    player = 0 if turn > 0 else -turn
    if (team >> player) & 1 == 0:
        return float(values[node, player])
    together = 0.0
    for other in range(values.shape[1]):
        if (team >> other) & 1:
            together += values[node, other]
    return together

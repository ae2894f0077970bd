"""An oracle for games on graphs: definitions iterated until nothing changes, and random graphs to test with.

It shares nothing with `engines`: a graph here is a mapping from each node to its owner and its edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Pick = Callable[[int, int], int]
"""Returns a whole number between a lowest and a highest one, both included."""


@dataclass
class NaiveGraph:
    """Owners (1 or -1), edges, whose target each node is (1, -1, or 0 for nobody's), and the payoffs of ends."""

    owners: list[int]
    edges: list[list[int]]
    wanted: list[int]
    gains: list[int]

    def text(self, start: int) -> str:
        """The notation of the graph."""
        parts = []
        for node, (owner, edges) in enumerate(zip(self.owners, self.edges, strict=True)):
            to = ", ".join(f'"n{one}"' for one in edges)
            gain = f", gain = {self.gains[node]}" if not edges and not any(self.wanted) else ""
            parts.append(f'n{node} = {{owner = "{"max" if owner > 0 else "min"}", to = [{to}]{gain}}}')
        targets = ""
        if any(self.wanted):
            lists = {
                name: ", ".join(f'"n{node}"' for node, whose in enumerate(self.wanted) if whose == player)
                for name, player in (("max", 1), ("min", -1))
            }
            targets = "targets = {" + ", ".join(f"{name} = [{found}]" for name, found in lists.items() if found) + "}, "
        return f'graph = {{start = "n{start}", {targets}nodes = {{{", ".join(parts)}}}}}'

    def ends(self) -> dict[int, int]:
        """The winner at each node where the game is over; 0 for a draw."""
        both = {whose for whose in self.wanted if whose}
        found = {}
        for node, edges in enumerate(self.edges):
            if self.wanted[node]:
                found[node] = self.wanted[node]
            elif not edges:
                found[node] = 0 if len(both) == 2 else -next(iter(both))
        return found

    def won(self) -> dict[int, tuple[int, int]]:
        """For each node from which somebody can force a win, the winner and the number of moves. This follows the
        definition: one number of moves after the other, over all nodes."""
        ends = self.ends()
        found = {node: (whose, 0) for node, whose in ends.items() if whose}
        for moves in range(1, len(self.edges) + 1):
            sure = dict(found)
            for node, edges in enumerate(self.edges):
                if node in ends or node in sure:
                    continue
                owner, known = self.owners[node], [sure[one] for one in edges if one in sure]
                if any(whose == owner for whose, _ in known):
                    found[node] = owner, moves
                elif len(known) == len(edges):
                    found[node] = -owner, moves
        return found

    def outcome(self, node: int) -> int:
        """The winner from a node: 1, -1, or 0 for a draw. If nobody can force an end, the game goes on for ever, which is a
        draw."""
        both = {whose for whose in self.wanted if whose}
        return self.won().get(node, (0 if len(both) == 2 else -next(iter(both)), 0))[0]

    def value(self, node: int) -> int:
        """The payoff of a node for MAX, on a graph without cycles."""
        if not self.edges[node]:
            return self.gains[node]
        return (max if self.owners[node] > 0 else min)(self.value(one) for one in self.edges[node])


def random_graph(pick: Pick, kind: str) -> NaiveGraph:
    """`one`: MAX or MIN has targets; `both`: each has; `gains`: nobody has, and there are no cycles."""
    count = pick(2, 12)
    owners = [1 if pick(0, 1) else -1 for _ in range(count)]
    edges = []
    for node in range(count):
        low = node + 1 if kind == "gains" else 0
        edges.append(sorted({pick(low, count - 1) for _ in range(pick(0, 3))}) if low < count else [])
    wanted = [0] * count
    if kind != "gains":
        wanted[pick(0, count - 1)] = first = 1 if pick(0, 2) else -1
        for node in range(count):
            if not wanted[node] and not pick(0, 6):
                wanted[node] = first
        if kind == "both":
            free = [node for node in range(count) if not wanted[node]]
            if free:
                wanted[free[pick(0, len(free) - 1)]] = -first
    return NaiveGraph(owners, edges, wanted, [pick(-9, 9) for _ in range(count)])


def roundabout(pick: Pick, both: bool) -> NaiveGraph:
    """A graph in which it is easy to go in circles: few edges lead to the target, which is the last node. With `both`, the
    node before it is the other player's target."""
    count = pick(3, 10)
    owners = [1 if pick(0, 2) else -1 for _ in range(count)]
    edges = [sorted({pick(0, count - 3) for _ in range(pick(1, 4))}) for _ in range(count - 2)] + [[], []]
    for end in (count - 1, count - 1, count - 2) if both else (count - 1, count - 1):
        before = edges[pick(0, count - 3)]
        if end not in before:
            before.append(end)
    side = 1 if pick(0, 1) else -1
    wanted = [0] * (count - 2) + [-side if both else 0, side]
    return NaiveGraph([side * owner for owner in owners], edges, wanted, [0] * count)

"""Proof-number search and best-first minimax in the simplest way: nodes are objects, and numbers are computed from scratch.
Nothing here comes from `engines`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.naive.games import Naive, Value, delayed, is_win


@dataclass
class Node:
    """A position, what is known of it, and its children by move."""

    position: Naive
    ply: int = 0
    children: dict[str, Node] = field(default_factory=dict)

    def numbers(self, target: Value) -> tuple[float, float]:
        """The proof and disproof number of the statement that the first player gets at least `target`."""
        result = self.position.result()
        if result is not None:
            return (0, math.inf) if result >= target else (math.inf, 0)
        if not self.children:
            return 1, 1
        below = [child.numbers(target) for child in self.children.values()]
        proofs, disproofs = [proof for proof, _ in below], [disproof for _, disproof in below]
        return (min(proofs), sum(disproofs)) if self.position.turn() > 0 else (sum(proofs), min(disproofs))

    def expand(self) -> int:
        """Create the children and return how many there are."""
        self.children = {move: Node(self.position.play(move), self.ply + 1) for move in self.position.moves()}
        return len(self.children)


def proof_numbers(position: Naive, target: Value, expansions: int) -> tuple[float, float, int]:
    """The root's numbers after so many expansions, or when it is solved, and the number of nodes at that time."""
    root, nodes = Node(position), 1
    for _ in range(expansions):
        if 0 in root.numbers(target):
            break
        node = root
        while node.children:
            side = 0 if node.position.turn() > 0 else 1
            node = min(node.children.values(), key=lambda child: child.numbers(target)[side])  # the first of equals
        nodes += node.expand()
    return (*root.numbers(target), nodes)


@dataclass
class Worth:
    """The value of a node of best-first minimax for the first player, and whether it is settled."""

    value: Value
    settled: bool


def worth(node: Node) -> Worth:
    """The value of a node, computed from the leaves."""
    result = node.position.result()
    if result is not None:
        return Worth(delayed(result, node.ply), True)
    if not node.children:
        return Worth(node.position.evaluate() if node.ply else 0, False)
    sign = node.position.turn()
    below = [worth(child) for child in node.children.values()]
    best = max(below, key=lambda one: sign * one.value)  # the first of equals
    won = best.settled and is_win(best.value) and sign * best.value > 0
    return Worth(best.value, won or all(one.settled for one in below))


def best_first(position: Naive, expansions: int) -> tuple[Value, bool, int]:
    """The root's value after so many expansions, whether it is settled, and the number of nodes."""
    root, nodes = Node(position), 1
    for _ in range(expansions):
        if worth(root).settled:
            break
        node = root
        while node.children:
            sign, below = node.position.turn(), [(worth(child), child) for child in node.children.values()]
            values = [sign * found.value if not found.settled else -math.inf for found, _ in below]
            node = below[values.index(max(values))][1]
        nodes += node.expand()
    found = worth(root)
    return found.value, found.settled, nodes

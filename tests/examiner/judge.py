"""What can be known of a search for one value: by the leaves on its tape, and by exhaustive search."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from engines.tape.recording import Recording
from tests.examiner.grammar import Claim, read_value
from tests.examiner.model import Node, Number, Reader
from tests.examiner.oracles import threatened
from tests.naive import games as naive

Range = tuple[Number, Number]
UNSAFE = ("null_move", "late_move_reductions", "futility", "beam", "probcut")
OTHER_DEPTHS = ("quiescence", "check_extension", "singular_extension")
"""Switches with which a node is not searched to the depth recorded for it."""


@dataclass
class Judge:
    """Knows what can be known of a recorded search."""

    recording: Recording
    oracle: Any
    known_ranges: dict[int, Range] = field(default_factory=dict)
    true_values: dict[tuple[object, int, int], naive.Value] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> list[Node]:
        return Reader(self.recording, self.oracle).nodes()

    @property
    def parameters(self) -> Any:
        return self.recording.report.parameters

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self.recording.position.game.players)

    @cached_property
    def counts_plies(self) -> bool:
        """Whether a quick win is worth more than a slow one."""
        return bool(self.parameters.get("quickest", True) or self.parameters.get("tables"))

    @cached_property
    def has_truth(self) -> bool:
        """Whether every node is searched to exactly its recorded depth, with nothing left out that could matter."""
        if self.recording.algorithm.expands:
            return False
        return not any(self.parameters.get(name) for name in (*UNSAFE, *OTHER_DEPTHS))

    # What the search can know, from the leaves below.

    def known(self, node: Node) -> Range:
        """The least and the greatest value that a node can have, given what is below it on the tape."""
        if node.row not in self.known_ranges:
            self.known_ranges[node.row] = self._known(node)
        return self.known_ranges[node.row]

    def _known(self, node: Node) -> Range:
        value, first = node.value, node.turn > 0
        too_good = value >= node.high if first else value <= node.low
        if node.kind == "open":
            return -math.inf, math.inf
        if node.kind in ("terminal", "horizon"):
            if node.kind == "horizon" and self.stands(node) and too_good:
                return (value, math.inf) if first else (-math.inf, value)
            return value, value
        if node.kind in ("table", "pruned", "aside"):
            return (-math.inf, value) if value <= node.low else (value, math.inf) if value >= node.high else (value, value)
        ranges = [self.known(child) for child in node.counting]
        if node.kind == "quiet" and not self.answers_threat(node):
            standing = self.shown(node.oracle.evaluate(), node)
            ranges.append((standing, standing))
        if not ranges:
            return -math.inf, math.inf
        choose = max if first else min
        low, high = choose(one for one, _ in ranges), choose(one for _, one in ranges)
        if too_good and node.kind in ("cut", "quiet", "expanded"):
            return (low, math.inf) if first else (-math.inf, high)
        return low, high

    def stands(self, node: Node) -> bool:
        """Whether the node belongs to quiescence search, where the side to move may stand pat."""
        return bool(self.parameters.get("quiescence")) and node.depth <= 0

    def answers_threat(self, node: Node) -> bool:
        """Whether quiescence searches all moves here, because the side to move is under a threat and the depth allows it."""
        deepest = 2 * node.path[0].depth + 8
        return bool(threatened(node.oracle)) and node.ply < deepest

    # What is true.

    def true(self, node: Node) -> Number | None:
        """The value by exhaustive search to the depth of the node; None if the search looked at something else."""
        if not self.has_truth or node.oracle is None:
            return None
        return self.shown(self._minimax(node.oracle, node.depth, node.ply), node)

    def _minimax(self, oracle: Any, depth: int, ply: int) -> naive.Value:
        name = (oracle.text() if hasattr(oracle, "board") else oracle), depth, ply
        if name not in self.true_values:
            self.true_values[name] = self._worth(oracle, depth, ply)
        return self.true_values[name]

    def _worth(self, oracle: Any, depth: int, ply: int) -> naive.Value:
        result = oracle.result()
        if result is not None:
            return naive.delayed(result, ply) if self.counts_plies else result
        if depth <= 0:
            value: naive.Value = oracle.evaluate()
            return value
        below = [self._minimax(oracle.play(move), depth - 1, ply + 1) for move in oracle.moves()]
        return max(below) if oracle.turn() > 0 else min(below)

    def shown(self, value: naive.Value, node: Node) -> Number:
        """A naive value as it is displayed."""
        if naive.is_win(value):
            return value - naive.WIN + naive.SHOWN_WIN if value > 0 else value + naive.WIN - naive.SHOWN_WIN
        return Fraction(value) / Fraction(node.oracle.unit)

    # Claims.

    def valued(self, node: Node, claim: Claim) -> Iterator[str]:
        """Yield what is wrong with a value that a sentence gives for a node."""
        yield from claim.faults("by the leaves it", *self.known(node))
        true = self.true(node)
        if true is not None:
            yield from claim.faults("in truth it", true, true)

    def told(self, node: Node, text: str) -> Iterator[str]:
        """Yield what is wrong with a value in words."""
        yield from self.valued(node, read_value(text, self.players))

    def child(self, node: Node, text: str) -> Node | None:
        """The child that a sentence names; among several with the same move, the one that counts. None if there is none."""
        name = text.removeprefix("move ")
        found = [one for one in node.children if one.name == name]
        return next((one for one in reversed(found) if one.kind != "aside"), found[-1] if found else None)

    def is_best(self, node: Node, name: str) -> Iterator[str]:
        """Yield an error if another searched move may be better, for all that is known."""
        chosen = self.child(node, name)
        if chosen is None:
            yield f"{name} was not searched"
            return
        sign = 1 if node.turn > 0 else -1
        least = min(sign * edge for edge in self.known(chosen))
        for other in node.counting:
            if other is not chosen and max(sign * edge for edge in self.known(other)) > least:
                yield f"{other.name} may be better than {name}"
                return

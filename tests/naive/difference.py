"""The difference of two recorded searches, done naively: tapes become nested nodes, and nodes are told by their paths."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engines.rules import key
from engines.tape.recording import Recording
from engines.tape.tape import KINDS
from workbench.recordings.why.nodes import position_at

Path = tuple[Any, ...]
FIELDS = ("move", "turn", "depth", "alpha", "beta", "kind", "value")


@dataclass
class Node:
    """A node of a tape with those below it."""

    row: int
    told: dict[str, int]
    below: list[Node] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return KINDS[self.told["kind"]]

    @property
    def window(self) -> tuple[int, int]:
        return self.told["alpha"], self.told["beta"]

    @property
    def is_trial(self) -> bool:
        return self.kind == "aside"

    @property
    def counting(self) -> list[Node]:
        return [child for child in self.below if not child.is_trial]


def roots_of(recording: Recording) -> list[Node]:
    nodes: list[Node] = []
    roots: list[Node] = []
    for row in range(len(recording)):
        node = Node(row, {name: int(getattr(recording, name)[row]) for name in FIELDS})
        nodes.append(node)
        above = int(recording.parent[row])
        (nodes[above].below if above >= 0 else roots).append(node)
    return roots


def numbered(steps: list[Any], nodes: list[Node]) -> Iterator[tuple[Any, Node]]:
    """Each node with its step, and which one of that step it is."""
    seen: Counter[Any] = Counter()
    for step, node in zip(steps, nodes, strict=True):
        yield (step, seen[step]), node
        seen[step] += 1


def paths(roots: list[Node], by_depth: bool) -> dict[Path, Node]:
    """All nodes by their paths."""
    found: dict[Path, Node] = {}

    def add(path: Path, node: Node) -> None:
        found[path] = node
        steps = [(child.told["move"], child.told["turn"], child.is_trial) for child in node.below]
        for step, child in numbered(steps, node.below):
            add((*path, step), child)

    for step, root in numbered([root.told["depth"] if by_depth else "root" for root in roots], roots):
        add((step,), root)
    return found


class NaiveDifference:
    """Two tapes as sets of paths."""

    def __init__(self, first: Recording, second: Recording) -> None:
        self.recordings = first, second
        self.roots = roots_of(first), roots_of(second)
        depths = [{root.told["depth"] for root in roots} for roots in self.roots]
        by_depth = bool(depths[0] & depths[1])
        self.first, self.second = (paths(roots, by_depth) for roots in self.roots)
        self.sizes: Counter[Path] = Counter()
        for sign, known in ((-1, self.first), (1, self.second)):
            for path in known:
                for length in range(1, len(path) + 1):
                    self.sizes[path[:length]] += sign
        lone = self.first.keys() ^ self.second.keys()
        self.hanging = {path for path in lone if len(path) == 1 or path[:-1] not in lone}
        self.parting = {path[:-1] for path in self.hanging if len(path) > 1}
        self.topmost = {path for path in self.parting if not any(path[:end] in self.parting for end in range(1, len(path)))}
        self.lone_below: dict[Path, list[Node]] = defaultdict(list)
        for path in self.hanging:
            self.lone_below[path[:-1]].append(self.first.get(path) or self.second[path])
        self.lone_roots = {path for path in self.hanging if len(path) == 1}

    @property
    def total(self) -> int:
        return len(self.second) - len(self.first)

    def fewest(self, most: int) -> tuple[set[Path], int, int]:
        """The candidates of the level at which so many are enough, how many of them are needed, and what these hold."""
        levels = range(max((len(path) for path in self.topmost), default=1), 0, -1)
        for level in levels:
            candidates = self.lone_roots | {path[:level] for path in self.topmost}
            gains = [self.sizes[path] for path in candidates]
            sign = 1 if self.total > 0 else -1
            weights = sorted((abs(gain) if self.total == 0 else sign * gain for gain in gains), reverse=True)
            wanted = abs(self.total) or sum(weights)
            needed = next(
                (count for count in range(len(weights) + 1) if wanted and 10 * sum(weights[:count]) >= 9 * wanted), 0
            )
            if needed <= most:
                break
        return candidates, needed, sum(weights[:needed])

    # Reasons.

    def reason(self, path: Path) -> str:
        mine, theirs = self.first[path], self.second[path]
        kinds = mine.kind, theirs.kind
        if self.is_cut_short(0, mine) != self.is_cut_short(1, theirs):
            return "cut short"
        if len(path) > 1 and mine.told["depth"] != theirs.told["depth"]:
            return "depth"
        if (kinds[0] in ("table", "terminal")) != (kinds[1] in ("table", "terminal")):
            return "table"
        if (kinds[0] == "pruned") != (kinds[1] == "pruned"):
            return "pruned"
        lone = self.lone_below[path]
        if any(node.is_trial and node.told["move"] < 0 for node in lone):
            return "trial"
        if any(node.is_trial for node in lone):
            return "again"
        quiet = [bool(recording.report.parameters.get("quiescence")) for recording in self.recordings]
        if quiet[0] != quiet[1] and {"horizon", "quiet"} & set(kinds):
            return "quiescence"
        orders = [
            [(child.told["move"], sum(child.told["move"] == one.told["move"] for one in node.counting[:place]))
             for place, child in enumerate(node.counting)]
            for node in (mine, theirs)
        ]  # fmt: skip
        shared = min(map(len, orders))
        if orders[0][:shared] != orders[1][:shared]:
            return "order"
        if mine.window != theirs.window:
            return "window"
        shorter = mine if len(orders[0]) < len(orders[1]) else theirs
        return "value" if shorter.kind in ("cut", "quiet") else "moves"

    def is_cut_short(self, side: int, node: Node) -> bool:
        recording = self.recordings[side]
        if node.kind == "open":
            return True
        last = len(recording) - 1
        return not recording.complete and node.row in recording.path(last)

    def by_reason(self) -> Counter[str]:
        """The difference of each reason."""
        found: Counter[str] = Counter()
        for path in self.hanging:
            if len(path) > 1:
                found[self.reason(path[:-1])] += self.sizes[path]
            else:
                depths = [{root.told["depth"] for root in roots} for roots in self.roots]
                node = self.first.get(path) or self.second[path]
                both = node.told["depth"] in depths[0] & depths[1]
                found["pass" if both else "iteration"] += self.sizes[path]
        return found

    # Time.

    def events(self, side: int) -> list[tuple[Any, ...]]:
        """What happened, in order: each node entered, and left."""
        told: list[tuple[Any, ...]] = []

        def visit(node: Node, above: int) -> None:
            entered = tuple(node.told[name] for name in ("move", "turn", "depth", "alpha", "beta"))
            told.append(("enter", node.row, above, *entered))
            for child in node.below:
                visit(child, node.row)
            told.append(("leave", node.row, node.kind, node.told["value"]))

        for root in self.roots[side]:
            visit(root, -1)
        return told

    def begins(self) -> tuple[int | None, int | None] | None:
        """The nodes at the first difference in time; None if there is none."""
        first, second = self.events(0), self.events(1)
        for place in range(max(len(first), len(second))):
            mine = first[place] if place < len(first) else None
            theirs = second[place] if place < len(second) else None
            if mine == theirs:
                continue
            if mine is None or theirs is None:  # only new passes over the root come after all has been left
                return (None if mine is None else mine[1], None if theirs is None else theirs[1])
            if mine[0] == theirs[0] == "leave":
                if "aside" in (mine[2], theirs[2]) and mine[3] == theirs[3]:
                    continue
                return mine[1], theirs[1]
            if mine[0] == theirs[0] == "enter":
                same = mine[2] == theirs[2] and (mine[2] == -1 or mine[3:5] == theirs[3:5])
                return (mine[1], theirs[1]) if same else (mine[2], theirs[2])
            left = mine if mine[0] == "leave" else theirs
            return left[1], left[1]
        return None

    def positions(self) -> tuple[Counter[int], Counter[int]]:
        """How often each search saw each position."""
        first, second = (
            Counter(
                int(key(recording.position.game.rules, position_at(recording, row).state)) for row in range(len(recording))
            )
            for recording in self.recordings
        )
        return first, second

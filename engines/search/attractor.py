"""Attractor (Zermelo 1913; for games on graphs, McNaughton 1993)

**Idea.** Who can force the play to a target? At the target, nothing is left to do: rank 0. One step away are the nodes where
MAX decides and has an edge to the target, and those where MIN decides and *every* edge leads there. Two steps away: the same
with what has been found. The layers grow backwards from the target until nothing is added. From inside MAX gets there, in as
many moves as the rank says, by always going one layer down. From outside he never does: there MIN always has an edge that
stays outside, and may go round in circles for ever, which wins for MIN.

**In short.**

    layer 0 <- the targets
    repeat until a layer is empty:
        add each node of MAX with an edge into the layers so far
        add each node of MIN with all its edges into them
    where there are no targets:
        value each node once all its edges lead to valued ones

If both have targets, each has an attractor, and what is in neither is drawn: play there never ends. Without targets, on a
graph or tree that always ends, the same steps give the values of minimax from the bottom up: a node has its value as soon as
all the nodes behind it have theirs.

**Cost.** Every edge is looked at once. But the whole graph must be there, which is why games with 10^43 positions need
something else.

**Watch.** Each layer is a depth here: step through them with `]` and `[`. The *strategy* of the winner is the same whatever
happened before; it depends on the node alone. Course texts sometimes forget the condition that MIN must have an edge at all:
where no edge leads on and no target is reached, MAX has lost.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from engines.algorithm import Algorithm
from engines.compiled.kernel import helper, int64, kernel
from engines.game import FOREVER
from engines.games.tree.game import CHILDREN, FIRST_CHILD, OWNER, VALUE, TypedTree
from engines.rules import WIN
from engines.run.result import DepthResult, MoveResult, NodeResult, SearchResult
from engines.run.run import Run
from engines.run.work import Work

NOT_YET = -1
MOST_REGIONS = 20_000
"""Up to this many nodes, each one is reported; of larger trees only the root and its moves."""


@helper
def is_attracted(nodes: Any, left: Any, winner: Any, node: int, before: int) -> bool:
    """Follow the edge from `before` to `node`, where the winner is known. If that decides `before`, note its winner: who
    decides there has an edge to a win, or none that is not a loss."""
    if winner[before] != 0:
        return False
    if nodes[before, OWNER] != winner[node]:
        left[before] -= 1
        if left[before] > 0:
            return False
    winner[before] = winner[node]
    return True


@helper
def is_valued(nodes: Any, edges: Any, left: Any, values: Any, before: int) -> bool:
    """Follow an edge from `before` to a node with a value. If it was the last one, give `before` its value by minimax."""
    left[before] -= 1
    if left[before] > 0:
        return False
    first = nodes[before, FIRST_CHILD]
    best = values[edges[first]]
    for j in range(first + 1, first + nodes[before, CHILDREN]):
        value = values[edges[j]]
        best = max(best, value) if nodes[before, OWNER] > 0 else min(best, value)
    values[before] = best
    return True


@kernel
def next_layer(
    work: Work,
    nodes: Any,
    edges: Any,
    starts: Any,
    back: Any,
    left: Any,
    known: Any,
    rank: Any,
    layer: Any,
    count: int,
    has_winner: bool,
) -> int:
    """Add the nodes that the last layer, `count` nodes, decides; write them in its place and return how many there are.
    `known`: the winner at each node, or its value. `left`: edges that have not been followed yet, or not been seen to lose;
    `back`, from `starts` on: where the edges into each node come from."""
    grown, found = int64(0), layer[count:]
    for i in range(count):
        node = layer[i]
        for edge in range(starts[node], starts[node + 1]):
            if work.nodes >= work.budget:
                work.stopped = 1
                return int64(0)
            work.nodes += 1
            before = back[edge]
            if has_winner:
                if not is_attracted(nodes, left, known, node, before):
                    continue
            elif not is_valued(nodes, edges, left, known, before):
                continue
            rank[before] = rank[node] + 1
            found[grown] = before
            grown += 1
    for i in range(grown):
        layer[i] = found[i]
    return grown


class Attraction:
    """The state of the backward induction: who wins at each node, or its value, and in which layer that was found."""

    def __init__(self, rules: TypedTree, endless: int, has_winner: bool) -> None:
        self.nodes, self.edges, self.endless, self.has_winner = rules.nodes, rules.edges, endless, has_winner
        count, children = len(self.nodes), self.nodes[:, CHILDREN]
        ends = children == 0
        self.winner = np.where(ends, np.sign(self.nodes[:, VALUE]), 0) if has_winner else np.zeros(count, np.int64)
        self.values = np.where(ends, self.nodes[:, VALUE], 0)
        self.rank = np.where(ends if not has_winner else self.winner != 0, 0, NOT_YET)
        self.left = children.copy()
        begins = np.repeat(np.arange(count), children)
        leads = self.edges[np.repeat(self.nodes[:, FIRST_CHILD], children) + _within(children)]
        order = np.argsort(leads, kind="stable")
        self.back = np.ascontiguousarray(begins[order])
        self.back_starts = np.searchsorted(leads[order], np.arange(count + 1))
        first = np.flatnonzero(self.rank == 0)
        self.layer = np.zeros(2 * count + 1, np.int64)
        self.layer[: len(first)] = first
        self.count = len(first)

    def grow(self, work: Work) -> bool:
        """One layer more; False if there is none."""
        known = self.winner if self.has_winner else self.values
        arguments = (self.nodes, self.edges, self.back_starts, self.back, self.left, known, self.rank, self.layer)
        self.count = int(next_layer(work, *arguments, self.count, self.has_winner))
        return self.count > 0

    def is_known(self, node: int) -> bool:
        """Whether the value of a node is known."""
        return bool(self.rank[node] != NOT_YET)

    def value(self, node: int, done: bool) -> int:
        """What a node is worth to MAX; `done`: nothing more will be found."""
        if not self.has_winner:
            return int(self.values[node])
        if self.is_known(node):
            return int(self.winner[node]) * (WIN - int(self.rank[node]))
        return self.endless * (WIN - FOREVER) if done else 0

    def behind(self, node: int) -> list[int]:
        """Where the edges of a node lead."""
        first = int(self.nodes[node, FIRST_CHILD])
        return [int(to) for to in self.edges[first : first + int(self.nodes[node, CHILDREN])]]

    def best(self, node: int, done: bool) -> int | None:
        """The number of the edge to take: the quickest way to win, the slowest to lose, one that stays outside; None if none
        is known to be right."""
        owner, children = int(self.nodes[node, OWNER]), self.behind(node)
        known = [i for i, child in enumerate(children) if done or self.is_known(child)]
        if not known or not (done or self.is_known(node)):
            return None
        return max(known, key=lambda i: owner * self._one_further(children[i], done))

    def _one_further(self, node: int, done: bool) -> int:
        """The value of a node seen from the one before."""
        value = self.value(node, done)
        if not self.has_winner or not value or abs(value) == WIN - FOREVER:
            return value
        return value - 1 if value > 0 else value + 1

    def line(self, node: int, done: bool) -> list[int]:
        """Best play, as far as it is known; where it goes round in circles, once round."""
        line: list[int] = []
        seen: set[int] = set()
        while node not in seen and (move := self.best(node, done)) is not None:
            seen.add(node)
            line.append(move)
            node = self.behind(node)[move]
        return line

    def belief(self, root: int, done: bool) -> DepthResult:
        """What is known of the root after so many layers."""
        owner = int(self.nodes[root, OWNER])
        found = DepthResult(depth=0, exact=done or self.is_known(root))
        found.value = owner * (self.value(root, done) if found.exact or self.has_winner else int(self.nodes[root, VALUE]))
        found.line = self.line(root, done)
        for move, child in enumerate(self.behind(root)):
            if done or self.is_known(child):
                found.root_moves.append(MoveResult(move, owner * self._one_further(child, done), "exact", 1, [move]))
        found.root_moves.sort(key=lambda row: -row.value)
        return found

    def regions(self, done: bool) -> list[NodeResult]:
        """Every node with what is known of it."""
        return [
            NodeResult(
                node=node,
                owner=int(self.nodes[node, OWNER]),
                layer=int(self.rank[node]) if self.is_known(node) else None,
                value=self.value(node, done) if done or self.is_known(node) else None,
                move=self.best(node, done),
            )
            for node in range(len(self.nodes))
        ]


def _within(counts: Any) -> Any:
    """0, 1, 2 ... for each of the counts, one after the other."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)


def search(run: Run) -> SearchResult:
    """Layer by layer, until nothing is added."""
    game, work, root = run.position.game, run.work, int(run.position.state.node)
    known = Attraction(run.rules, game.endless or 0, game.has_winner)
    last = run.limit.depth if run.limit.depth is not None else len(known.nodes)
    done = False
    for layer in range(last + 1):
        began, nodes = perf_counter(), int(work.nodes)
        if work.budget <= 0:
            work.stopped = 1
        done = layer > 0 and not known.grow(work)
        if work.stopped:
            done = False
            break
        if layer > 0 and done and run.depths:
            run.depths[-1] = _dated(known, root, run.depths[-1], done=True)
            break
        row = known.belief(root, done)
        row.depth, row.nodes, row.leaves = layer, int(work.nodes) - nodes, known.count
        row.seconds, row.exact = perf_counter() - began, False  # it goes on after the root is known: all nodes are wanted
        work.leaves += known.count
        run.depths.append(row)
    best = run.depths[-1] if run.depths else DepthResult(depth=0)
    best.exact = done or known.is_known(root)
    found = SearchResult(
        best=best, depths=run.depths, stopped_by="request" if work.stopped else "solved" if done else "depth"
    )
    found.knows_distance = known.is_known(root)
    if len(known.nodes) <= MOST_REGIONS:
        found.regions = known.regions(done)
    return found


def _dated(known: Attraction, root: int, row: DepthResult, done: bool) -> DepthResult:
    """The last layer once more, now that it is known to be the last."""
    now = known.belief(root, done)
    now.depth, now.nodes, now.leaves, now.seconds = row.depth, row.nodes, row.leaves, row.seconds
    return now


ALGORITHM = Algorithm(
    id="attractor",
    name="Attractor",
    year=1913,
    summary="backwards from the targets of a graph: ranks, winning regions and strategies; or minimax from the bottom up",
    family="whole",
    needs=("graph",),
    search=search,
    steps={
        "target": "layer 0 <-",
        "ended": "repeat until a layer",
        "layer": "repeat until",
        "one edge": "with an edge into",
        "all edges": "with all its edges into",
        "valued": "value each node once",
    },
    ends_by_itself=True,
    by_layers=True,
    records=False,
)

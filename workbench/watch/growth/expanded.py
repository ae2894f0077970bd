"""A search that expands one position after another as it grew its tree: PNS, PN2 and best-first minimax.

Such a tree is only ever added to at its end, and after an expansion numbers change on the way to the root alone: so what an
iteration did is read off the tree after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engines.parts.proof.prover import Prover
from engines.parts.proof.tree import USED, ProofTree
from engines.parts.proof.tree_prover import TreeProver
from engines.position import Position
from engines.tape.tape import NOBODY
from workbench.watch.growth.history import History
from workbench.watch.growth.rerun import Rerun


class Numbers(NamedTuple):
    """What is known of a node of a proof search; `best` is the child that is looked at next, or that decided."""

    proof: int
    disproof: int
    best: int
    over: bool

    @property
    def what_counts(self) -> tuple[int, int]:
        """What the node above is told."""
        return self.proof, self.disproof

    @property
    def is_solved(self) -> bool:
        """One of the numbers is 0."""
        return self.proof == 0 or self.disproof == 0


class ValuedNode(NamedTuple):
    """What is known of a node of best-first minimax: its value for the first player, whether that is certain, the child that
    it comes from, and the child that is looked at next."""

    value: int
    settled: bool
    best: int
    following: int

    @property
    def what_counts(self) -> tuple[int, bool, int]:
        """What decides whether the node above is told: the search walks up as long as this changes."""
        return self.value, self.settled, self.following


@dataclass
class Growing:
    """A whole search that was written down."""

    history: History
    position: Position
    done: int = 0
    """Expansions."""
    ended_early: bool = False
    """It was not followed to its end, because the memory was full and something was given up."""
    questions: dict[int, int] = field(default_factory=dict)
    """For each root what the first player shall get at least."""
    second_trees: dict[int, int] = field(default_factory=dict)
    """For each event that grew a second tree how many nodes it had."""
    spread: int = 0


class ExpansionRecorder:
    """Writes down what each expansion changed."""

    def __init__(self, rerun: Rerun) -> None:
        self.rerun, self.work = rerun, rerun.search.run.work
        self.history = History()
        self.told = Growing(self.history, rerun.position)
        self.first, self.used = 0, 0
        """The number of the root of this question, and how many nodes the tree had."""
        self.question: Any = None

    def see(self, grown: Any) -> None:
        """One more expansion is done, or a question was asked."""
        if self.told.ended_early:
            return
        tree: ProofTree = grown.tree
        used = int(tree.size[USED])
        if isinstance(grown, TreeProver) and grown.question is not self.question:
            self._ask(grown, tree)
        elif not self.history.parent and used:
            self._plant(tree)
        elif used < self.used or (isinstance(grown, TreeProver) and grown.clearing is not None):
            self.told.ended_early = True
            self.rerun.search.stop()
            return
        if int(self.work.iterations) != self.told.done and used > self.used:
            self._expansion(grown, tree, used)
        self.told.done = int(self.work.iterations)

    def _plant(self, tree: ProofTree) -> None:
        """The tree begins with its root, of which nothing is known yet."""
        self.history.begin()
        self.history.happen("began", 0)
        self.history.add(NOBODY, NOBODY, int(tree.nodes["turn"][0]), ValuedNode(0, False, NOBODY, NOBODY))
        self.used = 1

    def _ask(self, prover: Prover, tree: ProofTree) -> None:
        """A new question, with a tree of its own."""
        self.question, self.first, self.used = prover.question, len(self.history.parent), 1
        self.told.spread = prover.spread if isinstance(prover, TreeProver) else 0
        self.told.questions[self.first] = int(prover.question.target)
        self.history.begin()
        self.history.happen("asked", self.first)
        self.history.add(NOBODY, NOBODY, int(tree.nodes["turn"][0]), self._read(tree, 0))

    def _expansion(self, grown: Any, tree: ProofTree, used: int) -> None:
        history, nodes = self.history, tree.nodes
        leaf = self.first + int(nodes["parent"][self.used])
        history.begin()
        for above, below in history.on_the_way(leaf):
            history.happen("selected", above, below, end=below)
        jobs = grown.jobs if isinstance(grown, TreeProver) else None
        if jobs is not None:
            self.told.second_trees[len(history)] = int(jobs.inner[0].size[USED])
            history.happen("grown", leaf)
        history.happen("expanded", leaf)
        for at in range(self.used, used):
            parent = self.first + int(nodes["parent"][at])
            history.add(parent, int(nodes["move"][at]), int(nodes["turn"][at]), self._read(tree, at))
        self.used = used
        node = leaf
        while node != NOBODY:
            before, now = history.now(node), self._read(tree, node - self.first)
            history.happen("updated", node, end=leaf)
            history.change(node, now)
            if before.what_counts == now.what_counts and not self.told.spread:
                break
            node = history.parent[node]
        root = history.now(self.first)
        if isinstance(root, Numbers) and root.is_solved:
            history.happen("answered", self.first)

    def _read(self, tree: ProofTree, at: int) -> Numbers | ValuedNode:
        row = tree.nodes[at]
        best = int(row["best"])
        number = NOBODY if best == NOBODY else self.first + best
        if self.question is not None:
            return Numbers(int(row["proof"]), int(row["disproof"]), number, bool(row["over"]))
        following = int(row["next"])
        following = NOBODY if following == NOBODY else self.first + following
        return ValuedNode(int(row["value"]), bool(row["settled"]), number, following)

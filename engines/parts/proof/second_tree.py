"""Two-level proof-number search: each leaf of the first tree is evaluated by a second search that starts there.

PN2 evaluates one leaf after another; with several threads, several leaves are evaluated at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from engines.parts.proof.numbers import ProofKnowledge, Question
from engines.parts.proof.tree import FULL, USED, ProofTree, do_job, graft, new_proof_tree, take_leaf
from engines.rules import MAX_MOVES
from engines.run.run import Run
from engines.run.work import Work, left_of, new_work
from engines.tape.tape import NOBODY

FOLDED = ("nodes", "leaves", "iterations", "tree_nodes")
WAIT_SECONDS = 0.001


class LeafThreads:
    """Threads that expand leaves of one tree by growing a second tree below each (PN2). A single one is the searching thread
    itself."""

    def __init__(self, run: Run, threads: int, megabytes: float, spread: int, size: Callable[[ProofTree], int]) -> None:
        self.knowledge: ProofKnowledge = None
        self.spread = spread
        self.size = size
        """How many nodes the second tree may have, by what the first has."""
        self.inner = [new_proof_tree(megabytes / threads) for _ in range(threads)]
        self.works = [run.work] if threads == 1 else [new_work(1 + n + int(run.work.random % 2**31)) for n in range(threads)]
        self.questions: list[Question] = []
        self._lock = threading.Condition()
        self._busy = 0
        self._spare = 0
        """The nodes that no thread has been promised."""

    def begin(self, run: Run) -> None:
        """A search goes on with these jobs."""
        if len(self.works) == 1:
            self.works = [run.work]
        else:
            run.helpers[:] = self.works

    def ask(self, question: Question, knowledge: ProofKnowledge) -> None:
        """Start a new question: each thread has its own record for it."""
        self.knowledge = knowledge
        self.questions = [question] if len(self.works) == 1 else [question.copy() for _ in self.works]

    def advance(self, run: Run, tree: ProofTree, question: Question, last: int) -> None:
        """Do jobs until the root is solved, or there were so many, or the memory is full, or the search has to stop."""
        if len(self.works) == 1:
            self._work(run, tree, 0, last, run.work)
            return
        self._spare = left_of(run.work)
        for work in self.works:
            work.budget = work.stopped = 0
        threads = [
            threading.Thread(target=self._work, args=(run, tree, n, last - int(run.work.iterations), work), daemon=True)
            for n, work in enumerate(self.works)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if any(work.stopped for work in self.works):
            run.work.stopped = 1
        for work, asked in zip(self.works, self.questions, strict=True):
            for name in FOLDED:
                run.work[name] += work[name]
                work[name] = 0
            run.work.selective_depth = max(run.work.selective_depth, work.selective_depth)
            question.above, question.below = min(question.above, asked.above), max(question.below, asked.below)
        run.work.line[0] = self.works[0].line[0]

    def _work(self, run: Run, tree: ProofTree, number: int, last: int, work: Work) -> None:
        """The loop of one thread."""
        inner, question = self.inner[number], self.questions[number]
        while True:
            with self._lock:
                while True:
                    done = sum(int(one.iterations) for one in self.works)
                    if work.stopped or self._ended(tree) or done >= last:
                        self._lock.notify_all()
                        return
                    most = self.size(tree)
                    if done + self._busy < last and self._promised(run, work, most + MAX_MOVES):
                        leaf = int(take_leaf(tree, work, self.spread))
                        if leaf != NOBODY:
                            break
                        self._returned(work)
                    if not self._busy:
                        return
                    self._lock.wait(WAIT_SECONDS)
                self._busy += 1
            do_job(
                run.rules if number == 0 else run.new_rules(),
                self.knowledge,
                work,
                question,
                tree,
                inner,
                run.position.state,
                leaf,
                min(most, len(inner.nodes)),
                self.spread,
            )
            with self._lock:
                graft(tree, inner, work, leaf, self.spread)
                self._returned(work)
                self._busy -= 1
                self._lock.notify_all()

    def _promised(self, run: Run, work: Work, wanted: int) -> bool:
        """A thread has the nodes for a job; the last one alone makes do with fewer. False if it has to wait for what others
        bring back, or if there are no more: then it is stopped, and so if the search is."""
        if len(self.works) == 1:  # it works with the record of the search itself
            return True
        if run.stop_requested or (self._spare <= 0 and not self._busy):
            work.stopped = 1
            return False
        if self._spare < wanted and self._busy:
            return False
        share = min(self._spare, wanted)
        self._spare -= share
        run.allow(work, int(work.nodes) + share)
        return True

    def _returned(self, work: Work) -> None:
        """What a thread did not need is for the others."""
        if len(self.works) > 1:
            self._spare += max(0, int(work.budget) - int(work.nodes))
            work.budget = work.nodes

    @staticmethod
    def _ended(tree: ProofTree) -> bool:
        top = tree.nodes[0]
        return bool(tree.size[FULL]) or not top["proof"] or not top["disproof"]


def as_large(share: float) -> Callable[[ProofTree], int]:
    """The second tree may have this share of the first one's nodes."""
    return lambda tree: max(2, int(share * int(tree.size[USED])))

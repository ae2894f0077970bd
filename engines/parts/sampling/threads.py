"""Parallel sampling in one of three ways: root, tree or leaf parallelisation.

`root`: each has a tree of its own, and only what the trees say of the root's moves is added up. `tree`: all grow the same
tree; a visit counts as a loss until its game is over, so that they spread. `leaf`: one grows the tree, and at every new node
all play a game. With a limit in iterations and the same seed `root` and `leaf` give the same numbers every time; in `tree`
it depends on who comes first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from engines.compiled.atomics import store_release
from engines.parts.sampling.iteration import Growth, grow, plant
from engines.parts.sampling.playout import AnyPlayer
from engines.parts.sampling.shared_tree import JOB, LEFT, OVER, TURNS, sample_as_helper
from engines.parts.sampling.tree import (
    ROOT,
    TURNS_LEFT,
    AnyTree,
    LinkedTree,
    SampleTree,
    merge_trees,
    new_linked_tree,
    new_path,
    new_sums,
    new_tree,
)
from engines.run.run import Run
from engines.run.work import UNLIMITED, new_work, scrambled

PARALLEL = ("root", "leaf", "tree")


class SamplingThreads:
    """The threads of a search that samples: what each counts, and the tree or trees that they grow."""

    def __init__(self, run: Run, how: Growth, transpositions: bool = False) -> None:
        chosen = run.parameters
        threads = int(chosen.get("threads", 1))
        self.parallel = str(chosen["parallel"]) if threads > 1 else "alone"
        if self.parallel == "leaf":
            how = how._replace(batch=how.batch * threads)
        shared = self.parallel == "tree"
        self.how = how._replace(shared=threads if shared else 0)
        megabytes = int(chosen["memory"])
        megabytes = min(megabytes, run.memory.most or megabytes)
        owned = threads if self.parallel == "root" else 1
        each, helpers = max(1, megabytes // owned), threads - 1 if self.parallel == "leaf" else 0
        linked = transpositions or shared or helpers > 0
        trees: list[AnyTree] = [
            new_linked_tree(each, transpositions, helpers) if linked else new_tree(each) for _ in range(owned)
        ]
        if shared:
            trees += [trees[0]._replace(path=new_path(), kept=new_sums()) for _ in range(threads - 1)]
        self.trees = trees
        self.helpers = [new_work(scrambled(int(run.work.random)) + number) for number in range(1, threads)]

    @property
    def tree(self) -> AnyTree:
        """The first thread's tree."""
        return self.trees[0]

    @property
    def own_trees(self) -> list[AnyTree]:
        """The trees that are different from each other."""
        return self.trees if self.parallel == "root" else self.trees[:1]

    def begin(self, run: Run) -> None:
        """Prepare for a search that starts or is resumed."""
        run.helpers = self.helpers
        for work in self.helpers:
            work.stopped = 0
        self._share_nodes(run)

    def _share_nodes(self, run: Run) -> None:
        """What is left of a limit in nodes is for each thread the same."""
        works, limit = [run.work, *self.helpers], run.limit.nodes
        left = UNLIMITED if limit is None else max(0, limit - sum(int(work.nodes) for work in works))
        for number, work in enumerate(works):
            share = left // len(works) + (number < left % len(works))
            run.allow(work, UNLIMITED if limit is None else int(work.nodes) + share)

    def advance(self, run: Run, player: AnyPlayer, count: int) -> None:
        """This many more iterations in all. If a thread has used its share of the nodes up and others have not, what is left
        is shared out again."""
        works = [run.work, *self.helpers]
        for tree, work in zip(self.own_trees, works, strict=False):
            plant(run.rules, tree, work, run.position.state)
        last = sum(int(work.iterations) for work in works) + count
        while True:
            spent = sum(int(work.nodes) for work in works)
            self._share_nodes(run)
            self._go_on(run, player, last - sum(int(work.iterations) for work in works))
            if not any(work.stopped for work in works):
                return
            if run.stop_requested or run.limit.nodes is None or spent == sum(int(work.nodes) for work in works):
                run.work.stopped = 1
                return
            for work in works:
                work.stopped = 0

    def _go_on(self, run: Run, player: AnyPlayer, count: int) -> None:
        """Run so many iterations, or fewer if a thread is stopped."""
        works, state = [run.work, *self.helpers], run.position.state
        before = sum(int(work.iterations) for work in works)
        if self.parallel == "alone":
            grow(run.rules, player, self.tree, run.work, state, self.how, count)
        elif self.parallel == "leaf":
            self._play_together(run, player, count)
        else:
            tasks: list[Callable[[], None]] = []
            if self.parallel == "tree":
                self._share_out(count)
            for number, work in enumerate(works):
                later = len(works) - 1 - number  # the first thread gets what is left over
                share = (before + count + later) // len(works) - int(work.iterations)
                if self.parallel == "tree":
                    share = count
                rules = run.new_rules() if number else run.rules
                arguments = (rules, player, self.trees[number], work, state, self.how, share)
                tasks.append(lambda arguments=arguments: grow(*arguments))  # type: ignore[misc]
            run_in_threads(tasks)

    def _share_out(self, count: int) -> None:
        """Some iterations for each thread, that all have something to do, and the rest for who is quicker."""
        each = min(TURNS, count // len(self.trees))
        for tree in self.trees:
            tree.path[TURNS_LEFT] = each
        self.tree.notes[LEFT] = count - each * len(self.trees)

    def _play_together(self, run: Run, player: AnyPlayer, count: int) -> None:
        """One thread grows the tree, and all play."""
        tree, state = self.tree, run.position.state
        tree.notes[:] = 0
        tasks: list[Callable[[], None]] = []
        for number, work in enumerate(self.helpers):
            rules = run.new_rules()
            arguments = (rules, player, tree, work, state, self.how, number, 0)
            tasks.append(lambda arguments=arguments: sample_as_helper(*arguments))  # type: ignore[misc]

        def lead() -> None:
            try:
                grow(run.rules, player, tree, run.work, state, self.how, count)
            finally:
                store_release(tree.notes, JOB, OVER)

        run_in_threads([lead, *tasks])

    def recorded(self) -> list[AnyTree]:
        """All that was sampled, as one tree; with transpositions, where a tree's nodes have no one place, one after the
        other."""
        if len(self.own_trees) == 1 or isinstance(self.tree, LinkedTree):
            return self.own_trees
        sizes = [int(tree.size[0]) for tree in self.own_trees]
        nodes = np.zeros(sum(sizes), self.tree.nodes.dtype)
        target = SampleTree(nodes, np.zeros(1, np.int64), self.tree.path)
        for tree in self.own_trees:
            merge_trees(target, tree, np.zeros((int(tree.size[0]), 2), np.int64))
        return [target]

    @property
    def proven(self) -> int:
        """The result that one of the trees has proven for the root; 0 if none has."""
        return next((int(proof) for tree in self.own_trees if (proof := tree.nodes["proven"][ROOT])), 0)


def run_in_threads(tasks: list[Callable[[], None]]) -> None:
    """Run the first task in the calling thread and each other in a new thread, and wait for all. The first exception is
    raised here."""
    errors: list[BaseException] = []

    def guarded(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(task,), daemon=True) for task in tasks[1:]]
    for thread in threads:
        thread.start()
    guarded(tasks[0])
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]

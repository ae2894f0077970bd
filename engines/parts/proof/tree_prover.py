"""The prover that keeps every position in a tree: proof-number search (PNS) and its two-level form, PN2."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.parts.proof.line import from_tree
from engines.parts.proof.prover import Branch, Prover
from engines.parts.proof.second_tree import LeafThreads
from engines.parts.proof.tree import (
    FULL,
    PIECE,
    ROOT,
    USED,
    ProofTree,
    collect,
    grow,
    line_of,
    new_clearing,
    new_proof_tree,
    plant,
    root_children,
    write_numbers,
)
from engines.rules import WIN, WIN_EDGE
from engines.run.run import Run
from engines.tape.tape import NOBODY

WORTHWHILE = 0.9
"""A full tree goes on if what is left after clearing up is at most this share of it."""


class TreeProver(Prover):
    """Best-first proof-number search, which keeps all positions in a tree: PNS, PN2."""

    def __init__(self, run: Run, spread: int = 0, jobs: LeafThreads | None = None, megabytes: float = 256) -> None:
        super().__init__(run)
        self.spread, self.jobs, self.megabytes = spread, jobs, megabytes
        self.tree: ProofTree = new_proof_tree(megabytes)
        self.clearing: tuple[Any, Any] | None = None
        """How far it is with making room, if it is at that."""

    def begin(self, run: Run) -> None:
        if self.jobs is not None:
            self.jobs.begin(run)

    def ask(self, run: Run, target: int) -> None:
        super().ask(run, target)
        plant(run.rules, self.knowledge, self.question, self.tree, run.position.state)
        collect(self.tree, *new_clearing(self.tree), PIECE)  # so that it is compiled before it is needed
        self.clearing = None
        run.work.tree_nodes = 1
        if self.jobs is not None:
            self.jobs.ask(self.question, self.knowledge)
        if run.watcher is not None:
            run.watcher(self)

    def advance(self, run: Run, last: int) -> None:
        for upto in run.steps(last, self):
            self._grow(run, upto)

    def _grow(self, run: Run, last: int) -> None:
        while True:
            if self.clearing is not None and not self._clear_up(run):
                return
            if self.jobs is not None:
                self.jobs.advance(run, self.tree, self.question, last)
            else:
                most = len(self.tree.nodes)
                grow(
                    run.rules,
                    self.knowledge,
                    run.work,
                    self.question,
                    self.tree,
                    run.position.state,
                    0,
                    last,
                    most + 1,
                    1,
                    self.spread,
                )
            if not self.tree.size[FULL] or run.work.stopped:
                return
            self.clearing = new_clearing(self.tree)

    def _clear_up(self, run: Run) -> bool:
        """Continue the garbage collection of a full tree; returns whether the search can go on: there is enough room and no
        stop was requested."""
        assert self.clearing is not None
        where, way = self.clearing
        while not collect(self.tree, where, way, PIECE):
            if run.stop_requested:
                run.work.stopped = 1
                return False
        self.clearing = None
        run.work.tree_nodes = left = int(self.tree.size[USED])
        self.tree.size[FULL] = left > WORTHWHILE * len(where)
        return not self.full

    @property
    def full(self) -> bool:
        return self.clearing is None and bool(self.tree.size[FULL])

    @property
    def numbers(self) -> tuple[int, int]:
        top = self.tree.nodes[ROOT]
        return int(top["proof"]), int(top["disproof"])

    def branches(self, run: Run) -> list[Branch]:
        return [self.as_reported(run, Branch(*row)) for row in root_children(self.tree)]

    def line(self, run: Run) -> list[int]:
        return line_of(self.tree)

    def line_to_end(self, run: Run, yes: bool) -> tuple[list[int], int]:
        return from_tree(run, self.question, self.knowledge, self.tree, self.megabytes)

    def record(self, run: Run, result: int | None) -> None:
        while self.clearing is not None and not collect(self.tree, *self.clearing, PIECE):
            pass
        self.clearing = None
        target = int(self.question.target)
        yes, no = (WIN, -WIN if run.position.game.results[1] == WIN else 0) if target >= WIN_EDGE else (target, -WIN)
        rows = np.full(int(self.tree.size[USED]), NOBODY, np.int64)
        write_numbers(self.tree, run.tape, rows, yes, no if run.position.game.has_winner else target - 1)

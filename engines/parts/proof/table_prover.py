"""The prover that goes depth first with a table of proof numbers, which may forget entries: df-pn and PDS."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import NamedTuple

import numpy as np

from engines.compiled.bits import EMPTY
from engines.parts.proof.depth_first import decisive, deepen, known_below
from engines.parts.proof.line import from_table
from engines.parts.proof.numbers import proof_key
from engines.parts.proof.prover import FIRST_RETURN, Branch, Prover, suits
from engines.parts.proof.table import ProofTable
from engines.position import Position
from engines.rules import INFINITE, MAX_MOVES, WIN, WIN_EDGE, State, mixed, play, turn
from engines.run.checkpoints import next_checkpoint
from engines.run.run import Run
from engines.run.work import END, Work, left_of
from engines.tape.tape import NOBODY, NUMBERED, TERMINAL, enter, leave

LONGEST_LINE = 60
"""Plies: no line of the table is read further."""
WRITING_SECONDS = 0.025
"""How long a search that was told to stop may still write on its tape."""

RECORDED_POSITIONS, RECORDED_NUMBERS = 200_000, 20_000
"""The largest proof that goes on a tape, and how much of the table does where there is none."""


class KnownChild(NamedTuple):
    """What is known of the position after a move without a search; `known` is false if that is nothing."""

    move: int
    proof: int
    disproof: int
    known: bool


Way = tuple[State, ...]
"""The positions that lead to another one, where play can go round; else none."""


class TableProver(Prover):
    """Depth-first proof-number search with a table that may forget entries: df-pn, PDS."""

    def __init__(self, run: Run, both: bool, epsilon: float, weak: bool) -> None:
        super().__init__(run)
        megabytes = int(run.parameters["table"])
        if run.memory.most is not None:
            megabytes = min(megabytes, run.memory.most)
        self.table: ProofTable = run.memory.proofs or ProofTable(megabytes)
        if self.table is not run.memory.proofs:
            run.prefault(self.table.words)
        self.both, self.epsilon, self.weak = both, epsilon, weak

    def ask(self, run: Run, target: int) -> None:
        super().ask(run, target)
        self.table.lend(self.question, run.rules)
        if self.table is run.memory.proofs:  # what others found rests on results that are not seen here
            self.question.above, self.question.below = target, target - 1
        self.question.both, self.question.weak, self.question.epsilon = int(self.both), int(self.weak), self.epsilon
        if run.watcher is not None:
            run.watcher(self)

    def advance(self, run: Run, last: int) -> None:
        self.question.last, self.question.halted = last, 0
        self.question.next_note = next_checkpoint(int(run.work.iterations))
        deepen(run.rules, self.knowledge, run.work, self.question, run.visits, run.position.state)
        if int(run.work.nodes) >= int(run.work.budget):
            run.work.stopped = 1
        run.work.tree_nodes = sum(int(question.filled) for question in self.asked)

    @property
    def numbers(self) -> tuple[int, int]:
        return int(self.question.proof), int(self.question.disproof)

    def following(self, iterations: int) -> int:
        following = next_checkpoint(iterations)
        return following if following >= FIRST_RETURN else next_checkpoint(FIRST_RETURN - 1)

    def branches(self, run: Run) -> list[Branch]:
        below = self._known(run, run.position.state)
        shares = self.question.shares
        return [
            self.as_reported(run, Branch(child.move, child.proof, child.disproof, 1 + int(shares[number])))
            for number, child in enumerate(below)
        ]

    def line(self, run: Run) -> list[int]:
        state = run.position.state
        line = self._line(run, state)
        first = int(decisive(run.rules, self.knowledge, run.work, self.question, state))
        if first == END or line[:1] == [first]:
            return line
        way = (state,) if self.question.circles else ()
        return [first, *self._line(run, play(run.rules, state, first), way)]

    def line_to_end(self, run: Run, yes: bool) -> tuple[list[int], int]:
        return from_table(run, self.question, yes, self.line(run))

    def record(self, run: Run, result: int | None) -> None:
        from engines.parts.proof.maker import Interrupted, TooLarge, make_proof
        from engines.proofs.document import write_proof

        search = run.work

        def lend(work: Work) -> None:
            """It has what is left of the limit, and whoever stops the search stops this."""
            run.work = work
            run.allow(work, left_of(search))

        if result is not None and not run.work.stopped:
            try:
                proof = make_proof(run.position, result, "", self, RECORDED_POSITIONS, lend, run.solved)
                write_proof(proof, run.tape, len(run.tape.parent))
            except (Interrupted, TooLarge):
                result = None
            finally:
                run.work = search
        if result is None:
            self._record_numbers(run)

    def _record_numbers(self, run: Run) -> None:
        """Write what the table knows, from the root down; once somebody has told the search to stop, only what can be
        written before it has to have stopped."""
        until = perf_counter() + WRITING_SECONDS if run.stop_requested else inf
        none: Way = ()
        todo = [(run.position, self._record_node(run, NOBODY, run.position, KnownChild(END, *self.numbers, True)), none)]
        for position, row, way in todo:  # grows while it is walked
            if position.state in way or position.is_over:
                continue
            below = self._known(run, position.state, way)
            if not any(child.known for child in below):
                continue
            onward = (*way, position.state) if self.question.circles else way
            for child in below:
                after = position.play(child.move)
                child_row = self._record_node(run, row, after, child)
                if child_row == NOBODY:
                    return
                todo.append((after, child_row, onward))
            if len(todo) > RECORDED_NUMBERS or perf_counter() > until:
                return

    def _record_node(self, run: Run, parent: int, position: Position, known: KnownChild) -> int:
        """Write one position; gives its row, NOBODY if the tape is full."""
        target, solved = int(self.question.target), 0 in (known.proof, known.disproof)
        row = enter(run.tape, parent, known.move, position.turn, 0, known.proof, known.disproof)
        value = (WIN if target >= WIN_EDGE else target) if known.proof == 0 else -WIN if known.disproof == 0 else 0
        leave(run.tape, row, TERMINAL if solved and position.is_over else NUMBERED, value, NOBODY)
        return int(row)

    def _known(self, run: Run, state: State, before: Way = ()) -> list[KnownChild]:
        """What the rules or the table know of each position below one; where play can go round, on the way to it."""
        rows, trail = np.zeros((MAX_MOVES, 4), np.int64), EMPTY
        way = (*before, state) if self.question.circles else ()
        for one in way:
            trail ^= mixed(proof_key(run.rules, one))
        count = known_below(run.rules, self.knowledge, run.work, self.question, state, trail, rows)
        found = [KnownChild(*row) for row in rows[:count].tolist()]
        if not way:
            return found
        back = (0, INFINITE) if suits(self.question, True) else (INFINITE, 0)
        return [KnownChild(row.move, *back, True) if play(run.rules, state, row.move) in way else row for row in found]

    def _line(self, run: Run, state: State, way: Way = ()) -> list[int]:
        """The line along the smallest numbers, from a position on, as far as the table knows it. Where play can go round it
        ends when it comes back to the way; and, once the question is answered, where the table no longer says how."""
        line: list[int] = []
        while len(line) < LONGEST_LINE and state not in way:
            side = int(turn(run.rules, state))
            choices = [child for child in self._known(run, state, way) if child.known]
            if self.question.circles:
                way = (*way, state)
                choices = [child for child in choices if 0 not in self.numbers or self._agrees(child)]
            if not choices:
                break
            best = min(choices, key=lambda child: child.proof if side > 0 else child.disproof)
            line.append(best.move)
            state = play(run.rules, state, best.move)
        return line

    def _agrees(self, child: KnownChild) -> bool:
        """Whether the answer after a move is the same as at the root."""
        return (child.proof, child.disproof)[self.numbers[0] != 0] == 0

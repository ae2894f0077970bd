"""The driver of proof searches: which questions are asked, and what is known now and then, and at last.

A question is always: does the first player get at least so much? The results that a game can have, from the least to the
most, are narrowed down until one is left. A game that is won, lost or drawn takes at most two questions: does the first
player win? Does he at least draw?
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import takewhile
from time import perf_counter

from engines.contract import StoppedBy, TableCounters
from engines.parts.proof.line import ends_so
from engines.parts.proof.prover import Branch, Prover, always
from engines.parts.proof.tree import nodes_by_ply
from engines.rules import INFINITE, WIN_EDGE
from engines.run.checkpoints import checkpoints
from engines.run.result import AnswerResult, DepthResult, MoveResult, SearchResult
from engines.run.resume import keep, resume
from engines.run.run import Run
from engines.run.work import END
from engines.tape.tape import Tape

DEFAULT_EXPANSIONS = 2_000_000
"""Expansions of a search without a limit."""


class Proving:
    """A whole search: question after question, until one result is left."""

    def __init__(self, run: Run, prover: Prover) -> None:
        self.prover = prover
        self.results = run.position.game.results
        self.low, self.high = 0, len(self.results) - 1
        self.answers: list[AnswerResult] = []
        self._nodes = self.line_nodes = 0
        """Nodes up to the last answer; and those that were spent on lines, which count apart."""
        self._answered: list[tuple[int, list[Branch]]] = []
        """For each question that is answered its target and what was known of the root's moves then."""
        self._decided: dict[bool, tuple[list[int], list[Branch]]] = {}
        """For the last yes and the last no the line, and the root's moves."""
        prover.begin(run)
        self._ask(run)

    @property
    def target(self) -> int:
        """What the first player shall get at least."""
        return int(self.prover.question.target)

    def _ask(self, run: Run) -> None:
        winner = run.position.game.has_winner
        self.prover.ask(run, self.results[self.high if winner else (self.low + self.high + 1) // 2])

    @property
    def done(self) -> bool:
        """Whether one result is left and at least one question was asked, even of a game that can only end in one way."""
        return self.low == self.high and bool(self.answers)

    @property
    def stuck(self) -> bool:
        """Whether the answer lies behind the deepest ply that is searched."""
        return not self.done and min(self.prover.numbers) >= INFINITE

    def advance(self, run: Run, last: int) -> None:
        """Search on until there were so many expansions."""
        while not self.done and not self.stuck and not self.prover.full and not run.work.stopped:
            if int(run.work.iterations) >= last:
                return
            self.prover.advance(run, last)
            proof, disproof = self.prover.numbers
            if proof and disproof:
                return
            self._note_answer(run, yes=proof == 0)
            if not self.done:
                self._ask(run)

    def notes(self, run: Run) -> list[DepthResult]:
        """What was noted since the search last came back, before what is known now."""
        rows: list[DepthResult] = []
        for question in self.prover.asked:
            for number in range(int(question.notes)):
                count, nodes, leaves, proof, disproof = (int(cell) for cell in question.note[number])
                if count >= int(run.work.iterations):
                    continue
                row = DepthResult(depth=len(run.depths) + len(rows) + 1, value=0, iterations=count, nodes=nodes)
                row.leaves, row.proof, row.disproof, row.target = leaves, proof, disproof, int(question.target)
                row.line = [int(move) for move in takewhile(lambda move: move != END, question.note_line[number])]
                rows.append(row)
            question.notes = 0
        return rows

    def _note_answer(self, run: Run, yes: bool) -> None:
        question, nodes = self.prover.question, int(run.work.nodes)
        self.answers.append(AnswerResult(self.target, yes, nodes - self._nodes))
        branches = self.prover.branches(run)
        self._answered.append((self.target, branches))
        self._nodes = nodes
        if yes:
            self.low = max(self.low, bisect_left(self.results, int(question.above)))
        else:
            self.high = min(self.high, bisect_right(self.results, int(question.below)) - 1)
        line, spent = self.prover.line_to_end(run, yes) if self.done else (self.prover.line(run), 0)
        self.line_nodes += spent
        self._decided[yes] = line, branches

    def beliefs(self, run: Run) -> list[DepthResult]:
        """What was noted, and what is known now."""
        noted = self.notes(run)
        now = self.belief(run)
        now.depth += len(noted)
        return [*noted, now]

    def belief(self, run: Run) -> DepthResult:
        """The result so far."""
        sign, game = run.position.turn, run.position.game
        proof, disproof = self.prover.numbers
        found = DepthResult(depth=len(run.depths) + 1, value=0, iterations=int(run.work.iterations))
        found.proof, found.disproof, found.target = proof, disproof, self.target
        if self.done:
            found.value, found.exact = sign * self.results[self.low], True
        now = self.prover.branches(run)
        found.line, branches = self.prover.line(run), now
        if self.done:  # the answer that suits whoever moves shows which move is good
            found.line, branches = self._decided[(sign > 0) if (sign > 0) in self._decided else (sign < 0)]
            question, value = self.prover.question, self.results[self.low]
            found.cut_short = not ends_so(run, question, self.prover.knowledge, found.line, value)
        elif not found.line and self.answers:  # a new question, of which nothing is known yet
            found.line = self._decided[self.answers[-1].yes][0]
        nodes = {branch.move: branch.nodes for branch in now}
        known = [*self._answered, (self.target, now)]
        for branch in branches:
            found.root_moves.append(
                MoveResult(
                    move=branch.move,
                    value=0,
                    bound="exact",
                    nodes=nodes[branch.move],
                    line=[branch.move],
                    proof=branch.proof,
                    disproof=branch.disproof,
                    proven=self._proven(branch.move, known) if game.has_winner else 0,
                )
            )
        best = found.line[0] if found.line else None
        side = 1 if sign > 0 else 2
        found.root_moves.sort(key=lambda row: (row.move != best, (row.proof, row.proof, row.disproof)[side]))
        if not found.line:  # a game without keys has no table to read a line from
            found.line = [row.move for row in found.root_moves[:1]]
        return found

    def _proven(self, move: int, known: list[tuple[int, list[Branch]]]) -> int:
        """Who wins after a move, where the questions together leave one result: 1, -1, 2 for a draw, or 0."""
        low, high = 0, len(self.results) - 1
        for target, branches in known:
            at = bisect_left(self.results, target)
            for branch in branches:
                if branch.move == move and branch.proof == 0:
                    low = max(low, at)
                elif branch.move == move and branch.disproof == 0:
                    high = min(high, at - 1)
        if low != high:
            return 0
        return 1 if self.results[low] >= WIN_EDGE else -1 if self.results[low] <= -WIN_EDGE else 2

    @property
    def counters(self) -> TableCounters | None:
        """The counters of the table."""
        return self.prover.table.counters(*self.prover.asked) if self.prover.table is not None else None


def prove(
    run: Run, algorithm: str, new_prover: Callable[[Run], Prover], resumes: Callable[[int], bool] = always
) -> SearchResult:
    """Ask until one result is left, or the limit is reached."""
    proving, _ = resume(run, algorithm, lambda: Proving(run, new_prover(run)), can_resume=resumes)
    began = perf_counter()
    proving.prover.begin(run)
    checkpoints(
        run,
        proving.advance,
        proving.beliefs,
        lambda: proving.done or proving.stuck or proving.prover.full,
        DEFAULT_EXPANSIONS,
        proving.prover.following,
    )
    keep(run, began)
    table = proving.counters  # before whatever is recorded asks the table again
    if run.depths:
        run.depths[-1].table = table
    if isinstance(run.tape, Tape):
        proving.prover.record(run, proving.results[proving.low] if proving.done else None)
    stopped_by: StoppedBy = "iterations"
    if proving.done:
        stopped_by = "solved"
    elif run.work.stopped:
        stopped_by = "request"
    elif proving.stuck:
        stopped_by = "depth"
    elif proving.prover.full:
        stopped_by = "memory"
    tree = proving.prover.tree
    return SearchResult(
        best=run.depths[-1] if run.depths else DepthResult(depth=0),
        depths=run.depths,
        stopped_by=stopped_by,
        knows_distance=False,
        table=table,
        line_nodes=proving.line_nodes,
        tree_depths=nodes_by_ply(tree) if tree is not None and run.depths else (),
        answers=list(proving.answers),
    )

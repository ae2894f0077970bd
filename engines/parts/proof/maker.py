"""Makes a proof of what a search has found: from its tree or its table, and by searching again what they no longer know.

Of several moves that win, the one is taken that wins soonest, as far as that is known. Then it is asked whether the game can
be won in fewer plies, and in fewer still, until the answer is no: the last proof is a shortest one.

Where play can go round, the side that this suits may come back to where it was. For the other side every move has to bring
the end nearer: what a tree and a table say of that need not fit together, but what one table says does, if it forgets
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from engines.contract import InputError
from engines.parts.proof.depth_first import decisive, explore
from engines.parts.proof.numbers import Question
from engines.parts.proof.prover import Prover, knowledge_of, question_about, suits
from engines.parts.proof.table import ProofTable
from engines.parts.proof.table_prover import TableProver
from engines.parts.proof.tree import GROWN, ROOT, USED, ProofTree, heights
from engines.parts.proof.tree_prover import TreeProver
from engines.position import Position
from engines.proofs.document import AnswerProof, Proof
from engines.rules import INFINITE, WIN, Rules, State
from engines.run.work import END, UNLIMITED, Work, new_work
from engines.tape.tape import NOBODY, NoTape

if TYPE_CHECKING:
    from engines.catalog import SolvedTables

MOST_POSITIONS = 1_000_000
MEGABYTES = 64
"""For the table of what is searched again, if the search had none."""
EFFORT = 100_000
"""The expansions that are spent by default on finding a shorter proof: less than a second."""
AGAIN = 5
"""Finding the proof's moves again, where the table has forgotten them, may take this many times the effort."""


class Interrupted(InputError):
    """Making the proof was stopped by request."""


class TooLarge(InputError):
    """The proof has more positions than are wanted."""


class Circle(InputError):
    """The proof would go in a circle, for a side that this does not suit."""


@dataclass
class Frame:
    """A position whose moves are being proven."""

    position: Position
    name: object
    hint: int
    """Its node in the tree of the search, or `NOBODY`."""
    left: int
    """How many plies are left to win in; 0: any number."""
    moves: list[int]
    children: list[int] = field(default_factory=list)
    """Where the moves lead; -1, -2 ... for the first, second ... one that leads back."""


class Maker:
    """Makes the proof of one answer."""

    def __init__(
        self,
        position: Position,
        question: Question,
        yes: bool,
        tree: ProofTree | None,
        work: Work,
        most: int,
        solved: SolvedTables | None = None,
    ) -> None:
        self.start, self.question, self.yes, self.work, self.most = position, question, yes, work, most
        self.solved = solved
        self.within = int(question.within)
        self.last = UNLIMITED
        """The largest number of expansions, in all."""
        self.knowledge = knowledge_of(position)
        self.rules = self._rules(position)
        self.prover = 1 if yes else -1
        self.may_return = suits(question, yes)
        self.tree = tree
        self.heights = np.zeros(0, np.int32)
        if tree is not None:
            self.heights = np.full(int(tree.size[USED]), -1, np.int32)
            heights(tree, self.heights)

    def part(self) -> AnswerProof:
        """The proof, position by position; each is written when all that follow it are."""
        known: dict[object, int] = {}
        back: list[object] = []
        starts, moves, children = [0], [], []
        heights: list[int] = []
        stack = [self._frame(self.start, ROOT if self.tree is not None else NOBODY, self.within)]
        on_the_way = {stack[0].name}
        while stack:
            frame = stack[-1]
            if len(frame.children) < len(frame.moves):
                move = frame.moves[len(frame.children)]
                after, left = frame.position.play(move), frame.left - 1
                name = self._name(after)
                if name in known and (not self.within or heights[known[name]] <= left):
                    frame.children.append(known[name])
                elif name in on_the_way and not self.within:
                    if not self.may_return:
                        raise Circle("The proof would go in a circle.")
                    back.append(name)
                    frame.children.append(-len(back))
                else:
                    stack.append(self._frame(after, self._hint(frame.hint, move), left))
                    on_the_way.add(name)
                continue
            stack.pop()
            on_the_way.discard(frame.name)
            moves += frame.moves
            children += frame.children
            starts.append(len(moves))
            heights.append(1 + max((heights[child] for child in frame.children if child >= 0), default=-1))
            known[frame.name] = len(starts) - 2
            if stack:
                stack[-1].children.append(known[frame.name])
            if int(self.work.nodes) >= int(self.work.budget):
                raise Interrupted("The proof was not finished.")
            if len(starts) > self.most:
                raise TooLarge(f"The proof has more than {self.most:,} positions.")
        children = [child if child >= 0 else known[back[-1 - child]] for child in children]
        one, two, three = (np.array(column, np.int64) for column in (starts, moves, children))
        return AnswerProof(int(self.question.target), self.yes, one, two, three)

    def _name(self, position: Position) -> object:
        """Equal for equal positions; where the history matters, no two positions are equal."""
        return position.played if position.game.remembers else tuple(map(int, position.state))

    def _rules(self, position: Position) -> Rules:
        """The rules, with the past of a position, and with the tables of solved positions if they are used."""
        rules = position.game.rules_for(position)
        return rules if self.solved is None else self.solved.with_tables(rules)

    def _frame(self, position: Position, hint: int, left: int) -> Frame:
        moves: list[int] = []
        if not position.is_over:
            whole = position.turn != self.prover
            moves = position.game.legal_moves(position.state) if whole else [self.choice(position, hint, left)]
        return Frame(position, self._name(position), hint, left, moves)

    def _hint(self, hint: int, move: int) -> int:
        """The node of the tree behind a move."""
        if hint == NOBODY or self.tree is None or self.tree.nodes["kind"][hint] != GROWN:
            return NOBODY
        first, count = int(self.tree.nodes["first"][hint]), int(self.tree.nodes["count"][hint])
        found = np.flatnonzero(self.tree.nodes["move"][first : first + count] == move)
        return first + int(found[0]) if len(found) else NOBODY

    def choice(self, position: Position, hint: int, left: int) -> int:
        """The move with which the prover gets its way."""
        if hint != NOBODY and self.tree is not None and self.tree.nodes["kind"][hint] == GROWN:
            first, count = int(self.tree.nodes["first"][hint]), int(self.tree.nodes["count"][hint])
            rows = self.tree.nodes[first : first + count]
            good = np.flatnonzero((rows["proof"] if self.yes else rows["disproof"]) == 0)
            if len(good):
                best = min(good, key=lambda n: int(self.heights[first + n]) if self.heights[first + n] >= 0 else 1 << 20)
                return int(rows["move"][best])
        rules = self._rules(position) if position.game.remembers else self.rules
        state: State = position.state
        if self.within:
            self.question.within = left
        move = int(decisive(rules, self.knowledge, self.work, self.question, state))
        if move != END:
            return move
        question = self.question
        question.halted, question.last, question.next_note = 0, self.last, UNLIMITED
        explore(rules, self.knowledge, self.work, question, NoTape(), NOBODY, state, 0, INFINITE, INFINITE)
        if question.halted:
            raise Interrupted("The proof was not finished.")
        for number in range(int(question.counts[0])):
            if question.near[0, number] == 0:
                return int(self.work.moves[0, number])
        raise InputError(f"The proof of {position.text} could not be found again.")


def claims(results: tuple[int, ...], result: int) -> list[tuple[int, bool]]:
    """Which answers prove a result: the first player gets as much, and does not get the next better one."""
    at = results.index(result)
    found = [(results[at], True)] if at > 0 else []
    return found + ([(results[at + 1], False)] if at + 1 < len(results) else [])


def make_proof(
    position: Position,
    result: int,
    made_by: str,
    prover: Prover | None = None,
    most: int = MOST_POSITIONS,
    watch: Callable[[Work], None] = lambda work: None,
    solved: SolvedTables | None = None,
    effort: int = EFFORT,
) -> Proof:
    """The proof that a position is worth so much to the first player. `watch` is given the record of the second search, so
    that somebody can look at it, or stop it. `solved`: tables of solved positions that tell how to go on. `effort`: at most
    so many expansions are spent on each part to make it shorter; if it is stopped meanwhile, what there is counts."""
    work = new_work()
    watch(work)
    table = prover.table if isinstance(prover, TableProver) else ProofTable(MEGABYTES)
    parts: list[AnswerProof] = []
    for target, yes in claims(position.game.results, result):
        asked = [question for question in prover.asked if int(question.target) == target] if prover is not None else []
        tree = None
        if isinstance(prover, TreeProver) and asked and asked[0] is prover.question:
            tree = prover.tree
        question = asked[0] if isinstance(prover, TableProver) and asked else _question_anew(position, target, table)
        left = most - sum(map(len, parts))
        try:
            part = Maker(position, question, yes, tree, work, left, solved).part()
        except Circle:
            table = ProofTable(MEGABYTES)
            part = Maker(position, _question_anew(position, target, table), yes, None, work, left, solved).part()
        if effort > 0 and abs(result) == WIN:
            part = _shortest(position, part, work, left, solved, effort)
        parts.append(part)
    return Proof(position, result, parts, made_by)


def _shortest(
    position: Position, part: AnswerProof, work: Work, most: int, solved: SolvedTables | None, effort: int
) -> AnswerProof:
    """A proof of the same win that takes as few plies as there can be; the one that there is, if that was not found out."""
    plies = part.plies
    if plies is None:
        return part
    table = ProofTable(MEGABYTES)
    question = _question_anew(position, part.target, table)
    question.late, question.circles = -part.prover, 0
    question.last, question.next_note = int(work.iterations) + effort, UNLIMITED
    maker = Maker(position, question, part.yes, None, work, most, solved)
    shorter, sure = plies, plies <= 1
    while not sure:
        question.within, question.halted = shorter - 1, 0
        explore(maker.rules, maker.knowledge, work, question, NoTape(), NOBODY, position.state, 0, INFINITE, INFINITE)
        if question.halted:
            break
        for_it, against = int(question.proof), int(question.disproof)
        if not part.yes:
            for_it, against = against, for_it
        if for_it == 0:
            shorter = min(shorter - 1, int(question.distance))
        elif against != 0:  # too deep to be looked at
            break
        sure = against == 0 or shorter <= 1
    if shorter < plies:
        maker.within = question.within = shorter
        maker.last = int(work.iterations) + AGAIN * effort
        try:
            part = maker.part()
        except (Interrupted, TooLarge):
            return part
    return replace(part, shortest=sure)


def _question_anew(position: Position, target: int, table: ProofTable) -> Question:
    """A question that is searched again with a table, which has to be kept as long as the question is."""
    question = question_about(position, target, position.lacks("knowledge") is None, mobility=True)
    question.epsilon, question.weak = 0.25, 1
    table.lend(question, position.game.rules)
    return question

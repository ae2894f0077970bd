"""The driver of proof searches: which questions are asked, and what is known now and then, and at last.

A question is always: does the first player get at least so much? The results that a game can have, from the least to the
most, are narrowed down until one is left. A game that is won, lost or drawn takes at most two questions: does the first
player win? Does he at least draw?
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import takewhile
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from engines.algorithm import Found, FoundAnswer, FoundDepth, FoundMove, Run
from engines.contract import StoppedBy, TableCounters
from engines.game import Position
from engines.parts.bits import EMPTY
from engines.parts.growing import checkpoints, keep_growth, kept_growth
from engines.parts.iterations import next_checkpoint
from engines.parts.proof_depth import decisive, deepen, known_below
from engines.parts.proof_jobs import Jobs
from engines.parts.proof_line import ends_so, from_table, from_tree
from engines.parts.proof_numbers import INFINITE, Lore, NoLore, Question, new_question, proof_key
from engines.parts.proof_table import ProofTable
from engines.parts.proof_tree import (
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
    nodes_by_ply,
    plant,
    root_children,
    write_numbers,
)
from engines.parts.tape import NOBODY, NUMBERED, TERMINAL, Tape, enter, leave
from engines.parts.work import END, Work, left_of
from engines.rules import MAX_MOVES, WIN, WIN_EDGE, State, mixed, play, turn

DEFAULT_EXPANSIONS = 2_000_000
"""So many, if no limit is given."""
WORTHWHILE = 0.9
"""A full tree goes on if what is left after clearing up is at most this share of it."""
LONGEST_LINE = 60
WRITING_SECONDS = 0.025
"""How long a search that was told to stop may still write on its tape."""
RECORDED_POSITIONS, RECORDED_NUMBERS = 200_000, 20_000
"""The largest proof that goes on a tape, and how much of the table does where there is none."""
FIRST_RETURN = 50_000
"""A search that goes depth first comes back no sooner: to come back early and often would cost it most of its work."""


class Known(NamedTuple):
    """What is known of the position after a move without a search; `known` is false if that is nothing."""

    move: int
    proof: int
    disproof: int
    known: bool


Way = tuple[State, ...]
"""The positions that lead to another one, where play can go round; else none."""


class Branch(NamedTuple):
    """What is known of a move of the root: its numbers, and how many nodes were spent on it."""

    move: int
    proof: int
    disproof: int
    nodes: int


def lore_of(position: Position) -> Lore:
    """What a game knows of its values; of a variant that it knows nothing of, the same but not to be asked."""
    try:
        return position.game.knowledge()
    except NotImplementedError:
        return NoLore()


def question_about(position: Position, target: int, knows: bool, mobility: bool) -> Question:
    """The question whether the first player gets at least so much from a position, and what the rules say of the past and of
    play that never ends."""
    question, game = new_question(target, knows, mobility), position.game
    question.remembers = int(game.remembers)
    question.circles, question.endless = int(position.lacks("ends") is not None), (game.endless or 0) * WIN
    return question


def suits(question: Question, yes: bool) -> bool:
    """Play that goes round for ever gives this answer."""
    return bool(question.circles) and (int(question.endless) >= int(question.target)) == yes


def always(iterations: int) -> bool:
    """A tree can be gone on with at any time."""
    return True


def at_a_return(iterations: int) -> bool:
    """A search that goes depth first can be gone on with as if it had never stopped where it would have come back anyway."""
    return iterations >= FIRST_RETURN and next_checkpoint(iterations - 1) == iterations


class Prover(ABC):
    """One way to find the answer to a question."""

    table: ProofTable | None = None
    tree: ProofTree | None = None
    question: Question

    def __init__(self, run: Run) -> None:
        self.lore = lore_of(run.position)
        self.knows = bool(run.parameters["knowledge"]) and run.position.lacks("knowledge") is None
        self.asked: list[Question] = []

    def begin(self, run: Run) -> None:  # noqa: B027 - most have nothing to do
        """A search begins, or goes on."""

    def ask(self, run: Run, target: int) -> None:
        """A new question."""
        mobility = bool(run.parameters.get("mobility", True))
        self.question = question_about(run.position, target, self.knows, mobility)
        self.question.proof = self.question.disproof = 1
        self.asked.append(self.question)
        if int(run.work.nodes) < int(run.work.budget):
            run.work.nodes += 1  # the root

    @abstractmethod
    def advance(self, run: Run, last: int) -> None:
        """Search until the question is answered, or there were so many expansions in all, or the search has to stop."""

    @property
    @abstractmethod
    def numbers(self) -> tuple[int, int]:
        """The root's proof and disproof number."""

    @abstractmethod
    def branches(self, run: Run) -> list[Branch]:
        """What is known of the moves of the root."""

    @abstractmethod
    def line(self, run: Run) -> list[int]:
        """The most proving line, or one of the proof."""

    @abstractmethod
    def line_to_end(self, run: Run, yes: bool) -> tuple[list[int], int]:
        """The question is answered: a line of the proof to its end, if that can be found, and how many nodes that took."""

    def told(self, run: Run, branch: Branch) -> Branch:
        """A branch as it may be told. What is solved there in favour of going round may rest on coming back to the root.
        That tells who wins after the move only if the root is solved so too; else it counts as neither yes nor no."""
        for yes in (True, False):
            mine, whole = (branch.proof, self.numbers[0]) if yes else (branch.disproof, self.numbers[1])
            if mine == 0 and whole != 0 and suits(self.question, yes) and not run.position.play(branch.move).is_over:
                return branch._replace(proof=INFINITE, disproof=INFINITE)
        return branch

    @property
    def full(self) -> bool:
        """The memory is used up."""
        return False

    def following(self, iterations: int) -> int:
        """After how many expansions it next comes back to say what it knows."""
        return next_checkpoint(iterations)

    @abstractmethod
    def record(self, run: Run, result: int | None) -> None:
        """Write what was searched on the tape, or the proof of the result, if it is known."""


class TreeProver(Prover):
    """Keeps all positions in a tree: PNS, PN2."""

    def __init__(self, run: Run, spread: int = 0, jobs: Jobs | None = None, megabytes: float = 256) -> None:
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
        plant(run.rules, self.lore, self.question, self.tree, run.position.state)
        collect(self.tree, *new_clearing(self.tree), PIECE)  # so that it is compiled before it is needed
        self.clearing = None
        run.work.tree_nodes = 1
        if self.jobs is not None:
            self.jobs.ask(self.question, self.lore)

    def advance(self, run: Run, last: int) -> None:
        while True:
            if self.clearing is not None and not self._clear_up(run):
                return
            if self.jobs is not None:
                self.jobs.advance(run, self.tree, self.question, last)
            else:
                most = len(self.tree.nodes)
                grow(
                    run.rules,
                    self.lore,
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
        """Go on making room; whether the search can go on, as there is enough and nobody has told it to stop."""
        assert self.clearing is not None
        where, way = self.clearing
        while not collect(self.tree, where, way, PIECE):
            if run.told:
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
        return [self.told(run, Branch(*row)) for row in root_children(self.tree)]

    def line(self, run: Run) -> list[int]:
        return line_of(self.tree)

    def line_to_end(self, run: Run, yes: bool) -> tuple[list[int], int]:
        return from_tree(run, self.question, self.lore, self.tree, self.megabytes)

    def record(self, run: Run, result: int | None) -> None:
        while self.clearing is not None and not collect(self.tree, *self.clearing, PIECE):
            pass
        self.clearing = None
        target = int(self.question.target)
        yes, no = (WIN, -WIN if run.position.game.results[1] == WIN else 0) if target >= WIN_EDGE else (target, -WIN)
        rows = np.full(int(self.tree.size[USED]), NOBODY, np.int64)
        write_numbers(self.tree, run.tape, rows, yes, no if run.position.game.has_winner else target - 1)


class TableProver(Prover):
    """Goes depth first with a table that may forget: df-pn, PDS."""

    def __init__(self, run: Run, both: bool, epsilon: float, weak: bool) -> None:
        super().__init__(run)
        megabytes = int(run.parameters["table"])
        if run.memory.most is not None:
            megabytes = min(megabytes, run.memory.most)
        self.table: ProofTable = run.memory.proofs or ProofTable(megabytes)
        if self.table is not run.memory.proofs:
            run.have_at_hand(self.table.words)
        self.both, self.epsilon, self.weak = both, epsilon, weak

    def ask(self, run: Run, target: int) -> None:
        super().ask(run, target)
        self.table.lend(self.question, run.rules)
        if self.table is run.memory.proofs:  # what others found rests on results that are not seen here
            self.question.above, self.question.below = target, target - 1
        self.question.both, self.question.weak, self.question.epsilon = int(self.both), int(self.weak), self.epsilon

    def advance(self, run: Run, last: int) -> None:
        self.question.last, self.question.halted = last, 0
        self.question.next_note = next_checkpoint(int(run.work.iterations))
        deepen(run.rules, self.lore, run.work, self.question, run.position.state)
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
            self.told(run, Branch(child.move, child.proof, child.disproof, 1 + int(shares[number])))
            for number, child in enumerate(below)
        ]

    def line(self, run: Run) -> list[int]:
        state = run.position.state
        line = self._line(run, state)
        first = int(decisive(run.rules, self.lore, run.work, self.question, state))
        if first == END or line[:1] == [first]:
            return line
        way = (state,) if self.question.circles else ()
        return [first, *self._line(run, play(run.rules, state, first), way)]

    def line_to_end(self, run: Run, yes: bool) -> tuple[list[int], int]:
        return from_table(run, self.question, yes, self.line(run))

    def record(self, run: Run, result: int | None) -> None:
        from engines.proof import write_proof
        from engines.proof_making import Interrupted, TooLarge, make_proof

        search = run.work

        def lend(work: Work) -> None:
            """It has what is left of the limit, and whoever stops the search stops this."""
            run.work = work
            run.allow(work, left_of(search))

        if result is not None and not run.work.stopped:
            try:
                proof = make_proof(run.position, result, "", self, RECORDED_POSITIONS, lend, run.shelf)
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
        until = perf_counter() + WRITING_SECONDS if run.told else inf
        none: Way = ()
        todo = [(run.position, self._record_node(run, NOBODY, run.position, Known(END, *self.numbers, True)), none)]
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

    def _record_node(self, run: Run, parent: int, position: Position, known: Known) -> int:
        """Write one position; gives its row, NOBODY if the tape is full."""
        target, solved = int(self.question.target), 0 in (known.proof, known.disproof)
        row = enter(run.tape, parent, known.move, position.turn, 0, known.proof, known.disproof)
        value = (WIN if target >= WIN_EDGE else target) if known.proof == 0 else -WIN if known.disproof == 0 else 0
        leave(run.tape, row, TERMINAL if solved and position.is_over else NUMBERED, value, NOBODY)
        return int(row)

    def _known(self, run: Run, state: State, before: Way = ()) -> list[Known]:
        """What the rules or the table know of each position below one; where play can go round, on the way to it."""
        rows, trail = np.zeros((MAX_MOVES, 4), np.int64), EMPTY
        way = (*before, state) if self.question.circles else ()
        for one in way:
            trail ^= mixed(proof_key(run.rules, one))
        count = known_below(run.rules, self.lore, run.work, self.question, state, trail, rows)
        found = [Known(*row) for row in rows[:count].tolist()]
        if not way:
            return found
        back = (0, INFINITE) if suits(self.question, True) else (INFINITE, 0)
        return [Known(row.move, *back, True) if play(run.rules, state, row.move) in way else row for row in found]

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

    def _agrees(self, child: Known) -> bool:
        """The answer after a move is the same as at the root."""
        return (child.proof, child.disproof)[self.numbers[0] != 0] == 0


class Proving:
    """A whole search: question after question, until one result is left."""

    def __init__(self, run: Run, prover: Prover) -> None:
        self.prover = prover
        self.results = run.position.game.results
        self.low, self.high = 0, len(self.results) - 1
        self.answers: list[FoundAnswer] = []
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
        """One result is left, and something was asked: of a game that can only end in one way too."""
        return self.low == self.high and bool(self.answers)

    @property
    def stuck(self) -> bool:
        """The answer is behind the deepest ply that is looked at."""
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

    def notes(self, run: Run) -> list[FoundDepth]:
        """What was noted since the search last came back, before what is known now."""
        rows: list[FoundDepth] = []
        for question in self.prover.asked:
            for number in range(int(question.notes)):
                count, nodes, leaves, proof, disproof = (int(cell) for cell in question.note[number])
                if count >= int(run.work.iterations):
                    continue
                row = FoundDepth(depth=len(run.depths) + len(rows) + 1, value=0, iterations=count, nodes=nodes)
                row.leaves, row.proof, row.disproof, row.target = leaves, proof, disproof, int(question.target)
                row.line = [int(move) for move in takewhile(lambda move: move != END, question.note_line[number])]
                rows.append(row)
            question.notes = 0
        return rows

    def _note_answer(self, run: Run, yes: bool) -> None:
        question, nodes = self.prover.question, int(run.work.nodes)
        self.answers.append(FoundAnswer(self.target, yes, nodes - self._nodes))
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

    def beliefs(self, run: Run) -> list[FoundDepth]:
        """What was noted, and what is known now."""
        noted = self.notes(run)
        now = self.belief(run)
        now.depth += len(noted)
        return [*noted, now]

    def belief(self, run: Run) -> FoundDepth:
        """What is known now."""
        sign, game = run.position.turn, run.position.game
        proof, disproof = self.prover.numbers
        found = FoundDepth(depth=len(run.depths) + 1, value=0, iterations=int(run.work.iterations))
        found.proof, found.disproof, found.target = proof, disproof, self.target
        if self.done:
            found.value, found.exact = sign * self.results[self.low], True
        now = self.prover.branches(run)
        found.line, branches = self.prover.line(run), now
        if self.done:  # the answer that suits whoever moves shows which move is good
            found.line, branches = self._decided[(sign > 0) if (sign > 0) in self._decided else (sign < 0)]
            question, value = self.prover.question, self.results[self.low]
            found.cut_short = not ends_so(run, question, self.prover.lore, found.line, value)
        elif not found.line and self.answers:  # a new question, of which nothing is known yet
            found.line = self._decided[self.answers[-1].yes][0]
        nodes = {branch.move: branch.nodes for branch in now}
        known = [*self._answered, (self.target, now)]
        for branch in branches:
            found.root_moves.append(
                FoundMove(
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
        """What was done with the table."""
        return self.prover.table.counters(*self.prover.asked) if self.prover.table is not None else None


def prove(run: Run, algorithm: str, new_prover: Callable[[Run], Prover], resumes: Callable[[int], bool] = always) -> Found:
    """Ask until one result is left, or the limit is reached."""
    proving = kept_growth(run, algorithm, Proving, lambda run: Proving(run, new_prover(run)), resumes)
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
    keep_growth(run, began)
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
    return Found(
        best=run.depths[-1] if run.depths else FoundDepth(depth=0),
        depths=run.depths,
        stopped_by=stopped_by,
        knows_distance=False,
        table=table,
        line_nodes=proving.line_nodes,
        tree_depths=nodes_by_ply(tree) if tree is not None and run.depths else (),
        answers=list(proving.answers),
    )

"""What every proof search has in common: the question, the numbers of the root, and what is known of its moves.

A question is always: does the first player get at least so much? A `Prover` is one way to answer it: `tree_prover.py` keeps
all positions in a tree, `table_prover.py` goes depth first with a table. `driver.py` decides which questions are asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from engines.parts.proof.numbers import NoKnowledge, ProofKnowledge, Question, new_question
from engines.parts.proof.table import ProofTable
from engines.parts.proof.tree import ProofTree
from engines.position import Position
from engines.rules import INFINITE, WIN
from engines.run.checkpoints import next_checkpoint
from engines.run.run import Run

FIRST_RETURN = 50_000
"""A search that goes depth first comes back no sooner: to come back early and often would cost it most of its work."""


class Branch(NamedTuple):
    """What is known of a move of the root: its numbers, and how many nodes were spent on it."""

    move: int
    proof: int
    disproof: int
    nodes: int


def knowledge_of(position: Position) -> ProofKnowledge:
    """What a game knows of its values; of a variant that it knows nothing of, the same but not to be asked."""
    try:
        return position.game.knowledge()
    except NotImplementedError:
        return NoKnowledge()


def question_about(position: Position, target: int, knows: bool, mobility: bool) -> Question:
    """The question whether the first player gets at least so much from a position, and what the rules say of the past and of
    play that never ends."""
    question, game = new_question(target, knows, mobility), position.game
    question.remembers = int(game.remembers)
    question.circles, question.endless = int(position.lacks("ends") is not None), (game.endless or 0) * WIN
    return question


def suits(question: Question, yes: bool) -> bool:
    """Whether endless repetition gives this answer."""
    return bool(question.circles) and (int(question.endless) >= int(question.target)) == yes


def always(iterations: int) -> bool:
    """The default: a search that keeps a tree can be resumed at any time."""
    return True


def at_a_return(iterations: int) -> bool:
    """A depth-first search can be resumed as if it had never stopped only where it would have returned to the driver
    anyway."""
    return iterations >= FIRST_RETURN and next_checkpoint(iterations - 1) == iterations


class Prover(ABC):
    """One way to find the answer to a question."""

    table: ProofTable | None = None
    tree: ProofTree | None = None
    question: Question

    def __init__(self, run: Run) -> None:
        self.knowledge = knowledge_of(run.position)
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

    def as_reported(self, run: Run, branch: Branch) -> Branch:
        """A branch as it may be reported. A result there in favour of repetition may rest on coming back to the root
        (graph-history interaction). It says who wins after the move only if the root has the same result; else it counts as
        neither yes nor no."""
        for yes in (True, False):
            mine, whole = (branch.proof, self.numbers[0]) if yes else (branch.disproof, self.numbers[1])
            if mine == 0 and whole != 0 and suits(self.question, yes) and not run.position.play(branch.move).is_over:
                return branch._replace(proof=INFINITE, disproof=INFINITE)
        return branch

    @property
    def full(self) -> bool:
        """Whether the memory is used up."""
        return False

    def following(self, iterations: int) -> int:
        """After how many expansions it next comes back to say what it knows."""
        return next_checkpoint(iterations)

    @abstractmethod
    def record(self, run: Run, result: int | None) -> None:
        """Write what was searched on the tape, or the proof of the result, if it is known."""

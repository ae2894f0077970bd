"""Proof numbers: how many positions have still to be proven, at the least, before a question is answered.

The question is always of one kind: *does the first player get at least so much?* A position's **proof number** is the least
number of open positions that would all have to be proven for a yes, its **disproof number** the same for a no. Where the
first player moves one good move is enough: the proof number is the least of the moves' and the disproof number their sum.
Where the second moves it is the other way round. So of the two numbers one is always *near*, the one to be the least, and
the other is *far*, the one to be summed up: near is the number of whoever moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.bits import U
from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64
from engines.compiled.records import new_record
from engines.contract import MAX_DEPTH
from engines.rules import LARGEST, MAX_MOVES, ONGOING, WIN, WIN_EDGE, Rules, State, count_successors, key, mixed, result
from engines.run.work import scrambled

PLIES = MAX_DEPTH + 8
ROUND = 2
"""A result may rest on more than what lies ahead (`tainted`). 0: it does not; 1: on the past of the game, as in chess; from
here on: on play that goes round through a position on the way, this for the root and one more for each ply."""
NOTES, NOTE_MOVES = 96, 12
"""How many notes of the numbers may be made before they are read, and how many moves of the line each has."""

ProofKnowledge = Any
"""What a game knows of its values without playing: `NoKnowledge`, or what its `Game.knowledge` gives."""


class NoKnowledge(NamedTuple):
    """Nothing is known but the rules."""

    unused: int = 0


@generic
def foreseen(knowledge: ProofKnowledge, state: State, ask: int) -> int:
    """1 if the game knows, without a search, that the side to move gets more than `ask` points (0: more than a draw, -1:
    more than a loss); -1 if it knows that it does not; 0 if it does not know."""


@foreseen.default
def nothing(knowledge: ProofKnowledge, state: State, ask: int) -> int:
    """Nothing is known."""
    return int64(0)


@generic
def proof_key(game: Rules, state: State) -> Any:
    """64 bits for a position in a table of proof numbers. Positions that are worth the same by symmetry may share them;
    those that the past makes different must not."""


@proof_key.default
def plain_key(game: Rules, state: State) -> Any:
    """The position's own."""
    return key(game, state)


QUESTION = np.dtype(
    [
        ("target", np.int64),
        ("above", np.int64),
        ("below", np.int64),
        ("knows", np.int64),
        ("mobility", np.int64),
        ("salt", np.uint64),
        ("near", np.int32, (PLIES, MAX_MOVES)),
        ("far", np.int32, (PLIES, MAX_MOVES)),
        ("plies", np.int32, (PLIES, MAX_MOVES)),
        ("past", np.int16, (PLIES, MAX_MOVES)),
        ("scratch", np.int64, MAX_MOVES),
        ("proof", np.int64),
        ("disproof", np.int64),
        ("distance", np.int64),
        ("tainted", np.int64),
        ("over", np.int64),
        ("within", np.int64),
        ("late", np.int64),
        ("shares", np.int64, MAX_MOVES),
        ("turns", np.int64, PLIES),
        ("counts", np.int64, PLIES),
        ("chosen", np.int64, PLIES),
        ("notes", np.int64),
        ("next_note", np.int64),
        ("note", np.int64, (NOTES, 5)),
        ("note_line", np.int64, (NOTES, NOTE_MOVES + 1)),
        ("last", np.int64),
        ("halted", np.int64),
        ("epsilon", np.float64),
        ("weak", np.int64),
        ("both", np.int64),
        ("remembers", np.int64),
        ("circles", np.int64),
        ("endless", np.int64),
        ("way", np.uint64, PLIES),
        ("trail", np.uint64, PLIES),
        ("table", np.int64),
        ("places", np.uint64),
        ("probes", np.int64),
        ("hits", np.int64),
        ("cutoffs", np.int64),
        ("stores", np.int64),
        ("overwrites", np.int64),
        ("collisions", np.int64),
        ("filled", np.int64),
    ],
    align=True,
)
"""A question and what is needed to answer it. `target`: does the first player get at least this? `above`, `below`: the
least result that was seen from the target on, and the largest below it. `knows`: 1 if what the game foresees counts.
`mobility`: 1 if a new position begins with the number of its moves, not with 1. `salt` tells the questions of one table
apart. `circles`: 1 if play can come back to where it was; then `endless` is what the first player gets if that goes on for
ever, `way` has the keys of the positions on the way, and `trail` stands at each ply for all before it, in whatever order.
`within`: so many plies there are to win in, 0: any number; `late` is the answer if that is not enough.
The rest belongs to the searches that go depth first (`engines/parts/proof/depth_first.py`): what is known of each child of
the positions on the way, what came out of the last one, and the table."""

Question = Any


def new_question(target: int, knows: bool, mobility: bool) -> Question:
    """A question that nothing is known of yet."""
    question = new_record(QUESTION)
    question.target = target
    question.above, question.below = 2**62, -(2**62)
    question.knows, question.mobility = int(knows), int(mobility)
    question.salt = U(scrambled(target))
    question.last = 2**62
    return question


@helper
def verdict(game: Rules, knowledge: ProofKnowledge, question: Question, state: State, whose: int) -> int:
    """1 if the answer at a position that has just been come to is yes, -1 if it is no, 0 if that is open: the game is over,
    or the game foresees how it ends. Notes in `over` which of the two it is, 1 for a game that is over and one more for each
    ply that a table of solved positions says it will take; and in `tainted` whether the way to the position may have been
    part of the reason."""
    value = result(game, state)
    question.tainted = question.over = 0
    if value != ONGOING:
        question.tainted = question.remembers if value == 0 else int64(0)
        question.over = 1
        if abs(value) >= WIN_EDGE:
            question.over += WIN - abs(value)
            value = int64(WIN) if value > 0 else int64(-WIN)
        value *= whose
        if value >= question.target:
            question.above = min(question.above, value)
            return int64(1)
        question.below = max(question.below, value)
        return int64(-1)
    if not question.knows:
        return int64(0)
    wants_win = question.target > 0
    found = foreseen(knowledge, state, int64(0) if wants_win == (whose > 0) else int64(-1)) * whose
    if found > 0:
        question.above = min(question.above, question.target)
    elif found < 0:
        question.below = max(question.below, question.target - 1)
    return found


@helper
def in_time(question: Question, answer: int, left: int) -> int:
    """The answer, as `verdict` has just given it, if the game has to be won within so many plies more."""
    if answer == question.late:
        return answer
    if answer == 0 or question.over == 0:  # what a game foresees may come at any time
        return int64(0) if left > 0 else int64(question.late)
    return answer if question.over - 1 <= left else int64(question.late)


@helper
def named(game: Rules, question: Question, state: State, ply: int) -> Any:
    """Under which name a table keeps a position that is so many plies from the root: one for each number of plies that are
    left, where they are counted."""
    name = proof_key(game, state) ^ question.salt
    return mixed(name + U(question.within - ply)) if question.within > 0 else name


@helper
def set_out(game: Rules, question: Question, state: State, ply: int) -> None:
    """Note a position as the one on the way at a ply, where that matters."""
    if question.circles:
        question.way[ply] = proof_key(game, state)
        question.trail[ply + 1] = question.trail[ply] ^ mixed(question.way[ply])


@helper
def gone_round(game: Rules, question: Question, state: State, ply: int) -> int:
    """The answer, as `verdict` gives it, at a position that has just been come to from the one at a ply, if it is on the way
    already: whoever can come back there once can do so for ever. 0 if it is not. Notes in `tainted` through which position
    it goes round: below that one, but on another way, the answer need not hold."""
    name = proof_key(game, state)
    for at in range(ply + 1):
        if question.way[at] == name:
            question.tainted = ROUND + at
            if question.endless >= question.target:
                question.above = min(question.above, question.endless)
                return int64(1)
            question.below = max(question.below, question.endless)
            return int64(-1)
    return int64(0)


@helper
def first_numbers(game: Rules, question: Question, state: State, whose: int) -> tuple[int, int]:
    """The numbers of an open position that nothing else is known of: it counts as one, or, where one side has to refute all
    its moves, as so many for that side."""
    if not question.mobility:
        return int64(1), int64(1)
    count = count_successors(game, state, question.scratch)
    if whose > 0:
        return int64(1), count
    return count, int64(1)


@helper
def bounded(number: int) -> int:
    """A sum of numbers, none of which is infinite, that is not taken for an infinite one."""
    return min(number, int64(LARGEST))


def is_winning(target: int) -> bool:
    """The question is whether the first player wins."""
    return target >= WIN_EDGE

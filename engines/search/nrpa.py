"""NRPA (Rosin, 2011: nested rollout policy adaptation)

**Idea.** Learn how to play while you search. Every move has a weight, wherever it is made; a game is played by choosing
among the legal moves with chances in proportion to the exponentials of their weights. Each time the best game so far is made
a bit more likely. Levels guard against being caught by the first good game: each starts its lower level from its own
policy N times, and learns only from the best that came back.

**In short.**

    nrpa(level, policy):
        if level is 0: play one game by the policy, return its score and moves
        N times:
            nrpa(level - 1, a copy of the policy)
            if its game is as good as the best or better, it is the best now
            adapt the policy to the best game:
                for each of its positions: + alpha for the move that was made,
                - alpha times its chance for every move that was legal there
        return the best game

**Cost.** N to the power of the level games. A policy for each level; what the best game of each level could have played.

**Watch.** alpha is how fast it learns: a large one settles on the first decent game, a small one wastes games. With more
levels it settles later, and better. A policy knows moves, not positions: what a move's *code* says decides what can be
learnt (for SameGame the cells taken away, for Morpion the line). The text adapts in every step of a nested search from move
to move; Rosin's algorithm, and this one, plays whole games from the root and does not walk. The chances are computed without
overflow however large the weights become. An iteration is one game. Without a limit the top level is searched once; with
one, it begins anew with an empty policy until the limit is reached.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engines.algorithm import Algorithm
from engines.compiled.kernel import helper, int64, kernel
from engines.contract import Limit, Parameter
from engines.parts.sampling.best_game import (
    ALL,
    BEST,
    NONE_YET,
    PLAYOUTS,
    PLIES,
    THREADS,
    TOTAL,
    SamplingWorker,
    resumed_workers,
    search_until_done,
)
from engines.parts.sampling.playout import LIKING, coded_moves
from engines.parts.sampling.policy import LEAST, MOST
from engines.rules import MAX_MOVES, ONGOING, Rules, State, advance, own, result, turn
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work, random_fraction

MOST_LEVELS = 6
SLICE = 5_000
"""Games played between two looks at the limit."""
LARGEST = 700.0
"""The exponential of a larger weight is no number any more."""


class Ladder(NamedTuple):
    """All levels. Row 0 is the game that was just played, row `level` the search of that level.

    `weights` and their exponentials, the `odds`: the policies. Those of a level differ from the next one's only where
    `touched` says, the first `touches[level]` places, which are marked in `marked`. `learnt` is what will be added to the
    weights at the places `changed`, the first `changes[0]`.

    `score` and `length`: of the best game of the search under way; `moves`: its moves; `widths`: how many choices it had at
    each of them, `codes`: which, and `made`: the place of the one that was made among them.

    `done`: how often the search of a level has called the level below. `levels`: what was counted at each level. `tried`,
    `reached`: games that began with each move of the root, and the best score. `chances` is scratch; `liking`: how many
    times likelier a move is that the game likes.
    """

    weights: Any
    odds: Any
    touched: Any
    touches: Any
    marked: Any
    learnt: Any
    changed: Any
    changes: Any
    score: Any
    length: Any
    moves: Any
    widths: Any
    codes: Any
    made: Any
    done: Any
    levels: Any
    tried: Any
    reached: Any
    chances: Any
    liking: Any


class NrpaOptions(NamedTuple):
    """`times`: N; `alpha`: how fast to learn; `knowing`: 1 if moves that the game likes are likelier from the beginning."""

    times: int
    alpha: float
    knowing: int


def new_ladder(levels: int, bits: int) -> Ladder:
    """No game yet, and all moves alike."""
    rows, size = levels + 1, 1 << bits
    return Ladder(
        weights=np.zeros((rows, size)),
        odds=np.ones((rows, size)),
        touched=np.zeros((rows, size), np.int32),
        touches=np.zeros(rows, np.int64),
        marked=np.zeros((rows, size), np.uint8),
        learnt=np.zeros(size),
        changed=np.zeros(size, np.int32),
        changes=np.zeros(1, np.int64),
        score=np.full(rows + 1, NONE_YET, np.int64),
        length=np.zeros(rows + 1, np.int64),
        moves=np.zeros((rows + 1, PLIES), np.int64),
        widths=np.zeros((rows + 1, PLIES), np.int64),
        codes=np.zeros((rows + 1, PLIES, MAX_MOVES), np.int32),
        made=np.zeros((rows + 1, PLIES), np.int64),
        done=np.zeros(rows, np.int64),
        levels=np.zeros((rows, 3), np.int64),
        tried=np.zeros(MAX_MOVES, np.int64),
        reached=np.full(MAX_MOVES, NONE_YET, np.int64),
        chances=np.zeros(MAX_MOVES),
        liking=np.exp(np.arange(32.0)),
    )


@kernel
def climb(game: Rules, work: Work, shared: Work, ladder: Ladder, how: NrpaOptions, root: State, count: int) -> bool:
    """That many games, or fewer if the work is stopped or the top level has ended: then True. The levels go on where they
    were; the row behind the top level's is the best game of all."""
    top = ladder.done.shape[0] - 1
    for _ in range(count):
        # Step 1: a game by the policy of the lowest level.
        if shared.budget <= 0:
            work.stopped = 1
        if work.stopped or not game_played(game, work, ladder, how, root):
            return False
        work.iterations += 1
        note(ladder, int64(0))

        # Step 2: the level above takes it if it is no worse, and learns from its best.
        level = int64(1)
        while True:
            if ladder.score[level - 1] >= ladder.score[level]:
                take_over(ladder, level - 1, level)
            ladder.done[level] += 1
            adapt(ladder, level, how.alpha)
            if ladder.done[level] < how.times:
                break

            # Step 3: a level that has called the one below often enough hands its best game up.
            note(ladder, level)
            if level == top:
                if ladder.score[top] > ladder.score[top + 1]:
                    take_over(ladder, top, top + 1)
                return True
            level += 1

        # Step 4: the levels below begin anew, from the policy of this one.
        follow(ladder, level)
        if ladder.score[top] > ladder.score[top + 1]:
            take_over(ladder, top, top + 1)
    return False


@helper
def game_played(game: Rules, work: Work, ladder: Ladder, how: NrpaOptions, root: State) -> bool:
    """Play one game by the policy of level 1; False if the work was stopped before its end."""
    out, state = work.moves[0], own(game, root)
    length = int64(0)
    value = result(game, state)
    while value == ONGOING:
        if work.nodes >= work.budget:
            work.stopped = 1
            return False
        codes = ladder.codes[0, length]
        width = coded_moves(game, state, how.knowing != 0, out, codes)
        total = write_chances(ladder, int64(1), codes, width)
        chosen = drawn(ladder.chances, width, random_fraction(work) * total)
        ladder.moves[0, length], ladder.made[0, length], ladder.widths[0, length] = out[chosen], chosen, width
        state = advance(game, state, out[chosen])
        work.nodes += 1
        length += 1
        value = result(game, state)
    value *= turn(game, state)
    ladder.length[0], ladder.score[0] = length, value
    first = ladder.made[0, 0]
    ladder.tried[first] += 1
    ladder.reached[first] = max(ladder.reached[first], value)
    work.leaves += 1
    work.playouts += 1
    work.playout_moves += length
    work.selective_depth = max(work.selective_depth, length)
    return True


@helper
def drawn(chances: Any, width: int, rest: float) -> int:
    """The index that a part of the sum of the chances falls on."""
    for i in range(width):
        rest -= chances[i]
        if rest < 0.0:
            return int64(i)
    best = int64(0)  # rounding: the rest was as good as nothing
    for i in range(width):
        if chances[i] > chances[best]:
            best = int64(i)
    return best


@helper
def write_chances(ladder: Ladder, level: int, codes: Any, width: int) -> float:
    """Write how likely each choice is by the policy of a level and what the game likes, as parts of the sum returned."""
    odds, chances, mask, total = ladder.odds[level], ladder.chances, int64(ladder.odds.shape[1] - 1), 0.0
    for i in range(width):
        chances[i] = odds[codes[i] & mask] * ladder.liking[codes[i] // LIKING]
        total += chances[i]
    if LEAST < total < MOST:
        return total
    weights, largest, total = ladder.weights[level], -math.inf, 0.0  # less the largest, so that nothing overflows
    for i in range(width):
        largest = max(largest, weights[codes[i] & mask] + codes[i] // LIKING)
    for i in range(width):
        chances[i] = math.exp(weights[codes[i] & mask] + codes[i] // LIKING - largest)
        total += chances[i]
    return total


@helper
def take_over(ladder: Ladder, origin: int, target: int) -> None:
    """The best game of one row becomes that of another."""
    length = ladder.length[origin]
    ladder.score[target], ladder.length[target] = ladder.score[origin], length
    for ply in range(length):
        width = ladder.widths[origin, ply]
        ladder.moves[target, ply], ladder.made[target, ply] = ladder.moves[origin, ply], ladder.made[origin, ply]
        ladder.widths[target, ply] = width
        for i in range(width):
            ladder.codes[target, ply, i] = ladder.codes[origin, ply, i]


@helper
def adapt(ladder: Ladder, level: int, alpha: float) -> None:
    """Make the best game of a level more likely: every step by the policy as it was, then all at once."""
    weights, odds, learnt, mask = ladder.weights[level], ladder.odds[level], ladder.learnt, int64(ladder.odds.shape[1] - 1)
    marked, changes = ladder.marked[level], ladder.changes
    changes[0] = 0
    for ply in range(ladder.length[level]):
        codes, width = ladder.codes[level, ply], ladder.widths[level, ply]
        total = write_chances(ladder, level, codes, width)
        for i in range(width):
            at = codes[i] & mask
            if learnt[at] == 0.0:
                ladder.changed[changes[0]] = at
                changes[0] += 1
            learnt[at] -= alpha * ladder.chances[i] / total
        learnt[codes[ladder.made[level, ply]] & mask] += alpha
    for i in range(changes[0]):
        at = ladder.changed[i]
        if learnt[at] == 0.0:
            continue
        weights[at] += learnt[at]
        odds[at] = math.exp(weights[at]) if weights[at] < LARGEST else math.inf
        learnt[at] = 0.0
        if marked[at] == 0:
            marked[at] = 1
            ladder.touched[level, ladder.touches[level]] = at
            ladder.touches[level] += 1


@helper
def follow(ladder: Ladder, level: int) -> None:
    """The levels below forget their games and take this level's policy, which was just adapted."""
    for lower in range(1, level):
        ladder.score[lower] = NONE_YET
        ladder.done[lower] = 0
        for i in range(ladder.touches[lower]):
            at = ladder.touched[lower, i]
            ladder.weights[lower, at], ladder.odds[lower, at] = ladder.weights[level, at], ladder.odds[level, at]
            ladder.marked[lower, at] = 0
        ladder.touches[lower] = 0
        for i in range(ladder.changes[0]):
            at = ladder.changed[i]
            ladder.weights[lower, at], ladder.odds[lower, at] = ladder.weights[level, at], ladder.odds[level, at]


@helper
def note(ladder: Ladder, level: int) -> None:
    """Count a finished search of a level."""
    rows, score = ladder.levels, ladder.score[level]
    rows[level, BEST] = score if rows[level, ALL] == 0 else max(rows[level, BEST], score)
    rows[level, ALL] += 1
    rows[level, TOTAL] += score


class Climb(SamplingWorker):
    """One search of the top level after another."""

    def __init__(self, run: Run, work: Work) -> None:
        super().__init__(work)
        chosen = run.parameters
        self.rules, self.root = run.position.game.rules_for(run.position), run.position.state
        self.ladder = new_ladder(int(chosen["level"]), run.position.game.code_bits)
        self.levels = self.ladder.levels
        self.how = NrpaOptions(int(chosen["n"]), float(chosen["alpha"]), int(chosen["playouts"] == "knowing"))
        out, codes = np.zeros(MAX_MOVES, np.int64), np.zeros(MAX_MOVES, np.int64)
        width = int(coded_moves(self.rules, self.root, self.how.knowing != 0, out, codes))
        self.firsts = [int(move) for move in out[:width]]

    def begin(self) -> None:
        """An empty policy, and no game but the best of all."""
        ladder = self.ladder
        for rows, empty in ((ladder.weights, 0.0), (ladder.odds, 1.0), (ladder.marked, 0), (ladder.touches, 0)):
            rows[:] = empty
        ladder.done[:] = 0
        ladder.score[:-1] = NONE_YET
        self.ended = False

    def advance(self, shared: Work, count: int) -> None:
        if self.ended and self.again:
            self.begin()
        if not self.ended:
            self.ended = bool(climb(self.rules, self.work, shared, self.ladder, self.how, self.root, count))
        ladder = self.ladder
        level = int(np.argmax(ladder.score[1:])) + 1  # what a lower level has found is known before it is handed up
        line = [int(move) for move in ladder.moves[level, : ladder.length[level]]]
        if ladder.score[level] != NONE_YET:
            self.best.improve(int(ladder.score[level]), line)
        self.best.moves = {
            move: (int(ladder.tried[i]), int(ladder.reached[i])) for i, move in enumerate(self.firsts) if ladder.tried[i]
        }


def search(run: Run) -> SearchResult:
    """Search the top level; where there is a limit, again and again until it is reached."""
    workers = resumed_workers(run, "nrpa", lambda work: Climb(run, work))
    return search_until_done(run, workers, SLICE, again=run.limit != Limit())


ALGORITHM = Algorithm(
    id="nrpa",
    name="NRPA",
    year=2011,
    summary="games by a policy that learns from the best of them, in levels",
    family="records",
    search=search,
    needs=("alone",),
    limits=("iterations", "nodes", "seconds"),
    parameters=(
        Parameter(name="level", default=3, low=1, high=MOST_LEVELS, sentence="How many levels the search has."),
        Parameter(name="n", default=100, low=1, high=100_000, sentence="N: how often each level calls the one below."),
        Parameter(name="alpha", default=1.0, low=0.0, high=100.0, sentence="How fast the policy learns."),
        PLAYOUTS,
        THREADS,
    ),
    judges=False,
    samples=True,
    scores=True,
    records=False,
)

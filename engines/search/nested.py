"""Nested search (Cazenave, 2009: nested Monte Carlo search)

**Idea.** A random game says little. But if every move of a game is chosen by trying each legal move with one random game
behind it, that game is a good one; and if every move is chosen by trying each with such a *good* game behind it, it is
better still. Each level plays a whole game in which the level below is the adviser.

**In short.**

    nested(position, level):
        if level is 0: play random moves to the end, return score and moves
        while the game is not over:
            for each legal move: nested(position after it, level - 1)
            if a game was better than all before: remember its moves
            make the next move of the game that is remembered
        return the score and the moves

**Cost.** With b moves a position and games of n moves a level costs b times n searches of the level below, each on what is
left of the game: half of it on average. Memory only for one game a level.

**Watch.** The memory is what makes it work: without it (`memory` off) a search follows the best of the last step's games,
which may be worse than one that it has seen before and walked away from. The text's code leaves open what `score` is for a
move that was not played to the end; here it is the result of the game that the level below played. The value is the best
score that was found, so a single player can have at least that; it is no proof that there is nothing better. With two
players each side takes what is best for itself by the games that were played, and there is no memory: the other side would
not follow (Cazenave, Saffidine, Schofield and Thielscher, 2016). An iteration is one search of the level below the top.
Without a limit one whole game of the top level is played; with one, a single player tries again until it is reached.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.algorithm import Algorithm
from engines.compiled.kernel import helper, holds_arrays, int64, kernel
from engines.contract import ByGame, Limit, Parameter
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
from engines.parts.sampling.playout import knowing_sample, sample
from engines.rules import (
    INFINITY,
    MAX_MOVES,
    ONGOING,
    Rules,
    State,
    advance,
    delayed,
    evaluate,
    moves,
    own,
    play,
    result,
    turn,
)
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work
from engines.search.uct import PLAYOUT_DEPTH

MOST_LEVELS = 5
BEST_YET = MAX_MOVES
"""Where among the scores that of the line of the top level is, for the side to move."""
LIST = 2
"""The move lists of the levels start behind those that sampling uses."""
LONGEST = PLIES - 20
"""Longer games are judged by the evaluation."""
SLICE, RANDOM_SLICE = 64, 1024
"""How many iterations are made at a time; more where each is but a random game."""


class Nest(NamedTuple):
    """`line`: the game that each level goes by, `length` moves of it; `levels`: what was counted at each level; `scores`: of
    the moves that the top level has just tried."""

    line: Any
    length: Any
    levels: Any
    scores: Any


class NestedOptions(NamedTuple):
    """How to search. `memory`: 1 if the best game is remembered; `knowing`: 1 if games are sampled by what the game knows;
    `plies`: after so many random moves the evaluation judges, 0: never."""

    memory: int
    knowing: int
    plies: int


@kernel
def nested(game: Rules, work: Work, shared: Work, nest: Nest, how: NestedOptions, state: State, level: int, ply: int) -> int:
    """The score for the first player of the game that this level plays from `state`; its moves go into the level's line."""
    line = nest.line[level]

    # Step 1: the lowest level plays random moves.
    if level == 0:
        return sampled(game, work, shared, nest, how, state, ply)

    best, length, step = int64(NONE_YET), int64(0), int64(0)
    value = over(game, work, state, ply)
    while value == ONGOING:
        # Step 2: try each move with a game of the level below behind it.
        legal, sign = work.moves[LIST + level], turn(game, state)
        top, chosen = -int64(INFINITY), int64(0)
        for i in range(moves(game, state, legal)):
            if work.nodes >= work.budget:
                work.stopped = 1
                return int64(0)
            move = legal[i]
            work.nodes += 1
            score = nested(game, work, shared, nest, how, play(game, state, move), level - 1, ply + step + 1)
            if work.stopped:
                return int64(0)
            if how.memory and score > best:
                best = score
                length = remember(nest, level, step, move)
            if sign * score > top:
                top, chosen = sign * score, move

        # Step 3: make the next move of the game that is remembered; without memory, the best of this step.
        if not how.memory:
            line[step] = chosen
        state = play(game, state, line[step])
        step += 1
        value = over(game, work, state, ply + step)
    if step == 0 or not how.memory:
        best, length = delayed(value, ply + step) * turn(game, state), step
    nest.length[level] = length
    count(nest, level, best)
    return best


@helper
def over(game: Rules, work: Work, state: State, ply: int) -> int:
    """What a finished game is worth to the side to move, `ONGOING` if it goes on; one that gets too long is judged."""
    value = result(game, state)
    if value == ONGOING and ply >= LONGEST:
        work.evaluations += 1
        value = evaluate(game, state)
    return value


@helper
def sampled(game: Rules, work: Work, shared: Work, nest: Nest, how: NestedOptions, state: State, ply: int) -> int:
    """The score of one random game for the first player; its moves are the line of level 0."""
    state = own(game, state)
    value, length = over(game, work, state, ply), int64(0)
    if shared.budget <= 0:
        work.stopped = 1
        return int64(0)
    while value == ONGOING:
        if work.nodes >= work.budget:
            work.stopped = 1
            return int64(0)
        move = knowing_sample(game, work, state) if how.knowing else sample(game, work, state)
        nest.line[0, length] = move
        state = advance(game, state, move)
        work.nodes += 1
        length += 1
        value = over(game, work, state, LONGEST if length == how.plies else ply + length)
    work.leaves += 1
    work.playouts += 1
    work.playout_moves += length
    work.selective_depth = max(work.selective_depth, ply + length)
    nest.length[0] = length
    score = delayed(value, ply + length) * turn(game, state)
    count(nest, 0, score)
    return score


@helper
def remember(nest: Nest, level: int, step: int, move: int) -> int:
    """Behind what this level has played the line goes on with a move and the game below it. Returns how long it is now."""
    nest.line[level, step] = move
    for i in range(nest.length[level - 1]):
        nest.line[level, step + 1 + i] = nest.line[level - 1, i]
    return step + 1 + nest.length[level - 1]


@helper
def count(nest: Nest, level: int, score: int) -> None:
    """Count a finished search of a level."""
    rows = nest.levels
    rows[level, BEST] = score if rows[level, ALL] == 0 else max(rows[level, BEST], score)
    rows[level, ALL] += 1
    rows[level, TOTAL] += score


@kernel
def try_moves(
    game: Rules,
    work: Work,
    shared: Work,
    nest: Nest,
    how: NestedOptions,
    state: State,
    level: int,
    step: int,
    begin: int,
    end: int,
) -> int:
    """Try the moves of the top level from number `begin` to before `end`; its line keeps the best game of all steps, or
    without memory of this step. Returns how many were tried."""
    legal, sign = work.moves[LIST + level], turn(game, state)
    if begin == 0 and not how.memory:
        nest.scores[BEST_YET] = NONE_YET
    result(game, state)  # a game that notes where it has been notes this too
    moves(game, state, legal)
    for i in range(begin, end):
        if work.nodes >= work.budget:
            work.stopped = 1
            return int64(i - begin)
        move = legal[i]
        work.nodes += 1
        score = nested(game, work, shared, nest, how, play(game, state, move), level - 1, step + 1)
        if work.stopped:
            return int64(i - begin)
        nest.scores[i] = score
        work.iterations += 1
        if sign * score > nest.scores[BEST_YET]:
            nest.scores[BEST_YET] = sign * score
            nest.length[level] = remember(nest, level, step, move)
    return int64(end - begin)


@kernel
def after(game: Rules, state: State, move: int) -> State:
    """The position behind a move. Where states are arrays, a move is too much work for plain Python."""
    return play(game, state, move)


class Descent(SamplingWorker):
    """The game of the top level, move by move."""

    def __init__(self, run: Run, work: Work) -> None:
        super().__init__(work)
        chosen = run.parameters
        self.level, self.position = int(chosen["level"]), run.position
        self.alone = run.position.lacks("alone") is None
        self.how = NestedOptions(
            memory=int(bool(chosen["memory"]) and self.alone),
            knowing=int(chosen["playouts"] == "knowing"),
            plies=int(chosen["playout_depth"]),
        )
        self.rules = run.position.game.rules_for(run.position)
        self.levels = np.zeros((self.level + 1, 3), np.int64)
        self.nest = Nest(
            np.zeros((self.level + 1, PLIES), np.int64),
            np.zeros(self.level + 1, np.int64),
            self.levels,
            np.full(MAX_MOVES + 1, NONE_YET, np.int64),
        )
        self.begin()

    def begin(self) -> None:
        """Play another game."""
        self.ended = False
        self.state, self.made = self.position.state, list[int]()
        self.nest.scores[BEST_YET] = NONE_YET
        self._list()

    def _list(self) -> None:
        self.tried = 0
        self.legal = [] if len(self.made) >= LONGEST else self.position.game.legal_moves(self.state)
        self.sign = int(turn(self.rules, self.state))

    def advance(self, shared: Work, count: int) -> None:
        while count > 0 and not self.work.stopped:
            if self.ended and not self.again:
                return
            if self.ended:
                self.begin()
            step, begin, end = len(self.made), self.tried, min(len(self.legal), self.tried + count)
            self.tried += try_moves(
                self.rules, self.work, shared, self.nest, self.how, self.state, self.level, step, begin, end
            )
            count -= self.tried - begin
            if self.tried > begin:
                self._look(begin)
            if self.tried == len(self.legal):
                self._make_move()

    def _look(self, begin: int) -> None:
        """Update the best game after more moves were tried."""
        if not self.made:
            for number in range(begin, self.tried):
                self.best.note(self.legal[number], int(self.nest.scores[number]), self.sign)
        if self.how.memory:
            if (score := int(self.nest.scores[BEST_YET])) > self.best.score:
                self.best.improve(score, self._remembered())
        elif not self.levels[self.level, ALL]:  # no game has been played to its end: this one leads where it leads
            self.best.score, self.best.line = self.sign * int(self.nest.scores[BEST_YET]), self._remembered()

    def _remembered(self) -> list[int]:
        return [int(move) for move in self.nest.line[self.level, : self.nest.length[self.level]]]

    def _make_move(self) -> None:
        """The next move of the game that is remembered, or the best of those just tried. Behind the last one it ends."""
        memory, best = self.how.memory, int(self.nest.line[self.level, len(self.made)])
        self.made.append(best)
        self.state = (after if holds_arrays(self.rules) else play)(self.rules, self.state, best)
        self._list()
        if self.legal:
            return
        value = over(self.rules, self.work, self.state, len(self.made)) * self.sign
        score = int(self.nest.scores[BEST_YET]) if memory else int(delayed(value, len(self.made)))
        if not memory:
            if not self.levels[self.level, ALL]:
                self.best.score = NONE_YET
            self.best.improve(score, self.made)
        count(self.nest, self.level, score)
        self.ended = True


def search(run: Run) -> SearchResult:
    """Play a game of the top level; where there is a limit, a single player plays more of them until it is reached."""
    workers = resumed_workers(run, "nested", lambda work: Descent(run, work))
    if run.rehearsal and holds_arrays(run.rules):  # loading this takes longer than a person waits for a stop
        after(run.rules, run.position.state, run.position.game.legal_moves(run.position.state)[0])
    again = run.limit != Limit() and run.position.lacks("alone") is None
    return search_until_done(run, workers, SLICE if int(run.parameters["level"]) > 1 else RANDOM_SLICE, again)


ALGORITHM = Algorithm(
    id="nested",
    name="Nested search",
    year=2009,
    summary="every level plays a game and asks the level below about each move",
    family="records",
    needs=("sides", "no chance"),
    search=search,
    usual_iterations=200,
    limits=("iterations", "nodes", "seconds"),
    parameters=(
        ByGame(
            name="level",
            default=2,
            low=1,
            high=MOST_LEVELS,
            sentence="How many levels the search has.",
        ),
        Parameter(name="memory", default=True, sentence="Follow the best game found so far; for games of one player."),
        PLAYOUTS,
        PLAYOUT_DEPTH,
        THREADS,
    ),
    judges=False,
    samples=True,
    scores=True,
    records=False,
)

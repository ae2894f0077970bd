"""Random (the baseline)

**Idea.** Both sides play any legal move, each with the same chance, until the game is over or the depth is used up. The
first move of that one game is the answer, its end is the value.

**In short.**

    value(position, depth):
        if the game is over: return its result
        if depth is 0: return the evaluation
        return value(after a random move, depth - 1)

**Cost.** One game.

**Watch.** The value is a single sample and proves nothing. An algorithm that does not beat this one is not searching. The
same seed gives the same game. Averages over many such games are what Monte Carlo methods are made of.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.compiled.kernel import int64, kernel
from engines.contract import MAX_DEPTH
from engines.parts.sampling.playout import drawn
from engines.rules import INFINITY, ONGOING, Rules, State, delayed, evaluate, moves, play, result, turn
from engines.rules_chance import by_chance, side
from engines.run.result import DepthResult, SearchResult
from engines.run.run import Run
from engines.run.work import END, Work, entered, keep_line, line, random_below, shuffled
from engines.tape.tape import EXPANDED, HORIZON, NOBODY, TERMINAL, AnyTape, enter, leave


@kernel
def random_game(game: Rules, tape: AnyTape, work: Work, state: State, depth: int, ply: int, node: int) -> int:
    """What one random game from `state`, at most `depth` plies long, ends with for the first player."""
    if not entered(work, ply):
        return int64(0)
    whose = turn(game, state)
    value = result(game, state)
    if value != ONGOING:
        value = whose * delayed(value, ply)
        work.leaves += 1
        leave(tape, node, TERMINAL, value, NOBODY)
        return value
    if depth == 0:
        value = whose * evaluate(game, state)
        work.leaves += 1
        work.evaluations += 1
        leave(tape, node, HORIZON, value, NOBODY)
        return value
    count = moves(game, state, work.moves[ply])
    move = work.moves[ply, random_below(work, count)]
    if by_chance(game, state):
        work.random = shuffled(work.random)
        move = drawn(game, work, state, work.random)
    after = play(game, state, move)
    child = enter(tape, node, move, side(game, after), depth - 1, -INFINITY, INFINITY)
    value = random_game(game, tape, work, after, depth - 1, ply + 1, child)
    if work.stopped:
        return int64(0)
    keep_line(work, ply, move)
    leave(tape, node, EXPANDED, value, child)
    return value


def search(run: Run) -> SearchResult:
    """Play one random game."""
    depth = MAX_DEPTH if run.limit.depth is None else run.limit.depth
    position, work = run.position, run.work
    node = enter(run.tape, NOBODY, END, side(run.rules, position.state), depth, -INFINITY, INFINITY)
    value = int(random_game(run.rules, run.tape, work, position.state, depth, 0, node))
    if work.stopped:
        return SearchResult(best=DepthResult(depth=0), depths=[], stopped_by="request")
    game = DepthResult(depth=depth, value=position.turn * value, line=line(work), nodes=int(work.nodes), leaves=1)
    game.depth = len(game.line)
    return SearchResult(best=game, depths=[game], stopped_by="depth")


ALGORITHM = Algorithm(
    id="random",
    name="Random",
    year=None,
    summary="one random game to the end, the baseline for all others",
    steps={
        "entered": "value(position, depth):",
        "terminal": "if the game is over",
        "horizon": "if depth is 0",
        "returned": "return value(after a random move",
        "left": "return value(after a random move",
    },
    search=search,
    judges=False,
    view="first",
)

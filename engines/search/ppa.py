"""PPA, playout policy adaptation (Cazenave, 2015)

**Idea.** The random games of `uct` are played by nobody in particular. Let them be played by somebody who learns: after
every game, the moves of the side that won become likelier, in all games to come and wherever they are legal.

**In short.** Every kind of move has a weight, 0 at first (what counts as the same move is up to the game: in Breakthrough
from where to where). What is not said here is `uct`.

    select, expand: as UCT does
    sample: take each move with a chance in proportion to exp(weight)
        for each move m that the winner made, where the moves M were legal
            for each move n of M
                weight of n  loses  alpha * chance of n
            weight of m  gains  alpha
    back up: as UCT does

All chances are those by which the game was played.

**Cost.** A playout takes several times as long, since all legal moves are listed and weighed.

**Watch.** What is learnt is one weight for a move in all positions, so it helps most where a move is good or bad nearly
everywhere. Misère Breakthrough is the extreme: steps towards the last row lose, and the policy soon knows it. `alpha` is 1
in the course's text and 0.32 in the paper: with 1 the games soon repeat themselves, and less is explored. The pseudo-code
of the text takes the chances from the weights while they change; here, as in the paper, they are those from before. A game
is learnt from the new node on, as in the text. `simple` is the text's other way: a winner's move counts 2, 4 or 1 more,
chances are in proportion to the counts, and nothing is ever punished. (There a move that is new counts 1 only after its
first win; here from the start, else it would never be chosen.) Each search learns from nothing, and a draw teaches nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.algorithm import TABLES, Algorithm
from engines.compiled.kernel import helper, int64
from engines.contract import Parameter
from engines.parts.sampling.driver import resumed_threads, sample_until_done
from engines.parts.sampling.iteration import Growth
from engines.parts.sampling.playout import chance, play_out
from engines.parts.sampling.policy import Policy, choose, lean, new_policy, reinforce, settle
from engines.parts.sampling.threads import SamplingThreads
from engines.rules import ONGOING, Rules, State, evaluate, moves, play, result, reward, turn
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work
from engines.search.uct import FINAL, MEMORY, PARAMETERS, PLAYOUT_DEPTH

LONGEST = 4096
"""Of a longer game only so many moves are remembered and learnt from."""

SHARED = tuple(parameter for parameter in PARAMETERS if parameter.name in ("k", "proofs"))


class Learner(NamedTuple):
    """Who plays by a policy and learns from every game. `alpha`: how much; `simple`: 1 for the text's simple adaptation;
    `plies`: after so many moves the evaluation judges, 0: never; `scale`: the evaluation's value that is as good as a chance
    of three in four; `made`: the moves of the game, `length[0]` of them."""

    policy: Policy
    alpha: float
    simple: int
    plies: int
    scale: float
    made: Any
    length: Any


@play_out.register(Learner)
@helper
def play_and_learn(player: Learner, game: Rules, work: Work, state: State) -> float:
    """A game by the policy, from which the policy learns."""
    start, value, length = state, int64(ONGOING), int64(0)
    while value == ONGOING:
        if work.nodes >= work.budget:
            work.stopped = 1
            return 0.0
        if length == player.plies and length > 0:
            work.evaluations += 1
            work.leaves += 1
            return chance(evaluate(game, state) * turn(game, state), player.scale)
        legal = work.moves[0]
        count = moves(game, state, legal)
        move = legal[choose(player.policy, game, work, state, legal, count)]
        if length < LONGEST:
            player.made[length] = move
        state = play(game, state, move)
        work.nodes += 1
        length += 1
        value = result(game, state)
    work.leaves += 1
    player.length[0] = min(length, LONGEST)
    value *= turn(game, state)
    learn(player, game, work, start, 1 if value > 0 else -1 if value < 0 else 0)
    return reward(game, value)


@helper
def learn(player: Learner, game: Rules, work: Work, state: State, winner: int) -> None:
    """Go through the game once more, from where it began, and make what the winner did likelier."""
    if winner == 0:
        return
    legal = work.moves[0]
    for ply in range(player.length[0]):
        move = player.made[ply]
        if turn(game, state) == winner:
            if player.simple:
                reinforce(player.policy, game, state, move)
            else:
                lean(player.policy, game, state, legal, moves(game, state, legal), move, player.alpha)
        state = play(game, state, move)
    settle(player.policy)


def new_learner(run: Run) -> Learner:
    """Somebody who knows nothing yet."""
    chosen, game = run.parameters, run.position.game
    return Learner(
        policy=new_policy(game.code_bits),
        alpha=float(chosen["alpha"]),
        simple=int(chosen["adaptation"] == "simple"),
        plies=int(chosen["playout_depth"]),
        scale=float(4 * game.margin),
        made=np.zeros(LONGEST, np.int64),
        length=np.zeros(1, np.int64),
    )


def search(run: Run) -> SearchResult:
    """Grow the tree to the limit."""
    proofs = bool(run.parameters["proofs"]) and run.position.game.has_winner
    how = Growth(k=float(run.parameters["k"]), proofs=int(proofs), batch=1, widening=0.0)
    team, player = resumed_threads(run, "ppa", lambda: SamplingThreads(run, how), lambda: new_learner(run))
    return sample_until_done(run, team, lambda count: team.advance(run, player, count))


ALGORITHM = Algorithm(
    id="ppa",
    name="PPA",
    year=2015,
    summary="UCT whose random games are played by a policy that learns from every one of them",
    family="sampling",
    search=search,
    watchable=True,
    needs=("opponent",),
    limits=("iterations", "nodes", "seconds"),
    parameters=(
        Parameter(
            name="alpha",
            default=1.0,
            low=0.0,
            high=100.0,
            sentence="How much is learnt from a game: 1 in the course's text, 0.32 in the paper.",
        ),
        Parameter(
            name="adaptation",
            default="gradient",
            choices=("gradient", "simple"),
            sentence="Make other moves less likely too, or just count the winner's moves.",
        ),
        *SHARED,
        FINAL,
        PLAYOUT_DEPTH,
        MEMORY,
        TABLES,
    ),
    steps={
        "selected": "select, expand",
        "expanded": "select, expand",
        "sampled": "sample: take",
        "learned": "weight of m  gains",
        "updated": "back up: as",
    },
    samples=True,
    view="first",
)

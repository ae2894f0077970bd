"""UCT (Kocsis and Szepesvári, 2006)

**Idea.** Grow a tree by sampling. Each iteration walks down the tree, taking at every node the move that is best *or* about
which too little is known; adds the position behind a move that was never tried, unless the walk ends in a game that is over;
plays random moves from there to the end; and tells every node on the way how it ended. Moves that do well are visited more,
so that the means come closer to the minimax value.

**In short.** Four phases, again and again:

    select   while all moves of a node have been tried, go to the child with
             the largest  mean + K * sqrt(ln(visits of node) / visits of child)
    expand   try a move that has not been tried
    sample   play random moves to the end of the game
    back up  every node on the way: one visit more, and the result to its sum

The mean is the share of games won, for the side that moves at the node: draws count one half. The second term is the
exploration: it grows slowly while other moves are visited, and shrinks with each visit of its own.

**Cost.** One game for each iteration, or as many as `batch` says; at most one new position for each, none where the walk
ends in a game that is over. The tree has a place for each move of its positions, tried or not, until the memory is full.

**Watch.** A small K trusts the means early, a large one spreads the visits over all moves. A narrow trap, one refutation
among many harmless replies, is seen late: the mean is over all replies until the visits find the right one. With `proofs` a
game that is over counts for certain: a won move settles its node, and a node with all moves settled is settled too, up to
the root (MCTS-Solver, Winands, Björnsson and Saito, 2008). The value is a mean of results, not an evaluation: +1 is a win of
the first player, -1 of the second. `95 % between` and `±` are Wilson's interval (Student's where games pay scores), which is
wide for few games even where all ended alike; it holds if the samples were independent, which they are not quite.

**Switches.** With `transpositions` a position that is reached in several ways is stored once: the mean is the position's,
exploration is about the way (UCT2; Childs, Brodeur and Kocsis, 2008). Several `threads` sample in one of three ways. `root`:
a tree each, and only the sums of the root's moves are put together (Cazenave and Jouandeau, 2007). `leaf`: one tree, and at
each new node all play a game; they wait for each other, so that it pays only where games are long. `tree`: one tree for all
(Chaslot, Winands and Van den Herik, 2008); a game that is not over yet counts as lost, or all would take the same way. Which
thread comes first is chance there, so that no two runs are quite the same; those of `root` and `leaf` are, at the same
number of iterations.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.algorithm import TABLES, Algorithm
from engines.contract import ByGame, Parameter, Setting
from engines.parts.sampling.driver import resumed_threads, sample_until_done, uniform_player
from engines.parts.sampling.iteration import Growth
from engines.parts.sampling.threads import PARALLEL, SamplingThreads
from engines.rules import key
from engines.run.result import SearchResult
from engines.run.run import Run

PLAYOUT_DEPTH = ByGame(
    name="playout_depth",
    default=0,
    low=0,
    high=1000,
    sentence="After how many random moves a game is evaluated; 0: it is played to its end.",
)
FINAL = Parameter(
    name="final", default="visits", choices=("visits", "value"), sentence="Play the move with most visits, or the best mean."
)
MEMORY = Parameter(
    name="memory",
    default=256,
    low=1,
    high=65_536,
    sentence="The memory for the tree, in megabytes; when it is full, the search only samples.",
)
PARAMETERS = (
    Parameter(name="k", default=0.4, low=0.0, high=100.0, sentence="The weight of exploration, K in the formula."),
    Parameter(name="proofs", default=False, sentence="Back up proven results: a win found in the tree is a win."),
    FINAL,
    Parameter(name="batch", default=1, low=1, high=10_000, sentence="How many random games are played from each new node."),
    Parameter(
        name="widening",
        default=0.0,
        low=0.0,
        high=100.0,
        sentence="A node with n visits tries at most this many times the root of n moves; 0: all of them.",
    ),
    Parameter(
        name="transpositions",
        default=False,
        sentence="Share what is known of a position among all ways to it (UCT2; not in circles, nor in chess with proofs).",
    ),
    Parameter(name="threads", default=1, low=1, high=64, sentence="How many threads sample."),
    Parameter(
        name="parallel",
        default="tree",
        choices=PARALLEL,
        sentence="Several threads: each grows its own tree (root), all play from one node (leaf), or all grow one tree.",
    ),
    PLAYOUT_DEPTH,
    MEMORY,
    TABLES,
)


def growth(run: Run) -> Growth:
    """How the parameters say that the tree shall grow. Proofs need games that are won, lost or drawn."""
    chosen = run.parameters
    proofs = bool(chosen["proofs"]) and run.position.game.has_winner
    return Growth(float(chosen["k"]), int(proofs), int(chosen["batch"]), float(chosen["widening"]))


def search(run: Run) -> SearchResult:
    """Grow the tree to the limit."""
    how, game = growth(run), run.position.game
    has_keys = key.implementation(type(run.rules)) is not key.fallback  # a game without cannot tell its positions apart
    merges = bool(run.parameters["transpositions"]) and has_keys and not (how.proofs and game.remembers)
    merges = merges and run.position.lacks("ends") is None  # in a circle a position would be below itself
    team, player = resumed_threads(run, "uct", lambda: SamplingThreads(run, how, merges), lambda: uniform_player(run))
    return sample_until_done(run, team, lambda count: team.advance(run, player, count))


def variant(parameters: Mapping[str, Setting]) -> str:
    """Trees that are shared or know transpositions have code of their own."""
    linked = parameters["transpositions"] or (int(parameters["threads"]) > 1 and parameters["parallel"] != "root")
    return "linked" if linked else ""


ALGORITHM = Algorithm(
    id="uct",
    name="UCT",
    year=2006,
    summary="a tree grown by sampling: upper confidence bounds choose where to look next",
    family="sampling",
    needs=("sides",),
    search=search,
    watchable=True,
    limits=("iterations", "nodes", "seconds"),
    parameters=PARAMETERS,
    steps={
        "selected": "the largest  mean",
        "expanded": "expand   try",
        "sampled": "sample   play",
        "updated": "back up  every",
    },
    samples=True,
    view="first",
    variant=variant,
    variants=({"threads": 2, "parallel": "leaf"}, {"transpositions": True}),
)

"""Monte Carlo (Abramson, 1987)

**Idea.** Play random games behind each move, as many for one as for the other, and take the move with the best mean.

**In short.**

    repeat: for each move in turn
        play it, then random moves to the end of the game
        add the result to the move's sum
    return the move with the largest mean

**Cost.** One game for each iteration; memory for the sums of the root's moves, and for nothing below them.

**Watch.** The reply is random too, so a move that loses to one good answer among many bad ones looks fine. Much of the work
goes into moves that are already known to be bad: `uct` mends both. The standard error of a mean shrinks with the square root
of the games: four times as many halve it. Moves whose intervals overlap cannot be told apart yet.
"""

from __future__ import annotations

from engines.algorithm import TABLES, Algorithm
from engines.compiled.kernel import int64, kernel
from engines.parts.sampling.driver import resumed_threads, sample_until_done, uniform_player
from engines.parts.sampling.iteration import Growth, arrived, drawn_child, moves_listed, plant, whose_move
from engines.parts.sampling.playout import AnyPlayer, play_out
from engines.parts.sampling.threads import SamplingThreads
from engines.parts.sampling.tree import NEW_AT, ROOT, SampleTree
from engines.rules import ONGOING, Rules, State, play, result, reward, turn
from engines.rules_chance import by_chance
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work
from engines.search.uct import MEMORY, PLAYOUT_DEPTH


@kernel
def sample_moves(game: Rules, player: AnyPlayer, tree: SampleTree, work: Work, root: State, how: Growth, count: int) -> None:
    """That many games, the moves of the root in turn."""
    nodes = tree.nodes
    if nodes[ROOT].count == 0:
        result(game, root)  # a game that notes where it has been notes this too
        moves_listed(tree, game, work, root, ROOT, how)
    for _ in range(count):
        child = int64(nodes[ROOT].first) + work.iterations % int64(nodes[ROOT].count)
        if by_chance(game, root):  # what nature does is not tried in turn, but as often as it happens
            child = drawn_child(tree, game, work, root, ROOT)
        state = play(game, root, nodes[child].move)
        if not arrived(work, 1):
            return
        value = result(game, state)
        if value == ONGOING:
            start = work.nodes
            worth = play_out(player, game, work, state)
            if work.stopped:
                return
            work.playouts += 1
            work.playout_moves += work.nodes - start
        else:
            work.leaves += 1
            worth = reward(game, value * turn(game, state))
        nodes[child].turn = whose_move(game, state) if value == ONGOING else turn(game, state)
        if nodes[child].visits == 0 and not by_chance(game, root):
            nodes[ROOT].tried += 1
        tree.path[NEW_AT] += nodes[ROOT].visits == 0
        tree.path[NEW_AT + 1] += nodes[child].visits == 0
        work.visited_nodes += int64(nodes[ROOT].visits == 0) + int64(nodes[child].visits == 0)
        for at in (int64(ROOT), child):
            nodes[at].visits += 1
            nodes[at].total += worth
            nodes[at].squares += worth * worth
        work.iterations += 1


def search(run: Run) -> SearchResult:
    """Sample to the limit."""
    how = Growth(k=0.0, proofs=0, batch=1, widening=0.0)
    team, player = resumed_threads(run, "monte-carlo", lambda: SamplingThreads(run, how), lambda: uniform_player(run))
    plant(run.rules, team.tree, run.work, run.position.state)

    def advance(count: int) -> None:
        sample_moves(run.rules, player, team.tree, run.work, run.position.state, how, count)

    return sample_until_done(run, team, advance, foresees=False)


ALGORITHM = Algorithm(
    id="monte-carlo",
    name="Monte Carlo",
    year=1987,
    summary="random games after each move; the best mean wins",
    family="sampling",
    needs=("sides",),
    search=search,
    limits=("iterations", "nodes", "seconds"),
    parameters=(PLAYOUT_DEPTH, MEMORY, TABLES),
    steps={
        "selected": "for each move in turn",
        "expanded": "for each move in turn",
        "sampled": "play it, then",
        "updated": "add the result",
    },
    samples=True,
    view="first",
)

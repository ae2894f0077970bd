"""Monte Carlo (Abramson, 1987)

**Idea.** Play random games behind each move, as many for one as for the other, and take the move with the best mean.

**In short.**

    repeat: for each move in turn
        play it, then random moves to the end of the game
        add the result to the move's sum
    return the move with the largest mean

**Cost.** One game for each iteration, and next to no memory.

**Watch.** The reply is random too, so a move that loses to one good answer among many bad ones looks fine. Much of the work
goes into moves that are already known to be bad: `uct` mends both. The standard error of a mean shrinks with the root of the
games: four times as many halve it. Two moves whose intervals overlap are not told apart yet.
"""

from __future__ import annotations

from engines.algorithm import Algorithm, Found, Run
from engines.kernel import int64, kernel
from engines.parts.iterations import kept_tree, sample_until_done, uniform_player
from engines.parts.playout import AnyPlayer, play_out, reward
from engines.parts.sampling import ROOT, SampleTree, arrived, expanded
from engines.parts.work import Work
from engines.rules import ONGOING, Rules, State, play, result, turn
from engines.search.uct import MEMORY, PLAYOUT_DEPTH


@kernel
def sample_moves(game: Rules, player: AnyPlayer, tree: SampleTree, work: Work, root: State, count: int) -> None:
    """So many games, the moves of the root in turn."""
    nodes = tree.nodes
    if tree.size[0] == 0:
        tree.size[0] = 1
        nodes[ROOT].turn = turn(game, root)
        result(game, root)  # a game that notes where it has been notes this too
        expanded(game, tree, work, root, ROOT)
    for _ in range(count):
        child = int64(nodes[ROOT].first) + work.iterations % int64(nodes[ROOT].count)
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
        nodes[child].turn = turn(game, state)
        if nodes[child].visits == 0:
            nodes[ROOT].tried += 1
        for at in (int64(ROOT), child):
            nodes[at].visits += 1
            nodes[at].total += worth
            nodes[at].squares += worth * worth
        work.iterations += 1


def search(run: Run) -> Found:
    """Sample to the limit."""
    tree, player = kept_tree(run, "monte-carlo"), uniform_player(run)

    def advance(count: int) -> None:
        sample_moves(run.rules, player, tree, run.work, run.position.state, count)

    return sample_until_done(run, tree, advance)


ALGORITHM = Algorithm(
    id="monte-carlo",
    name="Monte Carlo",
    year=1987,
    summary="random games behind each move, and the best mean",
    search=search,
    limits=("iterations", "nodes", "seconds"),
    parameters=(PLAYOUT_DEPTH, MEMORY),
    samples=True,
    view="first",
)

"""What is different in a tree that threads share, or that knows transpositions: the same iteration, other steps.

**Shared** (`Growth.shared`): a visit is counted on the way down, and as a loss, so that the next thread looks elsewhere
(virtual loss); when the game is over the loss becomes the result. Sums are added to in one step that no other thread can
come between. A lock for each node is held only while its moves are listed, or while one of them is tried for the first
time. So nothing is lost and nothing is counted twice, but which thread comes first is chance.

**Transpositions**: two ways to the same position have one home. The means are the home's, the doubt is about the way: UCT2
of Childs, Brodeur and Kocsis (2008). Where the table has no room, a way is its own home: less is shared, nothing is wrong.

**Together**: helpers play games from wherever the first thread's path has come to.
"""

from __future__ import annotations

from engines.kernel import helper, int64, kernel
from engines.parts.bits import U
from engines.parts.playout import AnyPlayer
from engines.parts.sample_tree import APART, PLY, ROOT, LinkedTree, games_by, home_of, merges
from engines.parts.sampling import (
    Growth,
    add_games,
    any_untried,
    best_or_new,
    chosen,
    counted_in,
    expanded,
    found_home,
    free_again,
    give_back,
    lost,
    moves_listed,
    one_by_one,
    sampled,
    taken,
)
from engines.parts.tape import NOBODY
from engines.parts.together import (
    add_number,
    add_squares,
    add_total,
    add_visits,
    add_ways,
    breathe,
    in_order,
    locked,
    release,
    seen_number,
    show_number,
)
from engines.parts.work import Work
from engines.rules import Rules, State, key, moves, play, result

PROBES = 8
"""So many places of the table are looked at for a position."""
JOB, OVER = 0, -1
"""Where the number of the job that is done now stands, and what stands there when there will be no more."""


# Shared.


@chosen.register(LinkedTree)
@helper
def best_or_new_in_turn(tree: LinkedTree, work: Work, node: int, how: Growth) -> int:
    """As in a tree of one's own; but wait if another thread is about to try the only one left."""
    while True:
        child = best_or_new(tree, work, node, how)
        if child != NOBODY:
            return child
        breathe()


@free_again.register(LinkedTree)
def left_by_another(tree: LinkedTree, child: int) -> bool:
    """If so it is locked now, as one that is tried for the first time."""
    if not locked(tree.links, child):
        return False
    if games_by(tree, child) == 0:
        return True
    release(tree.links, child)
    return False


@taken.register(LinkedTree)
@helper
def untried_in_turn(tree: LinkedTree, work: Work, node: int, tried: int, how: Growth) -> int:
    """One thread at a time; the child is locked until its first visit is counted."""
    if not how.shared:
        return any_untried(tree, work, node, tried, how)
    child = int64(NOBODY)
    if locked(tree.links, node):
        if tree.nodes[node].tried == tried and locked(tree.links, int64(tree.nodes[node].first) + tried):
            child = any_untried(tree, work, node, tried, how)
        release(tree.links, node)
    return child


@expanded.register(LinkedTree)
@helper
def moves_listed_once(tree: LinkedTree, game: Rules, work: Work, state: State, node: int, how: Growth) -> bool:
    """By the thread that comes first; the number of moves is written last, so that who sees it sees the moves too."""
    if not how.shared:
        return moves_listed(tree, game, work, state, node, how)
    nodes, scratch = tree.nodes, work.moves[1]
    while not locked(tree.links, node):
        breathe()
    fits = True
    if nodes[node].count == 0:
        count = moves(game, state, scratch)
        first = add_number(tree.size, 0, count)
        fits = first + count <= nodes.shape[0]
        if fits:
            for i in range(count):
                nodes[first + i].move = scratch[i]
            nodes[node].first = first
            in_order()
            nodes[node].count = count
            work.tree_nodes += count
        else:
            add_number(tree.size, 0, -count)
    release(tree.links, node)
    return fits


@counted_in.register(LinkedTree)
@helper
def counted_as_lost(tree: LinkedTree, way: int, node: int, loss: float, how: Growth) -> bool:
    """Counted now if the tree is shared, and as a loss until it is over."""
    if not how.shared:
        return tree.nodes[node].visits == 0
    if loss > 0.0:
        add_total(tree.nodes, node, how.batch * loss)
    is_new = add_visits(tree.nodes, node, how.batch) == 0
    if way != ROOT and (add_ways(tree.links, way, how.batch) == 0 if merges(tree) else is_new):
        release(tree.links, way)
    return is_new


@add_games.register(LinkedTree)
@helper
def loss_made_good(tree: LinkedTree, way: int, node: int, total: float, squares: float, loss: float, how: Growth) -> None:
    """The result takes the place of the loss that was counted."""
    nodes = tree.nodes
    if how.shared:
        if total != how.batch * loss:
            add_total(nodes, node, total - how.batch * loss)
        if squares != 0.0:
            add_squares(nodes, node, squares)
        return
    nodes[node].visits += how.batch
    nodes[node].total += total
    nodes[node].squares += squares
    if way != ROOT:
        tree.links[way].ways += how.batch


@give_back.register(LinkedTree)
@helper
def uncounted(tree: LinkedTree, ply: int, how: Growth) -> None:
    """What was counted on the way down is taken away again."""
    nodes, path = tree.nodes, tree.path
    if not how.shared:
        if ply > 0 and games_by(tree, path[ply]) == 0:
            nodes[home_of(tree, path[ply - 1])].tried -= 1
            lose_home(tree, path[ply])
        return
    for back in range(ply, -1, -1):
        at = home_of(tree, path[back])
        if back > 0:
            add_total(nodes, at, -how.batch * lost(nodes, home_of(tree, path[back - 1])))
            add_ways(tree.links, path[back], -how.batch if merges(tree) else 0)
        add_visits(nodes, at, -how.batch)


# Transpositions.


@found_home.register(LinkedTree)
@helper
def home_by_key(tree: LinkedTree, game: Rules, state: State, node: int) -> int:
    """Looked for in the table when a way is gone for the first time; else that is its home from now on."""
    if not merges(tree):
        return node
    if tree.links[node].home == 0:
        position, home = key(game, state), node
        last = int64(tree.table.shape[0] - 1)
        place = int64(position & U(last))
        for _ in range(PROBES):
            there = int64(tree.table[place]) - 1
            if there < 0:
                tree.keys[node] = position
                in_order()
                tree.table[place] = node + 1
                break
            if tree.keys[there] == position:
                home = there
                break
            place = (place + 1) & last
        in_order()
        tree.links[node].home = home + 1
    return int64(tree.links[node].home) - 1


@helper
def lose_home(tree: LinkedTree, node: int) -> None:
    """A node that was not visited after all is nobody's home."""
    if merges(tree):
        last = int64(tree.table.shape[0] - 1)
        place = int64(tree.keys[node] & U(last))
        for _ in range(PROBES):
            if tree.table[place] == node + 1:
                tree.table[place] = 0
            place = (place + 1) & last
        tree.links[node].home = 0


# Together.


@sampled.register(LinkedTree)
@helper
def all_together(
    tree: LinkedTree, player: AnyPlayer, game: Rules, work: Work, state: State, count: int
) -> tuple[float, float]:
    """Everybody plays the same number of games from here; alone, one plays them all. `tree.notes` has the number of the job
    in front, and for each helper the last one that it has done, and 1 behind that if it was stopped; `tree.sums`: what its
    games came to, and their squares."""
    helpers = tree.sums.shape[0]
    job = seen_number(tree.notes, JOB) + 1
    if helpers:
        show_number(tree.notes, JOB, job)
    total, squares = one_by_one(tree, player, game, work, state, count // (helpers + 1))
    for one in range(helpers):
        while seen_number(tree.notes, APART * (one + 1)) != job:
            breathe()
        total += tree.sums[one, 0]
        squares += tree.sums[one, 1]
        if tree.notes[APART * (one + 1) + 1]:
            work.stopped = 1
    return total, squares


@kernel
def help_out(
    game: Rules, player: AnyPlayer, tree: LinkedTree, work: Work, root: State, how: Growth, me: int, done: int
) -> None:
    """Wait for a job behind the ones that are done, go to where the tree is, play games from there, and say what they came
    to; until it is over."""
    count = how.batch // (tree.sums.shape[0] + 1)
    while True:
        job = seen_number(tree.notes, JOB)
        if job == OVER:
            return
        if job == done:
            breathe()
            continue
        state = root
        result(game, state)  # a game that notes where it has been notes this too
        for ply in range(1, tree.path[PLY] + 1):
            state = play(game, state, tree.nodes[tree.path[ply]].move)
            result(game, state)
        total, squares = one_by_one(tree, player, game, work, state, count)
        tree.sums[me, 0], tree.sums[me, 1] = total, squares
        tree.notes[APART * (me + 1) + 1] = work.stopped
        done = job
        show_number(tree.notes, APART * (me + 1), job)

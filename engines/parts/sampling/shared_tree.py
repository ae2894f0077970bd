"""What is different in a tree that threads share, or that knows transpositions: the same iteration, other steps.

**Shared** (`Growth.shared`): a visit is counted on the way down, and as a loss, so that the next thread looks elsewhere
(virtual loss); when the game is over the loss becomes the result. Sums are added to in one step that no other thread can
come between. Others wait for a node only while its moves are listed, or while one of them is tried for the first time. So
nothing is lost and nothing is counted twice, but which thread comes first is chance. Near the root, where every game comes
through and one loss more or less says nothing, the threads would only wait for each other's writing: at a node that is
`BUSY` each keeps its results until it has some, and adds them together. All are in the tree when the threads are done.

**Transpositions**: two ways to the same position have one home. The means are the home's, exploration is about the way: UCT2
of Childs, Brodeur and Kocsis (2008). Where the table has no room, a way is its own home: less is shared, nothing is wrong.

**Together**: helpers play games from wherever the first thread's path has come to.
"""

from __future__ import annotations

from engines.compiled.atomics import (
    add_edge_visits,
    add_squares,
    add_total,
    add_visits,
    compare_and_swap_count,
    compare_and_swap_edge_visits,
    compare_and_swap_tried,
    compare_and_swap_visits,
    fence,
    fetch_add,
    load_acquire,
    store_release,
    yield_thread,
)
from engines.compiled.bits import U
from engines.compiled.kernel import helper, int64, kernel
from engines.parts.sampling.iteration import (
    Growth,
    add_games,
    add_the_rest,
    any_untried,
    chosen,
    counted_in,
    expanded,
    found_home,
    give_back,
    left_alone,
    lost,
    moves_listed,
    my_turn,
    one_by_one,
    one_of,
    put_behind,
    sampled,
    taken,
)
from engines.parts.sampling.playout import AnyPlayer
from engines.parts.sampling.tree import (
    APART,
    AT_WORK,
    CLAIMED,
    END_OWN,
    LATE,
    NEXT_OWN,
    PLY,
    SUMS_OF_GAMES,
    TURNS_LEFT,
    LinkedTree,
    games_by,
    home_of,
    merges,
)
from engines.rules import Rules, State, key, moves, play, result
from engines.run.work import Work
from engines.tape.tape import NOBODY

PROBES = 8
"""How many places of the table are looked at for a position."""
JOB, OVER = 0, -1
"""Where the number of the job that is done now stands, and what stands there when there will be no more."""
LEFT, TURNS = 0, 64
"""Where it stands how many iterations are left for all, and how many of them a thread takes at a time."""
BUSY, SHARE, MOST_KEPT = 32, 8, 512
"""A node is busy that has so many visits for each thread. There, games are added to the tree some at a time: one for each
`SHARE` visits that it has, and never more than so many."""
OWN_NODES = 1024
"""The number of nodes that room is taken for at a time; fewer if the tree is small."""


# Shared.


@my_turn.register(LinkedTree)
@helper
def iterations_left(tree: LinkedTree, how: Growth) -> bool:
    """Threads that share a tree take from the same number of iterations, some at a time: who is quicker does more."""
    path = tree.path
    if not how.shared:
        return True
    if path[TURNS_LEFT] == 0:
        path[TURNS_LEFT] = max(0, min(TURNS, fetch_add(tree.notes, LEFT, -TURNS)))
        if path[TURNS_LEFT] == 0:
            return False
    path[TURNS_LEFT] -= 1
    return True


@chosen.register(LinkedTree)
@helper
def best_or_new_in_turn(tree: LinkedTree, work: Work, node: int, how: Growth) -> int:
    """As in a tree of one's own; but wait while another thread tries a new one."""
    while True:
        tried = int64(tree.nodes[node].tried)
        if tried != AT_WORK:
            child = one_of(tree, work, node, tried, how)
            if child != NOBODY:
                return child
        yield_thread()


@left_alone.register(LinkedTree)
@helper
def claimed(tree: LinkedTree, child: int, how: Growth) -> bool:
    """The thread whose compare-and-swap counts the first visit has it."""
    if not how.shared:
        return False
    links, nodes = tree.links, tree.nodes
    mine = (
        compare_and_swap_edge_visits(links, child, 0, how.batch)
        if merges(tree)
        else compare_and_swap_visits(nodes, child, 0, how.batch)
    )
    tree.path[CLAIMED] = mine
    return mine


@taken.register(LinkedTree)
@helper
def untried_in_turn(tree: LinkedTree, work: Work, node: int, tried: int, how: Growth) -> int:
    """One thread at a time; the first visit is counted before others can see it."""
    nodes, child = tree.nodes, int64(NOBODY)
    if not how.shared:
        child = any_untried(tree, work, node, tried, how)
    elif compare_and_swap_tried(nodes, node, tried, AT_WORK):
        child = put_behind(tree, work, node, tried)
        claimed(tree, child, how)
        fence()
        nodes[node].tried = tried + 1
    return child


@expanded.register(LinkedTree)
@helper
def moves_listed_once(tree: LinkedTree, game: Rules, work: Work, state: State, node: int, how: Growth) -> bool:
    """Listed by the thread that comes first; the number of moves is stored last (release), so that a thread that sees it
    also sees the moves."""
    nodes, scratch = tree.nodes, work.moves[1]
    if not how.shared:
        return moves_listed(tree, game, work, state, node, how)
    while nodes[node].count or not compare_and_swap_count(nodes, node, 0, AT_WORK):
        if nodes[node].count != AT_WORK:
            fence()
            return True
        yield_thread()
    count = moves(game, state, scratch)
    first = room_for(tree, count)
    if first == NOBODY:
        nodes[node].count = 0
        return False
    for i in range(count):
        nodes[first + i].move = scratch[i]
    nodes[node].first = first
    fence()
    nodes[node].count = count
    work.tree_nodes += count
    return True


@helper
def room_for(tree: LinkedTree, count: int) -> int:
    """The first of so many new nodes, side by side; `NOBODY` if the memory is used up. A thread takes more than it needs
    now, so that what different threads write is not mixed."""
    path, capacity = tree.path, tree.nodes.shape[0]
    if path[NEXT_OWN] + count > path[END_OWN]:
        many = max(count, min(OWN_NODES, capacity // OWN_NODES))
        first = fetch_add(tree.size, 0, many)
        if first + many > capacity:
            fetch_add(tree.size, 0, -many)
            return int64(NOBODY)
        path[NEXT_OWN], path[END_OWN] = first, first + many
    path[NEXT_OWN] += count
    return int64(path[NEXT_OWN] - count)


@counted_in.register(LinkedTree)
@helper
def counted_as_lost(tree: LinkedTree, ply: int, node: int, loss: float, how: Growth) -> bool:
    """Virtual loss: in a shared tree the visit is counted now, and as a loss until the game is over; later, where all nodes
    so far are busy."""
    nodes, path = tree.nodes, tree.path
    if not how.shared:
        return nodes[node].visits == 0
    if ply == 0:
        path[LATE] = 0
    if path[LATE] == ply and not merges(tree) and nodes[node].visits > BUSY * how.shared * how.batch:
        path[LATE] = ply + 1
        return False
    is_mine, path[CLAIMED] = path[CLAIMED] != 0, 0
    if loss > 0.0:
        add_total(nodes, node, how.batch * loss)
    if not merges(tree):
        return is_mine or add_visits(nodes, node, how.batch) == 0
    if ply > 0 and not is_mine:
        add_edge_visits(tree.links, path[ply], how.batch)
    return add_visits(nodes, node, how.batch) == 0


@add_games.register(LinkedTree)
@helper
def loss_made_good(tree: LinkedTree, ply: int, node: int, total: float, squares: float, loss: float, how: Growth) -> None:
    """Replace the virtual loss by the result."""
    nodes = tree.nodes
    if how.shared and ply < tree.path[LATE]:
        keep(tree, node, total, squares, how)
        return
    if how.shared:
        if total != how.batch * loss:
            add_total(nodes, node, total - how.batch * loss)
        if squares != 0.0:
            add_squares(nodes, node, squares)
        return
    nodes[node].visits += how.batch
    nodes[node].total += total
    nodes[node].squares += squares
    if ply > 0 and merges(tree):
        tree.links[tree.path[ply]].ways += how.batch


@helper
def keep(tree: LinkedTree, node: int, total: float, squares: float, how: Growth) -> None:
    """Remember games through a busy node; those of another node in the same place are added first, or if they are enough."""
    kept, at = tree.kept, node & (SUMS_OF_GAMES - 1)
    enough = min(MOST_KEPT * how.batch, int64(tree.nodes[node].visits) // SHARE)
    if kept[at].node != node or kept[at].visits >= enough:
        add_kept(tree, at)
        kept[at].node = node
    kept[at].visits += how.batch
    kept[at].total += total
    kept[at].squares += squares


@helper
def add_kept(tree: LinkedTree, at: int) -> None:
    """Add the games that are remembered in one place."""
    kept, node = tree.kept, tree.kept[at].node
    if kept[at].visits:
        add_visits(tree.nodes, node, kept[at].visits)
        add_total(tree.nodes, node, kept[at].total)
        add_squares(tree.nodes, node, kept[at].squares)
        kept[at].visits, kept[at].total, kept[at].squares = 0, 0.0, 0.0


@add_the_rest.register(LinkedTree)
@helper
def add_all_kept(tree: LinkedTree) -> None:
    """Add all results that this thread still holds back."""
    for at in range(SUMS_OF_GAMES):
        add_kept(tree, at)


@give_back.register(LinkedTree)
@helper
def uncounted(tree: LinkedTree, ply: int, how: Growth) -> None:
    """Take back the virtual losses counted on the way down."""
    nodes, path = tree.nodes, tree.path
    if not how.shared:
        if ply > 0 and games_by(tree, path[ply]) == 0:
            if nodes[home_of(tree, path[ply - 1])].turn != 0:
                nodes[home_of(tree, path[ply - 1])].tried -= 1
            lose_home(tree, path[ply])
        return
    for back in range(ply, tree.path[LATE] - 1, -1):
        at = home_of(tree, path[back])
        if back > 0:
            add_total(nodes, at, -how.batch * lost(nodes, home_of(tree, path[back - 1])))
            if merges(tree):
                add_edge_visits(tree.links, path[back], -how.batch)
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
                fence()
                tree.table[place] = node + 1
                break
            if tree.keys[there] == position:
                home = there
                break
            place = (place + 1) & last
        fence()
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
def sampled_by_all_threads(
    tree: LinkedTree, player: AnyPlayer, game: Rules, work: Work, state: State, count: int
) -> tuple[float, float]:
    """Everybody plays the same number of games from here; alone, one plays them all. `tree.notes` has the number of the job
    in front, and for each helper the last one that it has done, and 1 behind that if it was stopped; `tree.sums`: what its
    games came to, and their squares."""
    helpers = tree.sums.shape[0]
    job = load_acquire(tree.notes, JOB) + 1
    if helpers:
        store_release(tree.notes, JOB, job)
    total, squares = one_by_one(tree, player, game, work, state, count // (helpers + 1))
    for one in range(helpers):
        while load_acquire(tree.notes, APART * (one + 1)) != job:
            yield_thread()
        total += tree.sums[one, 0]
        squares += tree.sums[one, 1]
        if tree.notes[APART * (one + 1) + 1]:
            work.stopped = 1
    return total, squares


@kernel
def sample_as_helper(
    game: Rules, player: AnyPlayer, tree: LinkedTree, work: Work, root: State, how: Growth, me: int, done: int
) -> None:
    """Wait for a job behind the ones that are done, go to where the tree is, play games from there, and say what they came
    to; until it is over."""
    count = how.batch // (tree.sums.shape[0] + 1)
    while True:
        job = load_acquire(tree.notes, JOB)
        if job == OVER:
            return
        if job == done:
            yield_thread()
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
        store_release(tree.notes, APART * (me + 1), job)

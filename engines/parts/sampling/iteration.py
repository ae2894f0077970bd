"""One iteration of UCT in four phases, and proofs that are backed up.

A node is sampled once when it is new; the second visit lists its moves, and every later one goes on to a child. So the
visits of a node are its own samples and its children's. What differs where several threads share one tree, or where
transpositions are merged, is in `shared_tree.py`: the functions that it replaces are generic in the tree.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64, kernel
from engines.contract import MAX_DEPTH
from engines.parts.sampling.playout import AnyPlayer, drawn, play_out
from engines.parts.sampling.tree import (
    DRAWN,
    FIRST_WINS,
    NEW_AT,
    PLY,
    ROOT,
    SECOND_WINS,
    UNKNOWN,
    AnyTree,
    games_by,
    home_of,
)
from engines.rules import ONGOING, Rules, State, moves, play, result, reward, turn
from engines.rules_chance import by_chance
from engines.run.work import Work, random_below, shuffled
from engines.tape.tape import NOBODY


class Growth(NamedTuple):
    """How the tree grows. `k`: the weight of exploration; `proofs`: 1 if proven results are backed up; `batch`: samples for
    each new node; `widening`: a node with n visits has at most so many times the root of n children, 0: no limit; `shared`:
    how many threads work on the same tree, 0 if only one does."""

    k: float
    proofs: int
    batch: int
    widening: float
    shared: int = 0


@kernel
def grow(game: Rules, player: AnyPlayer, tree: AnyTree, work: Work, state: State, how: Growth, count: int) -> None:
    """That many iterations from the root, or fewer if the work is stopped or the root is proven."""
    for _ in range(count):
        if work.stopped or tree.nodes[ROOT].proven != UNKNOWN or not my_turn(tree, how):
            break
        iterate(game, player, tree, work, state, how)
    add_the_rest(tree)


@generic
def my_turn(tree: AnyTree, how: Growth) -> bool:
    """Whether another iteration is left for this thread."""


@my_turn.default
def all_are_mine(tree: AnyTree, how: Growth) -> bool:
    """The default: a single thread does them all."""
    return True


@helper
def plant(game: Rules, tree: AnyTree, work: Work, state: State) -> None:
    """The root of a tree that is still empty."""
    if tree.size[0] == 0:
        tree.size[0] = work.tree_nodes = 1
        tree.nodes[ROOT].turn = whose_move(game, state)


@helper
def whose_move(game: Rules, state: State) -> int:
    """Who moves, as it stands in the tree: 0 is nature."""
    return int64(0) if by_chance(game, state) else turn(game, state)


@helper
def iterate(game: Rules, player: AnyPlayer, tree: AnyTree, work: Work, state: State, how: Growth) -> None:
    """One iteration: select, expand, sample, back up."""
    nodes, path = tree.nodes, tree.path

    # Steps 1 and 2, selection and expansion: from the root to a node that is new, over, proven or cannot be expanded.
    node, ply = int64(ROOT), 0
    path[0] = node
    if not arrived(work, ply):
        return
    is_new = counted_in(tree, ply, node, 0.0, how)
    result(game, state)  # a game that notes where it has been notes this too; the root is sampled whatever is known of it
    over = int64(ONGOING)
    while over == ONGOING and not is_new and nodes[node].proven == UNKNOWN and ply < MAX_DEPTH:
        if not expanded(tree, game, work, state, node, how):
            break
        child = drawn_child(tree, game, work, state, node) if by_chance(game, state) else chosen(tree, work, node, how)
        loss = lost(nodes, node)
        state = play(game, state, nodes[child].move)
        ply += 1
        path[ply] = child
        over = result(game, state)
        node = found_home(tree, game, state, child)
        whose = whose_move(game, state) if over == ONGOING else turn(game, state)
        if nodes[node].turn != whose:  # others may read it: it is written once
            nodes[node].turn = whose
        is_new = counted_in(tree, ply, node, loss, how)
        if not arrived(work, ply):
            give_back(tree, ply, how)
            return
    path[PLY] = ply

    # Step 3, sampling: the result of the game, if it is over; else of random games from here.
    samples, total, squares = how.batch, 0.0, 0.0
    if over != ONGOING or nodes[node].proven != UNKNOWN:
        worth = proven_worth(nodes[node].proven)
        if over != ONGOING:
            over *= turn(game, state)
            worth = reward(game, over)
            work.leaves += 1
            if how.proofs and nodes[node].proven == UNKNOWN:
                nodes[node].proven = DRAWN if over == 0 else FIRST_WINS if over > 0 else SECOND_WINS
        total, squares = samples * worth, samples * worth * worth
    else:
        total, squares = sampled(tree, player, game, work, state, samples)
        if work.stopped:
            give_back(tree, ply, how)
            return

    # Step 4, backing up: every node on the way has seen so many games more.
    for back in range(ply, -1, -1):
        at = home_of(tree, path[back])
        loss = lost(nodes, home_of(tree, path[back - 1])) if back > 0 else 0.0
        add_games(tree, back, at, total, squares, loss, how)
        if how.proofs and back < ply and nodes[at].proven == UNKNOWN:
            nodes[at].proven = proof_from_children(tree, at, path[back + 1])
    path[NEW_AT + ply] += is_new
    work.visited_nodes += is_new
    work.iterations += 1


@helper
def arrived(work: Work, ply: int) -> bool:
    """Count one more position entered; False if the work has to stop instead."""
    if work.nodes >= work.budget:
        work.stopped = 1
        return False
    work.nodes += 1
    if ply > work.selective_depth:
        work.selective_depth = ply
    return True


# Step 1, selection.


@generic
def chosen(tree: AnyTree, work: Work, node: int, how: Growth) -> int:
    """The child to visit."""


@chosen.default
@helper
def best_or_new(tree: AnyTree, work: Work, node: int, how: Growth) -> int:
    """A random untried child; if all have been tried, the one with the largest upper confidence bound."""
    return one_of(tree, work, node, int64(tree.nodes[node].tried), how)


@helper
def one_of(tree: AnyTree, work: Work, node: int, tried: int, how: Growth) -> int:
    """The same for a node where so many moves have been tried. `NOBODY` only if another thread is about to try one."""
    child = one_of_tried(tree, node, tried, how)
    if child == NOBODY and tried < int64(tree.nodes[node].count):
        child = taken(tree, work, node, tried, how)
    return child


@helper
def one_of_tried(tree: AnyTree, node: int, tried: int, how: Growth) -> int:
    """The most promising child, if all moves have been tried or widening allows no more; else `NOBODY`."""
    nodes, room = tree.nodes, int64(tree.nodes[node].count)
    if how.widening > 0.0:
        room = min(room, max(int64(1), int64(math.floor(how.widening * math.sqrt(nodes[node].visits)))))
    return most_promising(tree, node, tried, how) if tried >= room else int64(NOBODY)


@helper
def most_promising(tree: AnyTree, node: int, tried: int, how: Growth) -> int:
    """The child with the largest upper confidence bound (mean plus exploration) for the side to move. Of one whose result is
    proven there is nothing to learn: it is taken only if there is no other, or if it wins, as was found out on another
    way."""
    nodes = tree.nodes
    best, most, settled = int64(NOBODY), -1.0, int64(NOBODY)
    exploration = how.k * math.sqrt(math.log(nodes[node].visits))
    first = int64(nodes[node].first)
    for child in range(first, first + tried):
        games, home = games_by(tree, child), home_of(tree, child)
        if games == 0:
            if left_alone(tree, child, how):
                return child
            continue
        if nodes[home].visits == 0:  # another thread is on its way there
            continue
        if nodes[home].proven != UNKNOWN:
            settled = child
            if proven_worth(nodes[home].proven) == 1.0 - lost(nodes, node):
                return child
            continue
        mean = nodes[home].total / nodes[home].visits
        if nodes[node].turn < 0:
            mean = 1.0 - mean
        promise = mean + exploration / math.sqrt(games)
        if promise > most:
            best, most = child, promise
    return settled if best == NOBODY and tried == nodes[node].count else best


@helper
def drawn_child(tree: AnyTree, game: Rules, work: Work, state: State, node: int) -> int:
    """Nature moves: what happens is drawn by its probability, and nothing is weighed. No child changes its place: all
    count as tried from the first visit on, so that threads do not come into each other's way."""
    nodes = tree.nodes
    work.chance_nodes += 1
    work.random = shuffled(work.random)
    move = drawn(game, work, state, work.random)
    nodes[node].tried = nodes[node].count
    child = int64(nodes[node].first)
    while nodes[child].move != move:
        child += 1
    return child


@generic
def left_alone(tree: AnyTree, child: int, how: Growth) -> bool:
    """A child that was tried has no visit, because whoever tried it was stopped: True if it is this thread's now."""


@left_alone.default
def never_left(tree: AnyTree, child: int, how: Growth) -> bool:
    """One thread alone gives back what it does not finish."""
    return False


@generic
def taken(tree: AnyTree, work: Work, node: int, tried: int, how: Growth) -> int:
    """A child that was never tried, put behind those that were; `NOBODY` if another thread was quicker."""


@taken.default
@helper
def any_untried(tree: AnyTree, work: Work, node: int, tried: int, how: Growth) -> int:
    """The default: a random one."""
    tree.nodes[node].tried += 1
    return put_behind(tree, work, node, tried)


@helper
def put_behind(tree: AnyTree, work: Work, node: int, tried: int) -> int:
    """Any of those that were never tried changes its place with the first of them."""
    nodes = tree.nodes
    child = int64(nodes[node].first) + tried
    other = child + random_below(work, int64(nodes[node].count) - tried)
    nodes[child].move, nodes[other].move = nodes[other].move, nodes[child].move
    return child


@helper
def lost(nodes: Any, node: int) -> float:
    """What a loss of the side that moves at a node is worth to the first player."""
    return 0.0 if nodes[node].turn > 0 else 1.0


@generic
def found_home(tree: AnyTree, game: Rules, state: State, node: int) -> int:
    """The home of a node's position, looked for if it is not known."""


@found_home.default
def no_other(tree: AnyTree, game: Rules, state: State, node: int) -> int:
    """The default, without transpositions: every node is its own home."""
    return node


@generic
def counted_in(tree: AnyTree, ply: int, node: int, loss: float, how: Growth) -> bool:
    """A game comes through here: True if it is the first."""


@counted_in.default
def not_visited(tree: AnyTree, ply: int, node: int, loss: float, how: Growth) -> bool:
    """It is counted when it is over."""
    return tree.nodes[node].visits == 0


# Step 2, expansion.


@generic
def expanded(tree: AnyTree, game: Rules, work: Work, state: State, node: int, how: Growth) -> bool:
    """List the moves of a node if that is not done, each a child without a visit; False if the memory is used up."""


@expanded.default
@helper
def moves_listed(tree: AnyTree, game: Rules, work: Work, state: State, node: int, how: Growth) -> bool:
    """Behind all nodes that there are."""
    nodes, scratch = tree.nodes, work.moves[1]
    if nodes[node].count:
        return True
    count, first = moves(game, state, scratch), tree.size[0]
    if first + count > nodes.shape[0]:
        return False
    for i in range(count):
        nodes[first + i].move = scratch[i]
    nodes[node].first, nodes[node].count = first, count
    tree.size[0] = first + count
    work.tree_nodes += count
    return True


# Step 3, sampling.


@generic
def sampled(tree: AnyTree, player: AnyPlayer, game: Rules, work: Work, state: State, count: int) -> tuple[float, float]:
    """The sum of what so many games from `state` are worth, and of the squares; `tree.path` is the way there."""


@sampled.default
@helper
def one_by_one(tree: AnyTree, player: AnyPlayer, game: Rules, work: Work, state: State, count: int) -> tuple[float, float]:
    """One game after the other."""
    total, squares, start = 0.0, 0.0, work.nodes
    for _ in range(count):
        worth = play_out(player, game, work, state)
        if work.stopped:
            return 0.0, 0.0
        total += worth
        squares += worth * worth
    work.playouts += count
    work.playout_moves += work.nodes - start
    return total, squares


# Step 4, backing up.


@generic
def add_games(tree: AnyTree, ply: int, node: int, total: float, squares: float, loss: float, how: Growth) -> None:
    """The games are over, and a node has seen them."""


@add_games.default
def add_alone(tree: AnyTree, ply: int, node: int, total: float, squares: float, loss: float, how: Growth) -> None:
    """One visit more for each, and the results to the sums."""
    tree.nodes[node].visits += how.batch
    tree.nodes[node].total += total
    tree.nodes[node].squares += squares


@generic
def add_the_rest(tree: AnyTree) -> None:
    """Flush results that a thread has not added to the shared tree yet; called when its iterations are done."""


@add_the_rest.default
def all_are_added(tree: AnyTree) -> None:
    """The default: nothing is held back."""


@generic
def give_back(tree: AnyTree, ply: int, how: Growth) -> None:
    """Undo what an iteration that was stopped has counted."""


@give_back.default
def untried_again(tree: AnyTree, ply: int, how: Growth) -> None:
    """A child that it was the first to try is untried again."""
    if ply > 0 and tree.nodes[tree.path[ply]].visits == 0 and tree.nodes[tree.path[ply - 1]].turn != 0:
        tree.nodes[tree.path[ply - 1]].tried -= 1


# Proofs.


@helper
def proven_worth(proven: int) -> float:
    """What a proven result is worth to the first player."""
    return 1.0 if proven == FIRST_WINS else 0.0 if proven == SECOND_WINS else 0.5


@helper
def proof_from_children(tree: AnyTree, node: int, child: int) -> int:
    """What is proven of a node, now that something may be proven of a child: a move that wins is enough, and if nothing is
    open any more the best is what it is worth. Where nature moves, only what all outcomes come to is proven."""
    nodes = tree.nodes
    won = FIRST_WINS if nodes[node].turn > 0 else SECOND_WINS
    proven = nodes[home_of(tree, child)].proven
    if nodes[node].turn == 0:
        return proven_by_all(tree, node, proven)
    if proven == won:
        return won
    if proven == UNKNOWN or nodes[node].tried < nodes[node].count:
        return UNKNOWN
    best = -won
    for other in range(int64(nodes[node].first), int64(nodes[node].first) + int64(nodes[node].count)):
        proven = nodes[home_of(tree, other)].proven
        if proven in (UNKNOWN, won):
            return proven
        if proven == DRAWN:
            best = DRAWN
    return best


@helper
def proven_by_all(tree: AnyTree, node: int, proven: int) -> int:
    """What is proven of a node where nature moves: the same result whatever happens."""
    nodes = tree.nodes
    if nodes[node].tried < nodes[node].count:
        return int64(UNKNOWN)
    for other in range(int64(nodes[node].first), int64(nodes[node].first) + int64(nodes[node].count)):
        if nodes[home_of(tree, other)].proven != proven:
            return int64(UNKNOWN)
    return int64(proven)

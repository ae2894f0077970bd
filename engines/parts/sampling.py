"""A tree that grows by sampling: its nodes, one iteration of UCT in four phases, and proofs that are backed up.

Values inside are **for the first player**, from 0 (lost) to 1 (won). A node is sampled once when it is new; the second visit
lists its moves, and every later one goes on to a child. So the visits of a node are its own samples and its children's.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engines.contract import MAX_DEPTH
from engines.kernel import helper, int64, kernel
from engines.parts.playout import AnyPlayer, play_out, reward
from engines.parts.tape import NOBODY, SAMPLED, Tape, enter, leave
from engines.parts.work import END, Work, random_below
from engines.rules import ONGOING, Rules, State, moves, play, result, turn

UNKNOWN, FIRST_WINS, SECOND_WINS, DRAWN = 0, 1, -1, 2
"""What is proven about a node."""
ROOT = 0
MEAN = 1_000_000
"""On a tape a mean is written in millionths, and a sum of results in thousandths."""
SUM = 1000

NODE = np.dtype(
    [
        ("total", np.float64),
        ("squares", np.float64),
        ("visits", np.int32),
        ("first", np.int32),
        ("move", np.int32),
        ("count", np.int16),
        ("tried", np.int16),
        ("turn", np.int8),
        ("proven", np.int8),
    ],
    align=True,
)
"""`total` and `squares`: the sum of the results sampled through a node, and of their squares; `first`, `count`: where its
children are, and how many, 0 before its moves are listed; `tried`: how many of them have been visited, those in front."""


class SampleTree(NamedTuple):
    """All nodes, the children of one node side by side; `size[0]` of them are in use. `path` is where an iteration went."""

    nodes: Any
    size: Any
    path: Any


class Growth(NamedTuple):
    """How the tree grows. `k`: the weight of exploration; `proofs`: 1 if proven results are backed up; `batch`: samples for
    each new node; `widening`: a node with n visits has at most so many times the root of n children, 0: no limit."""

    k: float
    proofs: int
    batch: int
    widening: float


def new_tree(megabytes: int) -> SampleTree:
    """An empty tree that takes at most so much memory; it is really taken only as the tree grows."""
    capacity = max(1000, megabytes * 2**20 // NODE.itemsize)
    nodes = np.zeros(capacity, np.dtype((np.record, NODE)))
    return SampleTree(nodes, np.zeros(1, np.int64), np.zeros(MAX_DEPTH + 1, np.int64))


@kernel
def grow(game: Rules, player: AnyPlayer, tree: SampleTree, work: Work, state: State, how: Growth, count: int) -> None:
    """So many iterations from the root, or fewer if the work is stopped or the root is proven."""
    nodes = tree.nodes
    if tree.size[0] == 0:
        tree.size[0] = 1
        nodes[ROOT].turn = turn(game, state)
    for _ in range(count):
        if work.stopped or nodes[ROOT].proven != UNKNOWN:
            return
        iterate(game, player, tree, work, state, how)


@helper
def iterate(game: Rules, player: AnyPlayer, tree: SampleTree, work: Work, state: State, how: Growth) -> None:
    """One iteration: select, expand, sample, back up."""
    nodes, path = tree.nodes, tree.path

    # Step 1, selection: from the root to a node that is new, over, proven or cannot be expanded.
    node, ply = int64(ROOT), 0
    path[0] = node
    if not arrived(work, ply):
        return
    over = result(game, state)
    while over == ONGOING and nodes[node].proven == UNKNOWN and nodes[node].visits > 0 and ply < MAX_DEPTH:
        if nodes[node].count == 0 and not expanded(game, tree, work, state, node):
            break
        node = chosen(nodes, work, node, how)
        state = play(game, state, nodes[node].move)
        nodes[node].turn = turn(game, state)
        ply += 1
        path[ply] = node
        if not arrived(work, ply):
            give_back(nodes, path, ply)
            return
        over = result(game, state)

    # Step 2, sampling: the result of the game, if it is over; else of random games from here.
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
        start = work.nodes
        for _ in range(samples):
            worth = play_out(player, game, work, state)
            if work.stopped:
                give_back(nodes, path, ply)
                return
            total += worth
            squares += worth * worth
        work.playouts += samples
        work.playout_moves += work.nodes - start

    # Step 3, backing up: every node on the way has seen so many games more.
    for back in range(ply, -1, -1):
        at = path[back]
        nodes[at].visits += samples
        nodes[at].total += total
        nodes[at].squares += squares
        if how.proofs and back < ply and nodes[at].proven == UNKNOWN:
            nodes[at].proven = proof_from_children(nodes, at, path[back + 1])
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


@helper
def give_back(nodes: Any, path: Any, ply: int) -> None:
    """The iteration was stopped: a child that it was the first to try is untried again."""
    if ply > 0 and nodes[path[ply]].visits == 0:
        nodes[path[ply - 1]].tried -= 1


@helper
def expanded(game: Rules, tree: SampleTree, work: Work, state: State, node: int) -> bool:
    """List the moves of a node, each a child without a visit; False if the memory is used up."""
    nodes, scratch = tree.nodes, work.moves[1]
    count, first = moves(game, state, scratch), tree.size[0]
    if first + count > nodes.shape[0]:
        return False
    for i in range(count):
        nodes[first + i].move = scratch[i]
    nodes[node].first, nodes[node].count = first, count
    tree.size[0] = first + count
    work.tree_nodes = first + count
    return True


@helper
def chosen(nodes: Any, work: Work, node: int, how: Growth) -> int:
    """The child to visit: one that was never tried, any with the same chance; else the one whose mean and doubt together
    promise most to the side that moves. Of one whose result is proven there is nothing to learn."""
    first, count, tried = int64(nodes[node].first), int64(nodes[node].count), int64(nodes[node].tried)
    room = count
    if how.widening > 0.0:
        room = min(count, max(int64(1), int64(math.floor(how.widening * math.sqrt(nodes[node].visits)))))
    best, most = int64(NOBODY), -1.0
    if tried >= room:
        doubt = how.k * math.sqrt(math.log(nodes[node].visits))
        for child in range(first, first + tried):
            if nodes[child].proven != UNKNOWN:
                continue
            mean = nodes[child].total / nodes[child].visits
            if nodes[node].turn < 0:
                mean = 1.0 - mean
            promise = mean + doubt / math.sqrt(nodes[child].visits)
            if promise > most:
                best, most = child, promise
    if best == NOBODY:
        other = first + tried + random_below(work, count - tried)
        nodes[first + tried].move, nodes[other].move = nodes[other].move, nodes[first + tried].move
        nodes[node].tried += 1
        best = first + tried
    return best


@helper
def proven_worth(proven: int) -> float:
    """What a proven result is worth to the first player."""
    return 1.0 if proven == FIRST_WINS else 0.0 if proven == SECOND_WINS else 0.5


@helper
def proof_from_children(nodes: Any, node: int, child: int) -> int:
    """What is proven of a node, now that something may be proven of a child: a move that wins is enough, and if nothing is
    open any more the best is what it is worth."""
    won = FIRST_WINS if nodes[node].turn > 0 else SECOND_WINS
    if nodes[child].proven == won:
        return won
    if nodes[child].proven == UNKNOWN or nodes[node].tried < nodes[node].count:
        return UNKNOWN
    best = -won
    for other in range(nodes[node].first, nodes[node].first + nodes[node].count):
        if nodes[other].proven == UNKNOWN:
            return UNKNOWN
        if nodes[other].proven == DRAWN:
            best = DRAWN
    return best


# What is read from a tree that has grown.


def children(tree: SampleTree, node: int) -> range:
    """The children of a node that have been visited."""
    first = int(tree.nodes["first"][node])
    return range(first, first + int(tree.nodes["tried"][node]))


def best_child(tree: SampleTree, node: int, by: str) -> int | None:
    """The child that is played: a proven win, else by `visits` or by `value`; a proven loss only where all are lost."""
    nodes = tree.nodes
    sign = int(nodes["turn"][node])

    def preference(child: int) -> tuple[int, float, float]:
        row = nodes[child]
        proof = 0 if row["proven"] in (UNKNOWN, DRAWN) else sign * int(row["proven"])
        mean = sign * float(row["total"]) / float(row["visits"])
        return (proof, float(row["visits"]), mean) if by == "visits" else (proof, mean, float(row["visits"]))

    return max(children(tree, node), key=preference, default=None)


def line_of(tree: SampleTree, by: str) -> list[int]:
    """The moves from the root that would be played."""
    moves: list[int] = []
    node = best_child(tree, ROOT, by)
    while node is not None:
        moves.append(int(tree.nodes["move"][node]))
        node = best_child(tree, node, by)
    return moves


@kernel
def write_tape(tree: SampleTree, tape: Tape, rows: Any) -> None:
    """Write every visited node on a tape: its visits and its own samples' sum stand where other searches have a window."""
    nodes = tree.nodes
    for node in range(tree.size[0]):
        if nodes[node].visits == 0:
            continue
        if node == ROOT:
            rows[node] = enter(tape, NOBODY, END, nodes[node].turn, 0, nodes[node].visits, 0)
        row, total, best = rows[node], 0.0, int64(NOBODY)
        first, most = int64(nodes[node].first), int64(0)
        for child in range(first, first + int64(nodes[node].tried)):
            if nodes[child].visits == 0:
                continue
            rows[child] = enter(tape, row, nodes[child].move, nodes[child].turn, 0, nodes[child].visits, 0)
            total += nodes[child].total
            if nodes[child].visits > most:
                most, best = int64(nodes[child].visits), rows[child]
        mean = int64(round(MEAN * nodes[node].total / nodes[node].visits))
        leave(tape, row, SAMPLED, mean, best)
        if row != NOBODY:
            tape.beta[row] = int64(round(SUM * (nodes[node].total - total)))

"""A tree that grows by sampling, as arrays, and what can be read from it.

Values are **for the first player**, from 0 (lost) to 1 (won). The children of a node stand side by side, those that have
been tried in front. `SampleTree` is all that one thread needs. A `LinkedTree` can be shared by threads, or knows
transpositions: then a position that can be reached in several ways has one node for each way, and one of them, where it was
first come to, is its *home*: what is known of the position is there, and of a way only how often it was gone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64, kernel
from engines.contract import MAX_DEPTH
from engines.tape.tape import NOBODY

UNKNOWN, FIRST_WINS, SECOND_WINS, DRAWN = 0, 1, -1, 2
"""What is proven about a node."""
ROOT = 0
APART = 16
"""Numbers that different threads write are so far apart in an array that they do not share a line of the cache."""
PLY = MAX_DEPTH + 1
"""Where on a path its length is written."""
CLAIMED, NEXT_OWN, END_OWN = MAX_DEPTH + 2, MAX_DEPTH + 3, MAX_DEPTH + 4
"""Where on the path in a shared tree its thread writes that the node it goes to is counted already, and from where to where
there is room for nodes that only this thread makes."""
LATE, TURNS_LEFT = MAX_DEPTH + 5, MAX_DEPTH + 6
"""Where it writes how many nodes from the root on are counted later, and how many iterations it has still to do."""
NEW_AT = MAX_DEPTH + 7
"""From here on it stands how many positions were met at each ply that were new then."""
AT_WORK = 255
"""What stands in place of a number of moves while a thread is at work on them; no position has so many."""
MOST_VISITS = 2**31 - 2**20
"""More than this does not fit a node."""

NODE = np.dtype(
    [
        ("total", np.float64),
        ("squares", np.float64),
        ("visits", np.int32),
        ("first", np.int32),
        ("move", np.int32),
        ("count", np.uint8),
        ("tried", np.uint8),
        ("turn", np.int8),
        ("proven", np.int8),
    ],
    align=True,
)
"""`total` and `squares`: the sum of the results sampled through a node, and of their squares; `first`, `count`: where its
children are, and how many, 0 before its moves are listed; `tried`: how many of them have been visited, those in front.
While one of several threads lists the moves or tries a new one, `count` or `tried` is `AT_WORK`.
32 bytes, so that two fit a line of the cache: reading the children is most of the work."""
LINK = np.dtype([("ways", np.int32), ("home", np.int32)])
"""What transpositions need of a node. `ways`: how often this way was gone; `home`: 1 more than the number of the position's
home, 0 before it is known."""
SUM_OF_GAMES = np.dtype([("node", np.int64), ("visits", np.int64), ("total", np.float64), ("squares", np.float64)])
"""Games that a thread has played through a node of a shared tree and not added to it yet."""
SUMS_OF_GAMES = 512


class SampleTree(NamedTuple):
    """All nodes; `size[0]` of them are in use. `path` is where an iteration went."""

    nodes: Any
    size: Any
    path: Any


class LinkedTree(NamedTuple):
    """The same for several threads or with transpositions. With those there are `links`, one for each node, `table` finds
    the home of a position (1 more than its number), and `keys` has the key of every home; else all three are one long.
    `path` is each thread's own. `notes` and `sums` are for what threads tell each other (see `shared_tree`)."""

    nodes: Any
    size: Any
    path: Any
    kept: Any
    links: Any
    table: Any
    keys: Any
    notes: Any
    sums: Any


AnyTree = Any
"""A `SampleTree` or a `LinkedTree`: the kernels are compiled for each of them."""


def new_tree(megabytes: int) -> SampleTree:
    """An empty tree that takes at most so much memory; it is really taken only as the tree grows."""
    capacity = max(1000, megabytes * 2**20 // NODE.itemsize)
    return SampleTree(new_nodes(capacity), np.zeros(1, np.int64), new_path())


def new_linked_tree(megabytes: int, transpositions: bool, helpers: int = 0) -> LinkedTree:
    """The same with links, with or without a table for transpositions, with room for so many helpers."""
    each = NODE.itemsize + (LINK.itemsize + 12 if transpositions else 0)
    capacity = max(1000, megabytes * 2**20 // each)
    return LinkedTree(
        nodes=new_nodes(capacity),
        size=np.zeros(1, np.int64),
        path=new_path(),
        kept=new_sums(),
        links=np.zeros(capacity if transpositions else 1, np.dtype((np.record, LINK))),
        table=np.zeros(1 << (capacity.bit_length() - 1) if transpositions else 1, np.int32),
        keys=np.zeros(capacity if transpositions else 1, np.uint64),
        notes=np.zeros(APART * (helpers + 1), np.int64),
        sums=np.zeros((helpers, APART)),
    )


def new_nodes(capacity: int) -> Any:
    """That many nodes, none in two lines of the cache."""
    line = 64
    room = np.zeros(capacity * NODE.itemsize + line, np.uint8)
    start = -room.ctypes.data % line
    return room[start : start + capacity * NODE.itemsize].view(np.dtype((np.record, NODE)))


def new_path() -> Any:
    """Room for the way of an iteration, and for what its thread notes."""
    return np.zeros(NEW_AT + MAX_DEPTH + 1 + APART, np.int64)


def new_sums() -> Any:
    """Room for what a thread adds to the tree later."""
    return np.zeros(SUMS_OF_GAMES, np.dtype((np.record, SUM_OF_GAMES)))


@generic
def home_of(tree: AnyTree, node: int) -> int:
    """The node that has the statistics of this node's position."""


@home_of.register(SampleTree)
def itself(tree: SampleTree, node: int) -> int:
    """Every node has its own."""
    return node


@home_of.register(LinkedTree)
def linked_home(tree: LinkedTree, node: int) -> int:
    """Where the position was first come to, if transpositions are on."""
    if merges(tree) and tree.links[node].home > 0:
        return int64(tree.links[node].home - 1)
    return node


@generic
def games_by(tree: AnyTree, node: int) -> int:
    """How many games were sampled through this very node."""


@games_by.register(SampleTree)
def visits_of(tree: SampleTree, node: int) -> int:
    """Its visits."""
    return int64(tree.nodes[node].visits)


@games_by.register(LinkedTree)
def linked_games(tree: LinkedTree, node: int) -> int:
    """How often this way was gone, if there may be others."""
    return int64(tree.links[node].ways) if merges(tree) else int64(tree.nodes[node].visits)


@helper
def merges(tree: LinkedTree) -> bool:
    """Transpositions are on."""
    return tree.table.shape[0] > 1


@kernel
def best_child(tree: AnyTree, node: int, by_value: bool) -> int:
    """The child that is played: a proven win, else by visits or by value; a proven loss only where all are lost. `NOBODY`
    if none was visited, or if nature moves: then nobody plays it."""
    nodes, node = tree.nodes, home_of(tree, node)
    if nodes[node].turn == 0:
        return int64(NOBODY)
    sign = 1.0 if nodes[node].turn > 0 else -1.0
    best, best_proof, most, second = int64(NOBODY), -2.0, 0.0, 0.0
    first = int64(nodes[node].first)
    for child in range(first, first + int64(nodes[node].tried)):
        games, home = games_by(tree, child), home_of(tree, child)
        if games == 0 or nodes[home].visits == 0:
            continue
        proven = nodes[home].proven
        proof = 0.0 if proven in (UNKNOWN, DRAWN) else sign * proven
        mean = sign * nodes[home].total / nodes[home].visits
        one, two = (mean, float(games)) if by_value else (float(games), mean)
        if best == NOBODY or proof > best_proof or (proof == best_proof and (one > most or (one == most and two > second))):
            best, best_proof, most, second = int64(child), proof, one, two
    return best


@kernel
def read_line(tree: AnyTree, node: int, by_value: bool, out: Any) -> int:
    """Write the moves that would be played from a node on into `out`; return how many."""
    plies = int64(0)
    while plies < out.shape[0]:
        node = best_child(tree, node, by_value)
        if node == NOBODY:
            break
        out[plies] = tree.nodes[node].move
        plies += 1
    return plies


def line_of(tree: AnyTree, by: str, node: int = ROOT) -> list[int]:
    """The moves from a node on that would be played."""
    out = np.zeros(MAX_DEPTH, np.int64)
    return [int(move) for move in out[: read_line(tree, node, by == "value", out)]]


class Seen(NamedTuple):
    """What was sampled through one node: its number, its move, and the games by it; the sums are those of its position."""

    node: int
    move: int
    games: int
    visits: int
    total: float
    squares: float
    proven: int

    @property
    def mean(self) -> float:
        """The mean result for the first player."""
        return self.total / self.visits

    @property
    def error(self) -> float | None:
        """The standard error of the mean, if there are two results or more."""
        if self.visits < 2:
            return None
        variance = max(0.0, self.squares / self.visits - self.mean**2) * self.visits / (self.visits - 1)
        return math.sqrt(variance / self.visits)


def look_at(tree: AnyTree, node: int) -> Seen:
    """What is known of one node."""
    return _seen(tree, range(node, node + 1))[0]


def children(tree: AnyTree, node: int) -> list[Seen]:
    """The children of a node that have been visited."""
    row = tree.nodes[int(home_of(tree, node))]
    first = int(row["first"])
    return [seen for seen in _seen(tree, range(first, first + int(row["tried"]))) if seen.games and seen.visits]


def _seen(tree: AnyTree, span: range) -> list[Seen]:
    """What is known of nodes that stand side by side."""
    ways = homes = tree.nodes[span.start : span.stop]
    games = ways["visits"]
    if isinstance(tree, LinkedTree) and merges(tree) and span.start != ROOT:
        links = tree.links[span.start : span.stop]
        numbers = links["home"].astype(np.int64) - 1
        homes, games = tree.nodes[np.where(numbers >= 0, numbers, np.arange(span.start, span.stop))], links["ways"]
    columns = (ways["move"], games, *(homes[name] for name in ("visits", "total", "squares", "proven")))
    return [Seen(*row) for row in zip(span, *(column.tolist() for column in columns), strict=True)]


def node_count(tree: AnyTree) -> int:
    """How many nodes there are: the root and all that are listed. Threads that share a tree leave room between them."""
    return min(1, int(tree.size[0])) + int(tree.nodes["count"][: int(tree.size[0])].sum(dtype=np.int64))


def depth_histogram(trees: Sequence[AnyTree]) -> tuple[int, ...]:
    """How many positions were visited at each ply, by all threads, each counted where it was met first. Nothing is walked
    through: whoever stops a search does not wait for that."""
    counts = np.sum([tree.path[NEW_AT : NEW_AT + MAX_DEPTH + 1] for tree in trees], axis=0)
    return tuple(np.trim_zeros(counts, "b").tolist())


@kernel
def merge_trees(target: SampleTree, source: SampleTree, pairs: Any) -> bool:
    """Add the games of one tree to another, move by move; False if that has no room. `pairs` is scratch: rows of two, as
    many as `source` has nodes."""
    ours, theirs = target.nodes, source.nodes
    pairs[0, 0], pairs[0, 1] = ROOT, ROOT
    done, known = int64(0), int64(1)
    if target.size[0] == 0:
        target.size[0] = 1
    while done < known:
        to, of = pairs[done, 0], pairs[done, 1]
        done += 1
        ours[to].visits += theirs[of].visits
        ours[to].total += theirs[of].total
        ours[to].squares += theirs[of].squares
        if theirs[of].visits:  # who moves is only known where the tree has been
            ours[to].turn = theirs[of].turn
        if ours[to].proven == UNKNOWN:
            ours[to].proven = theirs[of].proven
        count = int64(theirs[of].count)
        if count == 0:
            continue
        if ours[to].count == 0:
            if target.size[0] + count > ours.shape[0]:
                return False
            ours[to].first, ours[to].count = target.size[0], theirs[of].count
            for i in range(count):
                ours[target.size[0] + i].move = theirs[theirs[of].first + i].move
            target.size[0] += count
        for i in range(int64(theirs[of].tried)):
            child, first = int64(theirs[of].first) + i, int64(ours[to].first)
            at = first
            while ours[at].move != theirs[child].move:
                at += 1
            front = first + int64(ours[to].tried)
            if at >= front:  # those that have been tried stand in front
                ours[at].move, ours[front].move = ours[front].move, ours[at].move
                ours[to].tried += 1
                at = front
            pairs[known, 0], pairs[known, 1] = at, child
            known += 1
    return True

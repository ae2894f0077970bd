"""The tree of proof-number search: every position reached, with its proof and disproof number.

The children of a node stand side by side. `best` is the child that the next expansion goes to, or the one that decided. A
node that is solved may have lost what was below it, when the memory was full: `collect`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.kernel import helper, int64, kernel
from engines.contract import InputError
from engines.parts.proof.numbers import PLIES, ProofKnowledge, Question, bounded, first_numbers, gone_round, set_out, verdict
from engines.rules import INFINITE, LARGEST, MAX_MOVES, Rules, State, moves, play, result, turn
from engines.run.work import END, Work, random_below
from engines.tape.tape import NOBODY, NUMBERED, TERMINAL, Tape, enter, leave

ROOT = 0
DEEPEST = PLIES - 4
"""No position is looked at so many plies from the root: there it counts as neither to be proven nor disproven."""
LEAF, GROWN, BUSY = 0, 1, 2
"""What a node is: not expanded, expanded, or one that a thread works on."""
AVOIDED = LARGEST // 2
"""Both numbers of a node that a thread works on: the others go elsewhere while there is anywhere else to go."""
USED, FULL, AT_PLY = 0, 1, 2
"""What stands in the tree's `size`: how many nodes there are, whether there was no room for more, and from here on how many
nodes there are at each ply."""
PIECE = 2**18
"""How many nodes are looked at in a few milliseconds."""
MOVED_AT, MOVED, COUNTED = 0, 1, 2
"""How far making room has come: nodes looked at, nodes kept, and those of them counted by ply; the counts stand behind."""

NODE = np.dtype(
    [
        ("proof", np.int32),
        ("disproof", np.int32),
        ("parent", np.int32),
        ("first", np.int32),
        ("best", np.int32),
        ("move", np.int32),
        ("below", np.int32),
        ("count", np.uint8),
        ("turn", np.int8),
        ("kind", np.uint8),
        ("over", np.uint8),
    ],
    align=True,
)
"""`first`, `count`: where the children are, and how many; `below`: of a move of the root, how many nodes were made below it;
`over`: 1 if the game is over there, and one more for each ply to its end where a table of solved positions knows it."""


class ProofTree(NamedTuple):
    """All nodes, of which `size[USED]` are in use; `size[FULL]` is 1 if there was no room for more."""

    nodes: Any
    size: Any


def new_proof_tree(megabytes: float, kind: Any = NODE) -> ProofTree:
    """An empty tree that takes at most so much memory; it is really taken only as the tree grows."""
    capacity = max(MAX_MOVES + 1, int(megabytes * 1_000_000) // kind.itemsize)
    try:
        return ProofTree(np.zeros(capacity, np.dtype((np.record, kind))), np.zeros(AT_PLY + PLIES, np.int64))
    except MemoryError:
        raise InputError(f"There is not enough memory for a tree of {megabytes:.0f} MB.") from None


@helper
def new_node(tree: ProofTree, parent: int, move: int, whose: int, proof: int, disproof: int, over: int) -> None:
    """One more node, at the end."""
    node = tree.nodes[tree.size[USED]]
    node.proof, node.disproof, node.parent, node.move = proof, disproof, parent, move
    node.first, node.count, node.best, node.below = 0, 0, NOBODY, 0
    node.turn, node.kind, node.over = whose, LEAF, over
    tree.size[USED] += 1


@helper
def forget(tree: ProofTree) -> None:
    """Empty the tree."""
    for i in range(tree.size.shape[0]):
        tree.size[i] = 0


@helper
def is_solved(node: Any) -> bool:
    """Whether the node is solved."""
    return node.proof == 0 or node.disproof == 0


@helper
def refresh(tree: ProofTree, at: int, work: Work, spread: int) -> bool:
    """Work out a node's numbers from its children's, and which of them is best; True if a number has changed. With `spread`
    any child may be taken whose near number is at most so much above the least, by chance."""
    nodes, node = tree.nodes, tree.nodes[at]
    first, count, whose = int64(node.first), int64(node.count), int64(node.turn)
    least, total, best = int64(INFINITE) + 1, int64(0), first
    endless = False
    for child in range(first, first + count):
        near, far = int64(nodes[child].proof), int64(nodes[child].disproof)
        if whose < 0:
            near, far = far, near
        if near < least:
            least, best = near, int64(child)
        endless = endless or far >= INFINITE
        total += far
    total = int64(INFINITE) if endless else bounded(total)
    if spread > 0 and 0 < least < INFINITE:
        equal = int64(0)
        for child in range(first, first + count):
            near = int64(nodes[child].proof) if whose > 0 else int64(nodes[child].disproof)
            if near <= least + spread and near < AVOIDED:
                equal += 1
                if random_below(work, equal) == 0:
                    best = int64(child)
    proof, disproof = (least, total) if whose > 0 else (total, least)
    changed = proof != node.proof or disproof != node.disproof
    node.proof, node.disproof, node.best = proof, disproof, best
    return changed


@helper
def refresh_above(tree: ProofTree, at: int, work: Work, spread: int) -> None:
    """Bring all nodes from this one up to date, as far as anything changes."""
    while at != NOBODY:
        changed = refresh(tree, at, work, spread)
        if not changed and spread == 0:
            break
        at = int64(tree.nodes[at].parent)


@kernel
def plant(game: Rules, knowledge: ProofKnowledge, question: Question, tree: ProofTree, state: State) -> int:
    """Start a tree that has only its root."""
    whose = turn(game, state)
    proof, disproof = first_numbers(game, question, state, whose)
    forget(tree)
    new_node(tree, int64(NOBODY), int64(END), whose, proof, disproof, int64(0))
    tree.size[AT_PLY] = 1
    return int64(0)


@kernel
def grow(
    game: Rules,
    knowledge: ProofKnowledge,
    work: Work,
    question: Question,
    tree: ProofTree,
    root: State,
    depth: int,
    last: int,
    most: int,
    counts: int,
    spread: int,
) -> int:
    """Expand the most proving node again and again: until the root is solved, or there are `most` nodes, or as many
    iterations as `last`, or the search has to stop. The root is `depth` plies below that of the search; only where `counts`
    is 1 an expansion is an iteration and the way to it is shown."""
    nodes = tree.nodes
    while True:
        # Step 1: is there anything left to do, and may it be done?
        top = nodes[ROOT]
        if is_solved(top) or (top.proof >= INFINITE and top.disproof >= INFINITE):
            break
        if work.iterations >= last or tree.size[USED] >= most:
            break
        if work.nodes >= work.budget:
            work.stopped = 1
            break

        # Step 2: walk down to the most proving node.
        at, state, ply, branch = int64(ROOT), root, depth, int64(NOBODY)
        set_out(game, question, state, ply)
        while nodes[at].kind == GROWN:
            at = int64(nodes[at].best)
            state = play(game, state, int64(nodes[at].move))
            if counts:
                work.line[0, ply] = nodes[at].move
            if ply == depth:
                branch = at
            ply += 1
            if question.remembers:
                result(game, state)  # notes the position as one on the way
            set_out(game, question, state, ply)
        if counts:
            work.line[0, ply] = END
        work.iterations += counts
        work.selective_depth = max(work.selective_depth, ply + 1)

        # Step 3: expand it.
        listed = work.moves[ply]
        count = moves(game, state, listed)
        if work.nodes + count > work.budget:
            work.stopped = 1
            work.iterations -= counts
            break
        if tree.size[USED] + count > nodes.shape[0]:
            tree.size[FULL] = 1
            work.iterations -= counts
            break
        first = int64(tree.size[USED])
        for i in range(count):
            child = play(game, state, listed[i])
            whose = turn(game, child)
            answer = verdict(game, knowledge, question, child, whose)
            if answer == 0 and question.circles:
                answer = gone_round(game, question, child, ply)
            proof, disproof = int64(INFINITE), int64(INFINITE)
            if answer > 0:
                proof = int64(0)
            elif answer < 0:
                disproof = int64(0)
            elif ply + 1 < DEEPEST:
                proof, disproof = first_numbers(game, question, child, whose)
            work.leaves += answer != 0
            new_node(tree, at, listed[i], whose, proof, disproof, question.over)
        tree.size[AT_PLY + ply + 1] += count
        work.nodes += count
        work.tree_nodes += count if counts else int64(0)
        node = nodes[at]
        node.first, node.count, node.kind = first, count, GROWN
        if branch != NOBODY:
            nodes[branch].below += count

        # Step 4: tell all nodes above.
        refresh_above(tree, at, work, spread)
    return int64(0)


# Jobs: a leaf is taken, a second tree grows from it, and the first moves of that come into the first tree.


@kernel
def take_leaf(tree: ProofTree, work: Work, spread: int) -> int:
    """The most proving node, which is then avoided by others; `NOBODY` if all are taken."""
    nodes, at, ply = tree.nodes, int64(ROOT), int64(0)
    while nodes[at].kind == GROWN:
        at = int64(nodes[at].best)
        work.line[0, ply] = nodes[at].move
        ply += 1
    work.line[0, ply] = END
    if nodes[at].kind == BUSY or is_solved(nodes[at]):
        return int64(NOBODY)
    node = nodes[at]
    node.kind, node.proof, node.disproof = BUSY, AVOIDED, AVOIDED
    refresh_above(tree, int64(node.parent), work, spread)
    return at


@kernel
def do_job(
    game: Rules,
    knowledge: ProofKnowledge,
    work: Work,
    question: Question,
    tree: ProofTree,
    inner: ProofTree,
    root: State,
    leaf: int,
    most: int,
    spread: int,
) -> int:
    """Grow a second tree from a leaf of the first one. Returns how deep the leaf is."""
    ply, at = int64(0), leaf
    while tree.nodes[at].parent != NOBODY:
        work.line[1, ply] = tree.nodes[at].move
        at = int64(tree.nodes[at].parent)
        ply += 1
    state = root
    for back in range(ply):
        set_out(game, question, state, int64(back))
        state = play(game, state, work.line[1, ply - 1 - back])
        if question.remembers:
            result(game, state)
    plant(game, knowledge, question, inner, state)
    grow(game, knowledge, work, question, inner, state, ply, int64(2**62), most, int64(0), spread)
    return ply


@kernel
def graft(tree: ProofTree, inner: ProofTree, work: Work, leaf: int, spread: int) -> bool:
    """Put the first moves of the second tree below the leaf of the first one; False if there is no room."""
    node, top = tree.nodes[leaf], inner.nodes[ROOT]
    count = int64(top.count)
    node.kind, node.proof, node.disproof = LEAF, top.proof, top.disproof
    has_room = tree.size[USED] + count <= tree.nodes.shape[0]
    if not has_room:
        tree.size[FULL] = 1
    elif top.kind == GROWN:
        first = int64(tree.size[USED])
        for i in range(count):
            one = inner.nodes[int64(top.first) + i]
            new_node(tree, leaf, int64(one.move), int64(one.turn), int64(one.proof), int64(one.disproof), int64(one.over))
        work.tree_nodes += count
        work.iterations += 1
        node.first, node.count, node.kind = first, count, GROWN
        branch, ply = leaf, int64(leaf != ROOT)
        while tree.nodes[branch].parent > ROOT:
            branch = int64(tree.nodes[branch].parent)
            ply += 1
        tree.size[AT_PLY + ply + 1] += count
        if branch != ROOT:
            tree.nodes[branch].below += inner.size[USED]
    if node.kind == GROWN:
        refresh(tree, leaf, work, spread)
    refresh_above(tree, int64(node.parent), work, spread)
    return has_room


def new_clearing(tree: ProofTree) -> tuple[Any, Any]:
    """What it takes to make room in a tree: see `collect`."""
    return np.zeros(int(tree.size[USED]), np.int32), np.zeros(COUNTED + 1 + PLIES, np.int64)


@kernel
def collect(tree: ProofTree, where: Any, way: Any, most: int) -> bool:
    """Make room: what is below a solved node is not needed any more. Goes on for at most so many nodes, so that whoever
    wants to stop need not wait; true when it is through. `where` is scratch, one for each node; `way` begins with zeros.
    Until it is through, the best line and, once they have moved, the moves of the root can be read, and nothing else."""
    nodes, at, used = tree.nodes, int64(way[MOVED_AT]), int64(way[MOVED])
    end = min(at + most, int64(tree.size[USED]))
    while at < end:
        parent = int64(nodes[at].parent)
        if at != ROOT and (where[parent] == NOBODY or nodes[where[parent]].kind != GROWN):
            where[at] = NOBODY
            at += 1
            continue
        where[at] = used
        nodes[used] = nodes[at]
        node = nodes[used]
        if at != ROOT:
            node.parent = where[parent]
            if nodes[node.parent].first == at:
                nodes[node.parent].first = used
            if nodes[node.parent].best == at:
                nodes[node.parent].best = used
        if is_solved(node) and node.kind == GROWN:
            node.kind, node.count = LEAF, 0
        used += 1
        at += 1
    way[MOVED_AT], way[MOVED] = at, used
    if at < tree.size[USED]:
        return False
    at = int64(way[COUNTED])
    end = min(at + most, used)
    while at < end:  # a parent comes before its children; what moved where is not needed any more
        where[at] = where[nodes[at].parent] + 1 if at != ROOT else int64(0)
        way[COUNTED + 1 + where[at]] += 1
        at += 1
    way[COUNTED] = at
    if at < used:
        return False
    forget(tree)
    tree.size[USED] = used
    for ply in range(PLIES):
        tree.size[AT_PLY + ply] = way[COUNTED + 1 + ply]
    return True


# Reading.


def line_of(tree: ProofTree) -> list[int]:
    """The moves to the most proving node, or those of a proof as far as they are kept."""
    line, at = [], ROOT
    while tree.nodes["kind"][at] == GROWN:
        at = int(tree.nodes["best"][at])
        line.append(int(tree.nodes["move"][at]))
    return line


def root_children(tree: ProofTree) -> list[tuple[int, int, int, int]]:
    """Of each move of the root: the move, its proof number, its disproof number, and how many nodes were made below it."""
    top = tree.nodes[ROOT]
    rows = tree.nodes[int(top["first"]) : int(top["first"]) + int(top["count"])]
    return [(int(row["move"]), int(row["proof"]), int(row["disproof"]), 1 + int(row["below"])) for row in rows]


def nodes_by_ply(tree: ProofTree) -> tuple[int, ...]:
    """How many nodes there are at each ply. Nothing is walked through: whoever stops a search does not wait for that."""
    return tuple(np.trim_zeros(tree.size[AT_PLY:], "b").tolist())


@kernel
def heights(tree: ProofTree, out: Any) -> int:
    """Write for every solved node how many plies it is from the end, as far as the tree tells; children come behind their
    parents, so from the end to the beginning. What is not solved stays as it is."""
    nodes = tree.nodes
    for back in range(tree.size[USED]):
        at = tree.size[USED] - 1 - back
        node = nodes[at]
        if not is_solved(node):
            continue
        longest, soonest = max(int64(node.over) - 1, int64(0)), int64(1 << 20)
        first = int64(node.first)
        for child in range(first, first + int64(node.count)):
            if (nodes[child].proof == 0) == (node.proof == 0) and out[child] >= 0:
                longest, soonest = max(longest, int64(out[child]) + 1), min(soonest, int64(out[child]) + 1)
        chooses = (node.proof == 0) == (node.turn > 0)
        out[at] = soonest if chooses and node.count > 0 else longest
    return int64(0)


@kernel
def write_numbers(tree: ProofTree, tape: Tape, rows: Any, yes: int, no: int) -> None:
    """Write every node on a tape, its numbers where other searches have a window. The value of a node that is solved is
    `yes` or `no`, for the first player. The decider is the best child."""
    nodes = tree.nodes
    for at in range(tree.size[USED]):
        node = nodes[at]
        parent = int64(NOBODY) if at == ROOT else int64(rows[node.parent])
        if at == ROOT or parent != NOBODY:
            rows[at] = enter(tape, parent, node.move, node.turn, 0, node.proof, node.disproof)
        else:
            rows[at] = NOBODY
    for at in range(tree.size[USED]):
        node = nodes[at]
        value = yes if node.proof == 0 else no if node.disproof == 0 else int64(0)
        best = int64(rows[node.best]) if node.kind == GROWN else int64(NOBODY)
        leave(tape, rows[at], TERMINAL if node.over else NUMBERED, value, best)

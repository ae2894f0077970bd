"""Best-first minimax (Korf and Chickering, 1996; with completion: Cohen-Solal, 2021)

**Idea.** Keep the whole tree, and always look further where both sides would go: at the end of the line that now looks best
for both. Expand that position, value the new ones by the evaluation, and pass that up the tree. A line that only looked good
is given up as soon as its value falls; no depth is fixed, and good moves are looked at far deeper than bad ones.

**In short.**

    again and again:
        walk down: at each position take the best child that is not settled
        expand the position at the end, value its children by the evaluation
        walk up: a position is worth what its best child is worth
                 settled is a game that is over; a position with a settled
                 win for whoever moves there; one whose children all are

**Cost.** One expansion for each iteration, and memory for every position: when it is full, the search ends.

**Watch.** It trusts the evaluation and goes deep where that is steady; a position that is valued too low is not looked at
again until everything else has fallen below it. *Completion* mends the end of it: what is settled is known, not believed,
and is never expanded again. When the root is settled, its value is the minimax value of the whole game. A win that is found
is a win, but need not be the quickest.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from engines.algorithm import TABLES, Algorithm
from engines.compiled.kernel import helper, int64, kernel
from engines.contract import Parameter, StoppedBy
from engines.parts.proof.tree import AT_PLY, DEEPEST, FULL, GROWN, LEAF, ROOT, USED, ProofTree, new_proof_tree, nodes_by_ply
from engines.rules import INFINITY, ONGOING, WIN_EDGE, Rules, State, delayed, evaluate, moves, play, result, turn
from engines.run.checkpoints import checkpoints
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.resume import keep, resume
from engines.run.run import Run
from engines.run.work import END, Work
from engines.tape.tape import EXPANDED, HORIZON, NOBODY, TERMINAL, Tape, enter, leave

NODE = np.dtype(
    [
        ("value", np.int32),
        ("parent", np.int32),
        ("first", np.int32),
        ("best", np.int32),
        ("next", np.int32),
        ("move", np.int32),
        ("below", np.int32),
        ("count", np.uint8),
        ("turn", np.int8),
        ("kind", np.uint8),
        ("settled", np.uint8),
    ],
    align=True,
)
"""`value`: for the first player; `best`: the child that the value comes from; `next`: the one to look at next; `below`: of a
move of the root, how many nodes were made below it; `settled`: 1 if nothing can change the value any more."""


@helper
def new_node(tree: ProofTree, parent: int, move: int, whose: int, value: int, settled: bool) -> None:
    """One more node, at the end."""
    node = tree.nodes[tree.size[USED]]
    node.parent, node.move, node.turn, node.value, node.settled = parent, move, whose, value, settled
    node.first, node.count, node.below, node.kind = 0, 0, 0, LEAF
    node.best = node.next = NOBODY
    tree.size[USED] += 1


@helper
def refresh(tree: ProofTree, at: int) -> bool:
    """Work out what a node is worth by its children; True if anything has changed."""
    nodes, node = tree.nodes, tree.nodes[at]
    whose, first = int64(node.turn), int64(node.first)
    best = following = int64(NOBODY)
    for child in range(first, first + int64(node.count)):
        worth = whose * nodes[child].value
        if best == NOBODY or worth > whose * nodes[best].value:
            best = int64(child)
        if not nodes[child].settled and (following == NOBODY or worth > whose * nodes[following].value):
            following = int64(child)
    value = int64(nodes[best].value)
    won = nodes[best].settled > 0 and whose * value >= WIN_EDGE
    settled = won or following == NOBODY
    changed = value != node.value or settled != (node.settled > 0) or following != node.next
    node.value, node.best, node.next, node.settled = value, best, following, settled
    return changed


@kernel
def grow(game: Rules, work: Work, tree: ProofTree, root: State, last: int, remembers: int) -> int:
    """Expand the end of the best line again and again, until the root is settled, or so many expansions were made, or the
    search has to stop."""
    nodes = tree.nodes
    if tree.size[USED] == 0 and work.nodes < work.budget:
        new_node(tree, int64(NOBODY), int64(END), turn(game, root), int64(0), False)
        tree.size[AT_PLY] = 1
        work.nodes += 1
        work.tree_nodes += 1
    while not nodes[ROOT].settled and work.iterations < last:
        # Step 1: may it go on?
        if work.nodes >= work.budget:
            work.stopped = 1
            break

        # Step 2: walk down the best line.
        at, state, ply, branch = int64(ROOT), root, int64(0), int64(NOBODY)
        while nodes[at].kind == GROWN:
            at = int64(nodes[at].next)
            state = play(game, state, int64(nodes[at].move))
            work.line[0, ply] = nodes[at].move
            if ply == 0:
                branch = at
            ply += 1
            if remembers:
                result(game, state)  # notes the position as one on the way
        work.line[0, ply] = END
        work.selective_depth = max(work.selective_depth, ply + 1)

        # Step 3: expand its end.
        listed = work.moves[ply]
        count = moves(game, state, listed)
        if work.nodes + count > work.budget:
            work.stopped = 1
            break
        if tree.size[USED] + count > nodes.shape[0]:
            tree.size[FULL] = 1
            break
        work.iterations += 1
        first = int64(tree.size[USED])
        for i in range(count):
            child = play(game, state, listed[i])
            whose, value = turn(game, child), result(game, child)
            over = value != ONGOING
            if over:
                value = delayed(value, ply + 1)
            else:
                value = evaluate(game, child)
                work.evaluations += 1
            deepest = not over and ply + 1 >= DEEPEST
            work.guesses += deepest
            new_node(tree, at, listed[i], whose, whose * value, over or deepest)
        tree.size[AT_PLY + ply + 1] += count
        work.nodes += count
        work.leaves = work.nodes - work.iterations
        work.tree_nodes += count
        node = nodes[at]
        node.first, node.count, node.kind = first, count, GROWN
        if branch != NOBODY:
            nodes[branch].below += count

        # Step 4: tell all nodes above.
        while at != NOBODY:
            if not refresh(tree, at):
                break
            at = int64(nodes[at].parent)
    return int64(0)


@kernel
def write_values(tree: ProofTree, tape: Tape, rows: Any) -> None:
    """Write every node on a tape, values for the first player."""
    nodes = tree.nodes
    for at in range(tree.size[USED]):
        node = nodes[at]
        parent = int64(NOBODY) if at == ROOT else int64(rows[node.parent])
        rows[at] = NOBODY
        if at == ROOT or parent != NOBODY:
            rows[at] = enter(tape, parent, node.move, node.turn, 0, -INFINITY, INFINITY)
    for at in range(tree.size[USED]):
        node = nodes[at]
        best, kind = int64(NOBODY), HORIZON
        if node.kind == GROWN:
            best, kind = int64(rows[node.best]), EXPANDED
        elif node.settled:
            kind = TERMINAL
        leave(tape, rows[at], kind, int64(node.value), best)


class BestFirst:
    """A tree that grows where both sides would go."""

    def __init__(self, run: Run) -> None:
        megabytes = int(run.parameters["memory"])
        self.tree = new_proof_tree(megabytes if run.memory.most is None else min(megabytes, run.memory.most), NODE)

    @property
    def full(self) -> bool:
        """Whether the memory is used up."""
        return bool(self.tree.size[FULL])

    @property
    def done(self) -> bool:
        """Whether the root's value is settled."""
        return bool(self.tree.nodes["settled"][ROOT])

    def advance(self, run: Run, last: int) -> None:
        """Grow until there were so many expansions."""
        for upto in run.steps(last, self):
            grow(run.rules, run.work, self.tree, run.position.state, upto, int(run.position.game.remembers))

    def line(self, at: int = ROOT) -> list[int]:
        """The line that is best for both from a node on."""
        nodes, line = self.tree.nodes, []
        while nodes["kind"][at] == GROWN:
            at = int(nodes["best"][at])
            line.append(int(nodes["move"][at]))
        return line

    def belief(self, run: Run) -> DepthResult:
        """The result so far."""
        nodes, sign = self.tree.nodes, run.position.turn
        found = DepthResult(depth=len(run.depths) + 1, iterations=int(run.work.iterations))
        top = nodes[ROOT]
        found.value = sign * int(top["value"])
        found.exact = self.done and not run.work.guesses
        found.line = self.line()
        first = int(top["first"])
        for at in range(first, first + int(top["count"])):
            node = nodes[at]
            value, settled = int(node["value"]), bool(node["settled"])
            proven = (1 if value >= WIN_EDGE else -1 if value <= -WIN_EDGE else 2) if settled else 0
            found.root_moves.append(
                MoveResult(
                    move=int(node["move"]),
                    value=sign * value,
                    bound="exact",
                    nodes=1 + int(node["below"]),
                    line=[int(node["move"]), *self.line(at)],
                    proven=proven if run.position.game.has_winner else 0,
                )
            )
        found.root_moves.sort(key=lambda row: (row.move != (found.line[0] if found.line else None), -row.value))
        return found

    def record(self, run: Run) -> None:
        """Write the tree on the tape."""
        write_values(self.tree, run.tape, np.full(int(self.tree.size[USED]), NOBODY, np.int64))


def search(run: Run) -> SearchResult:
    """Grow the tree to the limit."""
    grower, _ = resume(run, "best-first", lambda: BestFirst(run))
    began = perf_counter()
    checkpoints(run, grower.advance, lambda run: [grower.belief(run)], lambda: grower.done or grower.full)
    keep(run, began)
    if isinstance(run.tape, Tape):
        grower.record(run)
    best = run.depths[-1] if run.depths else DepthResult(depth=0)
    stopped_by: StoppedBy = "iterations"
    if grower.done:
        stopped_by = "solved" if best.exact else "depth"
    elif run.work.stopped:
        stopped_by = "request"
    elif grower.full:
        stopped_by = "memory"
    return SearchResult(
        best=best,
        depths=run.depths,
        stopped_by=stopped_by,
        knows_distance=False,
        tree_depths=nodes_by_ply(grower.tree) if run.depths else (),
    )


ALGORITHM = Algorithm(
    id="best-first",
    name="Best-first minimax",
    year=1996,
    summary="always expands the end of the line that looks best for both sides",
    family="alpha-beta",
    needs=("opponent", "ends"),
    search=search,
    limits=("iterations", "nodes", "seconds"),
    parameters=(
        Parameter(
            name="memory",
            default=256,
            low=1,
            high=65_536,
            sentence="The memory for the tree, in megabytes; the search ends when it is full.",
        ),
        TABLES,
    ),
    steps={
        "began": "again and again",
        "selected": "walk down: at",
        "expanded": "expand the position",
        "updated": "walk up: a position",
        "settled": "settled is a game",
    },
    view="first",
    expands=True,
)

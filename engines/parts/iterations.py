"""The driver of searches that sample: iterations up to the limit, and what the tree says now and then, and at last."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from engines.algorithm import Found, FoundDepth, FoundMove, Run
from engines.contract import StoppedBy
from engines.parts.playout import Uniform
from engines.parts.sampling import (
    DRAWN,
    FIRST_WINS,
    MEAN,
    ROOT,
    UNKNOWN,
    SampleTree,
    best_child,
    children,
    line_of,
    new_tree,
    write_tape,
)
from engines.parts.tape import NOBODY, Tape
from engines.parts.work import Work

DEFAULT_ITERATIONS = 10_000
"""So many, if no limit is given."""
GROWTH = 1.25
"""Each checkpoint comes after so many times as many iterations as the one before."""
CARRIED = (
    "nodes",
    "leaves",
    "evaluations",
    "selective_depth",
    "iterations",
    "playouts",
    "tree_nodes",
    "playout_moves",
    "random",
)
"""What is counted on where a search goes on with the tree of an earlier one."""


def uniform_player(run: Run) -> Uniform:
    """Who plays the random games: to the end, or so many plies until the evaluation judges."""
    return Uniform(int(run.parameters["playout_depth"]), float(4 * run.position.game.margin))


@dataclass
class Kept:
    """A tree that has grown so far, and what was counted meanwhile: a search that asks for more goes on from here."""

    what: tuple[object, ...]
    tree: SampleTree
    work: Work
    depths: list[FoundDepth]
    seconds: float


def kept_tree(run: Run, algorithm: str) -> SampleTree:
    """The tree of an earlier search that this one only prolongs, with its counters; else a new one."""
    position = run.position  # not its text: that of a large tree takes longer to write than some searches
    what = (algorithm, position.game, position.start, position.played, tuple(run.parameters.items()), int(run.work.random))
    kept = run.memory.kept
    last = run.limit.iterations
    if isinstance(kept, Kept) and kept.what == what and (last is None or last >= kept.work["iterations"]):
        for name in CARRIED:
            run.work[name] = kept.work[name]
        run.depths[:] = kept.depths
        run.earlier_seconds = kept.seconds
        return kept.tree
    megabytes = int(run.parameters.get("memory", 16))
    tree = new_tree(min(megabytes, run.memory.most or megabytes))
    run.memory.kept = Kept(what, tree, run.work, run.depths, 0.0)
    return tree


def sample_until_done(run: Run, tree: SampleTree, advance: Callable[[int], None]) -> Found:
    """Call `advance` for more and more iterations of a tree, and note at each checkpoint what is believed."""
    limit, work = run.limit, run.work
    last = limit.iterations
    if last is None:
        last = DEFAULT_ITERATIONS if limit.nodes is None and limit.seconds is None else 2**62
    by = str(run.parameters.get("final", "value"))
    began, nodes, leaves = perf_counter(), int(work.nodes), int(work.leaves)
    first = began - run.earlier_seconds
    while not work.stopped and work.iterations < last and tree.nodes["proven"][ROOT] == UNKNOWN:
        run.depth = len(run.depths) + 1
        advance(min(last, next_checkpoint(int(work.iterations))) - int(work.iterations))
        if work.iterations > (run.depths[-1].iterations or 0 if run.depths else 0):
            row = belief(run, tree, by)
            row.nodes, row.leaves, row.seconds = int(work.nodes) - nodes, int(work.leaves) - leaves, perf_counter() - began
            began, nodes, leaves = perf_counter(), int(work.nodes), int(work.leaves)
            run.depths.append(row)
    if isinstance(run.tape, Tape):
        write_tape(tree, run.tape, np.full(int(tree.size[0]), NOBODY, np.int64))
    if isinstance(run.memory.kept, Kept):
        run.memory.kept = replace(run.memory.kept, work=work.copy(), depths=list(run.depths), seconds=perf_counter() - first)
    solved = tree.nodes["proven"][ROOT] != UNKNOWN
    stopped_by: StoppedBy = "solved" if solved else "request" if work.stopped else "iterations"
    return Found(
        best=run.depths[-1] if run.depths else FoundDepth(depth=0),
        depths=run.depths,
        stopped_by=stopped_by,
        knows_distance=False,
        tree_depths=depth_histogram(tree),
        playout_plies=float(work.playout_moves) / float(work.playouts) if work.playouts else None,
    )


def next_checkpoint(iterations: int) -> int:
    """1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15 ...: the same whatever the limit is."""
    checkpoint = 1
    while checkpoint <= iterations:
        checkpoint = max(checkpoint + 1, int(checkpoint * GROWTH))
    return checkpoint


def belief(run: Run, tree: SampleTree, by: str) -> FoundDepth:
    """What the tree says now."""
    nodes, sign = tree.nodes, run.position.turn
    found = FoundDepth(depth=len(run.depths) + 1, iterations=int(run.work.iterations))
    for child in children(tree, ROOT):
        if nodes["visits"][child]:
            mean, error = mean_and_error(tree, child)
            found.root_moves.append(
                FoundMove(
                    move=int(nodes["move"][child]),
                    value=millionths(mean, sign),
                    bound="exact",
                    nodes=int(nodes["visits"][child]),
                    line=[int(nodes["move"][child])],
                    visits=int(nodes["visits"][child]),
                    error=error,
                )
            )
    best = best_child(tree, ROOT, by)
    mean, found.error = mean_and_error(tree, ROOT if best is None else best)
    proven = int(nodes["proven"][ROOT])
    if proven != UNKNOWN:
        mean, found.error, found.exact = 0.5 if proven == DRAWN else float(proven == FIRST_WINS), 0.0, True
    found.value = millionths(mean, sign)
    found.line = line_of(tree, by)
    found.root_moves.sort(key=lambda row: (row.move != (found.line[0] if found.line else None), -(row.visits or 0)))
    return found


def millionths(mean: float, sign: int) -> int:
    """A mean for the first player as a value for the side to move."""
    return round(MEAN * (mean if sign > 0 else 1.0 - mean))


def mean_and_error(tree: SampleTree, node: int) -> tuple[float, float | None]:
    """The mean of a node's samples for the first player, and its standard error if there are two or more."""
    row = tree.nodes[node]
    visits = int(row["visits"])
    mean = float(row["total"]) / visits
    if visits < 2:
        return mean, None
    variance = max(0.0, float(row["squares"]) / visits - mean * mean) * visits / (visits - 1)
    return mean, math.sqrt(variance / visits)


def depth_histogram(tree: SampleTree) -> tuple[int, ...]:
    """How many visited nodes there are at each ply."""
    nodes = tree.nodes[: int(tree.size[0])]
    counts: list[int] = []
    level = np.array([ROOT])
    while level.size:
        level = level[nodes["visits"][level] > 0]
        if not level.size:
            break
        counts.append(int(level.size))
        firsts, tried = nodes["first"][level].astype(np.int64), nodes["tried"][level].astype(np.int64)
        starts = np.repeat(firsts - np.concatenate(([0], np.cumsum(tried)[:-1])), tried)
        level = starts + np.arange(int(tried.sum()))
    return tuple(counts)

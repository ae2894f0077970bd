"""The driver of searches that sample: iterations up to the limit, and what the tree says now and then, and at last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from time import perf_counter
from typing import Any

import numpy as np

from engines.contract import StoppedBy
from engines.parts.sampling.playout import Uniform
from engines.parts.sampling.threads import SamplingThreads
from engines.parts.sampling.tree import (
    DRAWN,
    FIRST_WINS,
    MOST_VISITS,
    ROOT,
    SECOND_WINS,
    UNKNOWN,
    AnyTree,
    Seen,
    children,
    depth_histogram,
    line_of,
    look_at,
)
from engines.parts.sampling.tree_tape import write_tape
from engines.rules import MEAN
from engines.run.checkpoints import Mark, last_iteration, next_checkpoint, note_row
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.resume import Resumable, keep, resume
from engines.run.run import Run
from engines.run.work import Work, counters
from engines.tape.tape import NOBODY, Tape


def uniform_player(run: Run) -> Uniform:
    """The uniform playout policy: to the end of the game, or so many plies until the evaluation judges."""
    return Uniform(int(run.parameters["playout_depth"]), float(4 * run.position.game.margin))


@dataclass
class Sampler:
    """The state of a sampling search: its threads with their trees, and the playout policy."""

    team: SamplingThreads
    player: Any

    @property
    def tree(self) -> AnyTree:
        """The first thread's tree."""
        return self.team.tree


def resumed_threads(
    run: Run, algorithm: str, new_team: Callable[[], SamplingThreads], new_player: Callable[[], Any]
) -> tuple[SamplingThreads, Any]:
    """The team and the player of an earlier search that this one only prolongs, with its counters; else new ones."""

    def spent(kept: Resumable[Sampler]) -> tuple[int, int]:
        return counted(kept.work, kept.grown.team), counted(kept.work, kept.grown.team, "nodes")

    sampler, _ = resume(run, algorithm, lambda: Sampler(new_team(), new_player()), spent)
    sampler.team.begin(run)
    return sampler.team, sampler.player


def counted(work: Work, team: SamplingThreads, name: str = "iterations") -> int:
    """The counters of all threads, added up."""
    return int(work[name]) + sum(int(other[name]) for other in team.helpers)


def sample_until_done(
    run: Run, team: SamplingThreads, advance: Callable[[int], None], foresees: bool = True
) -> SearchResult:
    """Call `advance` for more and more iterations, and note at each checkpoint what is believed. `foresees`: the formula of
    UCT says what comes next, so that it can be written on a tape."""
    work = run.work
    last = min(last_iteration(run), MOST_VISITS // team.how.batch)
    by = str(run.parameters.get("final", "value"))
    mark = Mark(perf_counter(), counted(work, team, "nodes"), counted(work, team, "leaves"))
    began = mark.time
    while not work.stopped and (so_far := counted(work, team)) < last and team.proven == UNKNOWN:
        run.depth = len(run.depths) + 1
        for upto in run.steps(min(last, next_checkpoint(so_far)), team):
            advance(upto - counted(work, team))
        if counted(work, team) > (run.depths[-1].iterations or 0 if run.depths else 0):
            row = belief(run, team, by)
            mark = note_row(run, row, mark, counted(work, team, "nodes"), counted(work, team, "leaves"))
    if isinstance(run.tape, Tape):
        trees = team.recorded()
        grown = len(trees) == len(team.own_trees)  # else they were put together, and none is the one that grows
        for tree in trees:
            rows, order = np.full(int(tree.size[0]), NOBODY, np.int64), np.zeros(int(tree.size[0]), np.int64)
            write_tape(tree, run.tape, rows, order, team.how._replace(shared=0), foresees and grown)
    keep(run, began)
    stopped_by: StoppedBy = "solved" if team.proven != UNKNOWN else "request" if work.stopped else "iterations"
    playouts = counted(work, team, "playouts")
    return SearchResult(
        best=run.depths[-1] if run.depths else DepthResult(depth=0),
        depths=run.depths,
        stopped_by=stopped_by,
        knows_distance=False,
        tree_depths=depth_histogram(team.trees),
        playout_plies=counted(work, team, "playout_moves") / playouts if playouts else None,
        by_thread=tuple(counters(one) for one in (work, *team.helpers)) if team.helpers else (),
    )


def belief(run: Run, team: SamplingThreads, by: str) -> DepthResult:
    """The result so far, from all trees together."""
    sign = run.position.turn
    found = DepthResult(depth=len(run.depths) + 1, iterations=counted(run.work, team))
    moves = root_moves(team)
    for seen in moves:
        found.root_moves.append(
            MoveResult(
                move=seen.move,
                value=millionths(seen.mean, sign),
                bound="exact",
                nodes=seen.games,
                line=[seen.move],
                visits=seen.games,
                error=seen.error,
                proven=seen.proven,
            )
        )

    def preference(seen: Seen) -> tuple[int, float, float]:
        proof = 0 if seen.proven in (UNKNOWN, DRAWN) else sign * seen.proven
        mean, games = sign * seen.mean, float(seen.games)
        return (proof, games, mean) if by == "visits" else (proof, mean, games)

    best = None if run.position.by_chance else max(moves, key=preference, default=None)
    believed = best or reduce(added, (look_at(tree, ROOT) for tree in team.own_trees))
    mean, found.error, found.samples = believed.mean, believed.error, believed.games
    if team.proven != UNKNOWN:
        mean, found.error, found.exact = {FIRST_WINS: 1.0, SECOND_WINS: 0.0, DRAWN: 0.5}[team.proven], 0.0, True
        found.samples = None
    found.value = millionths(mean, sign)
    if best is not None:
        found.line = [best.move, *line_behind(team, best, by)]
    found.root_moves.sort(key=lambda row: (row.move != (found.line[0] if found.line else None), -(row.visits or 0)))
    return found


def root_moves(team: SamplingThreads) -> list[Seen]:
    """What was sampled through each move of the root, in all trees together."""
    if len(team.own_trees) == 1:
        return children(team.tree, ROOT)
    sums: dict[int, Seen] = {}
    for tree in team.own_trees:
        for seen in children(tree, ROOT):
            one = sums.get(seen.move)
            sums[seen.move] = seen if one is None else added(one, seen)
    return list(sums.values())


def added(one: Seen, other: Seen) -> Seen:
    """What two trees saw of the same move."""
    return one._replace(
        games=one.games + other.games,
        visits=one.visits + other.visits,
        total=one.total + other.total,
        squares=one.squares + other.squares,
        proven=one.proven or other.proven,
    )


def line_behind(team: SamplingThreads, best: Seen, by: str) -> list[int]:
    """How a move of the root goes on, in the tree that visited it most."""
    if len(team.own_trees) == 1:
        return line_of(team.tree, by, best.node)
    found = [(seen, tree) for tree in team.own_trees for seen in children(tree, ROOT) if seen.move == best.move]
    seen, tree = max(found, key=lambda pair: pair[0].games)
    return line_of(tree, by, seen.node)


def millionths(mean: float, sign: int) -> int:
    """A mean for the first player as a value for the side to move."""
    return round(MEAN * (mean if sign > 0 else 1.0 - mean))

"""A tree that grew by sampling, written on a tape: every node that was visited, and what the search would do there next."""

from __future__ import annotations

from typing import Any

from engines.compiled.kernel import helper, int64, kernel
from engines.parts.sampling.iteration import Growth, one_of_tried
from engines.parts.sampling.tree import ROOT, UNKNOWN, AnyTree, games_by, home_of
from engines.rules import MEAN, SUM
from engines.run.work import END
from engines.tape.tape import NOBODY, SAMPLED, Tape, enter, leave

PROVEN, VISITS, FOLLOWING = 1, 2, 3
"""Where in `more` it stands what is proven of a node; how many games came through its position, by whatever way; and what is
looked at next there: the row of a child, or one of these."""
NOTHING, UNTRIED, ELSEWHERE = 0, -1, -2
"""Nothing is foretold; a move that was never tried; the position was met first on another way, and goes on there."""


@kernel
def write_tape(tree: AnyTree, tape: Tape, rows: Any, order: Any, how: Growth, foresees: bool) -> None:
    """Write every visited node on a tape: its visits and its own samples' sum stand where other searches have a window.
    A way to a position that has its home elsewhere has no children here; its decider is the home's row, if there is one.
    `how` is that of one thread, and with `foresees` it says what comes next. `rows` and `order` are scratch, as long as the
    tree; `rows` is full of `NOBODY`. A child may stand before its parent in a tree that threads share, never on a tape."""
    nodes = tree.nodes
    order[0], done, known = int64(ROOT), int64(0), int64(1)
    while done < known:
        node = int64(order[done])
        done += 1
        home = home_of(tree, node)
        games = games_by(tree, node) if node != ROOT else int64(nodes[node].visits)
        if games == 0 or nodes[home].visits == 0:
            continue
        if node == ROOT:
            rows[node] = enter(tape, NOBODY, END, nodes[node].turn, 0, nodes[node].visits, 0)
        row, total, best = rows[node], 0.0, int64(NOBODY)
        if home != node:
            best = rows[home]
        first, most = int64(nodes[node].first), int64(0)
        for child in range(first, first + int64(nodes[node].tried)):
            by, there = games_by(tree, child), home_of(tree, child)
            if by == 0 or nodes[there].visits == 0:
                continue
            rows[child] = enter(tape, row, nodes[child].move, nodes[there].turn, 0, by, 0)
            order[known] = child
            known += 1
            total += by * (nodes[there].total / nodes[there].visits)
            if by > most:
                most, best = by, rows[child]
        mean = nodes[home].total / nodes[home].visits
        leave(tape, row, SAMPLED, int64(round(MEAN * mean)), best)
        if row != NOBODY:
            tape.beta[row] = int64(round(SUM * (games * mean - total)))
            tape.more[row, PROVEN], tape.more[row, VISITS] = nodes[home].proven, nodes[home].visits
            if home != node:
                tape.more[row, FOLLOWING] = ELSEWHERE
            elif foresees:
                tape.more[row, FOLLOWING] = foretold(tree, rows, node, how)


@helper
def foretold(tree: AnyTree, rows: Any, node: int, how: Growth) -> int:
    """What is looked at next at a node: the row of a child, `UNTRIED`, or `NOTHING` where nobody chooses."""
    nodes, tried = tree.nodes, int64(tree.nodes[node].tried)
    if nodes[node].turn == 0 or nodes[node].proven != UNKNOWN or nodes[node].count == 0:
        return int64(NOTHING)
    first = int64(nodes[node].first)
    for child in range(first, first + tried):
        if games_by(tree, child) == 0:  # a thread was stopped on its way there; who comes first will take it
            return int64(NOTHING)
    child = one_of_tried(tree, node, tried, how)
    if child == NOBODY:
        return int64(UNTRIED)
    return max(int64(NOTHING), int64(rows[child]))  # a child that no longer fitted on the tape has no row

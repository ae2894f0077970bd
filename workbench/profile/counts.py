"""Counts the nodes of a recorded search in several ways, each of which adds up to all of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engines.contract import InputError
from engines.tape.alignment import can_be_aligned
from engines.tape.recording import Column, Recording
from engines.tape.tape import ASIDE, NOBODY
from workbench.profile.types import CAUSES, Cause, CauseRow, DepthProfile, Flame, Profile
from workbench.recordings.bounds import has_windows
from workbench.recordings.navigation import follow
from workbench.recordings.why.nodes import line_names, move_name

NAMES: tuple[Cause, ...] = tuple(CAUSES)
LEAST_SHARE = 0.02
"""A subtree with a smaller share of all that is shown is one of the others."""
MOST_PLIES = 6


def profile_of(recording: Recording, line: str = "") -> Profile:
    """Where the nodes of a search went. `line`: show the subtrees below these moves, in the pass with the most nodes."""
    algorithm, report = recording.algorithm, recording.report
    if not can_be_aligned(algorithm) or not has_windows(recording):
        raise InputError(f"{algorithm.id} does not search depth first with windows: only such searches have a profile.")
    tops = _tops(recording, line)
    least = LEAST_SHARE * sum(map(recording.subtree_size, tops))
    return Profile(
        game=report.game,
        size=report.size,
        position=report.position,
        algorithm=report.algorithm,
        nodes=recording.nodes,
        recorded=len(recording),
        causes=cause_rows(recording),
        depths=depth_rows(recording),
        plies=tuple(recording.by_ply()),
        line=tuple(line_names(recording, tops[0])) if line else (),
        flames=tuple(flame(recording, top, least, MOST_PLIES) for top in tops),
    )


def _tops(recording: Recording, line: str) -> list[int]:
    """The nodes whose subtrees are shown."""
    roots: list[int] = recording.roots().tolist()
    if not line:
        return roots
    top, problem = follow(recording, max(roots, key=recording.subtree_size), line)
    if problem is not None:
        raise InputError(problem)
    return [top]


def cause_rows(recording: Recording) -> tuple[CauseRow, ...]:
    """What every cause made, the largest first."""
    own = own_causes(recording)
    found, begins = own.copy(), own != 0
    order = np.argsort(recording.ply, kind="stable")
    ends = np.cumsum(np.bincount(recording.ply))
    for first, last in pairwise(ends.tolist()):
        nodes = order[first:last]
        above = found[recording.parent[nodes]]
        found[nodes] = np.where(above != 0, above, own[nodes])
        begins[nodes] &= above == 0
    nodes, entries = (np.bincount(some, minlength=len(NAMES)).tolist() for some in (found, found[begins]))
    rows = [
        CauseRow(cause=name, entries=entries[number], nodes=nodes[number])
        for number, name in enumerate(NAMES)
        if nodes[number]
    ]
    return tuple(sorted(rows, key=lambda row: -row.nodes))


def own_causes(recording: Recording) -> Column:
    """For each node the number of the cause that begins with it; 0 if none does."""
    parent, move, depth = recording.parent, recording.move, recording.depth
    causes = np.zeros(len(recording), np.int8)
    inner = np.flatnonzero(parent != NOBODY)
    above = parent[inner]
    aside, pseudo = recording.kind[inner] == ASIDE, move[inner] < 0
    same = recording.turn[inner] == recording.turn[above]
    holds: dict[Cause, Column] = {
        "pass": pseudo & ~same,
        "trial": pseudo & same,
        "first try": aside,
        "research": _tried_before(recording)[inner],
        "quiescence": _is_on(recording, "quiescence") & (depth[above] <= 0),
        "extension": _is_on(recording, "check_extension", "singular_extension") & (depth[inner] >= depth[above]),
    }
    causes[inner] = np.select(list(holds.values()), [NAMES.index(name) for name in holds], 0)
    seen: set[int] = set()
    for root in recording.roots().tolist():
        causes[root] = NAMES.index("again") if int(depth[root]) in seen else 0
        seen.add(int(depth[root]))
    return causes


def _is_on(recording: Recording, *switches: str) -> bool:
    """Whether a search has one of these switches, and it is on."""
    return any(bool(recording.parameters.get(switch)) for switch in switches)


def _tried_before(recording: Recording) -> Column:
    """Which nodes are moves that their search had tried already, just before, and set aside."""
    again = np.zeros(len(recording), np.bool_)
    tries = np.flatnonzero((recording.kind == ASIDE) & (recording.move >= 0))
    following = tries + recording._index[2][tries]  # the next node that is not below the first try
    tries, following = tries[following < len(recording)], following[following < len(recording)]
    same = recording.parent[tries] == recording.parent[following]
    again[following[same & (recording.move[tries] == recording.move[following])]] = True
    return again


def depth_rows(recording: Recording) -> tuple[DepthProfile, ...]:
    """The passes over the root, depth by depth."""
    rows: list[DepthProfile] = []
    roots = recording.roots()
    for depth in sorted(set(recording.depth[roots].tolist())):
        passes = [root for root in roots.tolist() if recording.depth[root] == depth]
        nodes = sum(map(recording.subtree_size, passes))
        growth = nodes / rows[-1].nodes if rows else None
        rows.append(DepthProfile(depth=depth, passes=len(passes), nodes=nodes, growth=growth))
    return tuple(rows)


def flame(recording: Recording, node: int, least: float, plies: int) -> Flame:
    """A subtree with those below it that have enough nodes, so many plies down."""
    children: list[int] = recording.children(node).tolist()
    sizes = {child: recording.subtree_size(child) for child in children}
    large = sorted((child for child in children if plies > 0 and sizes[child] >= least), key=lambda child: -sizes[child])
    others = [child for child in children if child not in large]
    return Flame(
        node=node,
        move=move_name(recording, node),
        nodes=recording.subtree_size(node),
        below=tuple(flame(recording, child, least, plies - 1) for child in large),
        others=len(others),
        other_nodes=sum(sizes[child] for child in others),
    )

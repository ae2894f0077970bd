"""Why two searches part at a place, as far as their tapes say it: a reason of `REASONS` for many places at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engines.tape.alignment import ONLY_SECOND, ORDER, PARTS, RETRY, TRIAL
from engines.tape.recording import Column, Recording
from engines.tape.tape import CUT, HORIZON, NOBODY, OPEN, PRUNED, QUIET, TABLE, TERMINAL
from workbench.difference.alignment import Aligned, NodePair
from workbench.difference.types import REASONS, Reason, ReasonRow

NAMES: tuple[Reason, ...] = tuple(REASONS)


def reasons_at(both: Aligned, nodes: Column) -> Column:
    """The numbers of the reasons, in the order of `REASONS`, at places where both searches were: nodes of the first tape."""
    first, second, marks = both.first, both.second, both.marks[nodes]
    twins = both.partner[nodes]
    ends = first.kind[nodes], second.kind[twins]
    shorter = np.where(marks & ONLY_SECOND, *ends)
    windows = (first.alpha[nodes] != second.alpha[twins]) | (first.beta[nodes] != second.beta[twins])
    holds: dict[Reason, Column] = {
        "cut short": _is_open(first, nodes) != _is_open(second, twins),
        "depth": (first.depth[nodes] != second.depth[twins]) & (first.parent[nodes] != NOBODY),
        "table": _is_one_of(ends[0], (TABLE, TERMINAL)) != _is_one_of(ends[1], (TABLE, TERMINAL)),
        "pruned": (ends[0] == PRUNED) != (ends[1] == PRUNED),
        "trial": (marks & TRIAL) != 0,
        "again": (marks & RETRY) != 0,
        "quiescence": _quiescence_differs(first, second) & (_plays_out(ends[0]) | _plays_out(ends[1])),
        "order": (marks & ORDER) != 0,
        "window": windows,
        "value": _is_one_of(shorter, (CUT, QUIET)) | (marks & PARTS == 0),
        "moves": np.ones(len(nodes), np.bool_),
    }
    found: Column = np.select(list(holds.values()), [NAMES.index(name) for name in holds])
    return found


def reason_of(both: Aligned, spot: NodePair) -> Reason:
    """Why the searches part at one place."""
    if spot.first != NOBODY and spot.second != NOBODY:
        return NAMES[int(reasons_at(both, np.array([spot.first]))[0])]
    one, other, node = (
        (both.first, both.second, spot.first) if spot.second == NOBODY else (both.second, both.first, spot.second)
    )
    above = int(one.parent[node])
    if above == NOBODY:
        return "pass" if int(one.depth[node]) in other.depth[other.roots()] else "iteration"
    return reason_of(both, both.spot(above if one is both.first else int(both.other[above])))


def reason_rows(both: Aligned) -> tuple[ReasonRow, ...]:
    """What came of every reason, over all places where the searches part."""
    places = both.parting
    codes, (mine, theirs) = reasons_at(both, places), both.own
    lone = [(NAMES.index(reason_of(both, spot)), *both.nodes(spot)) for spot in both.lone_roots]
    rows = []
    for code, name in enumerate(NAMES):
        here = places[codes == code]
        roots = [row for row in lone if row[0] == code]
        first = int(mine[here].sum()) + sum(row[1] for row in roots)
        second = int(theirs[here].sum()) + sum(row[2] for row in roots)
        if len(here) + len(roots):
            row = ReasonRow(
                reason=name,
                places=len(here) + len(roots),
                first_only=first,
                second_only=second,
                difference=second - first,
            )
            rows.append(row)
    return tuple(sorted(rows, key=lambda row: -abs(row.difference)))


def _is_one_of(kinds: Column, wanted: Iterable[int]) -> Column:
    return np.isin(kinds, list(wanted))


def _plays_out(kinds: Column) -> Column:
    return _is_one_of(kinds, (HORIZON, QUIET))


def _quiescence_differs(first: Recording, second: Recording) -> bool:
    return bool(first.parameters.get("quiescence")) != bool(second.parameters.get("quiescence"))


def _is_open(recording: Recording, nodes: Column) -> Column:
    """Whether the nodes were not finished, or what came below them may not be on the tape."""
    unfinished: Column = recording.kind[nodes] == OPEN
    if recording.complete:
        return unfinished
    return unfinished | np.isin(nodes, recording.path(len(recording) - 1))

"""An examiner of principal variations: it plays them by naive rules, and evaluates their ends by naive evaluations.

For every line of a report (the main one, those of all depths, and those of root moves) it may find an illegal move, or a
line marked complete that ends where the search cannot have ended, or at a position with another value than the one shown.
Lines marked as cut short are counted, but are not faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engines.contract import Report
from tests.naive import games as naive
from tests.naive.games import Naive, Value
from tests.naive.quiescence import quiet


@dataclass
class Examined:
    """What the examiner has found."""

    lines: int = 0
    short: int = 0
    faults: list[str] = field(default_factory=list)
    short_by: Counter[str] = field(default_factory=Counter)
    """The number of lines that were cut short, by search."""


def examine(position: Naive, report: Report, said: str, seen: Examined) -> None:
    """Examine all lines of a report of a depth-limited search."""
    quiescence = bool(report.parameters.get("quiescence"))
    lines = [(report.pv, report.pv_cut_short, report.value, report.depth)] if report.pv else []
    lines += [(row.pv, row.pv_cut_short, row.value, row.depth) for row in report.depths if row.pv]
    lines += [(row.pv, row.pv_cut_short, row.value, report.depth) for row in report.root_moves if row.pv]
    for moves, short, value, depth in lines:
        seen.lines += 1
        seen.short += short
        seen.short_by[report.algorithm] += short
        end = _played(position, moves)
        if end is None:
            seen.faults.append(f"{said}: {' '.join(moves)} is not legal")
        elif not short and (fault := _wrong(end, len(moves), depth, value, quiescence)):
            seen.faults.append(f"{said}: {' '.join(moves)} {fault}")


def examine_proof(position: Naive, report: Report, said: str, seen: Examined) -> None:
    """Examine the line of a proof: every move is legal and, if somebody is proven to win, it ends in that player's win."""
    seen.lines += 1
    seen.short += report.pv_cut_short
    seen.short_by[f"{report.algorithm} {report.outcome}"] += report.pv_cut_short
    end = _played(position, report.pv)
    if end is None:
        seen.faults.append(f"{said}: {' '.join(report.pv)} is not legal")
        return
    if report.exact and not report.pv_cut_short:
        result = end.result()
        if result is None or naive.shown(position, result) != report.value:
            seen.faults.append(f"{said}: {' '.join(report.pv)} ends at {result}, and {report.value} is shown")


def _played(position: Naive, moves: Sequence[str]) -> Naive | None:
    """The position at the end of a line; None if a move is illegal."""
    for move in moves:
        if move not in position.moves():
            return None
        position = position.play(move)
    return position


def _wrong(end: Naive, plies: int, depth: int, value: float | None, quiescence: bool) -> str:
    """What is wrong with the end of a line that is marked complete; empty if nothing is."""
    result = end.result()
    worth: Value = end.evaluate() if result is None else naive.delayed(result, plies)
    if naive.shown(end, worth) != value:
        return f"ends at {naive.shown(end, worth)}, and {value} is shown"
    if result is not None:
        return ""
    if plies < depth:
        return f"ends after {plies} plies of {depth}"
    if quiescence and (after := quiet(end, plies, 2 * depth + 8, worth - 1, worth + 1)) != worth:
        return f"ends at {naive.shown(end, worth)} where captures go on, to {naive.shown(end, after)} or further"
    return ""

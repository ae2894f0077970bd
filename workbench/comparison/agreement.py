"""Where the lanes of a comparison differ, and whether those that must agree do.

At the same depth every exact algorithm has the same value: the minimax value of the tree cut off there. If two of them
differ, one is wrong, which is an error of the program. So is a proof that contradicts another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from engines import catalog
from engines.contract import Report, Setting
from engines.game import SHOWN_WIN, Game
from engines.parts.alphabeta.parameters import UNSAFE
from workbench.sessions.comparison_types import Agreement, LaneBelief, LaneDifference, MoveTruth, Truth

WORSE, EQUAL, DIFFERS = "≠", "=", "~"
"""The marks of a move that is worse than another lane's; of another move than the first lane's that is worth the same; and
of whatever is not what the first lane says."""
ROUNDING = 1e-9
CHANGING = (*UNSAFE, "check_extension", "singular_extension", "tables")
"""Switches that change the value from the minimax value, or make it depend on the order of the search. Quiescence is not
among them: it defines another value, but a single one."""


def difference(first: LaneBelief, other: LaneBelief) -> LaneDifference:
    """How a lane's result differs from the first lane's; an empty difference if one of them has no value yet."""
    if first.value is None or other.value is None:
        return LaneDifference()
    differs = apart(first.value, other.value)
    return LaneDifference(
        value=round(other.value - first.value, 6) if differs else None,
        says=differs or any(apart(*pair) for pair in zip(first.values, other.values, strict=False)),
        move=first.best_move != other.best_move,
        ply=first_differing_ply(first.pv, other.pv),
    )


def move_marks(beliefs: Sequence[LaneBelief], truths: Sequence[MoveTruth | None]) -> tuple[str, ...]:
    """A mark for the move of each lane: `WORSE` than another lane's, `EQUAL` to another one of the first lane, `DIFFERS` if
    it is another one and nobody knows which is better, or none. What is true of the moves tells; and that two proofs have
    one value."""
    ranks = [None if found is None else (found.regret, found.plies or 0) for found in truths]
    best = min((rank for rank in ranks if rank is not None), default=None)
    first, marks = beliefs[0], []
    for belief, rank in zip(beliefs, ranks, strict=True):
        if rank is not None and rank != best:
            marks.append(WORSE)
        elif belief.best_move in (None, first.best_move) or first.best_move is None:
            marks.append("")
        elif rank is not None and ranks[0] is not None:
            marks.append(EQUAL if ranks[0] == best else "")
        else:
            marks.append(EQUAL if first.exact and belief.exact and first.value == belief.value else DIFFERS)
    return tuple(marks)


def apart(one: float, other: float) -> bool:
    """Whether two values differ by more than the rounding of means."""
    return abs(one - other) > ROUNDING


def first_differing_ply(one: Sequence[str], other: Sequence[str]) -> int | None:
    """The ply, counted from 1, at which two lines part; None if one is the beginning of the other."""
    pairs = enumerate(zip(one, other, strict=False), 1)
    return next((ply for ply, (a, b) in pairs if a != b), None)


def value_kind(algorithm: str, parameters: Mapping[str, Setting], game: str) -> str | None:
    """A key for the value that an algorithm finds at a depth: lanes with equal keys must agree. None if the value is not
    determined.

    In a game where the history matters (chess: repetition) a table may hold a value that was right for another way to the
    same position. Then the value is not determined.
    """
    value = catalog.algorithm(algorithm).exact_value
    if not value or any(parameters.get(name) for name in CHANGING) or parameters.get("threads", 1) != 1:
        return None
    past_matters = catalog.game(game).rules_for is not Game.rules_for
    if past_matters and parameters.get("table"):
        return None
    return "quiescence" if parameters.get("quiescence") else value


def agreement(names: Sequence[str], reports: Sequence[Report | None], truth: Truth | None = None) -> Agreement:
    """Compare the reports of all lanes that must agree with each other and with the truth."""
    found = [(name, report) for name, report in zip(names, reports, strict=True) if report is not None]
    errors: list[str] = []
    compared: dict[str, None] = {}
    depths: set[int] = set()
    for (name, report), (other_name, other) in combinations(found, 2):
        kind = value_kind(report.algorithm, report.parameters, report.game)
        same = report.options == other.options  # lanes with other options of the game evaluate positions differently
        if kind is None or not same or kind != value_kind(other.algorithm, other.parameters, other.game):
            continue
        values, others = by_depth(report), by_depth(other)
        if common := values.keys() & others.keys():
            compared.update({name: None, other_name: None})
            depths |= common
            for depth in disagreements(values, others):
                said = f"{name} says {_said(report, values[depth])}, {other_name} says {_said(report, others[depth])}"
                errors.append(f"At depth {depth} {said}; both are exact, so one is wrong: please report this.")
    proven = [(name, report.outcome, report.distance, report.value) for name, report in found if report.exact]
    if truth is not None:
        proven.append((f"the truth ({truth.source})", truth.outcome, truth.distance, truth.value))
    for one, other_proof in combinations(proven, 2):
        if contradicts(one[1:], other_proof[1:]):
            errors.append(f"{one[0]} and {other_proof[0]} have proven different things: please report this.")
    order = tuple(name for name in names if name in compared)
    return Agreement(
        agrees=not errors,
        lanes=order,
        depths=tuple(sorted(depths)),
        proofs=len(proven),
        errors=tuple(errors),
        sentence=_sentence(order, sorted(depths), len(proven), errors),
    )


Proven = tuple[str | None, int | None, float | None]
"""A proven result: the outcome, its distance in plies, and the value."""


def contradicts(one: Proven, other: Proven) -> bool:
    """Whether two proven results exclude each other: other winners, other distances where both have one, or other gains."""
    if one[0] != other[0]:
        return True
    if one[0] is None:
        return one[2] is not None and other[2] is not None and one[2] != other[2]
    return one[1] is not None and other[1] is not None and one[1] != other[1]


def disagreements(one: Mapping[int, float], other: Mapping[int, float]) -> list[int]:
    """The depths that both lanes have completed with different values."""
    return [depth for depth in sorted(one.keys() & other.keys()) if apart(one[depth], other[depth])]


def by_depth(report: Report) -> dict[int, float]:
    """The value at each completed depth."""
    return {row.depth: row.value for row in report.depths}


def _said(report: Report, value: float) -> str:
    game = catalog.game(report.game)
    if game.has_winner and abs(value) > SHOWN_WIN / 2:
        return f"{game.players[0 if value > 0 else 1]} in {SHOWN_WIN - abs(value):.0f}"
    return f"{value:+g}"


def _sentence(lanes: Sequence[str], depths: Sequence[int], proofs: int, errors: Sequence[str]) -> str:
    if errors:
        return "PROGRAM ERROR: " + " ".join(errors)
    words = []
    if lanes:
        which = f"{', '.join(lanes[:-1])} and {lanes[-1]}"
        where = f"depth {depths[0]}" if len(depths) == 1 else f"all {len(depths)} depths"
        words.append(f"{which} are exact and agree at {where}.")
    if proofs > 1:
        words.append(f"There are {proofs} proofs, and none contradicts another.")
    return " ".join(words) or "No two of these lanes have to agree."

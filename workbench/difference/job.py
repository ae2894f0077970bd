"""Compares two recorded searches node by node, and records the searches that are to be compared."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Report, Setting
from engines.position import Position
from engines.tape.alignment import can_be_aligned
from engines.tape.recording import Recording
from engines.tape.tape import ASIDE, NOBODY
from workbench.difference.alignment import Aligned, Cover, NodePair
from workbench.difference.reasons import NAMES, reason_of, reason_rows, reasons_at
from workbench.difference.sentences import FIRST, SECOND, because_sentences, below_sentence, line_to, place_sentence, where
from workbench.difference.types import ComparedSearch, DepthDifference, Difference, Part, Reason, Subtrees, TreePlace
from workbench.recordings.bounds import has_windows
from workbench.recordings.why.nodes import node_value
from workbench.sessions.comparison_types import LaneSpec
from workbench.watch.record import recorded

MOST_PARTS = 100
"""More subtrees than so many are named only if there is no other way."""
ENTRY = ("parent", "move", "turn", "depth", "alpha", "beta")
"""What a tape says of a node when it is entered."""


class Comparing:
    """Two recordings of one position, and what can be asked about their difference."""

    def __init__(self, first: Recording, second: Recording, files: tuple[str, str] = ("", "")) -> None:
        check_comparable(first, second)
        self.both, self.files = Aligned(first, second), files

    def difference(self, most: int = MOST_PARTS) -> Difference:
        """All that differs."""
        both = self.both
        begins, same_nodes = first_difference(both)
        report = both.first.report
        return Difference(
            game=report.game,
            size=report.size,
            position=report.position,
            first=_side(FIRST, both.first, both.second, self.files[0]),
            second=_side(SECOND, both.second, both.first, self.files[1]),
            same=begins is None,
            same_nodes=same_nodes,
            begins=None if begins is None else self._place(begins, reason_of(both, begins)),
            difference=both.difference,
            parts=self.parts(None, most),
            reasons=reason_rows(both),
            depths=depth_rows(both),
            positions=both.positions(),
        )

    def parts(self, within: NodePair | None = None, most: int = MOST_PARTS) -> Subtrees:
        """The subtrees, of the whole or within a place, that hold nine tenths of its difference."""
        found: Cover = self.both.cover(within, most)
        return Subtrees(
            difference=self.both.difference if within is None else self.both.gain(within),
            held=found.held,
            subtrees=tuple(map(self._part, found.spots)),
            others=found.others,
            others_more=found.more,
            others_less=found.less,
            finest=found.finest,
        )

    def _place(self, spot: NodePair, reason: Reason | None, below: str = "") -> TreePlace:
        both = self.both
        recording, node = where(both, spot)
        said = [] if reason is None else [place_sentence(both, spot), *because_sentences(both, spot)]
        return TreePlace(
            first_node=None if spot.first == NOBODY else spot.first,
            second_node=None if spot.second == NOBODY else spot.second,
            depth=int(recording.depth[recording.path(node)[0]]),
            line=line_to(both, spot),
            first_value="" if spot.first == NOBODY else node_value(both.first, spot.first),
            second_value="" if spot.second == NOBODY else node_value(both.second, spot.second),
            reason=reason,
            sentence=" ".join(filter(None, [*said, below])),
        )

    def _part(self, spot: NodePair) -> Part:
        both = self.both
        first, second = both.nodes(spot)
        is_shared = NOBODY not in spot
        below = self._below(spot) if is_shared else []
        reason = reason_of(both, spot) if not is_shared or both.parts_at(spot.first) else None
        return Part(
            top=self._place(spot, reason, below_sentence(both, spot, below) if below else ""),
            first_nodes=first,
            second_nodes=second,
            difference=second - first,
            places=both.places(spot),
            mostly=below[0][0] if below else reason_of(both, spot),
            known_elsewhere=both.known_elsewhere(spot),
        )

    def _below(self, spot: NodePair) -> list[tuple[Reason, int]]:
        """The reasons for which the searches part in a subtree, with the nodes that each makes; the one first that makes
        most of the difference."""
        places = self.both.places_below(spot)
        codes = reasons_at(self.both, places)
        mine, theirs = self.both.own
        gains = np.bincount(codes, theirs[places] - mine[places], len(NAMES)).astype(np.int64).tolist()
        sign = -1 if self.both.gain(spot) < 0 else 1
        return sorted(((NAMES[code], gains[code]) for code in set(codes.tolist())), key=lambda one: -sign * one[1])


def difference_of(
    first: Recording, second: Recording, files: tuple[str, str] = ("", ""), most: int = MOST_PARTS
) -> Difference:
    """All that differs between two recorded searches of one position; an InputError if they cannot be compared."""
    return Comparing(first, second, files).difference(most)


def check_comparable(first: Recording, second: Recording) -> None:
    """An InputError unless both are searches of one position that go depth first."""
    for recording in (first, second):
        _check_kind(recording.algorithm, has_windows(recording))
    one, other = first.report, second.report
    if one.game != other.game or one.size != other.size:
        names = [" ".join(filter(None, (report.game, report.size))) for report in (one, other)]
        raise InputError(f"These are searches of different games, {names[0]} and {names[1]}: there is nothing to compare.")
    if one.position != other.position or _rules_of(one) != _rules_of(other):
        raise InputError("These are searches of different positions: only two searches of one position can be compared.")


def _check_kind(algorithm: Algorithm, has_windows: bool = True) -> None:
    if not has_windows or not can_be_aligned(algorithm):
        raise InputError(
            f"{algorithm.id} does not search depth first with windows: only such searches can be compared node by node."
        )


def record_lane(position: Position, lane: LaneSpec, limit: Limit, stopped: Callable[[], bool]) -> Recording:
    """The recording of a lane's search, which is carried out once more in the calling thread."""
    algorithm = catalog.algorithm(lane.algorithm)
    _check_kind(algorithm)
    return recorded(position.judged_with(lane.options), algorithm, lane.parameters, limit, lane.seed, stopped)


def _rules_of(report: Report) -> dict[str, Setting]:
    """The options of a game that are no matter of the evaluation."""
    judging = catalog.judging(report.game)
    return {name: value for name, value in report.options.items() if name not in judging}


def _side(name: str, recording: Recording, other: Recording, file: str) -> ComparedSearch:
    report = recording.report
    mine, theirs = ({**found.report.options, **found.parameters} for found in (recording, other))
    usual = catalog.read_settings(recording.algorithm.parameters, {}, report.game)
    return ComparedSearch(
        name=name,
        file=file,
        algorithm=report.algorithm,
        settings={key: value for key, value in mine.items() if value != (theirs if key in theirs else usual).get(key)},
        nodes=recording.nodes,
        recorded=len(recording),
        depth=report.depth,
        value=report.value,
        best_move=report.best_move,
    )


def depth_rows(both: Aligned) -> tuple[DepthDifference, ...]:
    """What both searches spent and found at each depth."""
    spent: dict[int, list[int]] = {}
    said: dict[int, list[str]] = {}
    for side, recording in enumerate((both.first, both.second)):
        for root in recording.roots().tolist():
            depth = int(recording.depth[root])
            spent.setdefault(depth, [0, 0])[side] += recording.subtree_size(root)
            said.setdefault(depth, ["", ""])[side] = node_value(recording, root)
    return tuple(
        DepthDifference(
            depth=depth,
            first_nodes=spent[depth][0],
            second_nodes=spent[depth][1],
            first_value=said[depth][0],
            second_value=said[depth][1],
        )
        for depth in sorted(spent)
    )


def first_difference(both: Aligned) -> tuple[NodePair | None, int]:
    """Where the searches differ first, in the order of time; and how many nodes they entered in the same way until then."""
    first, second = both.first, both.second
    count = min(len(first), len(second))
    differs = np.zeros(count, np.bool_)
    for name in ENTRY:
        differs |= getattr(first, name)[:count] != getattr(second, name)[:count]
    entered = int(np.argmax(differs)) if differs.any() else count
    if (left := _left_differently(both, entered)) is not None:
        return left, entered
    if entered == len(first) == len(second):
        return None, entered
    return _entered_differently(both, entered), entered


def _left_differently(both: Aligned, entered: int) -> NodePair | None:
    """The first node that both searches were through with before that number of nodes was entered, and that ended otherwise.
    What is only set aside as a trial, or not, is told by what is entered next."""
    first, second = both.first, both.second
    kinds, values = ((getattr(first, name)[:entered], getattr(second, name)[:entered]) for name in ("kind", "value"))
    otherwise = (kinds[0] != kinds[1]) & (kinds[0] != ASIDE) & (kinds[1] != ASIDE)
    ends = [np.arange(entered) + recording._index[2][:entered] for recording in (first, second)]
    through = (ends[0] <= entered) & (ends[1] <= entered)
    found = np.flatnonzero(through & (otherwise | (values[0] != values[1])))
    if not len(found):
        return None
    node = int(found[np.lexsort((-found, ends[0][found]))[0]])
    return NodePair(node, node)


def _entered_differently(both: Aligned, entered: int) -> NodePair:
    """The place where the searches went different ways: what one of them entered next, the other one did not."""
    first, second = both.first, both.second
    if entered == len(first) or entered == len(second):
        recording = first if entered == len(second) else second
        above = int(recording.parent[entered])
        if above == NOBODY:
            return NodePair(entered, NOBODY) if recording is first else NodePair(NOBODY, entered)
        return NodePair(above, above)
    mine, theirs = int(first.parent[entered]), int(second.parent[entered])
    same_step = first.move[entered] == second.move[entered] and first.turn[entered] == second.turn[entered]
    if mine == theirs and (same_step or mine == NOBODY):
        return NodePair(entered, entered)
    deeper = max(mine, theirs, key=lambda node: -1 if node == NOBODY else int(first.ply[node]))
    return NodePair(deeper, deeper)

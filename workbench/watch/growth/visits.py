"""A depth-first proof search as it went: each visit of a position with its limits, written down in the order of the search.

The tape of such a search is written when it is over, from what its table still holds. So it is carried out once more, and
writes what happens as it happens (`Run.visits`): a row for each visit, one for each child that was looked up, and one with
the numbers with which a position was left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from engines.parts.proof.table_prover import TableProver
from engines.rules import INFINITE, LARGEST
from engines.tape.tape import ASIDE, NOBODY, OPEN, TERMINAL, Tape
from workbench.watch.growth.expanded import Growing, Numbers
from workbench.watch.growth.history import History
from workbench.watch.growth.rerun import Rerun


class Limits(NamedTuple):
    """The limits with which a position is visited."""

    proof: int
    disproof: int


@dataclass
class Visit:
    """A visit that is not over: the node, its limits, and the children that were looked up."""

    node: int
    limits: Limits
    children: list[int] = field(default_factory=list)
    looked_up: int = 0
    """The number of the event by which the children were looked up."""


@dataclass
class Visits(Growing):
    """A whole search that was written down."""

    limits: dict[int, Limits] = field(default_factory=dict)
    """For each event the limits of the node that it is about."""
    met: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """For each event that looks up children those that were looked up: not all, if one decided."""
    weak: bool = False
    both: bool = False
    """A visit ends when both numbers have reached their limits, not one of them."""
    stopped_at: int | None = None
    """The number of the event from which on the search only goes back, as its own limit is reached."""


class VisitReader:
    """Reads the rows that a search wrote, and tells them as events."""

    def __init__(self, told: Visits, tape: Tape, asked: dict[int, int], is_whole: bool) -> None:
        """`is_whole`: where the rows end, the search itself has ended, and not just what is followed of it."""
        self.told, self.history, self.tape, self.is_whole = told, told.history, tape, is_whole
        self.asked = asked
        """For each row with which a question begins what the first player shall get at least."""
        self.root = NOBODY
        self.visits: dict[int, Visit] = {}
        """The visits that are not over, by their rows."""
        self.known: dict[tuple[int, int], int] = {}
        """The node that a move leads to from another."""

    def read(self) -> None:
        """All rows, as far as the search came without being stopped."""
        kinds, moves, parents = (column.tolist() for column in (self.tape.kind, self.tape.move, self.tape.parent))
        row, rows = 0, int(self.tape.size[0])
        while row < rows:
            if row in self.asked:
                self._ask(row)
            is_visit = kinds[row] == OPEN and (parents[row] == NOBODY or moves[row] != NOBODY)
            if is_visit and not (row + 1 < rows and parents[row + 1] == row and kinds[row + 1] in (ASIDE, TERMINAL)):
                self._stop()
                row += 1
                continue
            if parents[row] == NOBODY:
                self._enter(row, self.root)
            elif kinds[row] in (ASIDE, TERMINAL):
                last = row
                while last < rows and kinds[last] in (ASIDE, TERMINAL) and parents[last] == parents[row]:
                    last += 1
                self._look_up(self.visits[parents[row]], range(row, last))
                row = last
                continue
            elif moves[row] == NOBODY:
                if kinds[row] == OPEN:
                    self._stop()
                if self.told.stopped_at is not None and not self.is_whole:
                    return
                self._leave(row, parents[row])
            else:
                above = self.visits[parents[row]]
                child = self.known[above.node, moves[row]]
                self.history.happen("selected", above.node, child, end=child)
                self._note_limits(above)
                self._enter(row, child)
            row += 1

    def _stop(self) -> None:
        """The search had to stop: from here on it only goes back."""
        if self.told.stopped_at is None:
            self.told.stopped_at = len(self.history)

    def _ask(self, row: int) -> None:
        self.history.begin()
        self.history.happen("asked", len(self.history.parent))
        self.root = self.history.add(NOBODY, NOBODY, int(self.tape.turn[row]), Numbers(1, 1, NOBODY, False))
        self.told.questions[self.root] = self.asked[row]

    def _enter(self, row: int, node: int) -> None:
        self.history.begin()
        self.told.done += 1
        self.history.happen("entered", node)
        self.visits[row] = Visit(node, Limits(int(self.tape.alpha[row]), int(self.tape.beta[row])))
        self._note_limits(self.visits[row])

    def _note_limits(self, visit: Visit) -> None:
        self.told.limits[len(self.history) - 1] = visit.limits

    def _look_up(self, visit: Visit, rows: range) -> None:
        """The children of a position are looked up: each has numbers, by the rules, by the table, or the first ones."""
        history, tape = self.history, self.tape
        history.happen("expanded", visit.node)
        self._note_limits(visit)
        visit.looked_up = len(history) - 1
        for row in rows:
            move = int(tape.move[row])
            numbers = Numbers(int(tape.alpha[row]), int(tape.beta[row]), NOBODY, bool(tape.kind[row] == TERMINAL))
            child = self.known.get((visit.node, move))
            if child is None:
                child = self.known[visit.node, move] = history.add(visit.node, move, int(tape.turn[row]), numbers)
            else:
                best = history.now(child).best
                history.change(child, numbers._replace(best=best))
            visit.children.append(child)
        self.told.met[visit.looked_up] = tuple(visit.children)
        history.change(visit.node, self._numbers(visit))

    def _numbers(self, visit: Visit) -> Numbers:
        """The numbers of a position by those of its children, as the search works them out."""
        is_or = self.history.turn[visit.node] > 0
        nears, fars = [], []
        for child in visit.children:
            its = self.history.now(child)
            nears.append(its.proof if is_or else its.disproof)
            fars.append(its.disproof if is_or else its.proof)
        least = min(nears)
        total = INFINITE if least == 0 else far_of(fars, self.told.weak)
        best = visit.children[nears.index(least)]
        return Numbers(least, total, best, False) if is_or else Numbers(total, least, best, False)

    def _leave(self, row: int, visit_row: int) -> None:
        visit = self.visits.pop(visit_row)
        now = self.history.now(visit.node)
        self.history.happen("left", visit.node)
        self._note_limits(visit)
        self.history.change(visit.node, now._replace(proof=int(self.tape.alpha[row]), disproof=int(self.tape.beta[row])))
        above = self.visits.get(int(self.tape.parent[visit_row]))
        if above is not None:
            self.history.happen("returned", above.node, visit.node, end=visit.node)
            self._note_limits(above)
            self.told.met[len(self.history) - 1] = tuple(above.children)
            self.history.change(above.node, self._numbers(above))
        elif self.history.now(visit.node).is_solved:
            self.history.happen("answered", visit.node)
            self._note_limits(visit)


def far_of(fars: list[int], weak: bool) -> int:
    """The far number of a position: the sum of its children's; or the largest, and one for each other that is open."""
    if any(far >= INFINITE for far in fars):
        return INFINITE
    still_open = [far for far in fars if far > 0]
    if weak and still_open:
        return min(max(still_open) + len(still_open) - 1, LARGEST)
    return min(sum(still_open), LARGEST)


class Visitor:
    """Notes the questions of a search that goes depth first, and reads what it wrote when it is over."""

    def __init__(self, rerun: Rerun, tape: Tape) -> None:
        self.rerun, self.tape = rerun, tape
        self.asked: dict[int, int] = {}
        self.prover: TableProver | None = None

    def see(self, prover: TableProver) -> None:
        """A question is asked."""
        self.prover = prover
        self.asked[int(self.tape.size[0])] = int(prover.question.target)

    def told(self) -> Visits:
        """All that happened."""
        assert self.prover is not None
        told = Visits(History(), self.rerun.position, weak=self.prover.weak, both=self.prover.both)
        is_whole = self.rerun.limit == self.rerun.whole and int(self.tape.size[1]) == int(self.tape.size[0])
        VisitReader(told, self.tape, self.asked, is_whole).read()
        return told

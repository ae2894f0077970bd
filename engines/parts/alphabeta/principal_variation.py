"""The principal variation to its leaf.

A search knows its line only as far as it looked itself: where the table answered, or a null window only asked, the value is
known and the moves are not. There the search is asked again, at that node alone, with a window that holds just this value.
What it then finds at the first node of that question is a move that keeps the value, and so on to the leaf. If the second
answer is another one (a switch that is unsafe, or a draw by repetition that the table knows nothing of), the line is left as
it was, and called cut short.

The search itself does not notice: it is asked with counters of its own, and the table is put back as it was. Its nodes are
paid for from the same limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engines.contract import MAX_DEPTH
from engines.parts.alphabeta.ordering import SEARCH_CONTEXT, SearchContext, new_search_context
from engines.parts.alphabeta.transposition_table import LOGGED, NO_MOVE, Table, entry_depth, entry_move, probe
from engines.rules import Rules, State, key, play
from engines.run.run import Run
from engines.run.work import Work, left_open, line
from engines.tape.tape import NOBODY, AnyTape, Tape, new_tape

FOLLOW = NO_MOVE - 2
"""Passed in place of the excluded move: the value is known, and the line to its leaf is wanted."""
SPARE = 10_000
"""Asking again may take twice the nodes of the depth whose line it is, and so many more."""
LOG_ROOM = LOGGED * 2**18
"""How many words are kept of what is written over in the table; nothing is written after them."""
NOT_COPIED = ("stats", "promise", "log", "log_room", "log_used")


@dataclass
class Variation:
    """Moves, and how much depth was left behind the last of them; None if that is a leaf."""

    moves: list[int] = field(default_factory=list)
    left: int | None = None


class VariationExtender:
    """Extends principal variations to their leaves by searching again where they end too soon."""

    def __init__(self, run: Run, descend: Callable[..., int], rules: Rules, tape: AnyTape, table: Table | None) -> None:
        self.run, self.descend, self.rules, self.table = run, descend, rules, table
        self.tape = new_tape(1) if isinstance(tape, Tape) else tape  # the same code, and nothing is recorded
        self.nodes = 0
        """Nodes of all these searches."""

    def to_leaf(self, found: Variation, value: int, context: SearchContext, allowed: int) -> Variation:
        """The line to the leaf that has this value for the side to move at the root; as far as it is known if that cannot
        be found within so many nodes. `context` has the switches of the search, and what it learned of moves."""
        if found.left is None:
            return found
        own = _copied(context)
        log = np.empty(LOG_ROOM if self.table is not None else 0, np.uint64)
        own.log, own.log_room = int(log.ctypes.data) if len(log) else 0, len(log)
        with self.run.aside(allowed) as work:
            whole = self._followed(found, value, own, work)
        if self.table is not None:
            self.table.restore(log[: int(own.log_used)])
        self.nodes += int(work.nodes)
        return self.as_the_table_has_it(whole)

    def _followed(self, found: Variation, value: int, context: SearchContext, work: Work) -> Variation:
        """The line as far as its moves keep the value and the node budget suffices."""
        moves, left, state = list(found.moves), found.left, self._behind(found.moves)
        while left is not None and len(moves) < MAX_DEPTH:
            ply = len(moves)
            worth = value if ply % 2 == 0 else -value
            window = (worth - 1, worth + 1)
            again = self.descend(self.rules, self.tape, work, context, state, left, *window, ply, NOBODY, FOLLOW)
            if work.stopped or int(again) != worth:
                break
            more = line(work, ply)
            moves, left = moves + more, left_open(work, ply)
            if not more:
                break
            for move in more:
                state = play(self.rules, state, move)
        return Variation(moves, left)

    def as_the_table_has_it(self, found: Variation) -> Variation:
        """A line that could not be followed to its leaf, lengthened by moves from the transposition table. It stays open."""
        if found.left is None or self.table is None:
            return found
        moves, left, state = list(found.moves), found.left, self._behind(found.moves)
        context, game = new_search_context(self.table), self.run.position.game  # a record to probe with that does not count
        while left > 0 and (legal := game.legal_moves(state)):
            place = key(self.rules, state)
            entry = probe(context, place, 0) if place else 0
            if not entry or entry_depth(entry) != left or entry_move(entry) not in legal:
                break
            moves.append(int(entry_move(entry)))
            state, left = play(self.rules, state, moves[-1]), left - 1
        return Variation(moves, left)

    def _behind(self, moves: list[int]) -> State:
        state = self.run.position.state
        for move in moves:
            state = play(self.rules, state, move)
        return state


def _copied(context: SearchContext) -> SearchContext:
    own = new_search_context(None)
    for name in SEARCH_CONTEXT.names or ():
        if name not in NOT_COPIED:
            own[name] = context[name]
    return own

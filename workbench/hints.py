"""Hints: what a strong player would do, checked by the truth where that can be known.

A strong search proposes a move. The truth behind it is then asked for with the budget of a review (`workbench.truth`), and a
move that is proven to lose or to draw gives way to one that is not: so a review never blames a move that a hint proposed
for what it knows to be true.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from engines.contract import InputError, Limit, Report
from engines.game import Position
from engines.runner import Search
from workbench.compare_types import Truth
from workbench.compiling import compile_first
from workbench.levels import levels
from workbench.players import Player
from workbench.truth import POINTS, Telling, review_nodes

LIMIT = Limit(nodes=400_000)
"""Of the search that proposes a move."""

Run = Callable[[Search], bool]
"""Runs a search to its end; True if a person interrupted it."""


@dataclass(frozen=True)
class Advice:
    """A hint: what a strong player would do."""

    position: Position
    report: Report


class Interrupted(Exception):
    """A person does not want the hint any more."""


def advice_for(position: Position, run: Run) -> Advice | None:
    """A hint for whoever moves; None if a person interrupted it."""

    def carried_out(search: Search) -> bool:
        if run(search):
            raise Interrupted
        return False

    try:
        proposing = Player.search(replace(levels(position.game)[-1], limit=LIMIT, name="hint"), position)
        carried_out(proposing)
        return Advice(position, _checked(position, proposing.report(), Telling(review_nodes(position.game), carried_out)))
    except Interrupted:
        return None


def _checked(position: Position, report: Report, telling: Telling) -> Report:
    """The report, or that of a move that is better by what is true."""
    proven: list[tuple[float, str, Truth]] = []
    for move in _candidates(position, report):
        behind = telling.of(position.play(position.game.read_move(position.state, move)))
        if behind is None or behind.outcome is None:
            if not any(points > 0 for points, _, _ in proven):
                return _proposing(position, report, move, None)
            continue  # a draw that is certain is better than a move that was thought to be worse than the first
        points = POINTS[behind.outcome] if position.turn > 0 else 1.0 - POINTS[behind.outcome]
        proven.append((points, move, behind))
        if points == 1.0:
            break
    _, move, behind = max(proven, key=lambda row: row[0])
    return _proposing(position, report, move, behind)


def _candidates(position: Position, report: Report) -> list[str]:
    """All moves, the one that the search proposes first, then those that it found good."""
    game, state = position.game, position.state
    legal = [game.move_text(state, move) for move in game.legal_moves(state)]
    known = (report.best_move, *(row.move for row in report.root_moves))
    return [move for move in dict.fromkeys((*known, *legal)) if move is not None]


def _proposing(position: Position, report: Report, move: str, behind: Truth | None) -> Report:
    """The report as it is if it proposes this move anyway; else what is known of the move."""
    if move == report.best_move:
        return report
    value = behind.value if behind is not None else next((row.value for row in report.root_moves if row.move == move), None)
    known = replace(report, best_move=move, pv=(move,), pv_cut_short=True, value=value)
    return replace(known, exact=False, outcome=None, distance=None)


class Hinting:
    """A hint that is looked for in a thread of its own, for a screen to look at."""

    def __init__(self, position: Position) -> None:
        self.advice: Advice | None = None
        """The hint, once it is found."""
        self.problem: InputError | None = None
        self._position = position
        self._stopped = False
        self._search: Search | None = None
        self._thread = threading.Thread(target=self._work, name="hint", daemon=True)

    def start(self) -> Hinting:
        """Begin. Returns at once."""
        self._thread.start()
        return self

    @property
    def running(self) -> bool:
        """It is not done yet."""
        return self._thread.is_alive()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the end, at most so long."""
        self._thread.join(seconds)

    def stop(self) -> None:
        """Stop it, and wait until it has: a moment."""
        self._stopped = True
        search = self._search
        if search is not None:
            search.stop()
        self._thread.join(2)

    def _run(self, search: Search) -> bool:
        compile_first(search.algorithm.id, search.position.game.id, lambda: self._stopped)
        self._search = search
        if not self._stopped:
            search.start().finish()
        return self._stopped

    def _work(self) -> None:
        try:
            self.advice = advice_for(self._position, self._run)
        except InputError as error:
            self.problem = error

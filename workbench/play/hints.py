"""Hints: what a review of the game would call best.

The same search proposes a move that a review asks about each position. The truth behind it is then asked for with the budget
of a review (`workbench.proofs.truth`), and a move that is proven to lose or to draw gives way to one that is not; a review
names the same move where it blames another. Games that no review can search have the proposal of the strongest player.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from engines import catalog
from engines.contract import Limit, Report
from engines.game import Game
from engines.position import Position
from engines.run.search import Search
from workbench.jobs.searches import RunSearch, SearchInterrupted, SearchThread
from workbench.play.levels import levels
from workbench.play.players import Player
from workbench.proofs.truth import POINTS, TruthFinder
from workbench.sessions.comparison_types import Truth

ALGORITHM = "deepening"
"""What searches the positions of a review, and those that a hint is asked for."""
NODES = 100_000
"""The default number of nodes for each position."""
LIMIT = Limit(nodes=400_000)
"""The limit of the search that proposes a move where no review can."""


@dataclass(frozen=True)
class Advice:
    """A hint: what a strong player would do."""

    position: Position
    report: Report


def advice_for(position: Position, run: RunSearch) -> Advice | None:
    """A hint for the player to move; None if the user interrupted the search."""

    def carried_out(search: Search) -> bool:
        if run(search, "hint"):
            raise SearchInterrupted
        return False

    try:
        proposing = _adviser(position).search(position)
        carried_out(proposing)
        return Advice(position, checked(position, proposing.report(), TruthFinder(position.game.review_nodes, carried_out)))
    except SearchInterrupted:
        return None


def reviewer_of(game: Game, nodes: int) -> Player:
    """Who searches the positions of a review."""
    return Player(name="review", algorithm=ALGORITHM, limit=Limit(nodes=nodes), options=dict(game.best_options))


def _adviser(position: Position) -> Player:
    if catalog.misfit(catalog.algorithm(ALGORITHM), Position(position.game, position.start)):
        return replace(levels(position.game)[-1], limit=LIMIT, name="hint")
    return reviewer_of(position.game, NODES)


def checked(position: Position, report: Report, telling: TruthFinder) -> Report:
    """The report, or one that proposes a better move by the truth."""
    proven: list[tuple[float, str, Truth]] = []
    for move in _candidates(position, report):
        behind = telling.of(position.play(position.game.read_move(position.state, move)))
        if behind is None or behind.outcome is None:
            if not any(points > 0 for points, _, _ in proven):
                return _proposing(position, report, move, None)
            continue  # a certain draw is better than another move that was judged worse than the first
        points = POINTS[behind.outcome] if position.turn > 0 else 1.0 - POINTS[behind.outcome]
        proven.append((points, move, behind))
        if points == 1.0:
            break
    _, move, behind = max(proven, key=lambda row: row[0])
    return _proposing(position, report, move, behind)


def _candidates(position: Position, report: Report) -> list[str]:
    """All moves: first the one that the search proposes, then those that it found good."""
    game, state = position.game, position.state
    legal = [game.move_text(state, move) for move in game.legal_moves(state)]
    known = (report.best_move, *(row.move for row in report.root_moves))
    return [move for move in dict.fromkeys((*known, *legal)) if move is not None]


def _proposing(position: Position, report: Report, move: str, behind: Truth | None) -> Report:
    """The report itself if it proposes this move; otherwise one with what is known of the move."""
    if move == report.best_move:
        return report
    value = behind.value if behind is not None else next((row.value for row in report.root_moves if row.move == move), None)
    known = replace(report, best_move=move, pv=(move,), pv_cut_short=True, value=value)
    return replace(known, exact=False, outcome=None, distance=None)


class HintJob(SearchThread):
    """Looks for a hint in a background thread; a screen polls it."""

    def __init__(self, position: Position) -> None:
        super().__init__("hint")
        self.advice: Advice | None = None
        """The hint, once it is found."""
        self._position = position
        self._thread.start()

    def work(self) -> None:
        """Find the hint."""
        self.advice = advice_for(self._position, self.run)

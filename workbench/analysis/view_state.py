"""The frozen view of the Analyse screen: everything that its panels are functions of.

The desk makes one each time the screen looks. Nothing in it changes afterwards, so panels can be tested without a desk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from engines import catalog
from engines.contract import DepthRow, Glance, Limit, Report, RootMove, Setting
from engines.position import Position
from workbench.analysis.game_text import GameView

if TYPE_CHECKING:
    from workbench.jobs.compile import Compiling


@dataclass(frozen=True)
class Belief:
    """The result of a search after one depth."""

    row: DepthRow
    root_moves: tuple[RootMove, ...] = ()
    interpreted: bool = False
    """Whether it comes from the search that runs without the compiler until the compiled one is ready."""
    improved: bool = False
    """Whether the next depth, which was not finished, has already found a better move: the move and its value are those."""

    @classmethod
    def last_of(cls, report: Report) -> Self:
        """The result of a search that has ended, at the last depth that it finished."""
        row = report.depths[-1]
        if report.best_move is None or report.best_move == row.best_move or report.value is None:
            return cls(row, report.root_moves)
        better = replace(row, value=report.value, best_move=report.best_move, pv=report.pv, pv_cut_short=report.pv_cut_short)
        return cls(better, report.root_moves, improved=True)


@dataclass(frozen=True)
class CompilingView:
    """The progress of the compiler."""

    what: str
    seconds: float
    """The seconds so far."""
    expected: float
    """The seconds that it should take."""
    share: float
    """The share that is done, from 0 to 1."""

    @classmethod
    def of(cls, compiling: Compiling) -> Self:
        """The state of a running compiler."""
        return cls(compiling.what, compiling.seconds, compiling.expected, compiling.share)


class SearchFacts:
    """What follows from the chosen algorithm and the beliefs by depth. The desk and its frozen view have it in common."""

    if TYPE_CHECKING:

        @property
        def algorithm(self) -> str:
            """The id of the chosen algorithm."""

        @property
        def beliefs(self) -> Mapping[int, Belief]:
            """The results by depth or checkpoint."""

        @property
        def shown(self) -> int | None:
            """The depth that is shown; None for the newest."""

    @property
    def iterates(self) -> bool:
        """Whether the algorithm counts iterations instead of depths."""
        return catalog.algorithm(self.algorithm).iterates

    @property
    def samples(self) -> bool:
        """Whether its iterations are playouts."""
        return catalog.algorithm(self.algorithm).samples

    @property
    def proves(self) -> bool:
        """Whether the algorithm is a proof search, with proof numbers."""
        return catalog.algorithm(self.algorithm).proves

    @property
    def has_table(self) -> bool:
        """Whether the algorithm has a transposition table."""
        return any(parameter.name == "table" for parameter in catalog.algorithm(self.algorithm).parameters)

    @property
    def scores(self) -> bool:
        """Whether the algorithm looks for one good game by nested levels."""
        return catalog.algorithm(self.algorithm).scores

    @property
    def layers(self) -> bool:
        """Whether the algorithm solves a whole graph, layer by layer."""
        return "graph" in catalog.algorithm(self.algorithm).needs

    @property
    def belief(self) -> Belief | None:
        """The shown result: at the depth that was chosen, or the newest; None if there is none."""
        depth = self.shown if self.shown is not None else max(self.beliefs, default=None)
        return None if depth is None else self.beliefs[depth]

    @property
    def before(self) -> Belief | None:
        """The result one depth before the shown one; None if there is none."""
        belief = self.belief
        earlier = [depth for depth in self.beliefs if belief is not None and depth < belief.row.depth]
        return self.beliefs[max(earlier)] if earlier else None

    @property
    def known(self) -> int:
        """The last completed depth."""
        return max((depth for depth, belief in self.beliefs.items() if not belief.interpreted), default=0)

    @property
    def iterations(self) -> int:
        """The number of completed iterations."""
        return max((belief.row.iterations or 0 for belief in self.beliefs.values() if not belief.interpreted), default=0)


@dataclass(frozen=True, eq=False)
class AnalysisView(SearchFacts):
    """State of the Analyse screen at one moment."""

    position: Position
    title: str
    """The title of the opened position; empty if it has none."""
    note: str
    """The note on the position; empty if there is none."""
    game: GameView
    """The moves of the game around the position."""
    study_number: int
    """The index, from 0, of the position in the session."""
    study_count: int
    algorithm: str
    parameters: Mapping[str, Setting]
    """Every parameter of the algorithm with its value."""
    limit: Limit
    """The limit of a search that is started now."""
    beliefs: Mapping[int, Belief]
    """The results by depth or checkpoint."""
    shown: int | None
    """The depth that is shown; None for the newest."""
    report: Report | None
    """The report of the last search that has ended; None if there is none."""
    glance: Glance | None
    """The counters of the running search, or of one that has ended while this position was shown."""
    rates: tuple[float, ...]
    """The latest samples of nodes per second."""
    compiling: CompilingView | None
    """The progress of the compiler, if it runs before the search can; otherwise None."""
    compiled: float
    """The seconds that compiling took before the search could begin; 0 if its code was there."""
    busy: bool
    """Whether a search is running, or code is being compiled for one."""
    held: bool
    """Whether a search is on hold after a depth that it has finished."""
    holding: bool
    """Whether the search goes on hold after the current depth."""
    taken: bool
    """Whether the report of the last search is in this view. One that has just ended is taken over by the next poll."""

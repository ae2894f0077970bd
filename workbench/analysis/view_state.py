"""The frozen view of the Analyse screen: everything that its panels are functions of.

The desk makes one each time the screen looks. Nothing in it changes afterwards, so that panels can be tested without a desk,
and the screen can compare it with the view that it drew last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from engines import catalog
from engines.contract import DepthRow, Glance, Limit, Report, RootMove, Setting
from engines.position import Position
from workbench.analysis.game_text import GameView

if TYPE_CHECKING:
    from workbench.jobs.compile import Compiling


@dataclass(frozen=True)
class Belief:
    """What a search believed after one depth."""

    row: DepthRow
    root_moves: tuple[RootMove, ...] = ()
    interpreted: bool = False
    """It comes from the search that runs without the compiler until the compiled one is ready."""


@dataclass(frozen=True)
class CompilingView:
    """How far the compiler is."""

    what: str
    seconds: float
    """How long it has taken."""
    expected: float
    """How long it should take."""
    share: float
    """How much of it is done, from 0 to 1."""

    @classmethod
    def of(cls, compiling: Compiling) -> Self:
        """The state of a compiler that runs."""
        return cls(compiling.what, compiling.seconds, compiling.expected, compiling.share)


class SearchFacts:
    """What follows from the chosen algorithm and the beliefs by depth. The desk and its frozen view have it in common."""

    if TYPE_CHECKING:

        @property
        def algorithm(self) -> str:
            """The id of the chosen algorithm."""

        @property
        def beliefs(self) -> Mapping[int, Belief]:
            """What was believed after each depth, or at each checkpoint."""

        @property
        def shown(self) -> int | None:
            """The depth that is shown; None: the newest."""

    @property
    def iterates(self) -> bool:
        """The algorithm counts iterations, not depths."""
        return catalog.algorithm(self.algorithm).iterates

    @property
    def samples(self) -> bool:
        """Its iterations are games."""
        return catalog.algorithm(self.algorithm).samples

    @property
    def proves(self) -> bool:
        """The algorithm answers questions, and has proof numbers."""
        return catalog.algorithm(self.algorithm).proves

    @property
    def has_table(self) -> bool:
        """The algorithm keeps what it knows of positions in a table."""
        return any(parameter.name == "table" for parameter in catalog.algorithm(self.algorithm).parameters)

    @property
    def scores(self) -> bool:
        """The algorithm looks for one good game, in levels that advise each other."""
        return catalog.algorithm(self.algorithm).scores

    @property
    def layers(self) -> bool:
        """The algorithm solves a whole graph, layer by layer."""
        return "graph" in catalog.algorithm(self.algorithm).needs

    @property
    def belief(self) -> Belief | None:
        """What is looked at now: the depth that was stepped to, or the newest."""
        depth = self.shown if self.shown is not None else max(self.beliefs, default=None)
        return None if depth is None else self.beliefs[depth]

    @property
    def before(self) -> Belief | None:
        """What was believed one depth before that."""
        belief = self.belief
        earlier = [depth for depth in self.beliefs if belief is not None and depth < belief.row.depth]
        return self.beliefs[max(earlier)] if earlier else None

    @property
    def known(self) -> int:
        """The last depth that is finished."""
        return max((depth for depth, belief in self.beliefs.items() if not belief.interpreted), default=0)

    @property
    def iterations(self) -> int:
        """How many iterations are known."""
        return max((belief.row.iterations or 0 for belief in self.beliefs.values() if not belief.interpreted), default=0)


@dataclass(frozen=True, eq=False)
class AnalysisView(SearchFacts):
    """State of the Analyse screen at one moment."""

    position: Position
    title: str
    """What the position that was opened is called; empty if it has no name."""
    note: str
    """What was written about the position; empty if nothing was."""
    game: GameView
    """The moves of the game around the position."""
    study_number: int
    """Which position of the session it is, from 0."""
    study_count: int
    algorithm: str
    parameters: Mapping[str, Setting]
    """Every parameter of the algorithm with its value."""
    limit: Limit
    """When a search ends that is started now."""
    beliefs: Mapping[int, Belief]
    """What was believed after each depth, or at each checkpoint."""
    shown: int | None
    """The depth that is shown; None: the newest."""
    report: Report | None
    """The report of a search that has ended."""
    glance: Glance | None
    """The counters of the search that runs, or has ended while this position was shown."""
    rates: tuple[float, ...]
    """The last nodes per second."""
    compiling: CompilingView | None
    """How far the compiler is, if it runs before the search can."""
    busy: bool
    """Something runs: a search, or the compiler for one."""
    held: bool
    """A search waits behind a depth that it has finished."""
    holding: bool
    """The depth that is searched now is the last one before it waits."""
    taken: bool
    """The report of the last search is in this view: one that has just ended is taken over by the next look."""
    is_recorded: bool
    """The tape of the last search is at hand for the tree screen."""

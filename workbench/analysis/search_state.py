"""What is chosen and what is known on the Analyse screen: algorithm, parameters and limit; beliefs by depth.

Nothing runs here: the desk runs searches, and hands what they find to this state.
"""

from __future__ import annotations

from engines import catalog
from engines.contract import Glance, InputError, Limit, Report, Setting
from engines.tape.recording import Recording
from workbench.analysis.game import GameDesk
from workbench.analysis.view_state import Belief, SearchFacts
from workbench.sessions.model import Session
from workbench.sessions.types import KeptSearch

ITERATIONS = 20_000
"""The default limit of a Monte Carlo search, in iterations."""
EXPANSIONS = 500_000
"""The default limit of a proof search, in expansions; it ends earlier when it has a proof."""
RATE_SECONDS = 0.25
"""Seconds between two samples of the nodes per second for the small plot."""
RATES_KEPT = 24


def no_tape(kept: KeptSearch) -> Recording:
    """Reads no tape."""
    raise InputError("The session has no file yet, so it has no tapes.")


class SearchState(SearchFacts, GameDesk):
    """A position of a session, the search that was chosen for it, and what is believed of it so far."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.algorithm: str = "deepening"
        self.settings: dict[str, dict[str, Setting]] = {}
        """What was chosen for each algorithm's parameters."""
        self.limits: dict[tuple[str, str], Limit] = {}
        """The limit chosen for each game and algorithm."""
        self.seed = 0
        self.beliefs: dict[int, Belief] = {}
        self.shown: int | None = None
        """The depth that is shown; None: the newest."""
        self.report: Report | None = None
        self.compiled = 0.0
        """The seconds that compiling took before the search could begin; 0 if its code was there."""
        self.rates: list[float] = []
        """The last nodes per second."""
        self._rated = (0.0, 0)
        """The seconds and nodes of the search when they were noted last."""

    # Choices.

    @property
    def limit(self) -> Limit:
        """The limit of a search that is started now."""
        return self.limit_for(self.algorithm)

    def limit_for(self, algorithm: str) -> Limit:
        """The limit that was chosen for an algorithm on this game; by default a depth that is reached within seconds."""
        game = self.position.game.id
        found = catalog.algorithm(algorithm)
        if found.iterates:
            usually = EXPANSIONS if found.proves else found.usual_iterations or ITERATIONS
            return self.limits.get((game, algorithm), Limit(iterations=usually))
        depth = self.position.game.usual_depths[0 if found.reaches_deep else 1]
        return self.limits.get((game, algorithm), Limit(depth=depth))

    @property
    def parameters(self) -> dict[str, Setting]:
        """Every parameter of the algorithm with its value."""
        found = catalog.algorithm(self.algorithm)
        defaults = catalog.read_settings(found.parameters, {}, self.position.game.id)
        return {**defaults, **self.settings.get(self.algorithm, {})}

    def fit(self) -> str:
        """Make sure that the algorithm can search this position: keep the chosen one, or take the one that is proposed.
        Returns a sentence on it: what was changed, or what would suit a game better that was just opened."""
        where, now = self.session.study.position(), catalog.algorithm(self.algorithm)
        if catalog.misfit(now, where):
            if (better := catalog.proposed(where)) is None:
                return ""
            self.algorithm = better
            return f"{now.id} cannot search {where.game.title}; {better} takes its place."
        return catalog.shortcoming(now, where) if where.game.id != self.position.game.id else ""

    @property
    def algorithm_deepens(self) -> bool:
        """Whether the algorithm, asked for a depth, searches all depths up to it and keeps its table."""
        found = catalog.algorithm(self.algorithm)
        return not found.compiled or any(parameter.name == "table" for parameter in found.parameters)

    # Results in the session.

    def _searches_here(self) -> list[KeptSearch]:
        """The session's searches of this position by this algorithm, the last one last."""
        usual = catalog.read_settings(catalog.algorithm(self.algorithm).parameters, {}, self.position.game.id)
        game = self.position.game
        wanted = (game.id, game.size, self.position.text, self.algorithm, self.parameters)

        def of(report: Report) -> tuple[object, ...]:
            return report.game, report.size, report.position, report.algorithm, {**usual, **report.parameters}

        return [kept for kept in self.session.study.searches if of(kept.report) == wanted]

    def last_report(self) -> Report | None:
        """What the last search of this position by this algorithm found, if there is one in the session. One that was
        recorded looked at one depth only, so others go before."""
        found = [kept.report for kept in self._searches_here() if kept.report.tape_nodes is None]
        found = found or [kept.report for kept in self._searches_here()]
        return found[-1] if found else None

    @property
    def taped(self) -> KeptSearch | None:
        """The last search to the shown depth, if the session has its tape; otherwise None."""
        depth = self.belief.row.depth if self.belief else None
        taped = [kept for kept in self._searches_here() if kept.tape is not None and depth in (None, kept.report.depth)]
        return taped[-1] if taped else None

    # Results by depth.

    def forget_beliefs(self) -> None:
        """Forget all results, because the position or the algorithm has changed."""
        self.beliefs, self.shown, self.report, self.rates = {}, None, None, []
        self.compiled = 0.0
        self.rate_anew()

    def rate_anew(self) -> None:
        """Restart the measurement of speed for a new search, whose seconds and nodes count from 0."""
        self._rated = (0.0, 0)

    def recall(self) -> None:
        """Take over the results that the session has for this position, if any."""
        self.report = report = self.last_report()
        if report is not None:
            for row in report.depths:
                self.beliefs[row.depth] = Belief.last_of(report) if row is report.depths[-1] else Belief(row)

    def show(self, depth: int) -> None:
        """Show the result of a depth or checkpoint; that of one that is not known any more changes nothing."""
        if depth in self.beliefs:
            self.shown = depth if depth < max(self.beliefs) else None

    def note(self, glance: Glance, interpreted: bool = False) -> None:
        """Record the results so far of a running search, and its speed."""
        for row in glance.depths:
            known = self.beliefs.get(row.depth)
            if known is None or (known.interpreted and not interpreted):
                newest = row is glance.depths[-1]
                self.beliefs[row.depth] = Belief(row, glance.root_moves if newest else (), interpreted)
        seconds, nodes = self._rated
        if glance.seconds - seconds >= RATE_SECONDS and glance.running:
            self.rates = [*self.rates, (glance.counters.nodes - nodes) / (glance.seconds - seconds)][-RATES_KEPT:]
            self._rated = (glance.seconds, glance.counters.nodes)

    def believe(self, report: Report) -> None:
        """Take over the report of a search that has ended; it replaces results found without the compiler."""
        self.report = report
        if report.depths:
            self.beliefs = {depth: belief for depth, belief in self.beliefs.items() if not belief.interpreted}
        if report.depths and report.root_moves:
            last = report.depths[-1]
            if last.depth == report.depth:
                self.beliefs[last.depth] = Belief.last_of(report)

"""The search for horizon effects in many positions, from the positions to the findings, without a screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from engines import catalog
from engines.contract import InputError, Setting, shown
from engines.position import Position
from workbench.horizon.effect import ALGORITHM, PLAIN, check_family
from workbench.horizon.finder import DEPTH, Class, Finder, Finding, PositionFindings
from workbench.input.position_lists import Named
from workbench.jobs.searches import RunSearch, SearchInterrupted, run_to_end

ORDER: tuple[Class, ...] = get_args(Class)
"""The kinds of findings, the gravest first."""


def parameters_of(algorithm: str, settings: Mapping[str, str]) -> dict[str, Setting]:
    """The parameters of the search that is examined: quiescence is on and everything else off, except for what is set."""
    declared = catalog.algorithm(algorithm).parameters
    given = {one.name: one.read(settings[one.name]) for one in declared if one.name in settings}
    return {**PLAIN, "quiescence": True, **given}


def ranked(findings: Sequence[PositionFindings], everything: bool = False) -> list[tuple[PositionFindings, Finding]]:
    """All findings: horizon effects by size, then the others; refinements only if `everything` is asked for."""
    rows = [(one, finding) for one in findings for finding in one.findings if everything or finding.kind != "refinement"]
    return sorted(rows, key=lambda row: (ORDER.index(row[1].kind), -row[1].size, row[1].depth))


class FinderJob:
    """Examines one search in many positions, one after the other."""

    def __init__(
        self,
        target: str,
        positions: Sequence[Named],
        settings: Mapping[str, str] | None = None,
        algorithm: str = ALGORITHM,
        depth: int | None = None,
        most: int | None = None,
    ) -> None:
        """`target` is what the user named, `settings` are parameters of the algorithm as they are typed, and `most` is the
        number of positions after which it ends. Raises InputError if there is nothing to search, or no way to."""
        check_family(algorithm)
        self.target, self.algorithm = target, algorithm
        self.parameters = parameters_of(algorithm, settings or {})
        if not positions:
            raise InputError(f"There is no position to search in {shown(target, 80)}.")
        self.positions = list(positions[:most])
        self.depth = depth or DEPTH
        self.findings: list[PositionFindings] = []
        self.interrupted = False
        """Whether the user interrupted it: then some positions have no findings."""

    @property
    def by_notation(self) -> dict[str, Position]:
        """The positions by their notation."""
        return {position.text: position for _, position in self.positions}

    def run(
        self,
        run: RunSearch = run_to_end,
        on_begin: Callable[[str], object] = lambda name: None,
        on_change: Callable[[], object] = lambda: None,
    ) -> bool:
        """Examine all positions. Returns True if the user interrupted it. `on_begin` is called with the name of each
        position before it is examined, `on_change` after that."""
        finder = Finder(self.parameters, self.depth, self.algorithm, run)
        try:
            for name, position in self.positions:
                on_begin(name)
                self.findings.append(finder.find(position, name))
                on_change()
        except (SearchInterrupted, KeyboardInterrupt):
            self.interrupted = True
        return self.interrupted

    def document(self, everything: bool = False) -> dict[str, object]:
        """The JSON document: what was asked for and what was found; with ordinary refinement if `everything` is."""
        return {
            "target": self.target,
            "algorithm": self.algorithm,
            "parameters": self.parameters,
            "complete": not self.interrupted,
            "searched": len(self.findings),
            "positions": self.findings,
            "findings": [finding for _, finding in ranked(self.findings, everything)],
        }

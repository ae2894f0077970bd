"""Finds horizon effects: depths at which a search is wrong because moves that only postpone push a loss out of sight.

A search that changes its mind with depth has usually just learnt something. It is a horizon effect only if

1. one side was believed to be better off than deeper search finds, by a margin that matters;
2. the line that was believed has moves of that side that force: checks, threats, sacrifices, exchanges;
3. without them the loss is in sight: at the same place and depth, the best move that does not force shows at least half of
   it; and that side stood to lose it already, so that nothing was gambled away.

What repairs it is tried out, one switch at a time, at the same depth; if none does, more plies do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from engines.contract import DepthRow, Limit, Report, Setting
from engines.game import margins
from engines.position import Position
from workbench.horizon.effect import (
    ALGORITHM,
    NAMES,
    PLAIN,
    Configuration,
    LineMove,
    along,
    forcing_moves,
    kind_of,
    remedies,
    searched,
)
from workbench.jobs.searches import RunSearch, run_to_end

DEPTH = 5
"""The default depth to which the configuration is examined."""
BEYOND = 4
"""How many more plies are searched to see how many would have been enough."""
THRESHOLD = 1.5
"""An error of fewer margins (pawns in chess) counts as refinement, whatever the moves."""
REFERENCE_NODES = 400_000
FOLLOWED_NODES = 400_000
SEEN = 0.5
"""The share of a loss that must be visible for a remedy to count as repairing it, and for a move to count as showing it."""

Class = Literal["horizon", "exchange", "refinement"]


class Finding(Struct, frozen=True, kw_only=True):
    """A depth at which the search has a wrong value."""

    position: str
    depth: int
    kind: Class
    """`horizon`: moves only delay the loss; `exchange`: the line ends within an exchange; `refinement`: neither."""
    value: float
    true_value: float
    size: float
    """The size of the error in margins (pawns in chess)."""
    side: int
    """The side that is overrated: 1 for the first player, -1 for the second."""
    line: tuple[str, ...]
    delaying: tuple[int, ...]
    """The plies of the line, from 0 on, at which that side only delays."""
    kinds: tuple[str, ...]
    """How each move of the line forces a reply; empty where it does not."""
    without: float | None
    """The value of the best move that does not force, at the first ply where that shows the loss; None if there is none."""
    remedy: str | None
    """The single switch that repairs the search, or `plies` for a greater depth; None if nothing that was tried does."""
    plies: int | None
    """How many more plies repair it, for all depths that were searched beyond; None if none do."""
    best_move: str | None
    true_move: str | None


class PositionFindings(Struct, frozen=True, kw_only=True):
    """The findings for one position."""

    position: str
    game: str
    name: str
    true_value: float | None
    """The value of the deepest search; None if the game is over."""
    reference_depth: int
    findings: tuple[Finding, ...]
    """Horizon effects first, by size."""

    @property
    def flagged(self) -> bool:
        """Whether there is a horizon effect proper, and not only refinement or a cut-off exchange."""
        return any(finding.kind == "horizon" for finding in self.findings)

    @property
    def worst(self) -> Finding | None:
        """The largest horizon effect; if there is none, the largest cut-off exchange; None if there is neither."""
        effects = [finding for finding in self.findings if finding.kind != "refinement"]
        return max(effects, key=lambda finding: (finding.kind == "horizon", finding.size), default=None)


class Finder:
    """Looks for horizon effects of one configuration."""

    def __init__(
        self,
        parameters: dict[str, Setting] | None = None,
        depth: int = DEPTH,
        algorithm: str = ALGORITHM,
        run: RunSearch = run_to_end,
    ) -> None:
        chosen = {**PLAIN, "quiescence": True} if parameters is None else parameters
        self.configuration = Configuration(name="as chosen", parameters=chosen, algorithm=algorithm)
        self.depth, self.run = depth, run

    def find(self, position: Position, name: str = "") -> PositionFindings:
        """Find all depths at which the configuration has a wrong value."""
        findings: list[Finding] = []
        true: Report | None = None
        if not position.is_over:
            true = self._reference(position)
            rows = self._follow(position, self.configuration)
            for row in rows:
                error = overturned(row, true, position)
                if row.depth <= self.depth and abs(error) >= THRESHOLD:
                    findings.append(self._examine(position, row, true, rows, error))
        findings.sort(key=lambda finding: (finding.kind == "refinement", -finding.size, finding.depth))
        return PositionFindings(
            position=position.text,
            game=position.game.id,
            name=name,
            true_value=true.value if true else None,
            reference_depth=true.depth if true else 0,
            findings=tuple(findings),
        )

    def _search(self, position: Position, parameters: dict[str, Setting], limit: Limit, what: str) -> Report:
        return searched(position, replace_parameters(self.configuration, parameters), limit, self.run, what)

    def _reference(self, position: Position) -> Report:
        """A reference search by pvs with its default switches, as deep as some hundred thousand nodes allow."""
        strong = Configuration(name="reference", parameters={"table": int(PLAIN["table"])}, algorithm="pvs")
        return searched(position, strong, Limit(nodes=REFERENCE_NODES), self.run, "reference")

    def _follow(self, position: Position, configuration: Configuration) -> Sequence[DepthRow]:
        limit = Limit(depth=self.depth + BEYOND, nodes=FOLLOWED_NODES)
        report = searched(position, configuration, limit, self.run, "following")
        if report.depth < self.depth and not report.exact:
            report = searched(position, configuration, Limit(depth=self.depth), self.run, "following")
        return report.depths

    def _examine(self, position: Position, row: DepthRow, true: Report, rows: Sequence[DepthRow], error: float) -> Finding:
        side = 1 if error > 0 else -1
        assert true.value is not None
        moves = forcing_moves(position, row.pv)
        delaying, without = self._postponing(position, row, moves, side, abs(error))
        kind: Class = "horizon" if delaying else "refinement"
        repaired = self._repaired(position, row, true.value, abs(error), rows) if delaying else (None, None)
        if not delaying and ends_in_capture(moves, side) and not self.configuration.parameters.get("quiescence"):
            repaired = self._repaired(position, row, true.value, abs(error), rows)
            kind = "exchange" if repaired[0] == "quiescence" else "refinement"
        return Finding(
            position=position.text,
            depth=row.depth,
            kind=kind,
            value=row.value,
            true_value=true.value,
            size=round(abs(error), 2),
            side=side,
            line=row.pv,
            delaying=delaying,
            kinds=tuple(move.kind for move in moves),
            without=without,
            remedy=repaired[0],
            plies=repaired[1],
            best_move=row.best_move,
            true_move=true.best_move,
        )

    def _postponing(
        self, position: Position, row: DepthRow, moves: Sequence[LineMove], side: int, size: float
    ) -> tuple[tuple[int, ...], float | None]:
        """The plies at which a side only delays, and the value of its best quiet move at the first of them."""
        game, places = position.game, along(position, row.pv)
        believed = side * margins(row.value, game)
        for ply, move in enumerate(moves):
            if move.mover != side or not move.kind:
                continue
            quiet = self._best_quiet(places[ply], row.depth - ply)
            if quiet is None:
                continue
            now = side * margins(self._stand(places[ply]), game)
            loss = min(believed, now) - side * margins(quiet, game)
            if loss >= max(THRESHOLD, SEEN * size):
                later = tuple(at for at, other in enumerate(moves) if at >= ply and other.mover == side and other.kind)
                return later, quiet
        return (), None

    def _stand(self, position: Position) -> float:
        """The value of a position after quiescence search."""
        out = self._search(position, {**PLAIN, "quiescence": True}, Limit(depth=0), "standing")
        return 0.0 if out.value is None else out.value

    def _best_quiet(self, position: Position, depth: int) -> float | None:
        """The value of the best move that does not force, as the configuration sees it; None if all moves force."""
        if depth < 1:
            return None
        parameters = {**self.configuration.parameters, "multipv": 248, "aspiration": False}
        report = self._search(position, parameters, Limit(depth=depth), "quiet moves")
        quiet = []
        for root in report.root_moves:
            line = root.pv or (root.move,)
            places = along(position, line[:2])
            reply = line[1] if len(line) > 1 else None
            if not kind_of(places[0], places[1], root.move, reply, places, 0) and not places[1].is_over:
                quiet.append(root.value)
        return None if not quiet else max(quiet) if position.turn > 0 else min(quiet)

    def _repaired(
        self, position: Position, row: DepthRow, true: float, size: float, rows: Sequence[DepthRow]
    ) -> tuple[str | None, int | None]:
        """The single switch that finds the true value at the same depth, and how many more plies do; None each if nothing
        does."""
        game = position.game

        def is_right(value: float | None) -> bool:
            return value is not None and abs(margins(value, game) - margins(true, game)) <= (1 - SEEN) * size

        plies = None
        for later in sorted(rows, key=lambda later: -later.depth):
            if later.depth <= row.depth or not is_right(later.value):
                break
            plies = later.depth - row.depth
        for name in remedies(game, self.configuration.parameters):
            parameters = {**self.configuration.parameters, name: True}
            if is_right(self._search(position, parameters, Limit(depth=row.depth), NAMES[name]).value):
                return name, plies
        return ("plies" if plies is not None else None), plies


def replace_parameters(configuration: Configuration, parameters: dict[str, Setting]) -> Configuration:
    """The same algorithm with other parameters."""
    return Configuration(name=configuration.name, parameters=parameters, algorithm=configuration.algorithm)


def overturned(row: DepthRow, true: Report, position: Position) -> float:
    """By how many margins the value at a depth is wrong, measured against the last two depths of the reference: the smaller
    error, or 0 if they disagree on its direction. Positive if the first player is overrated."""
    game, rows = position.game, true.depths[-1:] if true.exact else true.depths[-2:]
    errors = [margins(row.value, game) - margins(known.value, game) for known in rows] or [0.0]
    smallest = min(errors, key=abs)
    return smallest if all(error * smallest > 0 for error in errors) else 0.0


def ends_in_capture(moves: Sequence[LineMove], side: int) -> bool:
    """Whether the last move of the line is a capture by the side that is overrated."""
    return bool(moves) and moves[-1].mover == side and moves[-1].kind in ("capture", "exchange", "check")

"""Who was winning at each ply of a game, and which moves gave something away: proven from the end of the game to its start.

Each position is proven by the search that is quickest for its game. What is found of later positions is known when the
earlier ones are looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Limit, Outcome, Setting
from engines.game import Position
from engines.parts.proof_table import ProofTable
from engines.parts.table import Memory
from engines.runner import Search
from workbench.truth import POINTS

NODES = 2_000_000_000
"""The budget for one position, unless somebody gives another: minutes."""
PROVER = "dfpn"

Watch = Callable[[Search, int], bool]
"""Runs a search, of the position at a ply, to its end; True if a person interrupted it."""


class PlyVerdict(Struct, frozen=True, kw_only=True):
    """What is known of one position of a game."""

    ply: int
    move: str | None
    """The move that led here; None at the start."""
    outcome: Outcome | None
    """Who wins from here with best play; None if that is not known, or the game pays a gain."""
    value: float | None
    """The gain, in a game that pays one."""
    loses: bool
    """The move that led here gave something away."""
    regret: float
    """How much: 1 for a game that was won and is lost, a half for a draw; or the gain."""
    nodes: int


class Mistakes(Struct, frozen=True, kw_only=True):
    """What is known of all positions of a game."""

    game: str
    size: str
    position: str
    plies: tuple[PlyVerdict, ...]

    @property
    def losing(self) -> list[PlyVerdict]:
        """The moves that gave something away."""
        return [row for row in self.plies if row.loses]


def judged(position: Position, nodes: int = NODES, megabytes: int = 256, watch: Watch | None = None) -> Mistakes:
    """Prove who wins at every ply, from the last to the first."""
    game = position.game
    algorithm = catalog.algorithm(PROVER)
    if reason := catalog.misfit(algorithm, position):
        raise InputError(reason)
    memory = Memory()
    memory.proofs = ProofTable(megabytes)
    places = [position]
    while places[-1].played:
        places.append(places[-1].back())
    found: list[tuple[Outcome | None, float | None, int]] = []
    for place in places:
        outcome, value, spent = _known(place, memory, nodes, watch)
        found.append((outcome, value, spent))
    found.reverse()
    names = (None, *game.line_text(position.start, position.played))
    rows = []
    for ply, (place, name, (outcome, value, spent)) in enumerate(zip(reversed(places), names, found, strict=True)):
        regret = _given_away(found[ply - 1], found[ply], -place.turn) if ply else 0.0
        rows.append(
            PlyVerdict(
                ply=ply, move=name, outcome=outcome, value=value, loses=regret > 0, regret=max(regret, 0.0), nodes=spent
            )
        )
    return Mistakes(game=game.id, size=game.size, position=position.text, plies=tuple(rows))


def _known(position: Position, memory: Memory, nodes: int, watch: Watch | None) -> tuple[Outcome | None, float | None, int]:
    """Who wins, or what the first player gets, and how many nodes that took."""
    game = position.game
    memory.kept = None
    parameters: dict[str, Setting] = {}
    search = Search(position, catalog.algorithm(PROVER), Limit(nodes=nodes), parameters, memory=memory)
    if watch is None:
        search.here()
    elif watch(search, len(position.played)):
        return None, None, 0
    report = search.report()
    gain = report.value if report.exact and not game.has_winner else None
    return report.outcome, gain, report.nodes


def _given_away(
    before: tuple[Outcome | None, float | None, int], after: tuple[Outcome | None, float | None, int], whose: int
) -> float:
    """What a move gave away, for the side that made it."""
    if before[0] is not None and after[0] is not None:
        return whose * (POINTS[before[0]] - POINTS[after[0]])
    if before[1] is not None and after[1] is not None:
        return whose * (before[1] - after[1])
    return 0.0

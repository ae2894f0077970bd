"""Who was winning at each ply of a game, and which moves gave something away, proven from the end of the game to its start.

Each position is proven by the quickest method for its game: the solver where there is one for the game, else df-pn. Results
for later positions are reused for the earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Limit, Outcome, Setting
from engines.parts.proof.table import ProofTable
from engines.position import Position
from engines.rules import WIN
from engines.run.background import Background
from engines.run.memory import Memory
from engines.run.run import Run
from engines.run.search import Search
from engines.run.work import new_work
from engines.search.solver import Choice, Solver
from engines.tape.tape import NoTape
from workbench.proofs.truth import POINTS

NODES = 2_000_000_000
"""The default budget for one position, in nodes: this takes minutes."""
PROVER = "dfpn"

Watch = Callable[[Background, int], bool]
"""Runs the work on the position at a ply to its end. Returns True if the user interrupted it."""


class PlyVerdict(Struct, frozen=True, kw_only=True):
    """The result for one position of a game."""

    ply: int
    move: str | None
    """The move that led here; None at the start."""
    outcome: Outcome | None
    """Who wins from here with best play; None if that is not known, or if the game pays a gain."""
    value: float | None
    """The gain of the first player, in a game that pays one; None if it is not known."""
    loses: bool
    """Whether the move that led here gave something away."""
    regret: float
    """How much it gave away: 1 for a win turned into a loss, 1/2 for a draw; or the gain lost."""
    nodes: int


class Mistakes(Struct, frozen=True, kw_only=True):
    """The results for all positions of a game."""

    game: str
    size: str
    position: str
    plies: tuple[PlyVerdict, ...]

    @property
    def losing(self) -> list[PlyVerdict]:
        """The plies whose moves gave something away."""
        return [row for row in self.plies if row.loses]


def judged(position: Position, nodes: int = NODES, megabytes: int = 256, watch: Watch | None = None) -> Mistakes:
    """Prove who wins at every ply, from the last to the first."""
    game = position.game
    if reason := catalog.misfit(catalog.algorithm(PROVER), position):
        raise InputError(reason)
    judge = Judge(position, nodes, megabytes)
    places = [position]
    while places[-1].played:
        places.append(places[-1].back())
    found = [judge.of(place, watch or _at_once) for place in places][::-1]
    names = (None, *game.line_text(position.start, position.played))
    rows = []
    for ply, (place, name, known) in enumerate(zip(reversed(places), names, found, strict=True)):
        regret = _given_away(found[ply - 1], known, places[-ply].turn) if ply else 0.0
        rows.append(
            PlyVerdict(
                ply=ply,
                move=name,
                outcome=known.outcome,
                value=known.value,
                loses=regret > 0,
                regret=max(regret, 0.0),
                nodes=known.nodes,
            )
        )
        assert len(place.played) == ply
    return Mistakes(game=game.id, size=game.size, position=position.text, plies=tuple(rows))


class ProvenOutcome(Struct, frozen=True):
    """Who wins, or the gain of the first player, and the nodes it took to find out."""

    outcome: Outcome | None = None
    value: float | None = None
    nodes: int = 0


class Judge:
    """Proves positions of one game one after the other, and reuses earlier results."""

    def __init__(self, position: Position, nodes: int, megabytes: int) -> None:
        self.nodes, self.memory = nodes, Memory()
        self.solver: Solver | None = None
        if position.lacks("knowledge") is None:
            parameters: dict[str, Setting] = {"table": megabytes, "all_moves": False}
            run = Run(position=position, limit=Limit(), parameters=parameters, work=new_work(), tape=NoTape())
            self.solver = Solver(run)
        else:
            self.memory.proofs = ProofTable(megabytes)

    def of(self, position: Position, watch: Watch) -> ProvenOutcome:
        """The proven result of a position; an empty one if the nodes ran out or the user interrupted."""
        if position.is_over:
            gets = position.turn * position.result
            gain = None if position.game.has_winner else position.game.shown_value(gets)
            return ProvenOutcome(position.game.outcome(gets), gain)
        if self.solver is not None:
            question = WhoWins(position, self.solver, self.nodes)
            return ProvenOutcome() if watch(question, len(position.played)) else question.known()
        self.memory.kept = None
        search = Search(position, catalog.algorithm(PROVER), Limit(nodes=self.nodes), memory=self.memory)
        if watch(search, len(position.played)):
            return ProvenOutcome()
        report = search.report()
        return ProvenOutcome(
            report.outcome, report.value if report.exact and not position.game.has_winner else None, report.nodes
        )


class WhoWins(Background):
    """Asks the solver who wins a position, and not how soon."""

    def __init__(self, position: Position, solver: Solver, nodes: int) -> None:
        super().__init__("who-wins", new_work())
        self.work.budget = nodes
        self.position, self.solver = position, solver
        self.outcome: Outcome | None = None

    def do(self) -> None:
        """Test whether the position is better than a draw, and if not, whether it is better than a loss."""
        root = Choice(self.solver, self.position.state, self.work, NoTape())
        for ask in (0, -1):
            if root.low <= ask < root.high and not self.work.stopped:
                root.ask(ask)
        mine = 1 if root.low > 0 else -1 if root.high < 0 else 0 if root.low == root.high == 0 else None
        if mine is not None:
            self.outcome = self.position.game.outcome(mine * self.position.turn * WIN)

    def known(self) -> ProvenOutcome:
        """Wait for the end and return the result."""
        self.finish()
        return ProvenOutcome(self.outcome, None, int(self.work.nodes))


def _at_once(work: Background, ply: int) -> bool:
    work.run_here()
    return False


def _given_away(before: ProvenOutcome, after: ProvenOutcome, whose: int) -> float:
    """What a move gave away, from the view of the side `whose` that made it."""
    if before.outcome is not None and after.outcome is not None:
        return whose * (POINTS[before.outcome] - POINTS[after.outcome])
    if before.value is not None and after.value is not None:
        return whose * (before.value - after.value)
    return 0.0

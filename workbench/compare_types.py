"""The frozen types of comparisons: what lanes are, what they may spend, what each says, and what came out of all of it.

Pure data, for JSON and for sessions: importing this imports no search.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from engines.contract import InputError, Limit, Outcome, Report, Setting

NOT_REACHED = "not reached"
BUDGETS = ("depth", "nodes", "iterations", "seconds", "evaluations")

Mode = Literal["together", "one after another"]


def settings_words(settings: dict[str, Setting]) -> str:
    """Settings as they are typed."""
    return " ".join(f"{name}={str(value).lower()}" for name, value in settings.items())


class LaneSpec(Struct, frozen=True, kw_only=True):
    """What a lane is."""

    name: str
    algorithm: str
    parameters: dict[str, Setting] = {}
    """All of them."""
    changed: dict[str, Setting] = {}
    """Those that are not the usual ones."""
    seed: int = 0

    @property
    def title(self) -> str:
        """The name, and what is set."""
        return f"{self.name} {settings_words(self.changed)}".strip()


class Budget(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every lane may spend; whatever is given and reached first ends it."""

    depth: int | None = None
    nodes: int | None = None
    iterations: int | None = None
    seconds: float | None = None
    evaluations: int | None = None
    """No kernel counts down evaluations: the search is watched, and stopped a moment after so many."""

    def __post_init__(self) -> None:
        _ = self.limit  # checks all but the last
        if self.evaluations is not None and not 1 <= self.evaluations < 2**62:
            raise InputError(f"The limit in evaluations is a whole number from 1 on, not {self.evaluations}.")

    @property
    def limit(self) -> Limit:
        """What of it a search knows by itself."""
        return Limit(depth=self.depth, nodes=self.nodes, iterations=self.iterations, seconds=self.seconds)

    @property
    def text(self) -> str:
        """In words."""
        given = [(name, getattr(self, name)) for name in BUDGETS if getattr(self, name) is not None]
        words = [f"depth {number}" if name == "depth" else f"{number:,} {name}" for name, number in given]
        return ", ".join(words) or "the usual depth"


class Belief(Struct, frozen=True, kw_only=True):
    """What a lane says."""

    value: float | None = None
    best_move: str | None = None
    pv: tuple[str, ...] = ()
    pv_cut_short: bool = False
    depth: int = 0
    exact: bool = False
    outcome: Outcome | None = None
    distance: int | None = None
    values: tuple[float, ...] = ()
    spread: float | None = None


class Work(Struct, frozen=True, kw_only=True):
    """What a lane has done, in units that mean something for every family. None: it does no such thing, or does not say."""

    nodes: int
    evaluations: int | None
    playout_moves: int | None
    seconds: float


class Difference(Struct, frozen=True, kw_only=True):
    """How a lane differs from the first one."""

    value: float | None = None
    """Its value less the first lane's, if they are not the same and both are numbers."""
    says: bool = False
    """The value is another one."""
    move: bool = False
    """The best move is another one."""
    ply: int | None = None
    """The ply, counted from 1, at which the lines part; None if one is the beginning of the other."""

    @property
    def any(self) -> bool:
        """There is a difference."""
        return self.says or self.move or self.ply is not None


class Agreement(Struct, frozen=True, kw_only=True):
    """Whether the lanes agree that have to."""

    agrees: bool
    """False: there is an error in the program."""
    lanes: tuple[str, ...]
    """Those that were compared with another one."""
    depths: tuple[int, ...]
    """The depths at which they were."""
    proofs: int
    """Lanes that have proven something, the truth included."""
    errors: tuple[str, ...]
    sentence: str


class MoveTruth(Struct, frozen=True, kw_only=True):
    """What is true of a move."""

    move: str
    outcome: Outcome | None
    distance: int | None
    """Plies from the position before the move to the end of a proven win."""
    value: float
    regret: float
    """What it gives away: points (a win is 1, a draw a half), or the gain in a game that pays one. 0: nothing."""
    plies: int | None
    """How many plies later the same win comes, or sooner the same loss; None if that is not known."""


class Truth(Struct, frozen=True, kw_only=True):
    """What is true of a position."""

    source: str
    """What told: an algorithm, a kind of table, or the rules."""
    outcome: Outcome | None
    """None if the game has no winners: then the value is the gain."""
    distance: int | None
    value: float
    """For the first player; a draw is 0."""
    nodes: int
    moves: tuple[MoveTruth, ...] = ()
    """The moves that were asked about, as far as their truth could be found."""

    def of(self, move: str | None) -> MoveTruth | None:
        """What is true of a move, if it was asked about and found."""
        return next((one for one in self.moves if one.move == move), None)


class LaneRow(Struct, frozen=True, kw_only=True):
    """One lane, beside its report."""

    name: str
    algorithm: str
    changed: dict[str, Setting]
    """The parameters that are not the usual ones."""
    ended_by: str
    work: Work | None
    differs: Difference | None
    """From the first lane; None for that one."""
    truth: MoveTruth | None
    """What is true of its move."""
    problem: str = ""
    """Why it has no report."""

    @property
    def title(self) -> str:
        """The name, and what is set."""
        return f"{self.name} {settings_words(self.changed)}".strip()


class Compared(Struct, frozen=True, kw_only=True):
    """A whole comparison."""

    game: str
    size: str
    options: dict[str, Setting]
    position: str
    budget: Budget
    mode: Mode
    why: str
    """Why the lanes ran together, or one after another."""
    cores: int
    complete: bool
    """False if it was interrupted."""
    reports: tuple[Report | None, ...]
    """None where a lane was not reached, or could not be run."""
    lanes: tuple[LaneRow, ...]
    agreement: Agreement
    truth: Truth | None = None


# Suites: many positions, the same lanes.


class Cell(Struct, frozen=True, kw_only=True):
    """What one lane said of one position."""

    position: int
    lane: int
    """Both counted from 1."""
    value: float | None
    best_move: str | None
    depth: int
    exact: bool
    outcome: Outcome | None
    distance: int | None
    nodes: int
    evaluations: int | None
    seconds: float
    stopped_by: str
    depths: dict[int, float] = {}
    """The value at each depth that was finished."""


class Told(Struct, frozen=True, kw_only=True):
    """What is true of one position, if that is known."""

    position: int
    truth: Truth | None


class SuiteHead(Struct, frozen=True, kw_only=True):
    """What a suite is: two with the same head are the same work."""

    format: str
    version: str
    """Of Plybench: another one may count other nodes."""
    game: str
    size: str
    positions: int
    digest: str
    """Of all positions and what the file says of them."""
    lanes: tuple[LaneSpec, ...]
    budget: Budget
    truth_nodes: int | None
    """The budget for each proof; None: nobody asks for the truth."""


class Judged(Struct, frozen=True, kw_only=True):
    """How a lane did on one position."""

    right: bool | None
    """None if nothing tells, or if it is the lane that the others are measured by."""
    by: str
    """What tells: the file, the truth, or the deepest lane."""
    regret: float | None = None


class SuiteRow(Struct, frozen=True, kw_only=True):
    """One position of a suite."""

    number: int
    id: str
    position: str
    truth: Truth | None
    cells: tuple[Cell, ...]
    judged: tuple[Judged, ...]


class LaneTotal(Struct, frozen=True, kw_only=True):
    """How a lane did on all positions."""

    name: str
    algorithm: str
    changed: dict[str, Setting]
    positions: int
    judged: int
    right: int
    percent: float | None
    """Of those that could be judged."""
    regret: float | None
    """The mean of what its moves give away, where that is known."""
    depth: float
    nodes: int
    mean_nodes: float
    evaluations: int | None
    seconds: float
    mean_seconds: float
    first_moves: int
    """On so many positions it chooses the first lane's move."""

    @property
    def title(self) -> str:
        """The name, and what is set."""
        return f"{self.name} {settings_words(self.changed)}".strip()


class SuiteOutcome(Struct, frozen=True, kw_only=True):
    """A suite of comparisons, as far as it got."""

    file: str
    game: str
    size: str
    budget: Budget
    truth_nodes: int | None
    total: int
    done: int
    complete: bool
    resumed: int
    """So many searches were known from before."""
    lanes: tuple[LaneTotal, ...]
    by: dict[str, int]
    """On how many positions lanes were judged by what."""
    errors: tuple[str, ...]
    """Disagreements of those that have to agree: errors of the program."""
    rows: tuple[SuiteRow, ...]


def proving_text(lanes: Iterable[tuple[str, Report | None]]) -> str:
    """How many of their nodes lanes spent on the quickest win, behind a search that had found one. Each lane is given by its
    name. Empty if none did."""
    some = [(name, report.distance_nodes) for name, report in lanes if report is not None and report.distance_nodes]
    parts = ", ".join(f"{nodes:,} of {name}" for name, nodes in some)
    return f"The nodes include those that found the quickest win: {parts}." if parts else ""

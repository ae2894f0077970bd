"""The frozen types of comparisons: what lanes are, what they may spend, what each says, and what came out of all of it.

Pure data, for JSON and for sessions: importing this imports no search.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engines.contract import Amount, Count, InputError, Limit, Outcome, Ply, Report, Seconds, Setting

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
    """All of the algorithm's."""
    changed: dict[str, Setting] = {}
    """Those that are not the usual ones, and the options."""
    seed: int = 0
    options: dict[str, Setting] = {}
    """Options of the game in which it differs from other lanes; they change what positions are worth to it."""

    @property
    def title(self) -> str:
        """The name, and what is set."""
        return f"{self.name} {settings_words(self.changed)}".strip()


class LaneBudget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every lane may spend; whatever is given and reached first ends it."""

    depth: int | None = None
    nodes: int | None = None
    iterations: int | None = None
    seconds: float | None = None
    evaluations: int | None = None
    """The limit of evaluations. Kernels do not count them down: the search is polled, and stopped shortly after it."""

    def __post_init__(self) -> None:
        _ = self.limit  # checks all but the last
        if self.evaluations is not None and not 1 <= self.evaluations < 2**62:
            raise InputError(f"The limit in evaluations must be a whole number of at least 1, not {self.evaluations}.")

    @property
    def limit(self) -> Limit:
        """What of it a search knows by itself."""
        return Limit(depth=self.depth, nodes=self.nodes, iterations=self.iterations, seconds=self.seconds)

    @property
    def text(self) -> str:
        """In words."""
        from workbench.render.values import limit_text

        return limit_text(self.limit, "the usual depth", in_full, self.evaluations)


def in_full(name: str, number: float) -> str:
    """One limit of a budget, as a person would type it: `depth 8`, `200,000 nodes`."""
    return f"depth {number}" if name == "depth" else f"{number:,} {name}"


class LaneBelief(Struct, frozen=True, kw_only=True):
    """What a lane says."""

    value: Amount | None = None
    best_move: str | None = None
    pv: tuple[str, ...] = ()
    pv_cut_short: bool = False
    depth: Ply = 0
    exact: bool = False
    outcome: Outcome | None = None
    distance: Ply | None = None
    values: tuple[Amount, ...] = ()
    spread: Amount | None = None


class Work(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a lane has done, in units that mean something for every family. None: it does no such thing, or does not say."""

    nodes: Count
    evaluations: Count | None
    playout_moves: Count | None
    seconds: Seconds


class LaneDifference(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a lane differs from the first one."""

    value: Amount | None = None
    """Its value less the first lane's, if they are not the same and both are numbers."""
    says: bool = False
    """The value is another one."""
    move: bool = False
    """The best move is another one."""
    ply: Ply | None = None
    """The ply, counted from 1, at which the lines part; None if one is the beginning of the other."""

    @property
    def any(self) -> bool:
        """There is a difference."""
        return self.says or self.move or self.ply is not None


class Agreement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the lanes agree that have to."""

    agrees: bool
    """False: there is an error in the program."""
    lanes: tuple[str, ...]
    """Those that were compared with another one."""
    depths: tuple[Ply, ...]
    """The depths at which they were."""
    proofs: Count
    """Lanes that have proven something, the truth included."""
    errors: tuple[str, ...]
    sentence: str


class MoveTruth(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is true of a move."""

    move: str
    outcome: Outcome | None
    distance: Ply | None
    """Plies from the position before the move to the end of a proven win."""
    value: Amount
    regret: Amount
    """What it gives away: points (a win is 1, a draw a half), or the gain in a game that pays one. 0: nothing."""
    plies: Ply | None
    """How many plies later the same win comes, or sooner the same loss; None if that is not known."""


class Truth(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is true of a position."""

    source: str
    """The source of the truth: an algorithm, a kind of table, or the rules."""
    outcome: Outcome | None
    """None if the game has no winners: then the value is the gain."""
    distance: Ply | None
    value: Amount
    """For the first player; a draw is 0."""
    nodes: Count
    moves: tuple[MoveTruth, ...] = ()
    """The moves that were asked about, as far as their truth could be found."""

    def of(self, move: str | None) -> MoveTruth | None:
        """What is true of a move, if it was asked about and found."""
        return next((one for one in self.moves if one.move == move), None)


class LaneRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One lane, beside its report."""

    name: str
    algorithm: str
    changed: dict[str, Setting]
    """The parameters that are not the usual ones."""
    ended_by: str
    work: Work | None
    differs: LaneDifference | None
    """From the first lane; None for that one."""
    truth: MoveTruth | None
    """What is true of its move."""
    problem: str = ""
    """Why it has no report."""

    @property
    def title(self) -> str:
        """The name, and what is set."""
        return f"{self.name} {settings_words(self.changed)}".strip()


class Compared(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole comparison."""

    game: str
    size: str
    options: dict[str, Setting]
    position: str
    budget: LaneBudget
    mode: Mode
    why: str
    """Why the lanes ran together, or one after another."""
    cores: Count
    complete: bool
    """False if it was interrupted."""
    reports: tuple[Report | None, ...]
    """None where a lane was not reached, or could not be run."""
    lanes: tuple[LaneRow, ...]
    agreement: Agreement
    truth: Truth | None = None


# Suites: many positions, the same lanes.


class SuiteCell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one lane said of one position."""

    position: Count
    lane: Count
    """Both counted from 1."""
    value: Amount | None
    best_move: str | None
    depth: Ply
    exact: bool
    outcome: Outcome | None
    distance: Ply | None
    nodes: Count
    evaluations: Count | None
    seconds: Seconds
    stopped_by: str
    depths: dict[Ply, Amount] = {}
    """The value at each depth that was finished."""
    error: str | None = None
    """Why there is no answer, if there is none."""


class TruthRow(Struct, frozen=True, kw_only=True):
    """What is true of one position, if that is known."""

    position: Count
    truth: Truth | None


class SuiteHead(Struct, frozen=True, kw_only=True):
    """What a suite is: two with the same head are the same work."""

    format: str
    version: str
    """Of Plybench: another one may count other nodes."""
    game: str
    size: str
    positions: Count
    digest: str
    """Of all positions and what the file says of them."""
    lanes: tuple[LaneSpec, ...]
    budget: LaneBudget
    truth_nodes: Count | None
    """The budget for each proof; None if no truth was asked for."""

    def as_now(self) -> SuiteHead:
        """The same work with the parameters that algorithms have got since, at their defaults."""
        from engines.catalog import completed  # the first screen waits for nothing that it does not need

        lanes = [replace(lane, parameters=completed(lane.algorithm, lane.parameters, self.game)) for lane in self.lanes]
        return replace(self, lanes=tuple(lanes))


class JudgedCell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a lane did on one position."""

    right: bool | None
    """None if nothing tells, or if it is the lane that the others are measured by."""
    by: str
    """What tells: the file, the truth, or the deepest lane."""
    regret: Amount | None = None


class SuiteRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One position of a suite."""

    number: Count
    id: str
    position: str
    truth: Truth | None
    cells: tuple[SuiteCell, ...]
    judged: tuple[JudgedCell, ...]


class LaneTotal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a lane did on all positions."""

    name: str
    algorithm: str
    changed: dict[str, Setting]
    positions: Count
    judged: Count
    right: Count
    percent: Amount | None
    """Of those that could be judged."""
    regret: Amount | None
    """The mean of what its moves give away, where that is known."""
    depth: Amount
    nodes: Count
    mean_nodes: Amount
    evaluations: Count | None
    seconds: Seconds
    mean_seconds: Seconds
    first_moves: Count
    """The number of positions on which it chooses the first lane's move."""

    @property
    def title(self) -> str:
        """The name, and what is set."""
        return f"{self.name} {settings_words(self.changed)}".strip()


class SuiteOutcome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A suite of comparisons, as far as it got."""

    file: str
    game: str
    size: str
    budget: LaneBudget
    truth_nodes: Count | None
    total: Count
    done: Count
    complete: bool
    resumed: Count
    """The number of searches that were taken over from the journal."""
    lanes: tuple[LaneTotal, ...]
    by: dict[str, Count]
    """On how many positions lanes were judged by what."""
    errors: tuple[str, ...]
    """Disagreements of those that have to agree: errors of the program."""
    rows: tuple[SuiteRow, ...]
    failures: tuple[str, ...] = ()
    """Where another program failed, and why."""


def proving_text(lanes: Iterable[tuple[str, Report | None]]) -> str:
    """How many of their nodes lanes spent on the quickest win, behind a search that had found one. Each lane is given by its
    name. Empty if none did."""
    some = [(name, report.distance_nodes) for name, report in lanes if report is not None and report.distance_nodes]
    parts = ", ".join(f"{nodes:,} of {name}" for name, nodes in some)
    return f"The nodes include those that found the quickest win: {parts}." if parts else ""


def remarks_text(lanes: Iterable[tuple[str, Report | None]]) -> str:
    """What is to be minded of lanes, each given by its name: what their values leave out, and what their nodes include."""
    known = [(name, report) for name, report in lanes if report is not None]
    by_caution: dict[str, list[str]] = {}
    for name, report in known:
        if report.caution:
            by_caution.setdefault(report.caution, []).append(name)
    cautions = [f"{', '.join(names)}: {caution}" for caution, names in by_caution.items()]
    return " ".join(filter(None, [*cautions, proving_text(known)]))

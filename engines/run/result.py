"""The result of a search in kernel terms: moves as integers, values in kernel units."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.contract import Bound, Counters, StoppedBy, TableCounters


@dataclass
class MoveResult:
    """What was found about one move of the root. Values are for the side to move there."""

    move: int
    value: float
    """In units of the kernels; a mean from 0 to 1, in millionths, if the algorithm samples."""
    bound: Bound
    nodes: int
    line: list[int] = field(default_factory=list)
    """The best line that begins with it, where the search kept one."""
    visits: int | None = None
    error: float | None = None
    """The standard error of a mean."""
    proven: int = 0
    """Of a move that was sampled: 1 if the first player is proven to win, -1 if the second, 2 if it is a draw."""
    proof: int | None = None
    disproof: int | None = None
    values: tuple[float, ...] = ()
    """What each player gets, where the algorithm tells."""
    spread: float | None = None
    """The standard deviation of an expectation."""
    cut_short: bool = False
    """The line ends before the search did."""


@dataclass
class LevelResult:
    """How good the searches of one level of a nested search were. Values are for the side to move."""

    level: int
    searches: int
    mean: float
    best: int


@dataclass
class NodeResult:
    """What was found about one node of a graph that was solved as a whole. The value is for the first player."""

    node: int
    owner: int
    layer: int | None
    """How many steps from the end it was found; None if it is in no layer."""
    value: int | None
    move: int | None
    """The edge to take there."""


@dataclass
class DepthResult:
    """The result of one depth, or of the finished part of it. The value is for the side to move."""

    depth: int
    value: float | None = None
    line: list[int] = field(default_factory=list)
    root_moves: list[MoveResult] = field(default_factory=list)
    exact: bool = False
    nodes: int = 0
    leaves: int = 0
    seconds: float = 0.0
    table: TableCounters | None = None
    """What was done with the transposition table at this depth, if there is one."""
    cut_short: bool = False
    """The line ends before the search did: the value is known behind it, the moves are not."""
    iterations: int | None = None
    error: float | None = None
    samples: int | None = None
    """The number of results that the value is the mean of, where it is one and nothing is proven."""
    proof: int | None = None
    disproof: int | None = None
    target: int | None = None
    """Of a search that proves: the numbers, and the least that the first player has to get in the question asked."""
    values: tuple[float, ...] = ()
    spread: float | None = None
    counted: Counters | None = None
    """What was counted at this depth alone."""


@dataclass
class AnswerResult:
    """Whether the first player gets at least so much, and how many nodes it took to find out."""

    target: int
    yes: bool
    nodes: int


@dataclass
class SearchResult:
    """The result of a whole search, in kernel terms."""

    best: DepthResult
    depths: list[DepthResult]
    stopped_by: StoppedBy
    distance_nodes: int = 0
    """Nodes of a second search that made sure of a win, or of how quick it is. They are within the limit too."""
    line_nodes: int = 0
    """Nodes of searches that followed lines to their leaves, within the limit too."""
    knows_distance: bool = True
    """False if a win is proven but how quick it is was not found out in time."""
    table: TableCounters | None = None
    """What was done with the transposition table in all, if there is one."""
    tree_depths: tuple[int, ...] = ()
    """How many nodes of a tree that was sampled were visited at each ply."""
    playout_plies: float | None = None
    by_thread: tuple[Counters, ...] = ()
    """What each of several threads counted."""
    levels: list[LevelResult] = field(default_factory=list)
    """Of searches whose levels advise each other."""
    answers: list[AnswerResult] = field(default_factory=list)
    """Of searches that prove."""
    caution: str = ""
    """What the value does not take into account, in a sentence."""
    regions: list[NodeResult] = field(default_factory=list)
    """Of searches that solve a graph as a whole: what every node is worth."""

"""The frozen types that cross the border of `engines`: what is asked of a search, and what it answers.

All values are from the first player's side (White, the first mover, MAX): positive is good for the first player.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

MAX_DEPTH = 240
"""No search looks further ahead than this."""

Outcome = Literal["first", "second", "draw"]
Bound = Literal["exact", "at least", "at most"]
StoppedBy = Literal["depth", "nodes", "iterations", "seconds", "memory", "request", "solved", "table", "game over"]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""What is counted. Files that say less than nothing, or more than a kernel can count, are refused when they are read."""
Ply = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""A depth, a distance, or the number of a checkpoint."""
Amount = Annotated[float, Meta(ge=-1e15, le=1e15)]
"""A value, or a part of one. The bounds are far beyond what any game has, and still safe in arithmetic."""
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Setting = bool | int | float | str


# What is read from files forbids fields that it does not know: a name with a slip in it would else be lost without a word.


class InputError(ValueError):
    """Input from the user or from a file cannot be used. The message is a sentence for the user."""


class EngineFailed(InputError):
    """An external engine has crashed or broken the protocol. This search is lost; the next one may succeed."""


class Parameter(Struct, frozen=True, kw_only=True):
    """A setting of an algorithm or a game, declared once; options, forms, checks and help are made from it."""

    name: str
    default: Setting
    sentence: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    default_for: Mapping[str, Setting] = msgspec.field(default_factory=dict)
    """Other defaults, by the id of the game that prefers them: for lists, filled in by `catalog.with_preferences`."""
    judges: bool = False
    """Of a game: it changes the evaluation, not which moves are legal. Players of one match may differ in it."""

    @property
    def kind(self) -> str:
        """The type's name for people: `yes/no`, `whole number`, `number`, `choice` or `text`."""
        if isinstance(self.default, bool):
            return "yes/no"
        if isinstance(self.default, int):
            return "whole number"
        if isinstance(self.default, float):
            return "number"
        return "choice" if self.choices else "text"

    def read(self, text: str) -> Setting:
        """The value a person typed, checked."""
        if isinstance(self.default, bool):
            return self._yes_or_no(text)
        if isinstance(self.default, int | float):
            return self._number(text)
        if self.choices and text not in self.choices:
            raise InputError(f"{self.name} cannot be {shown(text)}.{instead(text, self.choices)}")
        return text

    def _yes_or_no(self, text: str) -> bool:
        if text.lower() in ("true", "yes", "on", "1"):
            return True
        if text.lower() in ("false", "no", "off", "0"):
            return False
        raise InputError(f"{self.name} is true or false, not {shown(text)}.")

    def _number(self, text: str) -> int | float:
        whole = isinstance(self.default, int)
        try:
            value: int | float = int(text) if whole else float(text)
        except ValueError:
            raise InputError(f"{self.name} is a {self.kind}, not {shown(text)}.") from None
        low = float("-inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        if not low <= value <= high:
            raise InputError(f"{self.name} must be from {low:g} to {high:g}, not {shown(text)}.")
        return value


class ByGame(Parameter, frozen=True, kw_only=True):
    """A parameter of an algorithm whose default is left to the game, if that prefers one: see `Game.preferred`."""


def shown(text: str, longest: int = 40) -> str:
    """The user's own text for use inside a message: quoted, on one line, and cut if it is too long."""
    flat = " ".join(text[: longest * 4].split()) or text[:1]
    flat = "".join(letter if letter.isprintable() else "?" for letter in flat)
    return f"'{flat}'" if len(flat) <= longest and len(text) <= longest * 4 else f"'{flat[:longest]}...'"


FEW_NAMES, LIKELY = 10, 0.1
"""The most names that an error message lists in full; it suggests those hardly less alike than the nearest one."""


def instead(text: str, names: Iterable[str], listing: str = "") -> str:
    """What follows in an error message when there is nothing of the name that the user typed: the names nearest to it, or
    all if they are few; `listing` is the command that lists many."""
    known = {name.casefold(): name for name in names}
    typed = text.casefold().strip()
    alike = {name: difflib.SequenceMatcher(None, name, typed).ratio() for name in difflib.get_close_matches(typed, known)}
    alike |= {name: 1.0 for name in known if len(typed) > 1 and name.startswith(typed)}
    near = [known[name] for name, ratio in alike.items() if ratio + LIKELY >= max(alike.values())]
    said = f" Did you mean {listed(near[:3], 'or')}?" if near else ""
    if listing and (near or len(known) > FEW_NAMES):
        return f"{said} `{listing}` lists all."
    if len(known) > FEW_NAMES or not known:
        return said
    return (
        f"{said} Choose from {listed(list(known.values()))}."
        if len(known) > 1
        else f" The only one is {listed(list(known.values()))}."
    )


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names in a sentence: `a, b and c`. For a few names; `instead` chooses them."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


DEPTH_BY_DEPTH = 2**61
"""A limit in nodes that is never reached. It makes a search to a depth go through all shallower depths first."""


class Limit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a search has to end; whatever is given and reached first ends it.

    A depth alone means one search to exactly that depth. With a limit in nodes or seconds a fixed-depth search goes
    depth by depth, so that there is an answer whenever it ends.
    """

    depth: int | None = None
    nodes: int | None = None
    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and not 0 <= self.depth <= MAX_DEPTH:
            raise InputError(f"The depth is a whole number from 0 to {MAX_DEPTH}, not {self.depth}.")
        for name in ("nodes", "iterations"):
            number = getattr(self, name)
            if number is not None and not 1 <= number < 2**62:
                raise InputError(f"The limit in {name} must be a whole number of at least 1, not {number}.")
        if self.seconds is not None and not 0 < self.seconds <= 1e6:
            raise InputError(f"The limit in seconds must be above 0 and at most a million, not {self.seconds:g}.")

    @property
    def given_nodes(self) -> int | None:
        """The limit in nodes if the user gave one, not `DEPTH_BY_DEPTH`."""
        return None if self.nodes == DEPTH_BY_DEPTH else self.nodes


class Counters(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a search has done so far."""

    nodes: Count = 0
    """Every position entered, the root included."""
    leaves: Count = 0
    """Those that were not expanded: the game was over, or the depth was used up."""
    evaluations: Count = 0
    """Positions scored by the evaluation: leaves at the horizon, and those where a quiescence search may stop or go on."""
    cutoffs: Count = 0
    """Nodes where a move made looking at the rest unnecessary."""
    first_move_cutoffs: Count = 0
    """Cutoffs by the first move tried: the measure of how good the move ordering is."""
    selective_depth: Ply = 0
    """The deepest ply that was entered."""
    iterations: Count = 0
    """How often a Monte Carlo search has descended its tree."""
    playouts: Count = 0
    """Playouts: games played to their end, or to the depth where they are evaluated."""
    tree_nodes: Count = 0
    """Nodes of the tree in memory. A sampled tree lists all moves of a node but has visited only some."""
    visited_nodes: Count = 0
    """Those of them that a search that samples has visited."""
    chance_nodes: Count = 0
    """Nodes where nature moves."""


class TableCounters(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a search did with its transposition table."""

    size: Count
    """Bytes."""
    probes: Count
    hits: Count
    """Probes that found the position, searched as deep as was asked for."""
    cutoffs: Count
    """Hits that made a search unnecessary."""
    exact_cutoffs: Count = 0
    lower_cutoffs: Count = 0
    upper_cutoffs: Count = 0
    """The cutoffs by kind of entry: exact values, lower bounds, upper bounds."""
    stores: Count
    overwrites: Count
    """Stores that replaced the entry of another position."""
    collisions: Count
    """Probes that found only other positions in their place."""
    filled: Count
    """Entries in use."""
    entries: Count = 0
    """Entries that the table has room for."""


class RootMove(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a search found about one move of the root position."""

    move: str
    value: Amount
    bound: Bound
    """`at most` and `at least`: the search saw enough to know that the move is no better, and looked no further."""
    nodes: Count
    pv: tuple[str, ...] = ()
    """The best line that begins with it, where the search kept one."""
    visits: Count | None = None
    """How many playouts went through this move."""
    std_error: Amount | None = None
    """The standard error of the value, where it is a mean of samples."""
    interval: tuple[Amount, Amount] | None = None
    """Where the true mean is with a confidence of 95 %, if the samples were independent; see `engines/run/intervals.py`."""
    proven: Outcome | None = None
    """Who wins after this move, where a sampling or best-first search has proven it."""
    proof: Count | None = None
    disproof: Count | None = None
    """The proof numbers of the position behind it, in searches that prove; None also stands for an infinite number."""
    values: tuple[Amount, ...] = ()
    """What each player gets, where a search tells; the value is the first one's."""
    spread: Amount | None = None
    """The standard deviation of what it comes to, where the value is an expectation."""
    likelihood: Amount | None = None
    """How probable it is, where nature moves."""
    pv_cut_short: bool = False
    """The line ends before the search did."""


class DepthRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a search believed when it had finished one depth, or had come to a checkpoint."""

    depth: Ply
    """The depth, or the number of the checkpoint."""
    value: Amount
    best_move: str | None
    pv: tuple[str, ...]
    nodes: Count
    leaves: Count
    seconds: Seconds
    table: TableCounters | None = None
    pv_cut_short: bool = False
    """The line ends before the search did: the value is known behind it, the moves are not."""
    iterations: Count | None = None
    """How many iterations led to it, where that is what a search counts."""
    std_error: Amount | None = None
    interval: tuple[Amount, Amount] | None = None
    """Where the true mean is with a confidence of 95 %, if the samples were independent; see `engines/run/intervals.py`."""
    proof: Count | None = None
    disproof: Count | None = None
    """The proof numbers of the question that is asked, in searches that prove; None also stands for an infinite number."""
    question: str | None = None
    """What such a search asks."""
    values: tuple[Amount, ...] = ()
    """What each player gets, where a search tells; the value is the first one's."""
    spread: Amount | None = None
    """The standard deviation of what the game comes to with best play, where the value is an expectation."""
    counted: Counters | None = None
    """What was counted at this depth alone, where depths are searched one after another; the deepest ply by then."""


class Answer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that a search has answered, and how many nodes that took."""

    question: str
    yes: bool
    nodes: Count


class Glance(Struct, frozen=True, kw_only=True):
    """A snapshot of a search that may still be running: what it has counted and found so far."""

    counters: Counters
    seconds: Seconds
    running: bool
    depth: Ply
    """The depth being searched."""
    root_done: Count
    root_count: Count
    """How many moves of the root are searched at this depth, of how many."""
    depths: tuple[DepthRow, ...]
    """What was believed at each depth that is finished."""
    root_moves: tuple[RootMove, ...]
    """The moves of the root at the last finished depth."""
    by_thread: tuple[Counters, ...] = ()
    """What each thread has done, if there are several."""
    line: tuple[str, ...] = ()
    """The line being examined now, of searches that expand one position at a time."""


class LevelRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How good the games were that the searches of one level found, where levels advise each other; 0 is random games."""

    level: Ply
    searches: Count
    mean: Amount
    best: Amount


class NodeRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a search that solves a whole graph found about one node."""

    node: str
    owner: Outcome
    layer: Ply | None
    """The rank: how many steps from the end it was found; None if nobody can force an end from there."""
    value: Amount | None
    winner: Outcome | None
    """Who wins from there."""
    move: str | None
    """The edge to take: the strategy."""


class Report(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of one search."""

    game: str
    size: str
    options: dict[str, Setting]
    position: str
    algorithm: str
    parameters: dict[str, Setting]
    limit: Limit
    seed: int
    value: Amount | None
    """None if the search was stopped before it knew anything, or does not judge at all."""
    exact: bool
    """The value is the true one: nothing behind a horizon could change it."""
    outcome: Outcome | None
    """Who wins, where that is proven."""
    distance: Ply | None
    """Plies to the end of a proven win with best play on both sides."""
    best_move: str | None
    pv: tuple[str, ...]
    pv_cut_short: bool
    """The line ends before the search did: the value is known behind it, the moves are not."""
    depth: Ply
    """The last depth that was finished."""
    nodes: Count
    leaves: Count
    evaluations: Count
    cutoffs: Count
    first_move_cutoffs: Count
    selective_depth: Ply
    distance_nodes: Count
    """Nodes of the second search that finds the quickest win where the first did not tell quick from slow."""
    seconds: Seconds
    """The search alone."""
    compile_seconds: Seconds
    """What compiling its code, or loading what was compiled before, took in addition."""
    nodes_per_second: Seconds
    """Nodes of all searches, if there were more than one."""
    stopped_by: StoppedBy
    table: TableCounters | None
    depths: tuple[DepthRow, ...]
    root_moves: tuple[RootMove, ...]
    iterations: Count | None = None
    """How often a tree that is sampled was walked down, in all; None for other searches."""
    line_nodes: Count = 0
    """Nodes of searches that followed lines to their leaves, where the first search knew only the value."""
    playouts: Count | None = None
    std_error: Amount | None = None
    """The standard error of the value, where it is a mean of samples."""
    interval: tuple[Amount, Amount] | None = None
    """Where the true mean is with a confidence of 95 %, if the samples were independent; see `engines/run/intervals.py`."""
    tree_nodes: Count | None = None
    """Nodes of the tree that was kept, with moves that are listed and were never visited."""
    tree_depths: tuple[Count, ...] = ()
    """How many of them were visited at each ply."""
    playout_plies: Amount | None = None
    """How long a playout was on average."""
    by_thread: tuple[Counters, ...] = ()
    """What each thread counted, if several sampled."""
    levels: tuple[LevelRow, ...] = ()
    """What each level found, of a search in which levels advise each other."""
    proof: Count | None = None
    disproof: Count | None = None
    """The proof numbers of the last question, of searches that prove; None also stands for an infinite number."""
    answers: tuple[Answer, ...] = ()
    """The questions that are answered."""
    regions: tuple[NodeRow, ...] = ()
    """Every node of a graph that was solved as a whole."""
    values: tuple[Amount, ...] = ()
    """What each player gets, where a search tells; the value is the first one's."""
    spread: Amount | None = None
    """The standard deviation of what the game comes to with best play, where the value is an expectation."""
    chance_nodes: Count = 0
    """Nodes where nature moved."""
    tape_nodes: Count | None = None
    """How many nodes are on the tape; None if the search was not recorded."""
    caution: str = ""
    """What the value does not take into account, in a sentence; empty if there is nothing to mind."""

    @property
    def all_nodes(self) -> int:
        """What a limit of nodes counts: those of the search, and of the searches behind it."""
        return self.nodes + self.distance_nodes + self.line_nodes


class Term(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One named term of an evaluation: a count for each player, and what it adds for the first."""

    name: str
    first: float
    second: float
    weight: float
    value: float
    values: tuple[float, ...] = ()
    """What it counts for each player, where there are more than two, or each has values of their own."""


class Evaluation(Struct, frozen=True, kw_only=True):
    """The static evaluation of a position, term by term."""

    value: float
    terms: tuple[Term, ...]
    values: tuple[float, ...] = ()
    """What each player has, where there are more than two, or each has values of their own."""


def as_json(document: Any) -> str:
    """One JSON document, indented for people."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()

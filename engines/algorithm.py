"""What an algorithm declares about itself: how it is called, what it needs of a position, which parameters it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from engines.contract import Limit, Parameter, Setting

if TYPE_CHECKING:
    from engines.run.result import SearchResult
    from engines.run.run import Run

NEEDS = {
    "alternating": "two players who take turns, and no chance",
    "opponent": "two players, one of whom wins, and no chance",
    "ends": "a game that comes to its end whatever is played",
    "decided": "a game that ends, or whose rules say who wins if it never does",
    "sides": "one player, or two, one of whom loses what the other wins",
    "company": "two players or more",
    "chance": "chance",
    "no chance": "a game without chance",
    "alone": "a single player who wants a score",
    "knowledge": "a game's own knowledge of its values",
    "table": "a game that is small enough to be solved as a whole",
    "graph": "a tree or graph whose nodes are all known beforehand",
    "uci": "a game that UCI engines play",
}
"""What an algorithm may need of a position, in words. A position has it or says why not: `Position.lacks`."""

FAMILIES = {
    "alpha-beta": "Minimax and alpha-beta",
    "proof": "Proofs: who wins",
    "whole": "Whole games solved backwards",
    "chance": "Chance",
    "company": "More than two players",
    "sampling": "Random games",
    "records": "One good game",
    "other": "Others",
}
"""The families that lists of algorithms have headings for."""

View = Literal["mover", "first"]

TABLES = Parameter(
    name="tables", default=False, sentence="Treat a position found in a table of solved positions as finished (retrograde)."
)
"""The switch that lets a search take positions in solved tables for finished. Every algorithm that asks the rules how a
position ended can have it; those that play games to their end cannot, because they need the moves."""


@dataclass(frozen=True)
class Algorithm:
    """A search method: how it is called, what it needs, which parameters it has, and the function that runs it.

    The card that explains it is the docstring of the module that `search` is in.
    """

    id: str
    name: str
    year: int | None
    summary: str
    search: Callable[[Run], SearchResult]
    family: str = "other"
    """One of `FAMILIES`."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """Which line of its card an event of the search is, for those who watch it: words of a line below "In short", by the
    name of the event. `workbench.watch.steps` has the names."""
    inside: str = ""
    """The algorithm that it is built on: an event that its own card has no line for is a step of that one."""
    needs: tuple[str, ...] = ()
    limits: tuple[str, ...] = ("depth", "nodes", "seconds")
    """The fields of a `Limit` that the algorithm respects."""
    parameters: tuple[Parameter, ...] = ()
    judges: bool = True
    """The search judges the position: its value is proven where it is exact. False: the value is a mere sample, never a
    proof."""
    view: View = "mover"
    """From whose side it writes values on the tape."""
    samples: bool = False
    """It is a Monte Carlo search that counts iterations. Its values are means of results of playouts, in millionths of a
    win."""
    scores: bool = False
    """It samples, but looks for one good game (nested search, NRPA): its values are results of games, in kernel units."""
    expands: bool = False
    """It expands one position at a time, and counts that as iterations."""
    proves: bool = False
    """It expands nodes by proof numbers. It has no heuristic value, only an answer or none."""
    expects: bool = False
    """Its values are expectations, on the scale of `engines.rules_chance.stake`."""
    vectors: bool = False
    """It weighs what each of several players gets, in the units of `engines.rules_chance.gains`."""
    records: bool = True
    """Its nodes can be written on a tape. A compiled search without a tree has nothing to write."""
    exact_value: Literal["", "minimax", "expectation"] = ""
    """The value that it finds at a depth with no switch that changes it: every algorithm that declares the same has to find
    the same. Empty: its value need not be anybody else's."""
    asks_questions: bool = False
    """It asks one question after another about the value, and with its parameter `all_moves` about single moves; each has
    a root of its own on the tape."""
    asks_rules_first: bool = False
    """What the rules alone decide, such as a win at once, it does not search: on the tape that is cut off, or stands in the
    transposition table."""
    compiled: bool = True
    """It searches with kernels of its own, which are compiled and can be recorded. False: another program does the work."""

    reaches_deep: bool = False
    """It orders moves and remembers positions, so that it comes much deeper in the same time: see `Game.usual_depths`."""
    large: bool = False
    """Its compiled code is large: see `Game.compile_seconds`."""
    usual_iterations: int | None = None
    """How many of its iterations take some seconds, where they are not as quick as those of others that sample."""
    watchable: bool = False
    """Its iterations can be watched one by one: it keeps a tree, and plays one game for each."""
    ends_by_itself: bool = False
    """It comes to an end without a limit in depth, with the exact value of the position."""
    by_layers: bool = False
    """It goes backwards through all nodes of a graph, layer by layer; it is watched without a recording."""
    plays_duels: bool = False
    """Evaluations that play each other inside a kernel search with it (`engines.duel`)."""

    variant: Callable[[Mapping[str, Setting]], str] = lambda parameters: ""
    """Which other code than the usual one is compiled for these parameters, by a name; usually none."""
    variants: tuple[Mapping[str, Setting], ...] = ()
    """Parameters that need other code, so that it can be compiled ahead of time."""

    @property
    def draws_lots(self) -> bool:
        """Whether another random seed may lead to another move."""
        return self.samples or not self.judges

    @property
    def looks_up(self) -> bool:
        """It answers from tables of the solved game."""
        return "table" in self.needs

    @property
    def repeats(self) -> bool:
        """It does the same for the same seed every time. Other programs promise nothing."""
        return self.compiled

    @property
    def iterates(self) -> bool:
        """Whether it counts iterations; its checkpoints then take the place of depths."""
        return self.samples or self.expands

    @property
    def means(self) -> bool:
        """Whether its values are means from 0 to 1, in millionths."""
        return self.samples and not self.scores

    @property
    def trial(self) -> Limit:
        """The smallest limit that still runs all of its kernels: enough to have its code compiled."""
        return Limit(depth=2) if "depth" in self.limits else Limit(iterations=8)

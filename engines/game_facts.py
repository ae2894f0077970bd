"""What a game declares of itself beyond its rules and its notation: how it is played, proven, set up and kept.

This is where other modules ask how one game differs from another. Each attribute has a default that does for a new game, so
that adding one takes a file and a line in the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec import Struct

from engines.contract import Setting

NO_LIMIT = 1000.0
"""Margins: a slip that may cost anything but the game."""


class Habits(Struct, frozen=True, kw_only=True):
    """How far a level of play looks, and which mistakes it makes how often, as a share of its moves."""

    depth: int | None = None
    nodes: int | None = None
    blind: float = 0.0
    """It moves without looking."""
    overlooks: float = 0.0
    """It sees its own move only, and no reply."""
    slips: float = 0.0
    """It takes another move than its best,"""
    gives: float = 0.0
    """which costs at most so many margins of the game (pawns of chess) as far as it sees, and never the game."""
    proves: int = 0
    """With so few places left on the board it searches to the end of the game, if the game knows how to be solved."""


USUAL_LADDER = (
    Habits(blind=1.0),
    Habits(depth=1, blind=1 / 2),
    Habits(depth=1, overlooks=1 / 4, slips=1 / 4, gives=2.0),
    Habits(depth=2, overlooks=1 / 4, slips=1 / 4, gives=2.0),
    Habits(depth=2, slips=1 / 4, gives=1.0),
    Habits(depth=3, slips=1 / 4, gives=1.0),
    Habits(depth=4, slips=1 / 8, gives=0.5),
    Habits(depth=5),
    Habits(depth=7),
    Habits(nodes=1_000_000),
)
"""Levels of play for a game that has none of its own."""


class GameFacts:
    """The declarations of a game that only some parts of the product ask for."""

    # How it is played and judged.

    ladder: ClassVar[tuple[Habits, ...]] = USUAL_LADDER
    """The levels of play, the beginner first."""
    best_options: ClassVar[Mapping[str, Setting]] = {}
    """The options of the game with which it is judged best; levels play with them."""
    plain_mistake: ClassVar[float | None] = None
    """A move that costs more margins within two plies is a mistake that nobody makes who looks; None: only one that loses
    the game."""
    margin_name: ClassVar[str] = ""
    """What one margin is called in sentences, such as `pawn`; empty if it is just a number."""
    named_weights: ClassVar[Mapping[str, str]] = {}
    """Weights of the evaluation that have a name, as `--set weights=NAME` takes them."""
    threat_name: ClassVar[Literal["check", "threat"]] = "threat"
    """What it is called when whoever is to move would lose at once by passing: `check` in chess."""
    loud_moves_answer: ClassVar[bool] = False
    """A move that `engines.rules.worth` rates loud answers a threat of the other side, as a stone in a row of three does."""

    # How it is searched and proven.

    preferred: ClassVar[Mapping[str, Setting]] = {}
    """Other defaults for parameters of algorithms that leave the choice to the game (`ByGame`), by the parameter's name."""
    usual_depths: ClassVar[tuple[int, int]] = (9, 9)
    """A depth worth a look and done within seconds: of an algorithm that reaches deep, and of any other."""
    first_choices: ClassVar[tuple[str, ...]] = ("deepening", "star2", "nrpa", "maxn")
    """The algorithms that suit it; the first that can search a position is proposed when the game changes."""
    prover: ClassVar[str] = "deepening"
    """The algorithm that finds out what is true of a position, if it can search it."""
    review_nodes: ClassVar[int] = 5_000_000
    """The budget for the truth about each position of a review and each move of a hint: some seconds at most."""
    is_tree: ClassVar[bool] = False
    """Its positions are the nodes of one tree that a person wrote, small enough to be walked as a whole."""
    compile_seconds: ClassVar[tuple[float, float]] = (3.0, 5.0)
    """What a search takes to be compiled on a usual machine when nothing is compiled yet: a small algorithm, a large one."""

    # Tables of the solved game.

    table_maker: ClassVar[str] = ""
    """The module of `engines.solved` that builds and describes its tables; empty if there are none."""
    smallest_table: ClassVar[tuple[str, str | None]] = ("startpos", None)
    """A position, and the size of its board, of the smallest table: it is built to have the code compiled."""

    # Its notation.

    has_scored_suites: ClassVar[bool] = False
    """There are suites of it whose lines are a position and its exact score."""
    side_letters: ClassVar[tuple[str, str] | None] = None
    """How its notation says who is to move, the first player or the second; None if the number of men does."""
    has_castling: ClassVar[bool] = False
    """Its notation goes on as a FEN does: castling rights, the square of an en passant capture, clock and move number."""
    has_die: ClassVar[bool] = False
    """Its notation ends with what the die shows, if it has been rolled."""

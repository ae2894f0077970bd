"""The parameters of the alpha-beta family, declared once for all its members."""

from __future__ import annotations

from collections.abc import Mapping

from engines.algorithm import TABLES
from engines.contract import ByGame, Parameter, Setting
from engines.parts.alphabeta.ordering import ORDERINGS

REPLACEMENTS = ("both", "always", "deeper")
UNSAFE = ("null_move", "late_move_reductions", "futility", "beam", "probcut")
"""Switches that look at less than the depth asks for, and so may change the value and overlook something."""
FURTHER = ("quiescence", "check_extension", "singular_extension")
"""Switches that look further than the depth asks for, and so may change the value too."""


def deepening_parameters(defaults: Mapping[str, Setting] | None = None) -> tuple[Parameter, ...]:
    """All parameters, with other defaults where they are given (then for every game)."""
    return tuple(_with_default(parameter, defaults or {}) for parameter in PARAMETERS)


def bare_parameters(**defaults: Setting) -> tuple[Parameter, ...]:
    """The parameters of a search that shows one idea by itself: table and ordering on, everything else off but that."""
    off: dict[str, Setting] = {parameter.name: False for parameter in PARAMETERS if isinstance(parameter.default, bool)}
    return deepening_parameters({**off, **defaults})


def _with_default(parameter: Parameter, defaults: Mapping[str, Setting]) -> Parameter:
    if parameter.name not in defaults:
        return parameter
    return Parameter(
        name=parameter.name,
        default=defaults[parameter.name],
        sentence=parameter.sentence,
        low=parameter.low,
        high=parameter.high,
        choices=parameter.choices,
    )


PARAMETERS = (
    Parameter(
        name="table",
        default=64,
        low=0,
        high=65_536,
        sentence="The size of the transposition table, in megabytes; 0: no table.",
    ),
    Parameter(
        name="replacement",
        default="both",
        choices=REPLACEMENTS,
        sentence="Of the positions that share a place in the table, keep the deepest and the latest, or only one of them.",
    ),
    Parameter(
        name="ordering",
        default="full",
        choices=ORDERINGS,
        sentence="Try moves in the game's own order, captures first, also killers and history, or also the table's move.",
    ),
    Parameter(name="aspiration", default=True, sentence="Begin each depth with a narrow window around the last value."),
    ByGame(
        name="quiescence",
        default=False,
        sentence="Play captures out before the evaluation is trusted (looks beyond the depth).",
    ),
    ByGame(
        name="null_move",
        default=False,
        sentence="Cut where even passing would be good enough (unsafe).",
    ),
    ByGame(
        name="check_extension",
        default=False,
        sentence="Search moves that give check, or a threat like it, a ply deeper than the depth.",
    ),
    Parameter(
        name="singular_extension",
        default=False,
        sentence="Search the table's move a ply deeper if it is much better than all others; no effect without a table.",
    ),
    ByGame(
        name="late_move_reductions",
        default=False,
        sentence="Search moves that come late in the order less deeply at first (unsafe).",
    ),
    ByGame(
        name="futility",
        default=False,
        sentence="Near the horizon, leave out quiet moves that cannot make up for what is lost (unsafe).",
    ),
    Parameter(
        name="beam",
        default=0,
        low=0,
        high=248,
        sentence="Look at only this many moves of each position; 0: all of them (unsafe).",
    ),
    Parameter(
        name="probcut",
        default=False,
        sentence="Let a shallow search decide if its value is far outside the window (unsafe).",
    ),
    Parameter(name="multipv", default=1, low=1, high=248, sentence="How many moves get their exact value and line."),
    TABLES,
    Parameter(name="threads", default=1, low=1, high=64, sentence="How many threads search; they share the table."),
)

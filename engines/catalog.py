"""The names of all games and algorithms, and what they declare. Importing this does not import numba.

To add a game or an algorithm, write its module and add its name to the list here.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Protocol

from msgspec.structs import replace

from engines import named_weights as presets
from engines.algorithm import NEEDS, Algorithm
from engines.contract import ByGame, InputError, Limit, Parameter, Setting, instead, listed, shown
from engines.game import Game
from engines.position import Position
from engines.rules import Rules

GAMES = ["chess", "connect4", "breakthrough", "tictactoe", "tree", "graph", "einstein", "samegame", "morpion"]
"""Modules of `engines.games`; each has a class `GAME`."""
ALGORITHMS = [
    "minimax",
    "negamax",
    "alphabeta",
    "deepening",
    "pvs",
    "mtdf",
    "beam",
    "probcut",
    "solver",
    "pns",
    "pn2",
    "dfpn",
    "pds",
    "best-first",
    "retrograde",
    "attractor",
    "expectiminimax",
    "star1",
    "star2",
    "maxn",
    "paranoid",
    "monte-carlo",
    "uct",
    "ppa",
    "nested",
    "nrpa",
    "random",
    "uci",
]
"""Modules of `engines.search`, a hyphen written as an underscore; each has an `ALGORITHM`."""
WEIGHTS = "weights"
"""The parameter of a game whose values may have names: see `engines.named_weights`."""


@cache
def game(name: str) -> type[Game]:
    """The game with this id."""
    _known(name, GAMES, "game")
    found = import_module(f"engines.games.{name}").GAME
    assert issubclass(found, Game)
    return found


@cache
def algorithm(name: str) -> Algorithm:
    """The algorithm with this id."""
    _known(name, ALGORITHMS, "algorithm")
    found = import_module(f"engines.search.{name.replace('-', '_')}").ALGORITHM
    assert isinstance(found, Algorithm)
    return found


@cache
def pgn_game() -> str:
    """The game that PGN, FEN and EPD are of. No more games are loaded than it takes to find it."""
    return next(name for name in GAMES if game(name).has_pgn)


def may_have_pgn(game_name: str | None) -> bool:
    """A text or a file may be meant as PGN, FEN or EPD: its game has them, or nobody says which game it is of."""
    return game_name is None or game(game_name).has_pgn


class SolvedTables(Protocol):
    """Tables of solved positions that fit a position: see `engines.solved`, which builds and keeps them."""

    def with_tables(self, rules: Rules) -> Rules:
        """The rules of the game with these tables: a position that is in one of them then counts as finished."""


def solved_tables(where: Position) -> SolvedTables:
    """The solved tables that have a position, or positions that can follow it."""
    found: SolvedTables = import_module("engines.solved.registry").search_tables_for(where)
    return found


def card(name: str) -> str:
    """The text that explains an algorithm: the docstring of its module."""
    module = inspect.getmodule(algorithm(name).search)
    assert module is not None
    return inspect.cleandoc(module.__doc__ or "")


def position(text: str, game_name: str, size: str | None = None, settings: Mapping[str, str] | None = None) -> Position:
    """Read a position from its notation, in the chosen game and with the chosen options."""
    kind = game(game_name)
    if len(text) > kind.longest_text:
        raise InputError(f"A position has at most {kind.longest_text:,} characters, this text has {len(text):,}.")
    if size and not kind.default_size:
        raise InputError(f"{kind.title} has no sizes.")
    options = read_settings(kind.parameters, settings or {}, game_name)
    board, _ = kind.split(text)
    return kind.create(board or "startpos", size, options).position(text)


def restore(text: str, game_name: str, size: str | None, options: Mapping[str, Setting]) -> Position:
    """The position that a file or a message keeps as its notation, its game and the options of that."""
    return position(text, game_name, size or None, as_typed(options))


def as_typed(settings: Mapping[str, Setting]) -> dict[str, str]:
    """Settings with their values as a person would type them."""
    return {name: str(value) for name, value in settings.items()}


def judging(game_name: str) -> dict[str, Parameter]:
    """The options of a game that only change its evaluation: the players of a match, or the lanes of a comparison, may
    differ in them."""
    return {parameter.name: parameter for parameter in game(game_name).parameters if parameter.judges}


def read_judging(game_name: str, settings: Mapping[str, str]) -> dict[str, Setting]:
    """Those of the given settings that only change the evaluation."""
    wanted = [parameter for name, parameter in judging(game_name).items() if name in settings]
    return read_settings(wanted, settings, game_name)


def read_settings(parameters: Iterable[Parameter], settings: Mapping[str, str], game_name: str) -> dict[str, Setting]:
    """Every parameter's value: what was typed for it, or its default for the game."""
    return {
        parameter.name: parameter.read(_meant(parameter, settings[parameter.name], game_name))
        if parameter.name in settings
        else default_in(parameter, game_name)
        for parameter in parameters
    }


def default_in(parameter: Parameter, game_name: str) -> Setting:
    """The default of a parameter in a game: what the game prefers, where the parameter leaves it to the game."""
    if not isinstance(parameter, ByGame) or game_name not in GAMES:  # files may name a game that another version has
        return parameter.default
    return game(game_name).preferred.get(parameter.name, parameter.default)


def completed(algorithm_name: str, parameters: Mapping[str, Setting], game_name: str) -> dict[str, Setting]:
    """The parameters of a search that an older version wrote down: those that have come since have their defaults."""
    if algorithm_name not in ALGORITHMS:
        return dict(parameters)
    return {one.name: default_in(one, game_name) for one in algorithm(algorithm_name).parameters} | dict(parameters)


def with_preferences(parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
    """Parameters that tell which games prefer which other default."""
    return tuple(
        replace(
            parameter,
            default_for={name: default_in(parameter, name) for name in GAMES if parameter.name in game(name).preferred},
        )
        if isinstance(parameter, ByGame)
        else parameter
        for parameter in parameters
    )


def _meant(parameter: Parameter, text: str, game_name: str) -> str:
    """What was typed; where weights are expected and a name was typed, the weights of that name."""
    if parameter.name != WEIGHTS or not re.match("[A-Za-z]", text):
        return text
    named = presets.all_named(game(game_name))
    if text not in named:
        hint = instead(text, named, f"plybench weights {game_name}")
        raise InputError(f"No weights of {game_name} have the name {shown(text)}; write numbers with commas.{hint}")
    return named[text]


def split_settings(
    settings: Mapping[str, str], game_name: str, algorithm_name: str | None = None
) -> tuple[dict[str, str], dict[str, str]]:
    """Sort typed settings into those of the game and those of the algorithm; an InputError if neither has one of them."""
    for_game = [parameter.name for parameter in game(game_name).parameters]
    for_algorithm = [parameter.name for parameter in algorithm(algorithm_name).parameters] if algorithm_name else []
    for name in settings:
        if name not in for_game + for_algorithm:
            who = f"{algorithm_name} on {game_name}" if algorithm_name else game_name
            hint = instead(name, for_game + for_algorithm, f"plybench algorithms {algorithm_name}")
            raise InputError(f"{who} has no parameter {shown(name)}.{hint}")
    return (
        {name: text for name, text in settings.items() if name in for_game},
        {name: text for name, text in settings.items() if name in for_algorithm},
    )


def misfit(found: Algorithm, where: Position) -> str | None:
    """Why an algorithm cannot search a position, as a sentence; None if it can."""
    for need in found.needs:
        if reason := where.lacks(need):
            others = [name for name in ALGORITHMS if not any(where.lacks(other) for other in algorithm(name).needs)]
            proposed = next((name for name in where.game.first_choices if name in others), next(iter(others), "nothing"))
            more = f", and so can {len(others) - 1} more" if len(others) > 1 else ""
            return f"{found.id} needs {NEEDS[need]}, but {reason}; {proposed} can search it{more}."
    return None


def proposed(where: Position) -> str | None:
    """The algorithm that suits a position best, by what its game declares; None if none can search it."""
    names = dict.fromkeys((*where.game.first_choices, *ALGORITHMS))
    return next((name for name in names if name in ALGORITHMS and not misfit(algorithm(name), where)), None)


def shortcoming(found: Algorithm, where: Position) -> str:
    """Why the proposed algorithm suits a position better than this one that can search it too, in a sentence; or nothing."""
    better = proposed(where)
    deep, shallow = where.game.usual_depths
    if better is None or found.iterates or found.reaches_deep or not algorithm(better).reaches_deep or deep <= shallow:
        return ""
    return f"In {where.game.title} {found.id} looks about {shallow} plies ahead in a few seconds, {better} about {deep}."


def check_limit(found: Algorithm, limit: Limit) -> None:
    """An InputError if a limit was given that the algorithm does not have."""
    for name in limit.__struct_fields__:
        if getattr(limit, name) is not None and name not in found.limits:
            raise InputError(f"{found.id} has no limit in {name}; it has {listed(found.limits)}.")


def algorithms_for(game_name: str, settings: Mapping[str, str] | None = None) -> list[str]:
    """The algorithms that search the start position of a game."""
    return list(_algorithms_for(game_name, tuple((settings or {}).items()), tuple(ALGORITHMS)))


@cache
def _algorithms_for(game_name: str, settings: tuple[tuple[str, str], ...], algorithms: tuple[str, ...]) -> tuple[str, ...]:
    """The same, cached: setting up a game may take longer than checking all algorithms."""
    start = position("startpos", game_name, settings=dict(settings))
    return tuple(name for name in algorithms if misfit(algorithm(name), start) is None)


def compiled_algorithms_for(game_name: str, settings: Mapping[str, str] | None = None) -> list[str]:
    """The algorithms for a game that have kernels of their own."""
    return [name for name in algorithms_for(game_name, settings) if algorithm(name).compiled]


def _known(name: str, names: Sequence[str], what: str) -> None:
    if name in names:
        return
    raise InputError(f"There is no {what} {shown(name)}.{instead(name, names, f'plybench {what}s')}")

"""The horizon effect: values at each depth with different switches, and the moves that only delay a loss.

A search that stops after so many plies does not see what comes next. If a loss is coming, a move that forces the opponent to
answer first pushes it beyond the horizon, and the search takes it for avoided. This module has the configurations that are
compared, and the criteria by which a forcing move is recognised. The finder is in `workbench.horizon.finder`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from engines import catalog
from engines.contract import DepthRow, InputError, Limit, Report, Setting
from engines.game import Game, margins
from engines.position import Position
from engines.rules import LOUD, MAX_MOVES, captures, may_pass, passed, threatened, worth
from engines.run.search import Search
from workbench.ablation.ladder import OFF, ladder
from workbench.jobs.searches import RunSearch, SearchInterrupted, run_to_end

ALGORITHM = "deepening"
TABLE = 16
"""The size of the transposition table in megabytes. It changes no values."""
PLAIN: Mapping[str, Setting] = {**OFF, "table": TABLE, "ordering": "full"}
"""Plain alpha-beta, with nothing that extends or prunes the tree."""
REMEDIES = ("quiescence", "check_extension", "singular_extension")
"""The single switches that may repair a search, the cheapest first."""
NAMES = {
    "quiescence": "quiescence",
    "check_extension": "check extension",
    "singular_extension": "singular extension",
    "plies": "more plies",
}
NOTICED = 0.6
"""A sacrifice lowers the evaluation by at least so many of the game's margins."""
THREAT = 1.5
"""A threat would win at least so many margins if its side could move twice."""

Kind = Literal["check", "threat", "sacrifice", "exchange", "capture", ""]


class Configuration(Struct, frozen=True, kw_only=True):
    """A search configuration with a name."""

    name: str
    parameters: dict[str, Setting]
    algorithm: str = ALGORITHM


class Curve(Struct, frozen=True, kw_only=True):
    """The values of a configuration by depth."""

    configuration: Configuration
    rows: tuple[DepthRow, ...]
    exact: bool
    """Whether the value at the last depth is proven."""

    def at(self, depth: int) -> DepthRow | None:
        """The result at a depth; a proof also holds at all greater depths. None if the search did not get there."""
        for row in self.rows:
            if row.depth == depth:
                return row
        return self.rows[-1] if self.exact and self.rows and depth > self.rows[-1].depth else None


def configurations(game: Game, base: Mapping[str, Setting] | None = None) -> list[Configuration]:
    """A search without remedies, with each remedy that has an effect in the game, and with all of them."""
    start: dict[str, Setting] = {**PLAIN, **(base or {})}
    useful = remedies(game, start)
    found = [Configuration(name="plain" if start == PLAIN else "as chosen", parameters=start)]
    found += [Configuration(name=NAMES[name], parameters={**start, name: True}) for name in useful]
    if len(useful) > 1:
        found.append(Configuration(name="all of them", parameters={**start, **dict.fromkeys(useful, True)}))
    return found


def remedies(game: Game, parameters: Mapping[str, Setting]) -> list[str]:
    """The remedies that are off and that would have an effect in the game."""
    switches = {rung.parameter for rung in ladder(catalog.algorithm(ALGORITHM), game)}
    return [name for name in REMEDIES if name in switches and not parameters.get(name)]


def curve(position: Position, configuration: Configuration, depth: int, run: RunSearch = run_to_end) -> Curve:
    """Search depth by depth. Raises `SearchInterrupted` if the user interrupts it."""
    report = searched(position, configuration, Limit(depth=depth), run, configuration.name)
    return Curve(configuration=configuration, rows=report.depths, exact=report.exact)


def searched(position: Position, configuration: Configuration, limit: Limit, run: RunSearch, what: str) -> Report:
    """The report of a search. Raises `SearchInterrupted` if the user interrupts it."""
    search = Search(position, catalog.algorithm(configuration.algorithm), limit, configuration.parameters)
    if run(search, what):
        raise SearchInterrupted
    return search.report()


# Forcing moves.


class LineMove(Struct, frozen=True, kw_only=True):
    """A move of a line, with how it forces a reply."""

    move: str
    mover: int
    """1 for the first player, -1 for the second."""
    kind: Kind
    """How it forces a reply; empty if it does not."""


def along(position: Position, line: Sequence[str]) -> list[Position]:
    """All positions of a line, including the first and the last."""
    found = [position]
    for text in line:
        found.append(found[-1].play(position.game.read_move(found[-1].state, text)))
    return found


def forcing_moves(position: Position, line: Sequence[str]) -> list[LineMove]:
    """The moves of a line, each with how it forces a reply."""
    places = along(position, line)
    found = []
    for ply, text in enumerate(line):
        reply = line[ply + 1] if ply + 1 < len(line) else None
        found.append(
            LineMove(move=text, mover=places[ply].turn, kind=kind_of(places[ply], places[ply + 1], text, reply, places, ply))
        )
    return found


def kind_of(before: Position, after: Position, move: str, reply: str | None, places: Sequence[Position], ply: int) -> Kind:
    """How a move forces a reply: by a check, a sacrifice, an exchange, a capture or a threat; empty if it does not."""
    game, rules = before.game, before.game.rules
    if after.is_over:
        return ""
    check = bool(threatened(rules, after.state))
    if reply is not None and taken_back(before, after, move, reply):
        fall = before.turn * (value_of(before) - value_of(places[ply + 2]))
        if fall >= NOTICED * game.margin / game.unit:
            return "sacrifice"
        if not check:
            return "exchange"
    if check:
        return game.threat_name
    if is_capture(before, move):
        return "capture"
    if answers_threat(after, reply) or would_win(after):
        return "threat"
    return ""


def taken_back(before: Position, after: Position, move: str, reply: str) -> bool:
    """Whether the reply captures the man that moved."""
    game = before.game
    goal = game.move_squares(before.state, game.read_move(before.state, move))[-1:]
    answer = game.move_squares(after.state, game.read_move(after.state, reply))
    return len(answer) > 1 and answer[-1:] == goal


def value_of(position: Position) -> float:
    """The static evaluation from the first player's view."""
    return position.game.evaluation(position.state).value


def is_capture(position: Position, move: str) -> bool:
    """Whether the move is one that the quiescence search considers."""
    game, out = position.game, np.zeros(MAX_MOVES, np.int64)
    count = int(captures(game.rules, position.state, out))
    return game.read_move(position.state, move) in out[:count]


def answers_threat(after: Position, reply: str | None) -> bool:
    """Whether the reply is a quiescence move without being a capture: it parries a threat, as a stone next to a row of three
    does."""
    if reply is None or not after.game.loud_moves_answer:
        return False
    game = after.game
    return int(worth(game.rules, after.state, game.read_move(after.state, reply))) >= LOUD


def would_win(after: Position) -> bool:
    """Whether the side that just moved would win something if the opponent passed."""
    game = after.game
    if not may_pass(game.rules, after.state):
        return False
    again = Position(game, passed(game.rules, after.state))
    if again.is_over:
        return False
    quick = Configuration(name="threat", parameters={**PLAIN, "table": 0, "quiescence": True})
    value = searched(again, quick, Limit(depth=1), run_to_end, "").value
    return value is not None and -after.turn * (margins(value, game) - margins(value_of(after), game)) >= THREAT


def check_family(algorithm: str) -> None:
    """Raise InputError if the algorithm lacks the remedies' switches."""
    names = {parameter.name for parameter in catalog.algorithm(algorithm).parameters}
    if not names.issuperset(REMEDIES):
        raise InputError(f"{algorithm} has no quiescence or extensions to switch; deepening, pvs and mtdf have.")

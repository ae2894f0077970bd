"""The horizon effect: what a search believes at each depth with this and that switch, and which moves only postpone.

A search that stops after so many plies does not see what comes next. If something bad is coming, a move that forces the
other side to answer first pushes it out of sight, and the search takes it for avoided. Here are the configurations that are
compared, and the signs by which a move that forces is known. The finder is in `workbench.horizon.finder`.
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
"""Megabytes; safe switches give the same values without any."""
PLAIN: Mapping[str, Setting] = {**OFF, "table": TABLE, "ordering": "full"}
"""Alpha-beta and nothing that looks behind the horizon or leaves anything out."""
REMEDIES = ("quiescence", "check_extension", "singular_extension")
"""The single switches that may repair a search, the cheapest first."""
NAMES = {
    "quiescence": "quiescence",
    "check_extension": "check extension",
    "singular_extension": "singular extension",
    "plies": "more plies",
}
NOTICED = 0.6
"""A man given up makes the evaluation fall by at least so many margins of the game."""
THREAT = 1.5
"""Whoever could move twice would win so many margins."""

Kind = Literal["check", "threat", "sacrifice", "exchange", "capture", ""]


class Configuration(Struct, frozen=True, kw_only=True):
    """A search with a name."""

    name: str
    parameters: dict[str, Setting]
    algorithm: str = ALGORITHM


class Curve(Struct, frozen=True, kw_only=True):
    """What a configuration believed at each depth."""

    configuration: Configuration
    rows: tuple[DepthRow, ...]
    exact: bool
    """The last depth proves its value."""

    def at(self, depth: int) -> DepthRow | None:
        """What it believed at a depth; a proof stands at all greater depths too. None if it did not get there."""
        for row in self.rows:
            if row.depth == depth:
                return row
        return self.rows[-1] if self.exact and self.rows and depth > self.rows[-1].depth else None


def configurations(game: Game, base: Mapping[str, Setting] | None = None) -> list[Configuration]:
    """A search without remedies, with each that means something in the game, and with all of them."""
    start: dict[str, Setting] = {**PLAIN, **(base or {})}
    useful = remedies(game, start)
    found = [Configuration(name="plain" if start == PLAIN else "as chosen", parameters=start)]
    found += [Configuration(name=NAMES[name], parameters={**start, name: True}) for name in useful]
    if len(useful) > 1:
        found.append(Configuration(name="all of them", parameters={**start, **dict.fromkeys(useful, True)}))
    return found


def remedies(game: Game, parameters: Mapping[str, Setting]) -> list[str]:
    """The switches that are off and would do something in the game."""
    switches = {rung.parameter for rung in ladder(catalog.algorithm(ALGORITHM), game)}
    return [name for name in REMEDIES if name in switches and not parameters.get(name)]


def curve(position: Position, configuration: Configuration, depth: int, run: RunSearch = run_to_end) -> Curve:
    """Search depth by depth. The user's interrupt is raised as `SearchInterrupted`."""
    report = searched(position, configuration, Limit(depth=depth), run, configuration.name)
    return Curve(configuration=configuration, rows=report.depths, exact=report.exact)


def searched(position: Position, configuration: Configuration, limit: Limit, run: RunSearch, what: str) -> Report:
    """The report of a search that was not interrupted."""
    search = Search(position, catalog.algorithm(configuration.algorithm), limit, configuration.parameters)
    if run(search, what):
        raise SearchInterrupted
    return search.report()


# Moves that force.


class LineMove(Struct, frozen=True, kw_only=True):
    """A move of a line."""

    move: str
    mover: int
    """1: the first player; -1: the second."""
    kind: Kind
    """How it forces the other side; empty if it does not."""


def along(position: Position, line: Sequence[str]) -> list[Position]:
    """The positions of a line, the first and the last included."""
    found = [position]
    for text in line:
        found.append(found[-1].play(position.game.read_move(found[-1].state, text)))
    return found


def forcing_moves(position: Position, line: Sequence[str]) -> list[LineMove]:
    """Which moves of a line force the other side, and how."""
    places = along(position, line)
    found = []
    for ply, text in enumerate(line):
        reply = line[ply + 1] if ply + 1 < len(line) else None
        found.append(
            LineMove(move=text, mover=places[ply].turn, kind=kind_of(places[ply], places[ply + 1], text, reply, places, ply))
        )
    return found


def kind_of(before: Position, after: Position, move: str, reply: str | None, places: Sequence[Position], ply: int) -> Kind:
    """How a move forces the other side: by check, by a man offered or exchanged, by a capture, by a threat."""
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
    """The man that moved is captured at once."""
    game = before.game
    goal = game.move_squares(before.state, game.read_move(before.state, move))[-1:]
    answer = game.move_squares(after.state, game.read_move(after.state, reply))
    return len(answer) > 1 and answer[-1:] == goal


def value_of(position: Position) -> float:
    """The evaluation, for the first player."""
    return position.game.evaluation(position.state).value


def is_capture(position: Position, move: str) -> bool:
    """The move is one of those that a quiescence search looks at."""
    game, out = position.game, np.zeros(MAX_MOVES, np.int64)
    count = int(captures(game.rules, position.state, out))
    return game.read_move(position.state, move) in out[:count]


def answers_threat(after: Position, reply: str | None) -> bool:
    """The reply is loud without being a capture: it stops a threat, as a stone in a row of three does."""
    if reply is None or not after.game.loud_moves_answer:
        return False
    game = after.game
    return int(worth(game.rules, after.state, game.read_move(after.state, reply))) >= LOUD


def would_win(after: Position) -> bool:
    """If the other side passed, whoever just moved would win something."""
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
    """An InputError if an algorithm has no switches to repair it with."""
    names = {parameter.name for parameter in catalog.algorithm(algorithm).parameters}
    if not names.issuperset(REMEDIES):
        raise InputError(f"{algorithm} has no quiescence or extensions to switch; deepening, pvs and mtdf have.")

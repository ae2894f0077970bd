"""Players: an algorithm with its parameters and its limit, and what positions are worth to it.

A player is written `ALGORITHM`, with settings of its own behind colons and a name before it if need be:

    deepening    deepening:depth=6    uct:iterations=5000:k=0.3    tuned=alphabeta:depth=4:weights=15,244,953    level:3

A setting is a limit (depth, nodes, iterations, seconds), a parameter of the algorithm, or an option of the game that only
changes what positions are worth (`Parameter.judges`): two players may differ in it, and play one game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Limit, Report, Setting, instead, shown
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from engines.run.work import scrambled

LIMITS = Limit.__struct_fields__
_NO_LIMIT = Limit()


class MoveChoice(Struct, frozen=True, kw_only=True):
    """The move that a player makes, and why."""

    move: int
    report: Report
    """What its search says, from its own point of view: by its weights, if it has some of its own."""


class Player(Struct, frozen=True, kw_only=True):
    """A player: it can choose a move in any position of one game."""

    name: str
    algorithm: str
    parameters: dict[str, Setting] = {}
    """Those of the algorithm that are not the usual ones."""
    limit: Limit = _NO_LIMIT
    """For each move."""
    options: dict[str, Setting] = {}
    """Those of the game in which it differs from others; they change what positions are worth to it."""

    @property
    def title(self) -> str:
        """As it is typed, but for the name."""
        given = {name: getattr(self.limit, name) for name in LIMITS if getattr(self.limit, name) is not None}
        words = {**given, **self.parameters, **self.options}
        return ":".join([self.algorithm, *(f"{name}={str(value).lower()}" for name, value in words.items())])

    @property
    def repeats(self) -> bool:
        """Whether the same seed gives the same move every time: nothing depends on time or on the order of threads."""
        return (
            self.limit.seconds is None
            and int(self.parameters.get("threads", 1)) == 1
            and catalog.algorithm(self.algorithm).repeats
        )

    @property
    def draws_lots(self) -> bool:
        """Another seed may lead to another move, so that games with other seeds are other samples."""
        return catalog.algorithm(self.algorithm).draws_lots

    def seen(self, position: Position) -> Position:
        """The same position with what it is worth to this player."""
        return position.judged_with(self.options)

    def check(self, position: Position) -> None:
        """An InputError if it cannot play from here."""
        algorithm = catalog.algorithm(self.algorithm)
        if reason := catalog.misfit(algorithm, position):
            raise InputError(reason)
        catalog.check_limit(algorithm, self.limit)
        self.seen(position)

    def search(self, position: Position, seed: int = 0, memory: Memory | None = None) -> Search:
        """The search for its move, not started. `memory` is what it keeps from move to move of one game."""
        algorithm = catalog.algorithm(self.algorithm)
        return Search(self.seen(position), algorithm, self.limit, self.parameters, seed, memory=memory)

    def move(self, position: Position, seed: int = 0, memory: Memory | None = None) -> MoveChoice:
        """Its move in a game that is not over."""
        return self.chosen(position, self.search(position, seed, memory).run_here().report(), seed)

    def chosen(self, position: Position, report: Report, seed: int = 0) -> MoveChoice:
        """The move that a report leads to. A search that was stopped before it knew anything leads to a random one."""
        if report.best_move is None:
            legal = position.game.legal_moves(position.state)
            return MoveChoice(move=legal[scrambled(seed) % len(legal)], report=report)
        return MoveChoice(move=position.game.read_move(position.state, report.best_move), report=report)


def seed_of(*numbers: int) -> int:
    """A seed for one move of one game of one match; the same for the same numbers, and unlike that of any others."""
    mixed = 0
    for number in numbers:
        mixed = scrambled(mixed ^ scrambled(number))
    return mixed >> 2


# As people type them.


def read_players(
    texts: Sequence[str], game: str, limit: Limit = _NO_LIMIT, settings: Mapping[str, str] | None = None
) -> tuple[tuple[Player, ...], dict[str, str]]:
    """The players that the user typed, and the settings for the game they play.

    A limit is for those who have none of their own; a setting is the game's, if it has it, else for all whose algorithm
    has it.
    """
    own = {parameter.name for parameter in catalog.game(game).parameters}
    for_game = {name: text for name, text in (settings or {}).items() if name in own}
    rest = {name: text for name, text in (settings or {}).items() if name not in own}
    players = [read_player(text, game, limit, rest) for text in texts]
    known = {parameter.name for player in players for parameter in catalog.algorithm(player.algorithm).parameters}
    for name in rest:
        if name not in known:
            raise InputError(f"Neither {game} nor any of the players has a parameter {shown(name)}.")
    names = distinct([player.name for player in players])
    return tuple(msgspec.structs.replace(one, name=name) for one, name in zip(players, names, strict=True)), for_game


def read_player(text: str, game: str, limit: Limit = _NO_LIMIT, settings: Mapping[str, str] | None = None) -> Player:
    """The player that the user typed. `settings` that its algorithm does not have are left aside."""
    head, *words = text.split(":")
    name, _, algorithm_name = head.rpartition("=")
    if algorithm_name.strip() == "level":
        from workbench.play.levels import read_level

        return read_level(":".join(words), game, name.strip())
    algorithm = catalog.algorithm(algorithm_name.strip())
    for_algorithm = {parameter.name: parameter for parameter in algorithm.parameters}
    for_game = catalog.judging(game)
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise InputError(f"A player is written ALGORITHM:NAME=VALUE:..., and {shown(word)} is not NAME=VALUE.")
        given[key.strip()] = value.strip()
    for key in given:
        if key not in (*LIMITS, *for_algorithm, *for_game):
            hint = instead(key, [*algorithm.limits, *for_algorithm, *for_game], f"plybench algorithms {algorithm.id}")
            raise InputError(f"A player with {algorithm.id} has no {shown(key)} in {game}.{hint}")
    texts = {key: value for key, value in {**(settings or {}), **given}.items() if key in for_algorithm}
    usual = catalog.read_settings(algorithm.parameters, {}, game)
    read = catalog.read_settings(algorithm.parameters, texts, game)
    own_limit = read_limit({key: given[key] for key in LIMITS if key in given})
    player = Player(
        name=name.strip() or algorithm.id,
        algorithm=algorithm.id,
        parameters={key: value for key, value in read.items() if value != usual[key]},
        limit=limit if own_limit == _NO_LIMIT else own_limit,
        options=catalog.read_judging(game, given),
    )
    try:
        catalog.check_limit(algorithm, player.limit)
    except InputError as error:
        raise InputError(f"{error} A player may have a limit of its own, {algorithm.id}:{algorithm.limits[0]}=4.") from None
    return player


def read_limit(given: Mapping[str, str]) -> Limit:
    """A limit of `depth=4` and the like."""
    try:
        return Limit(**{name: float(text) if name == "seconds" else int(text) for name, text in given.items()})  # type: ignore[arg-type]
    except InputError:
        raise
    except ValueError:
        name = next(iter(given))
        words = " ".join(f"{key}={value}" for key, value in given.items())
        raise InputError(f"Limits are numbers, such as {name}=4, not {shown(words)}.") from None


def distinct(names: Sequence[str]) -> list[str]:
    """The same names, each once: a second `a` becomes `a 2`."""
    found: list[str] = []
    for name in names:
        number, unique = 1, name
        while unique in found:
            number += 1
            unique = f"{name} {number}"
        found.append(unique)
    return found

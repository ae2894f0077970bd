"""Levels: players from beginner to full strength, for every game that two play in turn.

A level looks a few plies ahead, and makes mistakes that are chosen: it moves without looking, overlooks what the other side
can do, or takes a move that is not its best. Which of these it does is drawn anew for every move from the seed, so that the
same seed gives the same game. What a level does is said in words made from the same numbers.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Limit, Report, RootMove, Setting, shown
from engines.game import SHOWN_WIN, Game, margins
from engines.game_facts import NO_LIMIT, Habits
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from workbench.play.players import MoveChoice, Player

SMALL, LARGE = 1, 64
"""Megabytes for the table of a search of a few plies, and of one of many nodes."""
EVERYTHING = 248
"""At least as many moves as any position has."""

Mood = Literal["sound", "blind", "overlooks", "slips"]


class Level(Player, frozen=True, kw_only=True):
    """A player of a certain strength at one game."""

    number: int
    count: int
    """The number of levels of the game."""
    habits: Habits
    words: str
    """A description of what it sees, and of its mistakes."""

    @property
    def title(self) -> str:
        return f"level:{self.number}"

    @property
    def draws_lots(self) -> bool:
        return True

    def mood(self, position: Position, seed: int) -> Mood:
        """What it does in this position, chosen at random; the same for the same seed."""
        drawn, habits = self._chance(position, seed).random(), self.habits
        for mood, share in (("blind", habits.blind), ("overlooks", habits.overlooks), ("slips", habits.slips)):
            drawn -= share
            if drawn < 0:
                return mood  # type: ignore[return-value]
        return "sound"

    def search(self, position: Position, seed: int = 0, memory: Memory | None = None) -> Search:
        """The search for its move. A search of a few plies has no table, which would let it see further."""
        mood = self.mood(position, seed)
        if mood == "sound" and self.habits.proves and can_prove(position, self.habits.proves):
            return Search(position, catalog.algorithm(position.game.prover), Limit(), {"table": LARGE}, seed)
        player = self
        if mood in ("blind", "overlooks"):
            player = replace(self, limit=Limit(depth=1), parameters={**self.parameters, **_known(self, quiescence=False)})
        elif mood == "slips":
            player = replace(self, parameters={**self.parameters, **_known(self, multipv=EVERYTHING, aspiration=False)})
        return Player.search(player, position, seed, memory if mood == "sound" and self.limit.nodes else None)

    def chosen(self, position: Position, report: Report, seed: int = 0) -> MoveChoice:
        """The move that a report leads to, or the mistake that the level makes instead."""
        mood = self.mood(position, seed)
        if mood == "blind":
            legal = position.game.legal_moves(position.state)
            return MoveChoice(move=self._chance(position, seed, "move").choice(legal), report=report)
        if mood == "slips":
            others = [row.move for row in near_best(position, report, self.habits.gives) if row.move != report.best_move]
            if others:
                move = self._chance(position, seed, "move").choice(others)
                return MoveChoice(move=position.game.read_move(position.state, move), report=report)
        return super().chosen(position, report, seed)

    def _chance(self, position: Position, seed: int, what: str = "mood") -> Random:
        return Random(f"{what} {seed} {len(position.played)}")


class Careful(Player, frozen=True, kw_only=True):
    """A player that only avoids what loses at once: it sees its own move and the reply, and plays any move that is no
    mistake by that. The measure of a beginner."""

    gives: float = NO_LIMIT

    @property
    def draws_lots(self) -> bool:
        return True

    def chosen(self, position: Position, report: Report, seed: int = 0) -> MoveChoice:
        rows = near_best(position, report, self.gives)
        move = Random(f"careful {seed} {len(position.played)}").choice(rows).move
        return MoveChoice(move=position.game.read_move(position.state, move), report=report)


def careful(game: Game) -> Careful:
    """That player for a game. In chess a man lost is lost at once too; where a die is rolled nothing is certain, and a move
    is no mistake that costs little."""
    by_chance = bool(game.lacks("no chance", game.start()))
    plain: dict[str, Setting] = {"multipv": EVERYTHING, "aspiration": False, "table": SMALL}
    usual = 0.3 if by_chance else NO_LIMIT
    return Careful(
        name="careful",
        algorithm=WITH_CHANCE if by_chance else ALGORITHM,
        parameters={} if by_chance else plain,
        limit=Limit(depth=3 if by_chance else 2),
        options=dict(game.best_options),
        gives=usual if game.plain_mistake is None else game.plain_mistake,
    )


def near_best(position: Position, report: Report, gives: float) -> list[RootMove]:
    """The moves that cost at most `gives` margins by the report and do not lose the game; they include the best one."""
    game, side = position.game, position.turn
    known = [row for row in report.root_moves if row.bound == "exact"]
    if not known:
        return [row for row in report.root_moves if row.move == report.best_move] or list(report.root_moves[:1])
    best = max(side * row.value for row in known)

    def is_near(row: RootMove) -> bool:
        value = side * row.value
        return seen(value, game) >= seen(best, game) and margins(best, game) - margins(value, game) <= gives

    return [row for row in known if is_near(row)]


def seen(value: float, game: Game) -> int:
    """1 for a win within the horizon, -1 for a loss, 0 otherwise."""
    return 0 if not game.has_winner or abs(value) < SHOWN_WIN / 2 else 1 if value > 0 else -1


def can_prove(position: Position, places: int) -> bool:
    """Whether the game can be searched to its end from here."""
    grid = position.game.grid(position.state)
    if grid is None or position.lacks("knowledge") or position.lacks("opponent"):
        return False
    return sum(row.count(".") for row in grid.letters) <= places


def _known(player: Player, **wanted: Setting) -> dict[str, Setting]:
    """The given parameters that a player's algorithm has."""
    names = {parameter.name for parameter in catalog.algorithm(player.algorithm).parameters}
    return {name: value for name, value in wanted.items() if name in names}


ALGORITHM, WITH_CHANCE = "deepening", "expectiminimax"


def why_not_played(game: Game) -> str | None:
    """Why two players cannot play a game against each other; None if they can."""
    if game.player_count != 2:
        return f"{game.title} has one player" if game.player_count == 1 else f"{game.title} has {game.player_count} players"
    start = game.start()
    return game.lacks("sides", start) or (None if game.has_chance else game.lacks("alternating", start))


def levels(game: Game) -> tuple[Level, ...]:
    """The levels of a game, the beginner first. Raises InputError if it has none."""
    if reason := why_not_played(game):
        raise InputError(f"{game.title} has no levels: {reason}.")
    return tuple(_level(game, number, len(game.ladder), habits) for number, habits in enumerate(game.ladder, 1))


def ladders(name: str | None = None) -> dict[str, tuple[Level, ...]]:
    """The levels of the game with this name, or of every game that has levels, by the game's name."""
    games = {one: catalog.position("startpos", one).game for one in ([name] if name else catalog.GAMES)}
    return {one: levels(game) for one, game in games.items() if name or why_not_played(game) is None}


def level(game: Game, number: int) -> Level:
    """A level by its number, from 1 on."""
    found = levels(game)
    if not 1 <= number <= len(found):
        raise InputError(f"{game.title} has levels from 1 to {len(found)}, not {number}.")
    return found[number - 1]


def read_level(text: str, game: str, name: str = "") -> Level:
    """The level of a game that a text names by its number, with an optional name."""
    kind = catalog.position("startpos", game).game
    if not text.strip().isdecimal() or len(text) > 4:
        raise InputError(f"A level is a number from 1 to {len(levels(kind))}, such as level:3, not {shown(text)}.")
    found = level(kind, int(text))
    return replace(found, name=name) if name else found


def _level(game: Game, number: int, count: int, habits: Habits) -> Level:
    few, by_chance = habits.nodes is None, bool(game.lacks("no chance", game.start()))
    return Level(
        name=f"level {number}",
        algorithm=WITH_CHANCE if by_chance else ALGORITHM,
        parameters={"table": SMALL} if few and not by_chance else {},
        limit=Limit(depth=habits.depth, nodes=habits.nodes) if habits.depth or habits.nodes else Limit(depth=1),
        options=dict(game.best_options),
        number=number,
        count=count,
        habits=habits,
        words=in_words(habits, game),
    )


# Descriptions.

ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth", 10: "tenth"}


def in_words(habits: Habits, game: Game) -> str:
    """A description of what a level sees, and of its mistakes."""
    if habits.blind == 1:
        return "Moves without looking."
    parts = [_sight(habits)]
    if habits.blind:
        parts.append(f"makes {_every(habits.blind)} move without looking")
    if habits.overlooks:
        parts.append(f"overlooks {_every(habits.overlooks)} threat")
    if habits.slips:
        parts.append(f"{_every(habits.slips)} move is not its best{_price(habits.gives, game)}")
    return "; ".join(parts) + "."


def _sight(habits: Habits) -> str:
    if habits.nodes is not None:
        sight = f"Looks at {habits.nodes:,} positions for a move"
        if habits.proves:
            sight += f", and to the end of the game when {habits.proves} places or fewer are left"
        return sight
    ahead = {1: "one move ahead", 2: "its move and the reply"}
    return f"Sees {ahead.get(habits.depth or 1, f'{habits.depth} plies ahead')}"


def _every(share: float) -> str:
    number = round(1 / share)
    return "every" if number == 1 else f"every {ORDINALS.get(number, f'{number}th')}"


def _price(gives: float, game: Game) -> str:
    if gives >= NO_LIMIT:
        return ", but not one that loses at once"
    price = gives * game.margin / game.unit
    if name := game.margin_name:
        return f" and may cost {f'a {name}' if price == 1 else f'{price:g} {name}s'}"
    return f" and may cost {price:g}"

"""Openings of a match: positions that two players begin with, once with each side."""

from __future__ import annotations

import random
from collections.abc import Iterable

from engines import catalog
from engines.contract import InputError, shown
from engines.game import Game, Position
from positions import library
from workbench import inside
from workbench.players import seed_of

TRIES = 40
"""So often another one is drawn for one that was there before, or is decided already."""
FROM_GAMES = 16
"""So many plies of a game in a file make an opening."""
MOST = 100_000


def start_of(game: Game) -> Position:
    """Where a game of this size, by these rules, begins."""
    return catalog.position("startpos", game.id, game.size or None, {name: str(one) for name, one in game.options.items()})


def read_openings(text: str, start: Position, count: int, seed: int) -> list[Position]:
    """So many openings, or all there are if those are fewer: `random` or `random:PLIES`, `library`, `start`, or a file."""
    word, colon, rest = text.strip().partition(":")
    if word == "random" and (not colon or rest.strip().isdecimal()):
        plies = int(rest) if colon else start.game.opening_plies
        return random_openings(start, count, plies, seed)
    if text.strip() == "start":
        return [start]
    if text.strip() == "library":
        found = from_library(start)
        what = f"The library has no opening of {start.game.title} with this size and these options"
    else:
        found = from_file(text, start)
        what = f"{shown(text, 80)} has no position of {start.game.title} with this size and these options"
    open_ones = [position for position in found if not position.is_over]
    if not open_ones:
        raise InputError(f"{what} in which the game is not over.")
    random.Random(seed_of(seed)).shuffle(open_ones)
    return open_ones[:count]


def random_openings(start: Position, count: int, plies: int, seed: int) -> list[Position]:
    """Positions after random moves, each once as far as there are so many, and none in which the side to move wins at
    once. The first ones are the same however many are asked for."""
    if not 0 <= plies <= 100:
        raise InputError(f"An opening has 0 to 100 random plies, not {plies}.")
    if not plies:
        return [start]
    found: list[Position] = []
    seen: set[str] = set()
    for number in range(count):
        chance = random.Random(seed_of(seed, number))
        drawn = None
        for _ in range(TRIES):
            candidate = _random_position(start, plies, chance)
            if candidate is None:
                continue
            drawn = candidate
            if start.game.board_text(candidate.state) not in seen:
                break
        if drawn is None:
            raise InputError(f"After {plies} random plies the game is decided; take fewer, random:{plies // 2}.")
        seen.add(start.game.board_text(drawn.state))
        found.append(drawn)
    return found


def _random_position(start: Position, plies: int, chance: random.Random) -> Position | None:
    """A position after random moves; None if the game is over there, or would be after one move."""
    position = start
    for _ in range(plies):
        if position.is_over:
            return None
        position = position.play(chance.choice(position.game.legal_moves(position.state)))
    return None if position.is_over or _wins_at_once(position) else position


def _wins_at_once(position: Position) -> bool:
    """The side to move has a move that wins."""
    for move in position.game.legal_moves(position.state):
        after = position.play(move)
        if after.is_over and after.result < 0:
            return True
    return False


def from_library(start: Position) -> list[Position]:
    """The library's positions of the same game, with the same size and rules."""
    entries = [entry for entry in library.entries().values() if entry.game == start.game.id]
    return fitting((entry.position() for entry in entries), start)


def from_file(text: str, start: Position) -> list[Position]:
    """The positions of a file, and of its games those after some moves."""
    at = inside.named(text)
    if at is None:
        raise InputError(
            f"Openings are random, random:PLIES, library, start or a file, and there is no file {shown(text, 80)}."
        )
    return fitting((one.read() for one in inside.contents(at[0], at[1], start.game.id, MOST)), start)


def fitting(found: Iterable[Position], start: Position) -> list[Position]:
    """Those that are played by the same rules, as positions of the very same game."""
    kept = []
    judging = {parameter.name for parameter in catalog.game(start.game.id).parameters if parameter.judges}

    def rules(position: Position) -> tuple[object, ...]:
        options = {name: value for name, value in position.game.options.items() if name not in judging}
        return position.game.id, position.game.size, options

    for position in found:
        if rules(position) == rules(start):
            kept.append(Position(start.game, position.start, position.played[:FROM_GAMES]))
    return kept

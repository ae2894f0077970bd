"""Games between two evaluations, played inside a kernel.

Tuning plays tens of thousands of games that take a millisecond each. Here both sides search with alpha-beta to a fixed
depth, each by its own weights, and choose as the algorithm `alphabeta` does: the first of the best moves. Nothing is left to
chance, so two evaluations always play the same game from the same position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from engines import catalog
from engines.compiled.kernel import int64, kernel, note_compiled
from engines.contract import InputError
from engines.game import Game
from engines.position import Position
from engines.rules import INFINITY, ONGOING, Rules, State, moves, play, result, turn
from engines.run.work import END, Work, entered, new_work
from engines.search.alphabeta import alphabeta
from engines.tape.tape import NOBODY, AnyTape, NoTape

MOST_PLIES = 600
"""A longer game is drawn."""


class DuelGame(Struct, frozen=True, kw_only=True):
    """How a game between two evaluations came out."""

    value: int
    """What it pays the first player: 1, 0 or -1."""
    moves: tuple[int, ...]


@kernel
def duel(first: Rules, second: Rules, tape: AnyTape, work: Work, state: State, depth: int, most: int, played: Any) -> int:
    """What a game from `state` is worth to the first player, if both sides look `depth` plies ahead, each by its own rules;
    0 if it is not over after `most` plies. The moves are written to `played`, closed by `END`."""
    number = 0
    while True:
        played[number] = END
        whose = turn(first, state)
        value = result(first, state)
        if value != ONGOING:
            return whose * value
        if number >= most or not entered(work, 0):
            return int64(0)
        game = first if whose > 0 else second
        best, choice = int64(-INFINITY), int64(END)
        legal = work.moves[0]
        for i in range(moves(game, state, legal)):
            after = play(game, state, legal[i])
            value = -alphabeta(
                game, tape, work, after, depth - 1, int64(-INFINITY), -best, int64(1), int64(NOBODY), int64(0)
            )
            if work.stopped:
                return int64(0)
            if value > best:
                best, choice = value, legal[i]
        played[number] = choice
        number += 1
        state = play(game, state, choice)


def can_duel(game: type[Game]) -> bool:
    """Whether evaluations of this game can play each other here: it has weights, and neither history nor chance matters."""
    return (
        not game.remembers
        and not game.has_chance
        and any(parameter.name == catalog.WEIGHTS for parameter in game.parameters)
    )


def games() -> list[str]:
    """The games whose evaluations can play each other."""
    return [name for name in catalog.GAMES if can_duel(catalog.game(name))]


class Ring:
    """Where evaluations of one game meet: a start, a depth, and the memory that all games share. For one thread only."""

    def __init__(self, start: Position, depth: int, most_plies: int = MOST_PLIES) -> None:
        if not can_duel(type(start.game)):
            raise InputError(f"Evaluations of {start.game.title} cannot play each other without searches of their own.")
        if not 1 <= depth <= 100:
            raise InputError(f"Evaluations play each other at a depth from 1 to 100, not {depth}.")
        self.start, self.depth, self.most = start, depth, most_plies
        self.work = new_work()
        self._played = np.zeros(most_plies + 1, np.int64)
        self._games: dict[tuple[int, ...], Game] = {}
        self._noted = False

    def game(self, weights: Sequence[int]) -> Game:
        """The game with these weights."""
        key = tuple(weights)
        if key not in self._games:
            own = self.start.game
            self._games[key] = type(own)(own.size, {**own.options, catalog.WEIGHTS: ",".join(map(str, weights))})
        return self._games[key]

    def play(self, first: Sequence[int], second: Sequence[int]) -> DuelGame:
        """A game between the weights of the first player and those of the second."""
        one, other = self.game(first).rules, self.game(second).rules
        value = int(duel(one, other, NoTape(), self.work, self.start.state, self.depth, self.most, self._played))
        length = int(np.argmax(self._played == END))
        if not self._noted:
            note_compiled(compiled_name(self.start.game.id))
            self._noted = True
        return DuelGame(value=(value > 0) - (value < 0), moves=tuple(int(move) for move in self._played[:length]))


def compiled_name(game: str) -> str:
    """The name under which the cache notes that this code is compiled."""
    return f"duel-{game}"

"""A position: a state of a game with its history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from engines.contract import Setting
from engines.rules import ONGOING, State, play, result, turn
from engines.rules_chance import by_chance, mover

if TYPE_CHECKING:
    from engines.game import Game


@dataclass(frozen=True)
class Position:
    """A state of a game with its history."""

    game: Game
    start: State
    played: tuple[int, ...] = ()

    @cached_property
    def state(self) -> State:
        """The state now."""
        state = self.start
        for move in self.played:
            state = play(self.game.rules, state, move)
        return state

    @cached_property
    def text(self) -> str:
        """The notation, history included."""
        return self.game.position_text(self.start, self.played)

    @property
    def turn(self) -> int:
        """1 if the first player moves, -1 if the second does."""
        return int(turn(self.game.rules, self.state))

    @property
    def by_chance(self) -> bool:
        """Whether nature moves here: this is a chance node."""
        return not self.is_over and bool(by_chance(self.game.rules, self.state))

    @property
    def mover(self) -> int:
        """The number of the player who moves, from 0 on."""
        return int(mover(self.game.rules, self.state))

    @cached_property
    def result(self) -> int:
        """`ONGOING`, or what the finished game is worth to the side to move; its history counts."""
        return int(result(self.game.rules_for(self), self.state))

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.result != ONGOING

    def play(self, move: int) -> Position:
        """The position after a legal move; its state is made from this one's, not from the start again."""
        after = Position(self.game, self.start, (*self.played, move))
        after.__dict__["state"] = play(self.game.rules, self.state, move)
        return after

    def back(self) -> Position:
        """The position before the last move; the same one at the start of the history."""
        return Position(self.game, self.start, self.played[:-1])

    def judged_with(self, options: Mapping[str, Setting]) -> Position:
        """The same position of the same game, with other options of those that only change what positions are worth."""
        if not options:
            return self
        other = self.game.with_options(options)
        found = Position(other, self.start, self.played)
        found.__dict__["state"] = self.state
        return found

    def lacks(self, need: str) -> str | None:
        """Why this position does not have what an algorithm needs; None if it has."""
        return self.game.lacks(need, self.state)

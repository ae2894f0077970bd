"""easyAI's side of a comparison: its Negamax (alpha-beta, no table) on Connect 4.

easyAI ships a Connect 4 that copies a numpy board for every node. The one written here is the quickest that its interface
allows: bitboards in Python integers, and moves that are undone.
"""

from __future__ import annotations

from typing import Any

from easyAI import Human_Player, Negamax, TwoPlayerGame
from easyAI.AI.Negamax import negamax as node
from easyAI.games.ConnectFour import ConnectFour as ShippedConnectFour

__all__ = ["ConnectFourOnBits", "node", "run", "shipped"]

HEIGHT = 6
STRIDE = HEIGHT + 1
FULL = sum(((1 << HEIGHT) - 1) << (STRIDE * column) for column in range(7))
LOST = -100


class ConnectFourOnBits(TwoPlayerGame):  # type: ignore[misc]  # easyAI ships no types
    """Connect 4 with one integer for each player; the spare bit on top of each column stays empty."""

    def __init__(self) -> None:
        self.players = [Human_Player(), Human_Player()]
        self.current_player = 1
        self.stones = [0, 0, 0]
        """The stones by the player's number; index 0 is not used."""
        self.next_cells = [STRIDE * column for column in range(7)]

    def possible_moves(self) -> list[int]:
        return [column for column in range(7) if self.next_cells[column] < STRIDE * column + HEIGHT]

    def make_move(self, column: int) -> None:
        self.stones[self.current_player] |= 1 << self.next_cells[column]
        self.next_cells[column] += 1

    def unmake_move(self, column: int) -> None:
        self.next_cells[column] -= 1
        self.stones[self.current_player] ^= 1 << self.next_cells[column]

    def switch_player(self) -> None:
        self.current_player = 3 - self.current_player

    def has_lost(self) -> bool:
        """Whether the player who moved last has four in a row."""
        stones = self.stones[3 - self.current_player]
        for step in (1, STRIDE, STRIDE + 1, STRIDE - 1):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> (2 * step)):
                return True
        return False

    def is_over(self) -> bool:
        return self.has_lost() or self.stones[1] | self.stones[2] == FULL

    def scoring(self) -> int:
        return LOST if self.has_lost() else 0


def shipped() -> Any:
    """The Connect 4 that comes with easyAI, at the start position."""
    return ShippedConnectFour([Human_Player(), Human_Player()])


def run(game: Any, depth: int) -> int:
    """Run Negamax and return the move that it chooses."""
    return int(Negamax(depth)(game))

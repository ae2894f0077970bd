"""Tic-tac-toe: the game, its rules, and what it knows of itself."""

from engines.games.tictactoe.game import GAME

__all__ = ["GAME"]

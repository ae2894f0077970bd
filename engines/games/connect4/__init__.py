"""Connect 4: the game, its rules, and what it knows of itself."""

from engines.games.connect4.game import GAME

__all__ = ["GAME"]

"""SameGame: the game, its rules, and what it knows of itself."""

from engines.games.samegame.game import GAME

__all__ = ["GAME"]

"""Trees typed by a person: the game, its rules, and what it knows of itself."""

from engines.games.tree.game import GAME

__all__ = ["GAME"]

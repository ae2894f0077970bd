"""Breakthrough: the game, its rules, and what it knows of itself."""

from engines.games.breakthrough.game import GAME

__all__ = ["GAME"]

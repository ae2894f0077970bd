"""Morpion Solitaire: the game, its rules, and what it knows of itself."""

from engines.games.morpion.game import GAME

__all__ = ["GAME"]

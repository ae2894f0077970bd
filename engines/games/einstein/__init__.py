"""EinStein würfelt nicht!: the game, its rules, and what it knows of itself."""

from engines.games.einstein.game import GAME

__all__ = ["GAME"]

"""Bounds on the user's input for a match, shared by the command line and the app.

The module has no imports that are slow, so that the command line can check its options before it loads the engines.
"""

from __future__ import annotations

MOST_PLAYERS = 32
MOST_GAMES = 1_000_000
LONGEST_GAME = 10_000
"""The highest limit of plies that a game can be given, after which it is drawn."""
LARGEST_ELO = 2000
"""The largest absolute Elo of a hypothesis."""
SMALLEST_ERROR, LARGEST_ERROR = 0.0001, 0.4
"""The smallest and largest error probability of a sequential test."""

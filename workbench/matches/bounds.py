"""The bounds of what the user may ask of a match: the same for the command line and for the app.

There is nothing else here, so that the command line knows them before it has loaded what plays.
"""

from __future__ import annotations

MOST_PLAYERS = 32
MOST_GAMES = 1_000_000
LONGEST_GAME = 10_000
"""So many plies a game may be given before it is drawn."""
LARGEST_ELO = 2000
"""The Elo of a hypothesis is between this and its negative."""
SMALLEST_ERROR, LARGEST_ERROR = 0.0001, 0.4
"""How likely a sequential test may be to take the wrong hypothesis for true."""

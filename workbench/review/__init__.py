"""The analysis of a whole game."""

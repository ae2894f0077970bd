"""Reviews: the analysis of a whole game."""

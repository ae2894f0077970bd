"""How good the chosen moves are: points and games won, scores reached, positions of a suite solved, effects found."""

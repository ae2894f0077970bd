"""How well moves are chosen: points and games won, totals reached, positions of a suite solved, effects found."""

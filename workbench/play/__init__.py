"""Playing games: players, levels, clocks, hints, and files of games."""

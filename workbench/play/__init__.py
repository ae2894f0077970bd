"""Games that are played: players, levels, clocks, hints, files."""

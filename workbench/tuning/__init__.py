"""The genetic algorithm that tunes evaluation weights."""

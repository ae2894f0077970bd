"""The genetic algorithm for weights."""

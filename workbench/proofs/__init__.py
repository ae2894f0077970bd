"""Proofs made in the background, the truth of a position, and the mistakes in a game."""

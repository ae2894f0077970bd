"""Proofs made in the background, what is true of a position, and where a game was lost."""

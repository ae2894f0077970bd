"""Comparisons: several algorithms on one position or on a file of positions, side by side."""

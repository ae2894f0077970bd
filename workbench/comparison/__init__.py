"""Several algorithms on one position or a suite, side by side."""

"""The family that proves a value question by question."""

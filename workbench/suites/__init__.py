"""Suites: an algorithm on all positions of a file."""

"""Recorded searches: sentences that explain each node, and navigation between nodes."""

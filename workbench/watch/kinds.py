"""Which searches can be watched, and how: so that whoever only asks need not load what reads them."""

from __future__ import annotations

from engines.algorithm import Algorithm


def can_be_watched(algorithm: Algorithm) -> bool:
    """Whether there is anything to see of a search: it keeps a tree, or goes through a graph layer by layer."""
    return algorithm.records or algorithm.by_layers


def needs_recording(algorithm: Algorithm) -> bool:
    """Whether a search can be watched only where it was recorded: else it is carried out once more, step by step."""
    return algorithm.records and not algorithm.iterates

"""Limits on the time and memory that reading any file may take, however damaged it is."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from time import process_time

SECONDS = 2.0
MEGABYTES = 200


@contextlib.contextmanager
def frugal() -> Iterator[None]:
    """A context manager that fails if its block uses more than two seconds of processor time, or 200 MB beyond the previous
    peak."""
    began, before = process_time(), _most_megabytes()
    try:
        yield
    finally:
        assert process_time() - began < SECONDS
        assert _most_megabytes() - before < MEGABYTES


def _most_megabytes() -> float:
    """The peak memory of this process in megabytes; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0.0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)

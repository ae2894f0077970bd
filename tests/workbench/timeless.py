"""What of a document has to be the same every time."""

from __future__ import annotations

from typing import Any

TIMES = ("seconds", "mean_seconds", "seconds_per_move", "resumed")


def timeless(found: Any) -> Any:
    """A document without its times, and without how much was known before."""
    if isinstance(found, dict):
        return {name: timeless(value) for name, value in found.items() if name not in TIMES}
    return [timeless(value) for value in found] if isinstance(found, list | tuple) else found

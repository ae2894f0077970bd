"""What the views of solved tables show of one. It is apart from them, so that it can be made without a terminal."""

from __future__ import annotations

from msgspec import Struct

from engines.solved.store import Facts


class StoredTable(Struct, frozen=True, kw_only=True):
    """A solved table on disk: its statistics, its path, and the size of the file."""

    file: str
    bytes: int
    facts: Facts | None
    error: str | None = None
    """Why it cannot be read."""

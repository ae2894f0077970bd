"""The version of Plybench that is running."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


@cache
def version() -> str:
    """The version of Plybench that is running."""
    from importlib import metadata

    try:
        return metadata.version("plybench")
    except metadata.PackageNotFoundError:
        return "unknown"

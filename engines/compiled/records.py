"""Records: what a kernel takes as one pointer, and what Python reads and writes by name.

numpy's own records look every attribute up by trial and error, in Python, which takes longer than many a small search. Here
each field is a property of a class that is made once for its dtype, about four times as fast; numba sees the same record.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np


def new_record(kind: np.dtype[Any]) -> Any:
    """A record of this kind, all zeros."""
    return np.zeros(1, _with_properties(kind))[0]


@cache
def _with_properties(kind: np.dtype[Any]) -> np.dtype[Any]:
    fields = {name: _field(name) for name in kind.names or ()}
    own = {"__slots__": (), "__getattribute__": np.void.__getattribute__, "__setattr__": np.void.__setattr__}
    return np.dtype((type("Record", (np.record,), {**own, **fields}), kind))


def _field(name: str) -> property:
    read, write = np.void.__getitem__, np.void.__setitem__
    return property(lambda record: read(record, name), lambda record, value: write(record, name, value))

"""Games and search algorithms. Nothing in here knows about a terminal: no textual, no rich, no workbench.

The names in `__all__` are what others may use. Each is imported on first use, so that `import engines` alone
loads neither numpy nor numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.algorithm import Algorithm
    from engines.contract import Counters, InputError, Limit, Parameter, Report
    from engines.game import Game
    from engines.position import Position
    from engines.run.memory import Memory
    from engines.run.search import Search
    from engines.tape.recording import Recording

__all__ = [
    "Algorithm",
    "Counters",
    "Game",
    "InputError",
    "Limit",
    "Memory",
    "Parameter",
    "Position",
    "Recording",
    "Report",
    "Search",
]

_MODULES = {
    "Algorithm": "engines.algorithm",
    "Counters": "engines.contract",
    "Game": "engines.game",
    "InputError": "engines.contract",
    "Limit": "engines.contract",
    "Memory": "engines.run.memory",
    "Parameter": "engines.contract",
    "Position": "engines.position",
    "Recording": "engines.tape.recording",
    "Report": "engines.contract",
    "Search": "engines.run.search",
}
"""The module in which each public name is defined."""


def __getattr__(name: str) -> object:
    """Import a public name on first use, and keep it."""
    if name not in _MODULES:
        raise AttributeError(f"module 'engines' has no attribute {name!r}")
    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""How long compiling takes: what it took on this machine the last time, else what it takes on a usual one."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from engines import catalog
from engines.compiled.kernel import cache_root
from engines.contract import InputError
from engines.storage.files import write_safely


def expected(algorithm: str, game: str) -> float:
    """The seconds that compiling an algorithm for a game should take. One that was never compiled here is expected to be as
    much slower or quicker than usual as those that were."""
    measured = _measured()
    if (seconds := measured.get(_name(algorithm, game))) is not None:
        return seconds
    ratios = [seconds / _usual(*names) for name, seconds in measured.items() if _is_known(names := name.split())]
    return _usual(algorithm, game) * (sum(ratios) / len(ratios) if ratios else 1.0)


def remember(algorithm: str, game: str, seconds: float) -> None:
    """Write down what it took. Where that cannot be written, nobody knows the next time."""
    with contextlib.suppress(OSError, InputError):
        times = {**_measured(), _name(algorithm, game): round(seconds, 1)}
        with write_safely(_file()) as file:
            file.write(msgspec.json.encode(times))


def _file() -> Path:
    return cache_root() / "seconds.json"


def _measured() -> dict[str, float]:
    """The seconds by algorithm and game; none if the file is not there, or not as it was written."""
    try:
        found = msgspec.json.decode(_file().read_bytes(), type=dict[str, float])
    except (OSError, InputError, msgspec.DecodeError):
        return {}
    return {name: seconds for name, seconds in found.items() if 0 < seconds < 3600}


def _usual(algorithm: str, game: str) -> float:
    small, large = catalog.game(game).compile_seconds
    return large if catalog.algorithm(algorithm).large else small


def _name(algorithm: str, game: str) -> str:
    return f"{algorithm} {game}"


def _is_known(names: list[str]) -> bool:
    return len(names) == 2 and names[0] in catalog.ALGORITHMS and names[1] in catalog.GAMES

"""Weights with a name: what a game declares, and what a person has kept, so that `weights=NAME` means them everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Source = Callable[[str], Mapping[str, str]]
"""The weights of a game, by their names."""

_DECLARED: dict[str, dict[str, str]] = {"connect4": {"course": "1,10,100", "genetic": "15,244,953"}}
"""From the course: the first try, and what its genetic algorithm found."""
_sources: list[Source] = []


def add_source(source: Source) -> None:
    """Add another source of named weights. It is only asked when a name is used."""
    if source not in _sources:
        _sources.append(source)


def known(game: str) -> dict[str, str]:
    """All weights of a game that have a name."""
    found = dict(_DECLARED.get(game, {}))
    for source in _sources:
        found = {**source(game), **found}
    return found


def is_declared(game: str, name: str) -> bool:
    """Whether the game itself declares this name, so that the user cannot change it."""
    return name in _DECLARED.get(game, {})

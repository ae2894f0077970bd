"""Weights with a name: what a game declares, and what a person has kept, so that `weights=NAME` means them everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.game import Game

Source = Callable[[str], Mapping[str, str]]
"""The weights of a game, by their names."""

_sources: list[Source] = []


def add_source(source: Source) -> None:
    """Add another source of named weights. It is only asked when a name is used."""
    if source not in _sources:
        _sources.append(source)


def all_named(game: type[Game]) -> dict[str, str]:
    """All weights of a game that have a name."""
    found = dict(game.named_weights)
    for source in _sources:
        found = {**source(game.id), **found}
    return found

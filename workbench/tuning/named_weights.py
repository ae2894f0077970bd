"""Weights that the user has kept under a name, in a file of the data directory.

Every command accepts their name in `--set weights=NAME`, and every player in `weights=NAME`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from engines import catalog
from engines import named_weights as presets
from engines.contract import InputError, shown
from engines.notation import read_weights
from engines.storage.files import write_safely
from workbench.sessions.codec import UNREADABLE
from workbench.sessions.store import data_directory

FORMAT = "plybench weights 1"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class NamedWeightsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All named weights, by game."""

    format: str
    weights: dict[str, dict[str, str]] = {}


class Preset(Struct, frozen=True, kw_only=True):
    """Named weights, as an entry of a list."""

    game: str
    name: str
    weights: str
    declared: bool
    """Whether the game itself declares them."""


def path() -> Path:
    """The path of the file, which need not exist."""
    return data_directory() / "weights.json"


def read() -> NamedWeightsFile:
    """The content of the file; empty if there is none."""
    try:
        content = path().read_bytes()
    except FileNotFoundError:
        return NamedWeightsFile(format=FORMAT)
    except OSError as error:
        raise InputError(f"The weights in {shown(str(path()), 120)} cannot be read: {error.strerror}.") from None
    try:
        found = msgspec.json.decode(content, type=NamedWeightsFile)
    except UNREADABLE:
        raise InputError(f"{shown(str(path()), 120)} is not a file of weights.") from None
    if found.format != FORMAT:
        raise InputError(f"{shown(str(path()), 120)} is not a file of weights but says it is {shown(found.format)}.")
    for game, named in found.weights.items():
        _check(game, named)
    return found


def _check(game: str, named: Mapping[str, str]) -> None:
    """Raise InputError if the file has weights that are not valid for the game. Those of unknown games are accepted."""
    if game not in catalog.GAMES:
        return
    count = len(_parameter_weights(game))
    for name, text in named.items():
        try:
            if not NAME.fullmatch(name):
                raise InputError(f"{shown(name)} is not a name for weights.")
            read_weights(text, count)
        except InputError as error:
            raise InputError(f"In {shown(str(path()), 120)}, at {shown(game)}: {error}") from None


def kept_weights(game: str) -> Mapping[str, str]:
    """The named weights of a game."""
    return read().weights.get(game, {})


def check_name(game: str, name: str) -> None:
    """Raise InputError if weights of a game cannot be kept under this name."""
    if not NAME.fullmatch(name):
        raise InputError(
            f"A name for weights is a letter followed by letters, digits, - and _, up to 40 in all, not {shown(name)}."
        )
    if name in catalog.game(game).named_weights:
        raise InputError(f"{game} has its own weights called {name}; choose another name.")


def keep(game: str, name: str, weights: str) -> None:
    """Keep weights under a name, and replace those that had it."""
    check_name(game, name)
    count = len(_parameter_weights(game))
    text = ",".join(map(str, read_weights(weights, count)))
    now = read()
    _write(NamedWeightsFile(format=FORMAT, weights={**now.weights, game: {**now.weights.get(game, {}), name: text}}))


def forget(game: str, name: str) -> None:
    """Delete the weights of a name."""
    now = read()
    if name not in now.weights.get(game, {}):
        raise InputError(f"No weights of {game} are kept under {shown(name)}.")
    rest = {key: text for key, text in now.weights[game].items() if key != name}
    _write(NamedWeightsFile(format=FORMAT, weights={**now.weights, game: rest}))


def listing(game: str | None = None) -> list[Preset]:
    """All named weights, of one game or of all."""
    found = []
    for one in [game] if game else catalog.GAMES:
        for name, text in presets.all_named(catalog.game(one)).items():
            found.append(Preset(game=one, name=name, weights=text, declared=name in catalog.game(one).named_weights))
    return found


def _parameter_weights(game: str) -> list[str]:
    for parameter in catalog.game(game).parameters:
        if parameter.name == catalog.WEIGHTS:
            return str(catalog.default_in(parameter, game)).split(",")
    raise InputError(f"{catalog.game(game).title} has no weights.")


def _write(new: NamedWeightsFile) -> None:
    place = path()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{shown(str(place.parent), 120)} cannot be made: {error.strerror}.") from None
    with write_safely(place) as file:
        file.write(msgspec.json.format(msgspec.json.encode(new), indent=2) + b"\n")

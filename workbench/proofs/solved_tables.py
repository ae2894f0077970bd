"""Tables of whole games by the names that people give them: which are to be built, which file has one, and what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engines import catalog
from engines.contract import InputError, instead, shown
from engines.game import Game
from engines.games.chess.ending_index import MOST_MEN
from engines.solved import chess_endings as endings
from engines.solved import registry, store
from workbench.render.stored_table import StoredTable

EVERY = "all"
"""Stands for every chess ending."""


def tables_for(name: str, what: str | None, settings: Mapping[str, str]) -> tuple[Game, list[str]]:
    """The game, and the names of the requested tables with all that they depend on, dependencies first. `what` is the size
    of the board, or the chess ending; an ending may also stand in place of the game."""
    if what is None and name.upper().startswith("K") and name.lower() not in catalog.GAMES:
        name, what = next(one for one in catalog.GAMES if catalog.game(one).tables_by_ending), name
    by_ending = catalog.game(name).tables_by_ending
    for_game, _ = catalog.split_settings(dict(settings), name)
    if not by_ending:
        position = catalog.position("startpos", name, what, for_game)
        return position.game, registry.names_for(position)
    if what is None:
        raise InputError("Say which ending: KQK, KBNK and so on, or all.")
    start = catalog.position("startpos", name)
    return start.game, [f"{name}-{ending}" for ending in endings_for(what)]


def endings_for(what: str) -> list[str]:
    """The chess endings that have to be solved for one of them, or for all, dependencies first."""
    asked = endings.all_names() if what.lower() == EVERY else [endings.normal_name(what)]
    if asked[0] in endings.DEAD:
        raise InputError(f"In {asked[0]} nobody can mate; there is nothing to build.")
    if any(len(one) > MOST_MEN for one in asked):
        raise InputError(f"Tables have at most {MOST_MEN} men, kings included.")
    return list(dict.fromkeys(sub for one in asked for sub in (*endings.needed(one), one)))


def table_path(name: str) -> Path:
    """The file of a table by its name; the prefix `chess-` of chess endings is optional."""
    stems = {path.name.removesuffix(store.SUFFIX).lower(): path for path in store.listing()}
    for form in (name.lower().removesuffix(store.SUFFIX), f"chess-{name.lower()}"):
        if form in stems:
            return stems[form]
    some = instead(name, stems, "plybench retrograde list") if stems else " None has been built yet."
    raise InputError(f"There is no table {shown(name)}.{some}")


def stored_table(path: Path) -> StoredTable:
    """The description of a table file."""
    size = path.stat().st_size if path.exists() else 0
    try:
        return StoredTable(file=str(path), bytes=size, facts=store.read_facts(path))
    except InputError as error:
        return StoredTable(file=str(path), bytes=size, facts=None, error=str(error))

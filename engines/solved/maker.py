"""What differs between the kinds of tables: which there are, in which order, and how one is solved and described.

A game names a module of `engines.solved` as its `table_maker`; that module has an instance of `TableMaker`, called `MAKER`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from engines.contract import InputError
from engines.game import Game
from engines.position import Position
from engines.solved.built_table import Arrays, BuiltTable
from engines.solved.threads import WorkerThreads


class TableMaker(ABC):
    """How the tables of some games are made. Unless a maker says otherwise, a table is of a whole game on one board."""

    @abstractmethod
    def solve(self, game: Game, name: str, known: Mapping[str, Arrays], workers: WorkerThreads) -> BuiltTable:
        """The arrays of a table; `known` has the tables that it needs."""

    @abstractmethod
    def describe(self, tables: Mapping[str, Arrays]) -> Any:
        """The words by which a kernel finds the arrays of tables."""

    def needed(self, name: str) -> list[str]:
        """The tables that have to be built before one can be."""
        return []

    def is_quick(self, name: str) -> bool:
        """It takes seconds to build a table, if there is the memory."""
        return True

    def reachable(self, position: Position) -> list[str]:
        """The tables that a search of a position may come to. An InputError if there cannot be any."""
        return [table_of(position)]

    def nothing_built(self, game: Game, names: list[str]) -> str:
        """The sentence for somebody who wants tables where none is built."""
        return f"The table {names[0]} is not built yet; {self.how_to_build(game, names[0])} does it."

    def how_to_build(self, game: Game, name: str) -> str:
        """The command that builds a table."""
        options = "".join(f" --set {key}={value}".lower() for key, value in game.table_options().items())
        return f"plybench retrograde build {game.id} {game.size}{options}"


def table_of(position: Position) -> str:
    """The name of the table that has a position. An InputError if there is none."""
    name = position.game.table_name(position.state)
    if name is None:
        raise InputError(f"There is no table: {position.lacks('table')}.")
    return name


def maker_for(game: type[Game]) -> TableMaker:
    """Who makes the tables of a game. An InputError if it has none."""
    if not game.table_maker:
        raise InputError(f"There is no table: no tables are made for {game.title}.")
    maker = import_module(f"engines.solved.{game.table_maker}").MAKER
    assert isinstance(maker, TableMaker)
    return maker

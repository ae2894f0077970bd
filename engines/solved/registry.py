"""The registry of solved tables: which one has a position, building it, keeping it in memory, and handing it to the
kernels."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from engines import catalog
from engines.contract import InputError, shown
from engines.game import Game
from engines.position import Position
from engines.rules import ONGOING, WIN, Rules, result
from engines.rules_solved import DRAW, LOSS, VICTORY
from engines.run.background import Background
from engines.run.work import Work, new_work
from engines.solved import store
from engines.solved.built_table import Arrays, BuiltTable
from engines.solved.maker import maker_for, table_of
from engines.solved.store import Facts
from engines.solved.threads import Stopped, WorkerThreads, check_threads

MOST_IN_MEMORY = 2 << 30
"""Bytes of tables that stay in memory when another one is opened; the oldest go first."""
QUICK_BYTES = 160_000_000
"""A table that takes no more memory is built without being asked for: that takes seconds."""


@dataclass(frozen=True)
class OpenTable:
    """A table in memory. The kernels find it by `address`, which is valid only as long as this object lives."""

    facts: Facts
    arrays: Arrays
    words: Any

    @property
    def address(self) -> int:
        """Where the words are that say where its arrays are."""
        return int(self.words.ctypes.data)


_open: dict[Path, OpenTable] = {}
_opening = threading.RLock()
_unsaved: dict[Path, tuple[Facts, Arrays]] = {}
"""Tables that could not be written to the disk: they live as long as the process."""


# Which tables.


def names_for(position: Position) -> list[str]:
    """The tables that answer a position and all its moves, those first that others need. An InputError if none can."""
    name = table_of(position)
    return [*maker_for(type(position.game)).needed(name), name]


def is_there(name: str) -> bool:
    """Whether the table has been built."""
    path = store.path_of(name)
    return path in _open or path in _unsaved or path.is_file()


def is_quick(game: Game, name: str) -> bool:
    """Whether it takes only seconds to build."""
    return game.table_bytes(name) <= QUICK_BYTES and maker_for(type(game)).is_quick(name)


def open_table(name: str) -> OpenTable:
    """A table that has been built, read from the disk if it is not in memory."""
    path = store.path_of(name)
    with _opening:
        if path in _open:
            _open[path] = _open.pop(path)  # the latest comes last
            return _open[path]
        facts, arrays = _unsaved.get(path) or store.load(path)
        if facts.name != name:
            raise InputError(f"{shown(str(path), 200)} is the table {facts.name} under another name.")
        found = OpenTable(facts, arrays, maker_for(catalog.game(facts.game)).describe({name: arrays}))
        while _open and sum(one.facts.memory for one in _open.values()) + facts.memory > MOST_IN_MEMORY:
            del _open[next(iter(_open))]
        _open[path] = found
        return found


def close_tables() -> None:
    """Drop all tables from memory; to be called before files are changed or deleted."""
    with _opening:
        _open.clear()
        _unsaved.clear()


@dataclass(frozen=True)
class SearchTables:
    """The solved tables that one search uses, and the words by which the kernels find them."""

    tables: tuple[OpenTable, ...]
    words: Any

    def with_tables(self, rules: Rules) -> Rules:
        """The rules with the tables: every position that is in one of them counts as finished."""
        data = rules.data.copy()
        data.tables = int(self.words.ctypes.data)
        return rules._replace(data=data)


def search_tables_for(position: Position) -> SearchTables:
    """All tables that a search of a position may come to. An InputError if there is none."""
    maker = maker_for(type(position.game))
    names = maker.reachable(position)
    there = tuple(open_table(name) for name in names if is_there(name))
    if not there:
        raise InputError(maker.nothing_built(position.game, names))
    return SearchTables(there, maker.describe({one.facts.name: one.arrays for one in there}))


def how_to_build(game: Game, name: str) -> str:
    """The command that builds a table."""
    return maker_for(type(game)).how_to_build(game, name)


# Building.


class Build(Background):
    """Builds a table, and before it all that it needs, in threads of its own, and writes each to the disk."""

    def __init__(self, game: Game, names: list[str], threads: int | None = None, work: Work | None = None) -> None:
        check_threads(threads)
        super().__init__("build", new_work() if work is None else work)
        self.game, self.names = game, names
        self.workers = WorkerThreads(self.work, threads)
        self.done: list[Facts] = []
        """The tables built so far."""
        self.bytes_on_disk: dict[str, int] = {}
        self.stopped = False

    def stop(self, why: Any = "request") -> None:
        super().stop(why)
        self.workers.stop()

    @property
    def share_done(self) -> float | None:
        """How much of the table at hand is done, from 0 to 1; None if that is not known."""
        return self.workers.step / self.workers.steps if self.workers.steps else None

    def do(self) -> None:
        """Build one after the other. Those that are there already are not built again."""
        try:
            for name in self.names:
                if not is_there(name):
                    self._build(name)
        except Stopped:
            self.stopped = True
        except MemoryError:
            raise InputError(f"There is not enough memory for the table {self.names[-1]}.") from None

    def _build(self, name: str) -> None:
        began = perf_counter()
        self.workers.step = self.workers.steps = 0
        made = build_table(self.game, name, self.workers)
        facts = facts_of(self.game, name, made, perf_counter() - began, len(self.workers.works))
        self.workers.stage = "writing the file"
        path = store.path_of(name)
        try:
            self.bytes_on_disk[name] = store.save(facts, made.arrays)
        except InputError:
            _unsaved[path] = facts, made.arrays
            if not is_quick(self.game, name):
                raise
        self.done.append(facts)


def build_table(game: Game, name: str, workers: WorkerThreads) -> BuiltTable:
    """The arrays of a table."""
    maker = maker_for(type(game))
    known = {one: open_table(one).arrays for one in maker.needed(name)}
    return maker.solve(game, name, known, workers)


def facts_of(game: Game, name: str, made: BuiltTable, seconds: float, threads: int) -> Facts:
    """The statistics of a table, for its file and for people."""
    counts = made.by_byte
    ending = game.tables_by_ending
    outcome = distance = None
    if not ending:
        words = maker_for(type(game)).describe({name: made.arrays})
        value = int(result(SearchTables((), words).with_tables(game.rules), game.start()))
        if value != ONGOING:
            outcome = game.outcome(value)
            distance = None if outcome == "draw" else WIN - abs(value)
    return Facts(
        name=name,
        game=game.id,
        size="" if ending else game.size,
        options=game.table_options(),
        positions=made.positions,
        over=made.over,
        kept=made.kept,
        won=int(counts[VICTORY::2].sum()),
        mates=made.over - made.stalemates if ending else None,
        stalemates=made.stalemates if ending else None,
        drawn=int(counts[DRAW]) - made.stalemates,
        lost=int(counts[LOSS::2].sum()) - (made.over - made.stalemates if ending else 0),
        longest=max(0, (int(np.flatnonzero(counts).max(initial=0)) - LOSS) >> 1),
        by_ply=made.by_ply,
        start=outcome,
        start_distance=distance,
        memory=sum(int(array.nbytes) for array in made.arrays.values()),
        seconds=round(seconds, 3),
        threads=threads,
    )

"""The transposition table of the alpha-beta family: what it counts, what it saves, and what is kept in it."""

from __future__ import annotations

import numpy as np
import pytest

from engines import catalog
from engines.position import Position
from engines.run.memory import Memory
from tests.engines.parts.alphabeta.family import (
    FAMILY,
    PLAIN,
    TWO_PLAYERS,
    Settings,
    check_line,
    check_table,
    deep_enough,
    deepest,
    look,
    moves_here,
    some_positions,
)


@pytest.mark.parametrize("replacement", ["both", "always", "deeper"])
@pytest.mark.parametrize("threads", [1, 2])
def test_filled_counts_what_all_threads_filled(threads: int, replacement: str) -> None:
    """So many entries are in use at the end, whoever filled them; two threads may both count one that they fill at once."""
    settings: Settings = {**PLAIN, "table": 1, "threads": threads, "replacement": replacement}
    memory = Memory()
    report = look(catalog.position("4453", "connect4"), "deepening", settings, memory=memory, depth=14)
    assert memory.table is not None
    assert report.table is not None
    used = int(np.count_nonzero(memory.table.words[1::2]))
    assert used <= report.table.filled <= min(used * (1 if threads == 1 else 1.05), report.table.entries)
    last = report.depths[-1].table
    assert last is not None
    assert used * 0.9 < last.filled <= report.table.filled
    assert used > 0.8 * report.table.entries, "the table is too small for this search, so that all of it is used"


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_the_table_saves_nodes(game: str) -> None:
    nodes = {(name, table): 0 for name in FAMILY for table in (0, 1)}
    for position in some_positions(game, 300)[:: 12 if game == "chess" else 6]:
        depth = deepest(position)
        for name, table in nodes:
            nodes[name, table] += look(position, name, {**PLAIN, "table": table}, depth=depth).nodes
    for name in FAMILY:
        assert nodes[name, 1] <= nodes[name, 0], nodes
    assert nodes["pvs", 1] < 1.2 * nodes["deepening", 1]


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_what_the_table_counts_is_what_is_in_it(game: str) -> None:
    for number, position in enumerate(some_positions(game, 300)[::20]):
        memory, before = Memory(), 0
        for name in FAMILY:
            report = look(position, name, {**PLAIN, "table": 1}, memory=memory, depth=max(deep_enough(position, number), 3))
            assert memory.table is not None
            assert report.table is not None
            filled = int(np.count_nonzero(memory.table.words[1::2]))
            assert before <= report.table.filled == filled <= report.table.entries
            assert report.table.size == memory.table.words.nbytes
            before = filled
            if name == "deepening":
                check_table(report.table, 1)
                for column in ("probes", "hits", "cutoffs", "stores", "overwrites", "collisions"):
                    assert sum(getattr(row.table, column) for row in report.depths) == getattr(report.table, column)
                assert [row.table.filled for row in report.depths if row.table][-1:] == [filled]


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_deeper_with_the_table_kept(game: str) -> None:
    """A depth, then the next one with what the table knows: the same value as from nothing, for fewer nodes."""
    nodes = {"kept": 0, "fresh": 0}
    for number, position in enumerate(some_positions(game, 300)[::10]):
        name, memory = FAMILY[number % 3], Memory()
        depth = 3 if game == "chess" or moves_here(position) > 8 else 5
        look(position, name, {**PLAIN, "table": 4}, memory=memory, depth=depth)
        kept = look(position, name, {**PLAIN, "table": 4}, memory=memory, depth=depth + 1)
        fresh = look(position, name, {**PLAIN, "table": 4}, depth=depth + 1)
        assert (kept.value, kept.exact, kept.outcome, kept.distance) == (
            fresh.value,
            fresh.exact,
            fresh.outcome,
            fresh.distance,
        )
        check_line(position, kept, position.text)
        nodes["kept"] += kept.nodes
        nodes["fresh"] += fresh.nodes
    assert nodes["kept"] < nodes["fresh"]


def shallower_is_the_same(position: Position, name: str, depth: int) -> None:
    """Deeper entries are other values, even if they are better guesses: they are not used. And what is taken from the table
    is no proof if an evaluation went into it."""
    memory = Memory()
    deep = look(position, name, {**PLAIN, "table": 1}, memory=memory, depth=depth)
    for shallower in (depth, *range(1, depth)):
        kept = look(position, name, {**PLAIN, "table": 1}, memory=memory, depth=shallower)
        fresh = look(position, name, {**PLAIN, "table": 0}, depth=shallower)
        assert deep.exact or not kept.exact, (name, depth, shallower, position.text)
        if not fresh.exact and not kept.exact:
            assert kept.value == fresh.value, (name, depth, shallower, position.text)
            check_line(position, kept, position.text)


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_less_deep_with_the_table_kept(game: str) -> None:
    for number, position in enumerate(some_positions(game, 300)[::15]):
        shallower_is_the_same(position, FAMILY[number % 3], min(deepest(position), 5))


@pytest.mark.plain
def test_less_deep_with_the_table_kept_in_plain_python() -> None:
    for number, position in enumerate(some_positions("connect4", 300)[::25]):
        shallower_is_the_same(position, FAMILY[number % 3], 3)

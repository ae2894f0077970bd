"""The transposition table: what is written is read, entries make way for others by the rules, and files are checked."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.compiled.bits import U
from engines.contract import InputError
from engines.parts.alphabeta.ordering import SearchContext, new_search_context
from engines.parts.alphabeta.parameters import REPLACEMENTS
from engines.parts.alphabeta.transposition_table import (
    COLLISIONS,
    EXACT,
    FILLS,
    LOGGED,
    LOWER,
    NO_MOVE,
    OVERWRITES,
    PROBES,
    STORES,
    UPPER,
    Table,
    entry_bound,
    entry_depth,
    entry_generation,
    entry_move,
    entry_proven,
    entry_value,
    kept_table,
    packed_entry,
    probe,
    store,
)
from engines.rules import INFINITY, WIN, WIN_EDGE
from engines.run.memory import Memory
from tests.engines import checks
from tests.thorough import examples

pytestmark = pytest.mark.plain

values = st.one_of(
    st.integers(-WIN_EDGE + 1, WIN_EDGE - 1),
    st.integers(-1000, 1000),
    st.integers(0, 250).map(lambda plies: WIN - plies),
    st.integers(0, 250).map(lambda plies: plies - WIN),
)
keys = st.integers(1, 2**64 - 1)


def fresh(replacement: str = "both", megabytes: int = 1) -> tuple[Table, SearchContext]:
    """A table with the record that a search of it has."""
    memory = Memory()
    table = kept_table(memory, megabytes)
    assert table is not None
    context = new_search_context(table)
    context.replacement = REPLACEMENTS.index(replacement)
    return table, context


def write(context: SearchContext, key: int, value: int = 0, move: int = 7, depth: int = 3, ply: int = 0) -> None:
    store(context, U(key), value, move, depth, EXACT, False, ply)


def depth_of(context: SearchContext, key: int) -> int | None:
    """How deep the entry of a position is; None if there is none."""
    entry = probe(context, U(key), 1)
    return int(entry_depth(entry)) if entry else None


def count(context: SearchContext, column: int) -> int:
    return int(context.stats[:, column].sum())


def rivals(table: Table, number: int) -> list[int]:
    """So many keys that belong in one place."""
    return [5 + (i + 1) * (table.mask + 1) for i in range(number)]


@settings(max_examples=examples(400))
@given(
    st.integers(-INFINITY, INFINITY),
    st.integers(0, NO_MOVE),
    st.integers(0, 255),
    st.sampled_from((LOWER, UPPER, EXACT)),
    st.booleans(),
    st.integers(0, 1000),
)
def test_what_is_packed_can_be_unpacked(value: int, move: int, depth: int, bound: int, proven: bool, age: int) -> None:
    entry = packed_entry(value, move, depth, bound, proven, age)
    assert entry != 0
    assert (entry_move(entry), entry_depth(entry), entry_bound(entry)) == (move, depth, bound)
    assert (bool(entry_proven(entry)), entry_generation(entry)) == (proven, age % 8)
    assert entry_value(entry, 0) == value


@settings(max_examples=examples(300))
@given(keys, values, st.integers(0, NO_MOVE), st.integers(1, 240), st.sampled_from((LOWER, UPPER, EXACT)), st.booleans())
def test_what_is_stored_is_found(key: int, value: int, move: int, depth: int, bound: int, proven: bool) -> None:
    _, context = fresh()
    assert not probe(context, U(key), depth)
    store(context, U(key), value, move, depth, bound, proven, 0)
    entry = probe(context, U(key), depth)
    found = (entry_value(entry, 0), entry_move(entry), entry_depth(entry), entry_bound(entry), bool(entry_proven(entry)))
    assert found == (value, move, depth, bound, proven)
    assert not probe(context, U(key ^ (1 << 63)), depth), "another position in the same place"
    assert (count(context, PROBES), count(context, STORES), count(context, FILLS), count(context, COLLISIONS)) == (
        3,
        1,
        1,
        1,
    )


@settings(max_examples=examples(300))
@given(keys, st.integers(0, 100), st.integers(0, 100), st.integers(0, 100), st.sampled_from((1, -1)))
def test_a_win_is_as_far_from_the_position_wherever_that_is_met(
    key: int, away: int, ply: int, other: int, side: int
) -> None:
    """Stored so many plies from the root, and looked up so many plies from another one."""
    _, context = fresh()
    write(context, key, side * (WIN - ply - away), ply=ply)
    assert entry_value(probe(context, U(key), 3), other) == side * (WIN - other - away)


@settings(max_examples=examples(200))
@given(keys, st.integers(-WIN_EDGE + 1, WIN_EDGE - 1), st.integers(0, 200), st.integers(0, 200))
def test_other_values_are_the_same_everywhere(key: int, value: int, ply: int, other: int) -> None:
    _, context = fresh()
    write(context, key, value, ply=ply)
    assert entry_value(probe(context, U(key), 3), other) == value


# Which entries stay.


def test_both_keeps_the_deepest_and_the_latest() -> None:
    table, context = fresh("both")
    deep, second, third, deeper = rivals(table, 4)
    write(context, deep, depth=9)
    write(context, second, depth=4)
    write(context, third, depth=5)
    assert [depth_of(context, key) for key in (deep, second, third)] == [9, None, 5]
    write(context, deeper, depth=9)
    assert [depth_of(context, key) for key in (deep, third, deeper)] == [None, 5, 9]
    assert (count(context, STORES), count(context, FILLS), count(context, OVERWRITES)) == (4, 2, 2)


def test_always_keeps_the_latest() -> None:
    table, context = fresh("always")
    deep, second = rivals(table, 2)
    write(context, deep, depth=9)
    write(context, second, depth=1)
    assert [depth_of(context, key) for key in (deep, second)] == [None, 1]
    assert (count(context, STORES), count(context, FILLS), count(context, OVERWRITES)) == (2, 1, 1)


def test_deeper_keeps_the_deepest() -> None:
    table, context = fresh("deeper")
    deep, second, third = rivals(table, 3)
    write(context, deep, depth=5)
    write(context, second, depth=4)
    assert [depth_of(context, key) for key in (deep, second)] == [5, None]
    write(context, third, depth=6)
    assert [depth_of(context, key) for key in (deep, second, third)] == [None, None, 6]
    assert (count(context, STORES), count(context, FILLS), count(context, OVERWRITES)) == (2, 1, 1)


@pytest.mark.parametrize("replacement", REPLACEMENTS)
def test_the_same_position_is_written_over(replacement: str) -> None:
    """Even if the new entry is less deep: it is what is asked for now."""
    table, context = fresh(replacement)
    (key,) = rivals(table, 1)
    for depth in (5, 3, 8):
        write(context, key, depth=depth, value=depth * 10)
        assert depth_of(context, key) == depth
        assert entry_value(probe(context, U(key), depth), 0) == depth * 10
    assert (count(context, STORES), count(context, FILLS), count(context, OVERWRITES)) == (3, 1, 0)


@pytest.mark.parametrize("replacement", ["both", "deeper"])
@pytest.mark.parametrize("searches", [1, 2, 7, 8, 9, 20])
def test_what_earlier_searches_left_makes_way(replacement: str, searches: int) -> None:
    """In the search after so many others, a deep entry of the one before gives way, and one of this search stays."""
    memory = Memory()
    for _ in range(searches):
        table = kept_table(memory, 1)
    assert table is not None
    old, new, late = rivals(table, 3)
    for key, depth, left in ((old, 9, True), (new, 5, False), (late, 4, False)):
        if not left:
            table = kept_table(memory, 1) if key == new else table
        assert table is not None
        context = new_search_context(table)
        context.replacement = REPLACEMENTS.index(replacement)
        write(context, key, depth=depth)
    assert depth_of(context, old) is None
    assert depth_of(context, new) == 5
    assert depth_of(context, late) == (4 if replacement == "both" else None)


@settings(max_examples=examples(60))
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 9), st.integers(-99, 99)), max_size=60),
    st.sampled_from(REPLACEMENTS),
)
def test_an_entry_is_the_last_that_was_written_of_its_position_or_there_is_none(
    writes: list[tuple[int, int, int]], replacement: str
) -> None:
    table, context = fresh(replacement)
    places = rivals(table, 12)
    last: dict[int, tuple[int, int]] = {}
    for number, depth, value in writes:
        before = count(context, STORES)
        write(context, places[number - 1], value, depth=depth)
        if count(context, STORES) > before:
            last[places[number - 1]] = (depth, value)
            entry = probe(context, U(places[number - 1]), depth)
            assert (entry_depth(entry), entry_value(entry, 0)) == (depth, value)
    for key in places:
        entry = probe(context, U(key), 1)
        if entry:
            assert (entry_depth(entry), entry_value(entry, 0)) == last[key]
    filled = int(np.count_nonzero(table.words[1::2]))
    assert count(context, FILLS) == filled <= 2
    assert count(context, STORES) >= count(context, FILLS) + count(context, OVERWRITES)


@pytest.mark.parametrize("replacement", REPLACEMENTS)
def test_all_entries_are_used(replacement: str) -> None:
    """Four times as many positions as there are entries leave hardly one empty: of e^-4 it is 1.8 %."""
    table = Table(0)
    table.words = np.zeros(4 * 1024, np.uint64)
    context = new_search_context(table)
    context.replacement = REPLACEMENTS.index(replacement)
    entries = len(table.words) // 2
    random = Random(replacement)
    for _ in range(4 * entries):
        write(context, random.randrange(1, 2**64), depth=random.randint(1, 9))
    filled = int(np.count_nonzero(table.words[1::2]))
    assert filled == count(context, FILLS)
    assert 0.95 * entries < filled <= entries


def test_what_is_written_over_can_be_put_back() -> None:
    """An entry that was written over twice is what it was at first; without room in the log nothing is written."""
    table, context = fresh("always")
    first, second, third = rivals(table, 3)
    write(context, first, value=1)
    before = table.words.copy()
    log = np.zeros(2 * LOGGED, np.uint64)
    context.log, context.log_room = log.ctypes.data, len(log)
    write(context, second, value=2)
    write(context, third, value=3)
    write(context, first, value=4)
    assert [depth_of(context, key) for key in (first, second, third)] == [None, None, 3]
    table.restore(log[: int(context.log_used)])
    assert (table.words == before).all()


def test_an_entry_that_two_threads_wrote_at_once_is_nobodys() -> None:
    table, context = fresh("always")
    first, second = rivals(table, 2)
    write(context, first, value=1)
    torn = table.words.copy()
    write(context, second, value=2)
    place = int(np.flatnonzero(torn)[0])
    table.words[place] = torn[place]  # the first word of one and the second word of the other
    assert depth_of(context, first) is None
    assert depth_of(context, second) is None


# The memory it takes.


@pytest.mark.parametrize("megabytes", [1, 2, 3, 5, 8, 31, 64])
def test_the_size_is_kept_to(megabytes: int) -> None:
    table = Table(megabytes)
    assert megabytes * 500_000 < table.words.nbytes <= megabytes * 1_000_000
    assert (table.mask + 1) & table.mask == 0
    context = new_search_context(table)
    before = table.words.copy()
    write(context, 2**64 - 1)  # the very last place
    assert set(np.flatnonzero(table.words != before)) <= set(range(len(table.words) - 4, len(table.words)))


def test_a_memory_keeps_the_table_of_its_size() -> None:
    memory = Memory()
    assert kept_table(memory, 0) is None
    first = kept_table(memory, 2)
    assert first is not None
    assert (kept_table(memory, 2), first.generation) == (first, 2)
    assert kept_table(memory, 3) is not first
    small = kept_table(Memory(most=1), 64)
    assert small is not None
    assert small.words.nbytes <= 1_000_000


def test_more_than_there_is_is_a_sentence() -> None:
    with pytest.raises(InputError) as error:
        Table(2**30)
    assert checks.is_sentence(str(error.value))


def test_forgetting_everything() -> None:
    table, context = fresh()
    for key in range(1, 500):
        write(context, key)
    assert table.permille() > 0
    table.clear()
    assert not table.words.any()
    assert (table.permille(), table.filled, table.generation) == (0, 0, 0)


# Files.


def filled_table() -> tuple[Table, SearchContext]:
    table, context = fresh()
    for key in range(1, 3000, 7):
        write(context, key * 0x9E3779B97F4A7C15 % 2**64, value=key, depth=key % 9 + 1)
    return table, context


def test_a_saved_table_comes_back(tmp_path: Path) -> None:
    table, context = filled_table()
    table.save(tmp_path / "some.table", "connect4 7x6")
    again = Table.load(tmp_path / "some.table", "connect4 7x6")
    assert (again.words == table.words).all()
    assert again.filled == count(context, FILLS)
    assert (again.mask, again.words.flags.writeable) == (table.mask, True)
    other = new_search_context(again)
    key = 8 * 0x9E3779B97F4A7C15 % 2**64
    assert entry_value(probe(other, U(key), 1), 0) == 8


def refused(path: Path, about: str = "chess") -> str:
    with pytest.raises(InputError) as error:
        Table.load(path, about)
    assert checks.is_sentence(str(error.value)), str(error.value)
    return str(error.value)


def test_files_that_are_no_tables_of_this_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.table"
    assert "cannot be read" in refused(path)
    refused(tmp_path)
    table, _ = filled_table()
    table.save(path, "connect4 7x6")
    assert "connect4" in refused(path)
    whole = path.read_bytes()
    for text in (b"", b"plybench", whole[5:], b"\0" * 100, whole.replace(b"table 1", b"table 9", 1)):
        path.write_bytes(text)
        refused(path, "connect4 7x6")


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.table"
    table, _ = filled_table()
    table.save(path, "chess")
    whole = path.read_bytes()
    start = whole.index(b"\x93NUMPY")
    for cut in (start, start + 3, start + 20, start + 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        refused(path)
    arrays: list[Any] = [
        np.zeros(3, np.uint64),
        np.zeros(12, np.uint64),
        np.zeros(0, np.uint64),
        np.zeros((4, 4), np.uint64),
        np.zeros(8, np.int64),
        np.zeros(8, ">u8"),
        np.zeros(8, np.float64),
    ]
    for array in arrays:
        with path.open("wb") as file:
            file.write(whole[:start])
            np.lib.format.write_array(file, array, allow_pickle=False)
        refused(path)


def test_a_flipped_bit_never_gives_a_position_another_value(tmp_path: Path) -> None:
    """The key checks the whole entry, so a damaged one is nobody's."""
    table, context = fresh()
    key = 0x123456789ABCDEF1
    write(context, key, value=77)
    for word in np.flatnonzero(table.words):
        for bit in range(64):
            table.words[word] ^= np.uint64(1) << np.uint64(bit)
            assert depth_of(context, key) is None
            table.words[word] ^= np.uint64(1) << np.uint64(bit)
    assert entry_value(probe(context, U(key), 3), 0) == 77

"""The transposition table: bounds and best moves of positions that can be reached in more than one way.

An entry is two words: the position's whole key, and its value, depth, bound, move and age packed into 64 bits. Two entries
share a place: the first keeps what was searched deeper, the second what came last. Where only one of the two is wanted, each
entry is a place of its own, and one more bit of the key says which. The first word is the key *xor* the second word, so that
an entry which two threads wrote at once is taken for another position's, never for a wrong value of this one.

An entry is used only if it was searched exactly as deep as is asked for: then a search with a table gives the same value as
one without. (Deeper entries would be better guesses, but other ones.) The word's `proven` bit says that no evaluation at all
went into the value, so that a search that leans on it may claim a proof.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engines.compiled.bits import EMPTY, ONE, U
from engines.compiled.kernel import helper, int64
from engines.compiled.memory import peek, poke
from engines.contract import MAX_DEPTH, InputError, TableCounters, shown
from engines.rules import WIN_EDGE
from engines.run.memory import Memory
from engines.storage.files import write_safely

LOWER, UPPER, EXACT = 1, 2, 3
"""The kind of a stored value: a lower bound, an upper bound, or exact."""
NO_MOVE = 0x3FFFF
BUCKET = 4
"""Words in one place: two entries of two words."""
PROBES, HITS, EXACT_CUTS, LOWER_CUTS, UPPER_CUTS, STORES, OVERWRITES, COLLISIONS, FILLS = range(9)
"""The columns of the counters; there is a row for each remaining depth."""
ROWS, COLUMNS = MAX_DEPTH + 16, 9
BOTH, ALWAYS, DEEPER = range(3)
"""Replacement schemes: a bucket keeps the deeper and the latest of its positions, only the latest, or only the deeper."""
LOGGED = 3
"""Words in a log of what was written over: where, and the two words that were there."""
_OFFSET = 1 << 31
_FORMAT = b"plybench table 1\n"


class Table:
    """The memory of a table: as many places, a power of two, as fit into so many megabytes."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        places = 1
        while places * 2 * BUCKET * 8 <= megabytes * 1_000_000:
            places *= 2
        try:
            self.words = np.zeros(places * BUCKET, np.uint64)
        except MemoryError:
            raise InputError(f"There is not enough memory for a table of {megabytes} MB.") from None
        self.touched = False
        self.generation = 0
        self.filled = 0
        """How many entries were in use when the last search ended."""

    @property
    def address(self) -> int:
        """Where the words are."""
        return int(self.words.ctypes.data)

    @property
    def mask(self) -> int:
        """The last place."""
        return len(self.words) // BUCKET - 1

    def clear(self) -> None:
        """Empty the table."""
        self.words[:] = 0
        self.generation = self.filled = 0

    def restore(self, log: Any) -> None:
        """Make entries what they were before they were written over: `log` has the oldest first."""
        rows = log.reshape(-1, LOGGED)[::-1]  # of an entry that was written over twice the oldest is put back last
        for word in (0, 1):
            self.words[rows[:, 0].astype(np.int64) + word] = rows[:, 1 + word]

    def permille(self) -> int:
        """How many of 1,000 entries are in use, judged by the first few thousand."""
        sample = self.words[1 : 2 * 4096 : 2]
        return int(1000 * np.count_nonzero(sample) / len(sample))

    def counters(self, stats: Any) -> TableCounters:
        """The counters of the table, summed over all depths."""
        total = [int(column) for column in stats.sum(axis=0)]
        return TableCounters(
            size=self.words.nbytes,
            probes=total[PROBES],
            hits=total[HITS],
            cutoffs=total[EXACT_CUTS] + total[LOWER_CUTS] + total[UPPER_CUTS],
            exact_cutoffs=total[EXACT_CUTS],
            lower_cutoffs=total[LOWER_CUTS],
            upper_cutoffs=total[UPPER_CUTS],
            stores=total[STORES],
            overwrites=total[OVERWRITES],
            collisions=total[COLLISIONS],
            filled=self.filled_with(total[FILLS]),
            entries=len(self.words) // 2,
        )

    def filled_with(self, fills: int) -> int:
        """How many entries are in use after so many more were filled. Two threads may both count one that they fill at the
        same moment, but no more can be in use than there are."""
        return min(self.filled + fills, len(self.words) // 2)

    def save(self, path: Path, about: str) -> None:
        """Write the table to a file. `about` says what it belongs to: game, options, version."""
        with write_safely(path) as file:
            file.write(_FORMAT + about.encode() + b"\n")
            np.lib.format.write_array(file, self.words, allow_pickle=False)

    @classmethod
    def load(cls, path: Path, about: str) -> Table:
        """Read a table from a file; an InputError if it is none, or belongs to something else."""
        try:
            with path.open("rb") as file:
                if file.readline() != _FORMAT:
                    raise InputError(f"{shown(str(path))} is not a table of Plybench.")
                if (belongs := file.readline().decode(errors="replace").strip()) != about:
                    raise InputError(f"{shown(str(path))} belongs to {shown(belongs, 80)}, not to {shown(about, 80)}.")
                words = np.lib.format.read_array(file, allow_pickle=False)
        except OSError as error:
            raise InputError(f"{shown(str(path))} cannot be read: {error.strerror or error}.") from None
        except InputError:
            raise
        except Exception:  # noqa: BLE001 - numpy raises what it likes at a damaged file
            raise InputError(f"{shown(str(path))} is a damaged table.") from None
        if words.dtype != np.uint64 or words.ndim != 1 or len(words) < BUCKET or len(words) & (len(words) - 1):
            raise InputError(f"{shown(str(path))} is a damaged table.")
        table = cls(0)
        table.words, table.megabytes = words, words.nbytes // 1_000_000
        table.filled = int(np.count_nonzero(words[1::2]))
        return table


def kept_table(memory: Memory, megabytes: int) -> Table | None:
    """The table of this size: the one kept from an earlier search, or a new one; None for no megabytes."""
    if memory.most is not None:
        megabytes = min(megabytes, memory.most)
    if not megabytes:
        return None
    if not isinstance(memory.table, Table) or memory.table.megabytes != megabytes:
        memory.table = Table(megabytes)
    memory.table.generation += 1
    return memory.table


# Entries, as the kernels see them. `context` is the record of `engines.parts.alphabeta.ordering`.


@helper
def packed_entry(value: int, move: int, depth: int, bound: int, proven: bool, generation: int) -> Any:
    """The second word of an entry."""
    word = U(value + _OFFSET) | (U(move & NO_MOVE) << U(32)) | (U(depth) << U(50)) | (U(bound) << U(58))
    return word | (U(1 if proven else 0) << U(60)) | (U(generation & 7) << U(61))


@helper
def entry_value(entry: Any, ply: int) -> int:
    """The value, seen from the root: a win that is n plies from the entry's position is `ply` further away there."""
    value = int64(entry & U(0xFFFFFFFF)) - _OFFSET
    if value >= WIN_EDGE:
        return value - ply
    return value + ply if value <= -WIN_EDGE else value


@helper
def entry_move(entry: Any) -> int:
    """The best move, or `NO_MOVE`."""
    return int64((entry >> U(32)) & U(NO_MOVE))


@helper
def entry_depth(entry: Any) -> int:
    """How deep it was searched."""
    return int64((entry >> U(50)) & U(255))


@helper
def entry_bound(entry: Any) -> int:
    """What the value is: `LOWER`, `UPPER` or `EXACT`."""
    return int64((entry >> U(58)) & U(3))


@helper
def entry_proven(entry: Any) -> bool:
    """Whether the value is proven: no evaluation went into it."""
    return (entry >> U(60)) & ONE != EMPTY


@helper
def entry_generation(entry: Any) -> int:
    """The generation: the number of the search that wrote it, modulo 8."""
    return int64(entry >> U(61))


@helper
def own_slot(key: Any) -> int:
    """Which of the two entries of a place belongs to a position, where each keeps one position only."""
    return int64(key >> U(63)) * 2


@helper
def probe(context: Any, key: Any, depth: int) -> Any:
    """The entry of a position, or 0 if there is none."""
    place = int64(key & U(context.table_mask)) * BUCKET
    context.stats[depth, PROBES] += 1
    foreign, first, behind = 0, int64(0), int64(BUCKET)
    if context.replacement != BOTH:
        first = own_slot(key)
        behind = first + 2
    for slot in range(first, behind, 2):
        entry = peek(context.table, place + slot + 1)
        if entry != EMPTY:
            if peek(context.table, place + slot) ^ entry == key:
                return entry
            foreign += 1
    if foreign > 0:
        context.stats[depth, COLLISIONS] += 1
    return EMPTY


@helper
def store(context: Any, key: Any, value: int, move: int, depth: int, bound: int, proven: bool, ply: int) -> None:
    """Store an entry. Distances of wins are counted from the position itself, not from the root."""
    if value >= WIN_EDGE:
        value += ply
    elif value <= -WIN_EDGE:
        value -= ply
    place = int64(key & U(context.table_mask)) * BUCKET
    slot = int64(0) if context.replacement == BOTH else own_slot(key)
    if context.replacement != ALWAYS:
        first = peek(context.table, place + slot + 1)
        if first != EMPTY and peek(context.table, place + slot) ^ first != key:
            kept = entry_depth(first) > depth and entry_generation(first) == context.generation
            if kept and context.replacement == DEEPER:
                return
            slot = int64(2) if kept else slot
    if context.log != 0 and not logged(context, place + slot):
        return
    old = peek(context.table, place + slot + 1)
    context.stats[depth, STORES] += 1
    if old == EMPTY:
        context.stats[depth, FILLS] += 1
    elif peek(context.table, place + slot) ^ old != key:
        context.stats[depth, OVERWRITES] += 1
    entry = packed_entry(value, move, depth, bound, proven, context.generation)
    poke(context.table, place + slot, key ^ entry)
    poke(context.table, place + slot + 1, entry)


@helper
def logged(context: Any, word: int) -> bool:
    """Log an entry before it is overwritten; False if the log is full."""
    if context.log_used + LOGGED > context.log_room:
        return False
    poke(context.log, context.log_used, U(word))
    poke(context.log, context.log_used + 1, peek(context.table, word))
    poke(context.log, context.log_used + 2, peek(context.table, word + 1))
    context.log_used += LOGGED
    return True

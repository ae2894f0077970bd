"""The table of the proof searches that go depth first: proof and disproof numbers of positions.

An entry is two words: the position's key, and both numbers with how much work they stand for. Four entries share a place,
one line of the cache; when all are taken, the one that took the least work goes. Of a position that is solved one number is
0 and the other infinite, so that there is room for the plies to the end of the game instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.compiled.bits import EMPTY, U, highest, upper_product
from engines.compiled.kernel import helper, int64
from engines.compiled.memory import peek, poke
from engines.contract import InputError, TableCounters
from engines.parts.proof.numbers import Question
from engines.rules import INFINITE, Rules, key

PLACE = 8
"""Words in a place: four entries of two."""
LINE = 64
"""Bytes in a line of the cache."""
NUMBER = U((1 << 28) - 1)
COUNTED = ("probes", "hits", "cutoffs", "stores", "overwrites", "collisions", "filled")


class ProofTable:
    """As many places as fit into so many megabytes."""

    def __init__(self, megabytes: int) -> None:
        places = megabytes * 1_000_000 // LINE
        try:
            room = np.zeros(places * PLACE + LINE // 8, np.uint64)
        except MemoryError:
            raise InputError(f"There is not enough memory for a table of {megabytes} MB.") from None
        start = -room.ctypes.data % LINE // 8
        self.words = room[start : start + places * PLACE]

    def lend(self, question: Question, rules: Rules) -> None:
        """Let the search for an answer to this question use the table. A game whose positions have no keys goes without."""
        has_keys = key.implementation(type(rules)) is not key.fallback
        question.table = int(self.words.ctypes.data)
        question.places = len(self.words) // PLACE if has_keys else 0

    def counters(self, *questions: Question) -> TableCounters:
        """What was done with the table for all these questions."""
        counted = {name: sum(int(question[name]) for question in questions) for name in COUNTED}
        return TableCounters(size=self.words.nbytes, entries=len(self.words) // 2, **counted)


@helper
def entry_of(proof: int, disproof: int, plies: int, effort: int) -> Any:
    """The second word of an entry: what is known of a position, and what that took, in nodes."""
    if proof == 0:
        disproof = plies
    elif disproof == 0:
        proof = plies + 1  # never 0, which says that it is proven
    size = min(highest(U(effort) | U(1)), int64(127))
    return U(proof) | (U(disproof) << U(28)) | (U(size + 1) << U(56))


@helper
def unpacked(entry: Any) -> tuple[int, int, int]:
    """The proof number, the disproof number, and the plies to the end of the game where it is solved."""
    proof, disproof = int64(entry & NUMBER), int64((entry >> U(28)) & NUMBER)
    if proof == 0:
        return proof, int64(INFINITE), disproof
    if disproof == 0:
        return int64(INFINITE), disproof, proof - 1
    return proof, disproof, int64(0)


@helper
def probe_numbers(question: Question, name: Any) -> Any:
    """The second word of a position's entry; 0 if there is none."""
    if question.places == EMPTY:
        return EMPTY
    place = int64(upper_product(name, question.places)) * PLACE
    question.probes += 1
    foreign = 0
    for slot in range(0, PLACE, 2):
        entry = peek(question.table, place + slot + 1)
        if entry == EMPTY:
            break
        if peek(question.table, place + slot) == name:
            question.hits += 1
            return entry
        foreign += 1
    if foreign > 0:
        question.collisions += 1
    return EMPTY


@helper
def store_numbers(question: Question, name: Any, proof: int, disproof: int, plies: int, effort: int) -> None:
    """Write down what is known of a position: over its old entry, else over the one that took the least work."""
    if question.places == EMPTY:
        return
    place = int64(upper_product(name, question.places)) * PLACE
    chosen, least, driven_out = int64(0), U(1 << 63), int64(1)
    for slot in range(0, PLACE, 2):
        entry = peek(question.table, place + slot + 1)
        if entry == EMPTY:
            chosen, driven_out = int64(slot), int64(0)
            question.filled += 1
            break
        if peek(question.table, place + slot) == name:
            chosen, driven_out = int64(slot), int64(0)
            break
        size = entry >> U(56)
        if size < least:
            chosen, least = int64(slot), size
    question.stores += 1
    question.overwrites += driven_out
    poke(question.table, place + chosen, name)
    poke(question.table, place + chosen + 1, entry_of(proof, disproof, plies, effort))

"""Games in which each move adds a stone (Connect 4, tic-tac-toe), solved layer by layer.

Forwards, every position that can be reached is found, one layer of as many stones after the other: the codes of the next
layer are noted in a map with one bit for each code, which finds each once and puts them in order. Backwards, every position
gets its value from those of the next layer. Of a code only the last 16 bits are kept; the others say in which bucket of its
layer it is. Two positions that are mirror images are one. Games that are over are counted but not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from engines.compiled.bits import EMPTY, ONE, U, lowest
from engines.compiled.kernel import int64, kernel
from engines.compiled.memory import peek
from engines.game import Game
from engines.games.in_a_row.game import RowGame
from engines.rules import INFINITY, ONGOING, Rules, moves, play, result
from engines.rules_solved import (
    BUCKETS,
    LOW,
    LOW_BITS,
    STARTS,
    VALUES,
    as_code,
    as_value,
    behind,
    byte_at,
    coded,
    decoded,
    place_in_layer,
    short_at,
    twins,
)
from engines.run.work import Work
from engines.solved.built_table import Arrays, BuiltTable, padded, room
from engines.solved.maker import TableMaker
from engines.solved.threads import WorkerThreads, number

Buckets = tuple[int, int]
"""The first bucket of a part, and the one behind its last."""
PARTS = 64
"""How many parts of a layer are shared out among the threads."""


@kernel
def spread(game: Rules, work: Work, starts: Any, low: Any, first: int, last: int, bits: Any) -> None:
    """Note every position that can be reached in one move from those in some buckets of a layer."""
    legal = work.moves[0]
    for bucket in range(first, last):
        for place in range(starts[bucket], starts[bucket + 1]):
            if work.nodes >= work.budget:
                work.stopped = 1
                return
            work.nodes += 1
            state = decoded(game, (U(bucket) << U(LOW_BITS)) | U(low[place]))
            for i in range(moves(game, state, legal)):
                code = coded(game, play(game, state, legal[i]))
                bits[int64(code >> U(6))] |= ONE << (code & U(63))


@kernel
def gather(game: Rules, bits: Any, first: int, last: int, low: Any, counts: Any, found: Any) -> int:
    """Write the codes noted in some buckets into `low`, and how many each bucket has into `counts`; games that are over are
    only counted. `bits` has a row for each thread, and is wiped. `found`: all positions, and those where the game is over.
    Returns how many were written."""
    kept, words = int64(0), int64(1 << (LOW_BITS - 6))
    for bucket in range(first, last):
        before = kept
        for word in range(bucket * words, (bucket + 1) * words):
            left: Any = EMPTY
            for thread in range(bits.shape[0]):
                left |= bits[thread, word]
                bits[thread, word] = EMPTY
            while left != EMPTY:
                code: Any = (U(word) << U(6)) | U(lowest(left))
                left &= left - ONE
                both = twins(game, code)
                found[0] += both
                if result(game, decoded(game, code)) == ONGOING:
                    low[kept] = int64(code & U((1 << LOW_BITS) - 1))
                    kept += 1
                else:
                    found[1] += both
        counts[bucket] = kept - before
    return kept


@kernel
def settle(game: Rules, work: Work, table: int, layer: int, first: int, last: int, values: Any, found: Any) -> None:
    """Give every position in some buckets of a layer its value, from those of the layer behind. `found` counts, for each
    byte, how many positions have it."""
    legal = work.moves[0]
    starts, shorts, known = int64(peek(table, STARTS)), int64(peek(table, LOW)), int64(peek(table, VALUES))
    row = layer * int64(peek(table, BUCKETS))
    for bucket in range(first, last):
        for place in range(int64(peek(starts, row + bucket)), int64(peek(starts, row + bucket + 1))):
            if work.nodes >= work.budget:
                work.stopped = 1
                return
            work.nodes += 1
            code = (U(bucket) << U(LOW_BITS)) | U(short_at(shorts, place))
            state, best = decoded(game, code), int64(-INFINITY)
            for i in range(moves(game, state, legal)):
                after = play(game, state, legal[i])
                value = result(game, after)
                if value == ONGOING:
                    value = as_value(byte_at(known, place_in_layer(table, layer + 1, coded(game, after))))
                best = max(best, behind(value))
            byte = as_code(best)
            found[byte] += twins(game, code)
            values[place] = byte


def solve(game: RowGame, workers: WorkerThreads) -> BuiltTable:
    """The table of a game on a board of some size."""
    rules, most = game.rules, game.width * game.height
    workers.steps = 2 * (most + 1)
    starts, low, found = _find(game, most, workers)
    arrays = {"starts": starts, "low": low, "values": room(low.shape, np.uint8)}
    table = describe(arrays)
    by_byte = np.zeros((len(workers.works), 256), np.int64)
    for layer in range(most, -1, -1):
        workers.stage = f"solving positions with {layer} stones"

        def look_back(work: Work, part: Buckets, layer: int = layer) -> None:
            where, counted = int(table.ctypes.data), by_byte[number(workers, work)]
            settle(rules, work, where, layer, part[0], part[1], arrays["values"], counted)

        workers.share(_parts(starts[layer]), look_back)
        workers.step += 1
    total, over = (int(count) for count in found.sum(axis=0))
    return BuiltTable(arrays, total, over, len(low), by_byte.sum(axis=0), tuple(found[:, 0].tolist()))


def _find(game: RowGame, most: int, workers: WorkerThreads) -> tuple[Any, Any, Any]:
    """Every position that can be reached and is not over, layer by layer: where each bucket starts, and the last bits of the
    codes; and for each layer how many positions there are in all, and how many are over."""
    rules, buckets = game.rules, (game.codes >> LOW_BITS) + 1
    bits = np.zeros((len(workers.works), buckets << (LOW_BITS - 6)), np.uint64)
    starts, lows = np.zeros((most + 1, buckets + 1), np.int64), []
    found = np.zeros((most + 1, 2), np.int64)
    code = int(coded(rules, game.start()))
    bits[0, code >> 6] = 1 << (code & 63)
    for layer in range(most + 1):
        workers.stage = f"finding positions with {layer} stones"
        low, counts, found[layer] = _gathered(rules, bits, buckets, workers)
        starts[layer, 1:] = np.cumsum(counts)
        lows.append(low)

        def look_ahead(work: Work, part: Buckets, row: Any = starts[layer], low: Any = low) -> None:
            spread(rules, work, row, low, part[0], part[1], bits[number(workers, work)])

        workers.share(_parts(starts[layer]), look_ahead)
        workers.step += 1
    starts += np.cumsum([0, *(len(low) for low in lows[:-1])])[:, None]
    return starts, padded(np.concatenate(lows)), found


def describe(arrays: Arrays) -> Any:
    """The words by which a kernel finds the arrays."""
    starts = arrays["starts"]
    where = [int(arrays[name].ctypes.data) for name in ("starts", "low", "values")]
    return np.array([*where, starts.shape[1], starts.shape[0]], np.int64)


def _parts(starts: Any) -> list[Buckets]:
    """The buckets of a layer in parts with about as many positions each."""
    count = int(starts[-1] - starts[0])
    wanted = np.linspace(starts[0], starts[-1], min(PARTS, count // 1000 + 1) + 1)
    edges = np.unique(np.searchsorted(starts, wanted))
    edges[-1] = len(starts) - 1
    return [(int(first), int(last)) for first, last in pairwise(edges)]


def _gathered(rules: Rules, bits: Any, buckets: int, workers: WorkerThreads) -> tuple[Any, Any, Any]:
    """The codes that were noted, in order; how many there are in each bucket; and how many positions in all, and over."""
    counts, words = np.zeros(buckets, np.int64), 1 << (LOW_BITS - 6)
    edges = np.linspace(0, buckets, min(PARTS, buckets) + 1).astype(int)
    found = np.zeros((len(edges) - 1, 2), np.int64)
    lows: list[Any] = [None] * len(found)

    def gather_part(work: Work, part: int) -> None:
        first, last = int(edges[part]), int(edges[part + 1])
        most = int(np.bitwise_count(bits[:, first * words : last * words]).sum(dtype=np.int64))
        low = np.zeros(most, np.uint16)
        lows[part] = low[: gather(rules, bits, first, last, low, counts, found[part])].copy()

    workers.share(range(len(lows)), gather_part)
    return np.concatenate(lows), counts, found.sum(axis=0)


class StoneTables(TableMaker):
    """Tables of games of k in a row, one for each size of the board."""

    def solve(self, game: Game, name: str, known: Mapping[str, Arrays], workers: WorkerThreads) -> BuiltTable:
        assert isinstance(game, RowGame)
        return solve(game, workers)

    def describe(self, tables: Mapping[str, Arrays]) -> Any:
        (arrays,) = tables.values()
        return describe(arrays)


MAKER = StoneTables()

"""Solves Breakthrough as a whole: all positions, in an order in which every move leads to a position that is solved already.

Pawns only move forward, so no position occurs twice in a game. A block holds all positions with the same white pawns
(`engines.games.breakthrough.index`). A move of White, or a capture by Black, leads to a block in which White's pawns have
fewer steps left; any other move of Black leads to a position that comes earlier in the same block. So blocks with equally
many steps left for White do not depend on each other, and threads solve them at the same time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.compiled.bits import EMPTY, ONE, U, board
from engines.compiled.kernel import int64, kernel
from engines.compiled.memory import peek
from engines.game import Game
from engines.games.breakthrough.game import BreakthroughGame
from engines.games.breakthrough.index import NO_BLOCK, VALUES, mirrored, place_of
from engines.games.breakthrough.rules import Pawns
from engines.rules import INFINITY, ONGOING, Rules, moves, play, result
from engines.rules_solved import as_code, as_value, behind, byte_at
from engines.run.work import Work
from engines.solved.built_table import Arrays, BuiltTable, room
from engines.solved.maker import TableMaker
from engines.solved.threads import WorkerThreads, number

BLOCKS_AT_ONCE = 16
"""How many blocks are one part of the work."""


@kernel
def settle_block(
    game: Rules, work: Work, table: int, white: Any, free: Any, offset: int, weight: int, values: Any, found: Any
) -> None:
    """Give all positions with these white pawns their values. `free`: where black pawns may be; `weight`: so many positions
    each stands for. `found` counts, for each byte, how many positions have it."""
    legal, known = work.moves[0], int64(peek(table, VALUES))
    black, place = EMPTY, offset
    while black != free:
        black = ((black | ~free) + ONE) & free  # the next way to put pawns on these squares
        place += 2
        if work.nodes >= work.budget:
            work.stopped = 1
            return
        for i in range(2):
            work.nodes += 1
            state, best = Pawns(white, black, 1 - 2 * i), int64(-INFINITY)
            for j in range(moves(game, state, legal)):
                after = play(game, state, legal[j])
                value = result(game, after)
                if value == ONGOING:
                    value = as_value(byte_at(known, place_of(table, after.white, after.black, after.turn)))
                best = max(best, behind(value))
            byte = as_code(best)
            found[byte] += weight
            values[place + i] = byte


def solve(game: BreakthroughGame, workers: WorkerThreads) -> BuiltTable:
    """The table of a board of some size."""
    rules, rows, columns = game.rules, game.rows, game.columns
    white_squares = board(row * 8 + column for row in range(rows - 1) for column in range(columns))
    black_squares = white_squares << U(8)
    all_white = _subsets(white_squares)
    images = mirrored(all_white, columns)
    canonical = (all_white <= images) & (all_white != 0)
    free = int(black_squares).bit_count() - np.bitwise_count(all_white & black_squares).astype(np.int64)
    lengths = np.where(canonical, np.int64(2) << free, 0)
    offsets = np.where(canonical, np.cumsum(lengths) - lengths, NO_BLOCK)
    values = room((int(lengths.sum()),), np.uint8)
    arrays = {"offsets": offsets, "values": values, "shape": np.array([rows, columns])}
    table = describe(arrays)
    steps = sum((rows - 1 - row) * np.bitwise_count(all_white & U(0xFF << row * 8)).astype(np.int64) for row in range(rows))
    by_byte = np.zeros((len(workers.works), 256), np.int64)
    workers.steps = int(steps.max())

    def settle(work: Work, part: Any) -> None:
        counted = by_byte[number(workers, work)]
        for code in part:
            white, weight = all_white[code], 1 + int(all_white[code] != images[code])
            settle_block(
                rules, work, int(table.ctypes.data), white, black_squares & ~white, offsets[code], weight, values, counted
            )

    for left in range(1, workers.steps + 1):
        workers.stage = f"solving positions in which White has {left} steps left"
        blocks = np.flatnonzero(canonical & (steps == left))
        workers.share(np.array_split(blocks, -(-len(blocks) // BLOCKS_AT_ONCE)) if len(blocks) else [], settle)
        workers.step += 1
    counted = by_byte.sum(axis=0)
    return BuiltTable(arrays, int(counted.sum()), 0, int(np.count_nonzero(values)), counted)


def _subsets(squares: Any) -> Any:
    """All ways to put pawns on some squares, in the order of their codes."""
    boards = np.zeros(1, np.uint64)
    for square in range(64):
        if int(squares) >> square & 1:
            boards = np.concatenate([boards, boards | U(1 << square)])
    return boards


def describe(arrays: Arrays) -> Any:
    """The words by which a kernel finds the arrays."""
    rows, columns = (int(number) for number in arrays["shape"])
    white = board(row * 8 + column for row in range(rows - 1) for column in range(columns))
    where = [int(arrays[name].ctypes.data) for name in ("offsets", "values")]
    return np.array([*where, int(white), int(white) << 8, columns], np.uint64).view(np.int64)


class PawnTables(TableMaker):
    """Tables of Breakthrough, one for each size of the board."""

    def solve(self, game: Game, name: str, known: Mapping[str, Arrays], workers: WorkerThreads) -> BuiltTable:
        assert isinstance(game, BreakthroughGame)
        return solve(game, workers)

    def describe(self, tables: Mapping[str, Arrays]) -> Any:
        (arrays,) = tables.values()
        return describe(arrays)


MAKER = PawnTables()

"""The aids record: the switches of the alpha-beta family, and what helps it to try good moves first.

One numpy record behind one pointer, as the work record is. Each thread has its own; only the table behind `table` is shared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.compiled.kernel import helper, int64
from engines.compiled.records import new_record
from engines.parts.alphabeta.transposition_table import COLUMNS, NO_MOVE, ROWS, Table
from engines.rules import LOUD, MAX_MOVES, Rules, State, worth
from engines.run.work import PLIES

NONE, CAPTURES, KILLERS, FULL = range(4)
"""How moves are ordered: as the game writes them; by what they take; also by what was good elsewhere; also by the table."""
ORDERINGS = ("none", "captures", "killers", "full")
SQUARES = 4096
"""History is kept for the last 12 bits of a move: in board games, where from and where to."""

AIDS = np.dtype(
    [
        ("table", np.int64),
        ("table_mask", np.int64),
        ("generation", np.int64),
        ("replacement", np.int64),
        ("ordering", np.int64),
        ("pvs", np.int64),
        ("quiescence", np.int64),
        ("null_move", np.int64),
        ("check_extension", np.int64),
        ("singular_extension", np.int64),
        ("reductions", np.int64),
        ("futility", np.int64),
        ("beam", np.int64),
        ("probcut", np.int64),
        ("pawn", np.int64),
        ("deepest", np.int64),
        ("log", np.int64),
        ("log_room", np.int64),
        ("log_used", np.int64),
        ("spare", np.int64, 5),
        ("stats", np.int64, (ROWS, COLUMNS)),
        ("killers", np.int64, (PLIES, 2)),
        ("history", np.int64, (2, SQUARES)),
        ("promise", np.int64, (PLIES, MAX_MOVES)),
    ],
    align=True,
)
"""`table` is the address of the table, 0 if there is none; `pawn` is a noticeable difference in the game's evaluation, for
margins; `deepest` is the ply beyond which nothing is extended. `log` is the address of a log of the entries that are
written over, 0 if none is kept; it has room for `log_room` words. `promise[ply]` holds what each move of a node looks like.
"""

Aids = Any
TABLE_FIRST, GOOD, KILLER, LATE = 1 << 40, 1 << 36, 1 << 34, 1 << 32
"""What puts a move before all with a smaller one of these."""


def new_aids(table: Table | None) -> Aids:
    """A fresh record with every switch off."""
    aids = new_record(AIDS)
    if table is not None:
        aids.table, aids.table_mask, aids.generation = table.address, table.mask, table.generation & 7
    aids.killers[:] = NO_MOVE
    return aids


@helper
def look_at_moves(
    game: Rules, aids: Aids, state: State, legal: Any, count: int, known: int, ply: int, first_player: int
) -> None:
    """Write down how promising each move looks; `known` is the table's move."""
    if aids.ordering == NONE:
        return
    for i in range(count):
        move = legal[i]
        promise = worth(game, state, move)
        if promise >= LOUD:
            promise += GOOD
        elif promise >= 0 and aids.ordering >= KILLERS:
            if move == aids.killers[ply, 0]:
                promise = int64(KILLER + 1)
            elif move == aids.killers[ply, 1]:
                promise = int64(KILLER)
            else:
                promise += aids.history[first_player, move & (SQUARES - 1)]
        if aids.ordering == FULL and move == known:
            promise = int64(TABLE_FIRST)
        aids.promise[ply, i] = promise


@helper
def next_move(aids: Aids, legal: Any, i: int, count: int, ply: int) -> int:
    """Bring the most promising of the moves from the i-th on to the i-th place; of equal ones the first."""
    if aids.ordering == NONE:
        return legal[i]
    best = i
    for j in range(i + 1, count):
        if aids.promise[ply, j] > aids.promise[ply, best]:
            best = j
    move, promise = legal[best], aids.promise[ply, best]
    while best > i:  # the others keep their order
        legal[best], aids.promise[ply, best] = legal[best - 1], aids.promise[ply, best - 1]
        best -= 1
    legal[i], aids.promise[ply, i] = move, promise
    return move


@helper
def remember_good(aids: Aids, move: int, depth: int, ply: int, first_player: int) -> None:
    """A quiet move refuted a position: try it early in others."""
    if aids.killers[ply, 0] != move:
        aids.killers[ply, 1] = aids.killers[ply, 0]
        aids.killers[ply, 0] = move
    place = move & (SQUARES - 1)
    aids.history[first_player, place] += depth * depth
    if aids.history[first_player, place] > LATE:
        for i in range(SQUARES):
            aids.history[first_player, i] >>= 1

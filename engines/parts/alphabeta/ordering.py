"""The search context of the alpha-beta family, one record: its switches, and the killer moves and history that order moves.

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
"""Move ordering: as the game generates them; captures first; also killer moves and history; also the transposition table's
move."""
ORDERINGS = ("none", "captures", "killers", "full")
SQUARES = 4096
"""History is kept for the last 12 bits of a move: in board games, where from and where to."""

SEARCH_CONTEXT = np.dtype(
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

SearchContext = Any
TABLE_FIRST, GOOD, KILLER, HISTORY_LIMIT = 1 << 40, 1 << 36, 1 << 34, 1 << 32
"""Ordering scores of the table's move, of noisy moves and of killer moves; and the largest history score, past which all are
halved."""


def new_search_context(table: Table | None) -> SearchContext:
    """A fresh record with every switch off."""
    context = new_record(SEARCH_CONTEXT)
    if table is not None:
        context.table, context.table_mask, context.generation = table.address, table.mask, table.generation & 7
    context.killers[:] = NO_MOVE
    return context


@helper
def score_moves(
    game: Rules, context: SearchContext, state: State, legal: Any, count: int, known: int, ply: int, first_player: int
) -> None:
    """Write the ordering score of each move into `promise`; `known` is the transposition table's move."""
    if context.ordering == NONE:
        return
    for i in range(count):
        move = legal[i]
        promise = worth(game, state, move)
        if promise >= LOUD:
            promise += GOOD
        elif promise >= 0 and context.ordering >= KILLERS:
            if move == context.killers[ply, 0]:
                promise = int64(KILLER + 1)
            elif move == context.killers[ply, 1]:
                promise = int64(KILLER)
            else:
                promise += context.history[first_player, move & (SQUARES - 1)]
        if context.ordering == FULL and move == known:
            promise = int64(TABLE_FIRST)
        context.promise[ply, i] = promise


@helper
def next_move(context: SearchContext, legal: Any, i: int, count: int, ply: int) -> int:
    """One step of selection sort: bring the best-scored move from the i-th on to the i-th place; of equal ones the first."""
    if context.ordering == NONE:
        return legal[i]
    best = i
    for j in range(i + 1, count):
        if context.promise[ply, j] > context.promise[ply, best]:
            best = j
    move, promise = legal[best], context.promise[ply, best]
    while best > i:  # the others keep their order
        legal[best], context.promise[ply, best] = legal[best - 1], context.promise[ply, best - 1]
        best -= 1
    legal[i], context.promise[ply, i] = move, promise
    return move


@helper
def note_cutoff_move(context: SearchContext, move: int, depth: int, ply: int, first_player: int) -> None:
    """A quiet move caused a cutoff: make it a killer move and raise its history score."""
    if context.killers[ply, 0] != move:
        context.killers[ply, 1] = context.killers[ply, 0]
        context.killers[ply, 0] = move
    place = move & (SQUARES - 1)
    context.history[first_player, place] += depth * depth
    if context.history[first_player, place] > HISTORY_LIMIT:
        for i in range(SQUARES):
            context.history[first_player, i] >>= 1

"""The second evaluation: every man is worth what it is worth on its square, and that changes as men leave the board.

Two tables for each man, one for the middlegame and one for the endgame; between the two the value moves with the *phase*:
24 with all pieces on the board, 0 with none.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from engines.compiled.bits import EMPTY, ONE, lowest, popcount
from engines.compiled.kernel import helper, int64, routine
from engines.games.chess.state import Chess, Men, kings, white_moves
from engines.rules import evaluate, weigh_terms

TERMS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
FULL_PHASE = 24
MIRROR = 56
"""Exclusive-or with this turns a square upside down."""


@cache
def square_values() -> Any:
    """`[stage, man, square]`: what White's man is worth there; stage 0 is the middlegame, 1 the endgame."""
    source = resources.files("engines.games.chess") / "tapered.toml"
    rows = tomllib.loads(source.read_text(encoding="utf-8"))
    values = np.zeros((2, 6, 64), np.int64)
    for man, tables in enumerate(rows.values()):
        for stage, table in enumerate((tables["middlegame"], tables["endgame"])):
            for square in range(64):
                values[stage, man, square] = table["base"] + table["rows"][square // 8] + table["files"][square % 8]
    return values


@helper
def phase(state: Men) -> int:
    """How many pieces are left: a knight or bishop counts 1, a rook 2, a queen 4."""
    queens = state.diagonal & state.straight
    minors = popcount(state.knights) + popcount(state.diagonal ^ queens)
    return min(minors + 2 * popcount(state.straight ^ queens) + 4 * popcount(queens), FULL_PHASE)


@helper
def worth(game: Chess, men: Any, man: int, mirror: int, weight: int) -> int:
    """What men of one kind and side are worth, in hundredths of a pawn."""
    middle = end = int64(0)
    while men != EMPTY:
        square = lowest(men) ^ mirror
        middle += game.data.square_values[0, man, square]
        end += game.data.square_values[1, man, square]
        men &= men - ONE
    return (middle * weight + end * (FULL_PHASE - weight)) // FULL_PHASE


@helper
def tapered_terms(game: Chess, state: Men) -> Any:
    """What each kind of man is worth to White and to Black, from pawns to kings."""
    white, black, weight = state.white, state.black, phase(state)
    queens = state.diagonal & state.straight
    bishops, rooks, both = state.diagonal ^ queens, state.straight ^ queens, kings(state)
    return (
        worth(game, state.pawns & white, 0, 0, weight),
        worth(game, state.pawns & black, 0, MIRROR, weight),
        worth(game, state.knights & white, 1, 0, weight),
        worth(game, state.knights & black, 1, MIRROR, weight),
        worth(game, bishops & white, 2, 0, weight),
        worth(game, bishops & black, 2, MIRROR, weight),
        worth(game, rooks & white, 3, 0, weight),
        worth(game, rooks & black, 3, MIRROR, weight),
        worth(game, queens & white, 4, 0, weight),
        worth(game, queens & black, 4, MIRROR, weight),
        worth(game, both & white, 5, 0, weight),
        worth(game, both & black, 5, MIRROR, weight),
    )


@evaluate.register(Chess)
@routine
def judge(game: Chess, state: Men) -> int:
    """The evaluation that was chosen, for the side to move."""
    if not game.data.tapered:
        return weigh_terms(game, state)
    values, total = tapered_terms(game, state), int64(0)
    for i in range(6):
        total += values[2 * i] - values[2 * i + 1]
    return total if white_moves(state) else -total

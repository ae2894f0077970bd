"""Shannon's evaluation (1950): material, weak pawns, and mobility.

    f = 200(K-k) + 9(Q-q) + 5(R-r) + 3(B-b + N-n) + (P-p) - (D-d + S-s + I-i)/2 + (M-m)/10

D, S and I are doubled, blocked and isolated pawns, M is the number of legal moves; capitals are White's. The side that is
not to move has the moves it would have if it were, and none en passant. If it gives check they are counted all the same,
as if that king were any other man.
"""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import U, popcount
from engines.compiled.kernel import helper, routine
from engines.games.chess.movegen import count_moves
from engines.games.chess.state import NOT_A_FILE, NOT_H_FILE, Chess, Men, ahead, kings
from engines.rules import terms

TERMS = (
    "kings",
    "queens",
    "rooks",
    "bishops and knights",
    "pawns",
    "doubled pawns",
    "blocked pawns",
    "isolated pawns",
    "mobility",
)
WEIGHTS = "20000,900,500,300,100,-50,-50,-50,10"
"""In hundredths of a pawn."""


@terms.register(Chess)
@routine
def shannon_terms(game: Chess, state: Men) -> Any:
    """The counts of both sides."""
    white, black = state.white, state.black
    queens, minors = state.diagonal & state.straight, state.knights | (state.diagonal & ~state.straight)
    rooks = state.straight & ~state.diagonal
    white_pawns, black_pawns, occupied = state.pawns & white, state.pawns & black, white | black
    return (
        popcount(kings(state) & white),
        popcount(kings(state) & black),
        popcount(queens & white),
        popcount(queens & black),
        popcount(rooks & white),
        popcount(rooks & black),
        popcount(minors & white),
        popcount(minors & black),
        popcount(white_pawns),
        popcount(black_pawns),
        doubled(white_pawns, game.data.every_doubled),
        doubled(black_pawns, game.data.every_doubled),
        popcount(ahead(white_pawns, True) & occupied),
        popcount(ahead(black_pawns, False) & occupied),
        isolated(white_pawns),
        isolated(black_pawns),
        count_moves(game, state, True),
        count_moves(game, state, False),
    )


@helper
def fill_up(squares: Any) -> Any:
    """All squares of the same file from these on, up the board."""
    squares |= squares << U(8)
    squares |= squares << U(16)
    return squares | (squares << U(32))


@helper
def fill_down(squares: Any) -> Any:
    """All squares of the same file from these on, down the board."""
    squares |= squares >> U(8)
    squares |= squares >> U(16)
    return squares | (squares >> U(32))


@helper
def doubled(pawns: Any, every: int) -> int:
    """Pawns beyond the first on their file; or every pawn that shares its file with another."""
    shared = pawns & fill_up(pawns << U(8))
    if every:
        shared |= pawns & fill_down(pawns >> U(8))
    return popcount(shared)


@helper
def isolated(pawns: Any) -> int:
    """Pawns with no own pawn on a file beside theirs."""
    files = fill_up(fill_down(pawns))
    beside = ((files & NOT_A_FILE) >> U(1)) | ((files & NOT_H_FILE) << U(1))
    return popcount(pawns & ~beside)

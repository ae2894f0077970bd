"""Chess knowledge for searches: ordering scores, static exchange evaluation, checks, and when a null move is sound."""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import EMPTY, ONE, U, bit, lowest
from engines.compiled.kernel import helper, int64, routine
from engines.games.chess.attacks import diagonal_attacks, straight_attacks
from engines.games.chess.movegen import in_check
from engines.games.chess.state import (
    EN_PASSANT,
    HOME_ROWS,
    KING,
    PAWN,
    PLAIN,
    QUEEN,
    Chess,
    Men,
    clock,
    kind_of,
    kings,
    man_at,
    man_of,
    origin_of,
    plies,
    target_of,
    white_moves,
)
from engines.parts.proof.numbers import proof_key
from engines.rules import key, may_pass, mixed, move_code, passed, threatened, worth

VALUES = (100, 320, 330, 500, 950, 20_000)
"""Rough values of the men, from pawn to king, for exchanges."""
RISK = 10_000
"""What is added to a losing capture, so that it comes after all others."""


@key.register(Chess)
def own_key(game: Chess, state: Men) -> Any:
    """The Zobrist key that every position carries."""
    return state.key


@proof_key.register(Chess)
def key_and_clock(game: Chess, state: Men) -> Any:
    """The key for proof searches: near the fifty-move limit the clock is part of the position."""
    return state.key ^ mixed(U(clock(state) + 1))


@move_code.register(Chess)
def man_and_squares(game: Chess, state: Men, move: int) -> int:
    """Which man of which side goes from where to where. A pawn that becomes a knight has the code of one that becomes a
    queen."""
    return origin_of(move) | (target_of(move) << 6) | (man_of(move) << 12) | (int64(0) if white_moves(state) else 1 << 15)


@threatened.register(Chess)
def attacked(game: Chess, state: Men) -> bool:
    """Whether the side to move is in check."""
    return in_check(game, state)


@may_pass.register(Chess)
def has_pieces(game: Chess, state: Men) -> bool:
    """Whether a null move is sound: not in check, and with pieces on the board, so that zugzwang is rare."""
    mine = state.white if white_moves(state) else state.black
    return (state.knights | state.diagonal | state.straight) & mine != EMPTY and not in_check(game, state)


@passed.register(Chess)
def other_side(game: Chess, state: Men) -> Men:
    """The other side moves; nothing can be captured en passant."""
    newkey, passing = state.key ^ game.tables.turn_key, state.rights & ~HOME_ROWS
    if passing != EMPTY:
        newkey ^= game.tables.right_keys[lowest(passing)]
    time = ((plies(state) + 1) << 16) | (clock(state) + 1)
    return Men(
        state.white,
        state.black,
        state.pawns,
        state.knights,
        state.diagonal,
        state.straight,
        state.rights & HOME_ROWS,
        newkey,
        time,
    )


@worth.register(Chess)
@routine
def promise(game: Chess, state: Men, move: int) -> int:
    """The ordering score: a capture is worth the man taken, a promotion the man won; one that loses the static exchange
    scores below 0."""
    theirs = state.black if white_moves(state) else state.white
    kind, target = kind_of(move), target_of(move)
    gain = int64(0)
    if kind == EN_PASSANT:
        return int64(VALUES[PAWN])
    if kind <= QUEEN and theirs & bit(target) != EMPTY:
        gain = int64(VALUES[man_at(state, bit(target))])
    if PLAIN < kind < EN_PASSANT:
        return gain + VALUES[kind] - VALUES[PAWN] if kind == QUEEN else int64(-RISK)
    if gain == 0:
        return int64(0)
    man = man_of(move)
    if VALUES[man] > gain and man != KING and not pays(game, state, origin_of(move), target, man, gain):
        return gain - VALUES[man] - RISK
    return gain * 8 - VALUES[man] // 100


@helper
def least(state: Men, men: Any) -> int:
    """The cheapest kind of man among some."""
    if men & state.pawns != EMPTY:
        return int64(0)
    if men & state.knights != EMPTY:
        return int64(1)
    bishops = state.diagonal & ~state.straight
    if men & bishops != EMPTY:
        return int64(2)
    rooks = state.straight & ~state.diagonal
    if men & rooks != EMPTY:
        return int64(3)
    return int64(4) if men & state.diagonal != EMPTY else int64(5)


@helper
def of_kind(state: Men, man: int) -> Any:
    """All men of a kind, both sides'."""
    if man == 0:
        return state.pawns
    if man == 1:
        return state.knights
    if man == 2:
        return state.diagonal & ~state.straight
    if man == 3:
        return state.straight & ~state.diagonal
    return state.diagonal & state.straight if man == 4 else kings(state)


@helper
def pays(game: Chess, state: Men, origin: int, target: int, man: int, gain: int) -> bool:
    """Static exchange evaluation: whether capturing on a square wins something or loses nothing, if both sides go on
    capturing there as long as it pays, the cheapest man first. `stake` is what the next side to capture would have to win
    back to come out ahead."""
    t = game.tables
    stake = VALUES[man] - gain
    if stake <= 0:
        return True  # even if the man is lost
    occupied = (state.white | state.black) ^ bit(origin)
    around = (t.knight[target] & state.knights) | (t.king[target] & kings(state))
    around |= ((t.black_pawn[target] & state.white) | (t.white_pawn[target] & state.black)) & state.pawns
    white, fine = white_moves(state), True
    while True:
        white = not white
        side = state.white if white else state.black
        sliders = straight_attacks(game, target, occupied) & state.straight  # anew: men behind others join in
        sliders |= diagonal_attacks(game, target, occupied) & state.diagonal
        attackers = (around | sliders) & occupied
        takers = attackers & side
        if takers == EMPTY:
            return fine
        fine = not fine
        taker = least(state, takers)
        if taker == KING:  # it cannot take what is guarded
            return not fine if attackers & ~side != EMPTY else fine
        stake = VALUES[taker] - stake
        if stake < int64(fine):
            return fine
        one = takers & of_kind(state, taker)
        occupied ^= one & ~(one - ONE)

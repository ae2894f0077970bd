"""Playing a move: the position behind it, and its key, from the position before."""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import EMPTY, ONE, bit, lowest
from engines.compiled.kernel import helper, routine
from engines.games.chess.attacks import pawn_attacks, sliders_to
from engines.games.chess.state import (
    BISHOP,
    CASTLING,
    DOUBLE_STEP,
    EN_PASSANT,
    FIRST_ROW,
    HOME_ROWS,
    KING,
    KNIGHT,
    LAST_ROW,
    PAWN,
    PLAIN,
    QUEEN,
    ROOK,
    Chess,
    Men,
    castled_king,
    castled_rook,
    clock,
    kind_of,
    king_square,
    man_at,
    man_of,
    origin_of,
    plies,
    target_of,
    white_moves,
)
from engines.rules import play

OTHER_SIDE = 6
"""Black's keys come so many rows after White's."""


@play.register(Chess)
@routine
def after(game: Chess, state: Men, move: int) -> Men:
    """The position after a legal move."""
    if kind_of(move) == CASTLING:
        return castled(game, state, origin_of(move), target_of(move))
    keys, white = game.tables.man_keys, white_moves(state)
    origin, target, kind, man = origin_of(move), target_of(move), kind_of(move), man_of(move)
    here, there = bit(origin), bit(target)
    mine, theirs = (state.white, state.black) if white else (state.black, state.white)
    pawns, knights, diagonal, straight = state.pawns, state.knights, state.diagonal, state.straight
    us, them = (0, OTHER_SIDE) if white else (OTHER_SIDE, 0)
    key = state.key ^ game.tables.turn_key ^ keys[us + man, origin]

    # Step 1: what is taken leaves the board.
    quiet_plies = clock(state) + 1 if man != PAWN else 0
    taken = there
    if kind == EN_PASSANT:
        taken = bit(target - 8 if white else target + 8)
    if theirs & taken != EMPTY:
        quiet_plies = 0
        key ^= keys[them + man_at(state, taken), lowest(taken)]
        theirs ^= taken
        pawns, knights, diagonal, straight = pawns & ~taken, knights & ~taken, diagonal & ~taken, straight & ~taken

    # Step 2: the man leaves its square and comes to another, as itself or as what it is promoted to.
    pawns, knights, diagonal, straight = pawns & ~here, knights & ~here, diagonal & ~here, straight & ~here
    mine = (mine ^ here) | there
    if PLAIN < kind < EN_PASSANT:
        man = kind
    key ^= keys[us + man, target]
    if man == PAWN:
        pawns |= there
    if man == KNIGHT:
        knights |= there
    if man in (BISHOP, QUEEN):
        diagonal |= there
    if man in (ROOK, QUEEN):
        straight |= there

    # Step 3: rights get lost, and a double step may give one.
    rights = state.rights & HOME_ROWS & ~(here | there)
    if man == KING:
        rights &= ~(FIRST_ROW if white else LAST_ROW)
    both = (mine, theirs) if white else (theirs, mine)
    time = ((plies(state) + 1) << 16) | quiet_plies
    made = Men(both[0], both[1], pawns, knights, diagonal, straight, rights, key, time)
    if kind == DOUBLE_STEP:
        rights |= passed_square(game, made, (origin + target) >> 1, target)
    changed = state.rights ^ rights
    while changed != EMPTY:
        key ^= game.tables.right_keys[lowest(changed)]
        changed &= changed - ONE
    return Men(both[0], both[1], pawns, knights, diagonal, straight, rights, key, time)


@helper
def passed_square(game: Chess, state: Men, square: int, pawn: int) -> Any:
    """The square a pawn has just passed over, if the side to move can legally take it there; else empty."""
    white = white_moves(state)
    mine, theirs = (state.white, state.black) if white else (state.black, state.white)
    takers = pawn_attacks(game, square, not white) & state.pawns & mine
    while takers != EMPTY:
        taker = takers & ~(takers - ONE)
        occupied = ((state.white | state.black) ^ taker ^ bit(pawn)) | bit(square)
        if sliders_to(game, state, king_square(state, mine), occupied) & theirs == EMPTY:
            return bit(square)
        takers ^= taker
    return EMPTY


@helper
def castled(game: Chess, state: Men, king: int, rook: int) -> Men:
    """The position after castling with a rook."""
    keys, white = game.tables.man_keys, white_moves(state)
    us = 0 if white else OTHER_SIDE
    king_to, rook_to = castled_king(king, rook), castled_rook(king, rook)
    gone, come = bit(king) | bit(rook), bit(king_to) | bit(rook_to)
    key = state.key ^ game.tables.turn_key
    key ^= keys[us + KING, king] ^ keys[us + KING, king_to] ^ keys[us + ROOK, rook] ^ keys[us + ROOK, rook_to]
    rights = state.rights & HOME_ROWS & ~(FIRST_ROW if white else LAST_ROW)
    changed = state.rights ^ rights
    while changed != EMPTY:
        key ^= game.tables.right_keys[lowest(changed)]
        changed &= changed - ONE
    straight = (state.straight & ~bit(rook)) | bit(rook_to)
    time = ((plies(state) + 1) << 16) | (clock(state) + 1)
    light, dark = state.white, state.black
    if white:
        light = (light & ~gone) | come
    else:
        dark = (dark & ~gone) | come
    return Men(light, dark, state.pawns, state.knights, state.diagonal, straight, rights, key, time)


def whole_key(game: Chess, state: Men) -> Any:
    """The Zobrist key of a position, computed from scratch."""
    key = EMPTY if white_moves(state) else game.tables.turn_key
    for square in range(64):
        for side, offset in ((state.white, 0), (state.black, OTHER_SIDE)):
            if side & bit(square):
                key ^= game.tables.man_keys[offset + man_at(state, bit(square)), square]
        if state.rights & bit(square):
            key ^= game.tables.right_keys[square]
    return key

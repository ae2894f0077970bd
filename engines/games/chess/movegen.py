"""Legal moves of chess: generated, counted, and whether there is one at all.

All three begin with the same look at the king: who gives check, which own men are pinned. From then on every move written
down is legal, and nothing has to be tried and taken back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.compiled.bits import EMPTY, ONE, bit, board, lowest, popcount
from engines.compiled.kernel import helper, int64, routine
from engines.games.chess.attacks import (
    attackers,
    diagonal_attacks,
    pawn_attacks,
    sliders_to,
    straight_attacks,
)
from engines.games.chess.state import (
    BISHOP,
    CASTLING,
    DOUBLE_STEP,
    EN_PASSANT,
    HOME_ROWS,
    KING,
    KNIGHT,
    PAWN,
    PLAIN,
    QUEEN,
    ROOK,
    Chess,
    Men,
    ahead,
    ahead_left,
    ahead_right,
    castled_king,
    castled_rook,
    has,
    king_square,
    move_of,
    white_moves,
)
from engines.rules import captures, count_successors, moves, successors

ANYWHERE = ~EMPTY
WHITE_DOUBLE, BLACK_DOUBLE = board(range(16, 24)), board(range(40, 48))
"""Where a pawn stands between the two steps of a double step."""


class View(NamedTuple):
    """The board from one side's point of view: checkers, pinned men, and where men may go."""

    white: bool
    mine: Any
    theirs: Any
    occupied: Any
    king: int
    checkers: Any
    pinned: Any
    """Own men that may only move on the line through them and the king."""
    allowed: Any
    """Where men other than the king may go: anywhere; if in check, only where that ends it."""


@helper
def view(game: Chess, state: Men, white: bool) -> View:
    """Look at the king of one side: who attacks it, and what shields it."""
    mine, theirs = (state.white, state.black) if white else (state.black, state.white)
    occupied = mine | theirs
    king = king_square(state, mine)
    checkers = game.tables.knight[king] & state.knights & theirs
    checkers |= pawn_attacks(game, king, white) & state.pawns & theirs
    pinned = EMPTY
    snipers = sliders_to(game, state, king, theirs) & theirs  # own men do not block here: this finds pins
    while snipers != EMPTY:
        sniper = lowest(snipers)
        shield = game.tables.between[king, sniper] & mine
        if shield == EMPTY:
            checkers |= bit(sniper)
        elif shield & (shield - ONE) == EMPTY:
            pinned |= shield
        snipers &= snipers - ONE
    allowed = ~mine
    if checkers != EMPTY:
        allowed = checkers | game.tables.between[king, lowest(checkers)]
        if checkers & (checkers - ONE) != EMPTY:
            allowed = EMPTY  # of two checks only the king can get out
    return View(white, mine, theirs, occupied, king, checkers, pinned, allowed)


@helper
def king_targets(game: Chess, state: Men, v: View) -> Any:
    """Where the king can go without castling."""
    enemy_pawns = state.pawns & v.theirs
    targets = game.tables.king[v.king] & ~v.mine
    targets &= ~(ahead_left(enemy_pawns, not v.white) | ahead_right(enemy_pawns, not v.white))
    targets &= ~game.tables.king[king_square(state, v.theirs)]
    safe, seen_through = EMPTY, v.occupied ^ bit(v.king)
    while targets != EMPTY:
        target = lowest(targets)
        near = game.tables.knight[target] & state.knights
        if (near | sliders_to(game, state, target, seen_through)) & v.theirs == EMPTY:
            safe |= bit(target)
        targets &= targets - ONE
    return safe


@helper
def in_passing(game: Chess, state: Men, v: View) -> Any:
    """The own pawns that can capture en passant."""
    square = lowest(state.rights & ~HOME_ROWS)
    taken = bit(square - 8 if v.white else square + 8)
    takers, found = pawn_attacks(game, square, not v.white) & state.pawns & v.mine, EMPTY
    while takers != EMPTY:
        taker = takers & ~(takers - ONE)
        after = (v.occupied ^ taker ^ taken) | bit(square)
        if sliders_to(game, state, v.king, after) & v.theirs == EMPTY:
            found |= taker
        takers ^= taker
    return found


@helper
def castling_rooks(game: Chess, state: Men, v: View) -> Any:
    """The rooks that the king, not in check, can castle with."""
    rooks, found = state.rights & HOME_ROWS & v.mine, EMPTY
    while rooks != EMPTY:
        rook = lowest(rooks)
        king_to, rook_to = castled_king(v.king, rook), castled_rook(v.king, rook)
        moving = bit(v.king) | bit(rook)
        walk = game.tables.between[v.king, king_to] | bit(king_to)
        way = walk | game.tables.between[rook, rook_to] | bit(rook_to)
        if way & v.occupied & ~moving == EMPTY:
            attacked = EMPTY
            after = (v.occupied ^ moving) | bit(rook_to)
            attacked |= attackers(game, state, king_to, after, not v.white)
            while walk != EMPTY:
                attacked |= attackers(game, state, lowest(walk), v.occupied ^ bit(v.king), not v.white)
                walk &= walk - ONE
            if attacked == EMPTY:
                found |= bit(rook)
        rooks &= rooks - ONE
    return found


@helper
def double_row(white: bool) -> Any:
    """The row that a pawn crosses in a double step."""
    return WHITE_DOUBLE if white else BLACK_DOUBLE


# Writing moves.


@helper
def write_targets(man: int, origin: int, targets: Any, out: Any, count: int) -> int:
    """The moves of one man."""
    while targets != EMPTY:
        out[count] = move_of(man, origin, lowest(targets), PLAIN)
        targets &= targets - ONE
        count += 1
    return count


@helper
def write_steps(targets: Any, step: int, kind: int, out: Any, count: int) -> int:
    """The moves of all pawns that make the same step, promotions last and to the queen first."""
    plain, last = targets & ~HOME_ROWS, targets & HOME_ROWS
    while plain != EMPTY:
        target = lowest(plain)
        out[count] = move_of(PAWN, target - step, target, kind)
        plain &= plain - ONE
        count += 1
    while last != EMPTY:
        target = lowest(last)
        for i in range(4):
            out[count + i] = move_of(PAWN, target - step, target, QUEEN - i)
        last &= last - ONE
        count += 4
    return count


@helper
def write_men(game: Chess, state: Men, v: View, wanted: Any, out: Any, count: int) -> int:
    """The moves of knights, bishops, rooks and queens to the squares wanted."""
    movers = state.knights & v.mine & ~v.pinned
    while movers != EMPTY:
        origin = lowest(movers)
        count = write_targets(KNIGHT, origin, game.tables.knight[origin] & wanted, out, count)
        movers &= movers - ONE
    movers = state.diagonal & ~state.straight & v.mine
    while movers != EMPTY:
        origin = lowest(movers)
        targets = diagonal_attacks(game, origin, v.occupied) & wanted
        if has(v.pinned, origin):
            targets &= game.tables.line[v.king, origin]
        count = write_targets(BISHOP, origin, targets, out, count)
        movers &= movers - ONE
    movers = state.straight & v.mine
    while movers != EMPTY:
        origin = lowest(movers)
        targets, man = straight_attacks(game, origin, v.occupied), ROOK
        if has(state.diagonal, origin):
            targets |= diagonal_attacks(game, origin, v.occupied)
            man = QUEEN
        if has(v.pinned, origin):
            targets &= game.tables.line[v.king, origin]
        count = write_targets(man, origin, targets & wanted, out, count)
        movers &= movers - ONE
    return count


@helper
def write_pawns(game: Chess, state: Men, v: View, noisy: bool, out: Any, count: int) -> int:
    """The moves of pawns: those that take or promote, or all others. Pinned ones are shown the way one by one."""
    up = 8 if v.white else -8
    pawns, pinned = state.pawns & v.mine & ~v.pinned, state.pawns & v.mine & v.pinned
    empty = ~v.occupied
    while True:
        line = ANYWHERE
        if pawns == EMPTY:
            if pinned == EMPTY:
                return count
            pawns = pinned & ~(pinned - ONE)
            pinned ^= pawns
            line = game.tables.line[v.king, lowest(pawns)]
        line &= v.allowed
        one = ahead(pawns, v.white) & empty
        if noisy:
            count = write_steps(ahead_left(pawns, v.white) & v.theirs & line, up - 1, PLAIN, out, count)
            count = write_steps(ahead_right(pawns, v.white) & v.theirs & line, up + 1, PLAIN, out, count)
            count = write_steps(one & line & HOME_ROWS, up, PLAIN, out, count)
        else:
            two = ahead(one & double_row(v.white), v.white) & empty
            count = write_steps(one & line & ~HOME_ROWS, up, PLAIN, out, count)
            count = write_steps(two & line, up + up, DOUBLE_STEP, out, count)
        pawns = EMPTY


@helper
def write_noisy(game: Chess, state: Men, v: View, out: Any) -> int:
    """Captures and promotions, cheap men first."""
    count = int64(0)
    if v.allowed != EMPTY:
        if state.rights & ~HOME_ROWS != EMPTY:
            takers, square = in_passing(game, state, v), lowest(state.rights & ~HOME_ROWS)
            while takers != EMPTY:
                out[count] = move_of(PAWN, lowest(takers), square, EN_PASSANT)
                takers &= takers - ONE
                count += 1
        count = write_pawns(game, state, v, True, out, count)
        count = write_men(game, state, v, v.theirs & v.allowed, out, count)
    return count


@captures.register(Chess)
@routine
def noisy_moves(game: Chess, state: Men, out: Any) -> int:
    """Legal captures and promotions."""
    v = view(game, state, white_moves(state))
    count = write_noisy(game, state, v, out)
    return write_targets(KING, v.king, king_targets(game, state, v) & v.theirs, out, count)


@moves.register(Chess)
@routine
def legal_moves(game: Chess, state: Men, out: Any) -> int:
    """Captures and promotions, then castling, then all others."""
    v = view(game, state, white_moves(state))
    count = write_noisy(game, state, v, out)
    king_goes = king_targets(game, state, v)
    count = write_targets(KING, v.king, king_goes & v.theirs, out, count)
    if v.allowed != EMPTY:
        if v.checkers == EMPTY and state.rights & HOME_ROWS & v.mine != EMPTY:
            rooks = castling_rooks(game, state, v)
            while rooks != EMPTY:
                out[count] = move_of(KING, v.king, lowest(rooks), CASTLING)
                rooks &= rooks - ONE
                count += 1
        count = write_men(game, state, v, v.allowed & ~v.occupied, out, count)
        count = write_pawns(game, state, v, False, out, count)
    return write_targets(KING, v.king, king_goes & ~v.occupied, out, count)


successors.register(Chess)(legal_moves)  # draws by claim do not keep anybody from moving


# Counting moves.


@helper
def count_pawn_moves(state: Men, v: View, pawns: Any, line: Any) -> int:
    """How many moves some pawns have to the squares of `line`; a promotion is four."""
    one = ahead(pawns, v.white) & ~v.occupied
    two = ahead(one & double_row(v.white), v.white) & ~v.occupied & line
    one &= line
    left, right = ahead_left(pawns, v.white) & v.theirs & line, ahead_right(pawns, v.white) & v.theirs & line
    count = popcount(one) + popcount(two) + popcount(left) + popcount(right)
    if (one | left | right) & HOME_ROWS != EMPTY:
        count += 3 * (popcount(one & HOME_ROWS) + popcount(left & HOME_ROWS) + popcount(right & HOME_ROWS))
    return count


@helper
def count_moves(game: Chess, state: Men, white: bool) -> int:
    """How many legal moves a side has if it is its turn. Only the side whose turn it is captures en passant."""
    v = view(game, state, white)
    count = popcount(king_targets(game, state, v))
    if v.allowed == EMPTY:
        return count
    free = v.mine & ~v.pinned
    movers = state.knights & free
    while movers != EMPTY:
        count += popcount(game.tables.knight[lowest(movers)] & v.allowed)
        movers &= movers - ONE
    movers = state.diagonal & free
    while movers != EMPTY:
        count += popcount(diagonal_attacks(game, lowest(movers), v.occupied) & v.allowed)
        movers &= movers - ONE
    movers = state.straight & free
    while movers != EMPTY:
        count += popcount(straight_attacks(game, lowest(movers), v.occupied) & v.allowed)
        movers &= movers - ONE
    count += count_pawn_moves(state, v, state.pawns & free, v.allowed)
    movers = v.pinned & ~state.knights
    while movers != EMPTY:
        origin = lowest(movers)
        line = game.tables.line[v.king, origin] & v.allowed
        if has(state.pawns, origin):
            count += count_pawn_moves(state, v, bit(origin), line)
        if has(state.diagonal, origin):
            count += popcount(diagonal_attacks(game, origin, v.occupied) & line)
        if has(state.straight, origin):
            count += popcount(straight_attacks(game, origin, v.occupied) & line)
        movers &= movers - ONE
    if state.rights != EMPTY:
        if state.rights & ~HOME_ROWS != EMPTY and white == white_moves(state):
            count += popcount(in_passing(game, state, v))
        if v.checkers == EMPTY and state.rights & HOME_ROWS & v.mine != EMPTY:
            count += popcount(castling_rooks(game, state, v))
    return count


@count_successors.register(Chess)
@routine
def count_legal(game: Chess, state: Men, scratch: Any) -> int:
    """How many legal moves the side to move has."""
    return count_moves(game, state, white_moves(state))


@helper
def can_move(game: Chess, state: Men, v: View) -> bool:
    """The side has a legal move. What most positions have is looked for first."""
    free = v.mine & ~v.pinned
    if v.allowed != EMPTY:
        one = ahead(state.pawns & free, v.white) & ~v.occupied
        if one & v.allowed != EMPTY:
            return True
        movers = state.knights & free
        while movers != EMPTY:
            if game.tables.knight[lowest(movers)] & v.allowed != EMPTY:
                return True
            movers &= movers - ONE
    if king_targets(game, state, v) != EMPTY:
        return True
    return v.allowed != EMPTY and count_moves(game, state, v.white) > 0


@helper
def in_check(game: Chess, state: Men) -> bool:
    """The side to move is in check."""
    white = white_moves(state)
    mine = state.white if white else state.black
    return attackers(game, state, king_square(state, mine), state.white | state.black, not white) != EMPTY

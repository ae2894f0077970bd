"""The rules of Breakthrough as the kernels see them: moves, results, keys, and the terms of the evaluation.

A state is two bitboards and the side to move. Square `row * 8 + column` is the same on every board size, rows counted from
White's side. A move is `from * 64 + to`. White is the first player and starts on the two bottom rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.compiled.bits import EMPTY, ONE, U, bit, board, lowest, nth, popcount
from engines.compiled.kernel import helper, int64
from engines.games.breakthrough.index import in_blocks
from engines.parts.proof.numbers import proof_key
from engines.parts.sampling.playout import drawn
from engines.rules import (
    LOUD,
    ONGOING,
    WIN,
    captures,
    key,
    mixed,
    move_code,
    moves,
    play,
    result,
    terms,
    threatened,
    turn,
    worth,
)
from engines.run.work import Work, scaled

LEFT_EDGE = board(range(0, 64, 8))

RIGHT_EDGE = board(range(7, 64, 8))

ROW = U(8)

ODD_COLUMNS, ODD_PAIRS, LEFT_HALF = U(0x5555555555555555), U(0x3333333333333333), U(0x0F0F0F0F0F0F0F0F)


class Breakthrough(NamedTuple):
    """`squares`: the board; `white_goal`, `black_goal`: the row each side wants to reach; `rows`: how many there are;
    `unused`: how many columns of eight are not on the board; `misere`: 1 if reaching the goal loses; `weights` of the
    evaluation's terms; `tables`: where a table of solved positions is."""

    data: Any


class Pawns(NamedTuple):
    """Where the pawns are, and whose turn it is: 1 for White, -1 for Black."""

    white: Any
    black: Any
    turn: int


@turn.register(Breakthrough)
def side(game: Breakthrough, state: Pawns) -> int:
    """White is the first player."""
    return state.turn


@play.register(Breakthrough)
def step(game: Breakthrough, state: Pawns, move: int) -> Pawns:
    """The pawn moves, and what stood on its square is gone."""
    here, there = bit(move >> 6), bit(move & 63)
    if state.turn > 0:
        return Pawns((state.white ^ here) | there, state.black & ~there, -1)
    return Pawns(state.white & ~there, (state.black ^ here) | there, 1)


@key.register(Breakthrough)
def pawns_key(game: Breakthrough, state: Pawns) -> Any:
    """Where the pawns are, and whose turn it is."""
    spread = mixed(state.white ^ mixed(state.black))
    return spread if state.turn > 0 else ~spread


@proof_key.register(Breakthrough)
def key_or_mirrored(game: Breakthrough, state: Pawns) -> Any:
    """The smaller of the keys of the position and of its mirror image, which is worth the same."""
    image = Pawns(mirrored(game, state.white), mirrored(game, state.black), state.turn)
    return min(key(game, state), key(game, image))


@helper
def mirrored(game: Breakthrough, pawns: Any) -> Any:
    """Pawns with the columns in reverse order: single columns change places, then pairs, then fours."""
    pawns = ((pawns >> ONE) & ODD_COLUMNS) | ((pawns & ODD_COLUMNS) << ONE)
    pawns = ((pawns >> U(2)) & ODD_PAIRS) | ((pawns & ODD_PAIRS) << U(2))
    pawns = ((pawns >> U(4)) & LEFT_HALF) | ((pawns & LEFT_HALF) << U(4))
    return pawns >> game.data.unused


@result.register(Breakthrough)
def broken_through(game: Breakthrough, state: Pawns) -> int:
    """The side to move has lost if the other reached its goal or left it no pawn (in misère: has won); or what a table of
    solved positions knows."""
    if state.turn > 0:
        lost = (state.black & game.data.black_goal) != EMPTY or state.white == EMPTY
    else:
        lost = (state.white & game.data.white_goal) != EMPTY or state.black == EMPTY
    if not lost:
        if game.data.tables != 0:
            return in_blocks(game.data.tables, state.white, state.black, state.turn)
        return int64(ONGOING)
    return int64(WIN) if game.data.misere else int64(-WIN)


@helper
def write_steps(targets: Any, step: int, out: Any, count: int) -> int:
    """Write the moves that end on `targets` after a step of so many squares, behind the first `count` moves."""
    while targets != EMPTY:
        to = lowest(targets)
        targets &= targets - ONE
        out[count] = (to - step) * 64 + to
        count += 1
    return count


@helper
def up_left(pawns: Any) -> Any:
    """Where White's pawns capture to the left."""
    return (pawns & ~LEFT_EDGE) << U(7)


@helper
def up_right(pawns: Any) -> Any:
    """Where White's pawns capture to the right."""
    return (pawns & ~RIGHT_EDGE) << U(9)


@helper
def down_left(pawns: Any) -> Any:
    """Where Black's pawns capture, seen from White to the left."""
    return (pawns & ~LEFT_EDGE) >> U(9)


@helper
def down_right(pawns: Any) -> Any:
    """Where Black's pawns capture, seen from White to the right."""
    return (pawns & ~RIGHT_EDGE) >> U(7)


@helper
def cone_up(pawns: Any, squares: Any) -> Any:
    """Every square that one of the pawns could come to by steps up the board."""
    reached, front = EMPTY, pawns
    while front != EMPTY:
        front = ((front << ROW) | up_left(front) | up_right(front)) & squares
        reached |= front
    return reached


@helper
def cone_down(pawns: Any, squares: Any) -> Any:
    """Every square that one of the pawns could come to by steps down the board."""
    reached, front = EMPTY, pawns
    while front != EMPTY:
        front = ((front >> ROW) | down_left(front) | down_right(front)) & squares
        reached |= front
    return reached


@helper
def rows_gone(pawns: Any, rows: int, upwards: bool) -> int:
    """How many rows the pawns have come from their own side, all together."""
    total = int64(0)
    for row in range(rows):
        steps_gone = row if upwards else rows - 1 - row
        total += steps_gone * popcount(pawns & (U(0xFF) << (U(row) * ROW)))
    return total


@moves.register(Breakthrough)
def steps(game: Breakthrough, state: Pawns, out: Any) -> int:
    """Straight steps, then those to the left, then those to the right; each from White's side of the board up."""
    empty = game.data.squares & ~(state.white | state.black)
    if state.turn > 0:
        targets = game.data.squares & ~state.white
        count = write_steps((state.white << ROW) & empty, 8, out, 0)
        count = write_steps(up_left(state.white) & targets, 7, out, count)
        return write_steps(up_right(state.white) & targets, 9, out, count)
    targets = game.data.squares & ~state.black
    count = write_steps((state.black >> ROW) & empty, -8, out, 0)
    count = write_steps(down_left(state.black) & targets, -9, out, count)
    return write_steps(down_right(state.black) & targets, -7, out, count)


@captures.register(Breakthrough)
def takes(game: Breakthrough, state: Pawns, out: Any) -> int:
    """Captures, and steps onto the last row."""
    if state.turn > 0:
        home = game.data.white_goal & ~(state.white | state.black)
        count = write_steps((state.white << ROW) & home, 8, out, 0)
        count = write_steps(up_left(state.white) & (state.black | home), 7, out, count)
        return write_steps(up_right(state.white) & (state.black | home), 9, out, count)
    home = game.data.black_goal & ~(state.white | state.black)
    count = write_steps((state.black >> ROW) & home, -8, out, 0)
    count = write_steps(down_left(state.black) & (state.white | home), -9, out, count)
    return write_steps(down_right(state.black) & (state.white | home), -7, out, count)


@worth.register(Breakthrough)
def promise(game: Breakthrough, state: Pawns, move: int) -> int:
    """Reaching the last row, then captures, those of the furthest pawns first."""
    there = bit(move & 63)
    row = (move & 63) >> 3
    if state.turn > 0:
        if there & game.data.white_goal != EMPTY:
            return int64(-1000) if game.data.misere else int64(1000)
        return LOUD + game.data.rows - row if there & state.black != EMPTY else int64(0)
    if there & game.data.black_goal != EMPTY:
        return int64(-1000) if game.data.misere else int64(1000)
    return LOUD + row if there & state.white != EMPTY else int64(0)


@threatened.register(Breakthrough)
def one_step_away(game: Breakthrough, state: Pawns) -> bool:
    """The other side's pawn will be on its last row with the next step, unless it is taken. In misère that is no threat."""
    if game.data.misere:
        return False
    if state.turn > 0:
        return state.black & (game.data.black_goal << ROW) != EMPTY
    return state.white & (game.data.white_goal >> ROW) != EMPTY


@drawn.register(Breakthrough)
def drawn_step(game: Breakthrough, work: Work, state: Pawns, bits: Any) -> int:
    """Count the steps of each kind, choose a number, and find the step that has it."""
    empty = game.data.squares & ~(state.white | state.black)
    if state.turn > 0:
        targets = game.data.squares & ~state.white
        straight, left, right = (
            (state.white << ROW) & empty,
            up_left(state.white) & targets,
            up_right(state.white) & targets,
        )
    else:
        targets = game.data.squares & ~state.black
        straight, left, right = (
            (state.black >> ROW) & empty,
            down_left(state.black) & targets,
            down_right(state.black) & targets,
        )
    straights, lefts = popcount(straight), popcount(left)
    n = scaled(bits, straights + lefts + popcount(right))
    if n < straights:
        to, step = nth(straight, n), 8
    elif n < straights + lefts:
        to, step = nth(left, n - straights), 8 - state.turn
    else:
        to, step = nth(right, n - straights - lefts), 8 + state.turn
    return (to - step * state.turn) * 64 + to


@move_code.register(Breakthrough)
def from_and_to(game: Breakthrough, state: Pawns, move: int) -> int:
    """The move itself: where it goes tells whose it is."""
    return move


@terms.register(Breakthrough)
def pawn_terms(game: Breakthrough, state: Pawns) -> Any:
    """The evaluation terms: pawns; rows they have advanced; pawns an own pawn guards; pawns on the home row; pawns that no
    enemy pawn can meet any more; and moves."""
    white, black, squares = state.white, state.black, game.data.squares
    empty = squares & ~(white | black)
    white_moves = popcount((white << ROW) & empty) + popcount(up_left(white) & squares & ~white)
    white_moves += popcount(up_right(white) & squares & ~white)
    black_moves = popcount((black >> ROW) & empty) + popcount(down_left(black) & squares & ~black)
    black_moves += popcount(down_right(black) & squares & ~black)
    return (
        popcount(white),
        popcount(black),
        rows_gone(white, game.data.rows, True),
        rows_gone(black, game.data.rows, False),
        popcount(white & (up_left(white) | up_right(white))),
        popcount(black & (down_left(black) | down_right(black))),
        popcount(white & game.data.black_goal),
        popcount(black & game.data.white_goal),
        popcount(white & ~cone_down(black, squares)),
        popcount(black & ~cone_up(white, squares)),
        white_moves,
        black_moves,
    )

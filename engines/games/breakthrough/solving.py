"""What Breakthrough knows of its own values: pawns that must be captured, and pawns that nobody can stop any more.

A solver sees the board from the side to move, whose pawns go up; after each move it is turned round. A win with the n-th
move from now on is worth 128 less n, to the loser as much below 0. There are no draws.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engines.compiled.bits import EMPTY, ONE, U, bit, board, highest, lowest, popcount, upside_down
from engines.compiled.kernel import helper, int64
from engines.parts.proof.numbers import foreseen
from engines.parts.solving.questions import (
    SideBoards,
    after,
    extent,
    is_kept,
    known,
    looks_ahead,
    move_value,
    number,
    played,
    plies,
    question,
    question_behind,
    seen,
    sensible,
    tries,
    wins_at_once,
)
from engines.rules import State, packed

NOW = 128
"""What a win here and now would be worth."""
LEFT_EDGE = board(range(0, 64, 8))
RIGHT_EDGE = board(range(7, 64, 8))
ROW = U(8)
MOST_SQUARES = 40
"""On boards of at most this size a position's number has a digit (0, 1 or 2) for each square: 3^40 is less than 2^64."""
MOST_PAWNS = 10
"""On larger boards it has six bits for each pawn, so only positions with few pawns have one."""
PER_PROMISE = 1 << 12


class Runners(NamedTuple):
    """`squares`: the board; `rows`: how many it has; `before_goal`: the last row but one; `turning`: how far a board turned
    round has to be shifted back; `small`: whether every position has a number; `data`: the digits of rows of pawns."""

    squares: Any
    rows: int
    before_goal: Any
    turning: Any
    small: bool
    data: Any


def runners(rows: int, columns: int) -> Runners:
    """What is known on a board of this size."""
    small = rows * columns <= MOST_SQUARES
    digits = np.zeros((8, 256), np.uint64)
    mirrored = np.zeros((8, 256), np.uint64)
    for row in range(rows if small else 0):
        for pawns in range(2**columns):
            there = [column for column in range(columns) if pawns >> column & 1]
            digits[row, pawns] = sum(3 ** (row * columns + column) for column in there)
            mirrored[row, pawns] = sum(3 ** (row * columns + columns - 1 - column) for column in there)
    return Runners(
        squares=board(row * 8 + column for row in range(rows) for column in range(columns)),
        rows=rows,
        before_goal=board((rows - 2) * 8 + column for column in range(columns)),
        turning=U(64 - 8 * rows),
        small=small,
        data=packed(digits=digits, mirrored=mirrored),
    )


@helper
def left(pawns: Any) -> Any:
    """One column to the left."""
    return (pawns & ~LEFT_EDGE) >> ONE


@helper
def right(pawns: Any) -> Any:
    """One column to the right."""
    return (pawns & ~RIGHT_EDGE) << ONE


@helper
def captured(mine: Any) -> Any:
    """Where pawns that go up capture."""
    return (left(mine) | right(mine)) << ROW


@helper
def captured_below(theirs: Any) -> Any:
    """Where pawns that go down capture."""
    return (left(theirs) | right(theirs)) >> ROW


@helper
def free_runner(game: Runners, mine: Any, theirs: Any, first: bool) -> int:
    """How many steps the foremost pawn is from the goal that goes straight up and that nobody can capture or block in time;
    0 if there is none. `first`: its side is to move.

    A pawn that has a lead of n rows over the runner comes to stand before it, or to capture it, only if it is at most n / 2
    columns away; at most (n + 1) / 2 if it moves first.
    """
    stopped = EMPTY
    front, blocked = theirs, mine
    for step in range(1, game.rows):
        front >>= ROW
        if (step & 1 == 0) == first:
            front |= left(front) | right(front)
        blocked >>= ROW
        stopped |= front | blocked
    free = mine & ~stopped
    if free == EMPTY:
        return int64(0)
    return game.rows - 1 - (highest(free) >> 3)


@wins_at_once.register(Runners)
def one_step(game: Runners, sides: SideBoards) -> bool:
    """A pawn stands before the goal, or captures the last one of the other side. (It can always step: no pawn of its own is
    in the way.)"""
    if sides.mine & game.before_goal != EMPTY:
        return True
    return popcount(sides.theirs) == 1 and sides.theirs & captured(sides.mine) != EMPTY


@known.register(Runners)
def race(game: Runners, sides: SideBoards, ask: int) -> tuple[int, int]:
    """Bounds on the value, from how far each side's foremost pawn is, how many pawns are left to capture, an unstoppable
    pawn before the goal, and races."""
    mine, theirs = sides
    if wins_at_once(game, sides):
        return int64(NOW - 1), int64(NOW - 1)
    ahead = game.rows - 1 - (highest(mine) >> 3)
    behind = lowest(theirs) >> 3
    if behind == 1:
        danger = theirs & (U(0xFF) << ROW)
        if popcount(danger) > 1 or danger & captured(mine) == EMPTY:
            return int64(1 - NOW), int64(1 - NOW)
    low, high = min(behind, popcount(mine)) - NOW, NOW - min(ahead, popcount(theirs))
    if low > ask or high <= ask:
        return low, high
    runner = free_runner(game, mine, theirs, True)
    if 0 < runner <= behind:
        low = NOW - runner
    else:
        runner = free_runner(game, turned(game, theirs), turned(game, mine), False)
        if 0 < runner < ahead:
            high = runner - NOW
    return low, high


@helper
def turned(game: Runners, pawns: Any) -> Any:
    """Pawns seen from the other side of the board."""
    return upside_down(pawns) >> game.turning


@helper
def write_by_promise(targets: Any, step: int, attacked: Any, guarded: Any, theirs: Any, out: Any, count: int) -> int:
    """Write the moves that end on `targets` after a step of so many squares, in order among the first `count` ones: captures
    (of pawns that are far on), then steps of pawns that are far on; those into a capture late."""
    while targets != EMPTY:
        to = lowest(targets)
        there = bit(to)
        targets ^= there
        promise = 64 + 2 * (to >> 3)
        if theirs & there != EMPTY:
            promise += 40 - 4 * (to >> 3)
        if attacked & there != EMPTY:
            promise -= 8 if guarded & there != EMPTY else 30
        move = promise * PER_PROMISE + (to - step) * 64 + to
        place = count
        while place > 0 and out[place - 1] < move:
            out[place] = out[place - 1]
            place -= 1
        out[place] = move
        count += 1
    return count


@tries.register(Runners)
def by_promise(game: Runners, sides: SideBoards, ask: int, out: Any) -> int:
    """All moves; but a pawn before its goal must be captured."""
    mine, theirs = sides
    straight = (mine << ROW) & game.squares & ~(mine | theirs)
    targets = game.squares & ~mine
    danger = theirs & (U(0xFF) << ROW)
    if danger != EMPTY:
        targets &= danger
        straight = EMPTY
    attacked, guarded = captured_below(theirs), captured(mine)
    count = write_by_promise(straight, 8, attacked, guarded, theirs, out, 0)
    count = write_by_promise((left(mine) << ROW) & targets, 7, attacked, guarded, theirs, out, count)
    return write_by_promise((right(mine) << ROW) & targets, 9, attacked, guarded, theirs, out, count)


@sensible.register(Runners)
def unordered(game: Runners, sides: SideBoards, out: Any) -> int:
    """Never called: `looks_ahead` is False."""
    return int64(0)


@after.register(Runners)
def stepped(game: Runners, sides: SideBoards, move: int) -> SideBoards:
    """The pawn moves, what stood on its square is gone, and the board is turned round."""
    here, there = bit(move >> 6), bit(move & 63)
    return SideBoards(turned(game, sides.theirs & ~there), turned(game, (sides.mine ^ here) | there))


@number.register(Runners)
def digit_by_digit(game: Runners, sides: SideBoards) -> Any:
    """A digit for each square, or six bits for each pawn; the smaller of that and its mirror image."""
    code = image = EMPTY
    if game.small:
        for row in range(game.rows):
            mine = (sides.mine >> U(8 * row)) & U(0xFF)
            theirs = (sides.theirs >> U(8 * row)) & U(0xFF)
            code += game.data.digits[row, mine] + U(2) * game.data.digits[row, theirs]
            image += game.data.mirrored[row, mine] + U(2) * game.data.mirrored[row, theirs]
        return min(code, image)
    code = U(popcount(sides.mine))
    mine, theirs = sides.mine, sides.theirs
    while mine != EMPTY:
        code = (code << U(6)) | U(lowest(mine))
        mine &= mine - ONE
    while theirs != EMPTY:
        code = (code << U(6)) | U(lowest(theirs))
        theirs &= theirs - ONE
    return code


@is_kept.register(Runners)
def has_number(game: Runners, sides: SideBoards) -> bool:
    """Whether `number` is unique for it."""
    return game.small or popcount(sides.mine | sides.theirs) <= MOST_PAWNS


@looks_ahead.register(Runners)
def never(game: Runners, sides: SideBoards) -> bool:
    """Looking up all children first does not pay: too many moves, too few hits."""
    return False


@question_behind.register(Runners)
def a_ply_later(game: Runners, ask: int) -> int:
    """To win within n moves is to have the other side lose within n - 1 more; to lose takes the other side's moves alone."""
    return -2 - ask if ask >= 0 else -1 - ask


@move_value.register(Runners)
def a_ply_before(game: Runners, value: int) -> int:
    """What one side wins the other loses; and who wins has made a move more."""
    return -value if value > 0 else -1 - value


@plies.register(Runners)
def distance(game: Runners, sides: SideBoards, value: int) -> int:
    """The winner's moves, and the loser's between them."""
    return 2 * (NOW - value) - 1 if value > 0 else 2 * (NOW + value)


@seen.register(Runners)
def from_its_side(game: Runners, state: State) -> SideBoards:
    """White's pawns go up; for Black the board is turned round."""
    if state.turn > 0:
        return SideBoards(state.white, state.black)
    return SideBoards(turned(game, state.black), turned(game, state.white))


@played.register(Runners)
def on_the_board(game: Runners, move: int, turn: int) -> int:
    """Black's moves are turned back."""
    if turn > 0:
        return int64(move)
    last = 8 * (game.rows - 1)
    here, there = move >> 6, move & 63
    return (here % 8 + last - here // 8 * 8) * 64 + there % 8 + last - there // 8 * 8


@extent.register(Runners)
def any_distance(game: Runners, sides: SideBoards) -> tuple[int, int]:
    """Lost or won with the very next move."""
    return int64(1 - NOW), int64(NOW - 1)


@question.register(Runners)
def winner_first(game: Runners, low: int, high: int) -> int:
    """Who wins; then whether it takes only so many moves, from few to many."""
    if low <= 0 < high:
        return 0
    return high - 1 if low > 0 else low


@foreseen.register(Runners)
def decided(game: Runners, state: State, ask: int) -> int:
    """Won or lost by the next step, or by a race. There are no draws, so that it does not matter what is asked."""
    low, high = known(game, seen(game, state), int64(0))
    return int64(1) if low > 0 else int64(-1) if high <= 0 else int64(0)

"""The rules of EinStein würfelt nicht! (Ingo Althöfer, 2004) as the kernels see them.

Each side has six stones in its corner of a board of 5 x 5. A die is rolled, and the stone with that number goes one step
towards the other corner: straight or diagonally. If it is gone, the next higher or the next lower one that is left goes.
Whatever stands where it lands is taken, one's own stones too. Who comes to the far corner wins, and so does who takes all.

Cell `5 * row + column` counts from the top left, where Red starts; Blue starts at the bottom right. A side is one number:
five bits for each stone, its cell, or `GONE`. `die` is 0 while it has to be rolled: then nature moves, and a move is what
the die shows; else a move is `32 * from + to`. While `placing` is not 0 so many stones have still to be placed, first all of
Red's, then Blue's, from 1 to 6, and a move is `PLACED` and the cell.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.compiled.bits import U
from engines.compiled.kernel import helper, int64
from engines.parts.sampling.playout import chance, drawn
from engines.rules import ONGOING, WIN, evaluate, key, mixed, moves, play, result, terms, turn
from engines.rules_chance import by_chance, gains, judged, judgements, likelihood, reach, stake, unsettled
from engines.run.work import scaled

SIDE, STONES, FACES = 5, 6, 6
CELLS = SIDE * SIDE
GONE = 31
"""The cell of a stone that was taken, or is not placed yet."""
ALL_GONE = (1 << 5 * STONES) - 1
PLACED = 1024
SURE = 0.98
"""What the evaluation says is never nearer to a win than this."""


class EinStein(NamedTuple):
    """`weights` of the evaluation; `scale`: the evaluation that is as good as a chance of three in four."""

    data: Any


class EinSteinStones(NamedTuple):
    """The cells of both sides' stones, whose turn it is, what the die shows, and how many stones have to be placed."""

    first: int
    second: int
    turn: int
    die: int
    placing: int


@helper
def cell_of(stones: int, number: int) -> int:
    """Where the stone with this number, counted from 0, is; or `GONE`."""
    return (stones >> (5 * number)) & 31


@helper
def moved(stones: int, number: int, cell: int) -> int:
    """The side with this stone on another cell."""
    return (stones & ~(31 << (5 * number))) | (cell << (5 * number))


@helper
def taken_from(stones: int, cell: int) -> int:
    """The side without the stone on this cell, if it has one there."""
    for number in range(STONES):
        if cell_of(stones, number) == cell:
            stones |= 31 << (5 * number)
    return stones


@helper
def stone_at(stones: int, cell: int) -> int:
    """The number, from 0, of the stone on a cell; -1 if there is none."""
    for number in range(STONES):
        if cell_of(stones, number) == cell:
            return int64(number)
    return int64(-1)


@helper
def next_left(stones: int, number: int, step: int) -> int:
    """The next stone that is left above or below a number, as `step` says; -1 if there is none."""
    number += step
    while 0 <= number < STONES:
        if cell_of(stones, number) != GONE:
            return int64(number)
        number += step
    return int64(-1)


@helper
def steps(stones: int, number: int, sign: int, out: Any, count: int) -> int:
    """Write the moves of a stone behind `count` others: diagonally, along the row, along the column."""
    cell = cell_of(stones, number)
    row, column = cell // SIDE, cell % SIDE
    wide, high = 0 <= column + sign < SIDE, 0 <= row + sign < SIDE
    if wide and high:
        out[count] = 32 * cell + cell + sign * (SIDE + 1)
        count += 1
    if wide:
        out[count] = 32 * cell + cell + sign
        count += 1
    if high:
        out[count] = 32 * cell + cell + sign * SIDE
        count += 1
    return count


@moves.register(EinStein)
def rolls_or_steps(game: EinStein, state: EinSteinStones, out: Any) -> int:
    """The faces of the die; or the steps of the stone that was rolled, or of its neighbours; or where a stone can be put."""
    if state.placing > 0:
        return free_cells(state, out)
    if state.die == 0:
        for face in range(FACES):
            out[face] = face + 1
        return int64(FACES)
    stones = state.first if state.turn > 0 else state.second
    wanted = state.die - 1
    if cell_of(stones, wanted) != GONE:
        return steps(stones, wanted, state.turn, out, int64(0))
    count = int64(0)
    for step in (1, -1):
        other = next_left(stones, wanted, step)
        if other >= 0:
            count = steps(stones, other, state.turn, out, count)
    return count


@helper
def free_cells(state: EinSteinStones, out: Any) -> int:
    """The empty cells of the corner that stones are being placed in."""
    count = int64(0)
    for row in range(3):
        for column in range(3 - row):
            cell = SIDE * row + column
            if state.placing <= STONES:
                cell = CELLS - 1 - cell
            if stone_at(state.first, cell) < 0 and stone_at(state.second, cell) < 0:
                out[count] = PLACED + cell
                count += 1
    return count


@play.register(EinStein)
def after(game: EinStein, state: EinSteinStones, move: int) -> EinSteinStones:
    """The die shows something, a stone is placed, or a stone has moved and taken what was there."""
    if move >= PLACED:
        number, left = (2 * STONES - state.placing) % STONES, state.placing - 1
        first = moved(state.first, number, move - PLACED) if left >= STONES else state.first
        second = state.second if left >= STONES else moved(state.second, number, move - PLACED)
        return EinSteinStones(first, second, int64(1) if left >= STONES or left == 0 else int64(-1), int64(0), int64(left))
    if state.die == 0:
        return EinSteinStones(state.first, state.second, state.turn, int64(move), int64(0))
    origin, target = move >> 5, move & 31
    mine, theirs = (state.first, state.second) if state.turn > 0 else (state.second, state.first)
    number = stone_at(mine, origin)
    mine, theirs = moved(taken_from(mine, target), number, target), taken_from(theirs, target)
    if state.turn > 0:
        return EinSteinStones(mine, theirs, int64(-1), int64(0), int64(0))
    return EinSteinStones(theirs, mine, int64(1), int64(0), int64(0))


@result.register(EinStein)
def corner_or_nothing_left(game: EinStein, state: EinSteinStones) -> int:
    """Lost for the side to move, if the other has come to its corner or has taken everything."""
    if state.placing > 0 or state.die > 0:
        return int64(ONGOING)
    mine, theirs = (state.first, state.second) if state.turn > 0 else (state.second, state.first)
    corner = 0 if state.turn > 0 else CELLS - 1
    if mine == ALL_GONE or stone_at(theirs, corner) >= 0:
        return int64(-WIN)
    return int64(ONGOING)


@turn.register(EinStein)
def whose(game: EinStein, state: EinSteinStones) -> int:
    """Who moves, or will move when the die is rolled."""
    return state.turn


@key.register(EinStein)
def stones_and_die(game: EinStein, state: EinSteinStones) -> Any:
    """Where all stones are, and what is to be done."""
    where = U(state.first) | (U(state.second) << U(30))
    return mixed(mixed(where) ^ U(1 + state.die + 8 * state.placing + (0 if state.turn > 0 else 128)))


# Chance.


@by_chance.register(EinStein)
def die_to_be_rolled(game: EinStein, state: EinSteinStones) -> bool:
    """The die decides next."""
    return bool(state.die == 0 and state.placing == 0)


@unsettled.register(EinStein)
def evaluated_without(game: EinStein, state: EinSteinStones) -> bool:
    """No: the evaluation ignores the die, so it is taken before the roll."""
    return False


@likelihood.register(EinStein)
def one_in_six(game: EinStein, state: EinSteinStones, move: int) -> float:
    """Every face is as likely as the others."""
    return 1.0 / FACES


@drawn.register(EinStein)
def rolled_or_any_step(game: EinStein, work: Any, state: EinSteinStones, bits: Any) -> int:
    """Any face, or any move."""
    if state.die == 0 and state.placing == 0:
        return 1 + scaled(bits, FACES)
    count = moves(game, state, work.moves[0])
    return int64(work.moves[0, scaled(bits, count)])


@stake.register(EinStein)
def won_or_lost(game: EinStein, value: int) -> float:
    """1 if Red has won, -1 if Blue has; there is no draw."""
    return 1.0 if value > 0 else -1.0


@judged.register(EinStein)
def as_a_chance(game: EinStein, state: EinSteinStones) -> float:
    """The evaluation as what a game is expected to come to."""
    value = 2.0 * chance(evaluate(game, state) * state.turn, float(game.data.scale)) - 1.0
    return max(-SURE, min(SURE, value))


@reach.register(EinStein)
def from_loss_to_win(game: EinStein) -> tuple[float, float]:
    """From Blue's win to Red's."""
    return -1.0, 1.0


@gains.register(EinStein)
def one_wins(game: EinStein, state: EinSteinStones, plies: int, out: Any) -> None:
    """The winner gets what the loser pays."""
    value = stake(game, result(game, state) * state.turn)
    out[0], out[1] = value, -value


@judgements.register(EinStein)
def as_chances(game: EinStein, state: EinSteinStones, out: Any) -> None:
    """The evaluation for each player; what one has the other lacks."""
    value = judged(game, state)
    out[0], out[1] = value, -value


# The evaluation.


@helper
def distance(cell: int, target: int) -> int:
    """How many steps a stone needs."""
    return max(abs(cell // SIDE - target // SIDE), abs(cell % SIDE - target % SIDE))


@helper
def faces_of(stones: int, number: int) -> int:
    """How many faces of the die let a stone move: its own, and those of missing stones that it is next to."""
    above, below = next_left(stones, number, 1), next_left(stones, number, -1)
    return (above if above >= 0 else int64(STONES)) - below - 1


@helper
def side_terms(stones: int, target: int) -> tuple[int, int, int]:
    """How near the nearest stone is; each stone's nearness times the faces that move it; how many stones are left."""
    nearest, ready, left = int64(0), int64(0), int64(0)
    for number in range(STONES):
        cell = cell_of(stones, number)
        if cell == GONE:
            continue
        near = SIDE - distance(cell, target)
        nearest = max(nearest, int64(near))
        ready += near * near * faces_of(stones, number)
        left += 1
    return nearest, ready, left


@terms.register(EinStein)
def nearness_and_stones(game: EinStein, state: EinSteinStones) -> Any:
    """For both sides."""
    first = side_terms(state.first, CELLS - 1)
    second = side_terms(state.second, 0)
    return first[0], second[0], first[1], second[1], first[2], second[2]

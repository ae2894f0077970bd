"""What Connect 4 knows of its own values: forced replies, stones that must not be put under a threat, and zugzwang.

A value is counted in stones: a win with the last stone of one's own is worth 1, with the last but one 2, and so on; a loss
the same below 0. The next cell of every column stays in play until it is full, so whoever answers each stone in its own
column gets every second cell from the top: *the follower*. If an even number of cells is left, the side that does not move
can follow. (Columns with an odd number of cells left come in pairs: the first stone in the one is answered in the other.)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.compiled.bits import EMPTY, ONE, U, board, lowest, popcount
from engines.compiled.kernel import helper, int64
from engines.games.in_a_row.lines import RowStones, write_cells
from engines.parts.proof.numbers import foreseen
from engines.parts.solving.questions import (
    POINTS,
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
from engines.rules import packed

KEPT_FROM = 12
"""With fewer cells left, searching again is quicker than the table."""
AHEAD_FROM = 14
"""With fewer cells left, looking for what the table knows of the next positions does not pay."""
MIRRORED_FOR = 16
"""With at most this many stones on the board, a position may be reached as its own mirror image, too."""
PER_THREAT = 1 << 20
PER_CENTRE = 1 << 12
"""What a move's promise is made of: above the bits of the move, how near the middle; above that, the threats it makes."""


class Fours(NamedTuple):
    """`bottom`: the lowest cell of each column; `cells`: all; `spare`: those above the columns; `follower`: every second
    cell from the top; `across`, `rising`, `falling`: the steps along lines; `columns`: how many; `data`: tables by cell,
    and `followed`, by points: the follower's cells that win so much."""

    bottom: Any
    cells: Any
    spare: Any
    follower: Any
    across: Any
    rising: Any
    falling: Any
    columns: int
    data: Any


def fours(width: int, height: int) -> Fours:
    """What is known on a board of this size."""
    stride = height + 1
    every = [(column, row) for column in range(width) for row in range(height)]

    def cells(rows: Any) -> Any:
        return board(column * stride + row for column, row in every if row in rows)

    centre, plenty, column_of = [0] * 64, [0] * 64, [EMPTY] * 64
    for column, row in every:
        cell = column * stride + row
        centre[cell] = 32 + min(column, width - 1 - column)
        plenty[cell] = (height - 1 - row) // 2 + 1
        column_of[cell] = board(range(column * stride, column * stride + height))
    by_points = [cells(range(height - 1 - 2 * (points - 1), -1, -2)) for points in range(1, 34)]
    wide = width > 3  # else there are only upright lines; steps along those then stand for the others
    return Fours(
        bottom=cells(range(1)),
        cells=cells(range(height)),
        spare=board(column * stride + height for column in range(width)),
        follower=cells(range(height - 1, -1, -2)),
        across=U(stride if wide else 1),
        rising=U(stride + 1 if wide else 1),
        falling=U(stride - 1 if wide else 1),
        columns=width,
        data=packed(centre=centre, plenty=plenty, column_of=column_of, followed=[EMPTY, *by_points]),
    )


@helper
def along(stones: Any, step: Any) -> Any:
    """The cells that make four with three of the stones, in one direction."""
    two = step + step
    three = two + step
    ahead = (stones << step) & (stones << two)
    behind = (stones >> step) & (stones >> two)
    return (ahead & ((stones << three) | (stones >> step))) | (behind & ((stones >> three) | (stones << step)))


@helper
def completing(game: Fours, stones: Any) -> Any:
    """The cells that make four with three of the stones. (Not all of them are empty, or cells at all.)"""
    upright = (stones << ONE) & (stones << U(2)) & (stones << U(3))
    return upright | along(stones, game.across) | along(stones, game.rising) | along(stones, game.falling)


@helper
def fours_along(cells: Any, step: Any) -> Any:
    """Where four of the cells are in a row, in one direction."""
    pairs = cells & (cells >> step)
    return pairs & (pairs >> (step + step))


@helper
def has_four(game: Fours, cells: Any) -> bool:
    """Four of the cells are in a row."""
    found = fours_along(cells, ONE) | fours_along(cells, game.across)
    return (found | fours_along(cells, game.rising) | fours_along(cells, game.falling)) != EMPTY


@helper
def above(game: Fours, threats: Any) -> Any:
    """The threats and all cells above them, which nobody comes to."""
    return ((game.spare - threats) & game.cells) | threats  # borrowing from the spare cell fills the column


@helper
def landing(game: Fours, sides: SideBoards) -> Any:
    """The cell of each column that a stone would fall into."""
    return ((sides.mine | sides.theirs) + game.bottom) & game.cells


@helper
def safe_cells(game: Fours, sides: SideBoards) -> Any:
    """The moves after which the other side cannot win at once: there must be no second threat to answer, and no threat
    above."""
    open_cells = landing(game, sides)
    threats = completing(game, sides.theirs) & game.cells & ~(sides.mine | sides.theirs)
    forced = open_cells & threats
    if forced != EMPTY:
        open_cells = forced if forced & (forced - ONE) == EMPTY else EMPTY
    return open_cells & ~(threats >> ONE)


@helper
def reachable(game: Fours, mine: Any, empty: Any, open_cells: Any, threats: Any) -> Any:
    """All cells that the side to move can ever have if the other side follows it (an even number of cells is left): its own
    stones, the cells that are not the follower's, and those that can be played now. `threats` are the follower's: the side
    to move can play below one, but no further up."""
    stopped = above(game, threats & game.follower & ~open_cells)
    return mine | (((empty & ~game.follower) | open_cells) & ~stopped)


@known.register(Fours)
def counted(game: Fours, sides: SideBoards, ask: int) -> tuple[int, int]:
    """Too late to win, or to lose; no safe move; or one side can follow the other to the end."""
    empty = game.cells & ~(sides.mine | sides.theirs)
    left = popcount(empty)
    if safe_cells(game, sides) == EMPTY:
        return -(left // 2), -(left // 2)
    if left <= 2:
        return int64(0), int64(0)
    low, high = -((left - 2) // 2), (left - 1) // 2
    if low > ask or high <= ask:
        return low, high
    open_cells = landing(game, sides)
    threats = completing(game, sides.theirs) & empty
    if left & 1 == 0:
        high = min(high, if_followed(game, sides, ask, empty, open_cells, threats))
    else:
        high = min(high, if_in_zugzwang(game, sides, ask, empty, open_cells, threats))
    return low, high


@helper
def if_followed(game: Fours, sides: SideBoards, ask: int, empty: Any, open_cells: Any, threats: Any) -> int:
    """The most the side to move can get if the other follows: no more than a draw if it never gets to a four; a loss if the
    follower's cells make one, in time for what is asked."""
    if ask < 0 and not has_four(game, sides.theirs | (empty & game.data.followed[-ask] & ~open_cells)):
        return int64(POINTS)
    if has_four(game, reachable(game, sides.mine, empty, open_cells, threats)):
        return int64(POINTS)
    return min(ask, int64(0))


@helper
def if_in_zugzwang(game: Fours, sides: SideBoards, ask: int, empty: Any, open_cells: Any, threats: Any) -> int:
    """The most the side to move can get with an odd number of cells left, if the other has a threat on a cell that it would
    not get by following: leaving out that column from below the threat on, an even number is left, and the other follows
    until only the cell under the threat can be played."""
    odd = threats & ~game.follower & ~open_cells
    while odd != EMPTY:
        cell = lowest(odd)
        column = game.data.column_of[cell]
        odd &= ~column
        if ask >= -game.data.plenty[cell]:
            its_own = (empty & ~game.follower & ~column) | (empty & game.follower & column) | open_cells
            stopped = above(game, (threats & game.follower & ~open_cells & ~column) | (ONE << U(cell)))
            if not has_four(game, sides.mine | (its_own & ~stopped)):
                return -game.data.plenty[cell]
    return int64(POINTS)


@sensible.register(Fours)
def write_safe(game: Fours, sides: SideBoards, out: Any) -> int:
    """The safe cells."""
    return write_cells(safe_cells(game, sides), out)


@tries.register(Fours)
def most_threats(game: Fours, sides: SideBoards, ask: int, out: Any) -> int:
    """Safe moves, those that make most threats first (a threat that one's own side gets counts more), then from the middle
    outwards. None if one of them lets the mover follow to a value above `ask`."""
    taken = sides.mine | sides.theirs
    empty = game.cells & ~taken
    odd = popcount(empty) & 1
    own = game.follower if odd else ~game.follower
    useless = (completing(game, sides.theirs) & empty) << ONE
    rest = safe_cells(game, sides)
    if popcount(rest) == 1:
        out[0] = lowest(rest)
        return int64(1)
    count = int64(0)
    while rest != EMPTY:
        stone = rest & (~rest + ONE)
        rest ^= stone
        threats = completing(game, sides.mine | stone) & (empty ^ stone)
        if odd and follows(game, sides, stone, ask, empty ^ stone, threats):
            return int64(0)
        threats &= ~useless
        cell = lowest(stone)
        promise = (2 * popcount(threats) + popcount(threats & own)) * PER_THREAT + game.data.centre[cell] * PER_CENTRE + cell
        place = count
        while place > 0 and out[place - 1] < promise:
            out[place] = out[place - 1]
            place -= 1
        out[place] = promise
        count += 1
    return count


@helper
def follows(game: Fours, sides: SideBoards, stone: Any, ask: int, empty: Any, threats: Any) -> bool:
    """After putting this stone its owner gets more than `ask` by following."""
    open_cells = (~empty & game.cells) + game.bottom & game.cells
    if has_four(game, reachable(game, sides.theirs, empty, open_cells, threats)):
        return False
    return ask < 0 or has_four(game, sides.mine | stone | (empty & game.data.followed[ask + 1] & ~open_cells))


@after.register(Fours)
def dropped(game: Fours, sides: SideBoards, move: int) -> SideBoards:
    """The sides change places, and the mover has one stone more."""
    return SideBoards(sides.theirs, sides.mine | (ONE << U(move)))


@number.register(Fours)
def column_by_column(game: Fours, sides: SideBoards) -> Any:
    """The sum of the mover's stones and all stones: in each column it tells the height and whose stones they are. Early in
    the game, the smaller of that and its mirror image."""
    code = sides.mine + (sides.mine | sides.theirs)
    if popcount(sides.mine | sides.theirs) > MIRRORED_FOR:
        return code
    return min(code, mirrored(game, code))


@helper
def mirrored(game: Fours, code: Any) -> Any:
    """A code with its columns in reverse order."""
    height = U(lowest(game.spare))
    column = (ONE << (height + ONE)) - ONE
    turned = EMPTY
    for _ in range(game.columns):
        turned = (turned << (height + ONE)) | (code & column)
        code >>= height + ONE
    return turned


@is_kept.register(Fours)
def early(game: Fours, sides: SideBoards) -> bool:
    """Whether the position is early enough that a table entry is worth its place."""
    return popcount(game.cells & ~(sides.mine | sides.theirs)) >= KEPT_FROM


@looks_ahead.register(Fours)
def earlier(game: Fours, sides: SideBoards) -> bool:
    """While there is much left to search behind each move."""
    return popcount(game.cells & ~(sides.mine | sides.theirs)) >= AHEAD_FROM


@question_behind.register(Fours)
def opposite(game: Fours, ask: int) -> int:
    """Stones are counted from the end of the game: the same for both sides, and at every ply."""
    return -ask - 1


@move_value.register(Fours)
def negative(game: Fours, value: int) -> int:
    """What one side wins, the other loses."""
    return -value


@plies.register(Fours)
def last_stones(game: Fours, sides: SideBoards, value: int) -> int:
    """With so many of one's own stones still to come, the winning one included."""
    left = popcount(game.cells & ~(sides.mine | sides.theirs))
    odd = left & 1
    return left + 1 + odd - 2 * value if value > 0 else left + 2 - odd + 2 * value


@seen.register(Fours)
def as_they_are(game: Fours, state: RowStones) -> SideBoards:
    """The game itself writes the mover's stones first."""
    return SideBoards(state.mine, state.theirs)


@played.register(Fours)
def same_move(game: Fours, move: int, turn: int) -> int:
    """A move is the cell, for both."""
    return int64(move)


@extent.register(Fours)
def all_stones(game: Fours, sides: SideBoards) -> tuple[int, int]:
    """The other side's stones still to come, and the mover's."""
    left = popcount(game.cells & ~(sides.mine | sides.theirs))
    return -(left // 2), (left + 1) // 2


@wins_at_once.register(Fours)
def makes_four(game: Fours, sides: SideBoards) -> bool:
    """The mover has an open threat."""
    return (completing(game, sides.mine) & landing(game, sides)) != EMPTY


@question.register(Fours)
def from_both_ends(game: Fours, low: int, high: int) -> int:
    """Early wins and losses are ruled out quickly; what was found on the way helps with the long ones."""
    middle = low + (high - low) // 2
    if middle <= 0 and low / 2 < middle:
        return int(low / 2)
    if middle >= 0 and high / 2 > middle:
        return int(high / 2)
    return middle


@foreseen.register(Fours)
def decided(game: Fours, state: RowStones, ask: int) -> int:
    """An open threat wins; else what counting, threats and zugzwang say."""
    sides = seen(game, state)
    if wins_at_once(game, sides):
        return int64(1)
    low, high = known(game, sides, ask)
    return int64(1) if low > ask else int64(-1) if high <= ask else int64(0)

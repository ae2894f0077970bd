"""Breakthrough: pawns step forward, straight or diagonally, and capture diagonally; one on the last row wins.

A state is two bitboards and the side to move. Square `row * 8 + column` is the same on every board size, rows counted from
White's side. A move is `from * 64 + to`. White is the first player and starts on the two bottom rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engines.contract import InputError, Parameter, Setting, shown
from engines.game import Game, Grid, Square, read_rows, read_weights, write_row
from engines.games.breakthrough_index import in_blocks
from engines.games.breakthrough_line import in_pairs, is_line
from engines.games.breakthrough_solving import Runners, runners
from engines.kernel import helper, int64
from engines.parts.bits import EMPTY, ONE, U, bit, board, lowest, nth, popcount
from engines.parts.playout import drawn
from engines.parts.proof_numbers import proof_key
from engines.parts.work import Work, scaled
from engines.rules import (
    LOUD,
    ONGOING,
    WIN,
    State,
    captures,
    key,
    mixed,
    move_code,
    moves,
    packed,
    play,
    result,
    terms,
    threatened,
    turn,
    worth,
)

LEFT_EDGE = board(range(0, 64, 8))
RIGHT_EDGE = board(range(7, 64, 8))
ROW = U(8)
ODD_COLUMNS, ODD_PAIRS, LEFT_HALF = U(0x5555555555555555), U(0x3333333333333333), U(0x0F0F0F0F0F0F0F0F)
LARGEST_TABLE = 4 << 30


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
    """Pawns; rows they have gone; pawns an own pawn guards; pawns on the home row; pawns that no enemy pawn can meet any
    more; and moves."""
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


class BreakthroughGame(Game):
    """Breakthrough for people: rows as in a FEN, then the side to move; moves are `a2a3` or, as some courses, `2a3a`."""

    id = "breakthrough"
    title = "Breakthrough"
    sentence = "Pawns step forward and capture diagonally; the first on the last row wins (size ROWSxCOLUMNS)."
    default_size = "8x8"
    players = ("White", "Black")
    default_depth = 5
    code_bits = 12
    results = (-WIN, WIN)
    unit = margin = 100
    marks = ("w", "b")
    term_names = ("pawns", "rows gone", "guarded pawns", "home guards", "free runners", "moves")
    parameters = (
        Parameter(name="misere", default=False, sentence="Whoever reaches the last row loses."),
        Parameter(
            name="weights",
            judges=True,
            default="100,10,5,8,60,1",
            sentence="What a pawn, a row gone, a guarded pawn, a home guard, a free runner and a move are worth, in "
            "hundredths of a pawn.",
        ),
    )

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size, options)
        self.rows, self.columns = self.read_size(("rows", "columns"), lambda place: range(4 - 2 * place, 9))
        self.misere = bool(options["misere"])
        weights = read_weights(str(options["weights"]), len(self.term_names))
        data = packed(
            squares=board(row * 8 + column for row in range(self.rows) for column in range(self.columns)),
            white_goal=self._row(self.rows - 1),
            black_goal=self._row(0),
            rows=self.rows,
            unused=U(8 - self.columns),
            misere=int(self.misere),
            weights=tuple(-weight for weight in weights) if self.misere else weights,
            tables=0,
        )
        self.rules = Breakthrough(data)

    def knowledge(self) -> Runners:
        return runners(self.rows, self.columns)

    def table_name(self, state: State) -> str | None:
        if self.table_bytes("") > LARGEST_TABLE:
            return None
        return f"breakthrough-{self.size}{'-misere' if self.misere else ''}"

    def table_bytes(self, name: str) -> int:
        return 3 ** (self.columns * (self.rows - 2)) * 4**self.columns  # two for each position and its mirror image

    def table_options(self) -> dict[str, Setting]:
        return {"misere": True} if self.misere else {}

    def lacks(self, need: str, state: State) -> str | None:
        if need == "table" and self.table_name(state) is None:
            return f"a board of {self.size} has too many positions for a table"
        if need != "knowledge":
            return super().lacks(need, state)
        return "of misère Breakthrough it has none" if self.misere else None

    def _row(self, row: int) -> Any:
        return board(row * 8 + column for column in range(self.columns))

    def start(self) -> State:
        white = self._row(0) | self._row(1)
        return Pawns(white, self._row(self.rows - 1) | self._row(self.rows - 2), 1)

    @classmethod
    def split(cls, text: str) -> tuple[str, list[str]]:
        return ("startpos", text.split()) if is_line(text) else super().split(text)

    def moves_in(self, words: Sequence[str]) -> list[str]:
        return in_pairs(super().moves_in(words))

    @classmethod
    def size_of(cls, text: str) -> str | None:
        if text == "startpos":
            return None
        rows = read_rows(text.split()[0], "wb.", "board")
        return f"{len(rows)}x{len(rows[0])}"

    def read_board(self, text: str) -> State:
        words = text.split()
        if len(words) != 2 or words[1] not in ("w", "b"):
            raise InputError(f"A position is the rows and then the side to move, w or b, not {shown(text)}.")
        rows = read_rows(words[0], "wb.", "board")
        if (len(rows), len(rows[0])) != (self.rows, self.columns):
            raise InputError(f"The board has {len(rows)} rows and {len(rows[0])} columns, but the game is {self.size}.")
        pawns = {
            letter: board(
                row * 8 + column
                for row, letters in enumerate(reversed(rows))
                for column, found in enumerate(letters)
                if found == letter
            )
            for letter in "wb"
        }
        return self._checked(Pawns(pawns["w"], pawns["b"], 1 if words[1] == "w" else -1))

    def _checked(self, state: Pawns) -> Pawns:
        """The state, if a game can come to it."""
        for name, pawns in (("White", state.white), ("Black", state.black)):
            if popcount(pawns) > 2 * self.columns:
                raise InputError(f"{name} has {popcount(pawns)} pawns, but starts with {2 * self.columns}.")
        if not state.white and not state.black:
            raise InputError("There is no pawn on the board.")
        white_there, black_there = state.white & self.rules.data.white_goal, state.black & self.rules.data.black_goal
        last_mover_there = black_there if state.turn > 0 else white_there
        if (white_there and black_there) or popcount(white_there | black_there) > 1:
            raise InputError("More than one pawn stands on its last row, but the first one there ends the game.")
        if (white_there or black_there) and not last_mover_there:
            raise InputError("A pawn stands on its last row, but the other side has moved since.")
        if not (state.white if state.turn < 0 else state.black):
            raise InputError("The side that has just moved has no pawn.")
        return state

    def letters(self, state: State) -> list[str]:
        """The rows of the board from the top, as w, b and dots."""
        rows = []
        for row in reversed(range(self.rows)):
            squares = [bit(row * 8 + column) for column in range(self.columns)]
            rows.append("".join("w" if state.white & s else "b" if state.black & s else "." for s in squares))
        return rows

    def board_text(self, state: State) -> str:
        rows = "/".join(write_row(row) for row in self.letters(state))
        return f"{rows} {'w' if state.turn > 0 else 'b'}"

    def diagram(self, state: State) -> str:
        rows = [f"{self.rows - i} {' '.join(letters)}" for i, letters in enumerate(self.letters(state))]
        return "\n".join([*rows, "  " + " ".join("abcdefgh"[: self.columns])])

    def grid(self, state: State) -> Grid:
        rows = tuple("".join(row) for row in self.letters(state))
        return Grid(rows, tuple(str(self.rows - i) for i in range(self.rows)), tuple("abcdefgh"[: self.columns]))

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        return tuple((self.rows - 1 - square // 8, square % 8) for square in (move >> 6, move & 63))

    def move_text(self, state: State, move: int) -> str:
        return square_name(move >> 6) + square_name(move & 63)

    def normal_move(self, text: str) -> str:
        plain = text.strip().lower().replace("-", "").replace("x", "")
        if len(plain) == 4 and plain[0].isdigit() and plain[2].isdigit():
            return plain[1] + plain[0] + plain[3] + plain[2]
        return plain


def square_name(square: int) -> str:
    """a1 is White's left corner."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


GAME = BreakthroughGame

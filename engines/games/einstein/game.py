"""EinStein würfelt nicht! for people: notation, set-ups, the board with its die."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from engines.contract import InputError, Parameter, Setting, shown
from engines.game import Game
from engines.games.einstein.levels import LADDER
from engines.games.einstein.rules import (
    ALL_GONE,
    CELLS,
    FACES,
    GONE,
    PLACED,
    SIDE,
    STONES,
    EinStein,
    EinSteinStones,
    cell_of,
    moved,
)
from engines.notation import Grid, Square, read_rows, read_weights, write_row
from engines.position import Position
from engines.rules import State, packed

RED, BLUE = "ABCDEF", "abcdef"
"""The stones from 1 to 6."""
NUMBERS = "123456"
COLUMNS = "abcde"
WEIGHTS = "20,2,-10"
SCALE = 100
DICE = "⚀⚁⚂⚃⚄⚅"
PIPS = {
    0: ("     ", "  ?  ", "     "),
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
"""How a die looks; 0 is one that has to be rolled."""
START = (0, 1, 2, SIDE, SIDE + 1, 2 * SIDE)
"""The cells of Red's corner, from stone 1 to stone 6."""


class EinSteinGame(Game):
    """A position is the rows from the top, `ABCDEF` for Red's stones 1 to 6 and `abcdef` for Blue's, then whose turn it is
    (r or b), then what the die shows; nothing if it has to be rolled."""

    id = "einstein"
    title = "EinStein würfelt nicht!"
    sentence = "Roll the die, move that stone one step; reach the far corner or take all (EinStein würfelt nicht!, 5x5)."
    parameters = (
        Parameter(
            name="setup",
            default="given",
            choices=("given", "free"),
            sentence="Stones start in order, or the players first place them, Red and then Blue.",
        ),
        Parameter(
            name="weights", default=WEIGHTS, sentence="The weights of the three terms: nearest stone, readiness, stones."
        ),
    )
    term_names = ("nearest stone", "readiness", "stones")
    marks = (RED, BLUE)
    figures = dict(zip(RED + BLUE, "①②③④⑤⑥❶❷❸❹❺❻", strict=True))  # noqa: RUF012 - never changed
    players = ("Red", "Blue")
    has_chance = True
    nature = "the die"
    default_depth = 3
    ladder = LADDER
    usual_depths = (4, 4)
    side_letters = ("r", "b")
    has_die = True
    unit = 100
    margin = 25
    fineness = 1e8

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        if size:
            raise InputError("EinStein würfelt nicht! has one size, 5x5.")
        super().__init__(size, options)
        self.rules = EinStein(packed(weights=read_weights(str(options["weights"]), 3), scale=SCALE))

    def start(self) -> State:
        if self.options["setup"] == "free":
            return EinSteinStones(ALL_GONE, ALL_GONE, 1, 0, 2 * STONES)
        return self._set_up(list(START), [CELLS - 1 - cell for cell in START])

    @staticmethod
    def _set_up(red: list[int], blue: list[int]) -> State:
        first = second = ALL_GONE
        for number in range(STONES):
            first, second = moved(first, number, red[number]), moved(second, number, blue[number])
        return EinSteinStones(int(first), int(second), 1, 0, 0)

    # Notation.

    def read_board(self, text: str) -> State:
        words = text.split()
        if words[0] == "deal":
            return self._deal(words)
        stones = self._read_rows(words[0])
        if len(words) < 2 or words[1].lower() not in ("r", "b"):
            raise InputError(
                f"After the rows comes the side to move, r (Red) or b (Blue), not {shown(' '.join(words[1:2]))}."
            )
        turn, die, placing = (1 if words[1].lower() == "r" else -1), 0, 0
        if words[2:] == ["set"]:
            placing = self._still_to_place(stones, turn)
        elif len(words) > 2:
            if len(words) > 3 or words[2] not in NUMBERS:
                raise InputError(
                    f"After the side to move comes the die, 1 to 6, or nothing; not {shown(' '.join(words[2:]))}."
                )
            die = int(words[2])
        first, second = stones
        if not placing:
            self._check(first, second, turn, die)
        return EinSteinStones(first, second, turn, die, placing)

    def _read_rows(self, text: str) -> tuple[int, int]:
        rows = read_rows(text, RED + BLUE + ".", "board")
        if len(rows) != SIDE or len(rows[0]) != SIDE:
            raise InputError(f"The board has {len(rows)} rows of {len(rows[0])}; it is 5x5, as in ABC2/DE3/F3f/3ed/2cba r.")
        first = second = ALL_GONE
        for cell, letter in enumerate("".join(rows)):
            if letter == ".":
                continue
            number = (RED + BLUE).index(letter) % STONES
            stones = first if letter in RED else second
            if cell_of(stones, number) != GONE:
                raise InputError(f"The stone {shown(letter)} stands on the board twice.")
            if letter in RED:
                first = int(moved(first, number, cell))
            else:
                second = int(moved(second, number, cell))
        return first, second

    def _deal(self, words: list[str]) -> State:
        if len(words) != 2 or not words[1].isdecimal() or len(words[1]) > 9:
            raise InputError(f"A random set-up is written deal and a number, not {shown(' '.join(words))}.")
        random = Random(int(words[1]))
        red, blue = list(START), [CELLS - 1 - cell for cell in START]
        random.shuffle(red)
        random.shuffle(blue)
        return self._set_up(red, blue)

    @staticmethod
    def _still_to_place(stones: tuple[int, int], turn: int) -> int:
        counts = [sum(cell_of(side, number) != GONE for number in range(STONES)) for side in stones]
        for side, count, corner in zip(stones, counts, (START, [CELLS - 1 - cell for cell in START]), strict=True):
            placed = [int(cell_of(side, number)) for number in range(STONES)]
            if placed[count:] != [GONE] * (STONES - count) or not set(placed[:count]) <= set(corner):
                raise InputError("While stones are placed, they stand in their own corner, and the lowest numbers first.")
        left = 2 * STONES - sum(counts)
        if not left or (counts[0] < STONES and counts[1]) or (turn > 0) != (counts[0] < STONES):
            raise InputError(
                "Red places all six stones first, then Blue does; then the die is rolled, without the word set."
            )
        return left

    @staticmethod
    def _check(first: int, second: int, turn: int, die: int) -> None:
        """Only what can come about: the one to move has not won, and a die is rolled in a game that goes on."""
        red, blue = (
            [int(cell_of(side, number)) for number in range(STONES) if cell_of(side, number) != GONE]
            for side in (first, second)
        )
        over_for = {1: CELLS - 1 in red or not blue, -1: 0 in blue or not red}
        if over_for[turn] or (die and over_for[-turn]):
            raise InputError("The game was already won: the winner is never to move, and nobody rolls any more.")
        if not red and not blue:
            raise InputError("There is no stone on the board.")

    def board_text(self, state: State) -> str:
        tail = "set" if state.placing else str(state.die) if state.die else ""
        return " ".join(filter(None, ("/".join(map(write_row, self._letters(state))), "r" if state.turn > 0 else "b", tail)))

    def move_text(self, state: State, move: int) -> str:
        if move >= PLACED:
            return square_name(move - PLACED)
        return str(move) if state.die == 0 else square_name(move >> 5) + square_name(move & 31)

    def normal_move(self, text: str) -> str:
        return re.sub(r"^roll(?=[1-6])|[-x*]", "", text.strip().lower())

    def pretty_line(self, state: State, line: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{DICE[int(move) - 1]}{move}" if move in NUMBERS else move for move in line)

    # The board.

    @staticmethod
    def _letters(state: State) -> list[str]:
        cells = ["."] * CELLS
        for stones, letters in ((state.first, RED), (state.second, BLUE)):
            for number, letter in enumerate(letters):
                if (cell := int(cell_of(stones, number))) != GONE:
                    cells[cell] = letter
        return ["".join(cells[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE)]

    def diagram(self, state: State) -> str:
        rows = [f"{SIDE - row} {' '.join(letters)}" for row, letters in enumerate(self._letters(state))]
        rows = [f"{row}   {beside}" for row, beside in zip(rows, self._die(state), strict=True)]
        return "\n".join([*rows, "  " + " ".join(COLUMNS)])

    @staticmethod
    def _die(state: State) -> tuple[str, ...]:
        if state.placing:
            return ("",) * SIDE
        return ("┌───────┐", *(f"│ {pips} │" for pips in PIPS[int(state.die)]), "└───────┘")

    def grid(self, state: State) -> Grid:
        names = tuple(str(SIDE - row) for row in range(SIDE))
        return Grid(tuple(self._letters(state)), names, tuple(COLUMNS), beside=self._die(state))

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        if move >= PLACED:
            return (divmod(move - PLACED, SIDE),)
        return () if state.die == 0 else (divmod(move >> 5, SIDE), divmod(move & 31, SIDE))

    def standing(self, position: Position) -> str:
        state = position.state
        who = self.players[0 if state.turn > 0 else 1]
        if state.placing:
            return f"{who} places stone {(2 * STONES - state.placing) % STONES + 1}"
        return f"{who} to move, {DICE[state.die - 1]} {state.die}" if state.die else f"{who} rolls the die"

    def ending(self, position: Position) -> str | None:
        state = position.state
        return "all stones are taken" if ALL_GONE in (state.first, state.second) else "in the far corner"

    def shown_payoff(self, value: float) -> float:
        """From -1 to 1, as the kernels have it."""
        return value

    def payoff_bounds(self) -> tuple[float, tuple[float, ...]]:
        return 0.0, (-1.0, -1.0)


def square_name(cell: int) -> str:
    """The name of a cell, a1 at the bottom left."""
    return f"{COLUMNS[cell % SIDE]}{SIDE - cell // SIDE}"


assert len(DICE) == FACES
GAME = EinSteinGame

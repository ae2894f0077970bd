"""A second opinion on the rules: OpenSpiel plays the same games move by move."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from engines import catalog
from engines.position import Position
from engines.rules import result

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
pytestmark = pytest.mark.plain

GAMES = 12
"""So many random games for each board."""


def value_for_first(position: Position) -> int:
    """1, 0 or -1 as the finished game is won, drawn or lost for the first player."""
    value = position.turn * int(result(position.game.rules, position.state))
    return (value > 0) - (value < 0)


def play_along(position: Position, state: Any, translate: Any, random: Random) -> None:
    """Play one random game in both; `translate` brings their moves into our notation."""
    while not state.is_terminal():
        game = position.game
        theirs = {translate(state.action_to_string(action)): action for action in state.legal_actions()}
        ours = dict(zip(game.line_choices(position.state), game.legal_moves(position.state), strict=True))
        assert ours.keys() == theirs.keys(), position.text
        assert (state.current_player() == 0) == (position.turn > 0)
        move = random.choice(sorted(ours))
        position = position.play(ours[move])
        state.apply_action(theirs[move])
    assert position.is_over, position.text
    assert state.returns()[0] == value_for_first(position)


@pytest.mark.parametrize(("width", "height", "k"), [(7, 6, 4), (4, 4, 3), (5, 4, 4), (9, 5, 5), (3, 7, 2)])
def test_connect4(width: int, height: int, k: int) -> None:
    """Their columns count from 0, ours from 1."""
    theirs = pyspiel.load_game("connect_four", {"rows": height, "columns": width, "x_in_row": k})
    for seed in range(GAMES):
        ours = catalog.position("startpos", "connect4", f"{width}x{height}", {"k": str(k)})
        play_along(ours, theirs.new_initial_state(), lambda text: str(int(text[1:]) + 1), Random(seed))


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (6, 4), (7, 3), (6, 2), (6, 7)])
def test_breakthrough(rows: int, columns: int) -> None:
    """Their Black starts from the top, our White from the bottom: the same game upside down."""
    theirs = pyspiel.load_game("breakthrough", {"rows": rows, "columns": columns})

    def upside_down(text: str) -> str:
        return f"{text[0]}{rows + 1 - int(text[1])}{text[2]}{rows + 1 - int(text[3])}"

    for seed in range(GAMES):
        ours = catalog.position("startpos", "breakthrough", f"{rows}x{columns}")
        play_along(ours, theirs.new_initial_state(), upside_down, Random(seed))


@pytest.mark.parametrize("columns", [2, 4, 8])
def test_breakthrough_on_few_rows(columns: int) -> None:
    """Boards under six rows they start with one row of pawns a side, so ours starts from that diagram."""
    theirs = pyspiel.load_game("breakthrough", {"rows": 5, "columns": columns})
    empty = "/".join([str(columns)] * 3)
    for seed in range(GAMES):
        ours = catalog.position(f"{'b' * columns}/{empty}/{'w' * columns} w", "breakthrough")
        play_along(
            ours,
            theirs.new_initial_state(),
            lambda text: f"{text[0]}{6 - int(text[1])}{text[2]}{6 - int(text[3])}",
            Random(seed),
        )


def test_tictactoe() -> None:
    """Their cells count from the top left, row by row."""
    theirs = pyspiel.load_game("tic_tac_toe")

    def square(text: str) -> str:
        row, column = text.strip("xo()").split(",")
        return f"{'abc'[int(column)]}{3 - int(row)}"

    for seed in range(GAMES * 4):
        play_along(catalog.position("startpos", "tictactoe"), theirs.new_initial_state(), square, Random(seed))


EINSTEIN_GAMES = 2000 if os.environ.get("PLYBENCH_LONG") else 40


def test_einstein() -> None:
    """Their set-up is drawn, ours is written down as they drew it; then both roll and move together, to the same end."""
    theirs = pyspiel.load_game("einstein_wurfelt_nicht")
    for seed in range(EINSTEIN_GAMES):
        random, state = Random(seed), theirs.new_initial_state()
        for _ in range(2):
            state.apply_action(random.choice(state.chance_outcomes())[0])
        rows = [row.strip("|").split("||") for row in str(state).strip().split("\n")]
        letters = ["".join(cube_letter(cube) for cube in row) for row in rows]
        first = random.choice(state.chance_outcomes())
        state.apply_action(first[0])
        side = "r" if state.current_player() == 0 else "b"
        roll_with(state, catalog.position(f"{'/'.join(letters)} {side}", "einstein"), first[0], random)


def cube_letter(cube: str) -> str:
    """Their Black is our Red; their White is our Blue."""
    return "." if cube == "__" else ("ABCDEF" if cube[0] == "b" else "abcdef")[int(cube[1]) - 1]


def roll_with(state: Any, position: Position, rolled: int, random: Random) -> None:
    """A random game in both; `rolled` is their first roll, made already."""
    assert position.by_chance
    position = position.play(rolled + 1)
    while True:
        game = position.game
        choices = dict(zip(game.line_choices(position.state), game.legal_moves(position.state), strict=True))
        theirs = {their_move(position, state.action_to_string(action)): action for action in state.legal_actions()}
        assert choices.keys() == theirs.keys(), position.text
        assert (state.current_player() == 0) == (position.turn > 0)
        move = random.choice(sorted(choices))
        position = position.play(choices[move])
        state.apply_action(theirs[move])
        assert position.is_over == state.is_terminal(), position.text
        if state.is_terminal():
            assert state.returns()[0] == value_for_first(position)
            return
        outcomes = state.chance_outcomes()
        assert len(outcomes) == len(position.game.legal_moves(position.state))
        for action, chance in outcomes:
            assert position.game.likelihood(position.state, action + 1) == pytest.approx(chance)
        action = random.choice(outcomes)[0]
        state.apply_action(action)
        position = position.play(action + 1)


def their_move(position: Position, text: str) -> str:
    """`B3-diag*` as squares."""
    stone, _, way = text.strip("*").partition("-")
    letter = ("ABCDEF" if stone[0] == "B" else "abcdef")[int(stone[1]) - 1]
    rows = position.game.grid(position.state).letters  # type: ignore[union-attr]
    (row,) = [number for number, line in enumerate(rows) if letter in line]
    column, sign = rows[row].index(letter), 1 if stone[0] == "B" else -1
    right = way in ("diag", "right", "left")
    down = way in ("diag", "down", "up")
    return f"{'abcde'[column]}{5 - row}{'abcde'[column + sign * right]}{5 - row - sign * down}"

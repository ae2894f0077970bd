"""Boards of squares: what a screen draws is the position, and a move's squares are where its men were and are."""

from __future__ import annotations

from random import Random

import pytest

from engines import catalog

pytestmark = pytest.mark.plain
GAMES = ["chess", "connect4", "breakthrough", "tictactoe"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_move_ends_on_its_last_square(game: str, seed: int) -> None:
    random, position = Random(seed), catalog.position("startpos", game)
    for _ in range(30):
        if position.is_over:
            break
        mover = 0 if position.turn > 0 else 1
        move = random.choice(position.game.legal_moves(position.state))
        squares = position.game.move_squares(position.state, move)
        before, after = position.game.grid(position.state), position.play(move).game.grid(position.play(move).state)
        assert before is not None
        assert after is not None
        own = position.game.marks[mover]
        *came_from, (row, column) = squares
        assert after.letters[row][column] in own
        assert before.letters[row][column] not in own or game == "chess"  # castling in Chess960 may end on the rook
        for row, column in came_from:
            assert before.letters[row][column] in own
        position = position.play(move)


@pytest.mark.parametrize("game", GAMES)
def test_names_stand_at_the_edges(game: str) -> None:
    position = catalog.position("startpos", game)
    grid = position.game.grid(position.state)
    assert grid is not None
    assert len(grid.letters) == len(grid.row_names)
    assert {len(row) for row in grid.letters} == {len(grid.column_names)}


def test_a_tree_has_no_squares() -> None:
    position = catalog.position("startpos", "tree")
    assert position.game.grid(position.state) is None
    assert position.game.move_squares(position.state, 0) == ()

"""Tic-tac-toe for three: X, O and Z in turn; whoever has k in a row first wins, and the two others lose.

What one wins the others lose in equal parts, so that with two players it would be what it always was: a win is `WIN` less
the plies to it, a loss half of that; and a player is judged by three times the own open lines, less those of all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.compiled.bits import EMPTY, bit, popcount
from engines.compiled.kernel import helper, int64
from engines.games.in_a_row.lines import count_runs, has_run, write_cells
from engines.rules import ONGOING, WIN, evaluate, key, mixed, moves, play, result, terms, turn
from engines.rules_chance import gains, judgements, mover

PLAYERS = 3


class TicTacToeForThree(NamedTuple):
    """As `TicTacToe`."""

    data: Any


class ThreeStones(NamedTuple):
    """The stones of the player to move, of the next one, and of the one who has just moved."""

    mine: Any
    following: Any
    last: Any


NO_STONES = ThreeStones(EMPTY, EMPTY, EMPTY)


@play.register(TicTacToeForThree)
def put(game: TicTacToeForThree, state: ThreeStones, move: int) -> ThreeStones:
    """The next player is to move, and the mover has one stone more."""
    return ThreeStones(state.following, state.last, state.mine | bit(move))


@moves.register(TicTacToeForThree)
def empty_cells(game: TicTacToeForThree, state: ThreeStones, out: Any) -> int:
    """Every empty cell, row by row from the top left."""
    return write_cells(game.data.cells & ~(state.mine | state.following | state.last), out)


@mover.register(TicTacToeForThree)
@helper
def by_count(game: TicTacToeForThree, state: ThreeStones) -> int:
    """Who moves: the number of stones tells."""
    return popcount(state.mine | state.following | state.last) % PLAYERS


@turn.register(TicTacToeForThree)
@helper
def first_or_not(game: TicTacToeForThree, state: ThreeStones) -> int:
    """1 for X, -1 for the others."""
    return int64(1) if by_count(game, state) == 0 else int64(-1)


@result.register(TicTacToeForThree)
def row_complete(game: TicTacToeForThree, state: ThreeStones) -> int:
    """Won or lost for X, as the side to move has it; or a draw."""
    who = by_count(game, state)
    if has_run(state.last, game.data.k, game.data.stride):
        return int64(WIN) if who == 2 else int64(-WIN)
    if (state.mine | state.following | state.last) == game.data.cells:
        return int64(0)
    return int64(ONGOING)


@key.register(TicTacToeForThree)
def stones_key(game: TicTacToeForThree, state: ThreeStones) -> Any:
    """Whose stones are where."""
    return mixed(state.mine ^ mixed(state.following ^ mixed(state.last)))


@helper
def stones_of(game: TicTacToeForThree, state: ThreeStones, player: int) -> Any:
    """A player's stones."""
    ahead = (player - by_count(game, state) + PLAYERS) % PLAYERS
    return state.mine if ahead == 0 else state.following if ahead == 1 else state.last


@helper
def open_lines(game: TicTacToeForThree, state: ThreeStones, player: int) -> int:
    """Lines in which no other player has a mark."""
    others = (state.mine | state.following | state.last) & ~stones_of(game, state, player)
    return count_runs(game.data.cells & ~others, game.data.k, game.data.stride)


@terms.register(TicTacToeForThree)
@helper
def lines_left(game: TicTacToeForThree, state: ThreeStones) -> Any:
    """X's open lines, and those of the others together."""
    return open_lines(game, state, 0), open_lines(game, state, 1) + open_lines(game, state, 2)


@evaluate.register(TicTacToeForThree)
def for_the_first(game: TicTacToeForThree, state: ThreeStones) -> int:
    """What X has more than its part, as the side to move has it."""
    mine, others = lines_left(game, state)
    return game.data.weights[0] * (2 * mine - others) * first_or_not(game, state)


@gains.register(TicTacToeForThree)
def one_of_three(game: TicTacToeForThree, state: ThreeStones, plies: int, out: Any) -> None:
    """The winner gets all, the others pay one half each; a draw is nothing."""
    won = has_run(state.last, game.data.k, game.data.stride)
    winner = (by_count(game, state) + PLAYERS - 1) % PLAYERS
    for player in range(PLAYERS):
        out[player] = 0.0
        if won:
            out[player] = float(WIN - plies) if player == winner else -0.5 * (WIN - plies)


@judgements.register(TicTacToeForThree)
def lines_of_all(game: TicTacToeForThree, state: ThreeStones, out: Any) -> None:
    """What each has more than a third of all open lines, three times."""
    total = int64(0)
    for player in range(PLAYERS):
        lines = open_lines(game, state, player)
        out[player] = float(PLAYERS * lines)
        total += lines
    for player in range(PLAYERS):
        out[player] = game.data.weights[0] * (out[player] - total)

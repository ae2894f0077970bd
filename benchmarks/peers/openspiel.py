"""OpenSpiel's side of a comparison: its states, driven from Python in the way that proved quickest.

Slower alternatives that were tried: asking `is_terminal` first (a finished game lists no moves, so one call tells both),
`clone` and `apply_action` in place of `child`, `random.choice`. Connect 4 cannot undo moves there; tic-tac-toe can, which is
quicker still.
"""

from __future__ import annotations

from random import random
from typing import Any

import pyspiel
from open_spiel.python.algorithms import minimax as own_minimax

SpielState = Any

own_node = own_minimax._alpha_beta
"""The function that OpenSpiel's own alpha-beta calls for every node."""
LOWEST = -2.0
"""A value below any result."""


def start(game: str) -> SpielState:
    """The start position of a game."""
    return pyspiel.load_game(game).new_initial_state()


def connect4(columns: str) -> SpielState:
    """The Connect 4 position after these columns, written as Plybench writes them."""
    state = start("connect_four")
    for column in columns:
        state.apply_action(int(column) - 1)
    return state


def alpha_beta(state: SpielState, depth: int, alpha: float, beta: float, player: int) -> float:
    """The value of a state for `player`, who is to move. At the horizon it is 0, which is what an unfinished game
    returns."""
    if depth == 0:
        return float(state.player_return(player))
    actions = state.legal_actions()
    if not actions:
        return float(state.player_return(player))
    best = LOWEST
    for action in actions:
        value = -alpha_beta(state.child(action), depth - 1, -beta, -alpha, 1 - player)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break
    return best


def run_alpha_beta(state: SpielState, depth: int) -> float:
    """The value of a state for the side to move, by `alpha_beta` above."""
    return alpha_beta(state, depth, LOWEST, -LOWEST, state.current_player())


def run_own_alpha_beta(state: SpielState, depth: int) -> float:
    """The value by OpenSpiel's own search, `open_spiel.python.algorithms.minimax`."""
    value, _ = own_minimax.alpha_beta_search(
        state.get_game(), state=state, value_function=lambda horizon: 0.0, maximum_depth=depth
    )
    return float(value)


def full_minimax(state: SpielState, player: int) -> float:
    """The value of a state for `player`, who is to move, from the whole tree of child states."""
    actions = state.legal_actions()
    if not actions:
        return float(state.player_return(player))
    best = LOWEST
    for action in actions:
        value = -full_minimax(state.child(action), 1 - player)
        if value > best:
            best = value
    return best


def full_minimax_undoing(state: SpielState, player: int) -> float:
    """The same value on one state that makes and undoes the moves."""
    actions = state.legal_actions()
    if not actions:
        return float(state.player_return(player))
    best = LOWEST
    for action in actions:
        state.apply_action(action)
        value = -full_minimax_undoing(state, 1 - player)
        state.undo_action(player, action)
        if value > best:
            best = value
    return best


def run_playouts(start_state: SpielState, count: int) -> None:
    """Play so many random games from a state."""
    for _ in range(count):
        state = start_state.clone()
        legal_actions, apply_action = state.legal_actions, state.apply_action
        while actions := legal_actions():
            apply_action(actions[int(random() * len(actions))])

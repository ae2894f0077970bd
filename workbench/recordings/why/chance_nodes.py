"""Why a node ended as it did, where nature moves or every player has a value: a sentence or two."""

from __future__ import annotations

import numpy as np

from engines.game import SHOWN_WIN
from engines.notation import read_coalition
from engines.rules_chance import MOST_PLAYERS, gains
from engines.tape.recording import Recording
from engines.tape.tape import CUT, EXPANDED, HORIZON, NOBODY, OPEN, PRUNED, TERMINAL
from workbench.recordings.bounds import bound_at, is_known, wants_more
from workbench.recordings.why.nodes import (
    edge_words,
    is_fine,
    move_in_sentence,
    move_name,
    mover_name,
    moves_at,
    node_value,
    only_one,
    position_at,
    shown_at,
    side_name,
)
from workbench.recordings.why.values import SIGNS
from workbench.render.report_text import ended
from workbench.render.values import is_decided, number_text, value_text, winner_of


def why_many(recording: Recording, node: int) -> str:
    """Why a node of a search for expectations, or for any number of players, ended as it did."""
    kind, by_chance = int(recording.kind[node]), recording.turn[node] == 0
    if kind == EXPANDED and not is_fine(recording):
        return _one_game(recording, node)
    if kind == OPEN:
        return "Not finished: the search was stopped here."
    if kind == TERMINAL:
        return _terminal(recording, node)
    if kind == HORIZON:
        waits = ", before it is decided what happens" if by_chance else ""
        return f"Scored at the horizon{waits}: {node_value(recording, node)}."
    if kind == PRUNED:
        more = recording.value[node] >= recording.beta[0]
        only = f"only {'more' if more else 'less'} than {_value(recording, node)} would count here"
        return f"Not looked at: {only}, and nothing is worth {'more' if more else 'less'}."
    if by_chance:
        return _mean(recording, node) if kind == EXPANDED else _cut_mean(recording, node)
    if recording.values(node):
        return _weighed(recording, node)
    return _cut(recording, node) if kind == CUT else _expanded(recording, node)


def _terminal(recording: Recording, node: int) -> str:
    position, game = position_at(recording, node), recording.position.game
    paid = np.zeros(MOST_PLAYERS)
    gains(game.rules, position.state, 0, paid)
    values = [game.shown_payoff(value) for value in paid[: game.player_count]]
    worth = int(position.result) * position.turn
    shown = number_text(game.shown_value(worth), game)
    outcome = game.outcome(worth) if game.player_count == 2 else None
    return ended(outcome, shown, position, values)


def _mean(recording: Recording, node: int) -> str:
    children = [int(child) for child in recording.children(node)]
    parts = [f"{move_name(recording, child)}: {node_value(recording, child)}" for child in children[:6]]
    more = f" and {len(children) - 6} more" if len(children) > 6 else ""
    outcomes = "1 outcome" if len(children) == 1 else f"{len(children)} outcomes"
    legal = moves_at(recording, node)[0]
    if not recording.complete and len(children) < legal:
        return f"The mean of {legal} outcomes, of which {len(children)} are on the tape: {_words(recording, node)}."
    mean = f"The mean of {outcomes} ({', '.join(parts)}{more})"
    if bound_at(recording, node) == "exact":
        return f"{mean}: {_words(recording, node)}."
    return f"{mean} is {_bounded(recording, node)}, and {_beyond(recording, node)}."


def _cut_mean(recording: Recording, node: int) -> str:
    legal, seen = moves_at(recording, node)
    below = int(recording.value[node]) <= int(recording.alpha[node])
    found, rest = f"{'at most' if below else 'at least'} {_value(recording, node)}", "best" if below else "worst"
    tried = sum(_only_tried(recording, int(child)) for child in recording.children(node))
    partly = f", of {tried} only the first move was" if tried else ""
    decider = int(recording.decider[node])
    after = f"after {move_in_sentence(recording, decider)} " if decider != NOBODY else ""
    looked_at = "the only outcome was looked at" if legal == seen == 1 else f"{seen} of {legal} outcomes were looked at"
    return (
        f"Cut: {after}the mean is {found} even if all that is left comes to the {rest} there is, and "
        f"{_beyond(recording, node)}; {looked_at}{partly}."
    )


def _only_tried(recording: Recording, node: int) -> bool:
    """Of several moves of a player only the first was looked at."""
    if recording.turn[node] == 0 or recording.kind[node] != CUT:
        return False
    legal, searched = moves_at(recording, node)
    return searched == 1 < legal


def _weighed(recording: Recording, node: int) -> str:
    """A node of max^n: the player to move takes the largest value of their own."""
    legal, searched = moves_at(recording, node)
    mover, decider = mover_name(recording, node), int(recording.decider[node])
    best = move_in_sentence(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    if recording.kind[node] == CUT:
        above = mover_name(recording, int(recording.parent[node]))
        return (
            f"Cut: with {best} {mover} has so much that too little is left for {above}, who has found no less elsewhere; "
            f"{legal - searched} of {legal} moves not searched."
        )
    among = "the only move" if legal == 1 else f"the best of {legal} moves"
    return f"With {best}, {among} for {mover}: {_words(recording, node)}."


def at_least(recording: Recording, node: int) -> str:
    """What is known of a node of max^n that was cut, short: whoever moves there gets so much, together with their own side,
    and nothing is known of the others."""
    game, values = recording.position.game, recording.values(node)
    player = max(0, -int(recording.turn[node]))
    team = read_coalition(recording.report.parameters, game)
    held = [one for one in range(game.player_count) if one == player or (team >> player & team >> one & 1)]
    shown = game.shown_payoff(sum(values[one] for one in held))
    if game.has_winner and game.player_count == 2:
        return f"{SIGNS['at most' if player else 'at least']}{value_text(-shown if player else shown, game)}"
    return f"{'+'.join(game.players[one] for one in held)} ≥ {value_text(shown, game)}"


def _expanded(recording: Recording, node: int) -> str:
    legal, _ = moves_at(recording, node)
    decider = int(recording.decider[node])
    best = move_in_sentence(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    if bound_at(recording, node) != "exact":
        if (bound_at(recording, node) == "at least") == wants_more(recording, node):
            left = "no move was left anyway" if legal > 1 else "it was the only move"
            return f"After {best} it is {_bounded(recording, node)}, and {_beyond(recording, node)}; {left}."
        # All moves have bounds only, so it is not known which is the best.
        among = "the only move" if legal == 1 else f"any of {legal} moves"
        return f"With {among} it is {_bounded(recording, node)}, and {_beyond(recording, node)}."
    among = "the only move" if legal == 1 else f"the best of {legal} moves"
    return f"With {best}, {among} for {mover_name(recording, node)}: {_words(recording, node)}."


def _one_game(recording: Recording, node: int) -> str:
    """A node of one random game, where one move was made."""
    decider = int(recording.decider[node])
    best = move_in_sentence(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    return f"With {best}, {only_one(recording, node)}: {_words(recording, node)}."


def _cut(recording: Recording, node: int) -> str:
    legal, searched = moves_at(recording, node)
    decider, value = int(recording.decider[node]), int(recording.value[node])
    after = move_in_sentence(recording, decider) if decider != NOBODY else "one move"
    left = f"{legal - searched} of {legal} moves not searched"
    low, high = int(recording.alpha[node]), int(recording.beta[node])
    if not is_known(recording, node):  # the first move is no good, and the others were not tried
        bound = "at most" if value <= low else "at least"
        tried = f"Only the first move was looked at: after {after} it is {bound} {_value(recording, node)}"
        return f"{tried}, and nothing is known of the others; {left}."
    if low < value < high:
        return f"Only the first move was looked at: after {after} it is {_value(recording, node)}; {left}."
    return f"Cut: after {after} it is {_bounded(recording, node)}, and {_beyond(recording, node)}; {left}."


def _value(recording: Recording, node: int) -> str:
    return edge_words(recording, int(recording.value[node]))


def _words(recording: Recording, node: int) -> str:
    """What a node is worth, inside a sentence: numbers, or who wins at which ply of the search. With more than two players
    one value is that of the first one's side."""
    game, values = recording.position.game, recording.values(node)
    shown = [game.shown_payoff(value) for value in values] or [shown_at(recording, int(recording.value[node]))]
    if not game.has_winner or not any(map(is_decided, shown)):
        return node_value(recording, node)
    ply = f"at ply {SHOWN_WIN - max(map(abs, shown)):.0f}"
    if len(shown) == 1 and game.player_count > 2:
        return f"{side_name(recording)} {'wins' if shown[0] > 0 else 'loses'} {ply}"
    winner = winner_of(shown if values else [shown[0], -shown[0]], game)
    return f"{game.players[winner or 0]} wins {ply}"


def _bounded(recording: Recording, node: int) -> str:
    return f"{bound_at(recording, node)} {_value(recording, node)}"


def _beyond(recording: Recording, node: int) -> str:
    """Which edge of the window the value has left."""
    below = int(recording.value[node]) <= int(recording.alpha[node])
    edge = edge_words(recording, int((recording.alpha if below else recording.beta)[node]))
    return f"only {'more' if below else 'less'} than {edge} counts here"

"""Why a node ended as it did, where nature moves or every player has a value: a sentence or two."""

from __future__ import annotations

from engines.parts.tape import CUT, EXPANDED, HORIZON, NOBODY, OPEN, TERMINAL
from engines.recording import Recording
from engines.rules import INFINITY
from workbench.forms import number_text
from workbench.show import ended
from workbench.why import edge_at, move_name, mover_name, moves_at, node_value, position_at, told_move


def why_many(recording: Recording, node: int) -> str:
    """Why a node of a search for expectations, or for any number of players, ended as it did."""
    kind, by_chance = int(recording.kind[node]), recording.turn[node] == 0
    if kind == OPEN:
        return "Not finished: the search was stopped here."
    if kind == TERMINAL:
        return _terminal(recording, node)
    if kind == HORIZON:
        waits = ", before it is decided what happens" if by_chance else ""
        return f"Scored at the horizon{waits}: {node_value(recording, node)}."
    if by_chance:
        return _mean(recording, node) if kind == EXPANDED else _cut_mean(recording, node)
    if recording.values(node):
        return _weighed(recording, node)
    return _cut(recording, node) if kind == CUT else _expanded(recording, node)


def _terminal(recording: Recording, node: int) -> str:
    position, game = position_at(recording, node), recording.position.game
    values = [game.shown_payoff(value) for value in recording.values(node)]
    worth = int(position.result) * position.turn
    shown = number_text(game.shown_value(worth), game)
    outcome = game.outcome(worth) if game.player_count == 2 else None
    return ended(outcome, shown, position, values)


def _mean(recording: Recording, node: int) -> str:
    children = [int(child) for child in recording.children(node)]
    parts = [f"{move_name(recording, child)}: {node_value(recording, child)}" for child in children[:6]]
    more = f" and {len(children) - 6} more" if len(children) > 6 else ""
    return f"The mean of {len(children)} outcomes ({', '.join(parts)}{more}): {node_value(recording, node)}."


def _cut_mean(recording: Recording, node: int) -> str:
    legal, seen = moves_at(recording, node)
    value, low = int(recording.value[node]), int(recording.alpha[node])
    below = value <= low
    edge = edge_at(recording, low if below else int(recording.beta[node]))
    rest = "best" if below else "worst"
    probed = sum(recording.kind[child] == CUT for child in recording.children(node))
    partly = f", of {probed} only the first move was" if recording.report.algorithm == "star2" and probed else ""
    decider = int(recording.decider[node])
    after = f"after {told_move(recording, decider)} " if decider != NOBODY else ""
    bound = f"{'at most' if below else 'at least'} {node_value(recording, node)}"
    return (
        f"Cut: {after}the mean is {bound} even if all that is left comes to the {rest} there is, and only "
        f"{'more' if below else 'less'} than {edge} counts here; {seen} of {legal} outcomes were looked at{partly}."
    )


def _weighed(recording: Recording, node: int) -> str:
    """Max^n: whoever moves takes the largest of their own."""
    legal, searched = moves_at(recording, node)
    mover, decider = mover_name(recording, node), int(recording.decider[node])
    best = told_move(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    if recording.kind[node] == CUT:
        above = mover_name(recording, int(recording.parent[node]))
        return (
            f"Cut: with {best} {mover} has so much that too little is left for {above}, who has found no less elsewhere; "
            f"{legal - searched} of {legal} moves not searched."
        )
    among = "the only move" if legal == 1 else f"the best of {legal} moves"
    return f"With {best}, {among} for {mover}: {node_value(recording, node)}."


def _expanded(recording: Recording, node: int) -> str:
    legal, _ = moves_at(recording, node)
    decider, value = int(recording.decider[node]), int(recording.value[node])
    best = told_move(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    among = "the only move" if legal == 1 else f"the best of {legal} moves"
    said = f"With {best}, {among} for {mover_name(recording, node)}: {node_value(recording, node)}"
    low, high = int(recording.alpha[node]), int(recording.beta[node])
    if recording.parent[node] == NOBODY or low < value < high or (low <= -INFINITY and high >= INFINITY):
        return f"{said}."
    above = value <= low
    edge = edge_at(recording, low if above else high)
    return f"{said} or {'less' if above else 'more'}, and only {'more' if above else 'less'} than {edge} counts here."


def _cut(recording: Recording, node: int) -> str:
    legal, searched = moves_at(recording, node)
    decider, value = int(recording.decider[node]), int(recording.value[node])
    after = told_move(recording, decider) if decider != NOBODY else "one move"
    low, high = int(recording.alpha[node]), int(recording.beta[node])
    above = value >= high
    found = f"{'at least' if above else 'at most'} {node_value(recording, node)}"
    left = f"{legal - searched} of {legal} moves not searched"
    if low < value < high:
        return f"Only the first move was looked at, {after}: {node_value(recording, node)}; {left}."
    edge = edge_at(recording, high if above else low)
    return f"Cut: after {after} it is {found}, and only {'less' if above else 'more'} than {edge} counts here; {left}."

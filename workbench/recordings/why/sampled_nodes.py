"""Sentences about a sampled node: how its playouts went, which move most of them took, and where the search looks next.

A search that samples writes on its tape what it would do next at every node (`engines/parts/sampling/tree_tape.py`), so
nothing is guessed here. Tapes without that are told as far as they go.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from engines.parts.sampling.tree import DRAWN, FIRST_WINS, UNKNOWN
from engines.parts.sampling.tree_tape import ELSEWHERE, FOLLOWING, NOTHING, PROVEN, UNTRIED, VISITS
from engines.rules import MEAN
from engines.tape.recording import Recording
from workbench.recordings.why.nodes import move_in_sentence, mover_name, moves_at, position_at
from workbench.render.values import number_text

MOST_NAMES = 3
"""The most moves with equally many visits that are named."""


class UctTerms(NamedTuple):
    """What speaks for a move at a node, by the formula of UCT."""

    mean: float
    """The mean of its games for the side that moves, from 0 to 1."""
    exploration: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.mean + self.exploration


def why_sampled(recording: Recording, node: int) -> str:
    """All that is known of a node, in a few sentences."""
    said = [_which_tree(recording, node) + _games(recording, node)]
    children = [int(child) for child in recording.children(node)]
    proven = _noted(recording, node, PROVEN)
    if proven != UNKNOWN:
        said.append(f"Proven: {_result(recording, proven)}; games that come here go no further.")
    elif recording.turn[node] == 0:
        said.append("What happens next is drawn by its probability.")
    elif _noted(recording, node, FOLLOWING) == ELSEWHERE:
        said.append("What follows is shown where the search first came to this position.")
    if children and recording.turn[node] != 0 and recording.complete:
        said.append(_most(recording, children))
        if proven == UNKNOWN:
            said.append(_next(recording, node, children))
    return " ".join(words for words in said if words)


def terms_of(recording: Recording, node: int, child: int) -> UctTerms:
    """Both terms of the formula for a child."""
    mean = int(recording.value[child]) / MEAN
    k, visits = float(recording.parameters["k"]), _visits(recording, node)
    exploration = k * math.sqrt(math.log(visits) / int(recording.alpha[child]))
    return UctTerms(mean if recording.turn[node] > 0 else 1.0 - mean, exploration)


def _noted(recording: Recording, node: int, what: int) -> int:
    return NOTHING if recording.more is None else int(recording.more[node, what])


def _visits(recording: Recording, node: int) -> int:
    """How many games came through the position of a node, by whatever way."""
    return max(_noted(recording, node, VISITS), int(recording.alpha[node]))


def _which_tree(recording: Recording, node: int) -> str:
    """Threads that each grew a tree leave several, where those cannot be put together."""
    roots = [int(root) for root in recording.roots()]
    return f"Tree {roots.index(node) + 1} of {len(roots)}: " if node in roots and len(roots) > 1 else ""


def _games(recording: Recording, node: int) -> str:
    """How many, and what they came to."""
    games, visits, game = int(recording.alpha[node]), _visits(recording, node), recording.position.game
    mean, mover = int(recording.value[node]) / MEAN, mover_name(recording, node)
    if recording.turn[node] == 0:
        mover = game.players[0]
    elif recording.turn[node] < 0:
        mean = 1.0 - mean
    came_to = f"{mean:.1%} for {mover}"
    if not game.has_winner:
        came_to = f"{number_text(round(game.shown_mean(int(recording.value[node]) / MEAN), 4), game)} on average"
    by_ways = f", {visits:,} counting all ways to this position" if visits > games else ""
    return f"{games:,} {'game' if games == 1 else 'games'} through it{by_ways}, {came_to}."


def _result(recording: Recording, proven: int) -> str:
    players = recording.position.game.players
    return "a draw" if proven == DRAWN else f"{players[0 if proven == FIRST_WINS else 1]} wins"


def _most(recording: Recording, children: Sequence[int]) -> str:
    """The move that most games took, or the moves."""
    most = max(int(recording.alpha[child]) for child in children)
    names = [move_in_sentence(recording, child) for child in children if int(recording.alpha[child]) == most]
    games = f"{most:,} {'game' if most == 1 else 'games'}"
    if len(names) == 1:
        return f"Visited most: {names[0]}, {games}."
    if len(names) > MOST_NAMES:
        return f"Visited most: {len(names)} moves, {games} each."
    return f"Visited most: {', '.join(names[:-1])} and {names[-1]}, {games} each."


def _next(recording: Recording, node: int, children: Sequence[int]) -> str:
    """Where the search looks when it comes here again."""
    following, untried = _noted(recording, node, FOLLOWING), moves_at(recording, node)[0] - len(children)
    if following == UNTRIED:
        if untried == 1:
            return f"Next it tries {_last_untried(recording, node, children)}, the only move that it has not tried."
        return f"Next it tries one of {untried} moves that it has not tried."
    if following not in children:
        return ""
    name, proven = move_in_sentence(recording, following), _noted(recording, following, PROVEN)
    waiting = _waiting(recording, node, untried) if untried else ""
    if proven != UNKNOWN:
        return f"Next it takes {name}, which is proven by another way: {_result(recording, proven)}.{waiting}"
    weighed = sum(_noted(recording, child, PROVEN) == UNKNOWN for child in children)
    terms = terms_of(recording, node, following)
    among = "the only move that is weighed" if weighed == 1 else f"the largest of {weighed} moves"
    left_out = len(children) - weighed
    settled = f", {left_out} {'is' if left_out == 1 else 'are'} proven" if left_out else ""
    return (
        f"Next it looks at {name}: mean {terms.mean:.3f} + exploration {terms.exploration:.3f} = {terms.total:.3f}, "
        f"{among}{settled}.{waiting}"
    )


def _waiting(recording: Recording, node: int, untried: int) -> str:
    """Why moves that were never tried wait."""
    widening = float(recording.parameters["widening"])
    room = max(1, math.floor(widening * math.sqrt(_visits(recording, node))))
    moves = "move is" if untried == 1 else "moves are"
    return f" {untried} {moves} not tried yet: widening allows {room}."


def _last_untried(recording: Recording, node: int, children: Sequence[int]) -> str:
    """The name of the one move that no game took."""
    position = position_at(recording, node)
    tried = {int(recording.move[child]) for child in children}
    (move,) = (move for move in position.game.legal_moves(position.state) if int(move) not in tried)
    name = position.game.pretty_line(position.state, (position.game.move_text(position.state, move),))[0]
    return f"move {name}" if name.isdecimal() else name

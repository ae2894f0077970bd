"""What a node of a recorded search is, in words: its move, its value, its window, and what a row of the tree says of it.

Values and windows are the first player's, as everywhere. `workbench.recordings.why.reasons` says why a node ended as it
did.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

from engines.game import SHOWN_WIN
from engines.position import Position
from engines.rules import INFINITE, INFINITY, MEAN, passed
from engines.tape.recording import Recording
from engines.tape.tape import (
    CUT,
    EXPANDED,
    KINDS,
    NOBODY,
    NUMBERED,
    OPEN,
    SAMPLED,
    TABLE,
    TERMINAL,
)
from workbench.recordings.bounds import bound_at, first_side, is_known
from workbench.recordings.why.values import SIGNS, as_edge, bounded, edge_text, short_value, value_words
from workbench.render.report_text import ended
from workbench.render.values import counted, is_decided, likelihood_text, number_text, value_text, vector_text

PROOF_KINDS = {CUT: "one move", EXPANDED: "all moves", TERMINAL: "over", TABLE: "as before"}
"""What nodes of a proof are called: where the prover moves one move is shown, where the other moves all are."""
MOST_PLACES = 20_000
"""How many positions of a recording are cached."""
_places: WeakKeyDictionary[Recording, dict[int, Position]] = WeakKeyDictionary()


class Label(NamedTuple):
    """What a row of the tree says of a node."""

    move: str
    value: str
    window: str
    kind: str
    size: int
    share: float
    """Its part of the nodes below its parent."""


# What a node is.


def position_at(recording: Recording, node: int) -> Position:
    """The position of a node, with the moves that led there."""
    known = _places.setdefault(recording, {})
    if len(known) > MOST_PLACES:
        known.clear()
    missing = []
    while node not in known and recording.parent[node] != NOBODY:
        missing.append(node)
        node = int(recording.parent[node])
    position = known.setdefault(node, recording.position)
    for step in reversed(missing):
        position = known[step] = _after(recording, step, position)
    return position


def _after(recording: Recording, node: int, before: Position) -> Position:
    move = int(recording.move[node])
    if move >= 0:
        return before.play(move)
    if recording.turn[node] == before.turn:
        return before  # the same position once more, for a trial
    return Position(before.game, passed(before.game.rules, before.state))


def move_name(recording: Recording, node: int) -> str:
    """The move that leads to a node, as people read it; of a root, how deep it looked."""
    above = int(recording.parent[node])
    if above == NOBODY:
        if recording.is_proof:
            question, yes = recording.question(node)
            return f"{question} {'Yes' if yes else 'No'}"
        depth = int(recording.depth[node])
        return f"depth {depth}" if depth else "root"
    move = int(recording.move[node])
    if move < 0:
        return "trial" if recording.turn[node] == recording.turn[above] else "pass"
    before = position_at(recording, above)
    game = before.game
    name = game.pretty_line(before.state, (game.move_text(before.state, move),))[0]
    likely = recording.likelihood(node)
    return name if likely is None else f"{name} p={likelihood_text(likely)}"


def ply_of(recording: Recording, node: int) -> int:
    """How many plies after the root a node is: a trial of the same position is a level of the tree, and no ply."""
    return sum(
        recording.move[step] >= 0 or recording.turn[step] != recording.turn[above]
        for above, step in pairwise(recording.path(node))
    )


def line_names(recording: Recording, node: int) -> list[str]:
    """The moves from the root to a node, as people read them."""
    return [move_name(recording, step) for step in recording.path(node)[1:]]


def label(recording: Recording, node: int) -> Label:
    """What a row of the tree says of a node."""
    above = int(recording.parent[node])
    size = recording.subtree_size(node)
    whole = recording.subtree_size(above) if above != NOBODY else len(recording)
    return Label(
        move=move_name(recording, node),
        value=node_value(recording, node),
        window=window_text(recording, node),
        kind=gate(recording, node) or kind_name(recording, int(recording.kind[node])),
        size=size,
        share=size / whole,
    )


def kind_name(recording: Recording, kind: int) -> str:
    """How a node ended, in a word or two."""
    return PROOF_KINDS.get(kind, KINDS[kind]) if recording.is_proof else KINDS[kind]


def gate(recording: Recording, node: int) -> str:
    """OR where one good move proves what is asked, AND where all moves have to; empty in trees without proof numbers."""
    if recording.kind[node] != NUMBERED:
        return ""
    return "OR" if recording.turn[node] > 0 else "AND"


def window_text(recording: Recording, node: int) -> str:
    """The window of a node, very short; of one that was sampled, how many games went through it; a proof has none."""
    if recording.is_proof:
        return ""
    if recording.kind[node] == SAMPLED:
        return counted(int(recording.alpha[node]), "game")
    if has_numbers(recording):
        return " / ".join(number_words(recording, node))
    if recording.values(node):
        return ""
    return f"[{edge_at(recording, int(recording.alpha[node]))}, {edge_at(recording, int(recording.beta[node]))}]"


def has_numbers(recording: Recording) -> bool:
    """It is the tree of a search that proves, with proof numbers in place of windows."""
    return len(recording) > 0 and recording.kind[0] == NUMBERED


def number_words(recording: Recording, node: int) -> list[str]:
    """The proof and the disproof number of a node."""
    numbers = (int(recording.alpha[node]), int(recording.beta[node]))
    return ["∞" if number >= INFINITE else f"{number:,}" for number in numbers]


def node_value(recording: Recording, node: int) -> str:
    """A node's value, or the bound that is known of it, short; nothing if nothing is, as of a node that was not finished."""
    if recording.kind[node] == OPEN or not is_known(recording, node):
        return ""
    if recording.kind[node] == NUMBERED:
        return "yes" if recording.alpha[node] == 0 else "no" if recording.beta[node] == 0 else "open"
    if recording.kind[node] == SAMPLED:
        game = recording.position.game
        return number_text(round(game.shown_mean(int(recording.value[node]) / MEAN), 4), game)
    if values := recording.values(node):
        from workbench.recordings.why.chance_nodes import at_least

        game = recording.position.game
        if recording.kind[node] == CUT:
            return at_least(recording, node)
        return vector_text([game.shown_payoff(value) for value in values], game)
    return SIGNS[bound_at(recording, node)] + value_at(recording, int(recording.value[node]))


def is_fine(recording: Recording) -> bool:
    """Values on the tape are those of searches for expectations, or for many players: written in finer steps."""
    return recording.algorithm.expects or recording.algorithm.vectors


def shown_at(recording: Recording, value: int) -> float:
    """A value on the tape as it is displayed."""
    game = recording.position.game
    return round(game.shown_payoff(value * recording.step), 6) if is_fine(recording) else game.shown_value(value)


def value_at(recording: Recording, value: int) -> str:
    """A value on the tape, short."""
    game = recording.position.game
    return value_text(shown_at(recording, value), game) if is_fine(recording) else short_value(value, game)


def edge_at(recording: Recording, value: int) -> str:
    """An edge of a window on the tape, very short."""
    game = recording.position.game
    if abs(value) >= INFINITY or not is_fine(recording):
        return edge_text(value, game)
    shown = shown_at(recording, value)
    if game.has_winner and is_decided(shown):
        return f"{'+' if shown > 0 else '-'}W{SHOWN_WIN - abs(shown):.0f}"
    return number_text(shown, game)


def edge_words(recording: Recording, value: int) -> str:
    """An edge of a window, or a value that is a bound, inside a sentence. With more than two players a win or a loss is that
    of the first one's side."""
    game, shown = recording.position.game, shown_at(recording, value)
    if not game.has_winner or not is_decided(shown):
        return edge_at(recording, value)
    if game.player_count == 2:
        return as_edge(value, game)
    return f"{'a win' if shown > 0 else 'a loss'} for {side_name(recording)} at ply {SHOWN_WIN - abs(shown):.0f}"


def side_name(recording: Recording) -> str:
    """The first player, with those on the same side."""
    first = recording.position.game.players[0]
    return first if first_side(recording) == 1 else f"{first}'s side"


def window_words(recording: Recording, node: int) -> str:
    """The window of a node in words."""
    if recording.kind[node] == SAMPLED:
        games = int(recording.alpha[node])
        return f"none: {counted(games, 'game')} {'was' if games == 1 else 'were'} sampled"
    if has_numbers(recording):
        proof, disproof = number_words(recording, node)
        return f"none: proof number {proof}, disproof number {disproof}"
    if recording.algorithm.vectors and recording.values(node):
        return "none: every player looks at values of their own"
    low, high = (int(edge[node]) for edge in (recording.alpha, recording.beta))
    if low <= -INFINITY and high >= INFINITY:
        return "open: every value counts"
    words = edge_words if is_fine(recording) else _as_edge
    if low <= -INFINITY:
        return f"less than {words(recording, high)}"
    if high >= INFINITY:
        return f"more than {words(recording, low)}"
    if high - low == 1 and not is_fine(recording):
        return f"more than {words(recording, low)} or not"
    return f"{words(recording, low)} to {words(recording, high)}"


def _as_edge(recording: Recording, value: int) -> str:
    return as_edge(value, recording.position.game)


def moves_at(recording: Recording, node: int) -> tuple[int, int]:
    """How many moves there are at a node, and how many of them were searched."""
    position = position_at(recording, node)
    searched = {int(recording.move[child]) for child in recording.children(node) if recording.move[child] >= 0}
    return len(position.game.legal_moves(position.state)), len(searched)


def mover_name(recording: Recording, node: int) -> str:
    """Who moves at a node."""
    game, turn = recording.position.game, int(recording.turn[node])
    return game.nature if turn == 0 else game.players[0 if turn > 0 else -turn]


def move_in_sentence(recording: Recording, node: int) -> str:
    """The move that leads to a node, inside a sentence: a bare number would be taken for a value."""
    name = move_name(recording, node)
    return f"move {name}" if name.isdecimal() else name


def seen(recording: Recording, node: int) -> str:
    """What is known of a node: its value, or a bound where it lies outside the window."""
    return bounded(int(recording.value[node]), bound_at(recording, node), recording.position.game)


def only_one(recording: Recording, node: int) -> str:
    """How many others there were, where one random game was played."""
    legal, _ = moves_at(recording, node)
    what = "outcome" if recording.turn[node] == 0 else "move"
    return f"the only {what}" if legal == 1 else f"the only one searched of {legal} {what}s"


def terminal_words(recording: Recording, node: int) -> str:
    """How the game has ended, or what a table says of it."""
    position, value = position_at(recording, node), int(recording.value[node])
    if not position.is_over:
        return f"A table of solved positions has it: {value_words(value, position.game)}."
    worth = int(position.result) * position.turn  # a tree of proofs knows only whether that is enough
    return ended(position.game.outcome(worth), number_text(position.game.shown_value(worth), position.game), position)

"""What differs at a place of two searches, in sentences: how it was entered, what was tried, how it ended."""

from __future__ import annotations

from engines.rules import INFINITY
from engines.tape.recording import Recording
from engines.tape.tape import (
    ASIDE,
    CUT,
    EXPANDED,
    HORIZON,
    NOBODY,
    OPEN,
    PRUNED,
    QUIET,
    TABLE,
    TERMINAL,
)
from workbench.difference.alignment import Aligned, NodePair
from workbench.difference.types import REASONS, Reason
from workbench.recordings.why.nodes import (
    line_names,
    move_in_sentence,
    mover_name,
    moves_at,
    node_value,
    seen,
    window_words,
)
from workbench.recordings.why.windows import Edge, because
from workbench.render.values import counted, plies

FIRST, SECOND = "A", "B"
"""How sentences call the two searches."""


def where(both: Aligned, spot: NodePair) -> tuple[Recording, int]:
    """A search that came to a place, and its node there."""
    return (both.second, spot.second) if spot.first == NOBODY else (both.first, spot.first)


def line_to(both: Aligned, spot: NodePair) -> tuple[str, ...]:
    """The moves that lead to a place, as people read them."""
    return tuple(line_names(*where(both, spot)))


def place_sentence(both: Aligned, spot: NodePair) -> str:
    """What differs at a place."""
    if spot.first == NOBODY or spot.second == NOBODY:
        return _only_one(both, spot)
    pair = ((FIRST, both.first, spot.first), (SECOND, both.second, spot.second))
    said = [*_entered(pair), *_tried(both, spot), _ended(pair)]
    return " ".join(sentence for sentence in said if sentence)


def below_sentence(both: Aligned, spot: NodePair, reasons: list[tuple[Reason, int]]) -> str:
    """What to say of the places in a subtree where the searches part."""
    told = "; ".join(f"{REASONS[reason]} ({nodes:+,})" for reason, nodes in reasons[:2])
    count = both.places(spot)
    if not both.parts_at(spot.first):
        return f"Both searched the same moves here and parted at {counted(count, 'place')} below. Above all: {told}."
    more = f"They part at {counted(count - 1, 'more place')} below." if count > 1 else ""
    return f"{more} In all of it, above all: {told}." if more else ""


Named = tuple[str, Recording, int]


def _entered(pair: tuple[Named, Named]) -> list[str]:
    """How the place was entered, where that differs."""
    (_, first, mine), (_, second, theirs) = pair
    said = []
    if first.depth[mine] != second.depth[theirs]:
        said.append(f"{FIRST} had {plies(int(first.depth[mine]))} to go here, {SECOND} {int(second.depth[theirs])}.")
    edges = [edge for edge in ("alpha", "beta") if getattr(first, edge)[mine] != getattr(second, edge)[theirs]]
    if edges:
        words = [f"{name} asked for {_window(recording, node)}" for name, recording, node in pair]
        said.append(f"{', '.join(words)}.")
    return said


def _window(recording: Recording, node: int) -> str:
    return window_words(recording, node).replace("open: every value counts", "the value, whatever it is")


def _tried(both: Aligned, spot: NodePair) -> list[str]:
    """Trials that only one search made, and where the orders of moves differ."""
    first = [child for child in both.first.children(spot.first).tolist() if both.partner[child] == NOBODY]
    second = [child for child in both.second.children(spot.second).tolist() if both.other[child] == NOBODY]
    said = [
        f"Only {name} {_trial(recording, child)} ({counted(recording.subtree_size(child), 'node')})."
        for name, recording, lone in ((FIRST, both.first, first), (SECOND, both.second, second))
        for child in lone
        if recording.kind[child] == ASIDE
    ]
    counting = [
        [child for child in recording.children(node).tolist() if recording.kind[child] != ASIDE]
        for recording, node in ((both.first, spot.first), (both.second, spot.second))
    ]
    for number, (mine, theirs) in enumerate(zip(*counting, strict=False), 1):
        if both.partner[mine] != theirs:
            moves = move_in_sentence(both.first, mine), move_in_sentence(both.second, theirs)
            said.append(f"As move {number} {FIRST} tried {moves[0]}, {SECOND} {moves[1]}.")
            break
    return said


def _trial(recording: Recording, child: int) -> str:
    above = int(recording.parent[child])
    if recording.move[child] >= 0:
        return f"searched {move_in_sentence(recording, child)} twice, first narrower or less deep"
    if recording.turn[child] == recording.turn[above]:
        return f"made a trial of the same position with {plies(int(recording.depth[child]))} to go"
    return f"tried what comes of a pass by {mover_name(recording, above)}"


def _ended(pair: tuple[Named, Named]) -> str:
    """How the place ended in both searches."""
    first, second = (_did(recording, node) for _, recording, node in pair)
    return (
        f"{FIRST} {first}; {SECOND} {second}."
        if first != second
        else f"Both {first.replace('was stopped', 'were stopped')}."
    )


def _did(recording: Recording, node: int) -> str:
    """How a search ended at a node, and with what."""
    kind = int(recording.kind[node])
    if kind == OPEN:
        return "was stopped here"
    said = _ENDS[kind](recording, node)
    return f"{said}: {seen(recording, node)}" if node_value(recording, node) else said


def _searched(recording: Recording, node: int) -> str:
    legal, searched = moves_at(recording, node)
    if searched == legal:
        return "searched the only move" if legal == 1 else f"searched all {legal} moves"
    return f"searched {searched} of {counted(legal, 'move')}"


def _cut(recording: Recording, node: int) -> str:
    legal, searched = moves_at(recording, node)
    decider = int(recording.decider[node])
    move = move_in_sentence(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    return f"cut after {move}, move {searched} of {legal}"


def _quiet(recording: Recording, node: int) -> str:
    _, searched = moves_at(recording, node)
    return f"played {counted(searched, 'move')} out behind the horizon"


def _pruned(recording: Recording, node: int) -> str:
    if recording.algorithm.asks_rules_first:
        return "knew by the rules"
    children = recording.children(node).tolist()
    trials = [child for child in children if recording.move[child] < 0]
    if not children:
        return "gave up without a look at the moves"
    if len(trials) < len(children):
        return f"{_searched(recording, node)} and gave up the rest"
    if recording.turn[trials[-1]] != recording.turn[node]:
        return f"gave up, as even a pass by {mover_name(recording, node)} was good enough"
    return f"gave up after a trial with {plies(int(recording.depth[trials[-1]]))} to go"


_ENDS = {
    EXPANDED: _searched,
    CUT: _cut,
    QUIET: _quiet,
    PRUNED: _pruned,
    TABLE: lambda *_: "took the value from the table",
    TERMINAL: lambda *_: "saw how the game ends",
    HORIZON: lambda *_: "scored it at the horizon",
    ASIDE: lambda *_: "made a trial",
}


def _only_one(both: Aligned, spot: NodePair) -> str:
    """What to say of a subtree that only one search has."""
    name, other = (FIRST, SECOND) if spot.second == NOBODY else (SECOND, FIRST)
    recording, node = where(both, spot)
    above = int(recording.parent[node])
    if above == NOBODY:
        rest = both.second if spot.second == NOBODY else both.first
        depth = int(recording.depth[node])
        if depth in rest.depth[rest.roots()]:
            return f"Only {name} went over the root once more at depth {depth}, and asked for {_window(recording, node)}."
        return f"Only {name} searched to depth {depth}."
    if recording.kind[node] == ASIDE:
        return f"Only {name} {_trial(recording, node)}."
    parent = both.spot(above) if spot.second == NOBODY else NodePair(int(both.other[above]), above)
    instead = (both.second, parent.second) if spot.second == NOBODY else (both.first, parent.first)
    return f"Only {name} searched this: {other} {_did(*instead)}."


def because_sentences(both: Aligned, spot: NodePair) -> list[str]:
    """Where the edges of the windows come from, at a place that was searched with different ones."""
    if spot.first == NOBODY or spot.second == NOBODY:
        return []
    said = []
    edges: tuple[Edge, Edge] = ("alpha", "beta")
    for edge in edges:
        mine, theirs = int(getattr(both.first, edge)[spot.first]), int(getattr(both.second, edge)[spot.second])
        if mine == theirs:
            continue
        for name, recording, node in ((FIRST, both.first, spot.first), (SECOND, both.second, spot.second)):
            if abs(int(getattr(recording, edge)[node])) < INFINITY:
                said.append(f"In {name} {because(recording, node, edge)}.")
    return said

"""What the checks of all families share: the loop over the nodes of a recording, counts of moves, windows in words, and the
reasons that sentences give for a value that is too good or not good enough."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engines.tape.recording import Recording
from tests.examiner.grammar import MOVE, NUMBER, Rule, examine, read_number
from tests.examiner.judge import Judge
from tests.examiner.model import Node, Number
from tests.naive import games as naive
from workbench.recordings.why.nodes import node_value, window_words
from workbench.recordings.why.reasons import why

Words = Callable[[Any, Node, str], Iterator[str]]
"""Yields what is wrong with a text about a node."""


def faults_of(
    recording: Recording, judge: Any, rules: Sequence[Rule], window: Words, shown: Words | None = None
) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it. `window` and `shown`
    check the texts for a node's window and for the value in its row."""
    for node in judge.nodes:
        said = why(recording, node.row)
        for fault in examine(rules, judge, node, said):
            yield node.row, said, fault
        words = window_words(recording, node.row)
        for fault in window(judge, node, words):
            yield node.row, f"window: {words}", fault
        if shown is not None:
            value = node_value(recording, node.row)
            for fault in shown(judge, node, value):
                yield node.row, f"value: {value}", fault


# Counts of moves.

COUNTS = (
    (r"the only (?:move|outcome)|it was the only move", lambda found, node: (1, 1)),
    (r"(?:the best|any) of (\d+) moves", lambda found, node: (int(found[1]), int(found[1]))),
    (r"the only one searched of (\d+) (?:moves|outcomes)", lambda found, node: (int(found[1]), 1)),
    (r"(?:the best|any) of (\d+) searched of (\d+) moves", lambda found, node: (int(found[2]), int(found[1]))),
    (r"(\d+) of (\d+) moves not searched", lambda found, node: (int(found[2]), int(found[2]) - int(found[1]))),
    (r"no move was left anyway", lambda found, node: (node.looked_at, node.looked_at)),
)


def counted(judge: Judge, node: Node, text: str) -> Iterator[str]:
    """Check a count: `the only move`, `the best of 3 moves`, `any of 3 searched of 5 moves`, `2 of 5 moves not searched`."""
    if text == "what came next is not on the tape":
        if judge.recording.complete:
            yield "everything is on the tape"
        return
    for pattern, read in COUNTS:
        if found := re.fullmatch(pattern, text):
            legal, searched = read(found, node)
            if legal != len(node.oracle.moves()):
                yield f"there are {len(node.oracle.moves())} moves, not {legal}"
            if searched != node.looked_at:
                yield f"{node.looked_at} moves were searched, not {searched}"
            return
    yield f"nothing is known of such a count: {text!r}"


# Windows.


def because_faults(judge: Judge, node: Node, text: str, edge: str) -> Iterator[str]:
    """Check that an edge of the window has the value given and comes from the place named, and that the node's value is
    beyond it."""
    limit = node.low if edge == "alpha" else node.high
    if (edge == "alpha" and node.value > limit) or (edge == "beta" and node.value < limit):
        yield "the value is inside the window"
    for pattern, check in REASONS:
        if found := re.fullmatch(pattern, text):
            yield from check(judge, node, found, edge, limit)
            return
    yield f"nothing is known of the reason {text!r}"


def _edge(judge: Judge, text: str) -> Number:
    """The value of a window's edge in a sentence."""
    if found := re.fullmatch(r"a win for (.+?)(?: at ply (\d+))?", text):
        return (1 if found[1] == judge.players[0] else -1) * (naive.SHOWN_WIN - int(found[2] or 0))
    return read_number(text)[0]


def _only_asked(judge: Judge, node: Node, found: re.Match[str], edge: str, limit: Number) -> Iterator[str]:
    if (found[1] == "above") != (edge == "alpha"):
        yield "it is the other side of the window"
    if _edge(judge, found[2]) != limit:
        yield f"the edge is {float(limit)}"
    root = node.path[0]
    if (root.low if edge == "alpha" else root.high) != limit:
        yield "the root was asked for something else"


def _place(judge: Judge, node: Node, name: str, ply: str | None) -> Node | None:
    """The ancestor of a node that a sentence names; None if there is none."""
    for step in node.path[1:]:
        if step.name == name.removeprefix("move ") and (step.ply == int(ply) if ply else step is node):
            return step
    return None


def _window_there(judge: Judge, node: Node, found: re.Match[str], edge: str, limit: Number) -> Iterator[str]:
    """Check what a sentence says about the window at an ancestor, or about a trial search that the node belongs to."""
    if found["trial"]:
        trials = [step for step in node.path[1:-1] if step.move == found["trial"]]
        place = trials[-1] if trials else None
    else:
        place = _place(judge, node, found["here"], found["ply"])
    if place is None:
        yield "that is not on the way"
        return
    if (place.low if edge == "alpha" else place.high) != limit:
        yield "the edge is another one there"
    asked = found.groupdict().get("asked")
    yield from window_faults(judge, place, f"{asked} or not" if asked else found["window"])


def _has_already(judge: Judge, node: Node, found: re.Match[str], edge: str, limit: Number) -> Iterator[str]:
    sign = 1 if edge == "alpha" else -1
    if found["who"] != judge.players[0 if sign > 0 else 1]:
        yield "that is the other player"
    place = _place(judge, node, found["here"], found["ply"])
    if place is None or place.above is None:
        yield f"{found['here']} is not on the way"
        return
    said = found["gets"] or found["holds"]
    value: Number = read_number(said)[0] if said else naive.SHOWN_WIN - int(found["wins"] or found["until"] or 0)
    if not said:
        value *= sign if "already wins" in found[0] else -sign
    if value != limit:
        yield f"the edge is {float(limit)}"
    earlier = [
        one for one in place.above.counting if one.name == found["move"].removeprefix("move ") and one.row < place.row
    ]
    if not earlier:
        yield f"{found['move']} was not searched before"
    elif not any((judge.known(one)[0] >= limit if sign > 0 else judge.known(one)[1] <= limit) for one in earlier):
        yield f"{found['move']} does not give that"
    else:
        true = judge.true(earlier[-1])
        if true is not None and not (true >= limit if sign > 0 else true <= limit):
            yield f"{found['move']} does not give that in truth"


HERE = rf"(?P<here>{MOVE})(?: at ply (?P<ply>\d+))?"
WHERE = rf"(?:at {HERE}|in the (?P<trial>trial|pass) above)"
REASONS = (
    (r"the search only asked about values (above|below) (.+)", _only_asked),
    (rf"{WHERE} the only question was whether it is (?P<asked>more than .+)", _window_there),
    (rf"{WHERE} only (?P<window>.+) counts", _window_there),
    (
        r"(?P<who>.+?) (?:already wins(?: at ply (?P<wins>\d+))?|can already hold out until ply (?P<until>\d+)|"
        r"(?P<same>does no worse)|"
        rf"can already (?:get (?P<gets>{NUMBER})|hold it to (?P<holds>{NUMBER}))) with (?P<move>{MOVE}) instead of {HERE}",
        _has_already,
    ),
)


def window_faults(judge: Judge, node: Node, text: str) -> Iterator[str]:
    """Yield what is wrong with a window in words."""
    low: Number = -math.inf
    high: Number = math.inf
    if text == "open: every value counts":
        pass
    elif found := re.fullmatch(r"more than (.+) or not", text):
        low = _edge(judge, found[1])
        high = node.high  # the next step above, whose size depends on the game
        if not 0 < node.high - node.low <= 1:
            yield "the window is wider than a step"
    elif found := re.fullmatch(r"less than (.+)", text):
        high = _edge(judge, found[1])
    elif found := re.fullmatch(r"more than (.+)", text):
        low = _edge(judge, found[1])
    elif found := re.fullmatch(r"(.+) to (.+)", text):
        low, high = _edge(judge, found[1]), _edge(judge, found[2])
    else:
        yield f"nothing is known of such a window: {text}"
        return
    if (low, high) != (node.low, node.high):
        yield f"the window is {float(node.low)} to {float(node.high)}, not {text}"

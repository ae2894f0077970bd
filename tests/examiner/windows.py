"""Windows in words, and the reasons that sentences give for a value that is too good, or not good enough."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from tests import naive
from tests.examiner.grammar import MOVE, NUMBER, read_number
from tests.examiner.judge import Judge
from tests.examiner.model import Node, Number


def because_faults(judge: Judge, node: Node, text: str, edge: str) -> Iterator[str]:
    """Whether the edge of the window is what is told, where it is told to come from, and whether the value is beyond."""
    limit = node.low if edge == "alpha" else node.high
    if (edge == "alpha" and node.value > limit) or (edge == "beta" and node.value < limit):
        yield "the value is inside the window"
    for pattern, check in REASONS:
        if found := re.fullmatch(pattern, text):
            yield from check(judge, node, found, edge, limit)
            return
    yield f"nothing is known of the reason {text!r}"


def _edge(judge: Judge, text: str) -> Number:
    """An edge of a window in a sentence."""
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
    """The node on the way to this one that a sentence speaks of."""
    for step in node.path[1:]:
        if step.name == name.removeprefix("move ") and (step.ply == int(ply) if ply else step is node):
            return step
    return None


def _window_there(judge: Judge, node: Node, found: re.Match[str], edge: str, limit: Number) -> Iterator[str]:
    """What counts at a move on the way, or in a trial that everything here belongs to."""
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
    (rf"{WHERE} it was only asked if it is (?P<asked>more than .+)", _window_there),
    (rf"{WHERE} only (?P<window>.+) counts", _window_there),
    (
        r"(?P<who>.+?) (?:already wins(?: at ply (?P<wins>\d+))?|can already hold out until ply (?P<until>\d+)|"
        r"(?P<same>does no worse)|"
        rf"can already (?:get (?P<gets>{NUMBER})|hold it to (?P<holds>{NUMBER}))) with (?P<move>{MOVE}) instead of {HERE}",
        _has_already,
    ),
)


def window_faults(judge: Judge, node: Node, text: str) -> Iterator[str]:
    """What is wrong with a window in words."""
    low: Number = -math.inf
    high: Number = math.inf
    if text == "open: every value counts":
        pass
    elif found := re.fullmatch(r"more than (.+) or not", text):
        low = _edge(judge, found[1])
        high = node.high  # a step above, whatever a step is
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

"""What is said at every event of alpha-beta on the two textbook trees, written out in `explained/`, as a person checked it.

And what any sentence about an event claims holds on random trees: the numbers in it are those of the search."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import Limit
from tests.engines.tape.test_events import TEXTBOOK, recorded
from tests.workbench.watch.test_tape_trace import COURSE
from workbench.watch.tape_moment import TapeMoment
from workbench.watch.tape_trace import TapeTrace

EXPLAINED = Path(__file__).parent / "explained"
VALUE = re.compile(r"[+-]?\d+")


@pytest.mark.parametrize(("name", "text", "depth"), [("textbook", TEXTBOOK, 2), ("course", COURSE, 3)])
def test_every_event_is_explained(name: str, text: str, depth: int) -> None:
    trace = TapeTrace(recorded(text, "tree", "alphabeta", Limit(depth=depth)))
    moments = [trace.moment(at) for at in range(1, len(trace) + 1)]
    said = [f"{moment.event.kind if moment.event else ''}: {moment.sentence()}" for moment in moments]
    assert said == (EXPLAINED / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def written(tree: object) -> str:
    return str(tree) if isinstance(tree, int) else f"({' '.join(map(written, tree))})"  # type: ignore[call-overload]


LEAVES = st.integers(-9, 20)
TREES = st.lists(st.lists(LEAVES, min_size=1, max_size=3), min_size=1, max_size=3)


@given(st.lists(TREES, min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_the_numbers_in_a_sentence_are_those_of_the_search(tree: list[list[list[int]]]) -> None:
    trace = TapeTrace(recorded(written(tree), "tree", "alphabeta", Limit(depth=3)))
    for at in range(1, len(trace) + 1):
        moment = trace.moment(at)
        assert isinstance(moment, TapeMoment)
        assert moment.event is not None
        event, sentence = moment.event, moment.sentence()
        if event.kind == "returned" and event.child is not None:
            assert int(VALUE.findall(sentence.partition("comes back with")[2])[0]) == moment.recording.value[event.child]
            best = moment.best(event.node)
            assert (
                ("better for" in sentence and "no better" not in sentence)
                or "as it is the first" in sentence
                or (best != event.child)
            ), sentence
        if event.kind == "raised":
            low, high = moment.window(event.node)
            name, edge = ("Alpha", low) if moment.recording.turn[event.node] > 0 else ("Beta", high)
            assert sentence.startswith(name)
            assert f"to {edge:+d}:" in sentence or (edge == 0 and "to 0:" in sentence), sentence
        if event.kind == "cut":
            low, high = moment.window(event.node)
            assert low >= high
            assert sentence.startswith("Cut: ")

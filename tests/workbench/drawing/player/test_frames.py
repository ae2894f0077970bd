"""The data of a page says at every event what the trace says."""

from __future__ import annotations

from typing import Any

import pytest

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from tests.engines.tape.test_events import PAIRS, TEXTBOOK, recorded, small
from tests.workbench.drawing.player.reader import Read, moments_of
from workbench.drawing.player.excerpt import Excerpt, excerpt
from workbench.drawing.player.frames import Frames
from workbench.watch.open import trace_of
from workbench.watch.steps import step_line
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.trace import Trace

COURSE = "(((4 8) (9 7)) ((2 -2) (5 6)))"
ROUNDABOUT = (
    'graph = {start = "A", targets = ["T"], nodes = {A = {owner = "max", to = ["B", "C"]}, B = {owner = "min", '
    'to = ["A", "T"]}, C = {owner = "min", to = ["D", "T"]}, D = {owner = "max", to = ["T", "B"]}, T = {}}}'
)
TREES = [
    (COURSE, "minimax", 3),
    (COURSE, "alphabeta", 3),
    (COURSE, "mtdf", 3),
    (COURSE, "deepening", 3),
    (TEXTBOOK, "pvs", 1),
    ("(A[0.5:(2 4) 0.5:(7 5)] B[0.5:(6 0) 0.5:(5 -2)])", "expectiminimax", 4),
    ("(A[0.5:(3 5) 0.5:(4 6)] B[0.25:(2 9) 0.25:(3 1) 0.5:(1 8)])", "star2", 4),
    ("((<6 1 1> <1 5 5>) (<4 3 3> <2 4 2>))", "maxn", 2),
]
MOST = 500
"""So many events are compared."""


def compared(trace: Trace, algorithm: str, part: Excerpt) -> tuple[Frames, list[Read], dict[str, Any]]:
    """Compare all that the page has of each moment with the trace."""
    found = catalog.algorithm(algorithm)
    frames = Frames(trace, found, part)
    data = frames.written()
    read = moments_of(data)
    assert len(read) == part.last - part.first + 1
    for at, moment in enumerate(read, part.first):
        said = trace.moment(at)
        looks = tuple(said.look(node) for node in frames.order)
        wrong = [(frames.order[n], a, b) for n, (a, b) in enumerate(zip(moment.looks, looks, strict=True)) if a != b]
        assert not wrong, f"after {at} events"
        assert frames.order[moment.here] == said.here
        assert tuple(frames.order[node] for node in moment.line) == said.line
        assert moment.sentence == said.sentence()
        assert moment.variables == tuple(map(tuple, said.variables()))
        assert moment.visited == trace.visited(at)
        assert moment.step == (-1 if (line := step_line(found, said.steps())) is None else line)
    return frames, read, data


@pytest.mark.parametrize(("text", "algorithm", "depth"), TREES)
def test_typed_trees_are_as_the_trace_says(text: str, algorithm: str, depth: int) -> None:
    trace = TapeTrace(recorded(text, "tree", algorithm, Limit(depth=depth)))
    frames, read, _ = compared(trace, algorithm, excerpt(len(trace)))
    roots = [node for node in frames.order if trace.parent(node) is None]
    assert roots == [int(root) for root in trace.recording.roots()]
    last = trace.moment(len(trace)).path[0]
    assert read[-1].looks[frames.numbers[last]].value == trace.moment(len(trace)).look(last).value


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_every_kind_of_search_is_as_its_trace_says(game: str, algorithm: str) -> None:
    recording = small(game, algorithm)
    trace = trace_of(recording.report, recording)
    part = excerpt(len(trace), most=MOST)
    frames, _, data = compared(trace, algorithm, part)
    for number, node in enumerate(frames.order):
        above = trace.parent(node)
        assert data["nodes"]["parent"][number] == (-1 if above is None else frames.numbers[above])
        assert above is None or frames.numbers[above] < number
    if part.is_whole:
        for node in frames.order:
            drawn = [one for one in frames.order if trace.parent(one) == node]
            assert drawn == list(trace.children(node)), "all children are drawn, from left to right"


@pytest.mark.parametrize("text", [ROUNDABOUT, ROUNDABOUT.replace('["T"], ', '{max = ["T"], min = ["B"]}, ')])
def test_a_graph_is_as_its_trace_says(text: str) -> None:
    search = Search(catalog.position(text, "graph"), catalog.algorithm("attractor"), Limit())
    trace = trace_of(search.run_here().report())
    _, _, data = compared(trace, "attractor", excerpt(len(trace)))
    assert sorted(node for row in data["layers"]["rows"] for node in row) == list(range(5))
    assert len(data["layers"]["to"]) == 5


def test_a_graph_that_is_too_large_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.drawing.player.frames.MOST_GRAPH", 4)
    search = Search(catalog.position(ROUNDABOUT, "graph"), catalog.algorithm("attractor"), Limit())
    trace = trace_of(search.run_here().report())
    with pytest.raises(InputError, match="This graph has 5 nodes; a page has room for 4"):
        Frames(trace, catalog.algorithm("attractor"), excerpt(len(trace)))


@pytest.mark.parametrize(("around", "first", "last"), [(None, 0, 40), (100, 80, 120), (3, 0, 40), (10_000, 0, 0)])
def test_a_part_of_a_search_is_as_the_trace_says(around: int | None, first: int, last: int) -> None:
    trace = TapeTrace(small("tictactoe", "alphabeta"))
    part = excerpt(len(trace), around, most=40)
    assert part.last - part.first == 40
    if last:
        assert (part.first, part.last) == (first, last)
    else:
        assert part.last == len(trace)
    frames, _, _ = compared(trace, "alphabeta", part)
    assert sum(isinstance(node, int) for node in frames.order) <= len(trace.recording)


def test_what_is_left_out_is_said() -> None:
    assert excerpt(40).words() == ""
    assert excerpt(5_000, most=40).words() == "This search has 5,000 events; the first 40 are played back here."
    assert excerpt(5_000, 2_500, 40).words() == "This search has 5,000 events; number 2,481 to 2,520 are played back here."

"""The trace of a recorded depth-first search: exact at every event, forward and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import Limit
from engines.tape.tape import OPEN
from tests.engines.tape.test_events import PAIRS, TEXTBOOK, recorded, small
from workbench.recordings.why.nodes import node_value
from workbench.watch.layout import Layout
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.trace import Look, Moment, Node, Unsearched
from workbench.watch.view import TreeView

COURSE = "(((4 8) (9 7)) ((2 -2) (5 6)))"


def all_nodes(trace: TapeTrace, node: Node) -> list[Node]:
    return [node, *(below for child in trace.children(node) for below in all_nodes(trace, child))]


def seen(trace: TapeTrace, moment: Moment, nodes: list[Node]) -> tuple[Look, ...]:
    return tuple(moment.look(node) for node in nodes)


@pytest.mark.parametrize("text", [TEXTBOOK, COURSE])
@pytest.mark.parametrize("algorithm", ["minimax", "negamax", "alphabeta", "deepening", "pvs", "mtdf"])
def test_stepping_back_is_exact(text: str, algorithm: str) -> None:
    trace = TapeTrace(recorded(text, "tree", algorithm, Limit(depth=3)))
    nodes = all_nodes(trace, 0)
    forward = [seen(trace, trace.moment(at), nodes) for at in range(len(trace) + 1)]
    back = [seen(trace, trace.moment(at), nodes) for at in reversed(range(len(trace) + 1))]
    assert forward == back[::-1]
    if len(trace.recording.roots()) == 1:
        assert len(set(forward)) > len(trace) / 2, "nearly every event is seen in the tree"


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_at_the_end_every_node_has_the_value_of_the_tape(game: str, algorithm: str) -> None:
    recording = small(game, algorithm)
    trace = TapeTrace(recording)
    moment = trace.moment(len(trace))
    for node in range(min(len(recording), 300)):
        look = moment.look(node)
        assert look.stage == ("open" if recording.kind[node] == OPEN else "done")
        if look.stage == "done":
            assert look.value.replace(" ", "").replace("+", "") == node_value(recording, node).replace(" ", "").replace(
                "+", ""
            )
        assert moment.sentence()
        assert trace.moment(trace.moment_of(node)).here == node


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_the_path_is_always_drawn_and_nothing_overlaps(game: str, algorithm: str) -> None:
    trace = TapeTrace(small(game, algorithm))
    for at in range(0, len(trace) + 1, max(1, len(trace) // 12)):
        moment = trace.moment(at)
        assert moment.variables() or at == 0
        for width, height in ((44, 11), (78, 14), (150, 40)):
            view = TreeView(trace, moment, width, height)
            lines = view.lines()
            assert [line.cell_len for line in lines] == [width] * height
            drawn = {spot.box.node for spot in view.spots}
            assert set(moment.path[view.drawing.hidden :]) <= drawn
            ends: dict[int, int] = {}
            for spot in sorted(view.spots, key=lambda one: (one.line, one.first)):
                assert spot.first >= ends.get(spot.line, -1), "two nodes share a column"
                assert spot.last <= width
                ends[spot.line] = spot.last


def test_a_small_tree_stands_still() -> None:
    trace = TapeTrace(recorded(TEXTBOOK, "tree", "alphabeta", Limit(depth=2)))
    places = {
        tuple((box.node, box.x, box.level) for box in Layout(trace, trace.moment(at), 76, 4).drawing().boxes())
        for at in range(len(trace) + 1)
    }
    assert len(places) == 1


def test_what_was_never_searched_is_drawn_and_crossed() -> None:
    trace = TapeTrace(recorded(TEXTBOOK, "tree", "alphabeta", Limit(depth=2)))
    second = trace.children(0)[1]
    assert trace.children(second)[1:] == [Unsearched(second, 1), Unsearched(second, 2)]
    cut = trace.next_of(["cut"], 0, 1)
    assert cut is not None
    before, after = trace.moment(cut - 1), trace.moment(cut)
    assert before.look(Unsearched(second, 1)).stage == "ahead"
    assert after.look(Unsearched(second, 1)).stage == "never"
    assert (before.look(second).is_cut, after.look(second).is_cut) == (False, True)
    assert (after.look(Unsearched(second, 1)).value, after.look(Unsearched(second, 2)).value) == ("4", "6")


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_forward_and_back_is_the_identity(data: st.DataObject) -> None:
    game, algorithm = data.draw(st.sampled_from([pair for pair in PAIRS if pair[0] in ("tictactoe", "tree", "connect4")]))
    trace = TapeTrace(small(game, algorithm))
    at = data.draw(st.integers(0, len(trace)))
    steps = data.draw(st.integers(0, len(trace) - at))
    first, away, again = trace.moment(at), trace.moment(at + steps), trace.moment(at + steps - steps)
    assert away.at == at + steps
    nodes: list[Node] = list(range(min(60, len(trace.recording))))
    assert seen(trace, first, nodes) == seen(trace, again, nodes)
    assert (first.sentence(), first.variables(), first.path) == (again.sentence(), again.variables(), again.path)


def test_places_are_found() -> None:
    trace = TapeTrace(recorded(TEXTBOOK, "tree", "alphabeta", Limit(depth=2)))
    cuts = [at for at in range(1, len(trace) + 1) if trace.happening(at - 1).kind == "cut"]
    assert (trace.next_of(["cut"], 0, 1), trace.next_of(["cut"], cuts[0], 1)) == (cuts[0], cuts[1])
    assert (trace.next_of(["cut"], cuts[1], -1), trace.next_of(["cut"], cuts[0], -1)) == (cuts[0], None)
    assert [trace.visited(trace.moment_of_visit(count)) for count in range(1, 12)] == list(range(1, 12))
    assert catalog.algorithm("alphabeta").records

"""The attractor, watched layer by layer, and the graphs that are drawn of it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit, Report
from engines.run.search import Search
from tests.engines.tape.test_events import PAIRS, recorded
from workbench.watch.kinds import can_be_watched, needs_recording
from workbench.watch.layers.graph_layout import GraphLayout
from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace
from workbench.watch.layers.view import GraphView
from workbench.watch.open import trace_of
from workbench.watch.panels import view_of
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.view import TreeView

COURSE = "(((4 8) (9 7)) ((2 -2) (5 6)))"
FORTRESS = (
    'graph = {start = "A", targets = ["T"], nodes = {A = {owner = "max", to = ["B", "T"]}, '
    'B = {owner = "min", to = ["A", "C"]}, C = {owner = "min", to = ["C", "B"]}, T = {}}}'
)


def solved(text: str, game: str = "graph", depth: int | None = None) -> tuple[LayerTrace, Report]:
    position, algorithm = catalog.position(text, game), catalog.algorithm("attractor")
    report = Search(position, algorithm, Limit(depth=depth)).run_here().report()
    trace = trace_of(report)
    assert isinstance(trace, LayerTrace)
    return trace, report


def random_graph(seed: int, size: int = 14, edges: int = 3) -> str:
    choose = random.Random(seed)
    rows = []
    for node in range(size):
        to = sorted(choose.sample(range(size), choose.randint(1, edges)))
        owner = choose.choice(("max", "min"))
        rows.append(f'n{node} = {{owner = "{owner}", to = [{", ".join(f"{chr(34)}n{one}{chr(34)}" for one in to)}]}}')
    wanted = choose.choice(('["n0"]', '{max = ["n0"], min = ["n1", "n2"]}', '{min = ["n3"]}'))
    return f'graph = {{start = "n{size - 1}", targets = {wanted}, nodes = {{{", ".join(rows)}}}}}'


def moments(trace: LayerTrace) -> list[LayerMoment]:
    return [trace.moment(at) for at in range(len(trace) + 1)]


@pytest.mark.parametrize("seed", range(25))
def test_every_node_joins_the_layer_that_the_search_reports(seed: int) -> None:
    trace, report = solved(random_graph(seed))
    end = trace.moment(len(trace))
    assert len(report.regions) == len(trace.successors)
    for node, row in enumerate(report.regions):
        assert (row.node, row.layer) == (trace.name(node), trace.layer(node))
        assert end.is_known(node) == (row.layer is not None)
    assert len(trace.layers) == 1 + max((row.layer or 0) for row in report.regions)


@pytest.mark.parametrize("seed", range(25))
def test_every_reason_holds_when_it_is_given(seed: int) -> None:
    trace, _ = solved(random_graph(seed))
    for moment in moments(trace)[1:]:
        event = moment.event
        assert event is not None
        assert moment.sentence().endswith(".")
        if event.kind not in ("one edge", "all edges"):
            continue
        before = trace.moment(trace.next_of(["layer"], moment.at, -1) or 0)
        winner = trace.known.winner[event.node]
        reached = [before.is_known(to) and trace.known.winner[to] == winner for to in trace.successors[event.node]]
        decides = trace.owner(event.node) == winner
        assert event.kind == ("one edge" if decides else "all edges")
        assert any(reached) if decides else all(reached)
        assert event.child in trace.successors[event.node]
        assert event.child is not None
        assert trace.layer(event.child) == moment.layer - 1


@given(st.integers(0, 40), st.data())
@settings(max_examples=30, deadline=None)
def test_forward_and_back_is_the_identity(seed: int, data: st.DataObject) -> None:
    trace, _ = solved(random_graph(seed))
    at = data.draw(st.integers(0, len(trace)))
    steps = data.draw(st.integers(0, len(trace) - at))
    nodes = range(len(trace.successors))
    first = trace.moment(at)
    looks = [first.look(node) for node in nodes]
    trace.moment(at + steps).sentence()
    again = trace.moment(at + steps - steps)
    assert looks == [again.look(node) for node in nodes]
    assert (first.sentence(), first.variables(), first.line) == (again.sentence(), again.variables(), again.line)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [(44, 11), (78, 14), (150, 40)])
def test_what_happens_is_drawn_and_nothing_overlaps(seed: int, size: tuple[int, int]) -> None:
    trace, _ = solved(random_graph(seed, size=30 if seed % 2 else 12))
    for moment in moments(trace)[:: max(1, len(trace) // 8)]:
        view = view_of(trace, moment, *size)
        assert isinstance(view, GraphView)
        assert [line.cell_len for line in view.lines()] == [size[0]] * size[1]
        if moment.event is not None and moment.event.kind != "ended":
            assert moment.here in {spot.box.node for spot in view.spots}
        ends: dict[int, int] = {}
        for spot in sorted(view.spots, key=lambda one: (one.line, one.first)):
            assert spot.first > ends.get(spot.line, -1), "two nodes share a column"
            assert spot.last <= size[0]
            ends[spot.line] = spot.last
            assert spot.box.node is None or view.node_at(spot.first, spot.line) == spot.box.node


@pytest.mark.parametrize("seed", range(12))
def test_lines_of_edges_cross_and_never_join(seed: int) -> None:
    trace, _ = solved(random_graph(seed, size=20))
    drawing = GraphLayout(trace, trace.moment(len(trace)), 140, 60).drawing()
    across: dict[tuple[int, int], tuple[int, int]] = {}
    for edge in drawing.edges:
        assert trace.layer(edge.node) is None or trace.layer(edge.to) == (trace.layer(edge.node) or 0) - 1
        columns = {edge.corners[0][0], edge.corners[-1][0]}
        low, high = (
            next(box for box in drawing.boxes if box.node == edge.node),
            next(box for box in drawing.boxes if box.node == edge.to),
        )
        assert low.x <= edge.corners[0][0] <= low.last
        assert high.x <= edge.corners[-1][0] <= high.last
        row = drawing.lines[low.row]
        for other in drawing.edges:
            if other is not edge and drawing.lines[next(b.row for b in drawing.boxes if b.node == other.node)] == row:
                assert not columns & {other.corners[0][0], other.corners[-1][0]}, "two edges share a column"
        (first, y), (last, _) = edge.corners[1], edge.corners[2]
        for x in range(min(first, last), max(first, last) + 1) if first != last else ():
            assert (x, y) not in across, "two edges share a line"
            across[x, y] = (edge.node, edge.to)


def test_every_edge_is_drawn_or_named_beside_its_node() -> None:
    trace, _ = solved(random_graph(3, size=10, edges=2))
    drawing = GraphLayout(trace, trace.moment(len(trace)), 160, 60).drawing()
    drawn = {(edge.node, edge.to) for edge in drawing.edges}
    for box in drawing.boxes:
        assert box.node is not None
        for to in trace.successors[box.node]:
            assert (box.node, to) in drawn or f"{trace.name(to)}" in box.beside


def test_a_graph_is_drawn_layer_by_layer() -> None:
    trace, _ = solved("startpos")
    lines = [line.plain.rstrip() for line in GraphView(trace, trace.moment(len(trace)), 40, 10).lines()]
    assert "\n".join(line for line in lines if line) == "\n".join(
        (
            "layer 0                ★T 0",
            "                        ┃",
            "layer 1              △D 1 ↓B",
            "                        ┃",
            "layer 2              ▽C 2 ↑T",
            "                        ┃",
            "layer 3             ▶△A 3 ↓B",
            "                        ┃",
            "layer 4              ▽B 4 ↑T",
        )
    )


def test_the_sentences_of_the_roundabout() -> None:
    trace, _ = solved("startpos")
    assert [moment.sentence() for moment in moments(trace)] == [
        "Nothing has happened yet: a step forward takes the nodes where the game ends.",
        "Layer 0: the nodes where the game ends.",
        "T: the target is reached. MAX wins, with no move left to make: layer 0.",
        "Layer 1 begins: the edges that lead into layer 0 are followed backwards.",
        "D joins layer 1: MAX decides there, and the edge to T, which is in layer 0, is enough.",
        "Layer 2 begins: the edges that lead into layer 1 are followed backwards.",
        "C joins layer 2: MIN decides there, but all edges (D and T) lead into the layers so far, where MAX wins.",
        "Layer 3 begins: the edges that lead into layer 2 are followed backwards.",
        "A joins layer 3: MAX decides there, and the edge to C, which is in layer 2, is enough.",
        "Layer 4 begins: the edges that lead into layer 3 are followed backwards.",
        "B joins layer 4: MIN decides there, but all edges (A and T) lead into the layers so far, where MAX wins.",
        "Nothing is added any more. Every node is in a layer.",
    ]


def test_what_is_left_over_is_told() -> None:
    trace, _ = solved(FORTRESS)
    end = trace.moment(len(trace))
    assert end.sentence() == (
        "Nothing is added any more. 2 nodes are in no layer (B and C): from there MAX can never force the play to a target, "
        "and MIN wins."
    )
    assert [end.look(node).value for node in range(4)] == ["1", "∞", "∞", "0"]
    assert any("no layer" in line.plain for line in GraphView(trace, end, 60, 12).lines())


def test_a_typed_tree_is_drawn_as_a_tree() -> None:
    trace, report = solved(COURSE, "tree")
    end = trace.moment(len(trace))
    assert isinstance(view_of(trace, end, 80, 20), TreeView)
    assert float(end.look(trace.root).value) == report.value
    assert end.line[0] == trace.root
    said = [moment.sentence() for moment in moments(trace)]
    assert "#4 is worth 8: behind it are 4 and 8, all known now, and MAX takes the largest." in said


def test_a_limit_in_depth_is_one_in_layers() -> None:
    trace, _ = solved("startpos", depth=2)
    assert [len(layer) for layer in trace.layers] == [1, 1, 1]
    assert not trace.has_ended


# Opening a search of any kind.


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_whatever_was_recorded_can_be_watched(game: str, algorithm: str) -> None:
    found = catalog.algorithm(algorithm)
    recording = recorded("startpos", game, algorithm, Limit(iterations=40) if found.iterates else Limit(depth=2))
    trace = trace_of(recording.report, recording)
    assert can_be_watched(found)
    assert isinstance(trace, TapeTrace) == needs_recording(found)
    moment = trace.moment(len(trace) // 2)
    assert moment.sentence()
    assert len(view_of(trace, moment, 80, 20).lines()) == 20


def test_what_was_not_recorded_says_so() -> None:
    report = recorded(COURSE, "tree", "alphabeta", Limit(depth=3)).report
    with pytest.raises(InputError, match="This search was not recorded"):
        trace_of(report)
    nested = Search(catalog.position("startpos", "samegame"), catalog.algorithm("nested"), Limit(iterations=1)).run_here()
    assert not can_be_watched(catalog.algorithm("nested"))
    with pytest.raises(InputError, match="nested keeps no tree"):
        trace_of(nested.report())

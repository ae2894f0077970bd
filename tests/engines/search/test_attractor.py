"""Attractors against the definition, on random graphs with circles; and graphs as games."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit, Report
from engines.game import FOREVER, SHOWN_WIN
from engines.run.search import Search
from positions import library
from tests.engines import checks
from tests.naive.graphs import NaiveGraph, random_graph
from tests.thorough import LONG, examples

KINDS = ("one", "both", "gains")
PLAYERS = {1: "first", -1: "second", 0: "draw"}


def attracted(text: str, depth: int | None = None) -> Report:
    return Search(catalog.position(text, "graph"), catalog.algorithm("attractor"), Limit(depth=depth)).run_here().report()


def agrees(graph: NaiveGraph, start: int) -> None:
    """Winner, rank, strategy and value of every node are what the definition says."""
    if not graph.edges[start] or graph.wanted[start]:
        return
    report = attracted(graph.text(start))
    rows = {row.node: row for row in report.regions}
    assert report.exact
    assert report.stopped_by == "solved"
    if not any(graph.wanted):
        assert {name: row.value for name, row in rows.items()} == {
            f"n{node}": graph.value(node) for node in range(len(graph.edges))
        }
        assert report.value == graph.value(start)
        return
    won, ends = graph.won(), graph.ends()
    endless = 0 if len({whose for whose in graph.wanted if whose}) == 2 else -next(whose for whose in graph.wanted if whose)
    for node, edges in enumerate(graph.edges):
        row = rows[f"n{node}"]
        whose, moves = won.get(node, (endless, None))
        assert (row.winner, row.layer) == (PLAYERS[whose], moves)
        if node in ends or not edges:
            continue
        assert row.move is not None
        behind = int(row.move[1:])
        assert behind in edges
        after = won.get(behind, (endless, None))
        if whose == graph.owners[node] and moves is not None:
            assert after == (whose, moves - 1)  # the winner comes one layer nearer with every move
        elif moves is not None:
            assert after == (whose, max(won[one][1] for one in edges))  # the loser resists as long as can be
        else:
            assert after[1] is None or graph.owners[node] != endless or endless == 0
            assert behind not in won or after[0] != -graph.owners[node]  # nobody walks into a loss
    assert report.outcome == PLAYERS[won.get(start, (endless, 0))[0]]
    assert report.distance == (won[start][1] if start in won and won[start][0] else None)


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_every_node_is_what_the_definition_says(kind: str, data: st.DataObject) -> None:
    agrees(random_graph(lambda low, high: data.draw(st.integers(low, high)), kind), 0)


@pytest.mark.parametrize("kind", KINDS)
def test_many_random_graphs(kind: str) -> None:
    random = Random(kind)
    for _ in range(2000 if LONG else examples(170)):
        graph = random_graph(random.randint, kind)
        agrees(graph, random.randrange(len(graph.edges)))


@pytest.mark.plain
def test_layers_grow_one_by_one() -> None:
    """What is known after so many layers is exactly what is no further from the end."""
    whole = attracted("startpos")
    for depth in range(5):
        part = attracted("startpos", depth)
        for row, known in zip(whole.regions, part.regions, strict=True):
            assert known.layer == (row.layer if row.layer is not None and row.layer <= depth else None)
        assert part.depth == depth
        assert part.exact == (depth >= 3)
    assert [row.depth for row in whole.depths] == [0, 1, 2, 3, 4]
    assert [row.value for row in whole.depths] == [0, 0, 0, 999_997, 999_997]


@pytest.mark.plain
def test_who_never_gets_there_has_lost() -> None:
    report = attracted(library.get("graph/for-ever").notation)
    assert (report.outcome, report.distance, report.exact) == ("second", None, True)
    assert report.value == -(SHOWN_WIN - FOREVER)
    assert {row.node for row in report.regions if row.layer is None} == {"A", "B", "C"}


@pytest.mark.plain
@pytest.mark.parametrize("entry", [one for one in library.entries().values() if one.game == "graph"], ids=lambda one: one.id)
def test_the_library_says_true_things(entry: library.Entry) -> None:
    report = attracted(entry.notation)
    assert (report.outcome, report.distance) == (entry.outcome, entry.distance)
    if entry.value is not None:
        assert report.value == entry.value
    if entry.best:
        assert report.best_move in entry.best


@pytest.mark.plain
def test_a_typed_tree_from_the_bottom_up() -> None:
    position = catalog.position("((3 12 8) (2 4 6) (14 5 2))", "tree")
    report = checks.run(position, "attractor")
    assert (report.value, report.best_move, report.depth, report.exact) == (3, "1", 2, True)
    assert [row.value for row in report.regions[:4]] == [3, 3, 2, 2]


@given(data=st.data())
def test_searches_find_what_is_attracted(data: st.DataObject) -> None:
    """Minimax as deep as the graph is large finds exactly the wins that can be forced."""
    graph = random_graph(lambda low, high: data.draw(st.integers(low, high)), "one")
    if not graph.edges[0] or graph.wanted[0]:
        return
    position, won = catalog.position(graph.text(0), "graph"), graph.won()
    report = checks.run(position, "minimax", depth=7)
    if 0 in won and won[0][1] <= 7:
        assert (report.outcome, report.distance) == (PLAYERS[won[0][0]], won[0][1])
    else:
        assert report.outcome is None or report.exact


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nodes = [", "TOML"),
        ("x = 1", "not 'x'"),
        ("nodes = {}", "needs nodes"),
        ("nodes = {A = 1}", "a node is written"),
        ('nodes = {A = {to = ["B"]}}', "leads to 'B'"),
        ('nodes = {A = {to = ["A"]}}', "owner at node 'A'"),
        ('nodes = {A = {owner = "max", to = ["A", "A"]}}', "twice"),
        ('nodes = {A = {owner = "max", to = ["A"], gain = 1}}', "no edge leads on"),
        ("nodes = {A = {gain = 1e99}}", "up to"),
        ('nodes = {A = {gain = "x"}}', "not a number"),
        ('nodes = {A = {colour = "red"}}', "not 'colour'"),
        ('nodes = {"a b" = {}}', "no blanks"),
        ('start = "Z"\nnodes = {A = {}}', "not one of its nodes"),
        ('targets = ["Z"]\nnodes = {A = {}}', "target 'Z'"),
        ('targets = {max = ["A"], min = ["A"]}\nnodes = {A = {}}', "both"),
        ("targets = 3\nnodes = {A = {}}", "a list"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        catalog.position(text, "graph")
    assert checks.is_sentence(str(caught.value))


@pytest.mark.plain
def test_circles_without_targets_have_no_values() -> None:
    position = catalog.position('nodes = {A = {owner = "max", to = ["A", "B"]}, B = {gain = 1}}', "graph")
    with pytest.raises(InputError, match="goes round in circles through A"):
        Search(position, catalog.algorithm("attractor"))


@pytest.mark.plain
@given(data=st.data())
def test_graphs_are_written_as_they_are_read(data: st.DataObject) -> None:
    graph = random_graph(lambda low, high: data.draw(st.integers(low, high)), data.draw(st.sampled_from(KINDS)))
    position = catalog.position(graph.text(data.draw(st.integers(0, len(graph.edges) - 1))), "graph")
    again = catalog.position(position.text, "graph")
    assert again.text == position.text
    assert again.state == position.state
    assert position.game.diagram(position.state)
    if not position.is_over:
        checks.reads_back(position.play(position.game.legal_moves(position.state)[0]))

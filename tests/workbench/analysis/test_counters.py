"""The counters of a search as they are shown: those of a depth are its own, and what is not measured is not claimed."""

from __future__ import annotations

import dataclasses
from time import monotonic, sleep

import pytest
from msgspec import structs

from engines import catalog
from engines.contract import Limit
from workbench.analysis.desk import Desk
from workbench.analysis.panels.counters import counted_of, counter_cells, table_of
from workbench.analysis.panels.status import short_limit
from workbench.render.style import rate

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
"""Russell and Norvig, figure 5.2: alpha-beta looks at 7 of 9 leaves."""
TWO_PLIES = Limit(depth=2)


def searched(algorithm: str, text: str = TEXTBOOK, game: str = "tree", limit: Limit = TWO_PLIES) -> Desk:
    """A search that has ended, as Space starts it: of the textbook's tree to depth 2, depth by depth, if nothing else is
    said."""
    desk = Desk(catalog.position(text, game))
    desk.algorithm = algorithm
    desk.limits[game, algorithm] = limit
    desk.run()
    give_up = monotonic() + 120
    while desk.busy or desk.report is None:
        assert monotonic() < give_up
        desk.look()
        sleep(0.005)
    return desk


def shown(desk: Desk) -> dict[str, str]:
    """The counters by their names."""
    return {cell.name: cell.value for cell in counter_cells(desk.view())}


@pytest.mark.plain
def test_the_counters_are_those_of_the_textbook() -> None:
    """Depth 1 was searched before, with three leaves of its own: they are in the sum, which is called one."""
    desk = searched("alphabeta")
    assert desk.report is not None
    cells = shown(desk)
    assert (cells["leaves"], cells["nodes"]) == ("7", "11")
    assert (cells["cutoffs"], cells["depth"]) == ("2", "2/2")
    assert cells["in all"] == f"{desk.report.nodes}" == "15"
    assert counted_of(desk.view()) == "counters of depth 2 alone"
    glanced = {cell.name: cell.value for cell in counter_cells(desk.view(desk.search.glance() if desk.search else None))}
    assert glanced == cells, "while it is in memory, and from a session"


@pytest.mark.plain
def test_the_nodes_of_a_sampled_tree_are_those_that_the_tree_shows() -> None:
    """Memory is taken for all children at once; the tree that is drawn has only those that a game went through, and each
    game adds at most one of them."""
    desk = searched("uct", "44", "connect4", Limit(iterations=300))
    assert desk.report is not None
    shown_nodes = int(shown(desk)["tree nodes"].replace(",", ""))
    assert shown_nodes == sum(desk.report.tree_depths) <= 301
    assert desk.report.tree_nodes is not None
    assert shown_nodes < desk.report.tree_nodes, "or this shows nothing"


@pytest.mark.plain
def test_a_limit_of_one_is_singular() -> None:
    for algorithm, limit, said in (
        ("alphabeta", Limit(nodes=1), "1 node"),
        ("uct", Limit(iterations=1), "1 iteration"),
        ("pns", Limit(iterations=1), "1 expansion"),
        ("pns", Limit(iterations=2), "2 expansions"),
    ):
        desk = Desk(catalog.position("44", "connect4"))
        desk.algorithm = algorithm
        desk.limits["connect4", algorithm] = limit
        assert short_limit(desk.view()) == said


@pytest.mark.plain
def test_a_search_of_fifteen_nodes_claims_no_speed() -> None:
    assert rate(15, 0.0004) == rate(0, 0.0) == "–"
    assert rate(44_000, 0.022) == "2.0 M"


@pytest.mark.plain
def test_the_share_of_table_hits_is_that_of_the_depth() -> None:
    """The panel says "counters of depth 2 alone": the table's share among them must not be of all depths together."""
    desk = searched("deepening")
    assert desk.report is not None
    assert desk.belief is not None
    assert desk.belief.row.table is not None
    table = structs.replace(desk.belief.row.table, probes=10, hits=7, cutoffs=2)
    desk.beliefs[2] = dataclasses.replace(desk.belief, row=structs.replace(desk.belief.row, table=table))
    cells = shown(desk)
    assert counted_of(desk.view()) == "counters of depth 2 alone"
    assert (cells["table hits"], cells["table cuts"]) == ("70 %", "20 %")
    assert table_of(desk.view()) == "in all, and by depth"

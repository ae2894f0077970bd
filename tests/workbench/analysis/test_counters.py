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
from workbench.render.report_rows import counter_rows
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


def shown(desk: Desk, sums: bool = False) -> dict[str, str]:
    """The counters by their names."""
    return {cell.name: cell.value for cell in counter_cells(desk.view(), sums)}


@pytest.mark.plain
def test_the_counters_are_those_of_the_textbook() -> None:
    """Depth 1 was searched before, with three leaves of its own: they are in the sum, which is called one."""
    desk = searched("alphabeta")
    assert desk.report is not None
    cells = shown(desk)
    assert (cells["leaves"], cells["nodes"]) == ("7", "11")
    assert (cells["cutoffs"], cells["depth"]) == ("2", "2/2")
    assert cells["in all"] == f"{desk.report.nodes}" == "15"
    assert counted_of(desk.view()) == "depth 2 alone"
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
    """The panel says "depth 2 alone": the table's share among them must not be of all depths together."""
    desk = searched("deepening")
    assert desk.report is not None
    assert desk.belief is not None
    assert desk.belief.row.table is not None
    table = structs.replace(desk.belief.row.table, probes=10, hits=7, cutoffs=2)
    desk.beliefs[2] = dataclasses.replace(desk.belief, row=structs.replace(desk.belief.row, table=table))
    cells = shown(desk)
    assert counted_of(desk.view()) == "depth 2 alone"
    assert (cells["table hits"], cells["table cuts"]) == ("70 %", "20 %")
    assert table_of(desk.view()) == "in all, and by depth"


@pytest.mark.plain
def test_a_sum_is_called_one_and_is_the_sum_of_the_depths() -> None:
    """3 leaves at depth 1 and 7 at depth 2, 4 nodes and 11; the nodes of the depth alone stay beside the sum."""
    desk = searched("alphabeta")
    cells = shown(desk, sums=True)
    assert (cells["leaves"], cells["nodes"], cells["this depth"]) == ("10", "15", "11")
    assert counted_of(desk.view(), sums=True) == "all depths together"
    desk.show(1)
    assert (shown(desk)["leaves"], shown(desk, sums=True)["leaves"]) == ("3", "3")
    assert counted_of(desk.view()) == "depth 1 alone"
    assert counted_of(desk.view(), sums=True) == "depths up to 1 together"
    assert list(cells) == [name.replace("in all", "this depth") for name in shown(desk)], "no counter changes its place"


@pytest.mark.plain
def test_the_sum_of_single_steps_is_that_of_all_of_them() -> None:
    """Each step is a search of its own, which counts from 0."""
    desk = Desk(catalog.position(TEXTBOOK, "tree"))
    desk.algorithm = "alphabeta"
    for depth in (1, 2):
        desk.step()
        give_up = monotonic() + 120
        while desk.busy or desk.known < depth or not desk.taken:
            assert monotonic() < give_up
            desk.look()
            sleep(0.005)
    assert (shown(desk)["nodes"], shown(desk, sums=True)["nodes"], shown(desk, sums=True)["leaves"]) == ("11", "15", "10")


@pytest.mark.plain
def test_a_running_search_shows_what_it_counts_at_this_depth() -> None:
    """What is shown while it runs and what is kept of the depth are counted alike: from the depth's first node on."""
    desk = searched("alphabeta")
    assert desk.search is not None
    glance = desk.search.glance()
    first = glance.depths[0]
    running = structs.replace(glance, running=True, depth=2, depths=(first,), seconds=first.seconds + 2.0)
    cells = {cell.name: cell.value for cell in counter_cells(desk.view(running))}
    assert (cells["leaves"], cells["nodes"], cells["in all"]) == ("7", "11", "15")
    assert (cells["depth"], cells["searching"]) == ("2/2", "2.00 s")
    assert counted_of(desk.view(running)) == "depth 2 alone, so far"
    summed = {cell.name: cell.value for cell in counter_cells(desk.view(running), sums=True)}
    assert (summed["leaves"], summed["nodes"]) == ("10", "15")


@pytest.mark.plain
def test_what_comes_before_the_search_is_no_part_of_its_time() -> None:
    desk = searched("alphabeta")
    assert desk.report is not None
    desk.compiled = 31.24
    desk.report = structs.replace(desk.report, compile_seconds=1.5)
    row = structs.replace(desk.beliefs[2].row, nodes=3_000_000, seconds=2.0)
    desk.beliefs[2] = dataclasses.replace(desk.beliefs[2], row=row)
    cells = shown(desk)
    assert (cells["compiling"], cells["starting"], cells["searching"]) == ("31.2 s", "1.50 s", "2.00 s")
    assert cells["per s"] == "1.5 M"
    desk.report = structs.replace(desk.report, compile_seconds=0.0)
    desk.compiled = 0.0
    assert (shown(desk)["compiling"], shown(desk)["starting"]) == ("none", "none")


@pytest.mark.plain
def test_the_report_names_its_sums() -> None:
    report = searched("alphabeta").report
    assert report is not None
    rows = dict(counter_rows(structs.replace(report, compile_seconds=1.5)))
    assert (rows["nodes at depth 2"], rows["nodes in all"], rows["leaves in all"]) == ("11", "15", "10")
    assert rows["starting"].startswith("1.500 s")
    assert "searching" in rows
    one = dict(counter_rows(structs.replace(report, depths=report.depths[-1:])))
    assert {"nodes", "leaves"} <= set(one), "of one depth there is no sum"

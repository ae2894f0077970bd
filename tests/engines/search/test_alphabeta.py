from __future__ import annotations

import pytest

from engines import catalog
from tests.engines import checks
from tests.naive import games as naive
from tests.strategies import GAMES, sample


def ordered(branching: int, depth: int, value: int = 0, turn: int = 1, best_first: bool = True) -> str:
    """A full tree of this value in which the best move of every node is the first (or the last) one.

    Moves differ by more the nearer they are to the root, so that no two leaves that meet have the same value.
    """
    if depth == 0:
        return str(value)
    values = [value - turn * worse * branching**depth for worse in range(branching)]
    branches = [ordered(branching, depth - 1, below, -turn, best_first) for below in values]
    return f"({' '.join(branches if best_first else reversed(branches))})"


@pytest.mark.parametrize("branching", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_knuth_and_moore_on_perfectly_ordered_trees(branching: int, depth: int) -> None:
    report = checks.run(catalog.position(ordered(branching, depth, value=7), "tree"), "alphabeta")
    assert report.value == 7
    assert report.leaves == branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    if branching > 1:
        assert report.first_move_cutoffs == report.cutoffs
        assert (report.cutoffs > 0) == (depth > 1)


@pytest.mark.parametrize(("branching", "depth"), [(2, 6), (3, 5), (4, 4)])
def test_the_worst_order_saves_nothing(branching: int, depth: int) -> None:
    report = checks.run(catalog.position(ordered(branching, depth, best_first=False), "tree"), "alphabeta")
    assert (report.value, report.leaves, report.cutoffs) == (0, branching**depth, 0)


@pytest.mark.plain
def test_the_textbook_tree_needs_seven_leaves() -> None:
    report = checks.run(catalog.position("((3 12 8) (2 4 6) (14 5 2))", "tree"), "alphabeta")
    assert (report.value, report.leaves, report.nodes, report.best_move) == (3, 7, 11, "1")
    assert (report.cutoffs, report.first_move_cutoffs) == (2, 1)  # the third branch is cut by its last move
    assert [(row.value, row.bound) for row in report.root_moves] == [(3, "exact"), (2, "at most"), (2, "at most")]


def test_tictactoe_as_everybody_counts_it() -> None:
    """Row by row, cut where alpha meets beta, full window, a win is a win."""
    report = checks.run(catalog.position("startpos", "tictactoe"), "alphabeta", depth=9)
    assert (report.nodes, report.leaves) == (18_297, 7_330)
    assert (report.value, report.outcome, report.exact, report.distance_nodes) == (0, "draw", True, 0)


@pytest.mark.parametrize("game", [game for game in GAMES if catalog.game(game).has_winner])
def test_the_quickest_win_is_found_at_once_or_by_a_second_search(game: str) -> None:
    """With `quickest` off the value and the distance are the same, and what it costs is told."""
    wins = 0
    for number, case in enumerate(sample(game, 200)):
        position, depth = case.board(), number % 4 + 1
        on = checks.run_with(position, "alphabeta", {"quickest": True}, depth=depth)
        off = checks.run_with(position, "alphabeta", {"quickest": False}, depth=depth)
        assert (on.value, on.outcome, on.distance) == (off.value, off.outcome, off.distance), case
        assert on.distance_nodes == 0
        assert (off.distance_nodes > 0) == (off.outcome in ("first", "second")), case
        if off.outcome in ("first", "second"):
            assert len(off.pv) == off.distance, case
            wins += 1
    assert wins > 20


def test_telling_quick_from_slow_wins_costs_nodes() -> None:
    """There is no published count for this: the naive search counts it."""
    position = catalog.position("startpos", "tictactoe")
    report = checks.run_with(position, "alphabeta", {"quickest": True}, depth=9)
    expected = naive.alphabeta(naive.TicTacToe.start(), 9)
    assert (report.nodes, report.leaves) == (expected.nodes, expected.leaves)
    assert report.nodes > 18_297
    assert report.outcome == "draw"


@pytest.mark.plain
def test_players_have_to_take_turns() -> None:
    position = catalog.position("(max(1 2) (3 4))", "tree")
    reason = catalog.misfit(catalog.algorithm("alphabeta"), position)
    assert reason is not None
    assert checks.is_sentence(reason)
    assert "MAX moves twice in a row" in reason
    assert "minimax" in reason

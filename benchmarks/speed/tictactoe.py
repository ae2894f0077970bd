"""The whole tree of tic-tac-toe by minimax, in seconds."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import ours
from benchmarks.peers import openspiel
from benchmarks.rows import Row, times_faster
from benchmarks.timing import best_in_turn, count_calls

NODES = 549_946
OUR_SEARCHES = 10
TIMES_FASTER = 50


def measure(quick: bool) -> Iterator[Row]:
    """Search the same tree on both sides. The target applies to both ways of using OpenSpiel: plain recursion, and the
    quicker one that undoes moves."""
    where, state = ours.position("tictactoe"), openspiel.start("tic_tac_toe")
    value, work = ours.run_minimax(where, 9)
    spiel_nodes = count_calls(openspiel.full_minimax_undoing, lambda: openspiel.full_minimax_undoing(state, 0))
    if (value, int(work.nodes), spiel_nodes) != (0, NODES, NODES):
        raise AssertionError(f"Tic-tac-toe has {NODES} nodes, not {work.nodes} (here) or {spiel_nodes} (there).")

    def search_often() -> None:
        for _ in range(OUR_SEARCHES):
            ours.run_minimax(where, 9)

    our_time, undo_time, child_time = best_in_turn(
        1 if quick else 5,
        search_often,
        lambda: openspiel.full_minimax_undoing(state, 0),
        lambda: openspiel.full_minimax(state, 0),
    )
    task, ours_once, note = "tic-tac-toe, full minimax", our_time / OUR_SEARCHES, f"{NODES:,} nodes"
    yield times_faster(task, "s", ours_once, "OpenSpiel states, a child for each move", child_time, TIMES_FASTER, note)
    yield times_faster(task, "s", ours_once, "OpenSpiel states, taking moves back", undo_time, TIMES_FASTER, note)

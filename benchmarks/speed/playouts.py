"""Random games from the start position per second."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks import ours
from benchmarks.peers import openspiel
from benchmarks.rows import Row, times_faster
from benchmarks.timing import best_in_turn

GAMES = {"connect4": ("connect_four", 600_000, 20_000), "breakthrough": ("breakthrough", 150_000, 5_000)}
"""OpenSpiel's name of the game, and the playouts per run of Plybench and of OpenSpiel."""
TIMES_FASTER = 50


def measure(quick: bool) -> Iterator[Row]:
    """Both sides choose legal moves with equal probability and play to the end."""
    for game, (spiel_game, our_count, spiel_count) in GAMES.items():
        where, state = ours.position(game), openspiel.start(spiel_game)
        ours.run_playouts(where, 10)
        our_time, spiel_time = best_in_turn(
            1 if quick else 4,
            partial(ours.run_playouts, where, our_count),
            partial(openspiel.run_playouts, state, spiel_count),
        )
        yield times_faster(
            f"{where.game.title} random playouts from the start",
            "playouts/s",
            our_count / our_time,
            "OpenSpiel states from Python",
            spiel_count / spiel_time,
            TIMES_FASTER,
        )

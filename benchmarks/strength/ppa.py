"""PPA against UCT, 1,000 playouts a move, K 0.4, on Breakthrough 8x8 and its misère form, with alternating colours.

Cazenave reports that PPA wins 99.2 % of misère games at 1,000 playouts, and 55.2 % of ordinary ones, with alpha 0.32. The
games are distributed over all cores.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from functools import partial

from benchmarks import ours
from benchmarks.rows import Row, Target
from engines import catalog
from engines.contract import Limit, Setting
from engines.run.background import NICENESS
from engines.run.intervals import wilson
from engines.run.search import Search

PLAYOUTS = 1_000
GAMES, QUICK_GAMES = 100, 10
ALPHAS = (1.0, 0.32)
"""The alphas of the course's text and of the paper."""
TARGETS = {"misère": Target(at_least=90.0), "ordinary": Target(at_least=45.0, below=65.0)}
"""Shares of games won by PPA with the paper's alpha, in percent. The paper has 99.2 and 55.2. With alpha 1 it learns too
much from a single game: it wins all misère games, and loses more than half of the ordinary ones."""
MOST_PLIES = 600


def measure(quick: bool) -> Iterator[Row]:
    """The share of games that PPA wins, each with its 95 % Wilson interval."""
    games = QUICK_GAMES if quick else GAMES
    with multiprocessing.get_context("spawn").Pool(os.cpu_count() or 1, _be_nice) as pool:
        for variant, target in TARGETS.items():
            for alpha in ALPHAS:
                won = sum(pool.imap_unordered(partial(play_game, variant == "misère", alpha), range(games)))
                low, high = wilson(won / games, games)
                yield Row(
                    task=f"PPA (alpha {alpha:g}) against UCT, {variant} Breakthrough 8x8, {games} games",
                    ours=100 * won / games,
                    unit="%",
                    result=100 * won / games,
                    result_unit="%",
                    target=target if alpha == ALPHAS[1] and not quick else None,
                    note=f"95 % interval {100 * low:.1f} to {100 * high:.1f} %; {PLAYOUTS:,} playouts a move, K 0.4",
                )


def play_game(misere: bool, alpha: float, number: int) -> int:
    """Play a game; returns 1 if PPA wins, which has White in even games."""
    where = ours.position("breakthrough", settings={"misere": str(misere).lower()})
    settings: dict[str, dict[str, Setting]] = {"ppa": {"alpha": alpha, "k": 0.4}, "uct": {"k": 0.4}}
    sides = {1: "ppa", -1: "uct"} if number % 2 == 0 else {1: "uct", -1: "ppa"}
    while not where.is_over:
        name = sides[where.turn]
        seed = 1000 * number + len(where.played)
        parameters = {**settings[name], "memory": 16}
        search = Search(where, catalog.algorithm(name), Limit(iterations=PLAYOUTS), parameters, seed)
        best = search.run_here().report().best_move
        assert best is not None
        where = where.play(where.game.read_move(where.state, best))
        assert len(where.played) < MOST_PLIES
    return int(sides[1 if where.result * where.turn > 0 else -1] == "ppa")


def _be_nice() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)

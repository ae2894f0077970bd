"""Whole games solved backwards, in wall-clock seconds with all cores: Connect 4, Breakthrough, chess endings."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

from benchmarks.rows import Row, Target
from engines import catalog
from engines.game import Game
from engines.solved import chess_endings as endings
from engines.solved import registry as shelf
from engines.solved.registry import Build
from engines.solved.store import Facts
from engines.warm import make_small_table, with_tables

ENDINGS = {"KQK": (10.0, 20), "KPK": (20.0, 56), "KBNK": (180.0, 66)}
"""The seconds allowed, and the plies of the longest mate."""
BOARDS = {
    ("connect4", "4x4"): (10.0, 161_029),
    ("connect4", "5x5"): (120.0, 69_763_700),
    ("breakthrough", "5x4"): (120.0, None),
}
"""The seconds allowed, and the number of positions."""


def measure(quick: bool) -> Iterator[Row]:
    """One row for each table; the tables are not kept."""
    for game in with_tables():
        make_small_table(game)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLYBENCH_DATA"] = folder
        for (name, size), (below, positions) in BOARDS.items():
            start = catalog.position("startpos", name, size)
            row, found = built(start.game, shelf.names_for(start), f"{name} {size}", below)
            assert positions in (None, found.positions), found
            yield row
        chess = catalog.position("startpos", "chess").game
        for ending, (below, longest) in list(ENDINGS.items())[: 2 if quick else 3]:
            names = [f"chess-{one}" for one in (*endings.needed(ending), ending)]
            row, found = built(chess, names, ending, below)
            assert found.longest == longest, found
            yield row


def built(game: Game, names: list[str], what: str, below: float) -> tuple[Row, Facts]:
    """Build a table and those that it depends on; returns the row and the facts about the table."""
    build = Build(game, names).run_here()
    build.finish()
    facts = build.done[-1]
    size = build.bytes_on_disk[facts.name]
    note = f"{facts.positions:,} positions, {facts.memory / 1e6:,.1f} MB in memory, {size / 1e6:,.1f} MB on disk"
    row = Row(
        task=f"{what}, all positions, {facts.threads} threads",
        ours=build.seconds,
        unit="s",
        result=build.seconds,
        result_unit="s",
        target=Target(below=below),
        note=note,
    )
    return row, facts

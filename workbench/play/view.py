"""The levels of play as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from workbench.play.levels import Level


def levels_table(ladders: Mapping[str, Sequence[Level]]) -> Table:
    """The levels of each game, weakest first."""
    table = Table("game", "level", "what it sees, and which mistakes it makes", box=None, header_style="dim")
    for name, ladder in ladders.items():
        for one in ladder:
            table.add_row(name if one.number == 1 else "", str(one.number), one.words)
    return table

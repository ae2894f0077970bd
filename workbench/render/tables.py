"""The tables that all views of the terminal are made of."""

from __future__ import annotations

from rich import box
from rich.console import JustifyMethod
from rich.table import Table

BAR_WIDTH = 16


def sheet(*titles: str) -> Table:
    """An empty table. `>` behind a title aligns to the right; only columns with `…` behind it may be wrapped."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), pad_edge=False)
    for title in titles:
        justify: JustifyMethod = "right" if title.endswith(">") else "left"
        table.add_column(title.rstrip(">…"), justify=justify, no_wrap=not title.endswith("…"))
    return table

"""The tables that all views of the terminal are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

BAR_WIDTH = 16


def sheet(*titles: str) -> Table:
    """An empty table. `>` behind a title aligns to the right; only columns with `…` behind it may be wrapped."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), pad_edge=False)
    for title in titles:
        justify: JustifyMethod = "right" if title.endswith(">") else "left"
        table.add_column(title.rstrip(">…"), justify=justify, no_wrap=not title.endswith("…"))
    return table


LONG_NAME = 16
"""From this length on, names stand below a table, and numbers in it."""
ANY_WIDTH = 1000


@dataclass(frozen=True)
class LaneSheet:
    """A table with a row for each lane. What stands in a cell is never cut: where there is little room, the least important
    columns are left out; parameters, and names that are long, stand below it."""

    names: Sequence[str]
    parameters: Sequence[Mapping[str, object]]
    """Of each lane those that it has in place of the usual ones."""
    columns: Mapping[str, Sequence[RenderableType]]
    """The cells of all lanes, by the title of their column."""
    spare: Sequence[str] = ()
    """The titles of columns that may be left out, the least important first."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        left_out: list[str] = []
        spare = [title for title in self.spare if title in self.columns]
        while self._width(left_out, console, options) > options.max_width and len(left_out) < len(spare):
            left_out.append(spare[len(left_out)])
        yield self._table(left_out)
        yield from self._legend()
        if left_out:
            yield Text(f"No room for: {', '.join(title.rstrip('>') for title in left_out)}.", style="dim")

    def _width(self, left_out: Sequence[str], console: Console, options: ConsoleOptions) -> int:
        return self._table(left_out).__rich_measure__(console, options.update(max_width=ANY_WIDTH)).maximum

    @property
    def _numbered(self) -> bool:
        return max(map(len, self.names)) > LONG_NAME

    def _table(self, left_out: Sequence[str]) -> Table:
        shown = {title: cells for title, cells in self.columns.items() if title not in left_out}
        table = sheet("lane", *shown)
        table.padding, table.show_edge = (0, 1, 0, 0), False
        for number, name in enumerate(self.names):
            first = Text(str(number + 1) if self._numbered else name, "bold")
            table.add_row(first, *(cells[number] for cells in shown.values()))
        return table

    def _legend(self) -> RenderResult:
        """The lanes whose names or parameters do not stand in the table."""
        for number, (name, parameters) in enumerate(zip(self.names, self.parameters, strict=True), 1):
            words = [f"{key}={str(value).lower()}" for key, value in parameters.items()]
            if self._numbered or words:
                title = f"{number}  {name}" if self._numbered else name
                yield Text.assemble((title, "bold"), (f"  {' '.join(words)}" if words else "", "dim"))

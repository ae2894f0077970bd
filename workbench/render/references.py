"""Terminal tables of what opening books and tablebases say, and of the settings that tell where they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from positions.references import BookMove, References, TableVerdict
from workbench.render.tables import BAR_WIDTH, sheet
from workbench.render.values import plies
from workbench.settings import SettingRow, SettingsReport

BOOK_ROWS = 5
"""The most moves of a book that have a row of their own; the rest share one."""
SOURCES = {"gaviota": "Gaviota", "syzygy": "Syzygy"}
WINNERS = {"first": "White wins", "second": "Black wins", "draw": "Draw"}
UNITS = {"book": ("entry", "entries"), "syzygy": ("table", "tables"), "gaviota": ("table", "tables")}


def references(found: References, san: Callable[[str], str]) -> RenderableType | None:
    """What is known of a position, its moves written by `san`; None if nothing is."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim")
    rows.add_column()
    if found.book:
        rows.add_row("book", book(found.book, san))
    if found.table:
        rows.add_row("table", Text(table_sentence(found.table, san), style="bold"))
    for note in found.notes:
        rows.add_row("note", Text(note, style="dim"))
    return rows if rows.row_count else None


def book(moves: Sequence[BookMove], san: Callable[[str], str]) -> RenderableType:
    """The moves of a book with their shares."""
    table = Table.grid(padding=(0, 2))
    for justify in ("left", "right", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for row in moves[:BOOK_ROWS]:
        bar = "█" * round(row.share * BAR_WIDTH) or ("▏" if row.weight else "")
        table.add_row(san(row.move), f"{row.weight:,}", f"{row.share:.1%}", bar)
    rest = moves[BOOK_ROWS:]
    if not rest:
        return table
    share = sum(row.share for row in rest)
    return Group(table, Text(f"and {share:.1%} for {' '.join(san(row.move) for row in rest)}", style="dim"))


def table_sentence(found: TableVerdict, san: Callable[[str], str]) -> str:
    """In words, what a table knows."""
    when = f" in {plies(found.distance)}" if found.distance is not None else ""
    source = SOURCES[found.source]
    if found.dtz is not None:
        source += f", capture, pawn move or mate in {plies(found.dtz)}"
    moves = " ".join(map(san, found.best))
    verb = "best" if found.distance is not None else "kept by"
    return f"{WINNERS[found.outcome]}{when} ({source})" + (f"; {verb} {moves}" if moves else "")


def settings(report: SettingsReport) -> Group:
    """Each setting with where it comes from and what is there."""
    table = sheet("setting", "value…", "from", "found>")
    for row in report.settings:
        paths = (row.value,) if isinstance(row.value, str) else row.value
        table.add_row(Text(row.name, style="bold"), Text("\n".join(paths) or "-"), source(row), found(row))
    notes = [Text(note) for row in report.settings for note in row.notes]
    return Group(table, *notes, Text(f"The file is {report.file}", style="dim"))


def source(row: SettingRow) -> str:
    """Where a setting comes from."""
    if row.source == "environment":
        return row.variable
    if row.source == "file":
        return "file"
    return "usual place" if row.value else "default"


def found(row: SettingRow) -> str:
    """What is at its paths."""
    one, many = UNITS[row.name]
    if not row.value:
        return "none" if row.source == "default" else "off"
    return f"{row.found:,} {one if row.found == 1 else many}" if row.found else "nothing"

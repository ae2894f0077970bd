"""Terminal views of solved tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from engines import catalog
from engines.solved.store import Facts
from workbench.render.stored_table import StoredTable
from workbench.render.tables import sheet
from workbench.render.values import counted, duration, plies

UNITS = ("bytes", "KB", "MB", "GB")


def size_text(count: float) -> str:
    """A number of bytes, in the unit that fits."""
    unit = 0
    while count >= 1000 and unit < len(UNITS) - 1:
        count /= 1000
        unit += 1
    return f"{count:.0f} {UNITS[unit]}" if unit == 0 or count >= 100 else f"{count:.1f} {UNITS[unit]}"


def listing(found: Sequence[StoredTable], where: str) -> RenderableType:
    """All tables in a list."""
    if not found:
        return Text(f"There are no tables yet in {where}; plybench retrograde build connect4 4x4 makes one.")
    table = sheet("table", "positions>", "longest win>", "start", "file>", "made in>")
    for one in found:
        facts = one.facts
        if facts is None:
            table.add_row(Text(Path(one.file).stem, style="bold"), "", "", "damaged", size_text(one.bytes), "")
            continue
        cells = (f"{facts.positions:,}", plies(facts.longest), start_text(facts), size_text(one.bytes))
        table.add_row(Text(facts.name, style="bold"), *cells, duration(facts.seconds))
    note = f"{counted(len(found), 'table')} in {where}, {size_text(sum(one.bytes for one in found))}."
    return Group(table, Text(note, style="dim"))


def start_text(facts: Facts) -> str:
    """Who wins from the start."""
    if facts.start is None:
        return ""
    if facts.start == "draw":
        return "draw"
    winner = catalog.game(facts.game).players[0 if facts.start == "first" else 1]
    return f"{winner} in {facts.start_distance}"


def over_text(facts: Facts) -> str:
    """In how many positions the game is over, and how."""
    if facts.mates is None or facts.stalemates is None:
        return f"{facts.over:,}"
    return f"{facts.over:,}: {counted(facts.mates, 'mate')}, {counted(facts.stalemates, 'stalemate')}"


def table(one: StoredTable) -> RenderableType:
    """Everything about one table."""
    facts = one.facts
    if facts is None:
        return Text(one.error or "It cannot be read.", style="bold red")
    rows: list[tuple[str, str]] = [
        ("positions", f"{facts.positions:,}"),
        ("the game is over in", over_text(facts)),
        ("won, for the side to move", f"{facts.won:,}"),
        ("drawn", f"{facts.drawn:,}"),
        ("lost", f"{facts.lost:,}"),
        ("the longest win", plies(facts.longest)),
        ("from the start", start_text(facts) or "-"),
        ("in memory", size_text(facts.memory)),
        ("on disk", size_text(one.bytes)),
        ("made in", f"{duration(facts.seconds)} with {facts.threads} thread{'' if facts.threads == 1 else 's'}"),
        ("file", one.file),
    ]
    grid = sheet("", "…")
    for name, value in rows:
        grid.add_row(Text(name, style="dim"), value)
    parts: list[RenderableType] = [Text(facts.name, style="bold"), grid]
    if facts.by_ply:
        by_ply = sheet("stones>", "positions>")
        for ply, count in enumerate(facts.by_ply):
            by_ply.add_row(str(ply), f"{count:,}")
        parts.append(by_ply)
    return Group(*parts)


def built(found: Sequence[StoredTable], is_new: bool, complete: bool, where: str) -> RenderableType:
    """What came of building tables: the one that was asked for, or the list of many."""
    if not complete:
        return Text("It was interrupted; tables that are not finished are not kept.")
    shown = table(found[0]) if len(found) == 1 else listing(found, where)
    return shown if is_new else Group(Text("The table is there already; --again builds it anew."), shown)


def checked(rows: Sequence[Mapping[str, object]]) -> RenderableType:
    """Which tables are good, and what is wrong with the others."""
    return Group(*(Text(f"{row['name']}: {'good' if row['good'] else row['error']}") for row in rows))

"""A profile as text: tables, and bars for the subtrees."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from workbench.profile.types import CAUSES, Flame, Profile
from workbench.render.style import DIM, STRONG, bar
from workbench.render.tables import BAR_WIDTH, sheet
from workbench.render.values import counted


def profile(found: Profile) -> Group:
    """All of it, for the terminal."""
    held = f"{found.recorded:,} of " if found.recorded < found.nodes else ""
    parts: list[RenderableType] = [Text(f"{found.algorithm}: {held}{counted(found.nodes, 'node')}", STRONG)]
    if found.line:
        parts.append(Text(f"Below {' '.join(found.line)}:", STRONG))
    return Group(*parts, flames(found), causes(found), depths(found), plies(found))


def flames(found: Profile) -> Table:
    """The largest subtrees, each with a bar for its share of the largest one that is shown."""
    table = sheet("subtree…", "nodes>", "share>", "")
    for top in found.flames:
        for level, name, nodes in rows_of(top):
            share = nodes / found.recorded if found.recorded else 0.0
            table.add_row(f"{'  ' * level}{name}", f"{nodes:,}", f"{share:.1%}", bar(share, BAR_WIDTH))
    return table


def rows_of(top: Flame, level: int = 0) -> Iterator[tuple[int, str, int]]:
    """The rows of a subtree: how far each is indented, its move and its nodes."""
    yield level, top.move, top.nodes
    for below in top.below:
        yield from rows_of(below, level + 1)
    if top.others and top.below:
        yield level + 1, counted(top.others, "other"), top.other_nodes


def causes(found: Profile) -> Table:
    """What led the search to its nodes; the nodes add up to all of them."""
    table = sheet("cause", "what it is…", "begins>", "nodes>", "share>")
    for row in found.causes:
        share = f"{row.nodes / found.recorded:.1%}"
        table.add_row(row.cause, CAUSES[row.cause], f"{row.entries:,}" if row.entries else "", f"{row.nodes:,}", share)
    return table


def depths(found: Profile) -> Table:
    """The passes over the root, depth by depth."""
    table = sheet("depth>", "passes>", "nodes>", "share>", "growth>")
    for row in found.depths:
        growth = "" if row.growth is None else f"x{row.growth:.2f}"
        table.add_row(str(row.depth), str(row.passes), f"{row.nodes:,}", f"{row.nodes / found.recorded:.1%}", growth)
    return table


def plies(found: Profile) -> Table:
    """The nodes at each ply below the root."""
    table = sheet("ply>", "nodes>", "share>", "")
    for row in found.plies:
        share = row.nodes / found.recorded
        table.add_row(str(row.ply), f"{row.nodes:,}", f"{share:.1%}", Text(bar(share, BAR_WIDTH), DIM))
    return table

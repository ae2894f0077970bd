"""The panel of the transposition table, or of the levels or layers that a search has in its place."""

from __future__ import annotations

from rich.text import Text

from engines.contract import NodeRow
from workbench.analysis.panels.counters import Cell, counters_text, newest_table
from workbench.analysis.view_state import AnalysisView
from workbench.render.report_rows import table_cells
from workbench.render.report_text import level_cells
from workbench.render.style import DIM, GOOD, STRONG, bar, coloured


def levels_text(view: AnalysisView) -> Text:
    """The results of each level of a nested search."""
    rows = view.report.levels if view.report is not None else ()
    if not rows:
        return Text("How good the games of each level were is known when the search has ended.", DIM)
    game = view.position.game
    text = Text(f"{'level':>6}{'searches':>14}{'mean':>10}{'best':>12}", DIM, no_wrap=True)
    for row in rows:
        level, searches, mean, best = level_cells(row, game)
        text.append(f"\n{level:>6}{searches:>14}{mean:>10}")
        text.append(f"{best:>12}", coloured(row.best))
    return text


def layers_text(view: AnalysisView, width: int, height: int) -> Text:
    """The nodes of a graph by layer, up to the shown one: who wins there, and the move."""
    report = view.report
    rows = report.regions if report is not None else ()
    if report is None or not rows:
        return Text("Which nodes each layer adds is known when the search has ended.", DIM)
    game, last = view.position.game, view.belief.row.depth if view.belief is not None else 0
    whole = view.shown is None and report.stopped_by == "solved"
    text = Text(no_wrap=True, overflow="ellipsis")
    layers: dict[int | None, list[NodeRow]] = {}
    for row in rows:
        layers.setdefault(row.layer, []).append(row)
    numbers = sorted(number for number in layers if number is not None and number <= last)
    room = max(1, height - 1)
    for number in numbers[-room:]:
        text.append(f"{'layer':>5} {number:>3}  ", STRONG if number == last else DIM)
        for node in layers[number]:
            way = f"→{node.move}" if node.move else ""
            text.append(f"{node.node}{way} ", coloured(node.value or 0))
        text.append("\n")
    left = [node for number, nodes in layers.items() if number is None or number > last for node in nodes]
    if left:
        text.append(f"{'in none' if whole else 'not yet':>9}  ", DIM)
        for node in left:
            way = f"→{node.move}" if whole and node.move else ""
            text.append(f"{node.node}{way} ", coloured(node.value or 0) if whole else DIM)
        if whole and game.has_winner:
            text.append("(play goes on for ever)", DIM)
    text.rstrip()
    return text


def table_panel(view: AnalysisView, width: int, height: int) -> Text:
    """The transposition table: its counters, and hits and cutoffs by depth."""
    table = newest_table(view)
    if view.scores:
        return levels_text(view)
    if view.layers:
        return layers_text(view, width, height)
    if table is None:
        said = (
            "This search keeps no table."
            if view.report or view.belief
            else "How useful the transposition table is appears here."
        )
        return Text(said, DIM)
    text = Text(no_wrap=True)
    found = table_cells(table)
    cells = [
        Cell("probes", found.probes, 9),
        Cell("stores", found.stores, 7),
        Cell("hits", found.hits, 8),
        Cell("overwrote", found.overwrites, 6),
        Cell("cutoffs", found.cutoffs, 8),
        Cell("collided", found.collisions, 5),
        Cell("filled", found.filled, 4),
        Cell("size", found.size, 3),
    ]
    text.append_text(counters_text(cells, width, 4))
    known = "  ".join(f"{sign} {share}" for sign, share in zip("=≥≤", found.cut_by, strict=True))
    leads = ("cutoffs by what was known: ", "cutoffs: ", "")
    text.append("\n" + next((lead + known for lead in leads if len(lead + known) <= width), ""), DIM)
    rows = [view.beliefs[depth].row for depth in sorted(view.beliefs)][-max(1, height - 5) :]
    bar_width = max(6, width - 31)
    for row in rows:
        if row.table is None or not row.table.probes:
            continue
        hits, cuts = row.table.hits / row.table.probes, row.table.cutoffs / row.table.probes
        drawn, cut = bar(hits, bar_width).rstrip(), bar(cuts, bar_width).rstrip()
        text.append(f"\ndepth {row.depth:>3} ", DIM)
        text.append(cut, GOOD)
        text.append("▒" * max(0, len(drawn) - len(cut)), "cyan")
        text.append(" " * (bar_width - max(len(drawn), len(cut))))
        text.append(f" {100 * hits:3.0f} % hit {100 * cuts:3.0f} % cut", DIM)
    return text

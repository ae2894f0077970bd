"""The tree of a Monte Carlo search: its nodes by ply, the length of the playouts, and the share of each thread."""

from __future__ import annotations

from rich.text import Text

from workbench.analysis.view_state import AnalysisView
from workbench.render.style import DIM, bar
from workbench.render.values import counted


def tree_panel(view: AnalysisView, width: int, height: int) -> Text:
    """The visited nodes at each ply as bars; they are known when the search has ended."""
    report = view.report
    if report is None or not report.tree_depths:
        return Text("How many nodes the tree has at each ply appears here when the search is done.", DIM)
    text = Text(no_wrap=True)
    if report.playout_plies is not None:
        text.append(f"a game was {report.playout_plies:.1f} plies long on average\n", DIM)
    for number, one in enumerate(report.by_thread, 1):
        text.append(f"thread {number}  ", DIM)
        text.append(f"{counted(one.iterations, 'iteration')}, {counted(one.playouts, 'game')}\n")
    counts, most = report.tree_depths, max(report.tree_depths)
    figures = max(5, len(f"{most:,}"))
    room = max(1, height - text.plain.count("\n"))
    shown = counts if len(counts) <= room else counts[: max(1, room - 1)]
    for ply, count in enumerate(shown):
        text.append(f"ply {ply:>3} ", DIM)
        text.append(f"{count:>{figures},} ")
        text.append(bar(count / most, max(4, width - figures - 10)).rstrip() + "\n", "cyan")
    if len(shown) < len(counts):
        text.append(f"+{counted(len(counts) - len(shown), 'ply')} more, {sum(counts[len(shown) :]):,} nodes", DIM)
    text.rstrip()
    return text

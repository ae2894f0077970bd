"""The counters of a search as cells that keep their places, whatever is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rich.text import Text

from engines.contract import Counters, DepthRow, TableCounters
from engines.game import Game
from workbench.analysis.view_state import AnalysisView
from workbench.render.report_rows import NAMES, branching_factor, counter_texts, counters_of, table_cells
from workbench.render.report_text import proof_number, stage
from workbench.render.style import DIM, STRONG, rate, short_number, sparkline


@dataclass(frozen=True)
class Cell:
    """One counter: its name, its text, and its rank where there is no room for all (0 is left out first)."""

    name: str
    value: str
    weight: int
    style: str = STRONG


def counter_cells(view: AnalysisView, sums: bool = False) -> list[Cell]:
    """All counters, in the order in which they are read: those of the depth alone that is looked at or searched, as
    textbooks count; with `sums` those of all depths together. An algorithm always has the same ones, so that none changes
    its place."""
    if view.glance is None and view.report is None and view.belief is None:
        return []
    row = view.belief.row if view.belief is not None else None
    if view.iterates:  # a growing tree is counted from its beginning
        cells = cells_up_to(row, view) if row is not None and view.shown is not None else cells_so_far(view)
    elif sums:
        cells = cells_of_all(view)
    else:
        cells = cells_now(view) if is_running(view) else cells_of_depth(row, view) if row is not None else cells_so_far(view)
    return laid_out(times(view) | cells | proof_cells(view, row), view, sums)


def is_running(view: AnalysisView) -> bool:
    """Whether counters of a running search are known."""
    return view.glance is not None and view.glance.running


def times(view: AnalysisView) -> dict[str, str]:
    """The time before the first node, which is no part of the time of the search: what compiling took, and what starting
    did, that is loading compiled code and trying it out."""
    compiling = view.compiling.seconds if view.compiling is not None else view.compiled
    report = view.report if not is_running(view) else None
    return {
        "compiling": f"{compiling:.1f} s" if compiling else "none",
        "starting": "-" if report is None else f"{report.compile_seconds:.2f} s" if report.compile_seconds else "none",
    }


def cells_so_far(view: AnalysisView) -> dict[str, str]:
    """What a whole search has counted so far, or when it ended."""
    counted, seconds, running = counted_so_far(view)
    glance, texts = view.glance, counter_texts(counted)
    speed = short_number(view.rates[-1]) if view.rates and running else rate(counted.nodes, seconds)
    depth = glance.depth if glance is not None and running else max(view.beliefs, default=0)
    return {
        **texts,
        "depth": f"{depth}/{texts['selective_depth']}",
        "in all": texts["nodes"],
        "nodes_per_second": f"{speed} {sparkline(view.rates, 3)}".strip(),
        "seconds": f"{seconds:.2f} s",
        "tree_nodes": texts["visited_nodes" if view.samples else "tree_nodes"],
        "by thread": thread_shares(view),
        "frontier": texts["leaves"],
        "looking at": looked_at(view),
    }


def cells_now(view: AnalysisView) -> dict[str, str]:
    """What a running search has counted at the depth that it searches, beside the nodes of all depths."""
    glance = view.glance
    assert glance is not None
    before = [row.counted for row in glance.depths if row.counted is not None]
    if len(before) < len(glance.depths):
        return cells_so_far(view)
    own = minus(glance.counters, summed(before))
    seconds = max(0.0, glance.seconds - sum(row.seconds for row in glance.depths))
    texts = counter_texts(own)
    return cells_so_far(view) | {
        **texts,
        "depth": f"{glance.depth}/{texts['selective_depth']}",
        "in all": f"{max(sum_of_nodes(view), glance.counters.nodes):,}",
        "seconds": f"{seconds:.2f} s",
    }


def cells_of_all(view: AnalysisView) -> dict[str, str]:
    """The counters of all depths together, or of those up to the shown one; beside them the nodes of that depth alone."""
    rows = [belief.row for depth, belief in sorted(view.beliefs.items()) if view.shown is None or depth <= view.shown]
    own = {"in all": f"{rows[-1].nodes:,}"} if rows else {}
    counted = [row.counted for row in rows if row.counted is not None]
    known = view.glance is not None or view.report is not None
    whole, _, running = counted_so_far(view) if known else (Counters(), 0.0, False)
    nodes = sum(row.nodes for row in rows)
    if running or (view.shown is None and whole.nodes >= nodes) or len(counted) < len(rows):
        return cells_so_far(view) | own
    seconds, texts = sum(row.seconds for row in rows), counter_texts(summed(counted))
    cells = {"depth": f"{rows[-1].depth}/{texts['selective_depth']}", "seconds": f"{seconds:.2f} s"}
    return texts | cells | own | {"nodes_per_second": rate(nodes, seconds)}


def summed(counted: Sequence[Counters]) -> Counters:
    """The counters of several depths together; the deepest ply is the deepest of all."""
    names = [name for name in Counters.__struct_fields__ if name != "selective_depth"]
    deepest = max((one.selective_depth for one in counted), default=0)
    return Counters(**{name: sum(getattr(one, name) for one in counted) for name in names}, selective_depth=deepest)


def minus(whole: Counters, part: Counters) -> Counters:
    """What was counted besides; the deepest ply is that of the whole."""
    names = [name for name in Counters.__struct_fields__ if name != "selective_depth"]
    rest = {name: max(0, getattr(whole, name) - getattr(part, name)) for name in names}
    return Counters(**rest, selective_depth=whole.selective_depth)


def looked_at(view: AnalysisView) -> str:
    """The first moves of the line that is being searched; after the end, those of the last line."""
    glance = view.glance
    line = glance.line if glance is not None and glance.running else view.belief.row.pv if view.belief else ()
    return " ".join(view.position.game.pretty_line(view.position.state, line[:2])) or "-"


def thread_shares(view: AnalysisView) -> str:
    """The number of games that each of several threads has played."""
    glance = view.glance
    by_thread = glance.by_thread if glance is not None else view.report.by_thread if view.report is not None else ()
    return " ".join(short_number(one.playouts) for one in by_thread) or "-"


def cells_of_depth(row: DepthRow, view: AnalysisView) -> dict[str, str]:
    """The counters of one depth; a dash for those that were not kept."""
    return {
        "depth": f"{row.depth}",
        "nodes": f"{row.nodes:,}",
        "in all": nodes_in_all(view),
        "nodes_per_second": rate(row.nodes, row.seconds),
        "seconds": f"{row.seconds:.2f} s",
        "leaves": f"{row.leaves:,}",
        **cutoff_cells(row),
    }


def cells_up_to(row: DepthRow, view: AnalysisView) -> dict[str, str]:
    """The counters of a growing tree up to a checkpoint; a dash for those that were not kept."""
    rows = [belief.row for depth, belief in view.beliefs.items() if depth <= row.depth]
    nodes, seconds = sum(one.nodes for one in rows), sum(one.seconds for one in rows)
    return {
        "depth": f"{row.depth}",
        "nodes": f"{nodes:,}",
        "nodes_per_second": rate(nodes, seconds),
        "seconds": f"{seconds:.2f} s",
        "leaves": f"{row.leaves:,}",
        "iterations": f"{row.iterations or 0:,}",
        "expansions": f"{row.iterations or 0:,}",
    }


def cutoff_cells(row: DepthRow) -> dict[str, str]:
    """The counters of leaves and cutoffs at one depth; empty for older sessions, which did not keep them."""
    if row.counted is None:
        return {}
    texts = counter_texts(row.counted)
    kept = {field: texts[field] for field in ("evaluations", "cutoffs", "first_move_cutoffs", "chance_nodes")}
    return {"depth": f"{row.depth}/{texts['selective_depth']}"} | kept


def nodes_in_all(view: AnalysisView) -> str:
    """The nodes of all depths, including one that was not finished."""
    return f"{max(sum_of_nodes(view), view.report.nodes if view.report is not None else 0):,}"


def sum_of_nodes(view: AnalysisView) -> int:
    """The nodes of all finished depths."""
    return sum(belief.row.nodes for belief in view.beliefs.values())


def counted_so_far(view: AnalysisView) -> tuple[Counters, float, bool]:
    """What a search has counted, in how many seconds, and whether it runs; of one that the session kept, what is left."""
    glance = view.glance
    if glance is None:
        assert view.report is not None
        counted, seconds, running = counters_of(view.report), view.report.seconds, False
    else:
        counted, seconds, running = glance.counters, glance.seconds, glance.running
    if view.iterates and not running:  # a tree that is grown further counts from its beginning, and so does its time
        seconds = max(seconds, sum(belief.row.seconds for belief in view.beliefs.values() if not belief.interpreted))
    return counted, seconds, running


WEIGHTS = {
    "depth": 9,
    "nodes": 10,
    "in all": 5,
    "nodes_per_second": 8,
    "seconds": 5,
    "starting": 3,
    "compiling": 3,
    "leaves": 4,
    "evaluations": 3,
    "cutoffs": 6,
    "first_move_cutoffs": 7,
}
EXPANDED_WEIGHTS = {
    "expansions": 10,
    "nodes": 10,
    "nodes_per_second": 8,
    "seconds": 5,
    "starting": 3,
    "compiling": 3,
    "proof": 9,
    "disproof": 9,
    "evaluations": 3,
    "tree_nodes": 6,
    "frontier": 7,
    "selective_depth": 5,
    "looking at": 4,
}
WITHOUT = {True: ("evaluations", "frontier"), False: ("proof", "disproof")}
"""Counters that a search by expansions does not have: if it proves (True), and if it does not."""
SAMPLED_WEIGHTS = {
    "iterations": 10,
    "nodes": 10,
    "nodes_per_second": 8,
    "seconds": 5,
    "starting": 3,
    "compiling": 3,
    "evaluations": 3,
    "playouts": 7,
    "tree_nodes": 6,
    "selective_depth": 5,
}


STAGES = ("depth", "iterations", "expansions")
"""Counters that say how far a search is; they are highlighted."""


def short_name(field: str) -> str:
    """The short name of a counter; counters that only the screen has keep their names."""
    return NAMES[field].short if field in NAMES else field


def laid_out(values: Mapping[str, str], view: AnalysisView, sums: bool) -> list[Cell]:
    """The cells of an algorithm's counters in their order, with a dash where nothing is known."""
    expands = view.iterates and not view.samples
    weights = EXPANDED_WEIGHTS if expands else SAMPLED_WEIGHTS if view.samples else WEIGHTS
    left_out = ("tree_nodes",) if view.scores else WITHOUT[view.proves] if expands else ()
    cells = [
        Cell(
            "this depth" if sums and name == "in all" else short_name(name),
            values.get(name, "-"),
            weight,
            "bold cyan" if name in ("depth", "iterations", "expansions") else STRONG,
        )
        for name, weight in weights.items()
        if name not in left_out
    ]
    if expands:
        return cells + (cells_of_table(view, sums) if view.has_table else [])
    if _has_nature(view.position.game):
        cells.insert(2, Cell(short_name("chance_nodes"), values.get("chance_nodes", "-"), 7))
    if view.samples:
        if int(view.parameters.get("threads", 1)) > 1:
            cells.append(Cell("by thread", values.get("by thread", "-"), 6))
        return cells
    before = view.before.row if view.before is not None else None
    branching = branching_factor(view.belief.row, before) if view.belief is not None else None
    cells.append(Cell("branching", "-" if branching is None else f"{branching:.1f}", 4))
    return cells + (cells_of_table(view, sums) if view.has_table else [])


def cells_of_table(view: AnalysisView, sums: bool) -> list[Cell]:
    """The counters of the transposition table, over the same span as the other counters."""
    table = newest_table(view) if sums or view.belief is None or view.iterates else view.belief.row.table
    cells = table_cells(table) if table is not None else None
    return [
        Cell("table hits", cells.hit_share if cells else "-", 6, "bold green"),
        Cell("table cuts", cells.cut_share if cells else "-", 3),
        Cell("filled", cells.filled if cells else "-", 2),
    ]


def proof_cells(view: AnalysisView, row: DepthRow | None) -> dict[str, str]:
    """The proof and disproof numbers of the current question."""
    if row is None or not view.proves:
        return {}
    return {"proof": proof_number(row.proof), "disproof": proof_number(row.disproof)}


def counted_of(view: AnalysisView, sums: bool = False) -> str:
    """What the counters are counted over."""
    row = view.belief.row if view.belief is not None else None
    if view.iterates:
        return f"counted up to {stage(row)}" if row is not None and view.shown is not None else ""
    if is_running(view) and view.glance is not None:
        return "all depths together, so far" if sums else f"depth {view.glance.depth} alone, so far"
    if row is None:
        return ""
    if sums:
        return "all depths together" if view.shown is None else f"depths up to {row.depth} together"
    return f"depth {row.depth} alone"


def newest_table(view: AnalysisView) -> TableCounters | None:
    """The table's counters at the shown depth, or of the whole search."""
    if view.report is not None and view.shown is None:
        return view.report.table
    return view.belief.row.table if view.belief else None


def table_of(view: AnalysisView) -> str:
    """What the counters in the table's panel are counted over."""
    if newest_table(view) is None:
        return ""
    return "in all, and by depth" if view.report is not None and view.shown is None else "of this depth, and by depth"


NAME_WIDTH, CELL_WIDTH = 10, 22


def counters_text(cells: Sequence[Cell], width: int, height: int) -> Text:
    """The counters in fixed columns. The least important are left out where there is no room."""
    columns = max(1, min(3, width // CELL_WIDTH))
    room = columns * max(1, height)
    kept = sorted(sorted(cells, key=lambda cell: -cell.weight)[:room], key=cells.index)
    cell_width = width // columns
    text = Text(no_wrap=True)
    for number, cell in enumerate(kept):
        if number and number % columns == 0:
            text.append("\n")
        text.append(f"{cell.name:<{NAME_WIDTH}} ", DIM)
        text.append(f"{cell.value:<{max(1, cell_width - NAME_WIDTH - 1)}}", cell.style)
    return text


@lru_cache(maxsize=8)
def _has_nature(game: Game) -> bool:
    """Whether this very game has chance moves: not every typed tree has chance nodes."""
    return game.has_chance and game.lacks("no chance", game.start()) is not None

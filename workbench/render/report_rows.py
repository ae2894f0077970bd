"""The facts of a search as plain cells: depth by depth, move by move, its counters and its transposition table.

They are composed here and nowhere else. Terminal, app and exported reports choose from them and lay them out, so that no two
places can say different things of one search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engines import catalog
from engines.contract import Counters, DepthRow, Report, RootMove, TableCounters
from engines.game import Game
from workbench.render.report_text import (
    has_numbers,
    interval_text,
    line_text,
    numbers_text,
    plies_text,
    proof_number,
    tape_text,
    tree_text,
    why_ended,
)
from workbench.render.style import MEASURABLE
from workbench.render.values import (
    bound_text,
    counted,
    duration,
    likelihood_text,
    reach_of,
    row_value_text,
    value_text,
)


def share_text(part: int, whole: int) -> str:
    """A share in percent, a dash where there is nothing to share."""
    return f"{100 * part / whole:.0f} %" if whole else "-"


def narrow(share: str) -> str:
    """A share in percent for a cell that has little room, or within a sentence."""
    return share.replace(" ", "")


# Depth by depth.


@dataclass(frozen=True)
class DepthCells:
    """What was believed at a depth, or at a checkpoint of a search that counts iterations."""

    stage: str
    """The depth, or how many iterations there were."""
    value: str
    """The value as far as it is known, or the proof numbers."""
    mean: str
    """The first player's value alone, without what each player gets, or how far it is spread."""
    reach: str
    """At most so far the true mean is from the value, with a confidence of 95 %; empty if that is not known."""
    proof: str
    disproof: str
    best_move: str
    nodes: str
    seconds: str
    time: str
    """The same with its unit."""
    branching: float | None
    """How many times more nodes it took than the depth before."""
    table_hits: str
    """The share of the probes of the table that hit."""
    line: str


def depth_cells(row: DepthRow, before: DepthRow | None, game: Game, longest: int | None = None) -> DepthCells:
    """The cells of a row whose moves are as people read them, after the row before it; of a line at most so many moves."""
    reach, line = reach_of(row), row.pv[:longest]
    return DepthCells(
        stage=str(row.depth) if row.iterations is None else f"{row.iterations:,}",
        value=numbers_text(row) if has_numbers(row) else row_value_text(row, game),
        mean=value_text(row.value, game),
        reach="" if reach is None else f"{reach:.2f}",
        proof=proof_number(row.proof),
        disproof=proof_number(row.disproof),
        best_move=row.best_move or "",
        nodes=f"{row.nodes:,}",
        seconds=f"{row.seconds:.3f}",
        time=duration(row.seconds),
        branching=branching_factor(row, before),
        table_hits=table_cells(row.table).hit_share if row.table is not None else "-",
        line=line_text(line, row.pv_cut_short or line != row.pv),
    )


def branching_factor(row: DepthRow, before: DepthRow | None) -> float | None:
    """How many times more nodes a depth took than the one before; None where that is not the depth just above it."""
    if before is None or before.nodes == 0 or row.iterations is not None or row.depth != before.depth + 1:
        return None
    return row.nodes / before.nodes


def all_depths(report: Report, game: Game, most: int | None = None, longest: int | None = None) -> list[DepthCells]:
    """The cells of all depths, or of the last ones; the report is one for people."""
    earlier = (None, *report.depths)
    cells = [depth_cells(row, before, game, longest) for row, before in zip(report.depths, earlier, strict=False)]
    return cells if most is None else cells[-most:]


def stage_title(algorithm: str, counts_iterations: bool) -> str:
    """What the stages of a search are: depths, iterations, or expansions. An algorithm that is not there any more is taken
    for one that samples."""
    if not counts_iterations:
        return "depth"
    known = algorithm in catalog.ALGORITHMS
    return "expansions" if known and catalog.algorithm(algorithm).expands else "iterations"


def value_title(rows: Sequence[DepthRow] | Sequence[RootMove]) -> str:
    """What the values of these rows are: of a search that proves they are pairs of numbers."""
    return "proof / disproof" if any(has_numbers(row) for row in rows) else "value"


# Move by move.


@dataclass(frozen=True)
class MoveCells:
    """A root move: what it is worth, and its share of the work."""

    move: str
    value: str
    """The value or the bound that is known, or the proof numbers."""
    interval: str
    """Between which values the true mean lies, or that the result is proven."""
    reach: str
    """The same for little room: ` ±0.12`, behind the value."""
    likelihood: str
    """How probable a move of nature is; empty if a player moves."""
    nodes: str
    share: float
    """Of the nodes of all moves."""


@dataclass(frozen=True)
class MovesTable:
    """All root moves, and what stands above their columns."""

    value: str
    interval: str
    """Empty if nothing is known of means."""
    nodes: str
    has_likelihood: bool
    rows: tuple[MoveCells, ...]


def moves_table(rows: Sequence[RootMove], game: Game) -> MovesTable:
    """The cells of all root moves, in their order; the moves are as people read them."""
    total = sum(row.nodes for row in rows) or 1
    numbered = any(has_numbers(row) for row in rows)
    known = "95 % between" if any(row.interval for row in rows) else "known" if any(row.proven for row in rows) else ""
    return MovesTable(
        value=value_title(rows),
        interval=known,
        nodes="games" if any(row.visits is not None for row in rows) else "nodes",
        has_likelihood=any(row.likelihood is not None for row in rows),
        rows=tuple(
            MoveCells(
                move=row.move,
                value=numbers_text(row) if numbered else bound_text(row, game),
                interval=interval_text(row, game),
                reach="" if numbered else reach_text(row),
                likelihood=likelihood_text(row.likelihood),
                nodes=f"{row.nodes:,}",
                share=row.nodes / total,
            )
            for row in rows
        ),
    )


def reach_text(row: RootMove) -> str:
    """How far the true mean may be from a value that is one, with a confidence of 95 %."""
    reach = None if row.proven else reach_of(row)
    return "" if reach is None else f" ±{reach:.2f}"


# The transposition table.


@dataclass(frozen=True)
class TableCells:
    """What a search did with its transposition table."""

    probes: str
    hits: str
    cutoffs: str
    stores: str
    overwrites: str
    collisions: str
    size: str
    hit_share: str
    """Of the probes."""
    cut_share: str
    """Of the probes."""
    filled: str
    """The share of the entries in use."""
    cut_by: tuple[str, str, str]
    """The shares of the cutoffs by exact values, lower bounds and upper bounds."""


def table_cells(table: TableCounters) -> TableCells:
    """The cells of a table's counters."""
    kinds = (table.exact_cutoffs, table.lower_cutoffs, table.upper_cutoffs)
    exact, lower, upper = (share_text(kind, table.cutoffs) for kind in kinds)
    return TableCells(
        probes=f"{table.probes:,}",
        hits=f"{table.hits:,}",
        cutoffs=f"{table.cutoffs:,}",
        stores=f"{table.stores:,}",
        overwrites=f"{table.overwrites:,}",
        collisions=f"{table.collisions:,}",
        size=f"{table.size / 1e6:.0f} MB",
        hit_share=share_text(table.hits, table.probes),
        cut_share=share_text(table.cutoffs, table.probes),
        filled=share_text(table.filled, table.entries),
        cut_by=(exact, lower, upper),
    )


# The counters.


class CounterName(NamedTuple):
    """What a counter is called: in full, and where there is little room."""

    full: str
    short: str


NAMES = {
    "depth": CounterName("depth", "depth"),
    "iterations": CounterName("iterations", "iterations"),
    "expansions": CounterName("expansions", "expansions"),
    "tree_nodes": CounterName("tree", "tree nodes"),
    "playouts": CounterName("playouts", "playouts"),
    "nodes": CounterName("nodes", "nodes"),
    "leaves": CounterName("leaves", "leaves"),
    "chance_nodes": CounterName("chance nodes", "chance"),
    "evaluations": CounterName("evaluations", "evaluated"),
    "cutoffs": CounterName("cutoffs", "cutoffs"),
    "first_move_cutoffs": CounterName("first-move cutoffs", "first move"),
    "selective_depth": CounterName("deepest", "deepest"),
    "seconds": CounterName("searching", "searching"),
    "nodes_per_second": CounterName("nodes/s", "per s"),
}
"""The counters by the names of their fields."""


def counters_of(report: Report) -> Counters:
    """What a search that has ended had counted, as far as its report keeps that."""
    return Counters(
        nodes=report.nodes,
        leaves=report.leaves,
        evaluations=report.evaluations,
        cutoffs=report.cutoffs,
        first_move_cutoffs=report.first_move_cutoffs,
        selective_depth=report.selective_depth,
        iterations=report.iterations or 0,
        playouts=report.playouts or 0,
        tree_nodes=report.tree_nodes or 0,
        visited_nodes=sum(report.tree_depths),
        chance_nodes=report.chance_nodes,
    )


def counter_texts(found: Counters) -> dict[str, str]:
    """Each counter as a number, by the name of its field; of the cutoffs by a first move their share."""
    return {
        "nodes": f"{found.nodes:,}",
        "leaves": f"{found.leaves:,}",
        "evaluations": f"{found.evaluations:,}",
        "cutoffs": f"{found.cutoffs:,}",
        "first_move_cutoffs": share_text(found.first_move_cutoffs, found.cutoffs),
        "iterations": f"{found.iterations:,}",
        "expansions": f"{found.iterations:,}",
        "playouts": f"{found.playouts:,}",
        "tree_nodes": f"{found.tree_nodes:,}",
        "visited_nodes": f"{found.visited_nodes:,}",
        "selective_depth": f"{found.selective_depth}",
        "chance_nodes": f"{found.chance_nodes:,}",
    }


def counter_rows(report: Report) -> list[tuple[str, str]]:
    """Everything that a search has counted, name and value, and what made it; a name is empty where a row continues the
    one above it."""
    algorithm, texts = catalog.algorithm(report.algorithm), counter_texts(counters_of(report))
    names = {field: name.full for field, name in NAMES.items()}
    defaults = {parameter.name: catalog.default_in(parameter, report.game) for parameter in algorithm.parameters}
    rows = [("algorithm", report.algorithm)]
    rows += [
        ("", f"{name}={str(value).lower()}") for name, value in report.parameters.items() if value != defaults.get(name)
    ]
    if report.iterations is None:
        rows.append((names["depth"], f"{report.depth} (deepest {texts['selective_depth']})"))
    else:
        rows += grown_rows(report, texts)
    whole = " in all" if report.iterations is None and len(report.depths) > 1 else ""
    if whole:
        rows.append((f"nodes at depth {report.depths[-1].depth}", f"{report.depths[-1].nodes:,}"))
    rows += [(names[field] + whole, texts[field]) for field in ("nodes", "leaves")]
    if report.chance_nodes:
        rows.append((names["chance_nodes"] + whole, texts["chance_nodes"]))
    rows.append((names["evaluations"] + whole, texts["evaluations"]))
    if report.cutoffs:
        share = narrow(texts["first_move_cutoffs"])
        rows.append((names["cutoffs"] + whole, f"{texts['cutoffs']} ({share} on the first move)"))
    if report.table is not None:
        table = table_cells(report.table)
        hits, filled = (share.replace("-", "0%") for share in (narrow(table.hit_share), narrow(table.filled)))
        rows += [("table", f"{hits} of {table.probes} probes hit"), ("", f"{table.cutoffs} cutoffs, {filled} full")]
    if report.distance_nodes:
        rows.append(("proving the win", f"{counted(report.distance_nodes, 'node')} more"))
    if report.line_nodes:
        rows.append(("line to its leaf", f"{counted(report.line_nodes, 'node')} more"))
    rows += [("starting", duration(report.compile_seconds)), (names["seconds"], duration(report.seconds))]
    measured = report.seconds >= MEASURABLE
    speed = f"{report.nodes_per_second:,.0f}" if measured else "– (too quick to be measured)"
    rows += [(names["nodes_per_second"], speed), ("ended", why_ended(report))]
    if report.tape_nodes is not None:
        rows.append(("on tape", tape_text(report.tape_nodes, report)))
    return rows


def grown_rows(report: Report, texts: dict[str, str]) -> list[tuple[str, str]]:
    """What is counted of a search that grows a tree in memory, by expansions or by games."""
    what = stage_title(report.algorithm, counts_iterations=True)
    rows = [(what, texts[what])]
    if has_numbers(report):
        rows.append(("proof / disproof", numbers_text(report)))
    rows += [(one.question, f"{'yes' if one.yes else 'no'}, {counted(one.nodes, 'node')}") for one in report.answers]
    if report.tree_nodes is not None:
        rows.append((NAMES["tree_nodes"].full, tree_text(report)))
    if report.playouts is not None:
        length = "" if report.playout_plies is None else f", {report.playout_plies:.1f} plies long"
        rows.append((NAMES["playouts"].full, f"{texts['playouts']}{length}"))
    if report.tree_depths:
        rows.append(("nodes by ply", plies_text(report.tree_depths)))
    for number, one in enumerate(report.by_thread, 1):
        rows.append((f"thread {number}", f"{counted(one.iterations, 'iteration')}, {counted(one.playouts, 'game')}"))
    return rows

"""A lane of a comparison as plain cells: terminal, app and exported reports choose from them and lay them out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.contract import Report, TableCounters
from engines.game import Game
from workbench.comparison.lanes import belief_of
from workbench.proofs.truth import regret_text
from workbench.render.report_rows import narrow, table_cells
from workbench.render.style import rate, short_number
from workbench.render.values import duration, row_value_text
from workbench.sessions.comparison_types import LaneBelief, LaneRow, MoveTruth, Work


@dataclass(frozen=True)
class LaneCells:
    """What a lane says, and what that took."""

    value: str
    best_move: str
    depth: str
    nodes: str
    evaluations: str
    playout_moves: str
    seconds: str
    time: str
    """The same with its unit."""
    nodes_per_second: str
    table_hits: str
    regret: str
    """What its move gives away; a dash if that is not known."""


def lane_cells(
    belief: LaneBelief, best_move: str, work: Work, table: TableCounters | None, known: MoveTruth | None, game: Game
) -> LaneCells:
    """The cells of a lane: its belief, its move as people read it, its work, the figures of its table, and what is true of
    its move."""
    return LaneCells(
        value=row_value_text(belief, game),
        best_move=best_move or "-",
        depth=str(belief.depth),
        nodes=f"{work.nodes:,}",
        evaluations=amount_text(work.evaluations),
        playout_moves=amount_text(work.playout_moves),
        seconds=f"{work.seconds:.3f}",
        time=duration(work.seconds),
        nodes_per_second=rate(work.nodes, work.seconds),
        table_hits=narrow(table_cells(table).hit_share) if table is not None else "-",
        regret=regret_text(known) or "-",
    )


def report_cells(row: LaneRow, report: Report, best_move: str, game: Game) -> LaneCells:
    """The cells of a lane that has ended. One that counts iterations has no depth."""
    assert row.work is not None
    cells = lane_cells(belief_of(report), best_move, row.work, report.table, row.truth, game)
    return cells if report.iterations is None else replace(cells, depth="-")


def amount_text(amount: int | None) -> str:
    """An amount of work in few letters; a dash for what a lane does not do, or does not say."""
    return "-" if amount is None else short_number(amount)

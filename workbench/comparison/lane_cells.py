"""A lane of a comparison as plain cells: terminal, app and exported reports choose from them and lay them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engines.contract import Report, TableCounters
from engines.game import Game
from engines.position import Position
from workbench.comparison.lanes import belief_of
from workbench.proofs.truth import regret_text
from workbench.render.report_rows import narrow, table_cells
from workbench.render.style import rate, short_number
from workbench.render.values import duration, row_value_text
from workbench.sessions.comparison_types import LaneBelief, LaneDifference, LaneRow, MoveTruth, Work

DIFFERS = "≠"
"""The mark of what differs from the first lane's result."""
TITLES = {
    "value": "value",
    "best_move": "best",
    "depth": "depth",
    "nodes": "nodes",
    "evaluations": "evals",
    "playout_moves": "playout",
    "seconds": "seconds",
    "time": "time",
    "nodes_per_second": "per s",
    "table_hits": "hits",
    "regret": "regret",
}
"""What stands above the cells of all lanes in a table, by the name of the cell."""


@dataclass(frozen=True)
class LaneCells:
    """What a lane says, and what that took."""

    value: str
    value_differs: bool
    """Whether it is another one than the first lane's."""
    best_move: str
    move_differs: bool
    """Whether it is another one than the first lane's."""
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
    belief: LaneBelief,
    differs: LaneDifference | None,
    best_move: str,
    work: Work,
    table: TableCounters | None,
    truth: MoveTruth | None,
    game: Game,
) -> LaneCells:
    """The cells of a lane: its belief, how that differs from the first lane's, its move as people read it, its work, the
    figures of its table, and what is true of its move."""
    differs = differs or LaneDifference()
    return LaneCells(
        value=row_value_text(belief, game),
        value_differs=differs.says,
        best_move=best_move or "-",
        move_differs=differs.move,
        depth=str(belief.depth),
        nodes=f"{work.nodes:,}",
        evaluations=amount_text(work.evaluations),
        playout_moves=amount_text(work.playout_moves),
        seconds=f"{work.seconds:.3f}",
        time=duration(work.seconds),
        nodes_per_second=rate(work.nodes, work.seconds),
        table_hits=narrow(table_cells(table).hit_share) if table is not None else "-",
        regret=regret_text(truth) or "-",
    )


def report_cells(row: LaneRow, report: Report, best_move: str, game: Game) -> LaneCells:
    """The cells of a lane that has ended. One that counts iterations has no depth."""
    assert row.work is not None
    cells = lane_cells(belief_of(report), row.differs, best_move, row.work, report.table, row.truth, game)
    return cells if report.iterations is None else replace(cells, depth="-")


def first_move(position: Position, line: Sequence[str]) -> str:
    """The first move of a line as people read it; empty if the line is."""
    return " ".join(position.game.pretty_line(position.state, line[:1]))


def line_words(position: Position, line: Sequence[str], differing_ply: int | None) -> list[tuple[str, bool]]:
    """The moves of a line as people read them, each with whether it is the one at which the line leaves the first lane's:
    that one, at a ply counted from 1, has the mark before it."""
    words = enumerate(position.game.pretty_line(position.state, line), 1)
    return [(f"{DIFFERS}{word}", True) if ply == differing_ply else (word, False) for ply, word in words]


def amount_text(amount: int | None) -> str:
    """An amount of work in few letters; a dash for what a lane does not do, or does not say."""
    return "-" if amount is None else short_number(amount)

"""A lane of a comparison as plain cells: terminal, app and exported reports choose from them and lay them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engines.contract import Report, TableCounters
from engines.game import Game
from engines.position import Position
from workbench.comparison.agreement import DIFFERS, move_marks
from workbench.comparison.lanes import belief_of
from workbench.proofs.truth import regret_text
from workbench.render.report_rows import narrow, table_cells
from workbench.render.style import MEASURABLE, rate, short_number
from workbench.render.values import duration, row_value_text
from workbench.sessions.comparison_types import Compared, LaneBelief, LaneDifference, LaneRow, MoveTruth, Work

TITLES = {
    "value": "value",
    "best_move": "best",
    "depth": "depth",
    "nodes": "nodes",
    "nodes_ratio": "x lane 1",
    "evaluations": "evals",
    "playout_moves": "playout",
    "seconds": "seconds",
    "time_ratio": "x lane 1",
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
    move_mark: str
    """How it compares with the moves of other lanes; empty if it does not need to be said."""
    depth: str
    nodes: str
    nodes_ratio: str
    """How many times the first lane's they are, `x0.31`; empty for the first lane itself."""
    evaluations: str
    playout_moves: str
    seconds: str
    time_ratio: str
    """The same for the time; empty where one of them is too short to be measured."""
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
    mark: str = "",
    first: Work | None = None,
) -> LaneCells:
    """The cells of a lane: its belief, how that differs from the first lane's, its move as people read it, its work, the
    figures of its table, what is true of its move, the mark of its move, and the work of the first lane if it is another
    one."""
    differs = differs or LaneDifference()
    return LaneCells(
        value=row_value_text(belief, game),
        value_differs=differs.says,
        best_move=best_move or "-",
        move_mark=mark,
        depth=str(belief.depth),
        nodes=f"{work.nodes:,}",
        nodes_ratio=ratio_text(work.nodes, first.nodes) if first is not None else "",
        evaluations=amount_text(work.evaluations),
        playout_moves=amount_text(work.playout_moves),
        seconds=f"{work.seconds:.3f}",
        time_ratio=times_ratio(work, first) if first is not None else "",
        time=duration(work.seconds),
        nodes_per_second=rate(work.nodes, work.seconds),
        table_hits=narrow(table_cells(table).hit_share) if table is not None else "-",
        regret=regret_text(truth) or "-",
    )


def report_cells(
    row: LaneRow, report: Report, best_move: str, game: Game, mark: str = "", first: Work | None = None
) -> LaneCells:
    """The cells of a lane that has ended. One that counts iterations has no depth."""
    assert row.work is not None
    cells = lane_cells(belief_of(report), row.differs, best_move, row.work, report.table, row.truth, game, mark, first)
    return cells if report.iterations is None else replace(cells, depth="-")


def marks_of(found: Compared) -> tuple[str, ...]:
    """The marks of the moves of all lanes of a comparison."""
    beliefs = [LaneBelief() if report is None else belief_of(report) for report in found.reports]
    return move_marks(beliefs, [row.truth for row in found.lanes])


def first_work(found: Compared, row: LaneRow) -> Work | None:
    """The work with which that of a lane is compared: the first lane's; None for that one itself."""
    return None if row is found.lanes[0] else found.lanes[0].work


def ratio_text(amount: float, first: float) -> str:
    """How many times the first lane's amount another one is: `x0.31`, `x2.5`, `x140`; empty if the first lane's is none."""
    if not first:
        return ""
    ratio = amount / first
    return f"x{ratio:.2g}" if ratio < 9.95 else f"x{ratio:,.0f}"


def times_ratio(work: Work, first: Work) -> str:
    """The same for the times, if both are long enough to be measured."""
    measured = min(work.seconds, first.seconds) >= MEASURABLE
    return ratio_text(work.seconds, first.seconds) if measured else ""


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

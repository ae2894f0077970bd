"""A comparison in the report of a session."""

from __future__ import annotations

from collections.abc import Iterator

from engines.contract import InputError, Report
from engines.position import Position
from workbench.comparison.agreement import DIFFERS
from workbench.comparison.lane_cells import first_work, marks_of, report_cells
from workbench.drawing.plot import bar_picture
from workbench.export.blocks import Block, Figure, Heading, Note, Paragraph, Sheet
from workbench.proofs.truth import sentence
from workbench.render.report_text import line_text
from workbench.sessions.comparison_types import Compared, LaneRow, Work, remarks_text
from workbench.sessions.text import for_people, position_of
from workbench.sessions.types import KeptComparison

TITLES = (
    *("lane", "value>", "best", "depth>", "nodes>", "nodes / lane 1>", "evaluated>", "time>", "time / lane 1>"),
    *("regret>", "line"),
)


def comparison_blocks(number: int, kept: KeptComparison) -> Iterator[Block]:
    """A comparison, counted from 1 within its study."""
    found = kept.compared
    yield Heading(3, f"Comparison {number}: {', '.join(row.name for row in found.lanes)}")
    reports = [report for report in found.reports if report is not None]
    try:
        position = position_of(reports[0]) if reports else None
    except InputError as error:
        yield Paragraph(f"This position cannot be read: {error}")
        return
    yield Paragraph(f"Position: {found.position}")
    if kept.note:
        yield Note(kept.note)
    if position is not None:
        lanes = zip(found.lanes, found.reports, marks_of(found), strict=True)
        rows = [_row(row, report, position, mark, first_work(found, row)) for row, report, mark in lanes]
        yield Sheet(TITLES, tuple(rows))
        counted = [(row.title, report) for row, report in zip(found.lanes, found.reports, strict=True) if report is not None]
        bars = [(title, float(report.nodes), f"{report.nodes:,}") for title, report in counted]
        yield Figure(bar_picture(f"Nodes of each lane of comparison {number}", bars))
        if found.truth is not None:
            yield Paragraph(sentence(found.truth, None, position))
    remarks = remarks_text((row.name, report) for row, report in zip(found.lanes, found.reports, strict=True))
    yield Paragraph(f"{found.agreement.sentence} {how(found)} {remarks}".rstrip())


def how(found: Compared) -> str:
    """On what the lanes ran, and how."""
    return f"Budget: {found.budget.text} for each lane; they ran {found.mode} ({found.why})."


def _row(row: LaneRow, report: Report | None, position: Position, mark: str, first: Work | None) -> tuple[str, ...]:
    if report is None or row.work is None:
        return (row.title, row.problem or row.ended_by, *[""] * (len(TITLES) - 2))
    found, differs = for_people(report, position), row.differs
    cells = report_cells(row, found, found.best_move or "", position.game, mark, first)
    return (
        row.title,
        f"{DIFFERS} {cells.value}" if differs and differs.says else cells.value,
        f"{mark} {cells.best_move}".lstrip(),
        cells.depth,
        cells.nodes,
        cells.nodes_ratio,
        cells.evaluations,
        cells.time,
        cells.time_ratio,
        cells.regret,
        line_text(found.pv, found.pv_cut_short),
    )

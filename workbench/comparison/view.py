"""The result of a comparison as terminal output."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from engines.position import Position
from workbench.comparison.lane_cells import report_cells
from workbench.proofs.truth import sentence
from workbench.render.board import board
from workbench.render.tables import sheet
from workbench.sessions.comparison_types import Compared, LaneDifference, LaneRow, remarks_text

DIFFERS = "bold yellow"
UNITS = (("nodes", "nodes"), ("evaluations", "evals"), ("playout_moves", "playout"))
"""The units of work; those are shown that some lane has."""


def table(found: Compared, position: Position) -> Group:
    """The whole comparison."""
    return Group(board(position), *lanes(found, position))


def lanes(found: Compared, position: Position) -> list[RenderableType]:
    """A table of the lanes: the result of each, its work, and where it differs from the first."""
    with_truth = any(row.truth is not None for row in found.lanes)
    with_table = any(report is not None and report.table is not None for report in found.reports)
    units = [(name, title) for name, title in UNITS if any(row.work and getattr(row.work, name) for row in found.lanes)]
    titles = ["lane", "value>", "best", "depth>", *(f"{title}>" for _, title in units), "time>", "per s>"]
    titles += ["hits>"] if with_table else []
    sheets = sheet(*titles, *(["regret>"] if with_truth else []))
    sheets.padding, sheets.show_edge = (0, 1, 0, 0), False
    for row, report in zip(found.lanes, found.reports, strict=True):
        if report is None or row.work is None:
            sheets.add_row(Text.assemble((row.name, "bold"), (f" {row.problem or row.ended_by}", "dim")))
            continue
        move = " ".join(position.game.pretty_line(position.state, report.pv[:1]))
        known, differs = report_cells(row, report, move, position.game), row.differs or LaneDifference()
        cells: list[RenderableType] = [lane_title(row), mark(known.value, differs.says), mark(known.best_move, differs.move)]
        cells += [known.depth, *(getattr(known, name) for name, _ in units), known.time, known.nodes_per_second]
        cells += [known.table_hits] if with_table else []
        if with_truth:
            given_away = known.regret if row.truth is not None else "?"
            cells.append(Text(given_away, style="bold red" if row.truth and row.truth.regret else ""))
        sheets.add_row(*cells)
    parts: list[RenderableType] = [sheets, *lines(found, position)]
    if found.truth is not None:
        parts.append(Text(sentence(found.truth, None, position), style="bold"))
    parts.append(Text(found.agreement.sentence, style="bold green" if found.agreement.agrees else "bold red"))
    how = f"Budget: {found.budget.text}. The lanes ran {found.mode} ({found.why})."
    differ = " ≠ is not what the first lane says." if any(row.differs and row.differs.any for row in found.lanes) else ""
    parts.append(Text(how + differ + ("" if found.complete else " It was interrupted."), style="dim"))
    if remarks := remarks_text((row.name, report) for row, report in zip(found.lanes, found.reports, strict=True)):
        parts.append(Text(remarks, style="dim"))
    return parts


def lane_title(row: LaneRow) -> Text:
    """A lane's name and its parameters."""
    settings = "".join(f"\n  {name}={str(value).lower()}" for name, value in row.changed.items())
    return Text.assemble((row.name, "bold"), (settings, "dim"))


def mark(text: str, differs: bool) -> Text:
    """A text, with a mark if it differs from the first lane's."""
    return Text(f"≠ {text}" if differs else text, style=DIFFERS if differs else "")


def lines(found: Compared, position: Position) -> list[Text]:
    """The principal variation of each lane, marked at the ply where it leaves the first lane's."""
    texts = []
    width = max(len(row.name) for row in found.lanes)
    for row, report in zip(found.lanes, found.reports, strict=True):
        if report is None or not report.pv:
            continue
        text = Text(f"{row.name:<{width}}  ", style="dim")
        ply = row.differs.ply if row.differs is not None else None
        for number, move in enumerate(position.game.pretty_line(position.state, report.pv), 1):
            text.append(f"≠{move}" if number == ply else move, style=f"not dim {DIFFERS}" if number == ply else "not dim")
            text.append(" ")
        if report.pv_cut_short:
            text.append("…")
        texts.append(text)
    return texts

"""The result of a comparison as terminal output."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from engines.position import Position
from workbench.comparison.agreement import DIFFERS, EQUAL, WORSE
from workbench.comparison.lane_cells import (
    TITLES,
    LaneCells,
    first_move,
    first_work,
    line_words,
    marks_of,
    report_cells,
)
from workbench.comparison.verdict import verdict
from workbench.render.board import board
from workbench.render.style import CHANGED
from workbench.render.tables import LaneSheet
from workbench.sessions.comparison_types import Compared, LaneRow

UNITS = ("nodes", "evaluations", "playout_moves")
"""The units of work; those are shown that some lane has."""
SPARE = ("nodes_per_second", "playout_moves", "table_hits", "evaluations", "time", "depth", "nodes", "regret")
"""The columns that a narrow terminal may leave out, the least important first."""


def table(result: Compared, position: Position) -> Group:
    """The whole comparison."""
    return Group(board(position), *lanes(result, position))


def lanes(result: Compared, position: Position) -> list[RenderableType]:
    """A table of the lanes: the result of each, its work, and where it differs from the first."""
    with_truth = any(row.truth is not None for row in result.lanes)
    with_table = any(report is not None and report.table is not None for report in result.reports)
    units = [unit for unit in UNITS if any(row.work and getattr(row.work, unit) for row in result.lanes)]
    columns = ["value", "best_move", "depth", *units, "time", "nodes_per_second"]
    columns += ["table_hits"] if with_table else []
    columns += ["regret"] if with_truth else []
    shown: dict[str, list[RenderableType]] = {title_of(name): [] for name in columns}
    failed = []
    for row, report, mark in zip(result.lanes, result.reports, marks_of(result), strict=True):
        cells = None
        if report is None or row.work is None:
            failed.append(Text(f"{row.name}: {row.problem or row.ended_by}", style="bold red"))
        else:
            move, first = first_move(position, report.pv), first_work(result, row)
            cells = report_cells(row, report, move, position.game, mark, first)
        for name in columns:
            shown[title_of(name)].append("" if cells is None else cell(name, cells, row))
    names, changed = [row.name for row in result.lanes], [row.changed for row in result.lanes]
    sheet = LaneSheet(names, changed, shown, [title_of(name) for name in SPARE])
    return [sheet, *failed, *lines(result, position), *verdict_lines(result, position)]


def title_of(column: str) -> str:
    """The title of a column, as `LaneSheet` takes it."""
    return TITLES[column] + ("" if column == "best_move" else ">")


def cell(name: str, cells: LaneCells, row: LaneRow) -> RenderableType:
    """One cell of a lane, with a mark if it differs from the first lane's."""
    text: str = getattr(cells, name)
    if name == "regret":
        given_away = text if row.truth is not None else "?"
        return Text(given_away, style="bold red" if row.truth and row.truth.regret else "")
    if name in ("value", "best_move"):
        mark = cells.move_mark if name == "best_move" else DIFFERS if cells.value_differs else ""
        return Text(f"{mark} {text}".lstrip(), style="bold red" if mark == WORSE else CHANGED if mark == DIFFERS else "")
    if name in ("nodes", "time"):
        ratio = cells.nodes_ratio if name == "nodes" else cells.time_ratio
        return Text.assemble(text, (f"\n{ratio}" if ratio else "", "dim"))
    return text


def verdict_lines(result: Compared, position: Position) -> list[Text]:
    """What is said of all lanes together: what is true, whether those agree that must, and how they ran."""
    reports = [(row.name, report) for row, report in zip(result.lanes, result.reports, strict=True)]
    known = verdict(position, result.agreement, result.truth, result.budget, result.mode, result.why, reports)
    parts = [Text(known.truth, style="bold")] if known.truth else []
    parts.append(Text(known.agreement, style="bold green" if known.agrees else "bold red"))
    how = f"Budget: {known.budget}. The lanes ran {known.order}."
    parts.append(Text(how + legend(result) + ("" if result.complete else " It was interrupted."), style="dim"))
    if known.remarks:
        parts.append(Text(known.remarks, style="dim"))
    return parts


def legend(result: Compared) -> str:
    """What the marks of a comparison say, as far as it has them."""
    marks = {*marks_of(result), DIFFERS if any(_differs(row) for row in result.lanes) else ""}
    words = {
        WORSE: "is a worse move than another lane's",
        EQUAL: "is a different move of equal worth",
        DIFFERS: "differs from the first lane, and which is better is not known",
    }
    return "".join(f" {mark} {said}." for mark, said in words.items() if mark in marks)


def _differs(row: LaneRow) -> bool:
    return row.differs is not None and row.differs.any


def lines(result: Compared, position: Position) -> list[Text]:
    """The principal variation of each lane, marked at the ply where it leaves the first lane's."""
    texts = []
    width = max(len(row.name) for row in result.lanes)
    for row, report in zip(result.lanes, result.reports, strict=True):
        if report is None or not report.pv:
            continue
        text = Text(f"{row.name:<{width}}  ", style="dim")
        for word, differs in line_words(position, report.pv, row.differs.ply if row.differs is not None else None):
            text.append(word, style=f"not dim {CHANGED}" if differs else "not dim")
            text.append(" ")
        if report.pv_cut_short:
            text.append("…")
        texts.append(text)
    return texts

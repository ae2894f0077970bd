"""Sessions and suites of comparisons as shown in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from engines.contract import InputError, shown
from workbench.comparison.view import lanes
from workbench.export.suite import explained, headline, totals
from workbench.render.board import board
from workbench.render.tables import LaneSheet, sheet
from workbench.render.values import counted, duration, limit_text, row_value_text
from workbench.sessions import tapes
from workbench.sessions.comparison_types import SuiteOutcome
from workbench.sessions.model import Session, Study
from workbench.sessions.store import SessionRow
from workbench.sessions.text import for_people, moves_text, numbered_path, place_text, position_of, settings_text
from workbench.sessions.types import KeptComparison
from workbench.sessions.verify import Check, Verification

STYLES = {"same": "green", "different": "bold red", "impossible": "bold red", "skipped": "dim"}


def listing(rows: Sequence[SessionRow], folder: str) -> RenderableType:
    """All sessions."""
    if not rows:
        return Text(f"There are no sessions yet; they will be in {folder}.")
    table = sheet("session…", "games…", "changed", "studies>", "searches>")
    for row in rows:
        changed = f"{row.changed.astimezone():%Y-%m-%d %H:%M}"
        if row.error:
            table.add_row(Text(row.name, style="bold"), Text("cannot be opened", style="red"), changed, "", "")
        else:
            cells = (", ".join(row.games), changed, str(row.studies), str(row.searches))
            table.add_row(Text(row.name, style="bold"), *cells)
    complaints = [Text(row.error, style="red") for row in rows if row.error]
    return Group(table, *complaints, Text(f"They are in {folder}", style="dim"))


def session(found: Session, path: Path | None = None) -> Group:
    """A whole session, its searches in a line each; `path` is its file, beside which its tapes are."""
    parts: list[RenderableType] = [Text(found.name, style="bold")]
    moments = (moment.astimezone() for moment in (found.created, found.changed))
    parts.append(Text("begun {:%Y-%m-%d %H:%M}, last changed {:%Y-%m-%d %H:%M}".format(*moments), style="dim"))
    for number, one in enumerate(found.studies, 1):
        named = f": {one.title}" if one.title else ""
        parts.append(Padding(Text(f"Study {number} of {len(found.studies)}{named}", style="bold"), (1, 0, 0, 0)))
        parts += study(one, path)
    parts += [suite(kept.outcome) for kept in found.suites]
    return Group(*parts)


def study(found: Study, path: Path | None = None) -> list[RenderableType]:
    """A study: the board at its current place, all moves, notes and searches."""
    parts: list[RenderableType] = [board(found.position())]
    if found.note:
        parts.append(Text(found.note, style="italic"))
    if found.start != "startpos":
        parts.append(Text.assemble(("start  ", "dim"), found.start))
    if moves := moves_text(found):
        parts.append(Text.assemble(("moves  ", "dim"), moves))
        parts.append(Text.assemble(("at     ", "dim"), numbered_path(found, found.path)))
    if found.searches:
        parts.append(searches(found, path))
    parts += [comparison(kept, number) for number, kept in enumerate(found.comparisons, 1)]
    return parts


def comparison(kept: KeptComparison, number: int) -> RenderableType:
    """A comparison: its lanes in a table."""
    found = kept.compared
    reports = [report for report in found.reports if report is not None]
    title = Text(f"comparison {number} of {found.position}", style="bold")
    try:
        return Group(title, *lanes(found, position_of(reports[0]))) if reports else title
    except InputError as error:
        return Group(title, Text(f"its position cannot be read: {error}"))


def suite(found: SuiteOutcome) -> Group:
    """A suite of comparisons: what every lane achieved over all positions, and how it was judged."""
    titles = ("right>", "of>", "regret>", "depth>", "nodes>", "mean nodes>", "time>", "as lane 1>")
    columns: dict[str, list[RenderableType]] = {
        title: list(cells) for title, cells in zip(titles, zip(*map(totals, found.lanes), strict=True), strict=True)
    }
    spare = ("mean nodes>", "depth>", "time>", "nodes>", "regret>")
    cells = LaneSheet([lane.name for lane in found.lanes], [lane.changed for lane in found.lanes], columns, spare)
    parts: list[RenderableType] = [Text(headline(found), style="bold"), cells, Text(explained(found), style="dim")]
    parts += [Text(failure, style="red") for failure in found.failures]
    parts += [Text(f"PROGRAM ERROR: {error}", style="bold red") for error in found.errors]
    return Group(*parts)


def searches(found: Study, path: Path | None = None) -> Group:
    """The searches of a study in a table, and below it what is special about them."""
    table = sheet("", "after", "algorithm", "limit…", "value>", "best", "depth>", "nodes>", "time>")
    remarks = []
    for number, kept in enumerate(found.searches, 1):
        remark = "; ".join(filter(None, (settings_text(kept.report), kept.note, tapes.remark(kept, path))))
        try:
            position = position_of(kept.report)
        except InputError as error:
            table.add_row(str(number), "?", kept.report.algorithm)
            remark = f"its position cannot be read: {error}"
        else:
            report, place = for_people(kept.report, position), found.path_of(kept.position)
            where = "elsewhere" if place is None else place_text(found, place)
            value = "" if report.value is None else row_value_text(report, position.game)
            counts = (str(report.depth), f"{report.nodes:,}", duration(report.seconds))
            what = (str(number), where, report.algorithm, limit_text(report.limit))
            table.add_row(*what, value, report.best_move or "", *counts)
        if remark:
            remarks.append(Text.assemble((f"{number}  ", "dim"), remark))
    return Group(table, *remarks)


def verification(found: Verification) -> Group:
    """What came of running all searches again."""
    table = sheet("study>", "search>", "algorithm", "position…", "result…")
    for check in found.checks:
        number = f"{check.comparison}, lane {check.search}" if check.comparison else str(check.search)
        cells = (str(check.study), number, check.algorithm, shown(check.position, 60).strip("'"))
        table.add_row(*cells, result(check))
    words = [f"{found.same} the same", f"{found.different} different"]
    words += [f"{found.impossible} could not be run"] if found.impossible else []
    words += [f"{found.skipped} skipped"] if found.skipped else []
    words += ["interrupted"] if not found.complete else []
    return Group(table, Text(f"{', '.join(words)}.", style="bold green" if found.holds else "bold red"))


def result(check: Check) -> Text:
    """What came of running one search again."""
    if check.status != "different":
        words = ". ".join(filter(None, (": ".join(filter(None, (check.status, check.reason))), check.tape)))
        return Text(words, style=STYLES[check.status])
    lines = [check.tape] if check.tape else []
    lines += [f"{one.field}: kept {_value(one.kept)}, found {_value(one.found)}" for one in check.differences]
    return Text("\n".join(["different", *lines]), style=STYLES["different"])


def _value(value: Any) -> str:
    """A field of a report in words: of a list how long it is, of what has parts the parts that are set."""
    if value is None:
        return "nothing"
    if isinstance(value, list | tuple):
        simple = not any(isinstance(one, dict | list | tuple) for one in value)
        return " ".join(str(one) for one in value) if simple and value else counted(len(value), "entry")
    if isinstance(value, dict):
        parts = (f"{name} {_value(one)}" for name, one in value.items() if one not in (None, [], {}, ()))
        return shown(", ".join(parts), 60).strip("'")
    return shown(str(value), 60).strip("'")

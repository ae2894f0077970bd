"""A suite of comparisons for people and for other programs: its sentences, CSV, Markdown, HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from engines import catalog
from engines.contract import InputError, shown
from workbench.export.blocks import Block, Heading, Paragraph, Sheet, html, markdown
from workbench.proofs.truth import outcome_text
from workbench.render.spreadsheet import csv_text, yes_or_no
from workbench.render.values import counted, duration
from workbench.sessions.comparison_types import LaneTotal, SuiteOutcome, SuiteRow

COLUMNS = (
    *("position", "id", "notation", "lane", "algorithm", "settings", "value", "best_move", "depth", "proven"),
    *("nodes", "evaluations", "seconds", "stopped_by", "right", "judged_by", "regret", "truth", "truth_distance"),
)


def totals(lane: LaneTotal) -> tuple[str, ...]:
    """The numbers of a lane."""
    percent = "-" if lane.percent is None else f"{lane.percent:g} %"
    regret = "-" if lane.regret is None else f"{lane.regret:g}"
    return (
        percent,
        str(lane.judged),
        regret,
        f"{lane.depth:g}",
        f"{lane.nodes:,}",
        f"{lane.mean_nodes:,.0f}",
        duration(lane.seconds),
        str(lane.first_moves),
    )


def headline(found: SuiteOutcome) -> str:
    """What it is, in a line."""
    done = f"{found.done}" if found.done == found.total else f"{found.done} of {found.total}"
    what = f"{done} {'position' if found.total == 1 else 'positions'} of {found.game}, {counted(len(found.lanes), 'lane')}"
    return f"{Path(found.file).name}: {what}, {found.budget.text}"


def explained(found: SuiteOutcome) -> str:
    """How the lanes were judged, and what else there is to know."""
    words = [f"{count} by {what}" for what, count in found.by.items()]
    text = f"Right answers are judged: {', '.join(words)}. " if words else ""
    if "the deepest lane" in found.by:
        text += "The deepest lane is not judged by itself. "
    if any(lane.regret is not None for lane in found.lanes):
        text += "Regret is the mean of what the moves give away: a win is 1, a draw a half. "
    if found.resumed:
        text += f"{counted(found.resumed, 'search')} known from the journal. "
    return (text + ("" if found.complete else "It is not complete.")).strip()


# Files.


def write(found: SuiteOutcome, to: str) -> str:
    """The suite in a format of `FORMATS`."""
    return FORMATS[to](found)


def format_of(path: Path) -> str:
    """The format that the name of a file asks for."""
    name = path.suffix.lower().lstrip(".").replace("htm", "html").replace("htmll", "html")
    if name not in FORMATS:
        raise InputError(f"A suite is written to a file that ends in .{', .'.join(FORMATS)}, not {shown(path.name)}.")
    return name


def to_csv(found: SuiteOutcome) -> str:
    """One row for each lane of each position."""
    return csv_text(COLUMNS, (line for row in found.rows for line in _lines(row, found)))


def _lines(row: SuiteRow, found: SuiteOutcome) -> Iterator[tuple[object, ...]]:
    truth = row.truth
    for lane, cell, judged in zip(found.lanes, row.cells, row.judged, strict=True):
        yield (
            *(row.number, row.id, row.position, lane.name, lane.algorithm),
            lane.title.removeprefix(lane.name).strip(),
            *(cell.value, cell.best_move, cell.depth, yes_or_no(cell.exact)),
            *(cell.nodes, cell.evaluations, round(cell.seconds, 6), cell.stopped_by),
            *(yes_or_no(judged.right), judged.by, judged.regret),
            *((truth.outcome or truth.value, truth.distance) if truth is not None else ("", "")),
        )


def blocks(found: SuiteOutcome, level: int = 1) -> Iterator[Block]:
    """The whole report; `level` is that of its title."""
    yield Heading(level, headline(found))
    if text := explained(found):
        yield Paragraph(text)
    titles = ("lane", "right>", "of>", "regret>", "depth>", "nodes>", "mean nodes>", "time>", "as lane 1>")
    yield Sheet(titles, tuple((lane.title, *totals(lane)) for lane in found.lanes))
    for failure in found.failures:
        yield Paragraph(failure)
    for error in found.errors:
        yield Paragraph(f"PROGRAM ERROR: {error}")
    truth = ("truth",) if any(row.truth is not None for row in found.rows) else ()
    lanes = tuple(part for lane in found.lanes for part in (lane.name, "nodes>"))
    yield Heading(level + 1, "Position by position")
    yield Sheet(("position", *truth, *lanes), tuple(_line(row, found, bool(truth)) for row in found.rows))


def _line(row: SuiteRow, found: SuiteOutcome, with_truth: bool) -> tuple[str, ...]:
    players = catalog.game(found.game).players
    words = [row.id if row.id == row.position else f"{row.id} {row.position}"]
    if with_truth:
        words.append("?" if row.truth is None else outcome_text(row.truth, players))
    for cell, judged in zip(row.cells, row.judged, strict=True):
        mark = "" if judged.right is None else " ✓" if judged.right else " ✗"
        words += [f"{cell.best_move or '-'}{mark}", f"{cell.nodes:,}"]
    return tuple(words)


def to_markdown(found: SuiteOutcome) -> str:
    """A report in Markdown."""
    return markdown(list(blocks(found)))


def to_html(found: SuiteOutcome) -> str:
    """A report as one HTML page."""
    return html(list(blocks(found)), headline(found))


FORMATS: dict[str, Callable[[SuiteOutcome], str]] = {"csv": to_csv, "md": to_markdown, "html": to_html}

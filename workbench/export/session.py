"""A session for others: a report in Markdown or HTML, PGN and EPD for chess programs, CSV for spreadsheets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from engines.contract import DepthRow, InputError, Report, shown
from engines.position import Position
from engines.storage.files import write_safely
from workbench.drawing.board import board_picture
from workbench.drawing.plot import value_picture
from workbench.drawing.tree import tree_picture
from workbench.export.blocks import Block, Diagram, Figure, Heading, Note, Paragraph, Sheet, html, markdown, picture_files
from workbench.export.comparison import comparison_blocks
from workbench.export.suite import blocks as suite_blocks
from workbench.render import report_rows, report_text
from workbench.render.root_order import in_order
from workbench.render.spreadsheet import csv_text, yes_or_no
from workbench.render.values import duration, limit_text, number_text, row_value_text
from workbench.sessions import tapes
from workbench.sessions.model import Session, Study
from workbench.sessions.text import for_people, moves_text, numbered_path, position_of, sentence, settings_text
from workbench.sessions.types import KeptSearch

Numbered = tuple[int, KeptSearch]
"""A search, counted from 1 within its study."""


def export(session: Session, to: str) -> str:
    """The session in a format of `FORMATS`."""
    if to not in FORMATS:
        raise InputError(f"A session is exported to {', '.join(FORMATS)}, not to {shown(to)}.")
    return FORMATS[to](session)


def write(session: Session, to: str, path: Path) -> None:
    """Write the session to a file in a format of `FORMATS`; the pictures of a report in Markdown are in a folder beside it.

    They are files because few who show Markdown show pictures that stand in its text, be they SVG or data.
    """
    text = export(session, to)
    if to == "md":
        found, folder = list(blocks(session)), path.with_suffix(".pictures")
        pictures = picture_files(found)
        text = markdown(found, folder.name)
        try:
            if pictures:
                folder.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"The folder {shown(str(folder), 80)} cannot be made: {error.strerror}.") from None
        for name, picture in pictures.items():
            _write(folder / name, picture)
    _write(path, text)


def _write(path: Path, text: str) -> None:
    with write_safely(path) as stream:
        stream.write(text.encode(errors="replace"))


def to_markdown(session: Session) -> str:
    """A report in Markdown, its boards drawn in letters."""
    return markdown(list(blocks(session)))


def to_html(session: Session) -> str:
    """A report as one HTML page, with plots."""
    return html(list(blocks(session)), session.name)


def to_pgn(session: Session) -> str:
    """The chess studies as games."""
    from workbench.export.chess import pgn

    return pgn(session)


def to_epd(session: Session) -> str:
    """The searches of chess positions."""
    from workbench.export.chess import epd

    return epd(session)


# The report.


def blocks(session: Session) -> Iterator[Block]:
    """The whole report."""
    yield Heading(1, session.name)
    searches = sum(len(study.searches) for study in session.studies)
    yield Paragraph(
        f"A Plybench session, begun {session.created:%Y-%m-%d %H:%M} UTC, "
        f"last changed {session.changed:%Y-%m-%d %H:%M} UTC; "
        f"studies: {len(session.studies)}, searches: {searches}. Values are for the first player."
    )
    for number, study in enumerate(session.studies, 1):
        game = study.first_position().game
        named = f": {study.title}" if study.title else ""
        yield Heading(2, f"{number}. {' '.join(filter(None, (game.title, game.size)))}{named}")
        yield from _study(study)
        for count, comparison in enumerate(study.comparisons, 1):
            yield from comparison_blocks(count, comparison)
    for suite in session.suites:
        yield from suite_blocks(suite.outcome, 2)


def _study(study: Study) -> Iterator[Block]:
    if study.note:
        yield Note(study.note)
    if study.start != "startpos":
        yield Paragraph(f"Start: {study.start}")
    if moves := moves_text(study):
        yield Paragraph(f"Moves: {moves}")
    searched: dict[str, list[Numbered]] = {study.position().text: []}
    for number, kept in enumerate(study.searches, 1):
        searched.setdefault(kept.position, []).append((number, kept))
    for notation, searches in searched.items():
        path = study.path_of(notation)
        yield Heading(3, f"After {numbered_path(study, path)}" if path else "The start" if path == () else notation)
        try:
            position = study.position_at(path) if path is not None else position_of(searches[0][1].report)
        except InputError as error:
            yield Paragraph(f"This position cannot be read: {error}")
            continue
        yield from _position(position)
        if path and (note := study.node_at(path).note):
            yield Note(note)
        if searches:
            yield _overview(searches, position)
        for number, kept in searches:
            yield from _search(number, kept, position)


def _position(position: Position) -> Iterator[Block]:
    game = position.game
    picture, text = board_picture(position) or tree_picture(position), game.diagram(position.state)
    yield Diagram(text) if picture is None else Figure(picture, text)
    how = report_text.how_it_ended(position)
    yield Paragraph(f"The game is over: {how}." if how else f"{game.standing(position)}.")
    found = game.evaluation(position.state)
    rows = [report_text.term_cells(term, game) for term in found.terms]
    total = ("evaluation", *("" for _ in game.players[: game.player_count]), "", number_text(found.value, game))
    yield Sheet(report_text.evaluation_titles(game), (*rows, total))


def _overview(searches: list[Numbered], position: Position) -> Sheet:
    """All searches of a position beside each other."""
    rows = []
    for number, kept in searches:
        report = for_people(kept.report, position)
        value = "" if report.value is None else row_value_text(report, position.game)
        cells = (str(number), report.algorithm, settings_text(report), limit_text(report.limit), str(report.seed), value)
        counts = (str(report.depth), f"{report.nodes:,}", duration(report.seconds))
        rows.append((*cells, report.best_move or "", *counts, report_text.why_ended(report)))
    titles = ("search>", "algorithm", "set", "limit", "seed>", "value>", "best", "depth>", "nodes>", "time>", "ended")
    return Sheet(titles, tuple(rows))


def _search(number: int, kept: KeptSearch, position: Position) -> Iterator[Block]:
    report, game = for_people(kept.report, position), position.game
    yield Heading(4, f"Search {number}: {report.algorithm}")
    line = f" Line: {report_text.line_text(report.pv, report.pv_cut_short)}." if len(report.pv) > 1 else ""
    yield Paragraph(f"{sentence(report, position)}{line}")
    if kept.note:
        yield Note(kept.note)
    if recorded := tapes.remark(kept, None):
        yield Paragraph(f"{recorded[0].upper()}{recorded[1:]}, beside the session.")
    if len(report.depths) > 1:
        yield _depths(report, position)
        if (plot := value_picture(report, position, f"Value by {{stage}} of search {number}")) is not None:
            yield Figure(plot)
    if len(report.root_moves) > 1:
        moves = report_rows.moves_table(in_order(report.root_moves, report.best_move, position), game)
        cells = tuple((row.move, row.value, row.nodes) for row in moves.rows)
        yield Sheet(("move", f"{moves.value}>", f"{moves.nodes}>"), cells)
    yield Paragraph(f"Searched {kept.when:%Y-%m-%d %H:%M} UTC with Plybench {kept.version}.")


def _depths(report: Report, position: Position) -> Sheet:
    """What was believed at each depth, or at each checkpoint."""
    stage = report_rows.stage_title(report.algorithm, report.iterations is not None)
    rows = report_rows.all_depths(report, position.game)
    return Sheet(
        (f"{stage}>", f"{report_rows.value_title(report.depths[-1:])}>", "best", "nodes>", "time>", "line"),
        tuple((row.stage, row.value, row.best_move, row.nodes, row.time, row.line) for row in rows),
    )


# The table of everything.

COLUMNS = (
    *("study", "search", "when", "version", "game", "size", "options", "position", "algorithm", "parameters"),
    *("limit_depth", "limit_nodes", "limit_iterations", "limit_seconds", "seed"),
    *("stopped_by", "exact", "outcome", "distance"),
    *("depth", "value", "best_move", "pv", "nodes", "leaves", "seconds", "last"),
)


def to_csv(session: Session) -> str:
    """One row for each depth of each search; a search that finished none has one row with what it had."""
    return csv_text(COLUMNS, _rows(session))


def _rows(session: Session) -> Iterator[tuple[object, ...]]:
    for number, study in enumerate(session.studies, 1):
        for count, kept in enumerate(study.searches, 1):
            report = kept.report
            before = (number, count, kept.when.isoformat(), kept.version, *_whole(report))
            rows: tuple[DepthRow | Report, ...] = report.depths or (report,)
            for row in rows:
                found = (row.depth, row.value, row.best_move, " ".join(row.pv), row.nodes, row.leaves, row.seconds)
                yield (*before, *found, yes_or_no(row is rows[-1]))


def _whole(report: Report) -> tuple[object, ...]:
    """What is the same for all depths of a search."""
    limit = report.limit
    what = (report.game, report.size, json.dumps(report.options), report.position, report.algorithm)
    limits = (limit.depth, limit.given_nodes, limit.iterations, limit.seconds)
    found = (report.stopped_by, yes_or_no(report.exact), report.outcome, report.distance)
    return *what, json.dumps(report.parameters), *limits, report.seed, *found


FORMATS: dict[str, Callable[[Session], str]] = {
    "md": to_markdown,
    "html": to_html,
    "pgn": to_pgn,
    "epd": to_epd,
    "csv": to_csv,
}

"""Terminal tables of search reports, evaluations, perft counts and tapes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engines.contract import Evaluation, LevelRow, NodeRow, Report
from engines.game import Game
from engines.perft import PerftReport
from engines.position import Position
from engines.tape.recording import Recording
from workbench.render import report_rows
from workbench.render.board import board
from workbench.render.report_rows import MoveCells
from workbench.render.report_text import (
    ended,
    evaluation_titles,
    for_screen,
    level_cells,
    line_text,
    sentence,
    term_cells,
)
from workbench.render.root_order import in_order
from workbench.render.tables import BAR_WIDTH, sheet
from workbench.render.values import (
    counted,
    duration,
    number_text,
    value_text,
    vector_words,
)

MOST_CHECKPOINTS = 20
"""How many of the last checkpoints of a search that samples are listed."""
MOST_NODES = 60
"""The most nodes of a graph that are listed."""
MOST_MOVES = 16
"""The most moves of a position that are listed one by one."""


LINE_SHOWN = 6
"""The most moves of a line in a table of checkpoints; below it is the whole line."""


def report(found: Report, position: Position) -> Group:
    """Everything about a search."""
    found = for_screen(found, position)
    headline = Text(sentence(found, position), style="bold green" if found.exact else "bold")
    parts: list[RenderableType] = [Columns([board(position), counters(found)], padding=(0, 3))]
    if len(found.root_moves) > 1:
        parts.append(root_moves(found, position))
    if len(found.depths) > 1:
        parts.append(depths(found, position.game))
    if found.levels:
        parts.append(levels(found.levels, position.game))
    if found.regions:
        parts.append(regions(found.regions, position.game))
    parts.append(headline)  # last, so that it is what a full screen shows
    if len(found.pv) > 1:
        parts.append(Text.assemble(("line  ", "dim"), line_text(found.pv, found.pv_cut_short)))
    return Group(*parts)


def counters(found: Report) -> Table:
    """The numbers of a search, and what made them."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name, value in report_rows.counter_rows(found):
        table.add_row(name, value)
    return table


def root_moves(report: Report, position: Position) -> Table:
    """Each move with its value and its share of the work, the best first; of very many the best ones."""
    rows = in_order(report.root_moves, report.best_move, position)
    found = report_rows.moves_table(rows, position.game)
    likely, between = found.has_likelihood, bool(found.interval)
    titles = ["move", *(["chance>"] if likely else []), f"{found.value}>", *([found.interval] if between else [])]
    table = sheet(*titles, f"{found.nodes}>", "share>", "")

    def add(cells: MoveCells) -> None:
        bar = "█" * round(cells.share * BAR_WIDTH) or ("▏" if cells.share else "")
        first, second = [cells.likelihood] if likely else [], [cells.interval] if between else []
        table.add_row(cells.move, *first, cells.value, *second, cells.nodes, f"{cells.share:.1%}", bar)

    shown = len(rows) if len(rows) <= MOST_MOVES + 1 else MOST_MOVES
    for cells in found.rows[:shown]:
        add(cells)
    if others := [row.nodes for row in rows[shown:]]:
        share = sum(others) / (sum(row.nodes for row in rows) or 1)
        add(MoveCells(f"{len(others)} others", "", "", "", "", f"{sum(others):,}", share))
    return table


def depths(found: Report, game: Game) -> Table:
    """What was believed at each depth."""
    sampled = found.iterations is not None
    stage, value = report_rows.stage_title(found.algorithm, sampled), report_rows.value_title(found.depths[-1:])
    table = sheet(f"{stage}>", f"{value}>", "best", "nodes>", "seconds>", "branching>", "line…")
    most, longest = (MOST_CHECKPOINTS, LINE_SHOWN) if sampled else (None, None)
    for row in report_rows.all_depths(found, game, most, longest):
        growth = "" if row.branching is None else f"{row.branching:.2f}"
        table.add_row(row.stage, row.value, row.best_move, row.nodes, row.seconds, growth, row.line)
    return table


def levels(rows: Sequence[LevelRow], game: Game) -> Table:
    """How good the games of each level were."""
    table = sheet("level>", "searches>", "mean>", "best>")
    for row in rows:
        table.add_row(*level_cells(row, game))
    return table


def regions(rows: Sequence[NodeRow], game: Game) -> Table:
    """Every node of a graph that was solved as a whole, layer by layer, and last those that are in no layer."""
    table = sheet("layer>", "node", "decides", "value>", "goes to")
    known = sorted(rows, key=lambda row: (row.layer is None, row.layer or 0))
    for row in known[:MOST_NODES]:
        value = "" if row.value is None else value_text(row.value, game)
        layer = "-" if row.layer is None else str(row.layer)
        decides = game.players[0 if row.owner == "first" else 1] if row.move else ""
        table.add_row(layer, row.node, decides, value, row.move or "")
    if len(rows) > MOST_NODES:
        table.add_row("", f"and {len(rows) - MOST_NODES:,} more", "", "", "")
    return table


def evaluation(found: Evaluation, position: Position) -> Group:
    """Every term of the evaluation for both sides."""
    game = position.game
    table = sheet(*evaluation_titles(game))
    for term in found.terms:
        table.add_row(*term_cells(term, game))
    said = vector_words(found.values, game) if found.values else f"{number_text(found.value, game)} for {game.players[0]}"
    note = Text(said, style="bold")
    parts: list[RenderableType] = [board(position), table, note]
    if position.is_over:
        over = position.result * position.turn
        parts.append(Text(ended(game.outcome(over), number_text(game.shown_value(over), game), position)))
    return Group(*parts)


def perft(found: PerftReport, position: Position) -> Group:
    """How many games there are behind each move, and in all."""
    table = sheet("move", "leaves>")
    for move, leaves in found.divide.items():
        table.add_row(*position.game.pretty_line(position.state, (move,)), f"{leaves:,}")
    speed = f", {found.leaves / found.seconds / 1e6:.1f} M/s" if found.seconds > 0.01 else ""
    so_far = "" if found.complete else " so far; it was interrupted"
    total = Text(f"{found.leaves:,} at depth {found.depth}{so_far}", style="bold")
    return Group(board(position), table, total, Text(f"{duration(found.seconds)}{speed}", style="dim"))


def tape(recording: Recording) -> Group:
    """What a recorded search did at each ply."""
    rows = recording.by_ply()
    names = {"ply": "ply", "nodes": "nodes", "expanded": "expanded", "cut": "cut", "first_move_cuts": "1st move"}
    names |= {
        name: name for name in ("terminal", "horizon", "table", "quiet", "pruned", "aside", "sampled", "numbered", "open")
    }
    names = {name: title for name, title in names.items() if any(getattr(row, name) for row in rows)}
    table = sheet(*(f"{title}>" for title in names.values()), "moves>")
    for row in rows:
        branching = "" if row.branching is None else f"{row.branching:.2f}"
        table.add_row(*(f"{getattr(row, name):,}" for name in names), branching)
    found = for_screen(recording.report, recording.position)
    title = f"{found.algorithm} on {found.game} {found.size}, depth {found.depth}: {sentence(found, recording.position)}"
    held = f"{counted(len(recording), 'node')} on the tape"
    if not recording.complete:
        note = Text(f"{held} of {recording.nodes:,} that were searched: the tape was full.", style="bold")
    elif faults := recording.faults():
        note = Text(f"{held}; {faults:,} values do not follow from their children: please report this.", style="bold red")
    else:
        note = Text(f"{held}; every value follows from its children.", style="dim")
    return Group(board(recording.position), Text(title, style="bold"), table, note)

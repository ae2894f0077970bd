"""Terminal tables of search reports, evaluations, perft counts and tapes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engines import catalog
from engines.contract import Evaluation, LevelRow, NodeRow, Report, RootMove
from engines.game import Game
from engines.perft import PerftReport
from engines.position import Position
from engines.tape.recording import Recording
from workbench.render.board import board
from workbench.render.report_text import (
    ended,
    evaluation_titles,
    for_screen,
    has_numbers,
    interval_text,
    level_cells,
    line_text,
    numbers_text,
    plies_text,
    sentence,
    tape_text,
    term_cells,
    tree_text,
    why_ended,
)
from workbench.render.style import MEASURABLE
from workbench.render.tables import BAR_WIDTH, sheet
from workbench.render.values import (
    bound_text,
    counted,
    duration,
    likelihood_text,
    number_text,
    row_value_text,
    value_text,
    vector_words,
)

MOST_CHECKPOINTS = 20
"""So many of the last checkpoints of a search that samples are listed."""
MOST_NODES = 60
"""So many nodes of a graph are listed."""
MOST_MOVES = 16
"""So many moves of a position are listed one by one."""


LINE_SHOWN = 6
"""So many moves of a line stand in a table of checkpoints; below it is the whole line."""


def report(found: Report, position: Position) -> Group:
    """Everything about a search."""
    found = for_screen(found, position)
    headline = Text(sentence(found, position), style="bold green" if found.exact else "bold")
    parts: list[RenderableType] = [Columns([board(position), counters(found)], padding=(0, 3))]
    if len(found.root_moves) > 1:
        parts.append(root_moves(found.root_moves, position.game))
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
    declared = catalog.algorithm(found.algorithm).parameters
    defaults = {parameter.name: catalog.default_in(parameter, found.game) for parameter in declared}
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_row("algorithm", found.algorithm)
    for name, value in found.parameters.items():
        if value != defaults.get(name):
            table.add_row("", f"{name}={str(value).lower()}")
    if found.iterations is None:
        table.add_row("depth", f"{found.depth} (deepest {found.selective_depth})")
    else:
        expands = catalog.algorithm(found.algorithm).expands
        table.add_row("expansions" if expands else "iterations", f"{found.iterations:,}")
        if has_numbers(found):
            table.add_row("proof / disproof", numbers_text(found))
        for answer in found.answers:
            table.add_row(answer.question, f"{'yes' if answer.yes else 'no'}, {counted(answer.nodes, 'node')}")
        if found.tree_nodes is not None:
            table.add_row("tree", tree_text(found))
        length = "" if found.playout_plies is None else f", {found.playout_plies:.1f} plies long"
        if found.playouts is not None:
            table.add_row("playouts", f"{found.playouts:,}{length}")
        if found.tree_depths:
            table.add_row("nodes by ply", plies_text(found.tree_depths))
        for number, one in enumerate(found.by_thread, 1):
            table.add_row(f"thread {number}", f"{counted(one.iterations, 'iteration')}, {counted(one.playouts, 'game')}")
    table.add_row("nodes", f"{found.nodes:,}")
    table.add_row("leaves", f"{found.leaves:,}")
    if found.chance_nodes:
        table.add_row("chance nodes", f"{found.chance_nodes:,}")
    table.add_row("evaluations", f"{found.evaluations:,}")
    if found.cutoffs:
        share = found.first_move_cutoffs / found.cutoffs
        table.add_row("cutoffs", f"{found.cutoffs:,} ({share:.0%} on the first move)")
    if found.table is not None:
        hits = found.table.hits / max(found.table.probes, 1)
        table.add_row("table", f"{hits:.0%} of {found.table.probes:,} probes hit")
        full = found.table.filled / max(found.table.entries, 1)
        table.add_row("", f"{found.table.cutoffs:,} cutoffs, {full:.0%} full")
    if found.distance_nodes:
        table.add_row("proving the win", f"{counted(found.distance_nodes, 'node')} more")
    if found.line_nodes:
        table.add_row("line to its leaf", f"{counted(found.line_nodes, 'node')} more")
    table.add_row("time", duration(found.seconds))
    measured = found.seconds >= MEASURABLE
    table.add_row("nodes/s", f"{found.nodes_per_second:,.0f}" if measured else "– (too quick to be measured)")
    table.add_row("ended", why_ended(found))
    if found.tape_nodes is not None:
        table.add_row("on tape", tape_text(found.tape_nodes, found))
    return table


def root_moves(rows: Sequence[RootMove], game: Game) -> Table:
    """Each move with its value and its share of the work, in the order of the search; of very many the most worked on."""
    sampled = any(row.visits is not None for row in rows)
    counted = any(has_numbers(row) for row in rows)
    between: tuple[str, ...] = ()
    if any(row.interval or row.proven for row in rows):
        between = ("95 % between" if any(row.interval for row in rows) else "known",)
    likely = ("chance>",) if any(row.likelihood is not None for row in rows) else ()
    named = ("proof / disproof>" if counted else "value>", *between, "games>" if sampled else "nodes>", "share>", "")
    table = sheet("move", *likely, *named)
    total = sum(row.nodes for row in rows) or 1

    def add(name: str, value: str, nodes: int, interval: str = "", chance: str = "") -> None:
        share = nodes / total
        bar = "█" * round(share * BAR_WIDTH) or ("▏" if nodes else "")
        more = (interval,) if between else ()
        table.add_row(name, *((chance,) if likely else ()), value, *more, f"{nodes:,}", f"{share:.1%}", bar)

    most = sorted(rows, key=lambda row: (row.bound == "exact", row.nodes), reverse=True)[:MOST_MOVES]
    chosen = rows if len(rows) <= MOST_MOVES + 1 else [row for row in rows if row in most]
    for row in chosen:
        value = numbers_text(row) if counted else bound_text(row, game)
        add(row.move, value, row.nodes, interval_text(row, game), likelihood_text(row.likelihood))
    if others := len(rows) - len(chosen):
        add(f"{others} others", "", total - sum(row.nodes for row in chosen))
    return table


def depths(found: Report, game: Game) -> Table:
    """What was believed at each depth."""
    sampled = found.iterations is not None
    counts = "expansions>" if catalog.algorithm(found.algorithm).expands else "iterations>"
    value = "proof / disproof>" if has_numbers(found.depths[-1]) else "value>"
    table = sheet(counts if sampled else "depth>", value, "best", "nodes>", "seconds>", "branching>", "line…")
    before = 0
    for row in found.depths[-MOST_CHECKPOINTS:] if sampled else found.depths:
        growth = f"{row.nodes / before:.2f}" if before and not sampled else ""
        cells = (
            f"{row.iterations:,}" if row.iterations is not None else str(row.depth),
            numbers_text(row) if has_numbers(row) else row_value_text(row, game),
            row.best_move or "",
            f"{row.nodes:,}",
            f"{row.seconds:.3f}",
        )
        shown = row.pv[:LINE_SHOWN] if sampled else row.pv
        table.add_row(*cells, growth, line_text(shown, row.pv_cut_short or shown != row.pv))
        before = row.nodes
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

"""The texts of the Compare screen: pure functions from the state to what is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from engines.game import Game
from engines.position import Position
from workbench.comparison.agreement import apart, difference
from workbench.comparison.desk import CompareDesk
from workbench.comparison.lane_cells import lane_cells
from workbench.comparison.lanes import Comparison, Lane
from workbench.proofs.truth import outcome_text, regret_text
from workbench.render.report_rows import table_cells
from workbench.render.style import CHANGED, DIM, STRONG, bar, coloured, rate, short_number
from workbench.render.values import is_win, row_value_text
from workbench.sessions.comparison_types import LaneBelief, Truth, remarks_text

COLOURS = ("#3fa35b", "#3b8ac4", "#c08a1e", "#9a6dd7", "#d0643c", "#2aa198")
"""The colours of the lanes in plots, where the points also show the lanes' numbers."""
LABEL = 6
LEAST = 0.01
"""The shortest time that is plotted, in milliseconds."""
STATES = {"running": ("●", "bold green"), "waits": ("◌", DIM), "done": ("■", STRONG), "stopped": ("□", STRONG), "": ("", "")}


def state_of(lane: Lane, comparison: Comparison) -> str:
    """What a lane is doing, in a word or two."""
    if lane.running:
        return "running"
    if lane.report is None:
        return "waits" if comparison.busy else ""
    return "stopped" if lane.ended_by == "request" else "done"


def leaning(value: float | None, game: Game, most: float) -> float:
    """The share of a bar that is the first player's for a value: 0.5 is even. In games without winners, `most` is the
    largest value of all lanes."""
    if value is None:
        return 0.0
    if not game.has_winner:
        return 0.5 + 0.5 * value / most if most else 0.5
    if is_win(value, game):
        return 1.0 if value > 0 else 0.0
    return 0.5 + 0.5 * math.tanh(value * game.unit / (4 * game.margin))


def card(desk: CompareDesk, number: int, width: int, height: int) -> Text:
    """The card of a lane: its result, its work, and its line, with marks where it differs from lane 1."""
    comparison, lane = desk.comparison, desk.comparison.lanes[number]
    position, game = desk.position, desk.position.game
    belief, first = lane.belief(comparison.shown), comparison.lanes[0].belief(comparison.shown)
    other = difference(first, belief)
    text = Text(no_wrap=True, overflow="crop")
    sign, style = STATES[state_of(lane, comparison)]
    said = row_value_text(belief, game)
    text.append("≠ " if other.says else "", CHANGED)
    text.append(said, f"bold {coloured(belief.value or 0)}".strip())
    text.append(" proven" if belief.exact else "", DIM)
    text.append(sign.rjust(max(1, width - text.cell_len)), style)
    most = max((abs(one.belief(comparison.shown).value or 0) for one in comparison.lanes), default=0)
    text.append("\n▕", DIM)
    text.append(bar(leaning(belief.value, game, most), width - 2), "cyan on grey37" if belief.value is not None else DIM)
    text.append("▏\n", DIM)
    text.append(f"{'best':<{LABEL}}", DIM)
    move = position.game.pretty_line(position.state, belief.pv[:1])[0] if belief.pv else "-"
    text.append(("≠ " if other.move else "") + move, CHANGED if other.move else STRONG)
    known = desk.truth.of(belief.best_move) if desk.truth is not None else None
    if known is not None:
        away = regret_text(known)
        good = away.startswith("none")
        left = width - LABEL - len(move) - (2 if other.move else 0)
        words = ["  true"] if good else [f"  gives {away}", f"  -{away}", "  ✗"]
        word = next((word for word in words if len(word) <= left), "")
        text.append(word, "green" if good else "bold red" if known.regret else "yellow")
    facts = facts_of(lane, comparison, width)[: max(0, height - 4)]
    for fact in facts:
        text.append("\n")
        text.append_text(fact)
    if lane.problem:
        return text.append(f"\n{lane.problem}", "bold red")
    room = height - 3 - len(facts)
    if belief.pv and room > 0:
        text.append("\n")
        text.append_text(wrapped_line(position, belief, other.ply, width, room))
    elif lane.report is None and not comparison.busy and room > 0:
        text.append("\nnot searched yet", DIM)
    return text


def facts_of(lane: Lane, comparison: Comparison, width: int) -> list[Text]:
    """The numbers of a lane, the most important first."""
    work, glance, report = lane.work(), lane.glance, lane.report
    depth = lane.belief(comparison.shown).depth
    deepest = report.selective_depth if report is not None else glance.counters.selective_depth if glance else 0
    if lane.running and glance is not None:
        depth = glance.depth
    speed = rate(work.nodes, work.seconds)
    rows = [
        ("depth", f"{depth}/{deepest}", seconds_text(work.seconds)),
        ("nodes", f"{work.nodes:,}", win_nodes_text(lane, width - LABEL - len(f"{work.nodes:,}"))),
        ("per s", speed, ""),
    ]
    row = lane.rows.get(max(lane.rows, default=0))
    table = report.table if report is not None else row.table if row is not None else None
    if table is not None:
        rows[-1] = ("per s", speed, f"hits {table_cells(table).hit_share}")
    if work.evaluations:
        rows.append(("evals", short_number(work.evaluations), ""))
    found = []
    for name, value, more in rows:
        text = Text(f"{name:<{LABEL}}", DIM)
        text.append(value, "not dim")
        text.append(more.rjust(max(1, width - text.cell_len)), "dim")
        found.append(text)
    return found


def win_nodes_text(lane: Lane, room: int) -> str:
    """The nodes of the second search, which finds the quickest win; empty if there was none, or if there is no room."""
    nodes = lane.report.distance_nodes if lane.report is not None and not lane.running else 0
    words = (f"{nodes:,} for the win", f"win {short_number(nodes)}")
    return next((word for word in words if nodes and len(word) < room), "")


def seconds_text(seconds: float) -> str:
    """A time as text of constant width."""
    return f"{seconds:.2f} s" if seconds < 1000 else f"{seconds:,.0f} s"


def wrapped_line(position: Position, belief: LaneBelief, parted: int | None, width: int, room: int) -> Text:
    """The principal variation in at most `room` rows, with a mark at the ply where it leaves lane 1's."""
    words = [*position.game.pretty_line(position.state, belief.pv), *(["…"] if belief.pv_cut_short else [])]
    text, used, row = Text(no_wrap=True, overflow="crop"), 0, 1
    for ply, word in enumerate(words, 1):
        shown = f"≠{word}" if ply == parted else word
        if used and used + 1 + len(shown) > width - (2 if row == room and ply < len(words) else 0):
            if row == room:
                text.append(" …", DIM)
                break
            text.append("\n")
            row, used = row + 1, 0
        text.append(" " if used else "")
        text.append(shown, CHANGED if ply == parted else "")
        used += len(shown) + (1 if used else 0)
    return text


# The table across lanes.


@dataclass(frozen=True)
class Column:
    """A column: its name, its width, and its rank: which columns are left out first where there is no room."""

    name: str
    width: int
    weight: int


COLUMNS = (
    Column("lane", -20, 10),
    Column("value", 12, 9),
    Column("best", -8, 8),
    Column("depth", 6, 6),
    Column("nodes", 14, 7),
    Column("evals", 7, 3),
    Column("seconds", 9, 5),
    Column("per s", 7, 2),
    Column("hits", 5, 1),
    Column("regret", 8, 4),
)


def table(desk: CompareDesk, width: int) -> Text:
    """The table of all lanes, followed by the truth."""
    room, kept = width, []
    for column in sorted(COLUMNS, key=lambda one: -one.weight):
        if abs(column.width) + 1 <= room:
            kept.append(column)
            room -= abs(column.width) + 1
    wider = Column("lane", -20 - min(room, 24), 10)
    columns = [wider if column.name == "lane" else column for column in COLUMNS if column in kept]
    text = Text(no_wrap=True, overflow="crop")
    text.append(" ".join(padded(column.name, column.width) for column in columns), DIM)
    first = desk.comparison.lanes[0].belief(desk.comparison.shown)
    for number, lane in enumerate(desk.comparison.lanes, 1):
        belief = lane.belief(desk.comparison.shown)
        other = difference(first, belief)
        cells = cells_of(desk, lane, belief)
        text.append("\n")
        for column in columns:
            cell = f"{number} {lane.spec.title}" if column.name == "lane" else cells[column.name]
            differs = (column.name == "value" and other.says) or (column.name == "best" and other.move)
            cell = f"≠{cell}" if differs else cell
            style = CHANGED if differs else f"bold {COLOURS[number - 1]}" if column.name == "lane" else ""
            text.append(padded(cell, column.width), style)
            text.append(" ")
    return text


def padded(text: str, width: int) -> str:
    """A cell of a fixed width: aligned to the right, or to the left if the width is negative; cut if the text is too
    long."""
    size = abs(width)
    cut = text if len(text) <= size else text[: size - 1] + "…"
    return cut.ljust(size) if width < 0 else cut.rjust(size)


def cells_of(desk: CompareDesk, lane: Lane, belief: LaneBelief) -> dict[str, str]:
    """The texts of a lane's cells by column."""
    position, work, report = desk.position, lane.work(), lane.report
    found = report.table if report is not None else None
    known = desk.truth.of(belief.best_move) if desk.truth is not None else None
    move = " ".join(position.game.pretty_line(position.state, belief.pv[:1]))
    cells = lane_cells(belief, move, work, found, known, position.game)
    return {
        "value": cells.value,
        "best": cells.best_move,
        "depth": cells.depth,
        "nodes": cells.nodes,
        "evals": cells.evaluations,
        "seconds": cells.seconds,
        "per s": cells.nodes_per_second,
        "hits": cells.table_hits,
        "regret": cells.regret,
    }


def verdict(desk: CompareDesk, run_key: str) -> Text:
    """Whether the lanes that must agree do, what is true, and how the lanes run."""
    text = Text()
    if desk.agreement is not None:
        sure = bool(desk.agreement.lanes) or desk.agreement.proofs > 1
        text.append(desk.agreement.sentence, "bold red" if not desk.agreement.agrees else "bold green" if sure else DIM)
    elif not desk.busy:
        text.append(f"{run_key} runs all lanes.", STRONG)
    else:
        text.append("Whether exact lanes agree is seen when all have ended.", DIM)
    if known := truth_text(desk):
        text.append("\n")
        text.append_text(known)
    mode, why = desk.comparison.mode
    if remarks := remarks_text((lane.spec.name, lane.report) for lane in desk.comparison.lanes):
        text.append(f"\n{remarks}", DIM)
    text.append(f"\nBudget {desk.comparison.budget.text}, for each lane. They run {mode} ({why}).", DIM)
    return text


def truth_text(desk: CompareDesk) -> Text:
    """A sentence on what is true of the position."""
    truth: Truth | None = desk.truth
    if truth is not None:
        said = outcome_text(truth, desk.position.game.players)
        return Text.assemble(("True: ", DIM), (said, "bold"), (f", by {truth.source}.", DIM))
    if desk.looks_for_truth:
        return Text("The truth is being looked for.", DIM)
    ended = desk.agreement is not None and not desk.busy
    return Text("The truth is not known: no table has it, and no proof was quick enough." if ended else "", DIM)


def depths_table(desk: CompareDesk, width: int, height: int) -> Text:
    """A table of each lane's value and nodes by depth, the newest depth last."""
    lanes, game = desk.comparison.lanes, desk.position.game
    depths = sorted({depth for lane in lanes for depth in lane.rows})
    if not depths:
        return Text("Each finished depth adds a row here.", DIM)
    room = max(8, (width - 6) // len(lanes))
    with_nodes = room >= 17
    text = Text(no_wrap=True, overflow="crop")
    text.append("depth ", DIM)
    for number, lane in enumerate(lanes, 1):
        text.append(padded(f"{number} {lane.spec.name}", room - 1) + " ", COLOURS[number - 1])
    rows = max(1, height - 1)
    end = depths.index(desk.comparison.shown) + 1 if desk.comparison.shown in depths else len(depths)
    end = max(end, min(rows, len(depths)))
    for depth in depths[max(0, end - rows) : end]:
        mark = "▸" if depth == desk.comparison.shown else " "
        text.append(f"\n{mark}{depth:>4} ", STRONG if depth == desk.comparison.shown else "")
        first = lanes[0].rows.get(depth)
        for lane in lanes:
            row = lane.rows.get(depth)
            said = "" if row is None else row_value_text(row, game)
            differs = row is not None and first is not None and apart(row.value, first.value)
            cell = padded(f"≠{said}" if differs else said, room - 1 - (7 if with_nodes else 0))
            text.append(cell, CHANGED if differs else "")
            if with_nodes:
                text.append(padded("" if row is None else short_number(row.nodes), 7), DIM)
            text.append(" ")
    return text


def status(desk: CompareDesk) -> Text:
    """The status line at the top of the screen."""
    comparison, game, position = desk.comparison, desk.position.game, desk.position
    text = Text(" Compare ", "bold", no_wrap=True, overflow="ellipsis")
    text.append(" ".join(word for word in (game.title, game.size) if word), STRONG)
    mover = "game over" if position.is_over else game.standing(position)
    text.append(f"  {mover}  ", DIM)
    text.append(f"{comparison.budget.text}  ", CHANGED)
    running = sum(lane.running for lane in comparison.lanes)
    if desk.compiling is not None:
        text.append(f"◌ compiling {desk.compiling.what}, once", "bold yellow")
    elif comparison.busy:
        done = sum(lane.report is not None and not lane.running for lane in comparison.lanes)
        text.append(f"● {running} running, {done} of {len(comparison.lanes)} done", "bold green")
    elif comparison.shown is not None:
        text.append(f"◂ looking back at depth {comparison.shown}", CHANGED)
    elif comparison.stepped_work:
        text.append(f"■ all at {short_number(comparison.stepped_work)} nodes", STRONG)
    elif any(lane.report is not None for lane in comparison.lanes):
        text.append("■ done", STRONG)
    text.append(f"  {comparison.mode[0]}", DIM)
    return text


# Plots.


def points(lane: Lane, what: str, game: Game) -> list[tuple[float, float]]:
    """The points of a lane's line in a plot: value by nodes, nodes by depth or time by depth. Nodes and times are logarithms
    to base 10."""
    if what == "work":
        return [(math.log10(max(1, nodes)), value) for nodes, value in lane.by_work() if not is_win(value, game)]
    rows: Sequence[tuple[int, float]] = [
        (depth, float(row.nodes) if what == "nodes" else row.seconds * 1000) for depth, row in sorted(lane.rows.items())
    ]
    return [(float(depth), math.log10(max(LEAST, amount))) for depth, amount in rows]

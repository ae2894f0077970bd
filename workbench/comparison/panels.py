"""The texts of the Compare screen: pure functions from its frozen view to what is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rich.text import Text

from engines.game import Game
from engines.position import Position
from workbench.comparison.agreement import DIFFERS, WORSE, apart
from workbench.comparison.lane_cells import TITLES, LaneCells, first_move, lane_cells, line_words
from workbench.comparison.verdict import Verdict
from workbench.comparison.verdict import verdict as verdict_of
from workbench.comparison.view_state import CompareView, LaneView
from workbench.proofs.truth import known_by, regret_text
from workbench.render.plots.axis import spanning
from workbench.render.plots.chart import COLOURS, Plot, PlotLine
from workbench.render.report_rows import table_cells
from workbench.render.style import CHANGED, DIM, STRONG, bar, coloured, short_number
from workbench.render.values import is_win, row_value_text
from workbench.sessions.comparison_types import LaneBelief

LABEL = 6
MARK_STYLES = {WORSE: "bold red", DIFFERS: CHANGED}
LEAST = 0.00001
"""The shortest time that is plotted, in seconds."""
STATES = {"running": ("●", "bold green"), "waits": ("◌", DIM), "done": ("■", STRONG), "stopped": ("□", STRONG), "": ("", "")}


def state_of(lane: LaneView, view: CompareView) -> str:
    """What a lane is doing, in a word or two."""
    if lane.running:
        return "running"
    if lane.report is None:
        return "waits" if view.searching else ""
    return "stopped" if lane.ended_by == "request" else "done"


def cells_of(lane: LaneView, view: CompareView) -> LaneCells:
    """The cells of a lane: its result at the depth that is shown, and its work so far."""
    table = lane.report.table if lane.report is not None else None
    move = first_move(view.position, lane.belief.pv)
    game = view.position.game
    return lane_cells(lane.belief, lane.differs, move, lane.work, table, lane.truth, game, lane.mark, lane.first_work)


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


def card(view: CompareView, number: int, width: int, height: int) -> Text:
    """The card of a lane: its result, its work, and its line, with marks where it differs from lane 1."""
    lane, game = view.lanes[number], view.position.game
    belief, cells = lane.belief, cells_of(lane, view)
    text = Text(no_wrap=True, overflow="crop")
    sign, style = STATES[state_of(lane, view)]
    text.append(f"{DIFFERS} " if cells.value_differs else "", CHANGED)
    text.append(cells.value, f"bold {coloured(belief.value or 0)}".strip())
    text.append(" proven" if belief.exact else "", DIM)
    text.append(sign.rjust(max(1, width - text.cell_len)), style)
    most = max((abs(one.belief.value or 0) for one in view.lanes), default=0)
    text.append("\n▕", DIM)
    text.append(bar(leaning(belief.value, game, most), width - 2), "cyan on grey37" if belief.value is not None else DIM)
    text.append("▏\n", DIM)
    text.append(f"{'best':<{LABEL}}", DIM)
    move = f"{cells.move_mark} {cells.best_move}" if cells.move_mark else cells.best_move
    text.append(move, MARK_STYLES.get(cells.move_mark, STRONG))
    if lane.truth is not None:
        away = regret_text(lane.truth)
        good = away.startswith("none")
        left = width - LABEL - len(move)
        words = ["  right"] if good else [f"  gives away {away}", f"  gives {away}", f"  -{away}", "  ✗"]
        word = next((word for word in words if len(word) <= left), "")
        text.append(word, "green" if good else "bold red" if lane.truth.regret else "yellow")
    facts = facts_of(lane, cells, width)[: max(0, height - 4)]
    for fact in facts:
        text.append("\n")
        text.append_text(fact)
    if lane.problem:
        return text.append(f"\n{lane.problem}", "bold red")
    room = height - 3 - len(facts)
    if belief.pv and room > 0:
        text.append("\n")
        text.append_text(wrapped_line(view.position, belief, lane.differs.ply, width, room))
    elif lane.report is None and not view.searching and room > 0:
        text.append("\nnot searched yet", DIM)
    return text


def facts_of(lane: LaneView, cells: LaneCells, width: int) -> list[Text]:
    """The numbers of a lane, the most important first."""
    work, glance, report = lane.work, lane.glance, lane.report
    deepest = report.selective_depth if report is not None else glance.counters.selective_depth if glance else 0
    depth = glance.depth if lane.running and glance is not None else lane.belief.depth
    rows = [
        ("depth", f"{depth}/{deepest}", f"{seconds_text(work.seconds)} {cells.time_ratio}".rstrip()),
        ("nodes", cells.nodes, cells.nodes_ratio or win_nodes_text(lane, width - LABEL - len(cells.nodes))),
        ("per s", cells.nodes_per_second, ""),
    ]
    row = lane.rows.get(max(lane.rows, default=0))
    table = report.table if report is not None else row.table if row is not None else None
    if table is not None:
        rows[-1] = ("per s", cells.nodes_per_second, f"hits {table_cells(table).hit_share}")
    if work.evaluations:
        rows.append(("evals", cells.evaluations, ""))
    facts = []
    for name, value, more in rows:
        text = Text(f"{name:<{LABEL}}", DIM)
        text.append(value, "not dim")
        text.append(more.rjust(max(1, width - text.cell_len)), "dim")
        facts.append(text)
    return facts


def win_nodes_text(lane: LaneView, room: int) -> str:
    """The nodes of the second search, which finds the quickest win; empty if there was none, or if there is no room."""
    nodes = lane.report.distance_nodes if lane.report is not None and not lane.running else 0
    words = (f"{nodes:,} for the win", f"win {short_number(nodes)}")
    return next((word for word in words if nodes and len(word) < room), "")


def seconds_text(seconds: float) -> str:
    """A time as text of constant width."""
    return f"{seconds:.2f} s" if seconds < 1000 else f"{seconds:,.0f} s"


def wrapped_line(position: Position, belief: LaneBelief, differing_ply: int | None, width: int, room: int) -> Text:
    """The principal variation in at most `room` rows, with a mark at the ply, counted from 1, where it leaves lane 1's."""
    words = line_words(position, belief.pv, differing_ply)
    words += [("…", False)] if belief.pv_cut_short else []
    text, used, row = Text(no_wrap=True, overflow="crop"), 0, 1
    for number, (word, differs) in enumerate(words, 1):
        if used and used + 1 + len(word) > width - (2 if row == room and number < len(words) else 0):
            if row == room:
                text.append(" …", DIM)
                break
            text.append("\n")
            row, used = row + 1, 0
        text.append(" " if used else "")
        text.append(word, CHANGED if differs else "")
        used += len(word) + (1 if used else 0)
    return text


# The table across lanes.


@dataclass(frozen=True)
class Column:
    """A column: the name of its cell, its width, and its rank: which columns are left out first where there is no room."""

    name: str
    width: int
    weight: int

    @property
    def title(self) -> str:
        """What stands above it."""
        return TITLES.get(self.name, self.name)


COLUMNS = (
    Column("lane", -20, 10),
    Column("value", 12, 9),
    Column("best_move", -8, 8),
    Column("depth", 6, 6),
    Column("nodes", 14, 7),
    Column("nodes_ratio", 8, 6),
    Column("evaluations", 7, 3),
    Column("seconds", 9, 5),
    Column("time_ratio", 8, 4),
    Column("nodes_per_second", 7, 2),
    Column("table_hits", 5, 1),
    Column("regret", 8, 4),
)


def table(view: CompareView, width: int) -> Text:
    """The table of all lanes."""
    room, kept = width, []
    for column in sorted(COLUMNS, key=lambda one: -one.weight):
        if abs(column.width) + 1 <= room:
            kept.append(column)
            room -= abs(column.width) + 1
    wider = Column("lane", -20 - min(room, 24), 10)
    columns = [wider if column.name == "lane" else column for column in COLUMNS if column in kept]
    text = Text(no_wrap=True, overflow="crop")
    text.append(" ".join(padded(column.title, column.width) for column in columns), DIM)
    for number, lane in enumerate(view.lanes, 1):
        cells = cells_of(lane, view)
        marks = {"value": DIFFERS if cells.value_differs else "", "best_move": cells.move_mark}
        text.append("\n")
        for column in columns:
            cell = f"{number} {lane.spec.title}" if column.name == "lane" else getattr(cells, column.name)
            mark = marks.get(column.name, "")
            cell = f"{mark}{cell}"
            style = MARK_STYLES.get(mark, "") if mark else f"bold {COLOURS[number - 1]}" if column.name == "lane" else ""
            text.append(padded(cell, column.width), style)
            text.append(" ")
    return text


def padded(text: str, width: int) -> str:
    """A cell of a fixed width: aligned to the right, or to the left if the width is negative; cut if the text is too
    long."""
    size = abs(width)
    cut = text if len(text) <= size else text[: size - 1] + "…"
    return cut.ljust(size) if width < 0 else cut.rjust(size)


def verdict(view: CompareView, run_key: str) -> Text:
    """Whether the lanes that must agree do, what is true, and how the lanes run."""
    reports = [(lane.spec.name, lane.report) for lane in view.lanes]
    known = verdict_of(view.position, view.agreement, view.truth, view.budget, view.mode, view.why, reports)
    text = Text()
    if known.agreement:
        style = "bold red" if not known.agrees else "bold green" if known.has_compared else DIM
        text.append(known.agreement, style)
    elif not view.busy:
        text.append(f"{run_key} runs all lanes.", STRONG)
    else:
        text.append("Whether exact lanes agree is shown when all have ended.", DIM)
    if said := truth_text(view, known):
        text.append("\n")
        text.append_text(said)
    if known.remarks:
        text.append(f"\n{known.remarks}", DIM)
    text.append(f"\nBudget {known.budget}, for each lane. They run {known.order}.", DIM)
    return text


def truth_text(view: CompareView, known: Verdict) -> Text:
    """A sentence on what is true of the position."""
    if known.truth:
        return Text.assemble(("The truth: ", DIM), (known.outcome, "bold"), (f", {known_by(known.source)}.", DIM))
    if view.looks_for_truth:
        return Text("The truth is being looked for.", DIM)
    ended = view.agreement is not None and not view.busy
    return Text("The truth is not known: no table has it, and no proof was quick enough." if ended else "", DIM)


def depths_table(view: CompareView, width: int, height: int) -> Text:
    """A table of each lane's value and nodes by depth, the newest depth last."""
    lanes, game = view.lanes, view.position.game
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
    end = depths.index(view.shown) + 1 if view.shown in depths else len(depths)
    end = max(end, min(rows, len(depths)))
    for depth in depths[max(0, end - rows) : end]:
        mark = "▸" if depth == view.shown else " "
        text.append(f"\n{mark}{depth:>4} ", STRONG if depth == view.shown else "")
        first = lanes[0].rows.get(depth)
        for lane in lanes:
            row = lane.rows.get(depth)
            said = "" if row is None else row_value_text(row, game)
            differs = row is not None and first is not None and apart(row.value, first.value)
            cell = padded(f"{DIFFERS}{said}" if differs else said, room - 1 - (7 if with_nodes else 0))
            text.append(cell, CHANGED if differs else "")
            if with_nodes:
                text.append(padded("" if row is None else short_number(row.nodes), 7), DIM)
            text.append(" ")
    return text


def status(view: CompareView) -> Text:
    """The status line at the top of the screen."""
    game, position = view.position.game, view.position
    text = Text(" Compare ", "bold", no_wrap=True, overflow="ellipsis")
    text.append(" ".join(word for word in (game.title, game.size) if word), STRONG)
    mover = "game over" if position.is_over else game.standing(position)
    text.append(f"  {mover}  ", DIM)
    text.append(f"{view.budget.text}  ", CHANGED)
    running = sum(lane.running for lane in view.lanes)
    if view.busy:
        if running or view.compiling is None:
            done = sum(lane.report is not None and not lane.running for lane in view.lanes)
            text.append(f"● {running} running, {done} of {len(view.lanes)} done  ", "bold green")
        if view.compiling is not None:
            text.append(f"◌ compiling {view.compiling.what}, once", "bold yellow")
    elif view.shown is not None:
        text.append(f"◂ looking back at depth {view.shown}", CHANGED)
    elif view.stepped_work:
        text.append(f"■ all at {short_number(view.stepped_work)} nodes", STRONG)
    elif any(lane.report is not None for lane in view.lanes):
        text.append("■ done", STRONG)
    text.append(f"  {view.mode}", DIM)
    return text


# Plots.


def plot(view: CompareView, what: str) -> Plot:
    """The lines of all lanes in a plot: value by nodes, nodes by depth or time by depth."""
    found = [points(lane, what, view.position.game) for lane in view.lanes]
    lines = [
        PlotLine(line, COLOURS[number], view.lanes[number].spec.name, str(number + 1)) for number, line in enumerate(found)
    ]
    every = [point for line in found for point in line]
    across = spanning([x for x, _ in every], "log" if what == "work" else "whole", 0.02)
    if what == "work":
        up = spanning([y for _, y in every], margin=0.12, signed=view.position.game.player_count > 1)
    else:
        up = spanning([y for _, y in every], "log", 0.05, unit="s" if what == "time" else "")
    return Plot(tuple(lines), across, up)


def points(lane: LaneView, what: str, game: Game) -> list[tuple[float, float]]:
    """The points of a lane's line: value by nodes, nodes by depth, or seconds by depth."""
    if what == "work":
        return [(float(max(1, nodes)), value) for nodes, value in lane.by_work if not is_win(value, game)]
    return [
        (float(depth), float(max(1, row.nodes)) if what == "nodes" else max(LEAST, row.seconds))
        for depth, row in sorted(lane.rows.items())
    ]

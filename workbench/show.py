"""Reports, positions and lists as a person sees them in a terminal."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec.structs import replace
from rich import box
from rich.columns import Columns
from rich.console import Group, JustifyMethod, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from engines import catalog
from engines.contract import DepthRow, Evaluation, LevelRow, NodeRow, Parameter, Report, RootMove
from engines.game import Game, Position
from engines.perft import PerftReport
from engines.recording import Recording
from positions.files import Detail, Item
from positions.library import Entry
from workbench.forms import (
    bound_text,
    counted,
    interval_words,
    is_decided,
    is_forever,
    is_vector,
    likelihood_text,
    number_text,
    told,
    value_text,
    vector_words,
    winner_of,
)
from workbench.strokes import MEASURABLE

BAR_WIDTH = 16
FILE_COLUMNS = ("date", "event", "result", "plies", "bm", "am", "error")
MOST_ITEMS = 500
MOST_CHECKPOINTS = 20
"""So many of the last checkpoints of a search that samples are listed."""
MOST_NODES = 60
"""So many nodes of a graph are listed."""
MOST_MOVES = 16
"""So many moves of a position are listed one by one."""
INKS = ("bold yellow", "bold cyan", "bold magenta")
"""The colours of the players' men."""
STOPPED = {
    "depth": "the depth was reached",
    "nodes": "the nodes were used up",
    "iterations": "the iterations were used up",
    "seconds": "the time was up",
    "memory": "the memory was full",
    "request": "it was interrupted",
    "solved": "the value is proven",
    "table": "the table was read",
    "game over": "the game is over",
}


def why_ended(report: Report) -> str:
    """Why a search ended. Where a win is proven, nobody looked further into the other moves."""
    opinions = [row for row in report.root_moves if row.bound == "exact" and not is_decided(row.value)]
    won = report.stopped_by == "solved" and is_decided(report.value)
    others = f"; other moves are as depth {report.depth} sees them" if won and report.evaluations and opinions else ""
    return f"{STOPPED[report.stopped_by]}{others}"


def stage(row: DepthRow) -> str:
    """How far a search had come: `depth 7`, `1,000 iterations`, or `1,000 expansions` of one that proves."""
    if row.iterations is None:
        return f"depth {row.depth}"
    what = "iteration" if row.question is None else "expansion"
    return f"{row.iterations:,} {what}{'' if row.iterations == 1 else 's'}"


def numbers_text(row: DepthRow | RootMove | Report) -> str:
    """Proof and disproof number, `∞` for one that is infinite."""
    return " / ".join("∞" if number is None else f"{number:,}" for number in (row.proof, row.disproof))


def has_numbers(row: DepthRow | RootMove | Report) -> bool:
    """It comes from a search that proves."""
    return row.proof is not None or row.disproof is not None


def sentence(report: Report, position: Position) -> str:
    """In words, what the search believes, and what it does not take into account."""
    return f"{believed(report, position)} {report.caution}".rstrip()


def believed(report: Report, position: Position) -> str:
    """In words, what the search believes."""
    game = position.game
    if report.value is None:
        return nothing_found(report)
    value = number_text(report.value, game)
    if report.stopped_by == "game over":
        return ended(report.outcome, value, position, report.values)
    if is_vector(report.values):
        best = f"; {report.best_move} is best for {game.players[position.mover]}" if report.best_move else ""
        until = "" if report.exact else f" at depth {report.depth}"
        return f"{vector_words(report.values, game).rstrip('.')}{until}{best}."
    if game.has_chance and not report.best_move and report.iterations is None and position.by_chance:
        until = "" if report.exact else f" at depth {report.depth}"
        return f"Before {game.nature} has decided it is worth {told(report, game)} on average{until}."
    if report.outcome in ("first", "second"):
        winner = game.players[0 if report.outcome == "first" else 1]
        when = f" in {plies(report.distance)}" if report.distance is not None else ""
        if is_forever(report.value):
            when = f": {game.players[0 if report.outcome == 'second' else 1]} never gets to a target, play goes on for ever"
        return f"{winner} wins{when}; best is {report.best_move}."
    if report.outcome == "draw":
        return f"With best play it is a draw; {report.best_move} holds it."
    if catalog.algorithm(report.algorithm).scores:
        what = "The best game found" if game.player_count == 1 else "The game that it plays"
        after = counted(report.iterations, "iteration")
        return f"{what} begins with {report.best_move} and comes to {value_text(report.value, game)}, after {after}."
    if not catalog.algorithm(report.algorithm).judges:
        return f"A random game began with {report.best_move} and came to {value_text(report.value, game)}."
    if game.player_count > 2 and report.best_move:
        until = "" if report.exact else f" at depth {report.depth}"
        return f"{report.best_move} is best: {told(report, game)} for {game.players[0]}'s side{until}."
    if report.exact:
        gain = f"{told(report, game)} on average" if report.spread else value
        return f"{game.players[0]} gets {gain}; best is {report.best_move}."
    if catalog.algorithm(report.algorithm).proves:
        return unproven(report)
    if report.best_move is None and not position.by_chance:
        if catalog.algorithm(report.algorithm).samples:
            after = counted(report.iterations, "iteration")
            return f"No move was tried yet; it is worth {value}{interval_words(report, game)} after {after}."
        return f"The evaluation says {value}."
    if catalog.algorithm(report.algorithm).expands:
        after = counted(report.iterations, "expansion")
        return f"{report.best_move} is best, worth {value_text(report.value, game)} after {after}."
    if report.iterations is not None:
        between, after = interval_words(report, game), counted(report.iterations, "iteration")
        if position.by_chance:
            return f"Before {game.nature} has decided it is worth {value}{between}, after {after}."
        visits = report.root_moves[0].visits if report.root_moves else None
        games = "the mean of its games" if visits is None else f"the mean of {visits:,} games" if visits > 1 else "one game"
        return f"{report.best_move} is best, worth {value}{between}: {games}, of {after}."
    if not report.depth:
        finished = f"of {len(report.root_moves)} finished at depth {report.limit.depth}" if report.limit.depth else "so far"
        return f"{report.best_move} is best {finished}, worth {told(report, game)}; others were not reached."
    return f"{report.best_move} is best, worth {told(report, game)} at depth {report.depth}."


def nothing_found(report: Report) -> str:
    """What to do about a search that was stopped before it knew anything."""
    limit, algorithm = report.limit, catalog.algorithm(report.algorithm)
    if "table" in algorithm.needs and report.stopped_by == "depth":
        return f"The table has no result within {plies(limit.depth or 0)}; without --depth it says what it has."
    if "knowledge" in algorithm.needs:
        return "It was stopped before anything was proven; it needs more time, or a position nearer to the end."
    if limit.depth is not None and limit.seconds is None and limit.nodes is None:
        return "It was stopped before its first move was finished; with --seconds it goes depth by depth and has an answer."
    return "It was stopped before its first move was finished; it needs more time or more nodes."


def unproven(report: Report) -> str:
    """What a search that proves has to say where something is open."""
    known = "".join(f"{one.question} {'Yes' if one.yes else 'No'}. " for one in report.answers)
    asked = report.depths[-1].question if report.depths else "The question"
    after = counted(report.iterations, "expansion")
    return f"{known}{asked} Open: {numbers_text(report)} to prove and disprove, after {after}."


def ended(outcome: str | None, value: str, position: Position, values: Sequence[float] = ()) -> str:
    """How a finished game ended."""
    why = position.game.ending(position)
    how = f" ({why})" if why else ""
    if is_vector(values):
        winner = winner_of(values, position.game)
        each = vector_words(values, position.game).rstrip(".") if any(values) else "a draw"
        return f"The game is over: {each if winner is None else f'{position.game.players[winner]} has won'}{how}."
    if outcome == "draw":
        return f"The game is over: a draw{how}."
    first, second = position.game.players[:2]
    if outcome is None:
        return f"The game is over: {value if position.game.player_count == 1 else f'{first} gets {value}'}{how}."
    return f"The game is over: {first if outcome == 'first' else second} has won{how}."


LINE_SHOWN = 6
"""So many moves of a line stand in a table of checkpoints; below it is the whole line."""


def line_text(line: Sequence[str], cut_short: bool) -> str:
    """A line of play; dots say that the search went on, but the table did not keep the moves."""
    return " ".join(line) + (" …" if cut_short else "")


def duration(seconds: float) -> str:
    """A time, short ones in milliseconds."""
    return f"{seconds:,.3f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


def sheet(*titles: str) -> Table:
    """An empty table. `>` behind a title aligns to the right; only columns with `…` behind it may be wrapped."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), pad_edge=False)
    for title in titles:
        justify: JustifyMethod = "right" if title.endswith(">") else "left"
        table.add_column(title.rstrip(">…"), justify=justify, no_wrap=not title.endswith("…"))
    return table


def plies(count: int) -> str:
    """So many plies."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def board(position: Position) -> Panel:
    """The board with a title that says which game and whose turn."""
    game = position.game
    *rows, last = game.diagram(position.state).split("\n")
    picture = Text("\n", no_wrap=True).join(
        [*(painted(row, game) for row in rows), Text(last)]
    )  # the last names the columns
    mover = "over" if position.is_over else game.standing(position)
    return Panel(picture, title=" ".join(word for word in (game.title, game.size) if word), subtitle=mover, expand=False)


def painted(row: str, game: Game) -> Text:
    """A row of a diagram: each player's men in a colour of their own, and as pictures where the game has them."""
    text = Text()
    for letter in row:
        style = next((ink for ink, letters in zip(INKS, game.marks, strict=False) if letter in letters), "")
        text.append(letter if plain_letters() else game.figures.get(letter, letter), style)
    return text


def plain_letters() -> bool:
    """Men are shown as letters: a person wants it so, or the terminal has nothing else."""
    return (
        "utf" not in (getattr(sys.stdout, "encoding", None) or "utf").lower() or os.environ.get("PLYBENCH_PIECES") == "ascii"
    )


def for_screen(found: Report, position: Position) -> Report:
    """The report with its moves as people like to read them."""

    def pretty(line: tuple[str, ...]) -> tuple[str, ...]:
        return position.game.pretty_line(position.state, line)

    def first(move: str | None) -> str | None:
        return move and pretty((move,))[0]

    return replace(
        found,
        best_move=first(found.best_move),
        pv=pretty(found.pv),
        depths=tuple(replace(row, best_move=first(row.best_move), pv=pretty(row.pv)) for row in found.depths),
        root_moves=tuple(replace(row, move=pretty((row.move,))[0], pv=pretty(row.pv)) for row in found.root_moves),
    )


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
    defaults = {parameter.name: parameter.default_in(found.game) for parameter in declared}
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


def tree_text(found: Report) -> str:
    """How large a tree has become: one that is sampled lists all moves of a node, and visits one at a time."""
    deep, listed = f"{plies(found.selective_depth)} deep", found.tree_nodes or 0
    if not found.tree_depths:
        return f"{counted(listed, 'node')}, {deep}"
    trees = f" in {count} trees" if (count := tree_count(found)) > 1 else ""
    return f"{counted(sum(found.tree_depths), 'node')} visited of {listed:,} listed{trees}, {deep}"


def tree_count(found: Report) -> int:
    """How many trees were grown beside each other."""
    return int(found.parameters.get("threads", 1)) if found.parameters.get("parallel") == "root" else 1


def tape_text(nodes: int, found: Report) -> str:
    """What is on a tape: nodes, each once; but all ways to a position, and several trees put together."""
    if found.parameters.get("transpositions"):
        return f"{counted(nodes, 'way')} to positions"
    return f"{counted(nodes, 'node')}{', the trees put together' if tree_count(found) > 1 else ''}"


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


def interval_text(row: RootMove, game: Game) -> str:
    """Where the true mean of a move is, or that its result is proven."""
    if row.proven is not None:
        return "proven: " + ("a draw" if row.proven == "draw" else f"{game.players[row.proven == 'second']} wins")
    if row.interval is None:
        return ""
    return " and ".join(value_text(end, game) for end in row.interval)


MOST_PLIES = 10


def plies_text(counts: Sequence[int]) -> str:
    """How many nodes there are at each ply, from the root down; of many plies the first ones."""
    more = " ..." if len(counts) > MOST_PLIES else ""
    return " ".join(f"{count:,}" for count in counts[:MOST_PLIES]) + more


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
            numbers_text(row) if has_numbers(row) else told(row, game),
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
        mean = "" if game.has_winner else f"{row.mean:.1f}"
        name = "games" if row.level == 0 else str(row.level)
        table.add_row(name, f"{row.searches:,}", mean, value_text(row.best, game))
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
    players = game.players[: game.player_count]
    table = sheet("term", *(f"{player}>" for player in players), "weight>", "value>")
    for term in found.terms:
        counts = tuple(f"{count:g}" for count in term.values or (term.first, term.second)[: len(players)])
        table.add_row(term.name, *counts, f"{term.weight:g}", number_text(term.value, game))
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


def games() -> Table:
    """All games."""
    table = sheet("game", "default size", "what it is…")
    for name in catalog.GAMES:
        game = catalog.game(name)
        table.add_row(Text(name, style="bold"), game.default_size or "-", game.sentence)
    return table


def game(name: str) -> Group:
    """One game: its start and its options."""
    start = catalog.position("startpos", name)
    terms = Text("Evaluation: " + ", ".join(start.game.term_names))
    fitting = Text("Algorithms: " + ", ".join(catalog.fitting(name)))
    return Group(board(start), Text(start.game.sentence), terms, fitting, parameters(start.game.parameters, name))


def algorithms() -> Table:
    """All algorithms."""
    table = sheet("algorithm", "year", "what it does…", "parameters")
    for name in catalog.ALGORITHMS:
        found = catalog.algorithm(name)
        names = " ".join(parameter.name for parameter in found.parameters) or "-"
        table.add_row(Text(name, style="bold"), str(found.year or ""), found.summary, names)
    return table


def algorithm(name: str) -> Group:
    """One algorithm: its card and its parameters."""
    title, _, body = catalog.card(name).partition("\n")
    return Group(Text(title, style="bold"), Markdown(body), parameters(catalog.algorithm(name).parameters))


def parameters(declared: Sequence[Parameter], game: str | None = None) -> RenderableType:
    """Parameters with their defaults and what they mean."""
    if not declared:
        return Text("It has no parameters.", style="dim")
    table = sheet("--set", "kind", "default", "meaning…")
    for parameter in declared:
        default = str(parameter.default_in(game) if game else parameter.default)
        others = "".join(f"\n{value} in {where}" for where, value in parameter.default_for.items()) if not game else ""
        table.add_row(Text(parameter.name, style="bold"), parameter.kind, default + others, parameter.sentence)
    return table


def library(found: Sequence[Entry]) -> RenderableType:
    """Named positions in a list."""
    if not found:
        return Text("No position of the library has all these words.")
    table = sheet("position", "title…", "tags…")
    for entry in found:
        table.add_row(Text(entry.id, style="bold"), entry.title, Text(" ".join(entry.tags), style="dim"))
    return table


def file_items(found: Iterable[Item], name: str) -> Group:
    """The games or positions in a file, and how one is chosen. Of a large file only what is shown is kept."""
    rest = iter(found)
    items = list(islice(rest, MOST_ITEMS))
    last = items[-1].number
    for item in rest:
        last = item.number
    columns = [column for column in FILE_COLUMNS if any(column in item.details for item in items)]
    table = sheet("number>", "what it is…", *(f"{column}…" for column in columns))
    for item in items:
        table.add_row(str(item.number), item.title, *(detail_text(item.details.get(column, "")) for column in columns))
    hint = f"Choose one with its number: plybench analyze {shlex.quote(f'{name}#{last}')}"
    if "plies" in columns:
        hint += f"; {shlex.quote(f'{name}#{last}/10')} is that game after 10 plies"
    left_out = last - len(items)
    more = [Text(f"and {left_out:,} more; --json lists all.")] if left_out > 0 else []
    return Group(table, *more, Text(hint, style="dim"))


def detail_text(detail: Detail) -> str:
    """A detail of a game or position in a file."""
    return " ".join(detail) if isinstance(detail, tuple) else str(detail)


def library_entry(entry: Entry) -> Group:
    """One named position."""
    story = Padding(Text(entry.known), (0, 0, 1, 0))
    return Group(
        board(entry.position()), Text(f"{entry.id}: {entry.title}", style="bold"), story, Text(entry.notation, style="dim")
    )

"""What the panels of the app say, as text: pure functions from what was found to what is drawn.

Numbers keep their columns: every cell has a width of its own, and where there is no room the least important cell goes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.text import Text

from engines import catalog
from engines.contract import DepthRow, Evaluation, NodeRow, Report, RootMove
from engines.game import SHOWN_WIN, Game, Position
from workbench.counters import Cell, counters_text, newest_table, share_text
from workbench.desk import Belief, Desk
from workbench.forms import (
    bound_text,
    counted,
    interval_words,
    is_forever,
    is_vector,
    likelihood_text,
    number_text,
    reach_of,
    told,
    value_text,
    vector_words,
    winner_of,
)
from workbench.show import ended, has_numbers, numbers_text, stage
from workbench.strokes import BAD, CHANGED, DIM, GOOD, STRONG, bar, coloured, short_number

# The value, and what it means.


def big_value(value: float | None, game: Game, values: Sequence[float] = ()) -> str:
    """What stands in large figures: the value, or `+#5` for a win of the first player in 5 plies, `-#5` for one of the
    second; the values of all players, if they are short."""
    if is_vector(values):
        winner = winner_of(values, game)
        all_of_them = " ".join(number_text(one, game) for one in values)
        if winner is not None:
            return f"#{SHOWN_WIN - values[winner]:.0f}"
        if len(all_of_them) <= LONGEST_VECTOR:
            return all_of_them
    if value is None:
        return "-.--" if game.unit > 1 else "--"
    if is_win(value, game):
        if is_forever(value):
            return "∞"
        sign = "+" if value > 0 else "-"
        return f"{sign}#{SHOWN_WIN - abs(value):.0f}" if abs(value) < SHOWN_WIN else "won" if value > 0 else "lost"
    return number_text(value, game)


LONGEST_VECTOR = 8
"""So many large figures have room."""


def is_win(value: float, game: Game) -> bool:
    """The value says who wins, not by how much a position is better."""
    return game.has_winner and abs(value) > SHOWN_WIN / 2


def opinion(value: float, game: Game) -> str:
    """A value in words."""
    if is_win(value, game) and game.player_count > 2:
        plies = SHOWN_WIN - abs(value)
        return (
            f"{game.players[0]}'s side {'wins' if value > 0 else 'loses'} in {plies:.0f} {'ply' if plies == 1 else 'plies'}."
        )
    if is_win(value, game):
        plies = SHOWN_WIN - abs(value)
        if not plies:
            return f"{game.players[0 if value > 0 else 1]} wins."
        if is_forever(value):
            return f"{game.players[0 if value > 0 else 1]} wins: play goes on for ever, and no target is reached."
        return f"{game.players[0 if value > 0 else 1]} wins in {plies:.0f} {'ply' if plies == 1 else 'plies'}."
    if game.player_count == 1:
        return f"It scores {number_text(value, game)}."
    notice = game.margin / game.unit
    if abs(value) < notice / 2:
        return "About even."
    better = game.players[0 if value > 0 else 1]
    how = "slightly better" if abs(value) < 2 * notice else "better" if abs(value) < 6 * notice else "much better"
    return f"{better} is {how}."


def fitting_beliefs(desk: Desk, width: int, height: int, run: str = "Space", take_back: str = "b") -> Text:
    """What is believed, as much of it as there is room for: what follows the first two sentences may go."""
    text = beliefs_text(desk, run, take_back)
    if lines_of(text.plain, width) > height and (cut := text.plain.find(PARTED)) >= 0:
        text.truncate(cut)
    if lines_of(text.plain, width) > height and (cut := text.plain.find("\n")) >= 0:
        text.truncate(cut)
    return text


def lines_of(text: str, width: int) -> int:
    """How many lines a text takes."""
    return sum(len(wrap(line, max(width, 1))) or 1 for line in text.split("\n"))


PARTED = " The lines part"


def beliefs_text(desk: Desk, run: str = "Space", take_back: str = "b") -> Text:
    """One or two sentences: what is believed, since when, and what was believed before; `run` and `take_back` are keys."""
    position, game, belief = desk.position, desk.position.game, desk.belief
    if position.is_over:
        if desk.report is not None and desk.report.stopped_by == "game over":
            value = number_text(desk.report.value or 0, game)
            return Text(ended(desk.report.outcome, value, position, desk.report.values), STRONG)
        return Text(f"The game is over. {take_back} takes the last move back.", STRONG)
    if belief is None:
        if desk.compiling is not None:
            return Text("The search is compiled first. That happens once.", STRONG)
        return Text(f"{run} starts the search.", STRONG) if not desk.busy else Text("Looking at the first depth.", DIM)
    row, text = belief.row, Text()
    believed = belief_words(row, game) if row.iterations is None else sampled_words(desk, row)
    text.append(proven(desk.report) if desk.shown is None and proven(desk.report) else believed, STRONG)
    best = "is looked at" if desk.proves and not (desk.report and desk.report.exact and desk.shown is None) else "is best"
    text.append(f" {pretty(position, row.pv[:1])} {best}" if row.best_move else "")
    since = believed_since(desk.beliefs.values(), row)
    lasts = since is not row and row.best_move is not None
    text.append(f", as since {stage(since)}.\n" if lasts else f" at {stage(row)}.\n" if row.best_move else "\n")
    if desk.report is not None and desk.report.caution and desk.shown is None:
        text.append(desk.report.caution, CHANGED)
        return text
    if belief.interpreted:
        text.append("Searched without the compiler", CHANGED)
        rate = desk.rates[-1] if desk.rates else 0.0
        text.append(f", about {short_number(rate)} nodes/s." if rate and desk.compiling is not None else ".", DIM)
        return text
    before = desk.before
    if before is not None:
        if before.row.best_move != row.best_move:
            earlier = stage(before.row)
            text.append(f"{earlier[0].upper()}{earlier[1:]} preferred {pretty(position, before.row.pv[:1])}", CHANGED)
            text.append(f" ({known_text(before.row, game)}).", DIM)
        else:
            text.append(f"It was {known_text(before.row, game)} at {stage(before.row)}.", DIM)
            parted = parting(before.row.pv, row.pv)
            if parted is not None:
                text.append(f"{PARTED} at ply {parted + 1}.", DIM)
    return text


def known_text(row: DepthRow, game: Game) -> str:
    """The value of a row, or its proof numbers."""
    return numbers_text(row) if has_numbers(row) else told(row, game)


def belief_words(row: DepthRow, game: Game) -> str:
    """What was found at a depth: what each player gets, or a mean with its spread, or a value."""
    if is_vector(row.values):
        return vector_words(row.values, game)
    if row.spread is None or not game.has_chance:
        return opinion(row.value, game)
    if not game.has_winner:
        return f"{told(row, game)} on average."
    return f"{opinion(row.value, game)[:-1]}, {told(row, game)}."


def sampled_words(desk: Desk, row: DepthRow) -> str:
    """What was learnt from games, the best of them or their mean; or by expanding."""
    game = desk.position.game
    if desk.proves:
        return question_words(row)
    if not desk.samples:
        return opinion(row.value, game)
    if not desk.scores:
        return mean_words(row, game)
    what = "The best game scores" if game.player_count == 1 else "Its game comes to"
    return f"{what} {value_text(row.value, game)}."


def question_words(row: DepthRow) -> str:
    """What is missing for an answer."""
    if row.proof == 0 or row.disproof == 0:
        return f"{row.question} {'Yes' if row.proof == 0 else 'No'}."
    needs = ["∞" if number is None else f"{number:,}" for number in (row.proof, row.disproof)]
    return f"{row.question} {needs[0]} to prove it, {needs[1]} to disprove it."


def mean_words(row: DepthRow, game: Game) -> str:
    """What a mean of games says, and how sure it is."""
    if game.player_count == 1:
        return f"{number_text(row.value, game)} on average{interval_words(row, game)}."
    if not game.has_winner:
        return f"{game.players[0]} gets {number_text(row.value, game)} on average{interval_words(row, game)}."
    sign = 1 if row.value >= 0 else -1
    better, ends = game.players[0 if sign > 0 else 1], sorted(50 + 50 * sign * end for end in row.interval or ())
    between = f" (95 % between {ends[0]:.1f} and {ends[1]:.1f})" if ends else ""
    return f"{better} scores {50 + 50 * abs(row.value):.1f} %{between}."


def proven(report: Report | None) -> str:
    """What is certain, in words; empty if nothing is."""
    if report is None or not report.exact or report.outcome is None:
        return ""
    if report.outcome == "draw":
        return "Proven: a draw."
    winner = catalog.game(report.game).players[0 if report.outcome == "first" else 1]
    if is_forever(report.value or 0.0):
        return f"Proven: {winner} wins, as play goes on for ever."
    return f"Proven: {winner} wins" + (f" in {counted(report.distance, 'ply')}." if report.distance is not None else ".")


def believed_since(beliefs: Iterable[Belief], row: DepthRow) -> DepthRow:
    """The first of the depths up to this one that have all preferred the same move."""
    since = row
    for belief in sorted(beliefs, key=lambda one: -one.row.depth):
        if belief.row.depth < row.depth:
            if belief.row.best_move != row.best_move:
                break
            since = belief.row
    return since


def parting(one: Sequence[str], other: Sequence[str]) -> int | None:
    """Where two lines part; None if one is the beginning of the other."""
    return next((ply for ply, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)


def pretty(position: Position, line: Sequence[str]) -> str:
    """A line as people read it."""
    return " ".join(position.game.pretty_line(position.state, line))


# Lines, moves, depths, evaluation, table.


def numbered_line(position: Position, line: Sequence[str]) -> list[str]:
    """A line's moves as people read them, chess with its move numbers."""
    moves = list(position.game.pretty_line(position.state, line))
    if position.game.id != "chess":
        return moves
    ply = len(position.played) + (0 if (position.turn > 0) == (len(position.played) % 2 == 0) else 1)
    texts: list[str] = []
    for move in moves:
        lead = f"{ply // 2 + 1}." if ply % 2 == 0 else f"{ply // 2 + 1}..." if not texts else ""
        texts.append(lead + move)
        ply += 1
    return texts


def line_panel(desk: Desk, at: int | None) -> Text:
    """The principal variation; where one walks along it, that move is marked."""
    belief = desk.belief
    if belief is None:
        alone = desk.position.game.player_count == 1
        who = (
            "The best moves that are found appear"
            if alone
            else "The line that both sides follow if they play their best appears"
        )
        return Text(f"{who} here.", DIM)
    before, row, text = desk.before, belief.row, Text()
    parted = parting(before.row.pv, row.pv) if before is not None else None
    if desk.position.by_chance:
        return Text(f"Nobody chooses here: {desk.position.game.nature} decides what comes next.", DIM)
    for ply, move in enumerate(numbered_line(desk.position, row.pv)):
        style = "reverse bold" if at is not None and ply == at - 1 else STRONG if ply == 0 else ""
        if parted is not None and ply == parted:
            style += " underline yellow"
        text.append(move, style)
        text.append(" ")
    if row.pv_cut_short:
        text.append("… the moves behind it are not known", DIM)
    return text


def leaf_text(position: Position, line: Sequence[str], at: int | None) -> Text:
    """What the evaluation says where one stands on the line, or at its end."""
    game, here = position.game, position
    for move in line if at is None else line[:at]:
        here = here.play(game.read_move(here.state, move))
    where = "at its end" if at is None or at == len(line) else f"after {at} {'ply' if at == 1 else 'plies'}"
    if here.is_over:
        return Text(f"{where}: {game.ending(here) or 'the game is over'}", DIM)
    found = game.evaluation(here.state)
    parts = [f"{term.name} {term.value:+g}" for term in sorted(found.terms, key=lambda term: -abs(term.value)) if term.value]
    return Text.assemble(
        (f"{where}: ", DIM), (number_text(found.value, game), coloured(found.value)), (f"  {', '.join(parts[:4])}", DIM)
    )


VALUE_WIDTH = 12


def moves_panel(desk: Desk, width: int, height: int) -> Text:
    """The moves of the root: value, share of the nodes, a bar, and how they go on."""
    belief, position, game = desk.belief, desk.position, desk.position.game
    if belief is None or not belief.root_moves:
        hint = "Each move's value and its share of the work appear here."
        return Text(hint if belief is None else "This depth's moves were not kept; step to the next one.", DIM)
    rows = belief.root_moves
    total = sum(row.nodes for row in rows) or 1
    most = max(row.nodes for row in rows) or 1
    text = Text(no_wrap=True)
    fits = len(rows) if len(rows) <= height else max(1, height - 1)
    values = {row.move: numbers_text(row) if has_numbers(row) else bound_text(row, game) + error_text(row) for row in rows}
    likely = {row.move: f" {likelihood_text(row.likelihood)}" if row.likelihood is not None else "" for row in rows}
    value_width = max(VALUE_WIDTH, *map(len, values.values()))
    bar_width = max(4, min(16, width - 28 - value_width))
    for number, row in enumerate(rows[:fits]):
        if number:
            text.append("\n")
        best = row.move == belief.row.best_move
        text.append(f"{pretty(position, (row.move,)) + likely[row.move]:<7} ", "bold yellow" if best else STRONG)
        text.append(f"{values[row.move]:>{value_width}} ", coloured(row.value))
        text.append(bar(row.nodes / most, bar_width), "cyan" if best else "blue")
        text.append(f" {100 * row.nodes / total:5.1f} %  ", DIM)
        text.append(whole_words(rest_of_line(position, row), width - bar_width - value_width - 19), DIM)
    if fits < len(rows):
        rest = sum(row.nodes for row in rows[fits:])
        text.append(f"\n+{len(rows) - fits} more moves {100 * rest / total:.1f} %", DIM)
    return text


def error_text(row: RootMove) -> str:
    """How far the true mean may be from a value that is one, with a confidence of 95 %."""
    reach = None if row.proven else reach_of(row)
    return "" if reach is None else f" ±{reach:.2f}"


def whole_words(text: str, width: int) -> str:
    """As much of a text as fits, without a word cut in two."""
    if len(text) <= width:
        return text
    words = text[: max(0, width - 1)].rpartition(" ")[0]
    return f"{words} …" if words else ""


def rest_of_line(position: Position, row: RootMove) -> str:
    """How a root move goes on."""
    return " ".join(position.game.pretty_line(position.state, row.pv)[1:])


def depths_panel(desk: Desk, height: int) -> Text:
    """What was believed at each depth, the newest last; the one that is looked at is marked."""
    game, rows = desk.position.game, sorted(desk.beliefs)
    if not rows:
        return Text("Each finished depth adds a row here.", DIM)
    text = Text(no_wrap=True)
    if desk.proves:
        text.append(f"{'expansions':>12} {'proof':>9} {'disproof':>9}  {'move':<7}{'nodes':>10}", DIM)
    elif desk.beliefs[rows[0]].row.iterations is not None:
        text.append(f"{'iterations':>13} {'value':>9} {'±95 %':>5}  {'move':<8}{'nodes':>14}", DIM)
    else:
        text.append(f"{'depth':>6} {'value':>12} {'move':<8}{'nodes':>14} {'hits':>5} {'ebf':>5}", DIM)
    looked_at = desk.belief.row.depth if desk.belief else 0
    fits = max(1, height - 1)
    end = max(fits, rows.index(looked_at) + 1) if desk.shown is not None else len(rows)
    previous: DepthRow | None = None
    for depth in rows[:end]:
        row = desk.beliefs[depth].row
        line = Text("\n")
        if row.iterations is not None:
            mark = "▸" if depth == looked_at else " "
            wide, room = (11, 10) if desk.proves else (12, 14)
            line.append(f"{mark}{row.iterations:>{wide},} ", "bold" if depth == looked_at else "")
            if desk.proves:
                for number in (row.proof, row.disproof):
                    line.append(f"{'∞' if number is None else f'{number:,}':>9} ", STRONG if number == 0 else "")
                line.append(" ")
            else:
                line.append(f"{value_text(row.value, game):>9} ", coloured(row.value))
                reach = reach_of(row)
                line.append(f"{'' if reach is None else f'{reach:.2f}':>5}  ", DIM)
            changed = previous is not None and previous.best_move != row.best_move
            line.append(f"{pretty(desk.position, row.pv[:1]):<{7 if desk.proves else 8}}", CHANGED if changed else "")
            line.append(f"{row.nodes:>{room},}")
            previous = row
            if depth in rows[max(0, end - fits) : end]:
                text.append_text(line)
            continue
        line.append(f"{'▸' if depth == looked_at else ' '}{depth:>5} ", "bold" if depth == looked_at else "")
        line.append(f"{told(row, game):>12} ", coloured(row.value))
        changed = previous is not None and previous.best_move != row.best_move
        line.append(f"{pretty(desk.position, row.pv[:1]):<8}", CHANGED if changed else "")
        ebf = f"{row.nodes / previous.nodes:.1f}" if previous and previous.nodes and row.depth == previous.depth + 1 else "-"
        hits = share_text(row.table.hits, row.table.probes).replace(" ", "") if row.table else "-"
        line.append(f"{row.nodes:>14,} {hits:>5} {ebf:>5}")
        previous = row
        if depth in rows[max(0, end - fits) : end]:
            text.append_text(line)
    return text


NAMES = 20
"""The longest name of a term, and a blank."""


def evaluation_panel(found: Evaluation, game: Game, width: int) -> Text:
    """Every term for both sides, what it adds, and a bar around zero."""
    most = max((abs(term.value) for term in found.terms), default=0) or 1
    half = max(0, (width - NAMES - 24) // 2)
    text = Text(no_wrap=True)
    if found.values:
        return evaluation_of_all(found, game)
    names = [player[:6] if number < game.player_count else "" for number, player in enumerate(game.players)]
    text.append(f"{'term':<{NAMES}}{names[0]:>7}{names[1]:>7}{'value':>8}", DIM)
    for term in found.terms:
        second = f"{term.second:g}" if game.player_count > 1 else ""
        text.append(f"\n{term.name:<{NAMES}}{term.first:>7g}{second:>7}")
        text.append(f"{term.value:>+8.4g} " if term.value else f"{'0':>8} ", coloured(term.value))
        filled = math.ceil(abs(term.value) / most * half) if term.value else 0
        text.append(" " * (half - filled if term.value < 0 else half), "")
        text.append("█" * filled if term.value < 0 else "", BAD)
        text.append("│", DIM)
        text.append("█" * filled if term.value > 0 else "", GOOD)
    text.append(f"\n{'f':<{NAMES + 14}}", STRONG)
    text.append(f"{number_text(found.value, game):>8}", f"bold {coloured(found.value)}")
    return text


def evaluation_of_all(found: Evaluation, game: Game) -> Text:
    """Every term for each of several players, and what it comes to for each."""
    text = Text(no_wrap=True)
    text.append(f"{'term':<{NAMES}}{''.join(f'{name[:6]:>8}' for name in game.players)}", DIM)
    for term in found.terms:
        text.append(f"\n{term.name:<{NAMES}}{''.join(f'{count:>8g}' for count in term.values)}")
    text.append(f"\n{'f':<{NAMES}}", STRONG)
    for value in found.values:
        text.append(f"{number_text(value, game):>8}", f"bold {coloured(value)}")
    return text


def levels_text(desk: Desk) -> Text:
    """How good the games of each level were, of a search whose levels advise each other."""
    rows = desk.report.levels if desk.report is not None else ()
    if not rows:
        return Text("How good the games of each level were is known when the search has ended.", DIM)
    game = desk.position.game
    text = Text(f"{'level':>6}{'searches':>14}{'mean':>10}{'best':>12}", DIM, no_wrap=True)
    for row in rows:
        mean = "" if game.has_winner else f"{row.mean:.1f}"
        text.append(f"\n{row.level or 'games':>6}{row.searches:>14,}{mean:>10}")
        text.append(f"{value_text(row.best, game):>12}", coloured(row.best))
    return text


def layers_text(desk: Desk, width: int, height: int) -> Text:
    """The nodes of a graph layer by layer, as far as the layer that is looked at: who wins there, and where to go."""
    report = desk.report
    rows = report.regions if report is not None else ()
    if report is None or not rows:
        return Text("Which nodes each layer adds is known when the search has ended.", DIM)
    game, last = desk.position.game, desk.belief.row.depth if desk.belief is not None else 0
    whole = desk.shown is None and report.stopped_by == "solved"
    text = Text(no_wrap=True, overflow="ellipsis")
    layers: dict[int | None, list[NodeRow]] = {}
    for row in rows:
        layers.setdefault(row.layer, []).append(row)
    numbers = sorted(number for number in layers if number is not None and number <= last)
    room = max(1, height - 1)
    for number in numbers[-room:]:
        text.append(f"{'layer':>5} {number:>3}  ", STRONG if number == last else DIM)
        for node in layers[number]:
            way = f"→{node.move}" if node.move else ""
            text.append(f"{node.node}{way} ", coloured(node.value or 0))
        text.append("\n")
    left = [node for number, nodes in layers.items() if number is None or number > last for node in nodes]
    if left:
        text.append(f"{'in none' if whole else 'not yet':>9}  ", DIM)
        for node in left:
            way = f"→{node.move}" if whole and node.move else ""
            text.append(f"{node.node}{way} ", coloured(node.value or 0) if whole else DIM)
        if whole and game.has_winner:
            text.append("(play goes on for ever)", DIM)
    text.rstrip()
    return text


def table_panel(desk: Desk, width: int, height: int) -> Text:
    """The x-ray of the transposition table: its counters, and hits and cutoffs depth by depth."""
    table = newest_table(desk)
    if desk.scores:
        return levels_text(desk)
    if desk.layers:
        return layers_text(desk, width, height)
    if table is None:
        said = "This search keeps no table." if desk.report or desk.belief else "What the transposition table is good for."
        return Text(said, DIM)
    text = Text(no_wrap=True)
    kinds = (table.exact_cutoffs, table.lower_cutoffs, table.upper_cutoffs)
    cells = [
        Cell("probes", f"{table.probes:,}", 9),
        Cell("stores", f"{table.stores:,}", 7),
        Cell("hits", f"{table.hits:,}", 8),
        Cell("overwrote", f"{table.overwrites:,}", 6),
        Cell("cutoffs", f"{table.cutoffs:,}", 8),
        Cell("collided", f"{table.collisions:,}", 5),
        Cell("filled", share_text(table.filled, table.entries), 4),
        Cell("size", f"{table.size / 1e6:.0f} MB", 3),
    ]
    text.append_text(counters_text(cells, width, 4))
    known = "  ".join(f"{sign} {share_text(number, table.cutoffs)}" for sign, number in zip("=≥≤", kinds, strict=True))
    leads = ("cutoffs by what was known: ", "cutoffs: ", "")
    text.append("\n" + next((lead + known for lead in leads if len(lead + known) <= width), ""), DIM)
    rows = [desk.beliefs[depth].row for depth in sorted(desk.beliefs)][-max(1, height - 5) :]
    bar_width = max(6, width - 31)
    for row in rows:
        if row.table is None or not row.table.probes:
            continue
        hits, cuts = row.table.hits / row.table.probes, row.table.cutoffs / row.table.probes
        drawn, cut = bar(hits, bar_width).rstrip(), bar(cuts, bar_width).rstrip()
        text.append(f"\ndepth {row.depth:>3} ", DIM)
        text.append(cut, GOOD)
        text.append("▒" * max(0, len(drawn) - len(cut)), "cyan")
        text.append(" " * (bar_width - max(len(drawn), len(cut))))
        text.append(f" {100 * hits:3.0f} % hit {100 * cuts:3.0f} % cut", DIM)
    return text

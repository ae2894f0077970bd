"""The panel of the search: its value in large figures, and one or two sentences on what it believes.

Numbers keep their columns: every cell has a width of its own, and where there is no room the least important cell goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.text import Text

from engines import catalog
from engines.contract import DepthRow, Report
from engines.game import SHOWN_WIN, Game
from workbench.analysis.view_state import AnalysisView, Belief
from workbench.render.lines import pretty
from workbench.render.report_text import ended, has_numbers, how_it_ended, numbers_text, stage
from workbench.render.style import CHANGED, DIM, STRONG, short_number
from workbench.render.values import (
    counted,
    interval_words,
    is_forever,
    is_vector,
    is_win,
    number_text,
    opinion,
    row_value_text,
    value_text,
    vector_words,
    winner_of,
)


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
"""The number of large figures that have room."""


def beliefs_that_fit(view: AnalysisView, width: int, height: int, run: str = "Space", take_back: str = "b") -> Text:
    """What is believed, as much of it as there is room for: what follows the first two sentences may go."""
    text = beliefs_text(view, run, take_back)
    if lines_of(text.plain, width) > height and (cut := text.plain.find(PARTED)) >= 0:
        text.truncate(cut)
    if lines_of(text.plain, width) > height and (cut := text.plain.find("\n")) >= 0:
        text.truncate(cut)
    return text


def lines_of(text: str, width: int) -> int:
    """The number of lines that a text takes at a width."""
    return sum(len(wrap(line, max(width, 1))) or 1 for line in text.split("\n"))


PARTED = " The lines part"


def beliefs_text(view: AnalysisView, run: str = "Space", take_back: str = "b") -> Text:
    """One or two sentences: what is believed, since when, and what was believed before; `run` and `take_back` are keys."""
    position, game, belief = view.position, view.position.game, view.belief
    if position.is_over:
        if view.report is not None and view.report.stopped_by == "game over":
            value = number_text(view.report.value or 0, game)
            return Text(ended(view.report.outcome, value, position, view.report.values), STRONG)
        return Text(f"The game is over: {how_it_ended(position)}. {take_back} takes the last move back.", STRONG)
    if belief is None:
        if view.compiling is not None:
            return Text("The search is compiled first. That happens once.", STRONG)
        return Text(f"{run} starts the search.", STRONG) if not view.busy else Text("Looking at the first depth.", DIM)
    row, text = belief.row, Text()
    believed = belief_words(row, game) if row.iterations is None else sampled_words(view, row)
    text.append(proven(view.report) if view.shown is None and proven(view.report) else believed, STRONG)
    best = "is examined" if view.proves and not (view.report and view.report.exact and view.shown is None) else "is best"
    text.append(f" {pretty(position, row.pv[:1])} {best}" if row.best_move else "")
    since = believed_since(view.beliefs.values(), row)
    lasts = since is not row and row.best_move is not None
    if belief.improved and row.iterations is None:
        text.append(f", from what depth {row.depth + 1} found until it was stopped.\n")
    else:
        text.append(f", unchanged since {stage(since)}.\n" if lasts else f" at {stage(row)}.\n" if row.best_move else "\n")
    if view.report is not None and view.report.caution and view.shown is None:
        text.append(view.report.caution, CHANGED)
        return text
    if belief.interpreted:
        text.append("Searched without the compiler", CHANGED)
        rate = view.rates[-1] if view.rates else 0.0
        text.append(f", about {short_number(rate)} nodes/s." if rate and view.compiling is not None else ".", DIM)
        return text
    before = view.before
    if before is not None:
        if before.row.best_move != row.best_move:
            earlier = stage(before.row)
            text.append(f"{earlier[0].upper()}{earlier[1:]} preferred {pretty(position, before.row.pv[:1])}", CHANGED)
            text.append(f" ({known_text(before.row, game)}).", DIM)
        else:
            text.append(f"It was {known_text(before.row, game)} at {stage(before.row)}.", DIM)
            parted = first_differing_index(before.row.pv, row.pv)
            if parted is not None:
                text.append(f"{PARTED} at ply {parted + 1}.", DIM)
    return text


def known_text(row: DepthRow, game: Game) -> str:
    """The value of a row, or its proof numbers."""
    return numbers_text(row) if has_numbers(row) else row_value_text(row, game)


def belief_words(row: DepthRow, game: Game) -> str:
    """The result of a depth in words: each player's value, a mean with its standard error, or a value."""
    if is_vector(row.values):
        return vector_words(row.values, game)
    if row.spread is None or not game.has_chance:
        return opinion(row.value, game)
    if not game.has_winner:
        return f"{row_value_text(row, game)} on average."
    return f"{opinion(row.value, game)[:-1]}, {row_value_text(row, game)}."


def sampled_words(view: AnalysisView, row: DepthRow) -> str:
    """What is known from playouts (the best one or their mean) or from expansions."""
    game = view.position.game
    if view.proves:
        return question_words(row)
    if not view.samples:
        return opinion(row.value, game)
    if not view.scores:
        return mean_words(row, game)
    what = "The best game scores" if game.player_count == 1 else "Its game comes to"
    return f"{what} {value_text(row.value, game)}."


def question_words(row: DepthRow) -> str:
    """What is missing for a proof."""
    if row.proof == 0 or row.disproof == 0:
        return f"{row.question} {'Yes' if row.proof == 0 else 'No'}."
    needs = ["∞" if number is None else f"{number:,}" for number in (row.proof, row.disproof)]
    return f"{row.question} {needs[0]} to prove it, {needs[1]} to disprove it."


def mean_words(row: DepthRow, game: Game) -> str:
    """The mean of playouts, and its confidence interval."""
    if game.player_count == 1:
        return f"{number_text(row.value, game)} on average{interval_words(row, game)}."
    if not game.has_winner:
        return f"{game.players[0]} gets {number_text(row.value, game)} on average{interval_words(row, game)}."
    sign = 1 if row.value >= 0 else -1
    better, ends = game.players[0 if sign > 0 else 1], sorted(50 + 50 * sign * end for end in row.interval or ())
    between = f" (95 % between {ends[0]:.1f} and {ends[1]:.1f})" if ends else ""
    return f"{better} scores {50 + 50 * abs(row.value):.1f} %{between}."


def proven(report: Report | None) -> str:
    """What is proven, in words; empty if nothing is."""
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


def first_differing_index(one: Sequence[str], other: Sequence[str]) -> int | None:
    """The index at which two lines part; None if one is the beginning of the other."""
    return next((ply for ply, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)

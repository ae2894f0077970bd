"""The results of a suite as terminal output and as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from engines.contract import InputError, shown
from positions.suites import Case
from workbench.render.spreadsheet import csv_text, yes_or_no
from workbench.render.values import counted, duration, limit_text, value_text
from workbench.suites.job import CaseResult, Outcome

TO_THE_END = "to the end"
COLUMNS = (
    *("number", "line", "id", "notation", "best", "avoid", "score", "mate", "counts", "solved", "best_move", "value"),
    *("found_score", "found_mate", "found_counts", "points", "most_points", "depth", "solved_depth", "nodes", "seconds"),
    "error",
)


def result_line(case: Case, row: CaseResult) -> Text:
    """One position: whether it was solved, the right answer and the one found."""
    mark = ("✓ ", "green") if row.solved else ("✗ ", "bold red")
    wanted, found = asked(case), answered(case, row)
    if row.error is not None:
        return Text.assemble(mark, (row.id, "bold"), f"  wanted {wanted}. {row.error}")
    value = "" if row.value is None else f"{value_text(row.value, case.position.game)}, "
    work = f"({value}depth {row.depth}, {counted(row.nodes, 'node')}, {duration(row.seconds)})"
    return Text.assemble(mark, (row.id, "bold"), f"  wanted {wanted}, found {found}  ", (work, "dim"))


def asked(case: Case) -> str:
    """The right answer in words."""
    if case.score is not None:
        return f"{case.score:+d}"
    if case.counts:
        return counts_text(case.counts)
    words = [moves_words(case, case.best)] if case.best else []
    words += [f"not {moves_words(case, [move])}" for move in case.avoid]
    if not words and case.points:
        words.append(", ".join(f"{moves_words(case, [move])}={worth}" for move, worth in case.points.items()))
    return " ".join(words) or f"mate in {case.mate}"


def answered(case: Case, row: CaseResult) -> str:
    """The answer found, in words."""
    if case.score is not None:
        return "no proof" if row.found_score is None else f"{row.found_score:+d}"
    if case.counts:
        return counts_text(row.found_counts)
    found = moves_words(case, [row.best_move] if row.best_move else [])
    if row.points is not None:
        found += f" for {row.points} of {row.most_points} points"
    if case.mate is not None:
        found += ", no mate" if row.found_mate is None else f", mate in {row.found_mate}"
    return found


def counts_text(counts: dict[int, int]) -> str:
    """Counts as they are written in perft files."""
    return " ".join(f"D{depth} {leaves:,}" for depth, leaves in sorted(counts.items())) or "nothing"


def moves_words(case: Case, moves: Sequence[str]) -> str:
    """Moves in readable notation."""
    game, state = case.position.game, case.position.state
    return " ".join(game.pretty_line(state, (move,))[0] for move in moves) or "nothing"


def summary(outcome: Outcome) -> Text:
    """The totals."""
    text = Text(f"{outcome.solved} of {outcome.done} solved ({outcome.percent:g}%)", style="bold")
    if outcome.points is not None:
        text.append(f", {outcome.points:,} of {outcome.most_points:,} points")
    if outcome.failed:
        text.append(f"; {outcome.failed} without an answer, because the engine failed")
    if outcome.resumed:
        text.append(f"; {outcome.resumed} were known from the journal")
    if not outcome.complete:
        text.append(f"; interrupted, {outcome.total - outcome.done} were not reached")
    limit = limit_text(outcome.limit, TO_THE_END)
    how = f"{outcome.algorithm}, {limit}: {counted(outcome.nodes, 'node')}, {outcome.seconds:,.1f} s"
    text.append(f"\n{how}, {duration(outcome.mean_seconds)} a position", style="dim not bold")
    return text


# Files.


def check_format(path: Path) -> None:
    """Raise InputError if a file of this name cannot be written."""
    if path.suffix.lower() != ".csv":
        raise InputError(f"The results of a suite are written to a file that ends in .csv, not {shown(path.name)}.")


def to_csv(outcome: Outcome) -> str:
    """A CSV table with one row for each position."""
    return csv_text(COLUMNS, map(_line, outcome.positions))


def _line(row: CaseResult) -> tuple[object, ...]:
    return (
        *(row.number, row.line, row.id, row.position, " ".join(row.best), " ".join(row.avoid), row.score, row.mate),
        *(_counts(row.counts), yes_or_no(row.solved), row.best_move, row.value),
        *(row.found_score, row.found_mate, _counts(row.found_counts), row.points, row.most_points),
        *(row.depth, row.solved_depth, row.nodes, round(row.seconds, 6), row.error),
    )


def _counts(counts: dict[int, int]) -> str:
    return " ".join(f"D{depth} {leaves}" for depth, leaves in sorted(counts.items()))

"""Prints rows: as a table on a terminal, otherwise one on each line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.rows import Row, Target

VERDICT_STYLES = {"met": "green", "missed": "bold red", "not measured": "yellow", "": ""}


def as_table(rows: Sequence[Row]) -> Table:
    """All rows as a table."""
    table = Table("task", title="Plybench beside its peers", title_justify="left")
    for name in ("Plybench", "peer", "peer's figure", "result", "target", "verdict"):
        table.add_column(name, justify="left" if name in ("peer", "verdict") else "right")
    for row in rows:
        style = VERDICT_STYLES[row.verdict]
        verdict = f"[{style}]{row.verdict}[/]" if style else ""
        task = f"{row.task} [dim]({row.note})[/]" if row.note else row.task
        table.add_row(task, our_figure(row), row.peer or "", their_figure(row), result(row), target(row), verdict)
    return table


def as_line(row: Row) -> str:
    """A row in plain text."""
    parts = [f"{row.task}: {our_figure(row)}"]
    if row.peer is not None:
        parts += [f"{row.peer}: {their_figure(row)}", *([result(row)] if row.result is not None else [])]
    if row.target is not None:
        parts.append(f"target {target(row)}: {row.verdict}")
    return " | ".join(parts) + (f"  ({row.note})" if row.note else "")


def show(rows: Sequence[Row], console: Console) -> None:
    """Print the table and how many targets are met."""
    console.print(as_table(rows))
    console.print(summary(rows))


def summary(rows: Sequence[Row]) -> str:
    """A sentence on how many targets are met."""
    judged = [row for row in rows if row.target is not None]
    text = f"{sum(row.met is True for row in judged)} of {len(judged)} targets met."
    left = [row for row in judged if row.is_open]
    if left:
        missing = sorted({row.peer for row in left if row.peer is not None})
        text += f" {len(left)} not measured" + (f": {', '.join(missing)} is not installed." if missing else ".")
    return text


def tell(text: str) -> None:
    """Print the progress of a long measurement to standard error."""
    print(f"\n  {text}", end="", file=sys.stderr, flush=True)


def our_figure(row: Row) -> str:
    """Plybench's figure with its unit."""
    return "not measured" if row.ours is None else figure(row.ours, row.unit)


def their_figure(row: Row) -> str:
    """The peer's figure with its unit; empty if there is no peer."""
    if row.theirs is None:
        return "" if row.peer is None else "not installed"
    return figure(row.theirs, row.unit)


def result(row: Row) -> str:
    """The result that the target refers to, with its unit; empty if there is none."""
    return "" if row.result is None else f"{short(row.result)} {row.result_unit}"


def target(row: Row) -> str:
    """The target as text; empty if there is none."""
    wanted = row.target or Target()
    if wanted.at_least is not None:
        return f">= {wanted.at_least:g} {row.result_unit}"
    return "" if wanted.below is None else f"< {wanted.below:g} {row.result_unit}"


def figure(number: float, unit: str) -> str:
    """A number with its unit, in thousands or millions where that reads better."""
    if unit in ("points", "lines"):
        return f"{number:,.0f} {unit}"
    for size, letter in ((1e6, "M "), (1e3, "k ")):
        if number >= size:
            return f"{short(number / size)} {letter}{unit}"
    return f"{short(number)} {unit}"


def short(number: float) -> str:
    """A number with about three digits; counts are printed in full."""
    if number >= 100 or float(number).is_integer():
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}" if number >= 0.1 else f"{number:.4f}"

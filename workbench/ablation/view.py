"""The result of an ablation as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from engines.position import Position
from workbench.ablation.ladder import Ablation, AblationStep
from workbench.render import tables, values
from workbench.render.values import counted, limit_text, value_text
from workbench.suites.view import TO_THE_END

WIDEST_BAR = 8
"""The longest bar: one block for each halving, so 8 blocks stand for 256 times fewer nodes."""


def table(found: Ablation, positions: Sequence[Position]) -> Group:
    """The ladder as a table with bars: a block for each time that a switch halves the nodes."""
    game, state = positions[0].game, positions[0].state
    many = found.positions > 1
    with_depth = len({row.depth for row in found.steps}) > 1
    says = ["changed"] if many else ["value>", "best"]
    sheet = tables.sheet("switch on", *(["depth>"] if with_depth else []), "nodes>", "time>", *says, "saved>", "…")
    for row in found.steps:
        name = row.switch if isinstance(row.setting, bool) or row.setting is None else f"{row.switch} {row.setting}"
        cells: list[RenderableType] = [name, *([f"{row.depth:g}"] if with_depth else [])]
        cells += [f"{row.nodes:,}", values.duration(row.seconds)]
        if many:
            cells.append(changes(row))
        else:
            value = "" if row.value is None else value_text(row.value, game)
            move = game.pretty_line(state, (row.best_move,))[0] if row.best_move else ""
            cells += [marked(value, row.changed_values), marked(move, row.changed_moves)]
        sheet.add_row(*cells, factor(row.saved), bar(row.saved))
    what = counted(found.positions, "position") if many else found.position
    title = Text(f"{found.algorithm} on {what}, {limit_text(found.limit, TO_THE_END)}", style="bold")
    notes = ["Each step keeps the switches above it. ÷2 █ is half the nodes of the step before, ×2 ░ twice as many."]
    if any(row.changed_values or row.changed_moves for row in found.steps):
        notes.append("≠ marks a result that differs from the step before.")
    if not found.complete:
        notes.append("It was interrupted.")
    return Group(title, sheet, Text(" ".join(notes), style="dim"))


def factor(saved: float | None) -> str:
    """The factor by which the nodes of the step before were divided or multiplied, as text."""
    if saved is None or saved <= 0:
        return ""
    if 0.995 < saved < 1.005:
        return "same"
    return f"÷{saved:.2f}" if saved > 1 else f"×{1 / saved:.2f}"


def bar(saved: float | None) -> Text:
    """A bar with a block for each halving, or doubling, of the nodes."""
    if saved is None or saved <= 0:
        return Text("")
    halvings = math.log2(saved)
    blocks = min(round(abs(halvings) * 2) / 2, WIDEST_BAR)
    full, half = int(blocks), blocks % 1 > 0
    if halvings > 0:
        return Text("█" * full + ("▌" if half else ""), style="green")
    return Text("░" * math.ceil(blocks), style="red")


def marked(text: str, changed: int) -> Text:
    """A text, highlighted if the step before had another result."""
    return Text.assemble(("≠ ", "bold yellow") if changed else "", (text, "bold yellow" if changed else ""))


def changes(row: AblationStep) -> Text:
    """The number of positions in which the step has another result."""
    words = [(row.changed_values, "value"), (row.changed_moves, "move")]
    said = ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for count, word in words if count)
    return marked(said, bool(said))

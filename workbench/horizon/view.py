"""The horizon effect as terminal output: the list of examples, a story with its table of values, and the finder's
findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from engines.game import SHOWN_WIN
from engines.position import Position
from positions.horizon import Example
from workbench.horizon.finder import Finding, PositionFindings
from workbench.horizon.story import Story, marked_line, position_after, remedy_text
from workbench.render import board, tables
from workbench.render.values import counted, value_text

WRONG, RIGHT = "bold red", "bold green"
POSTPONES = "bold yellow"
MARK = "↷"
"""The mark behind a move that only delays."""
CLASSES = {
    "horizon": "horizon effect",
    "exchange": "exchange cut off",
    "refinement": "refinement",
}
MOST_FINDINGS = 100


def listing(examples: Sequence[Example]) -> Group:
    """The list of all examples."""
    table = tables.sheet("id", "what it shows", "at>", "what sees it")
    for example in examples:
        table.add_row(example.id, example.title, str(example.depth), remedy_text(example.remedy, example.plies))
    note = (
        "The depth is where a search is fooled. plybench horizon ID tells the story; plybench horizon find looks for others."
    )
    return Group(table, Text(note, style="dim"))


def story(found: Story, position: Position) -> Group:
    """A story: text, values by depth, the line with its delaying moves, the board after it, and the truth."""
    parts: list[RenderableType] = [Text(found.title, style="bold"), Padding(Text(found.text), (1, 0, 1, 0))]
    row = found.row
    boards: list[RenderableType] = [board.board(position)]
    if row is not None and row.pv:
        boards.append(board.board(position_after(position, row.pv)))
        parts.append(Columns(boards, padding=(0, 3)))
        parts.append(line(found, position))
    else:
        parts.append(boards[0])
    parts.append(values(found, position))
    if found.truth:
        parts.append(Text.assemble(("True is: ", RIGHT), found.truth))
    if found.remedy:
        parts.append(Text.assemble(("What sees it: ", RIGHT), f"{found.remedy}."))
    if not found.complete:
        parts.append(Text("It was interrupted.", style="dim"))
    return Group(*parts)


def line(found: Story, position: Position) -> Text:
    """The line at the fooled depth, and what its marks mean."""
    row = found.row
    assert row is not None
    text = Text.assemble((f"At depth {row.depth} it believes ", "dim"), (value_text(row.value, position.game), WRONG), ": ")
    for move, how, postpones in marked_line(position, row.pv, found.delaying):
        text.append(f"{move}{MARK}" if postpones else move, POSTPONES if postpones else "")
        text.append(f" ({how.kind})" if postpones and how.kind else "", "dim")
        text.append(" ")
    text.append("\n")
    if found.delaying:
        text.append(f"{MARK} only postpones. ", "dim")
    text.append("The second board is the position at the end of the line.", "dim")
    return text


def values(found: Story, position: Position) -> RenderableType:
    """A table of the values by depth for each configuration."""
    table = tables.sheet("depth>")
    for number, curve in enumerate(found.curves):
        heading = curve.configuration.name.replace(" ", "\n")
        table.add_column(Text(heading, style="bold" if number == found.fooled else ""), justify="right", no_wrap=True)
    for depth in range(1, found.deepest + 1):
        cells = []
        for number, curve in enumerate(found.curves):
            row = curve.at(depth)
            fooled = number == found.fooled and depth == found.depth
            text = "" if row is None else signed_value(row.value, position)
            cells.append(Text(f"▸ {text}" if fooled else text, style=WRONG if fooled else ""))
        table.add_row(str(depth), *cells)
    note = f"Values are for {position.game.players[0]}." + (" ▸ is where it is fooled." if found.depth is not None else "")
    wins = any(position.game.has_winner and abs(row.value) > SHOWN_WIN / 2 for curve in found.curves for row in curve.rows)
    return Group(table, Text(f"{note} {win_note(position)}" if wins else note, style="dim"))


def signed_value(value: float, position: Position) -> str:
    """A value in few characters. A win is # with the plies to it, signed by who wins."""
    text = value_text(value, position.game)
    if " in " not in text:
        return text
    return f"{'+' if value > 0 else '-'}#{text.rpartition(' ')[2]}"


def win_note(position: Position) -> str:
    """A sentence on what # means."""
    first, second = position.game.players
    return f"+#5 is a win for {first} in 5 plies, -#5 one for {second}."


def findings(
    found: Sequence[PositionFindings], positions: Mapping[str, Position], everything: bool, complete: bool
) -> Group:
    """The finder's findings, the largest first. `positions` maps notations to the positions that were searched."""
    rows = ranked(found, everything)
    parts: list[RenderableType] = []
    for one, finding in rows[:MOST_FINDINGS]:
        parts.append(entry(one, finding, positions[finding.position]))
    looked = f"{len(found)} {'position' if len(found) == 1 else 'positions'} searched"
    depths = sum(finding.kind == "horizon" for _, finding in rows)
    notes = [f"{looked}, {sum(one.flagged for one in found)} with a horizon effect, at {counted(depths, 'depth')} in all."]
    if len(rows) > MOST_FINDINGS:
        notes.append(f"The {MOST_FINDINGS} largest are shown.")
    if rows:
        notes.append(f"{MARK} only postpones. Sizes are in pawns, or what the game has for them.")
    if not complete:
        notes.append("It was interrupted.")
    return Group(*parts, Text(" ".join(notes), style="dim"))


def entry(one: PositionFindings, finding: Finding, position: Position) -> Group:
    """One finding: its size and depth, the line, and the remedy."""
    believed, true = (value_text(value, position.game) for value in (finding.value, finding.true_value))
    head = Text.assemble(
        (f"{finding.size:5.1f} ", WRONG if finding.kind == "horizon" else "bold"),
        (CLASSES[finding.kind], "bold"),
        f" at depth {finding.depth}: it believes {believed}, true is {true}",
    )
    line = Text(" ").join(
        Text(move + MARK if late else move, POSTPONES if late else "")
        for move, _, late in marked_line(position, finding.line, finding.delaying)
    )
    tail = Text("" if finding.kind == "refinement" else f"seen by {remedy_text(finding.remedy, finding.plies)}; ", "green")
    tail.append(one.name or finding.position, "dim")
    return Group(head, Padding(line, (0, 0, 0, 6)), Padding(tail, (0, 0, 0, 6)))


def ranked(found: Sequence[PositionFindings], everything: bool = False) -> list[tuple[PositionFindings, Finding]]:
    """All findings: horizon effects by size, then the others; refinements only if `everything` is asked for."""
    order = list(CLASSES)
    rows = [(one, finding) for one in found for finding in one.findings if everything or finding.kind != "refinement"]
    return sorted(rows, key=lambda row: (order.index(row[1].kind), -row[1].size, row[1].depth))

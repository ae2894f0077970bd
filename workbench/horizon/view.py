"""The horizon effect as terminal output: the list of examples, a story with its table of values, and the finder's
findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from engines.contract import DepthRow
from engines.position import Position
from positions.horizon import Example
from workbench.horizon.effect import forcing_moves
from workbench.horizon.finder import Finding, PositionFindings
from workbench.horizon.job import ranked
from workbench.horizon.rows import FOOLED, LEGEND, SEEN_BY, TRUE, line_words, value_table
from workbench.horizon.story import Story, position_after, remedy_text
from workbench.render import board, tables
from workbench.render.values import counted, value_text

WRONG, RIGHT = "bold red", "bold green"
POSTPONES = "bold yellow"
CLASSES = {
    "horizon": "horizon effect",
    "exchange": "exchange cut off",
    "refinement": "refinement",
}
MOST_FINDINGS = 100


def listing(examples: Sequence[Example]) -> Group:
    """The list of all examples."""
    table = tables.sheet("id", "what it shows…", "at>", "remedy…")
    for example in examples:
        table.add_row(example.id, example.title, str(example.depth), remedy_text(example.remedy, example.plies))
    note = (
        "The depth is where a search is fooled. plybench horizon ID tells the story; plybench horizon find looks for others."
    )
    return Group(table, Text(note, style="dim"))


def story_group(story: Story, position: Position) -> Group:
    """A story: text, values by depth, the line with its delaying moves, the board after it, and the truth."""
    parts: list[RenderableType] = [Text(story.title, style="bold"), Padding(Text(story.text), (1, 0, 1, 0))]
    row = story.row
    boards: list[RenderableType] = [board.board(position)]
    if row is not None and row.pv:
        boards.append(board.board(position_after(position, row.pv)))
        parts.append(Columns(boards, padding=(0, 3)))
        parts.append(believed_line(story, row, position))
    else:
        parts.append(boards[0])
    parts.append(values_table(story, position))
    if story.truth:
        parts.append(Text.assemble((TRUE, RIGHT), story.truth))
    if story.remedy:
        parts.append(Text.assemble((SEEN_BY, RIGHT), f"{story.remedy}."))
    if not story.complete:
        parts.append(Text("It was interrupted.", style="dim"))
    return Group(*parts)


def believed_line(story: Story, row: DepthRow, position: Position) -> Text:
    """The line at the fooled depth, and what its marks mean."""
    text = Text.assemble((f"At depth {row.depth} it believes ", "dim"), (value_text(row.value, position.game), WRONG), ": ")
    kinds = [move.kind for move in forcing_moves(position, row.pv)]
    for word in line_words(position.game.pretty_line(position.state, row.pv), kinds, story.delaying):
        text.append(word.text, POSTPONES if word.delays else "")
        text.append(f" ({word.kind})" if word.kind else "", "dim")
        text.append(" ")
    text.append("\n")
    if story.delaying:
        text.append(f"{LEGEND}. ", "dim")
    text.append("The second board is the position at the end of the line.", "dim")
    return text


def values_table(story: Story, position: Position) -> RenderableType:
    """A table of the values by depth for each configuration."""
    known, table = value_table(story, position), tables.sheet("depth>")
    for number, name in enumerate(known.names):
        heading = name.replace(" ", "\n")
        table.add_column(Text(heading, style="bold" if number == known.fooled else ""), justify="right", no_wrap=True)
    for depth, cells in known.rows:
        texts = (
            Text(f"{FOOLED} {cell.text}" if cell.fooled else cell.text, style=WRONG if cell.fooled else "") for cell in cells
        )
        table.add_row(str(depth), *texts)
    note = f"Values are for {position.game.players[0]}."
    note += f" {FOOLED} is where it is fooled." if story.depth is not None else ""
    return Group(table, Text(f"{note} {win_note(position)}" if known.has_wins else note, style="dim"))


def win_note(position: Position) -> str:
    """A sentence on what # means."""
    first, second = position.game.players
    return f"+#5 is a win for {first} in 5 plies, -#5 one for {second}."


def findings(
    searched: Sequence[PositionFindings], positions: Mapping[str, Position], everything: bool, complete: bool
) -> Group:
    """The finder's findings, the largest first. `positions` maps notations to the positions that were searched."""
    rows = ranked(searched, everything)
    parts: list[RenderableType] = []
    for one, finding in rows[:MOST_FINDINGS]:
        parts.append(entry(one, finding, positions[finding.position]))
    looked = f"{len(searched)} {'position' if len(searched) == 1 else 'positions'} searched"
    depths = sum(finding.kind == "horizon" for _, finding in rows)
    flagged = sum(one.flagged for one in searched)
    found = f"{flagged} with a horizon effect, at {counted(depths, 'depth')} in all"
    notes = [f"{looked}, {found if flagged else 'no horizon effect found'}."]
    if len(rows) > MOST_FINDINGS:
        notes.append(f"The {MOST_FINDINGS} largest are shown.")
    if rows:
        notes.append(f"{LEGEND}. Sizes are in pawns, or the game's own unit.")
    if not complete:
        notes.append("It was interrupted.")
    return Group(*parts, Text(" ".join(notes), style="dim"))


def entry(one: PositionFindings, finding: Finding, position: Position) -> Group:
    """One finding: its size and depth, the line, and the remedy."""
    believed, true = (value_text(value, position.game) for value in (finding.value, finding.true_value))
    head = Text.assemble(
        (f"{finding.size:5.1f} ", WRONG if finding.kind == "horizon" else "bold"),
        (CLASSES[finding.kind], "bold"),
        f" at depth {finding.depth}: it believes {believed}, the truth is {true}",
    )
    words = line_words(position.game.pretty_line(position.state, finding.line), finding.kinds, finding.delaying)
    line = Text(" ").join(Text(word.text, POSTPONES if word.delays else "") for word in words)
    tail = Text("" if finding.kind == "refinement" else f"remedy: {remedy_text(finding.remedy, finding.plies)}; ", "green")
    tail.append(one.name or finding.position, "dim")
    return Group(head, Padding(line, (0, 0, 0, 6)), Padding(tail, (0, 0, 0, 6)))

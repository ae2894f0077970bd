"""The panels of the Difference screen: pure functions from its desk to text."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from engines.game import Game
from workbench.difference import view
from workbench.difference.desk import DifferenceDesk
from workbench.difference.types import Difference, Part, TreePlace
from workbench.render.style import DIM, STRONG

NUMBERS = (("A", 10), ("B", 10), ("difference", 11), ("share", 7), ("above all", 12))
"""The columns behind the place, with their widths."""
SPARE = ("A", "B")
"""Those that are left out where there is little room."""
LEAST_LINE = 26


def status(found: Difference) -> Text:
    """The line at the top: which searches, and the whole difference."""
    text = (
        Text(no_wrap=True, overflow="ellipsis").append(" Difference ", STRONG).append(f"{found.difference:+,} nodes ", DIM)
    )
    for side in (found.first, found.second):
        text.append(f" {side.name} ", "bold yellow").append(view.title(side))
    return text


def columns(width: int) -> list[tuple[str, int]]:
    """The columns of numbers that there is room for."""
    room = width - LEAST_LINE
    return [column for column in NUMBERS if sum(wide for _, wide in NUMBERS) <= room or column[0] not in SPARE]


def head(desk: DifferenceDesk, width: int) -> Text:
    """The titles of the list's columns, and where one is."""
    numbers = columns(width)
    name = Text("where" if (top := desk.top) is None else f"within {view.where(top)}")
    text = _first_column(name, width - sum(wide for _, wide in numbers))
    for title, wide in numbers:
        text.append(title.rjust(wide) if title != "above all" else f"  {title}".ljust(wide))
    text.stylize(DIM)
    return text


def _first_column(name: Text, width: int) -> Text:
    """A cell that is filled up with blanks."""
    name.truncate(width - 1, overflow="ellipsis")
    return Text(no_wrap=True).append_text(name).append(" " * (width - name.cell_len))


def row(entry: TreePlace | Part, whole: int, width: int) -> Text:
    """A row of the list: a subtree with its numbers, or the place where the difference begins."""
    if isinstance(entry, TreePlace):
        return Text(f"first difference: {view.where(entry)}", STRONG, no_wrap=True, overflow="ellipsis")
    first, second, gain, share = view.cells(entry, whole)
    told = {"A": first, "B": second, "difference": gain.plain, "share": share}
    numbers = columns(width)
    text = _first_column(Text(view.where(entry.top)), width - sum(wide for _, wide in numbers))
    for title, wide in numbers:
        text.append(told[title].rjust(wide) if title in told else f"  {entry.mostly}".ljust(wide))
    return text


def story(desk: DifferenceDesk, chosen: int) -> Text:
    """What there is to say of the chosen row."""
    rows = desk.rows
    if not rows:
        return Text("The searches are the same, node by node." if desk.found.same else view.summary(desk.found))
    entry = rows[min(chosen, len(rows) - 1)]
    place = entry.top if isinstance(entry, Part) else entry
    text = Text().append(f"{view.where(place)}\n", STRONG)
    values = [f"{name} {value}" for name, value in (("A", place.first_value), ("B", place.second_value)) if value]
    if values:
        text.append(f"{'   '.join(values)}\n", DIM)
    return text.append_text(view.told(entry) if isinstance(entry, Part) else Text(entry.sentence))


def note(desk: DifferenceDesk) -> str:
    """What the list leaves out, in a sentence or two."""
    parts = desk.level.parts
    return view.rest_words(parts, len(parts.subtrees)) if parts.subtrees else ""


def overview(desk: DifferenceDesk, game: Game) -> RenderableType:
    """Both searches, the reasons with their nodes, and the depths."""
    found = desk.found
    parts: list[RenderableType] = [Text(view.summary(found), STRONG), view.sides(found, game)]
    if found.reasons:
        parts.append(view.reasons(found))
    parts += [view.depths(found), Text(view.position_words(found), DIM)]
    return Group(*parts)

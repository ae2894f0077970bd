"""The difference of two searches as text, for the terminal and the app."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engines.game import Game
from workbench.difference.types import REASONS, ComparedSearch, Difference, Part, Subtrees, TreePlace
from workbench.render.style import BAD, DIM, GOOD, STRONG
from workbench.render.tables import sheet
from workbench.render.values import counted, value_text
from workbench.sessions.comparison_types import settings_words

MOST_ROWS, MOST_SENTENCES = 20, 5
"""Subtrees that a terminal gets in a table, and those of them that it gets in sentences."""


def difference(found: Difference, game: Game) -> Group:
    """All that differs, for the terminal."""
    parts: list[RenderableType] = [sides(found, game), Text(summary(found), STRONG)]
    if found.same:
        return Group(*parts)
    if found.begins is not None:
        parts.append(begins(found))
    if found.parts.subtrees:
        parts += [subtrees(found.parts), *sentences(found.parts.subtrees[:MOST_SENTENCES])]
        if rest := rest_words(found.parts, MOST_ROWS):
            parts.append(Text(rest, DIM))
    if found.reasons:
        parts.append(reasons(found))
    parts.append(depths(found))
    if words := position_words(found):
        parts.append(Text(words, DIM))
    return Group(*parts)


def title(side: ComparedSearch) -> str:
    """What a search is: its algorithm, and what is set otherwise than in the other one."""
    return f"{side.algorithm} {settings_words(side.settings)}".strip()


def sides(found: Difference, game: Game) -> Table:
    """Both searches, a row for each."""
    table = sheet("", "search…", "nodes>", "depth>", "value>", "best")
    for side in (found.first, found.second):
        nodes = f"{side.nodes:,}" if side.nodes == side.recorded else f"{side.recorded:,} of {side.nodes:,}"
        value = "" if side.value is None else value_text(side.value, game)
        name = Text(title(side)).append(f"  {side.file}" if side.file else "", DIM)
        table.add_row(Text(side.name, STRONG), name, nodes, str(side.depth), value, side.best_move or "")
    return table


def summary(found: Difference) -> str:
    """The whole in a sentence."""
    first, second = found.first, found.second
    cut = [side.name for side in (first, second) if side.recorded < side.nodes]
    full = f" The tape of {' and of '.join(cut)} was full: what is not on it is not compared." if cut else ""
    if found.same:
        return f"The searches are the same, node by node.{full}"
    if not found.difference:
        return (
            f"Both took {counted(first.recorded, 'node')}, but not the same ones.{full}"
            if found.reasons
            else (f"Both entered the same {counted(first.recorded, 'node')} and left some of them otherwise.{full}")
        )
    more, less = (second, first) if found.difference > 0 else (first, second)
    times = f", {more.recorded / less.recorded:.2f} times as many" if less.recorded else ""
    return f"{more.name} took {counted(abs(found.difference), 'node')} more than {less.name}{times}.{full}"


def begins(found: Difference) -> Text:
    """Where the first difference is."""
    assert found.begins is not None
    text = Text(f"The first {counted(found.same_nodes, 'node')} are the same. ")
    text.append(f"First difference, {where(found.begins)}: ", STRONG)
    return text.append(found.begins.sentence)


def where(place: TreePlace) -> str:
    """A place by the depth that its pass over the root has, and the moves that lead there."""
    return f"depth {place.depth}{': ' if place.line else ''}{' '.join(place.line)}"


def subtrees(parts: Subtrees) -> Table:
    """The subtrees that hold the difference, a row for each."""
    table = sheet(">", "where…", "A>", "B>", "difference>", "share>", "above all…")
    for number, part in enumerate(parts.subtrees[:MOST_ROWS], 1):
        table.add_row(str(number), where(part.top), *cells(part, parts.difference), part.mostly)
    return table


def cells(part: Part, whole: int) -> tuple[str, str, Text, str]:
    """The numbers of a subtree: the nodes of both searches, their difference, and its share of the whole."""
    share = f"{part.difference / whole:.1%}" if whole else ""
    return f"{part.first_nodes:,}", f"{part.second_nodes:,}", signed(part.difference), share


def signed(nodes: int) -> Text:
    """A difference in nodes; its sign is always written."""
    return Text(f"{nodes:+,}", BAD if nodes > 0 else GOOD if nodes < 0 else "")


def sentences(parts: Sequence[Part]) -> list[Text]:
    """What there is to say of subtrees, numbered."""
    return [Text(f"{number}. ", STRONG).append(told(part)) for number, part in enumerate(parts, 1)]


def told(part: Part) -> Text:
    """What there is to say of a subtree."""
    text = Text(part.top.sentence, "")
    if part.known_elsewhere is not None:
        name, other, nodes = ("A", "B", part.first_nodes) if part.difference < 0 else ("B", "A", part.second_nodes)
        known = f" {part.known_elsewhere:,} of {name}'s {counted(nodes, 'node')} stand at positions that {other} saw too."
        text.append(known, DIM)
    return text


def rest_words(parts: Subtrees, shown: int) -> str:
    """What there is besides the subtrees that are shown."""
    said = []
    if hidden := parts.subtrees[shown:]:
        held = sum(part.difference for part in hidden)
        said.append(f"{_holds(len(hidden), 'more subtree')} {held:+,} (--json names them).")
    share = f", {parts.held / parts.difference:.0%} of the difference" if parts.difference else ""
    said.append(f"{_holds(len(parts.subtrees), 'subtree')} {parts.held:+,}{share}.")
    if parts.others:
        sums = [f"{nodes:+,}" for nodes in (parts.others_more, -parts.others_less) if nodes]
        said.append(f"{counted(parts.others, 'other')} {'makes' if parts.others == 1 else 'make'} {' and '.join(sums)}.")
    if not parts.finest:
        said.append("They begin further above than where the searches part: finer ones would be too many.")
    return " ".join(said)


def _holds(count: int, what: str) -> str:
    return f"{counted(count, what)} {'holds' if count == 1 else 'hold'}"


def reasons(found: Difference) -> Table:
    """What came of each reason for which the searches part; the differences add up to the whole."""
    table = sheet("reason", "what it is…", "places>", "only A>", "only B>", "difference>")
    for row in found.reasons:
        numbers = f"{row.places:,}", f"{row.first_only:,}", f"{row.second_only:,}", signed(row.difference)
        table.add_row(row.reason, REASONS[row.reason], *numbers)
    return table


def depths(found: Difference) -> Table:
    """Nodes and values of both searches, depth by depth."""
    table = sheet("depth>", "A>", "B>", "difference>", "value A>", "value B>")
    for row in found.depths:
        nodes = f"{row.first_nodes:,}", f"{row.second_nodes:,}", signed(row.second_nodes - row.first_nodes)
        table.add_row(str(row.depth), *nodes, row.first_value, row.second_value)
    return table


def position_words(found: Difference) -> str:
    """The nodes by position, in a sentence; empty if the game has no keys."""
    counts = found.positions
    if counts is None:
        return ""
    return (
        f"By position: A saw {counts.first:,} different ones, B {counts.second:,}, both {counts.common:,}. "
        f"At positions that only one of them saw there are {counts.first_only_nodes:,} nodes of A and "
        f"{counts.second_only_nodes:,} of B, at the others {counts.first_common_nodes:,} and "
        f"{counts.second_common_nodes:,}."
    )

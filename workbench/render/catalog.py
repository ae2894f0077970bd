"""Terminal tables of the games, the algorithms, the library and the contents of files."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from itertools import groupby, islice

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from engines import catalog
from engines.algorithm import FAMILIES
from engines.contract import Parameter
from positions.files import Detail, Item
from positions.library import Entry
from workbench.render.board import board
from workbench.render.tables import sheet

FILE_COLUMNS = ("date", "event", "result", "plies", "bm", "am", "error")
"""The details of an item of a file that have a column of their own."""
MOST_ITEMS = 500
"""The most items of a file that are listed."""


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
    fitting = Text("Algorithms: " + ", ".join(catalog.algorithms_for(name)))
    return Group(board(start), Text(start.game.sentence), terms, fitting, parameters(start.game.parameters, name))


def algorithms() -> Table:
    """All algorithms."""
    table = sheet("algorithm", "year", "what it does…")
    for family, title in FAMILIES.items():
        members = [found for found in map(catalog.algorithm, catalog.ALGORITHMS) if found.family == family]
        if members:
            table.add_section()
            table.add_row("", "", Text(title, "bold underline"))
        for found in members:
            names = "".join(f" {parameter.name}" for parameter in found.parameters)
            said = Text.assemble(found.summary, (f"\nparameters:{names}" if names else "", "dim"))
            table.add_row(Text(found.id, style="bold"), str(found.year or ""), said)
    return table


def algorithm(name: str) -> Group:
    """One algorithm: its card and its parameters."""
    title, _, body = catalog.card(name).partition("\n")
    return Group(Text(title, style="bold"), Markdown(body), parameters(catalog.algorithm(name).parameters))


def parameters(declared: Sequence[Parameter], game: str | None = None) -> RenderableType:
    """Parameters with their defaults and what they mean."""
    if not declared:
        return Text("It has no parameters.", style="dim")
    table = sheet("--set", "kind…", "default…", "meaning…")
    for parameter in catalog.with_preferences(declared):
        default = str(catalog.default_in(parameter, game) if game else parameter.default)
        others = "".join(f"\n{value} in {where}" for where, value in parameter.default_for.items()) if not game else ""
        table.add_row(Text(parameter.name, style="bold"), parameter.kind, default + others, parameter.sentence)
    return table


def library(found: Sequence[Entry]) -> RenderableType:
    """Named positions in a list, group by group."""
    if not found:
        return Text("No position in the library has all these words.")
    table = sheet("position", "title…", "tags…")
    for group, its in groupby(found, key=lambda entry: entry.group):
        if table.row_count:
            table.add_row()
        table.add_row(Text(group, style="bold underline"))
        for entry in its:
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

"""The library of named positions: data files that say what each position is and what is known about it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Outcome, Setting, instead, shown
from engines.position import Position

GROUPS = {
    "Worth seeing": (),
    "Textbook trees and graphs": ("textbook", "ordering", "notation", "one player", "chance", "players"),
    "Mates and tactics": ("mate in 1", "mate in 2", "mate in 3", "mate", "tactics"),
    "The horizon effect": ("horizon",),
    "Endings": ("endgame", "study", "zugzwang", "repetition"),
    "Games and openings": ("game", "opening", "exercise", "idea"),
    "Start positions, small boards": ("start", "misère", "small", "medium", "large"),
    "Test suites": ("bratko-kopec", "benchmark"),
    "Tests of move generators": ("perft",),
}
"""The groups of the library in the order in which they are listed, with the tags that they are made of. A position belongs
to the group that its entry names, or else to that of the first of its tags that any group has."""
GROUP_OF = {tag: group for group, tags in GROUPS.items() for tag in tags}


class Entry(Struct, frozen=True, kw_only=True):
    """A named position."""

    id: str
    """`game/name`."""
    title: str
    notation: str
    known: str
    """Why it is worth a look, and what is known about it."""
    size: str | None = None
    settings: dict[str, Setting] = msgspec.field(default_factory=dict)
    """Options of the game, such as `misere`."""
    tags: tuple[str, ...] = ()
    group: str = ""
    """The heading that it is listed under, one of `GROUPS`."""
    outcome: Outcome | None = None
    """Who wins with best play, where that is known."""
    distance: int | None = None
    """In so many plies."""
    value: float | None = None
    """The true value, where the game pays a gain."""
    best: tuple[str, ...] = ()
    """The moves that keep the outcome (and are quickest, where a distance is given)."""
    recommended: tuple[str, ...] = ()
    """The moves a test suite or strong players recommend; not a proof."""
    perft: tuple[int, ...] = ()
    """Published counts of perft from depth 1 on."""
    depth: int | None = None
    """A search this deep proves it."""

    @property
    def game(self) -> str:
        """The id of its game."""
        return self.id.partition("/")[0]

    def position(self) -> Position:
        """The position itself."""
        return catalog.restore(self.notation, self.game, self.size, self.settings)


@cache
def entries() -> dict[str, Entry]:
    """All named positions by id, game by game in the order of their files."""
    found: dict[str, Entry] = {}
    for game in catalog.GAMES:
        source = resources.files("positions") / "data" / f"{game}.toml"
        for row in tomllib.loads(source.read_text(encoding="utf-8"))["position"] if source.is_file() else []:
            entry = _read(row, game)
            if entry.id in found:
                raise ValueError(f"{entry.id} is in the library twice")
            found[entry.id] = entry
    return found


def _read(row: dict[str, Any], game: str) -> Entry:
    group = row.get("group") or next(GROUP_OF[tag] for tag in row["tags"] if tag in GROUP_OF)
    return msgspec.convert(row | {"id": f"{game}/{row['id']}", "group": group}, Entry)


def get(name: str) -> Entry:
    """The position with this id."""
    if name in entries():
        return entries()[name]
    raise InputError(f"There is no position {shown(name)} in the library.{instead(name, entries(), 'plybench positions')}")


def known_of(title: str, position: Position) -> str:
    """What the library says about a position that has the title of an entry; empty if it is not that entry's position."""
    game = position.game
    for entry in entries().values():
        if (entry.title, entry.game) == (title, game.id):
            its = entry.position()
            if (its.text, its.game.size, its.game.options) == (position.text, game.size, game.options):
                return entry.known
    return ""


def search(words: Iterable[str], game: str | None = None) -> list[Entry]:
    """The positions whose id, title, tags or story have all these words, group by group."""
    wanted = [word.lower() for word in words]
    found = []
    for entry in entries().values():
        text = " ".join([entry.id, entry.title, entry.known, *entry.tags]).lower()
        if (game is None or entry.game == game) and all(word in text for word in wanted):
            found.append(entry)
    return by_group(found)


def by_group(found: Iterable[Entry]) -> list[Entry]:
    """Positions in the order in which they are listed."""
    groups = list(GROUPS)
    return sorted(found, key=lambda entry: groups.index(entry.group))

"""The frozen form of a session: what stands in a session file, and what is kept in it of searches, comparisons and suites.

The names of the fields are those of the file format. `workbench.sessions.model` has the form that a person works with.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from engines.contract import Report, Setting
from workbench.sessions.comparison_types import Compared, SuiteOutcome
from workbench.sessions.play_types import PlayRecord

FORMAT = "plybench session 1"

Moment = Annotated[datetime, Meta(tz=True)]


class KeptSearch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A search that was kept. Its report says which position was searched, and how."""

    when: Moment
    version: str
    """The version of Plybench that searched."""
    note: str = ""
    tape: str | None = None
    """The file with the record of its nodes, named from the folder of the session: see `workbench.sessions.tapes`."""
    stepped: bool = False
    """It went on with what the step before had put into the table."""
    report: Report

    @property
    def position(self) -> str:
        """The notation of the position that was searched, history included."""
        return self.report.position


class KeptComparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A comparison that was kept."""

    when: Moment
    version: str
    note: str = ""
    stepped: bool = False
    """The lanes were stepped depth by depth: each depth is of a search of its own."""
    compared: Compared


class KeptSuite(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A suite of comparisons that was kept."""

    when: Moment
    version: str
    note: str = ""
    outcome: SuiteOutcome


class SavedLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of moves; all but the first leave an earlier one after so many plies."""

    leaves: int = 0
    """The line it leaves, counted from 1; 0 for the first."""
    after: int = 0
    moves: str


class SavedNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the user wrote about the position after so many plies of a line."""

    line: int
    ply: int
    text: str


class SavedMark(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a game that was read from a PGN has at a place beside moves and notes: marks of the move that leads there, the
    comment before that move, and variations that cannot be searched."""

    line: int
    ply: int
    nags: tuple[int, ...] = ()
    before: str = ""
    aside: tuple[tuple[int, str], ...] = ()


class SavedStudy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A study as it stands in a file: its tree of moves as lines."""

    game: str
    size: str
    options: dict[str, Setting]
    start: str
    title: str = ""
    """What its start is called."""
    note: str = ""
    lines: tuple[SavedLine, ...] = ()
    notes: tuple[SavedNote, ...] = ()
    path: str = ""
    """The line that was last walked along."""
    ply: int = 0
    """How far along it the current place is."""
    searches: tuple[KeptSearch, ...] = ()
    comparisons: tuple[KeptComparison, ...] = ()
    record: PlayRecord | None = None
    tags: dict[str, str] = {}
    marks: tuple[SavedMark, ...] = ()


class SavedSession(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session as it stands in a file."""

    format: str
    name: str
    created: Moment
    changed: Moment
    at: int = 0
    studies: tuple[SavedStudy, ...]
    suites: tuple[KeptSuite, ...] = ()

"""A session: positions with their variations, the searches made of them, and notes. Pure data: no screen, no disk.

A session has studies. A study is a start position and a tree of moves from there on, with one place in it that is the
current one, and the searches that were kept. `workbench.sessions.codec` writes it as text and reads it back; `saved` gives
the frozen form that crosses to the thread that does so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engines.contract import InputError, Report, Setting, shown
from workbench.sessions.comparison_types import Compared, SuiteOutcome
from workbench.sessions.play_types import PlayRecord
from workbench.sessions.types import (
    FORMAT,
    KeptComparison,
    KeptSearch,
    KeptSuite,
    Moment,
    SavedLine,
    SavedMark,
    SavedNote,
    SavedSession,
    SavedStudy,
)
from workbench.version import version

if TYPE_CHECKING:
    from engines.position import Position

LONGEST_NAME = 120
LONGEST_LINE = 3000
"""Plies: a longer game has no notation that can be read back."""

Path = tuple[str, ...]
"""A place in a study: the moves that lead there from its start."""


@dataclass(eq=False, repr=False, slots=True)
class StudyNode:
    """A move of a study, and the moves that may follow it; the first of them is the main one."""

    move: str
    """In notation; empty at the start of a study."""
    children: list[StudyNode] = field(default_factory=list)
    note: str = ""
    before: str = ""
    """The comment that stands before the move in a PGN."""
    nags: tuple[int, ...] = ()
    """Numeric annotation glyphs of PGN: 1 is `!`."""
    aside: tuple[tuple[int, str], ...] = ()
    """Variations of a PGN from here that cannot be searched, such as those with null moves: their places among the children,
    and their text. They are kept to be written again."""

    @property
    def size(self) -> int:
        """How many moves there are: this one, and all that follow."""
        count, waiting = 0, [self]
        while waiting:
            count += 1
            waiting += waiting.pop().children
        return count

    def child(self, move: str) -> StudyNode | None:
        """What follows with this move, if it is there."""
        return next((child for child in self.children if child.move == move), None)


@dataclass(eq=False)
class Study:
    """A start position, a tree of moves from there on with a current place in it, and searches."""

    game: str
    size: str
    options: dict[str, Setting]
    start: str
    """The notation of the start, without moves."""
    title: str = ""
    """What the position that was opened is called; empty if it has no name."""
    note: str = ""
    root: StudyNode = field(default_factory=lambda: StudyNode(""), repr=False)
    line: list[str] = field(default_factory=list)
    """The line that was last walked along: where `forward` goes."""
    ply: int = 0
    """How far along the line the current place is."""
    searches: list[KeptSearch] = field(default_factory=list, repr=False)
    comparisons: list[KeptComparison] = field(default_factory=list, repr=False)
    record: PlayRecord | None = None
    """Who plays it, if it is played as a game."""
    tags: dict[str, str] = field(default_factory=dict)
    """What stands above the game in the PGN that it was read from, between the quotation marks."""
    _positions: list[Position] = field(default_factory=list, repr=False)
    """The positions of the line, as far as anybody asked for them; the start is the first."""

    @classmethod
    def of(cls, position: Position, title: str = "") -> Study:
        """A study of a position: it starts where the position's history does, and is at its end."""
        game = position.game
        study = cls(game.id, game.size, dict(game.options), game.position_text(position.start, ()), title)
        if len(position.played) > LONGEST_LINE:
            raise InputError(f"A line has at most {LONGEST_LINE:,} plies, this position has {len(position.played):,}.")
        node = study.root
        for move in game.line_text(position.start, position.played):
            node.children.append(StudyNode(move))
            node = node.children[0]
            study.line.append(move)
        study.ply = len(study.line)
        return study

    # Where it is.

    @property
    def path(self) -> Path:
        """The current place."""
        return tuple(self.line[: self.ply])

    @property
    def node(self) -> StudyNode:
        """The current node."""
        return self.node_at(self.path)

    def node_at(self, path: Sequence[str]) -> StudyNode:
        """The node at a place; an InputError if there is none."""
        node = self.root
        for number, move in enumerate(path, 1):
            child = node.child(move)
            if child is None:
                raise InputError(f"The study has no line that goes on with {shown(move)} at ply {number}.")
            node = child
        return node

    def first_position(self) -> Position:
        """The position that the study starts from."""
        if not self._positions:
            from engines import catalog

            self._positions = [catalog.restore(self.start, self.game, self.size, self.options)]
        return self._positions[0]

    def position(self) -> Position:
        """The position at the current place, with its history."""
        self.first_position()
        while len(self._positions) <= self.ply:
            here = self._positions[-1]
            move = here.game.read_move(here.state, self.line[len(self._positions) - 1])
            self._positions.append(here.play(move))
        return self._positions[self.ply]

    def position_at(self, path: Sequence[str]) -> Position:
        """The position at any place; the current place stays what it is."""
        here = self.first_position()
        for move in path:
            here = here.play(here.game.read_move(here.state, move))
        return here

    def path_of(self, notation: str) -> Path | None:
        """The place in the study of a position given with its history, as reports do; None if it is not in it."""
        game = self.first_position().game
        try:
            found = game.position(notation)
            if game.position_text(found.start, ()) != self.start:
                return None
            path = game.line_text(found.start, found.played)
            self.node_at(path)
        except InputError:
            return None
        return path

    # Going elsewhere.

    def play(self, move: str) -> Position:
        """Follow a move from the current place, or add it as a variation; an InputError if it is not legal."""
        if self.ply >= LONGEST_LINE:
            raise InputError(f"A line has at most {LONGEST_LINE:,} plies.")
        here = self.position()
        played = here.game.read_move(here.state, move)
        text = here.game.move_text(here.state, played)
        node = self.node
        if node.child(text) is None:
            node.children.append(StudyNode(text))
        self._walk([*self.path, text])
        return self.position()

    def back(self) -> bool:
        """One ply back; False at the start."""
        if self.ply == 0:
            return False
        self.ply -= 1
        return True

    def forward(self) -> bool:
        """One ply on, along the line that was last walked or else the main one; False at its end."""
        if self.ply == len(self.line):
            children = self.node.children
            if not children:
                return False
            self.line.append(children[0].move)
        self.ply += 1
        return True

    def go(self, path: Sequence[str]) -> Position:
        """To a place of the study; an InputError if there is none such."""
        self.node_at(path)
        self._walk(list(path))
        return self.position()

    def cut(self, path: Sequence[str]) -> StudyNode:
        """Take a move and all that follows it out of the study; the current place goes before it. Gives what was cut."""
        if not path:
            raise InputError("The start of a study cannot be taken out of it.")
        parent, node = self.node_at(path[:-1]), self.node_at(path)
        if self.line[: len(path)] == list(path):
            del self.line[len(path) - 1 :], self._positions[len(path) :]
            self.ply = min(self.ply, len(path) - 1)
        parent.children.remove(node)
        return node

    def put_back(self, path: Sequence[str], node: StudyNode, number: int) -> None:
        """Undo a cut: the node stands again among the moves of its place, as the one with this number. Be there."""
        parent = self.node_at(path[:-1])
        if parent.child(node.move) is not None:  # it was played again since: what was cut comes back in its stead
            parent.children.remove(self.node_at(path))
        parent.children.insert(number, node)
        self.go(path)

    def promote(self, path: Sequence[str]) -> None:
        """Make a variation the main line at its place."""
        if path:
            children, node = self.node_at(path[:-1]).children, self.node_at(path)
            children.remove(node)
            children.insert(0, node)

    def _walk(self, line: list[str]) -> None:
        """Be at the end of a line. If the line walked before goes through here, its rest stays, to go forward along."""
        same = 0
        while same < min(len(line), len(self.line)) and line[same] == self.line[same]:
            same += 1
        if same < len(line):
            del self._positions[same + 1 :]
            self.line = line
        self.ply = len(line)

    # What was found and written.

    def add(self, report: Report, tape: str | None = None, stepped: bool = False) -> KeptSearch:
        """Keep a search."""
        kept = KeptSearch(when=now(), version=version(), tape=tape, stepped=stepped, report=report)
        self.searches.append(kept)
        return kept

    def keep_comparison(self, compared: Compared, stepped: bool = False) -> KeptComparison:
        """Keep a comparison."""
        kept = KeptComparison(when=now(), version=version(), stepped=stepped, compared=compared)
        self.comparisons.append(kept)
        return kept

    def attach(self, kept: KeptSearch, tape: str) -> None:
        """Name the tape of a kept search, if that is still there."""
        for number, other in enumerate(self.searches):
            if other is kept:
                self.searches[number] = replace(kept, tape=tape)

    def write_note(self, number: int, text: str) -> None:
        """Write about a kept search, counted from 0."""
        self.searches[number] = replace(self.searches[number], note=text)

    @property
    def note_here(self) -> str:
        """What was written about the current place; at the start, that is the note on the study."""
        return self.node.note if self.ply else self.note

    def write_note_here(self, text: str) -> None:
        """Write about the current place."""
        if self.ply:
            self.node.note = text
        else:
            self.note = text

    def saved(self) -> SavedStudy:
        """The frozen form."""
        lines, notes, marks = _lines(self.root)
        return SavedStudy(
            game=self.game,
            size=self.size,
            options=dict(self.options),
            start=self.start,
            title=writable(self.title),
            note=writable(self.note),
            lines=lines,
            notes=notes,
            path=" ".join(self.line),
            ply=self.ply,
            searches=tuple(replace(kept, note=writable(kept.note)) for kept in self.searches),
            comparisons=tuple(replace(kept, note=writable(kept.note)) for kept in self.comparisons),
            record=self.record,
            tags={writable(name): writable(value) for name, value in self.tags.items()},
            marks=marks,
        )


@dataclass(eq=False)
class Session:
    """A document of studies; one of them is the current one."""

    name: str
    created: Moment
    changed: Moment
    studies: list[Study]
    at: int = 0
    """Which study is the current one."""
    suites: list[KeptSuite] = field(default_factory=list, repr=False)

    @classmethod
    def new(cls, name: str, position: Position, title: str = "") -> Session:
        """A session with one study, of a position that may have a name of its own."""
        moment = now()
        return cls(readable_name(name), moment, moment, [Study.of(position, title)])

    @property
    def study(self) -> Study:
        """The current study. There always is one."""
        return self.studies[self.at]

    def rename(self, name: str) -> None:
        """Give it another name; an InputError if that is none."""
        self.name = readable_name(name)

    @classmethod
    def of(cls, name: str, study: Study) -> Session:
        """A session with one study."""
        moment = now()
        return cls(readable_name(name), moment, moment, [study])

    def add(self, position: Position, title: str = "") -> Study:
        """Begin another study, which becomes the current one."""
        return self.put(Study.of(position, title))

    def put(self, study: Study) -> Study:
        """Take another study in, which becomes the current one."""
        self.studies.append(study)
        self.at = len(self.studies) - 1
        return study

    def study_of(self, position: Position) -> Study:
        """The study that has a position, or a new one that begins with it."""
        game = position.game
        for study in self.studies:
            same = (study.game, study.size, study.options) == (game.id, game.size, dict(game.options))
            if same and study.path_of(position.text) is not None:
                return study
        at = self.at
        found = self.add(position)
        self.at = at
        return found

    def remove(self, number: int) -> Study:
        """Take a study out, counted from 0, and give it back; the last one stays."""
        if len(self.studies) == 1:
            raise InputError("A session has at least one study.")
        gone = self.studies.pop(number)
        if self.at > number or self.at == len(self.studies):
            self.at -= 1
        return gone

    def keep_suite(self, outcome: SuiteOutcome) -> KeptSuite:
        """Keep a suite of comparisons."""
        kept = KeptSuite(when=now(), version=version(), outcome=outcome)
        self.suites.append(kept)
        return kept

    def saved(self) -> SavedSession:
        """The frozen form: nothing that is done to the session later changes it."""
        return SavedSession(
            format=FORMAT,
            name=self.name,
            created=self.created,
            changed=self.changed,
            at=self.at,
            studies=tuple(study.saved() for study in self.studies),
            suites=tuple(self.suites),
        )


def _lines(root: StudyNode) -> tuple[tuple[SavedLine, ...], tuple[SavedNote, ...], tuple[SavedMark, ...]]:
    """A tree of moves as lines, without recursion: a line may be long. Lines that leave at one place keep their order."""
    lines: list[SavedLine] = []
    notes: list[SavedNote] = []
    marks = list(_marked(root, 0, 0))
    waiting = deque((root, child, 0, 0) for child in root.children)
    while waiting:
        parent, node, leaves, after = waiting.popleft()
        if parent is root and lines:
            leaves = 1
        number, ply, moves = len(lines) + 1, after, [node.move]
        while True:
            ply += 1
            if node.note:
                notes.append(SavedNote(line=number, ply=ply, text=writable(node.note)))
            marks += _marked(node, number, ply)
            waiting.extend((node, other, number, ply) for other in node.children[1:])
            if not node.children:
                break
            node = node.children[0]
            moves.append(node.move)
        lines.append(SavedLine(leaves=leaves, after=after, moves=" ".join(moves)))
    return tuple(lines), tuple(notes), tuple(marks)


def _marked(node: StudyNode, line: int, ply: int) -> Iterator[SavedMark]:
    if node.nags or node.before or node.aside:
        aside = tuple((place, writable(text)) for place, text in node.aside)
        yield SavedMark(line=line, ply=ply, nags=node.nags, before=writable(node.before), aside=aside)


def readable_name(name: str) -> str:
    """A name on one line; an InputError if nothing of it can be seen."""
    flat = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    if not flat:
        raise InputError("A session needs a name.")
    if len(flat) > LONGEST_NAME:
        raise InputError(f"The name of a session has at most {LONGEST_NAME} letters, {shown(flat)} has {len(flat)}.")
    return flat


def writable(text: str) -> str:
    """A text without halves of characters, which a terminal may give and no file can have."""
    return text.encode(errors="replace").decode()


def now() -> datetime:
    """The time, to the second."""
    return datetime.now(UTC).replace(microsecond=0)

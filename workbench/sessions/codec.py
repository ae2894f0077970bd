"""Sessions as text: JSON that a person can read, with one line for each depth of a search.

What cannot be read is refused with a sentence that says what is wrong where. Nothing here touches the disk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from engines.contract import InputError, shown
from workbench.sessions.checks import check_kept
from workbench.sessions.model import LONGEST_LINE, LONGEST_NAME, Session, Study, StudyNode, readable_name
from workbench.sessions.types import FORMAT, SavedLine, SavedSession, SavedStudy

if TYPE_CHECKING:
    from engines.game import Game

WIDTH = 110
"""The width in characters up to which a value is written on one line."""
ROWS = ("depths", "root_moves", "lines", "notes", "marks", "rows")
"""Lists in which everything stands on a line of its own, however long."""
GROUPS = ("options", "parameters", "limit", "table", "pv")
"""What stands on one line, however long."""
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not the JSON that was asked for."""


class _SessionHead(Struct):
    format: str


SAMPLING = (
    *("iterations", "playouts", "std_error", "tree_nodes", "tree_depths", "playout_plies", "visits"),
    *("interval", "proven", "by_thread", "levels", "regions"),
    *("proof", "disproof", "question", "answers", "values", "spread", "likelihood"),
)
PLAYED = ("record", "tags", "marks")
"""What only studies have that are played as games, or were read from a PGN."""


def text_of(saved: SavedSession) -> bytes:
    """The file's content."""
    return (_written(_without_unused(msgspec.to_builtins(saved)), "", 0) + "\n").encode()


def _without_unused(value: Any) -> Any:
    """What a search that does not sample, or a study that is no game, has nothing to say about is left out; reading takes it
    for nothing."""
    if isinstance(value, dict):
        return {
            name: _without_unused(one)
            for name, one in value.items()
            if one not in (None, (), [], {}) or name not in SAMPLING + PLAYED
        }
    return [_without_unused(one) for one in value] if isinstance(value, list | tuple) else value


def read(content: bytes, name: str) -> Session:
    """The session in a file's content; an InputError that begins with the file's name if it cannot be read."""
    where = shown(name, 100)
    _check_format(content, where)
    try:
        saved = msgspec.json.decode(content, type=SavedSession)
        session = session_of(saved)
        check_kept(saved)
        return session
    except (*UNREADABLE, InputError) as error:
        raise InputError(f"The session {where} is damaged: {_shortened(str(error))}.") from None


def _check_format(content: bytes, where: str) -> None:
    """An InputError if this is no session, or one of a newer Plybench; asked before anything else in it is read."""
    if not content.strip():
        raise InputError(f"The session {where} is damaged: it is empty.")
    if not content.lstrip().startswith(b"{"):
        raise InputError(f"{where} is not a session of Plybench.")
    try:
        found = msgspec.json.decode(content, type=_SessionHead).format
    except msgspec.ValidationError:
        raise InputError(f"{where} is not a session of Plybench: nothing in it says so.") from None
    except UNREADABLE as error:
        raise InputError(f"The session {where} is damaged: {_shortened(str(error))}.") from None
    if found == FORMAT:
        return
    if re.fullmatch(r"plybench session [0-9]{1,9}", found) and int(found.split()[-1]) > int(FORMAT.split()[-1]):
        raise InputError(f"The session {where} was written by a newer Plybench ({found}); this one reads {FORMAT}.")
    raise InputError(f"{where} is not a session of Plybench but says it is {shown(found)}.")


def _shortened(message: str, longest: int = 140) -> str:
    """What is wrong, fit to stand inside a sentence."""
    flat = " ".join("".join(letter if letter.isprintable() else "?" for letter in message).split()).rstrip(".")
    return flat if len(flat) <= longest else f"{flat[:longest]}..."


# From the frozen form.


def session_of(saved: SavedSession) -> Session:
    """The session that was saved; an InputError if its moves are not legal or its places do not exist."""
    if not saved.studies:
        raise InputError("it has no study.")
    if not 0 <= saved.at < len(saved.studies):
        raise InputError(f"it has {len(saved.studies)} studies, but the current one should be number {saved.at}.")
    studies = []
    for number, study in enumerate(saved.studies, 1):
        try:
            studies.append(_study_of(study))
        except InputError as error:
            raise InputError(f"study {number}: {error}") from None
    return Session(readable_name(saved.name), saved.created, saved.changed, studies, saved.at, list(saved.suites))


def _study_of(saved: SavedStudy) -> Study:
    study = Study(saved.game, saved.size, saved.options, saved.start, _one_line(saved.title), saved.note)
    study.searches, study.comparisons = list(saved.searches), list(saved.comparisons)
    study.record = saved.record
    start = study.first_position()
    if start.played or start.game.position_text(start.start, ()) != saved.start or start.game.size != saved.size:
        raise InputError(f"{shown(saved.start)} is not how the start of a study is written.")
    for name, value in saved.options.items():
        if name not in start.game.options or start.game.options[name] != value:
            raise InputError(f"{start.game.title} has no option {shown(name)} that is {shown(str(value))}.")
    study.options = dict(start.game.options)
    walked = _read_lines(study, start.game, saved.lines)
    for note in saved.notes:
        _at(walked, note.line, note.ply).note = note.text
    study.tags = dict(saved.tags)
    for mark in saved.marks:
        node = study.root if mark.line == mark.ply == 0 else _at(walked, mark.line, mark.ply)
        node.nags, node.before, node.aside = mark.nags, mark.before, mark.aside
    path = saved.path.split()
    study.node_at(path)
    if not 0 <= saved.ply <= len(path):
        raise InputError(f"The path has {len(path)} plies, but the current one should be {saved.ply}.")
    study.line, study.ply = path, saved.ply
    return study


def _one_line(title: str) -> str:
    """A title made safe for a single line, whatever the file contains."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in title).split())[:LONGEST_NAME]


_Walked = list[tuple[int, list[StudyNode]]]
"""For each line: the ply at which it leaves another one, and its nodes from that ply on."""


def _read_lines(study: Study, game: Game, lines: Sequence[SavedLine]) -> _Walked:
    """Put lines into a study's tree, every move of them checked."""
    from engines.rules import play

    states = {id(study.root): study.first_position().state}
    walked: _Walked = []
    for number, line in enumerate(lines, 1):
        if number == 1 and (line.leaves or line.after):
            raise InputError("The first line leaves none.")
        node = study.root if number == 1 else _at(walked, line.leaves, line.after)
        state, nodes, moves = states[id(node)], [node], line.moves.split()
        if not moves or line.after + len(moves) > LONGEST_LINE:
            raise InputError(f"Line {number} has {len(moves):,} moves; a line has 1 to {LONGEST_LINE:,} plies.")
        for ply, text in enumerate(moves, line.after + 1):
            try:
                move = game.read_move(state, text)
            except InputError as error:
                raise InputError(f"Ply {ply} of line {number}: {error}") from None
            child = StudyNode(game.move_text(state, move))
            if node.child(child.move) is not None:
                raise InputError(f"Ply {ply} of line {number}: {shown(text)} is already there.")
            state = play(game.rules, state, move)
            node.children.append(child)
            nodes.append(child)
            states[id(child)] = state
            node = child
        walked.append((line.after, nodes))
    return walked


def _at(walked: _Walked, line: int, ply: int) -> StudyNode:
    """The node after so many plies of a line, counted from the start of the study."""
    if not 1 <= line <= len(walked):
        raise InputError(f"There is no line {line} before that one.")
    after, nodes = walked[line - 1]
    if not after <= ply < after + len(nodes):
        raise InputError(f"Line {line} goes from ply {after} to {after + len(nodes) - 1}, not to {ply}.")
    return nodes[ply - after]


# JSON for people.


def _written(value: Any, indent: str, taken: int) -> str:
    """JSON on one line if it fits behind what the line has already, or has to; else one part on each line."""
    if not isinstance(value, dict | list | tuple) or not value:
        return _flat(value)
    flat = _flat(value)
    if len(indent) + taken + len(flat) <= WIDTH:
        return flat
    inner = indent + "  "
    if isinstance(value, list | tuple):
        parts = [_written(part, inner, 0) for part in value]
        opening, closing = "[]"
    else:
        parts = [_member(name, part, inner) for name, part in value.items()]
        opening, closing = "{}"
    return opening + ",".join(f"\n{inner}{part}" for part in parts) + f"\n{indent}{closing}"


def _member(name: str, value: Any, indent: str) -> str:
    """A name and its value."""
    key = f"{_flat(name)}: "
    if name in ROWS and isinstance(value, list | tuple) and value:
        rows = ",".join(f"\n{indent}  {_flat(part)}" for part in value)
        return f"{key}[{rows}\n{indent}]"
    return key + (_flat(value) if name in GROUPS else _written(value, indent, len(key)))


def _flat(value: Any) -> str:
    """JSON on one line, with spaces behind commas and colons."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()

"""Positions in files: PGN with games, EPD and FEN with a position on each line.

`games.pgn#3/24` is what a person writes for a position in a file: its name, and behind `#` which one. In a PGN that is a
game, a ply, a variation (see `positions.pgn`); in other files it is the number of the position, lines that are empty or
comments not counted. Without `#` it is the first game, at its end, or the first position.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from engines.contract import InputError, shown

if TYPE_CHECKING:
    from positions.pgn import GameEntry

SUFFIXES = (".pgn", ".epd", ".fen")
LARGEST_FILE = 100_000_000
COMMENTS = ("#", "%", ";", "//")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that would do things to a terminal."""

Detail = str | int | float | tuple[str, ...]


class Item(Struct, frozen=True, kw_only=True):
    """A game or a position in a file."""

    number: int
    """What to write behind `#` to choose it."""
    title: str
    details: dict[str, Detail]
    """Of a game `event`, `date`, `result`, `plies` and `start`; of a position `position` and its operations, or `error`."""


def find(text: str) -> str | None:
    """The notation of the chess position that a person chose in a file; None if the text does not name a file."""
    named = _named(text)
    if named is None:
        return None
    path, selector = named
    content = read_text(path)
    if _is_pgn(path, content):
        from positions import pgn

        game, variation, ply = pgn.read_selector("1" if selector is None else selector)
        return pgn.position_text(content, game, ply, variation)
    return _chosen(numbered_lines(content), "1" if selector is None else selector)


def is_named(text: str) -> bool:
    """The text is the name of a file with positions: it ends like one."""
    return text.lower().endswith(SUFFIXES)


def listing(path: str | Path) -> list[Item]:
    """What is in a file. Games are listed by their tags; positions are read, and one that cannot be says why."""
    content = read_text(Path(path))
    if _is_pgn(Path(path), content):
        from positions import pgn

        return [_game(entry) for entry in pgn.read_games(content)]
    return [_position(number, line) for number, (_, line) in enumerate(numbered_lines(content), 1)]


def _named(text: str) -> tuple[Path, str | None] | None:
    """The file, and the selector behind its name if there is one."""
    if text in ("", "-", "startpos"):
        return None
    name, mark, selector = text.rpartition("#")
    if mark and not _is_file(text):
        return (Path(name), selector) if _is_file_name(name) else None
    return (Path(text), None) if _is_file_name(text) else None


def _is_file_name(name: str) -> bool:
    return is_named(name) or _is_file(name)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # too long for a name, for one
        return False


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, UTF-16 with a byte order mark, or else Latin-1."""
    name = shown(str(path), 80)
    try:
        if path.is_dir():
            raise InputError(f"{name} is a directory, not a file.")
        if not path.exists():
            raise InputError(f"There is no file {name}.")
        if not path.is_file():
            raise InputError(f"{name} is not a file that can be read.")
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{name} is larger than {LARGEST_FILE // 1_000_000} MB, which is too large to read.")
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from None
    text = _decoded(content)
    if "\0" in text:
        raise InputError(f"{name} has NUL bytes in it, so it is not a text file.")
    if not text.strip():
        raise InputError(f"{name} is empty.")
    return _CONTROLS.sub("\ufffd", text)


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _is_pgn(path: Path, content: str) -> bool:
    suffix = path.suffix.lower()
    return suffix == ".pgn" or (suffix not in SUFFIXES and re.match(r"\s*(\[|\{|%|;|1\s*\.)", content) is not None)


# EPD and FEN.


def numbered_lines(content: str) -> list[tuple[int, str]]:
    """The lines that have positions, with their numbers in the file."""
    lines = ((number, line.strip()) for number, line in enumerate(re.split(r"\r\n?|\n", content), 1))
    found = [(number, line) for number, line in lines if line and not line.startswith(COMMENTS)]
    if not found:
        raise InputError("There is no position in this file.")
    return found


def _chosen(lines: list[tuple[int, str]], selector: str) -> str:
    if not re.fullmatch("[0-9]{1,9}", selector):
        raise InputError(f"A position in this file is chosen with #NUMBER, not with {shown('#' + selector)}.")
    number = int(selector)
    if not 1 <= number <= len(lines):
        count = f"are {len(lines)} positions" if len(lines) > 1 else "is 1 position"
        raise InputError(
            f"There {count} in this file, not {number}." if number else "Positions are counted from 1, not from 0."
        )
    row, line = lines[number - 1]
    try:
        return _notation(line)[0]
    except InputError as error:
        raise InputError(f"Position {number}, on line {row}: {error}") from None


def _notation(line: str) -> tuple[str, dict[str, Detail]]:
    """The notation of the position on a line, and its operations."""
    from engines.game import split_moves
    from engines.games.chess.fen import looks_like_epd, read_epd, read_fen, write_fen

    if looks_like_epd(line):
        board, operations = read_epd(line)
        return write_fen(board), dict(operations)
    start, moves = split_moves(line)
    notation = start if start == "startpos" else write_fen(read_fen(start))
    return f"{notation} moves {' '.join(moves)}" if moves else notation, {}


def _position(number: int, line: str) -> Item:
    try:
        notation, operations = _notation(line)
    except InputError as error:
        return Item(number=number, title="?", details={"error": str(error)})
    title = operations.pop("id", "") or notation
    return Item(number=number, title=str(title), details={"position": notation, **operations})


def _game(entry: GameEntry) -> Item:
    details: dict[str, Detail] = {name: getattr(entry, name) for name in ("event", "date", "result", "plies", "start")}
    return Item(number=entry.number, title=f"{entry.white} - {entry.black}", details=details)

"""Positions in files: PGN with games, EPD and FEN with a position on each line.

`games.pgn#3/24` is what a person writes for a position in a file: its name, and behind `#` which one. In a PGN that is a
game, a ply, a variation (see `positions.pgn`); in other files it is the number of the position, lines that are empty or
comments not counted. Without `#` it is the first game, at its end, or the first position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from engines.contract import InputError, shown
from positions.reading import check_file, lines_of

if TYPE_CHECKING:
    from positions.pgn import GameEntry

SUFFIXES = (".pgn", ".epd", ".fen")
LARGEST_FILE = 100_000_000
COMMENTS = ("#", "%", ";", "//")

Detail = str | int | float | tuple[str, ...]


class Item(Struct, frozen=True, kw_only=True):
    """A game or a position in a file."""

    number: int
    """What to write behind `#` to choose it."""
    title: str
    details: dict[str, Detail]
    """Of a game `event`, `date`, `result`, `plies` and `start`; of a position `position` and its operations, or `error` and
    its `line`."""


def find(text: str) -> str | None:
    """The notation of the chess position that the user chose in a file; None if the text does not name a file."""
    found = find_with_remarks(text)
    return None if found is None else found[0]


def find_with_remarks(text: str) -> tuple[str, Sequence[str]] | None:
    """The notation, and warnings about what could not be read: sentences that name the line."""
    named = _named(text)
    if named is None:
        return None
    path, selector = named
    if is_pgn(path):
        from positions import pgn

        game, variation, ply = pgn.read_selector("1" if selector is None else selector)
        tree = pgn.read_tree(lines_of(path), game)
        return pgn.line_of(tree, variation, ply).notation, tree.remarks
    return _chosen(lines_in(path), "1" if selector is None else selector), ()


def is_named(text: str) -> bool:
    """The text is the name of a file with positions: it ends like one."""
    return text.lower().endswith(SUFFIXES)


def listing(path: str | Path) -> Iterator[Item]:
    """What is in a file, one after the other, however large it is. Games are listed by their tags; positions are read, and
    one that cannot be says why."""
    path = Path(path)
    if is_pgn(path):
        from positions import pgn

        yield from (_game(entry) for entry in pgn.each_game(lines_of(path)))
    else:
        yield from (_position(number, row, line) for number, (row, line) in enumerate(lines_in(path), 1))


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
    """The text of a file that is read as a whole: in UTF-8, UTF-16 with a byte order mark, or else Latin-1."""
    try:
        check_file(path)
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(
                f"{shown(str(path), 80)} is larger than {LARGEST_FILE // 1_000_000} MB, which is too large to read."
            )
    except OSError as error:
        raise InputError(f"{shown(str(path), 80)} cannot be read: {error.strerror}.") from None
    return "".join(lines_of(path))


def is_pgn(path: Path) -> bool:
    """There are games in it, not positions: its name says so, or how it starts."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return suffix == ".pgn"
    first = next((line for line in lines_of(path) if line.strip() and not line.startswith(("%", ";", "#"))), "")
    return re.match(r"\s*(?:\[\s*[A-Za-z0-9]+\s+\"|\{|1\s*[.…])", first) is not None


# EPD and FEN.


def lines_in(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that have positions, with their numbers; an InputError if there is none."""
    return _with_positions(lines_of(path))


def numbered_lines(content: str) -> list[tuple[int, str]]:
    """The lines of a text that have positions, with their numbers."""
    return list(_with_positions(re.split(r"\r\n?|\n", content)))


def _with_positions(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    empty = True
    for number, line in enumerate(lines, 1):
        if (bare := line.strip()) and not bare.startswith(COMMENTS):
            empty = False
            yield number, bare
    if empty:
        raise InputError("There is no position in this file.")


def _chosen(lines: Iterable[tuple[int, str]], selector: str) -> str:
    if not re.fullmatch("[0-9]{1,9}", selector):
        raise InputError(f"A position in this file is chosen with #NUMBER, not with {shown('#' + selector)}.")
    wanted, count = int(selector), 0
    if not wanted:
        raise InputError("Positions are counted from 1, not from 0.")
    for count, (row, line) in enumerate(lines, 1):
        if count == wanted:
            try:
                return _notation(line)[0]
            except InputError as error:
                raise InputError(f"Position {wanted}, on line {row}: {error}") from None
    there = f"are {count} positions" if count > 1 else "is 1 position"
    raise InputError(f"There {there} in this file, not {wanted}.")


def _notation(line: str) -> tuple[str, dict[str, Detail]]:
    """The notation of the position on a line, and its operations."""
    from engines.games.chess.fen import looks_like_epd, read_epd, read_fen, write_fen
    from engines.notation import split_moves

    if looks_like_epd(line):
        board, operations = read_epd(line)
        return write_fen(board), dict(operations)
    start, moves = split_moves(line)
    notation = start if start == "startpos" else write_fen(read_fen(start))
    return f"{notation} moves {' '.join(moves)}" if moves else notation, {}


def skipped(problems: Sequence[tuple[int, str]], count: int, what: str = "line") -> str:
    """What is said of lines that could not be read: how many of how many, and the first of them with its number."""
    if not problems:
        return ""
    number, sentence = problems[0]
    place = f"{what} {number}"
    start, rest = sentence[: len(place)], sentence[len(place) :]
    says_where = start.lower() == place and rest.startswith((":", ","))
    return f"{len(problems):,} of {count:,} {what}s skipped; {place}{rest if says_where else f': {sentence}'}"


def _position(number: int, row: int, line: str) -> Item:
    try:
        notation, operations = _notation(line)
    except InputError as error:
        return Item(number=number, title=f"line {row}", details={"error": str(error), "line": row})
    title = operations.pop("id", "") or notation
    return Item(number=number, title=str(title), details={"position": notation, **operations})


def _game(entry: GameEntry) -> Item:
    details: dict[str, Detail] = {name: getattr(entry, name) for name in ("event", "date", "result", "plies", "start")}
    return Item(number=entry.number, title=f"{entry.white} - {entry.black}", details=details)

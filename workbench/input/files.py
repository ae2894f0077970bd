"""What is in a file that the user names: the games of a PGN, the positions of any game line by line, or one typed tree.

`positions.files` reads files of chess, as the command line does; here every game's are read. No screen is known here.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from engines import catalog
from engines.contract import InputError, shown
from engines.notation import CERTAIN, LIKELY
from engines.position import Position
from positions import files
from workbench.render.values import counted

if TYPE_CHECKING:
    from workbench.sessions.model import Study

LINES_TRIED = 20
"""The number of lines that are read to recognise the game of a file."""
LONGEST_TITLE = 200
PROOF = ".proof"
OWN = (PROOF, ".plybench", ".plybench.json", ".tape")
"""How the names of Plybench's own files end."""
MOST_SHOWN = 2_000
"""The most entries that a list shows; the others can be chosen by their number."""


@dataclass(frozen=True)
class FileItem:
    """A game or a position in a file."""

    title: str
    beside: str
    """A few more words for the list."""
    about: str
    read: Callable[[], Position]
    """Reads the position. Raises InputError if it is not valid."""
    proof: Path | None = None
    """The file, if it contains a proof; otherwise None."""
    own: Path | None = None
    """The file, if it is a session or a tape as a whole; otherwise None."""
    study: Callable[[], tuple[Study, Sequence[str]]] | None = None
    """For a PGN, reads the whole game at this position, and sentences about what could not be read."""
    line: int = 0
    """The line where it starts in a file of positions."""
    group: str = ""
    """The heading that it is listed under, if any."""


Reader = Callable[[str, str], Position]
"""Makes a position from a text and the name of a game."""


class Contents(list[FileItem]):
    """The entries of a file that were asked for, and the number of all entries."""

    total = 0


def named(text: str) -> tuple[Path, str] | None:
    """The file that a text names, if there is one, and what is chosen in it behind `#`; empty if nothing is. A file that is
    dropped on a terminal arrives in quotation marks, with backslashes or as a URL."""
    whole = text.strip()
    for plain in (whole, _unquoted(whole)):
        if (found := _named(plain)) is not None:
            return found
    return None


def _unquoted(text: str) -> str:
    """The name that a shell, or a browser, would read."""
    if text.startswith("file://"):
        return unquote(text.removeprefix("file://").removeprefix("localhost"))
    try:
        words = shlex.split(text, posix=True)
    except ValueError:  # a quotation mark that is never closed
        return text
    return words[0] if len(words) == 1 else text


def _named(whole: str) -> tuple[Path, str] | None:
    if is_file(whole):
        return expanded(whole), ""
    name, mark, selector = whole.rpartition("#")
    return (expanded(name), selector.strip()) if mark and is_file(name) else None


def is_file(name: str) -> bool:
    """Whether there is a file of this name."""
    try:
        return bool(name) and expanded(name).is_file()
    except (OSError, ValueError):  # too long for a name, or no name at all
        return False


def missing(text: str) -> str:
    """What is wrong with a text that looks like the name of a file but is none; empty if it does not look like one."""
    whole = _unquoted(text.strip())
    name = whole.rpartition("#")[0] or whole
    try:
        if "/" in name and expanded(name).is_dir():
            return f"{shown(name, 80)} is a directory, not a file; ctrl+f looks into it."
    except (OSError, ValueError):
        return ""
    return f"There is no file {shown(name, 80)}." if files.is_named(name) or name.lower().endswith(OWN) else ""


def expanded(name: str) -> Path:
    """A path with `~` replaced."""
    path = Path(name)
    try:
        return path.expanduser()
    except RuntimeError:  # there is no such user: the ~ is part of the name
        return path


def has_games(path: Path) -> bool:
    """Whether the file is a PGN."""
    return path.suffix.lower() != PROOF and files.is_pgn(path)


def contents(path: Path, selector: str, game: str, most: int = MOST_SHOWN, read: Reader = catalog.position) -> Contents:
    """What is in a file, or what is chosen in it. Where several games could read it, `game` is the first to try.

    An InputError says why there is nothing, or why nothing there can be read.
    """
    if path.suffix.lower() == PROOF:
        return _all(_proof(path), most)
    if has_games(path):
        return _all(_games(path, selector), most)
    return _all(_positions(path, files.read_text(path), selector, game, read), most)


def _all(rows: Iterable[FileItem], most: int) -> Contents:
    """The first entries of a list, and the number of all."""
    found = Contents()
    for found.total, row in enumerate(rows, 1):
        if len(found) < most:
            found.append(row)
    return found


def _proof(path: Path) -> list[FileItem]:
    from engines.proofs.document import Proof

    proof = Proof.load(path)
    about = f"a proof of {counted(len(proof), 'position')}, by {proof.made_by}; it is checked when opened"
    return [FileItem(proof.sentence(), proof.position.game.id, about, lambda: proof.position, path)]


def _games(path: Path, selector: str) -> Iterator[FileItem]:
    from positions import pgn
    from positions.reading import lines_of

    def study(game: int, variation: pgn.VariationPath = (), ply: int | None = None) -> tuple[Study, Sequence[str]]:
        from workbench.sessions.pgn import study_at

        tree = pgn.read_tree(lines_of(path), game)
        return study_at(tree, pgn.line_so_far(tree, variation, ply)), tree.remarks

    def row(title: str, beside: str, about: str, place: Callable[[], tuple[Study, Sequence[str]]]) -> FileItem:
        return FileItem(title, beside, about, lambda: place()[0].position(), study=place)

    if selector:
        yield row(f"{path.name}#{selector}", catalog.pgn_game(), "", partial(study, *pgn.read_selector(selector)))
        return
    for entry in pgn.each_game(lines_of(path)):
        about = f"{entry.event}\ngame {entry.number} of {path.name}, {counted(entry.plies, 'ply')}: at its end"
        title, beside = f"{entry.white} - {entry.black}", f"{entry.result} {entry.date}"
        yield row(title, beside, about, partial(study, entry.number))


def _positions(path: Path, text: str, selector: str, game: str, read: Reader) -> list[FileItem]:
    numbered = files.numbered_lines(text)
    kind, boards = _boards(numbered)
    if boards:
        found = [
            FileItem(f"board {number}", kind, f"board {number} of {path.name}", partial(read, board, kind), line=row)
            for number, (row, board) in enumerate(boards, 1)
        ]
        return [found[_number(path, selector, len(found)) - 1]] if selector else found
    whole = _whole([line for _, line in numbered], game, read)
    if whole is not None:
        about = f"a position ({whole.game.title})"
        return [FileItem(path.name, whole.game.id, about, lambda: whole, line=numbered[0][0])]
    is_fen = path.suffix.lower() in files.SUFFIXES
    kind = catalog.pgn_game() if is_fen else _game_of(path, numbered, game, read)
    first = 1
    if selector:
        first = _number(path, selector, len(numbered))
        numbered = [numbered[first - 1]]
    return [_line(path, number, row, line, kind, read) for number, (row, line) in enumerate(numbered, first)]


def _number(path: Path, selector: str, count: int) -> int:
    """The index, among `count` positions, that a selector chooses."""
    if not re.fullmatch("[0-9]{1,9}", selector) or not 1 <= int(selector) <= count:
        raise InputError(f"A position in {path.name} is chosen with #1 to #{count}, not with {shown('#' + selector)}.")
    return int(selector)


def _boards(numbered: list[tuple[int, str]]) -> tuple[str, list[tuple[int, str]]]:
    """The game whose boards, one or more, stand there with their rows on lines of their own, and with each board its first
    line; no boards if the lines are something else."""
    rows = [line for _, line in numbered]
    kinds = [name for name in catalog.GAMES if any(all(map(form.fullmatch, rows)) for form in catalog.game(name).board_rows)]
    if len(rows) < 2 or not kinds:
        return "", []
    boards: list[tuple[int, list[str]]] = []
    for before, (number, row) in zip([-1, *(number for number, _ in numbered)], numbered, strict=False):
        if number != before + 1 or not boards:  # there is something else between them
            boards.append((number, []))
        boards[-1][1].append(row)
    return kinds[0], [(first, "\n".join(board)) for first, board in boards]


def _line(path: Path, number: int, row: int, line: str, game: str, read: Reader) -> FileItem:
    title = line[:LONGEST_TITLE]
    if found := re.search(r'\bid\s+"([^"]*)"', line):
        title = found[1][:LONGEST_TITLE] or title
    about = f"position {number} of {path.name}"
    return FileItem(title, game, about, partial(_read_line, row, line, game, read), line=row)


def _read_line(row: int, line: str, game: str, read: Reader) -> Position:
    """The position on a line. Raises InputError with the number of the line if there is none."""
    try:
        return read(line, game)
    except InputError as error:
        raise InputError(f"Line {row}: {error}") from None


def _whole(lines: list[str], game: str, read: Reader) -> Position | None:
    """The one position that all lines are together: a graph, a tree, or a board of X, O and dots drawn row by row."""
    kinds = {name: catalog.game(name) for name in sorted(catalog.GAMES, key=lambda name: name != game)}
    for name, kind in kinds.items():
        if kind.resembles("\n".join(lines)) >= CERTAIN:
            return read("\n".join(lines), name)
    for name in (name for name, kind in kinds.items() if kind.spans(lines)):
        try:
            return read("\n".join(lines), name)
        except InputError:
            continue
    return None


def _game_of(path: Path, numbered: list[tuple[int, str]], game: str, read: Reader) -> str:
    """The game whose notation most of the first lines are."""
    counts: dict[str, int] = {}
    problem = ""
    for name in dict.fromkeys([game, *catalog.GAMES]):
        counts[name] = 0
        for row, line in numbered[:LINES_TRIED]:
            if not _may_be(line, name):
                continue
            try:
                read(line, name)
                counts[name] += 1
            except InputError as error:
                problem = problem or f"line {row} as a position of {catalog.game(name).title}: {error}"
    best = max(counts, key=lambda name: counts[name])
    if not counts[best]:
        raise InputError(f"Nothing in {shown(path.name, 80)} can be read by any game; {problem}")
    return best


def _may_be(line: str, game: str) -> bool:
    """Whether a line is worth trying as a position of a game. A bare number is valid in nearly every game, but means
    columns."""
    kinds = {name: catalog.game(name) for name in catalog.GAMES}
    if any(kind.spans([line]) for kind in kinds.values()):
        return kinds[game].spans([line])
    if line.isdecimal() and any(kind.resembles(line) >= LIKELY for kind in kinds.values()):
        return kinds[game].resembles(line) >= LIKELY
    return not kinds[game].is_typed_by_hand

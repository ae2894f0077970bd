"""Test suites: files with positions on lines and what is right in each.

In an EPD file the operations `bm` and `am` name the best moves, or moves to be avoided, `dm` the moves to mate; points for
moves stand in a comment, `c0 "e4=10, d4=5"`, or in two, `c7 "e4 d4"; c8 "10 5"`, as in the Strategic Test Suite. Behind a
position of any game there may be counts instead, `;D1 20 ;D2 400`: so many games of one ply, of two. In another kind a line
is a position and its exact score, as in Pascal Pons' files for Connect 4: `2252576253462244111563365343671351441 -1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from engines import catalog
from engines.contract import MAX_DEPTH, InputError, Setting, shown
from engines.position import Position
from positions.files import numbered_lines, read_text, skipped

_SCORED = re.compile(r"(?P<position>\S+)\s+(?P<score>[+-]?[0-9]{1,4})")
_COUNTED = re.compile(r"(?P<position>[^;]+?)\s*(?P<counts>(?:;\s*D[0-9]{1,3}\s+[0-9]{1,18}\s*)+);?\s*")
_POINTS = re.compile(r"(?P<move>[^\s,]+?)\s*=\s*(?P<points>[0-9]{1,6})")
"""`e4=10`; a pawn that is promoted is `e8=Q=10`."""


class Case(Struct, frozen=True, kw_only=True):
    """A position and what is right there: `best`, not `avoid`, the `score`, a `mate`, `points` or `counts`."""

    number: int
    """Counted from 1 in the file, empty lines and comments left out."""
    line: int
    id: str
    position: Position
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    score: int | None = None
    """For the side to move: 0 is a draw, +n a win with the last stone but n - 1 of the own ones, -n a loss like that; in a
    game that does not count the plies left, a win or a loss in n plies."""
    mate: int | None = None
    """The side to move gives mate in so many moves."""
    points: dict[str, int] = {}
    """What moves are worth."""
    counts: dict[int, int] = {}
    """How many games of so many plies there are."""


def game_of(path: Path) -> str:
    """The game that the first line of a suite is of: a position and its score are of the first game with such suites that
    can read the position, all else is of the game that has EPD."""
    _, first = numbered_lines(read_text(path))[0]
    match = _SCORED.fullmatch(first)
    if match is None:
        return catalog.pgn_game()
    scored = [name for name in catalog.GAMES if catalog.game(name).has_scored_suites]
    return next((name for name in scored if _can_read(match["position"], name)), scored[0])


def _can_read(text: str, game: str) -> bool:
    try:
        catalog.position(text, game)
    except InputError:
        return False
    return True


def counts_games(path: Path) -> bool:
    """The first line of a suite has counts."""
    return _COUNTED.fullmatch(numbered_lines(read_text(path))[0][1]) is not None


def read_suite(
    path: Path,
    game: str,
    size: str | None = None,
    settings: dict[str, str] | None = None,
    most: int | None = None,
    answered: bool = True,
    tell: Callable[[str], None] = lambda sentence: None,
) -> list[Case]:
    """The first `most` cases of a file, or all. Lines that cannot be read are skipped, and `tell` is told how many and why;
    an InputError that names the line if none can. If they need not be `answered`, a line may also be a position and nothing
    else, of any game."""
    kind = catalog.game(game)
    found: list[Case] = []
    problems: list[tuple[int, str]] = []
    for number, (line, text) in enumerate(numbered_lines(read_text(path))[:most], 1):
        try:
            if counted := _COUNTED.fullmatch(text):
                found.append(_read_counted(number, line, counted, game, size, settings or {}))
            elif kind.has_pgn:
                found.append(_read_epd(number, line, text, game, size, settings or {}, answered))
            elif answered or (kind.has_scored_suites and _SCORED.fullmatch(text)):
                found.append(_read_scored(number, line, text, game, size, settings or {}))
            else:
                found.append(_read_bare(number, line, text, game, size, settings or {}))
        except InputError as error:
            problems.append((line, str(error)))
    if problems and not found:
        line, problem = problems[0]
        raise InputError(f"{shown(str(path), 80)}, line {line}: {problem}")
    if problems:
        tell(skipped(problems, len(problems) + len(found)))
    return found


def _read_bare(number: int, line: int, text: str, game: str, size: str | None, settings: dict[str, str]) -> Case:
    """A position, of which nothing is said."""
    return Case(number=number, line=line, id=str(number), position=catalog.position(text, game, size, settings))


def _read_epd(
    number: int, line: int, text: str, game: str, size: str | None, settings: dict[str, str], answered: bool = True
) -> Case:
    from engines.games.chess.fen import read_epd, write_fen

    if _SCORED.fullmatch(text):
        raise InputError(f"{shown(text)} is not an EPD.")
    board, operations = read_epd(text)
    best, avoid = _moves(operations.get("bm")), _moves(operations.get("am"))
    mate, points = _mate(operations.get("dm")), _points(operations)
    if answered and not (best or avoid or mate or points):
        raise InputError(
            "The EPD names neither best moves (bm) nor moves to avoid (am), nor a mate (dm) or points for moves (c0)."
        )
    position = catalog.position(write_fen(board), game, size, settings)
    return Case(
        number=number,
        line=line,
        id=str(operations.get("id", number)),
        position=position,
        best=tuple(_as_written(position, move) for move in best),
        avoid=tuple(_as_written(position, move) for move in avoid),
        mate=mate,
        points={_as_written(position, move): worth for move, worth in points},
    )


def _mate(value: tuple[str, ...] | Setting | None) -> int | None:
    if value is not None and (not isinstance(value, int) or not 1 <= value <= MAX_DEPTH // 2):
        raise InputError(f"dm: The moves to mate are a number from 1 to {MAX_DEPTH // 2}, not {shown(str(value))}.")
    return value


def _points(operations: Mapping[str, tuple[str, ...] | Setting]) -> list[tuple[str, int]]:
    """Moves and what they are worth. A comment that says anything else is just a comment."""
    pairs = [_POINTS.fullmatch(part.strip()) for part in str(operations.get("c0", "")).split(",")]
    found = [(pair["move"], int(pair["points"])) for pair in pairs if pair is not None]
    if len(found) == len(pairs):
        return found
    moves, worths = str(operations.get("c7", "")).split(), str(operations.get("c8", "")).split()
    if moves and len(moves) == len(worths) and all(worth.isdecimal() and len(worth) < 7 for worth in worths):
        return list(zip(moves, map(int, worths), strict=True))
    return []


def _moves(value: tuple[str, ...] | Setting | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _read_counted(
    number: int, line: int, match: re.Match[str], game: str, size: str | None, settings: dict[str, str]
) -> Case:
    counts = {int(depth): int(leaves) for depth, leaves in re.findall(r"D([0-9]+)\s+([0-9]+)", match["counts"])}
    if max(counts) > MAX_DEPTH:
        raise InputError(f"Games are counted up to {MAX_DEPTH} plies, not {max(counts)}.")
    position = catalog.position(match["position"], game, size, settings)
    return Case(number=number, line=line, id=match["position"], position=position, counts=counts)


def _as_written(position: Position, text: str) -> str:
    """A move in the form in which reports have it."""
    game, state = position.game, position.state
    return game.move_text(state, game.read_move(state, text))


def _read_scored(number: int, line: int, text: str, game: str, size: str | None, settings: dict[str, str]) -> Case:
    match = _SCORED.fullmatch(text)
    if match is None:
        raise InputError(f"A line is a position and its score, such as '4453 2', not {shown(text)}.")
    position = catalog.position(match["position"], game, size, settings)
    if position.is_over:
        raise InputError(f"The game is over in {shown(match['position'])}.")
    return Case(number=number, line=line, id=match["position"], position=position, score=int(match["score"]))

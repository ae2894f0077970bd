"""Games of one player: the total score of nested search and NRPA on the standard boards of SameGame, and lines of Morpion.

The 20 boards are not part of Plybench: they are read from `samegame20.txt` in the directory that `PLYBENCH_SUITES` names.
Without it random boards are used, for which no totals are published. Every game that counts is replayed by the naive rules
of the tests, which share no code with the kernels; a disagreement is an error.

Nested search is measured by the search: one game of the top level in each thread, whatever time it takes (repeating level 1
is another, and a good, method). NRPA has a time limit for each board, and runs once on Morpion. By default a few boards are
used; with `PLYBENCH_LONG=1` all of them, and 20 minutes for Morpion. `PLYBENCH_SECONDS` sets the seconds for each board (ten
times as many for Morpion). Up to two cores run independent searches, of which the best game counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.printing import tell
from benchmarks.rows import Row, Target
from engines import catalog
from engines.contract import Limit, Report, Setting
from engines.position import Position
from engines.run.search import Search
from tests.naive import games as naive
from tests.naive.one_player import Morpion, SameGame

FILE = "samegame20.txt"
BOARDS, QUICK_BOARDS = 20, 3
NESTED: dict[str, tuple[dict[str, Setting], int | None, int | None]] = {
    "nested level 1": ({"level": 1}, None, None),
    "nested level 2 without memory": ({"level": 2, "memory": False}, 44_731, None),
    "nested level 2": ({"level": 2}, 65_937, 60_000),
}
"""The parameters, the published total for the 20 boards, and the target."""
NRPA_TOTAL = 80_030
LINES, RECORD, WANTED = "Morpion 5D, NRPA", 82, 70
"""For Morpion: the highest known number of lines, and the target. The best by hand is 68."""
SECONDS = {"nrpa": (5.0, 180.0), "morpion": (20.0, 1200.0)}
"""The seconds for each board: by default, and in a long run."""


def measure(quick: bool) -> Iterator[Row]:
    """Measure all methods on the boards, then Morpion."""
    long = bool(os.environ.get("PLYBENCH_LONG")) and not quick
    boards = standard_boards() or [dealt(number) for number in range(1, BOARDS + 1)]
    published = standard_boards() is not None
    boards = boards if long else boards[:QUICK_BOARDS]
    for name, (parameters, total, wanted) in NESTED.items():
        yield samegame(name, "nested", boards, parameters, None, *((total, wanted) if published else ()))
    parameters = {"level": 3 if long else 2}
    yield samegame("NRPA", "nrpa", boards, parameters, seconds("nrpa", long), *((NRPA_TOTAL,) if published else ()))
    yield morpion(seconds("morpion", long), long)


def seconds(method: str, long: bool) -> float:
    """The seconds for each board."""
    if given := os.environ.get("PLYBENCH_SECONDS"):
        return float(given) * (10 if method == "morpion" else 1)
    return SECONDS[method][long]


def threads() -> int:
    """The number of parallel searches."""
    return min(2, os.cpu_count() or 1)


def standard_boards() -> list[Position] | None:
    """The boards of the suite; None if its file is not available."""
    path = Path(os.environ.get("PLYBENCH_SUITES", "")) / FILE
    if not path.is_file():
        return None
    blocks = path.read_text().split("#")[1:]
    return [catalog.position(block.partition("\n")[2].strip(), "samegame") for block in blocks]


def dealt(number: int) -> Position:
    """A random board, by its number."""
    return catalog.position(f"deal {number}", "samegame")


def samegame(
    name: str,
    algorithm: str,
    boards: list[Position],
    parameters: Mapping[str, Setting],
    limit: float | None,
    published: int | None = None,
    wanted: int | None = None,
) -> Row:
    """The sum of the best scores on all boards."""
    reports = []
    for number, board in enumerate(boards, 1):
        found = search(board, algorithm, parameters, limit)
        check(SameGame.read(board.game.board_text(board.state).split("/")), found)
        reports.append(found)
        tell(f"{name}, board {number}: {found.value:.0f}, {found.playouts:,} playouts, {levels_text(found)}")
    total, whole = sum(int(found.value or 0) for found in reports), len(boards) == BOARDS
    mean = sum(found.levels[-1].mean for found in reports) / len(reports)
    games, took = sum(found.playouts or 0 for found in reports), sum(found.seconds for found in reports)
    top = reports[0].levels[-1].level
    given = f"{limit:g} s each" if limit else "one search in each thread"
    return Row(
        task=f"SameGame, {len(boards)} boards, {given}: {name}",
        ours=total,
        unit="points",
        peer="published" if published and whole else None,
        theirs=published if whole else None,
        result=total,
        result_unit="points",
        target=Target(at_least=wanted) if wanted and whole else None,
        note=f"{threads()} threads, {games:,} playouts in {took:.0f} s; a search of level {top} found {mean:.0f} on average",
    )


def morpion(limit: float, long: bool) -> Row:
    """The most lines that NRPA draws in one run."""
    start = catalog.position("startpos", "morpion", "5D")
    found = search(start, "nrpa", {"level": 4 if long else 3}, limit)
    check(Morpion.start(), found)
    tell(f"{LINES}: {' '.join(found.pv)}")
    when = next(row.iterations for row in found.depths if row.value == found.value)
    return Row(
        task=f"{LINES}, {limit:g} s",
        ours=found.value,
        unit="lines",
        peer="the record",
        theirs=RECORD,
        result=found.value,
        result_unit="lines",
        target=Target(at_least=WANTED),
        note=f"{threads()} threads, {found.playouts:,} playouts, found after {when:,}; {levels_text(found)}",
    )


def search(position: Position, algorithm: str, parameters: Mapping[str, Setting], limit: float | None) -> Report:
    """One search for so many seconds, or to its own end without a limit."""
    chosen = {**parameters, "threads": threads()}
    return Search(position, catalog.algorithm(algorithm), Limit(seconds=limit), chosen).start().report()


def levels_text(found: Report) -> str:
    """The results of each level, as text."""
    return ", ".join(f"level {row.level}: {row.searches:,} of {row.mean:.1f}" for row in found.levels)


def check(oracle: naive.Naive, found: Report) -> None:
    """Replay a game by the naive rules. Raises an error if a move is illegal, or if the score differs."""
    for move in found.pv:
        oracle = oracle.play(move)
    if oracle.result() != found.value:
        raise RuntimeError(f"{found.algorithm} says {found.value}, but its game is worth {oracle.result()}: {found.pv}")

"""Two hard positions of Connect 4 solved exactly, in seconds of processor time, compared with BitBully. The table has 256
MB."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.peers import bitbully
from benchmarks.rows import Row, times_faster
from benchmarks.timing import best_in_turn
from engines import catalog
from engines.contract import Limit
from engines.rules import WIN
from engines.run.run import Run
from engines.run.work import new_work
from engines.tape.tape import NoTape

HARD = {"35333571": (-3, 30), "13333111": (0, None)}
"""Positions, their scores for the side to move as BitBully counts them, and the plies to the end of a won or lost game."""
AT_LEAST = 1 / 1.5
"""The least ratio of BitBully's time to Plybench's: Plybench may take 1.5 times as long."""


def measure(quick: bool) -> Iterator[Row]:
    """A row for each position."""
    solve("connect4", "444444")  # compiles
    for columns, (score, plies) in HARD.items():
        yield beside_bitbully(f"Connect 4 `{columns}`, exact", columns, score, plies, AT_LEAST, 1 if quick else 3)


def solve(game: str, text: str, size: str | None = None) -> tuple[int, int | None, int]:
    """The sign of a position's value for the side to move, the plies to the end of a won or lost game, and the nodes."""
    algorithm, position = catalog.algorithm("solver"), catalog.position(text or "startpos", game, size)
    parameters = catalog.read_settings(algorithm.parameters, {}, game)
    run = Run(position=position, limit=Limit(), parameters=parameters, work=new_work(), tape=NoTape())
    found = algorithm.search(run).best.value
    assert found is not None
    value = int(found)
    return (value > 0) - (value < 0), WIN - abs(value) if value else None, int(run.work.nodes)


def beside_bitbully(task: str, columns: str, score: int, plies: int | None, at_least: float, rounds: int) -> Row:
    """How much quicker than BitBully a position is solved. Both must find the known result."""
    nodes = 0

    def here() -> None:
        nonlocal nodes
        sign, distance, nodes = solve("connect4", columns)
        if (sign, distance) != ((score > 0) - (score < 0), plies):
            raise AssertionError(f"{columns} ends after {plies} plies, not {distance}.")

    def there() -> None:
        if (found := bitbully.score(columns)) != score:
            raise AssertionError(f"{columns} is worth {score}, but BitBully says {found}.")

    if bitbully.is_installed():
        ours, theirs = best_in_turn(rounds, here, there)
        return times_faster(task, "s", ours, bitbully.NAME, theirs, at_least, f"{nodes:,} nodes")
    ours = best_in_turn(rounds, here)[0]
    return times_faster(task, "s", ours, bitbully.NAME, None, at_least, f"{nodes:,} nodes")

"""Games solved exactly, in seconds of processor time.

Two hard positions of Connect 4 are measured beside BitBully. With `PLYBENCH_LONG=1` in the environment whole games are
solved as well: Connect 4 from the empty board, with no opening book, beside BitBully (which takes five minutes or more);
other sizes; and small boards of Breakthrough. The table has 256 MB.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchmarks import bitbully
from benchmarks.rows import Row, Target, times_faster
from benchmarks.timing import best_in_turn
from engines import catalog
from engines.algorithm import Run
from engines.contract import Limit
from engines.parts.tape import NoTape
from engines.parts.work import new_work
from engines.rules import WIN

HARD = {"35333571": (-3, 30), "13333111": (0, None)}
"""Positions, their scores for the side to move as BitBully counts them, and the plies to the end of a won or lost game."""
WHOLE = {"": (1, 41)}
AT_LEAST = 1 / 1.5
"""How many times as quick as BitBully Plybench must be: it may take 1.5 times as long,"""
WHOLE_AT_LEAST = 1 / 2
"""and twice as long for the whole game."""
OTHERS = {
    ("connect4", "6x6"): -36,
    ("connect4", "8x5"): 39,
    ("breakthrough", "5x5"): -26,
    ("breakthrough", "6x4"): 31,
}
"""On which ply the first player wins, or with a minus the second."""
OTHERS_BELOW = 600
"""Seconds."""


def measure(quick: bool) -> Iterator[Row]:
    """The two positions; and whole games if they are asked for."""
    solve("connect4", "444444")  # compiled
    for columns, (score, plies) in HARD.items():
        yield beside_bitbully(f"Connect 4 `{columns}`, exact", columns, score, plies, AT_LEAST, 1 if quick else 3)
    if os.environ.get("PLYBENCH_LONG"):
        for columns, (score, plies) in WHOLE.items():
            yield beside_bitbully("Connect 4, empty board, exact", columns, score, plies, WHOLE_AT_LEAST, 1)
        for (game, size), plies in OTHERS.items():
            solve(game, "startpos", "4x4")  # compiled
            yield alone(game, size, plies)


def solve(game: str, text: str, size: str | None = None) -> tuple[int, int | None, int]:
    """The sign of a position's value for the side to move, the plies to the end of a won or lost game, and nodes."""
    algorithm, position = catalog.algorithm("solver"), catalog.position(text or "startpos", game, size)
    parameters = catalog.read_settings(algorithm.parameters, {}, game)
    run = Run(position=position, limit=Limit(), parameters=parameters, work=new_work(), tape=NoTape())
    value = algorithm.search(run).best.value
    assert value is not None
    return (value > 0) - (value < 0), WIN - abs(value) if value else None, int(run.work.nodes)


def beside_bitbully(task: str, columns: str, score: int, plies: int | None, at_least: float, rounds: int) -> Row:
    """How much quicker than BitBully a position is solved; both must find what is known of it."""
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


def alone(game: str, size: str, plies: int) -> Row:
    """The processor time in which a whole game is solved."""
    nodes = 0

    def here() -> None:
        nonlocal nodes
        sign, distance, nodes = solve(game, "startpos", size)
        if (sign, distance) != (1 if plies > 0 else -1, abs(plies)):
            raise AssertionError(f"{game} {size} ends on ply {abs(plies)}, not {distance}.")

    seconds = best_in_turn(1, here)[0]
    winner = "first" if plies > 0 else "second"
    return Row(
        task=f"{game} {size}, from the start",
        ours=seconds,
        unit="s",
        result=seconds,
        result_unit="s",
        target=Target(below=OTHERS_BELOW),
        note=f"the {winner} player wins on ply {abs(plies)}; {nodes:,} nodes",
    )

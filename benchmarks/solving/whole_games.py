"""Whole games solved exactly, in seconds of processor time: Connect 4 from the empty board without an opening book, compared
with BitBully (which takes five minutes or more); other sizes; and small boards of Breakthrough. The table has 256 MB."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.rows import Row, Target
from benchmarks.solving.solver import beside_bitbully, solve
from benchmarks.timing import best_in_turn

SCORE, PLIES = 1, 41
"""The score of the empty board, as BitBully counts it, and the plies to the end of the game."""
AT_LEAST = 1 / 2
"""The least ratio of BitBully's time to Plybench's: Plybench may take twice as long."""
OTHERS = {
    ("connect4", "6x6"): -36,
    ("connect4", "8x5"): 39,
    ("breakthrough", "5x5"): -26,
    ("breakthrough", "6x4"): 31,
}
"""The ply on which the first player wins; negative if the second wins."""
OTHERS_BELOW = 600
"""The time limit for these, in seconds."""


def measure(quick: bool) -> Iterator[Row]:
    """Measure the empty board against BitBully, then the others."""
    solve("connect4", "444444")  # compiles
    yield beside_bitbully("Connect 4, empty board, exact", "", SCORE, PLIES, AT_LEAST, 1)
    for (game, size), plies in OTHERS.items():
        solve(game, "startpos", "4x4")  # compiles
        yield alone(game, size, plies)


def alone(game: str, size: str, plies: int) -> Row:
    """The processor time to solve a whole game."""
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

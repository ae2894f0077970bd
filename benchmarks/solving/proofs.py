"""Df-pn: nodes per second of processor time, and with `PLYBENCH_LONG=1` whole boards proven with 512 MB.

A node is a position that a move has led to: its result, the game's own knowledge and the table were checked. A position that
is reached again counts again, as in any other search.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchmarks.rows import Row, Target
from benchmarks.timing import best_in_turn
from engines import catalog
from engines.contract import Limit
from engines.rules import WIN
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.search import Search
from engines.run.work import new_work
from engines.tape.tape import NoTape

AT_LEAST = 2_000_000
NODES = 20_000_000
MEGABYTES = 512
WHOLE = {
    ("breakthrough", "5x4"): -1,
    ("breakthrough", "5x5"): -1,
    ("breakthrough", "6x3"): 1,
    ("breakthrough", "6x4"): 1,
    ("connect4", "4x4"): 0,
    ("connect4", "5x5"): 0,
    ("connect4", "6x4"): -1,
    ("connect4", "8x4"): -1,
    ("connect4", "6x6"): -1,
}
"""The winner: 1 for the first player, -1 for the second, 0 for a draw."""
FIRST_MOVES = ("a2a3", "a2b3", "b2a3", "b2b3", "b2c3")
"""First moves of Breakthrough 6x4; the other five are their mirror images. All win for the first player."""
OPEN_BOARD, OPEN_MEGABYTES = "6x5", 4096
"""A Breakthrough board that is not solved here: it is tried for `PLYBENCH_SECONDS`, and the outcome is printed."""
BELOW = 900
"""The time limit in seconds."""


def measure(quick: bool) -> Iterator[Row]:
    """Measure the speed on two games, then the boards."""
    for game, knowledge in (("connect4", True), ("connect4", False), ("breakthrough", True), ("breakthrough", False)):
        run(game, "4x4", 1000, knowledge)  # compiles
        yield speed(game, knowledge, 1 if quick else 3)
    for (game, size), winner in WHOLE.items() if os.environ.get("PLYBENCH_LONG") else ():
        yield board(game, size, winner)
    for move in FIRST_MOVES if os.environ.get("PLYBENCH_LONG") else ():
        yield board("breakthrough", "6x4", 1, move)
    if seconds := float(os.environ.get("PLYBENCH_SECONDS", "0")):
        yield attempt(seconds)


def run(game: str, size: str | None, nodes: int, knowledge: bool = True, move: str = "") -> tuple[SearchResult, int]:
    """A search from the start of a game, or from the position after a first move. Returns the result and its nodes."""
    text = f"startpos moves {move}" if move else "startpos"
    algorithm, position = catalog.algorithm("dfpn"), catalog.position(text, game, size)
    parameters = catalog.read_settings(algorithm.parameters, {}, game)
    parameters |= {"table": MEGABYTES, "knowledge": knowledge}
    work = new_work()
    work.budget = nodes
    task = Run(position=position, limit=Limit(nodes=nodes), parameters=parameters, work=work, tape=NoTape())
    return algorithm.search(task), int(work.nodes)


def speed(game: str, knowledge: bool, rounds: int) -> Row:
    """Nodes per second from the start position, which is not solved in that time."""
    nodes = 0

    def here() -> None:
        nonlocal nodes
        nodes = run(game, None, NODES, knowledge)[1]

    rate = best_in_turn(rounds, here)[0]
    rate = nodes / rate
    what = "with what the game knows" if knowledge else "rules alone"
    return Row(
        task=f"df-pn on {game}, {what}",
        ours=rate,
        unit="nodes/s",
        result=rate,
        result_unit="nodes/s",
        target=Target(at_least=AT_LEAST),
        note=f"{nodes:,} nodes, {MEGABYTES} MB",
    )


def board(game: str, size: str, winner: int, move: str = "") -> Row:
    """The processor time to prove a whole board, or the position after a first move."""
    nodes = 0

    def here() -> None:
        nonlocal nodes
        found, nodes = run(game, size, 2**61, move=move)
        value = found.best.value
        if value is None or (-value if move else value) != winner * WIN:  # values are from the view of the side to move
            raise AssertionError(f"{game} {size} is not what it is known to be.")

    seconds = best_in_turn(1, here)[0]
    names = {1: "the first player wins", -1: "the second player wins", 0: "a draw"}
    return Row(
        task=f"{game} {size}{f' after {move}' if move else ''} proven by df-pn",
        ours=seconds,
        unit="s",
        result=seconds,
        result_unit="s",
        target=Target(below=BELOW),
        note=f"{names[winner]}; {nodes:,} nodes, {MEGABYTES} MB",
    )


def attempt(seconds: float) -> Row:
    """Try to prove the unsolved board for so many seconds."""
    position = catalog.position("startpos", "breakthrough", OPEN_BOARD)
    parameters = {"table": OPEN_MEGABYTES}
    report = Search(position, catalog.algorithm("dfpn"), Limit(seconds=seconds), parameters).start().report()
    last = report.depths[-1] if report.depths else None
    numbers = f"proof number {last.proof:,}, disproof number {last.disproof:,}" if last else "no numbers yet"
    return Row(
        task=f"breakthrough {OPEN_BOARD} tried by df-pn",
        ours=report.seconds,
        unit="s",
        result=report.seconds,
        result_unit="s",
        note=f"{report.outcome or 'not solved'}; {report.nodes:,} nodes, {numbers}, {OPEN_MEGABYTES} MB",
    )

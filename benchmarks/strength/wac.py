"""Win at Chess: how many of its 300 positions are solved in a second each, on one core.

The suite is not part of Plybench: it is read from `wac.epd` in the directory that `PLYBENCH_SUITES` names. Plybench searches
as `plybench suite` does. The peers are told to stop when the second is over, and may answer late.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import sleep

import chess

from benchmarks.peers.uci_engines import GNU_CHESS, SUNFISH, Program, given_up_after
from benchmarks.printing import tell
from benchmarks.rows import Row, Target, not_measured
from engines.contract import Limit
from positions.suites import Case
from workbench.suites.job import Suite, is_right

FILE = "wac.epd"
PEERS = (GNU_CHESS, SUNFISH)
SECONDS = 1.0
QUICK_POSITIONS = 30
POSITIONS, SOLVED, AIM = 300, 250, 285
"""The number of positions, how many must be solved, and how many should be."""
TOLD_EVERY = 25
"""The number of positions between two progress messages."""


def measure(quick: bool) -> Iterator[Row]:
    """Run the suite, or in a quick run its beginning, which is too short for a verdict."""
    yield from compare(SECONDS, QUICK_POSITIONS if quick else None)


def compare(seconds: float, most: int | None) -> Iterator[Row]:
    """Plybench alone, for the target; then compared with each peer."""
    folder = os.environ.get("PLYBENCH_SUITES")
    if not folder or not (Path(folder) / FILE).is_file():
        why = f"{FILE} is not in {folder}" if folder else f"PLYBENCH_SUITES does not say where {FILE} is"
        yield not_measured("Win at Chess", "solved", Target(at_least=SOLVED), f"skipped: {why}")
        return
    suite = Suite(Path(folder) / FILE, "chess", "deepening", Limit(seconds=seconds), most=most)
    count = len(suite.cases)
    task, ours = f"Win at Chess, {count} positions, {seconds:g} s each", solved_here(suite)
    yield Row(
        task=task,
        ours=ours,
        unit="solved",
        result=ours,
        result_unit="solved",
        target=Target(at_least=SOLVED) if count == POSITIONS else None,
        note=f"{suite.algorithm.id} with its defaults; the aim is {AIM} of {POSITIONS}",
    )
    for peer in PEERS:
        theirs = solved_by(peer, suite.cases, seconds) if peer.is_installed() else None
        yield Row(
            task=task,
            ours=ours,
            unit="solved",
            peer=peer.full_name() if peer.is_installed() else peer.name,
            theirs=theirs,
            result=ours / theirs if theirs else None,
            result_unit="x",
        )


def solved_here(suite: Suite) -> int:
    """The number of positions that Plybench solves."""
    solved = 0
    for number, (_, result) in enumerate(suite.run(), 1):
        solved += result.solved
        tell_progress("Plybench", number, len(suite.cases), solved)
    return solved


def solved_by(peer: Program, cases: Sequence[Case], seconds: float) -> int:
    """The number of positions that another engine solves."""
    solved = 0
    with peer.start() as engine:
        for number, case in enumerate(cases, 1):
            board = chess.Board(case.position.text)
            with given_up_after(seconds, engine), engine.analysis(board, game=case) as thinking:
                sleep(seconds)
                thinking.stop()
                best = thinking.wait().move
            solved += is_right(case, best.uci() if best else None)
            tell_progress(peer.name, number, len(cases), solved)
    return solved


def tell_progress(name: str, number: int, count: int, solved: int) -> None:
    """Print the progress every `TOLD_EVERY` positions."""
    if number % TOLD_EVERY == 0 or number == count:
        tell(f"{name}: {solved} of {number} solved, {count} in all")

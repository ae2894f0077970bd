"""Watching a search of two million recorded nodes: how long it takes to open, and to step to any event of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import perf_counter

from benchmarks.rows import Row, Target
from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Column, Recording
from engines.tape.tape import new_tape
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.view import TreeView

NODES = 2_000_000
OPEN_SECONDS, STEP_MILLISECONDS = 1.0, 50.0
WIDTH, HEIGHT = 160, 50


def measure(quick: bool) -> Iterator[Row]:
    """Record alpha-beta on chess, and show moments all over it: the drawn tree, the sentence, the variables."""
    algorithm, tape = catalog.algorithm("alphabeta"), new_tape(NODES + 1)
    search = Search(catalog.position("startpos", "chess"), algorithm, Limit(nodes=NODES), tape=tape)
    recording = Recording.of(tape, search.run_here().report(), algorithm.view)
    shown(TapeTrace(recording), 0)  # what is compiled or imported once is no part of it
    began = perf_counter()
    trace = TapeTrace(Recording(recording.report, recording.nodes, columns_of(recording)))
    shown(trace, len(trace) // 2)
    opened = perf_counter() - began
    yield Row(
        task=f"Watch, {len(recording):,} recorded nodes: to open it",
        ours=opened,
        unit="s",
        result=opened,
        result_unit="s",
        target=Target(below=OPEN_SECONDS),
        note=f"{len(trace):,} events",
    )
    places = random.Random(1)
    times = []
    for _ in range(20 if quick else 100):
        at = places.randrange(len(trace))
        for step in range(3):
            began = perf_counter()
            shown(trace, at + step)
            times.append(1000 * (perf_counter() - began))
    median = sorted(times)[len(times) // 2]
    yield Row(
        task="Watch, the same: one step (median)",
        ours=median,
        unit="ms",
        result=median,
        result_unit="ms",
        target=Target(below=STEP_MILLISECONDS),
        note=f"the slowest of {len(times)}: {max(times):.0f} ms",
    )


def shown(trace: TapeTrace, at: int) -> None:
    """All that the screen shows of a moment."""
    moment = trace.moment(at)
    TreeView(trace, moment, WIDTH, HEIGHT).lines()
    moment.sentence()
    moment.variables()


def columns_of(recording: Recording) -> dict[str, Column]:
    """The columns of a recording, without what was worked out of them."""
    names = ("parent", "move", "turn", "ply", "depth", "alpha", "beta", "value", "kind", "decider")
    return {name: getattr(recording, name) for name in names}

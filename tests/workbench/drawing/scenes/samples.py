"""A search of each kind that is drawn, each carried out once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from engines import catalog
from engines.contract import Limit, Report, Setting
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from workbench.watch.kinds import needs_recording
from workbench.watch.open import trace_of
from workbench.watch.trace import Node, Trace

COURSE = "(((4 8) (9 7)) ((2 -2) (5 6)))"
LAYERS = (
    'graph = {start = "A", targets = ["T"], nodes = {A = {owner = "max", to = ["B", "T"]}, '
    'B = {owner = "min", to = ["A", "C"]}, C = {owner = "min", to = ["C", "B"]}, T = {}}}'
)


class Sample(NamedTuple):
    """A position, what searches it, and how far."""

    text: str
    game: str
    algorithm: str
    limit: Limit
    size: str | None = None
    parameters: Mapping[str, Setting] = {}


SAMPLES = {
    "alphabeta": Sample(COURSE, "tree", "alphabeta", Limit(depth=3)),
    "three players": Sample("((1,2,3) (3,1,2))", "tree", "maxn", Limit(depth=2)),
    "chance": Sample("startpos", "einstein", "expectiminimax", Limit(depth=1)),
    "passes": Sample("startpos", "tictactoe", "deepening", Limit(depth=2)),
    "visits": Sample("startpos", "connect4", "uct", Limit(iterations=40)),
    "proof": Sample("startpos", "breakthrough", "pns", Limit(iterations=25), "4x4"),
    "layers": Sample(LAYERS, "graph", "attractor", Limit()),
    "quiescence": Sample(
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "chess", "deepening", Limit(depth=1), parameters={"quiescence": True}
    ),
    "best first": Sample(COURSE, "tree", "best-first", Limit(iterations=10)),
}


@cache
def drawn_sample(name: str) -> tuple[Trace, Report]:
    """The trace of a sample, and its report."""
    sample = SAMPLES[name]
    return traced_here(sample.text, sample.game, sample.algorithm, sample.limit, sample.size, sample.parameters)


def traced_here(
    text: str,
    game: str,
    algorithm: str,
    limit: Limit,
    size: str | None = None,
    parameters: Mapping[str, Setting] | None = None,
) -> tuple[Trace, Report]:
    """A search, carried out in this thread."""
    position, found = catalog.position(text, game, size), catalog.algorithm(algorithm)
    tape = new_tape(50_000) if needs_recording(found) else None
    report = Search(position, found, limit, parameters, 3, tape=tape).run_here().report()
    recording = Recording.of(tape, report, found.view) if tape is not None else None
    return trace_of(report, recording), report


def all_nodes(trace: Trace, node: Node) -> list[Node]:
    """A node and all that is drawn below it."""
    return [node, *(below for child in trace.children(node) for below in all_nodes(trace, child))]

"""Every event of a tree that grows, and of a graph, has its line on the algorithm's card."""

from __future__ import annotations

import pytest

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from tests.engines.tape.test_events import PAIRS
from workbench.watch.kinds import can_be_watched, needs_recording
from workbench.watch.open import trace_of
from workbench.watch.steps import lines_of, step_line

GROWING = [name for name in catalog.ALGORITHMS if can_be_watched(catalog.algorithm(name))]
GROWING = [name for name in GROWING if not needs_recording(catalog.algorithm(name))]
COURSE = "(((4 8) (9 7)) ((2 -2) (5 6)))"
WITHOUT_A_LINE = {"began", "ended", "answered", "asked"}
"""Events before the first step and behind the last one."""


@pytest.mark.parametrize("name", GROWING)
def test_every_phrase_is_in_one_line_of_the_card(name: str) -> None:
    algorithm = catalog.algorithm(name)
    assert algorithm.steps
    for event, words in algorithm.steps.items():
        assert sum(words in line for line in lines_of(algorithm)) == 1, (event, words)


@pytest.mark.parametrize("name", GROWING)
def test_every_event_has_its_line(name: str) -> None:
    algorithm = catalog.algorithm(name)
    game = "graph" if (("graph", name) not in PAIRS and "graph" in algorithm.needs) else "tictactoe"
    limit = Limit(iterations=60) if algorithm.iterates else Limit()
    trace = trace_of(Search(catalog.position("startpos", game), algorithm, limit).run_here().report())
    for at in range(1, len(trace) + 1):
        moment = trace.moment(at)
        assert moment.event is not None
        is_first = algorithm.samples and not algorithm.watchable and at == 1
        if moment.event.kind not in WITHOUT_A_LINE and not is_first:
            assert step_line(algorithm, moment.steps()) is not None, moment.event


def lines_at(name: str, count: int) -> list[str]:
    algorithm = catalog.algorithm(name)
    report = Search(catalog.position(COURSE, "tree"), algorithm, Limit(iterations=60)).run_here().report()
    trace, lines = trace_of(report), lines_of(algorithm)
    steps = [step_line(algorithm, trace.moment(at).steps()) for at in range(1, count + 1)]
    return [lines[step].strip() if step is not None else "" for step in steps]


def test_the_lines_of_a_proof() -> None:
    assert lines_at("pns", 6) == [
        "until one number of the root is 0:",
        "expand it, and work out the numbers of all nodes above",
        "OR:   proof = the least of the children's,  disproof = the sum of theirs",
        "walk down: at OR to the child with the least proof number,",
        "expand it, and work out the numbers of all nodes above",
        "AND:  proof = the sum of the children's,    disproof = the least of theirs",
    ]


def test_the_lines_of_uct() -> None:
    assert [line.split("  ")[0] for line in lines_at("uct", 4)] == ["expand", "sample", "back up", "expand"]

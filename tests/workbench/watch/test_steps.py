"""The steps of the algorithms: every event that declares one finds its line on the card."""

from __future__ import annotations

import pytest

from engines import catalog
from engines.contract import Limit
from tests.engines.tape.test_events import TEXTBOOK, recorded
from workbench.watch.steps import card_lines, lines_of, step_line
from workbench.watch.tape_trace import TapeTrace

RECORDED = [name for name in catalog.ALGORITHMS if catalog.algorithm(name).compiled and catalog.algorithm(name).records]


@pytest.mark.parametrize("name", [name for name in catalog.ALGORITHMS if catalog.algorithm(name).compiled])
def test_every_step_is_one_line_of_the_card(name: str) -> None:
    algorithm = catalog.algorithm(name)
    lines = card_lines(algorithm)
    assert lines, "the card has steps"
    for event, words in algorithm.steps.items():
        assert sum(words in line for line in lines) == 1, (event, words)


@pytest.mark.parametrize(("algorithm", "text"), [("alphabeta", TEXTBOOK), ("minimax", TEXTBOOK), ("negamax", TEXTBOOK)])
def test_every_event_of_a_textbook_search_has_its_line(algorithm: str, text: str) -> None:
    trace = TapeTrace(recorded(text, "tree", algorithm, Limit(depth=2)))
    found = catalog.algorithm(algorithm)
    for at in range(1, len(trace) + 1):
        assert step_line(found, trace.moment(at).steps()) is not None, trace.happening(at - 1)


def test_the_lines_of_alphabeta() -> None:
    trace = TapeTrace(recorded(TEXTBOOK, "tree", "alphabeta", Limit(depth=2)))
    found = catalog.algorithm("alphabeta")
    lines = {
        trace.happening(at - 1).kind: lines_of(found)[step_line(found, trace.moment(at).steps()) or 0].strip()
        for at in range(1, len(trace) + 1)
    }
    assert lines == {
        "entered": "value(position, depth, alpha, beta):",
        "leaf": "if the game is over: return its result",
        "returned": "best <- max(best, -value(after move, depth - 1, -beta, -alpha))",
        "raised": "alpha <- max(alpha, best)",
        "cut": "if alpha >= beta: stop (the opponent will not allow this)",
        "left": "return best",
    }

"""The table of what is known of a recorded node."""

from __future__ import annotations

import pytest
from rich.console import Console

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from workbench.recordings.view import node_facts
from workbench.recordings.why.nodes import node_value, window_words


@pytest.fixture(scope="module")
def recording() -> Recording:
    tape, algorithm = new_tape(1_000), catalog.algorithm("alphabeta")
    report = Search(catalog.position("startpos", "tictactoe"), algorithm, Limit(depth=2), tape=tape).start().report()
    return Recording.of(tape, report, algorithm.view)


def rows(recording: Recording, node: int) -> dict[str, str]:
    console = Console(width=100)
    with console.capture() as captured:
        console.print(node_facts(recording, node))
    lines = (line.split(maxsplit=1) for line in captured.get().splitlines())
    return {name: words.strip() for name, words in lines}


def test_the_root(recording: Recording) -> None:
    known = rows(recording, 0)
    assert list(known) == ["line", "value", "window", "kind", "nodes"]
    assert known["line"] == "the root"
    assert known["value"] == node_value(recording, 0)
    assert known["window"] == window_words(recording, 0)
    assert "X to move, 2 plies to go" in known["kind"]
    assert known["nodes"] == f"{len(recording):,} from here on"


def test_a_leaf(recording: Recording) -> None:
    leaf = next(node for node in range(len(recording)) if recording.depth[node] == 0)
    known = rows(recording, leaf)
    assert len(known["line"].split()) == 2
    assert known["kind"].endswith("X to move")
    assert known["nodes"] == "1 from here on"

"""What is unusual: tiny, deep and wide trees, searches that were stopped, tapes that were full, several passes, threads."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engines import catalog
from engines.contract import InputError, Limit, Setting
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.engines import checks
from workbench.watch.open import trace_of
from workbench.watch.panels import view_of
from workbench.watch.trace import Trace

CHAIN = "(" * 40 + "3" + ")" * 40
WIDE = f"({' '.join(str(number % 17) for number in range(200))})"
WIDE_AND_DEEP = f"({' '.join(['(1 2 3)'] * 200)})"
LINE = Limit(iterations=30)


def watched(
    text: str, game: str, algorithm: str, limit: Limit, parameters: Mapping[str, Setting] | None = None, room: int = 50_000
) -> Trace:
    found = catalog.algorithm(algorithm)
    tape, memory = new_tape(room), checks.small_memory(algorithm)
    search = Search(catalog.position(text, game), found, limit, parameters, tape=tape, memory=memory)
    report = search.run_here().report()
    return trace_of(report, Recording.of(tape, report, found.view))


@pytest.mark.parametrize(
    ("text", "game", "algorithm", "limit", "room"),
    [
        ("(7)", "tree", "alphabeta", Limit(depth=3), 50),
        (CHAIN, "tree", "alphabeta", Limit(depth=40), 50),
        (CHAIN, "tree", "uct", LINE, 50),
        (CHAIN, "tree", "pns", LINE, 50),
        (CHAIN, "tree", "best-first", LINE, 50),
        (WIDE, "tree", "alphabeta", Limit(depth=2), 500),
        (WIDE_AND_DEEP, "tree", "alphabeta", Limit(depth=2), 5_000),
        ("startpos", "tictactoe", "alphabeta", Limit(depth=0), 50),
        ("startpos", "tictactoe", "alphabeta", Limit(depth=4), 200),
        ("startpos", "tictactoe", "alphabeta", Limit(depth=4), 1),
        ("startpos", "tictactoe", "deepening", Limit(depth=4, nodes=4_000), 50_000),
        ("startpos", "tictactoe", "mtdf", Limit(depth=4), 50_000),
        ("startpos", "tictactoe", "uct", Limit(iterations=1), 50),
        ("startpos", "connect4", "alphabeta", Limit(nodes=300), 50_000),
        ("startpos", "einstein", "star2", Limit(depth=2), 40),
    ],
)
def test_every_moment_can_be_shown(text: str, game: str, algorithm: str, limit: Limit, room: int) -> None:
    trace = watched(text, game, algorithm, limit, room=room)
    for at in sorted({0, *range(0, len(trace), max(1, len(trace) // 25)), len(trace)}):
        moment = trace.moment(at)
        assert moment.sentence()
        for width, height in ((20, 4), (78, 10), (150, 40)):
            view = view_of(trace, moment, width, height)
            assert [line.cell_len for line in view.lines()] == [width] * height
            assert any(spot.box.node == moment.here for spot in view.spots)


def test_a_full_tape_is_told() -> None:
    trace = watched("startpos", "tictactoe", "alphabeta", Limit(depth=5), room=200)
    assert trace.notice == "The recording was full after 200 nodes: what the search did then is not shown."
    assert not watched("startpos", "tictactoe", "alphabeta", Limit(depth=2)).notice
    told = watched("startpos", "einstein", "star2", Limit(depth=2), room=40)
    assert "outcomes, of which" in told.moment(len(told)).sentence()


@pytest.mark.parametrize("algorithm", ["alphabeta", "uct", "pns"])
def test_finished_games(algorithm: str) -> None:
    with pytest.raises(InputError, match="The game is over; there is nothing to search"):
        watched("5", "tree", algorithm, Limit(depth=2) if algorithm == "alphabeta" else LINE)


def test_two_threads_in_one_tree_have_no_order() -> None:
    for algorithm in ("uct", "pns"):
        with pytest.raises(InputError, match="with one thread it can be watched"):
            watched("startpos", "tictactoe", algorithm, LINE, {"threads": 2})
    assert len(watched("startpos", "tictactoe", "deepening", Limit(depth=3), {"threads": 2}))

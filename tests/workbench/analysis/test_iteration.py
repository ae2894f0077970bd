"""One iteration that is watched: it does what it says, phase by phase, and reads well."""

from __future__ import annotations

from time import monotonic, sleep
from typing import Any

import pytest

from engines import catalog
from engines.contract import InputError, Limit
from engines.parts.sampling.tree import look_at, node_count
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from workbench.analysis import desk as analysis_desk
from workbench.analysis.desk import Desk
from workbench.analysis.iteration import Iteration, next_iteration
from workbench.analysis.panels.iteration_text import iteration_text


def grown(position: Position, algorithm: str, iterations: int, memory: Memory, **parameters: Any) -> Any:
    """The tree after so many iterations."""
    search = Search(position, catalog.algorithm(algorithm), Limit(iterations=max(1, iterations)), parameters, memory=memory)
    if not iterations:
        search.stop()
    search.run_here().finish()
    return memory.kept


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "algorithm", "parameters"),
    [
        ("connect4", "uct", {}),
        ("connect4", "uct", {"transpositions": True, "batch": 2}),
        ("breakthrough", "ppa", {}),
        ("tictactoe", "uct", {"proofs": True}),
        ("tree", "uct", {}),
    ],
)
def test_what_is_watched_is_what_happens(game: str, algorithm: str, parameters: dict[str, Any]) -> None:
    """The tree after the iteration is the one that was foretold, and the tree before it was not touched."""
    for iterations in (0, 1, 2, 30):
        memory, position = Memory(), catalog.position("startpos", game)
        kept = grown(position, algorithm, iterations, memory, **parameters)
        tree = kept.grown.tree
        before = tree.nodes[: int(tree.size[0])].copy()
        told = next_iteration(position, kept)
        assert told is not None
        assert (tree.nodes[: len(before)] == before).all()
        after = grown(position, algorithm, iterations + 1, memory, **parameters)
        assert after.grown.tree is tree
        assert told.number == int(after.work["iterations"]) == iterations + 1
        path = tree.path[: len(told.added)]
        assert [row.visits[1] for row in told.added] == [look_at(tree, int(node)).visits for node in path]
        assert [row.side for row in told.added[1:]] == [step.side for step in told.steps]  # the side stays the same
        firsts = [look_at(tree, int(node)).mean for node in path]
        means = [
            mean if row.side == position.game.players[0] else 1 - mean for row, mean in zip(told.added, firsts, strict=True)
        ]
        assert [row.means[1] for row in told.added] == pytest.approx(means)
        for step, row in zip(told.steps, told.added[1:], strict=True):
            assert not step.options or step.options[0].mean == pytest.approx(row.means[0])
        assert all(row.visits[1] - row.visits[0] == told.samples for row in told.added)
        assert told.tree_nodes == node_count(tree)
        for step in told.steps:
            assert not step.options or step.options[0].promise == max(option.promise for option in step.options)


def test_the_way_the_game_and_the_words_fit_together() -> None:
    position = catalog.position("startpos", "connect4")
    kept = grown(position, "uct", 60, Memory())
    told = next_iteration(position, kept)
    assert told is not None
    here = position
    for move in [*(step.move for step in told.steps), *told.playout]:
        here = here.play(here.game.read_move(here.state, move))
    assert here.is_over
    assert told.ending in ("X wins", "O wins", "a draw")
    for width in (72, 122):
        text = iteration_text(told, width).plain
        assert max(map(len, text.split("\n"))) <= width
        for words in (
            "1 Selection",
            "mean 0.",
            "+ exploration 0.",
            "2 Expansion",
            "3 Playout",
            "4 Backing up",
            told.ending,
            "60 → 61",
        ):
            assert words in text


def wait_for(desk: Desk, iterations: int) -> None:
    """Wait until the desk's search has ended after so many iterations, and its report is taken over."""
    give_up = monotonic() + 120
    while desk.busy or desk.iterations < iterations:
        assert monotonic() < give_up
        desk.look()
        sleep(0.005)


def test_a_large_tree_from_a_session_is_grown_again_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread of the app would stand still for as long as the search once took."""
    desk = Desk(catalog.position("44", "connect4"))
    desk.algorithm = "uct"
    desk.run_to_iterations(300)
    wait_for(desk, 300)
    monkeypatch.setattr(analysis_desk, "REGROWN_SECONDS", 0.0)
    desk._memory = Memory()  # as after opening the session
    with pytest.raises(InputError, match="has to be grown again"):
        desk.watch()
    wait_for(desk, 300)
    assert desk.watch().number == 301


def test_the_desk_makes_one_after_the_other() -> None:
    desk = Desk(catalog.position("startpos", "tictactoe"))
    with pytest.raises(InputError, match="no iterations to watch; uct and ppa have"):
        desk.watch()
    desk.choose("uct", {}, Limit(iterations=100))
    found: list[Iteration] = [desk.watch() for _ in range(12)]
    assert [one.number for one in found] == list(range(1, 13))
    assert desk.iterations == 12
    assert {len(one.steps) for one in found} == {0, 1, 2}
    whole = Search(desk.position, catalog.algorithm("uct"), Limit(iterations=12)).run_here().report()
    assert desk.belief is not None
    assert desk.belief.root_moves == whole.root_moves
    desk.choose("uct", {"threads": 2}, Limit(iterations=100))
    with pytest.raises(InputError, match="with one thread"):
        desk.watch()

"""Searches that sample: trees whose numbers add up, means that are right, proofs that are true."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.compiled.kernel import jit_enabled
from engines.contract import InputError, Limit, Report, Setting
from engines.parts.sampling.tree import NODE, ROOT, SampleTree
from engines.position import Position
from engines.run.checkpoints import next_checkpoint
from engines.run.memory import Memory
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import NOBODY, SAMPLED, Tape, new_tape
from positions import library
from tests.engines import checks
from tests.naive import games as naive
from tests.strategies import cases
from tests.thorough import examples

SAMPLERS = ["monte-carlo", "uct", "ppa"]
PAIRS = [
    (game, algorithm)
    for game in catalog.GAMES
    for algorithm in SAMPLERS
    if algorithm in catalog.algorithms_for(game)
    if jit_enabled() or algorithm != "ppa" or game in ("tictactoe", "connect4")  # slow without the compiler
]
MANY = 400 if jit_enabled() else 60
"""Iterations that are worth a look and take no time."""


def sampled(
    position: Position, algorithm: str, iterations: int, seed: int = 0, tape: Tape | None = None, **parameters: Setting
) -> tuple[Report, SampleTree]:
    """The report of a search, and the tree that it leaves behind."""
    memory = Memory()
    search = Search(position, catalog.algorithm(algorithm), Limit(iterations=iterations), parameters, seed, tape, memory)
    report = search.start().report()
    return report, checks.grown_by(memory).tree


def sums_below(nodes: Any, column: Any) -> Any:
    """For each node the sum of a column over its children, which stand side by side."""
    sums, first = np.concatenate(([0], np.cumsum(column))), nodes["first"].astype(np.int64)
    return sums[first + nodes["count"]] - sums[first]


def below(tree: SampleTree, node: int) -> range:
    first = int(tree.nodes["first"][node])
    return range(first, first + int(tree.nodes["count"][node]))


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_visits_and_sums_add_up(game: str, algorithm: str) -> None:
    """A node was visited by its own samples and through its children; so it is with the sums of results."""
    position = catalog.position("startpos", game)
    report, tree = sampled(position, algorithm, MANY, seed=3)
    nodes = tree.nodes[: int(tree.size[0])]
    visits, totals, listed = nodes["visits"].astype(np.int64), nodes["total"], nodes["count"] > 0
    assert visits[ROOT] == report.iterations == MANY
    assert sum(row.visits or 0 for row in report.root_moves) == MANY - (algorithm != "monte-carlo")
    inside, passed_on = (sums_below(nodes, column) for column in (visits, totals))
    assert ((totals >= -1e-9) & (totals <= visits + 1e-9)).all()
    assert (totals**2 <= nodes["squares"] * visits + 1e-6).all()
    assert (inside[listed] == visits[listed] - (algorithm != "monte-carlo")).all()
    own = (totals - passed_on)[listed]
    assert ((own >= -1e-6) & (own <= 1 + 1e-6)).all()
    assert (nodes["first"][~listed] == 0).all()
    assert sum(report.tree_depths) == int(np.count_nonzero(nodes["visits"]))
    assert report.tree_nodes == int(tree.size[0])
    assert report.playouts is not None
    assert report.playouts <= MANY


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_its_moves_are_legal_and_each_is_there_once(game: str, algorithm: str) -> None:
    position = catalog.position("startpos", game)
    report, tree = sampled(position, algorithm, MANY)
    legal = position.game.legal_moves(position.state)
    assert sorted(int(tree.nodes["move"][child]) for child in below(tree, ROOT)) == sorted(legal)
    for move in report.pv:  # raises if it is not legal
        position = position.play(position.game.read_move(position.state, move))
    assert report.pv[:1] == ((report.best_move,) if report.best_move else ()), "where a die is rolled there is no best move"


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_grows_the_same_tree(seed: int) -> None:
    position = catalog.position("startpos", "connect4")
    (one, tree), (other, again) = (sampled(position, "uct", MANY, seed) for _ in range(2))
    assert checks.without_times(one) == checks.without_times(other)
    assert (tree.nodes[: int(tree.size[0])] == again.nodes[: int(again.size[0])]).all()
    different, _ = sampled(position, "uct", MANY, seed + 1)
    assert different.root_moves != one.root_moves


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_a_search_that_goes_on_is_the_search_that_never_stopped(game: str, algorithm: str) -> None:
    position, found, memory = catalog.position("startpos", game), catalog.algorithm(algorithm), Memory()
    for limit in (1, 7, 30, 60):
        report = Search(position, found, Limit(iterations=limit), seed=5, memory=memory).start().report()
        assert report.iterations == limit
    whole, _ = sampled(position, algorithm, 60, seed=5)
    assert {1, 7, 30, 60} < {row.iterations for row in report.depths}
    rows = {"depths": (), "depth": 0}  # where it stopped, it noted what it believed
    assert checks.without_times(report) | rows == checks.without_times(whole) | rows


def test_a_kept_tree_is_for_the_same_search_only() -> None:
    position, found, memory = catalog.position("startpos", "tictactoe"), catalog.algorithm("uct"), Memory()
    Search(position, found, Limit(iterations=50), memory=memory).start().report()
    kept = memory.kept
    assert kept is not None
    for other in (
        Search(position.play(0), found, Limit(iterations=60), memory=memory),
        Search(position, found, Limit(iterations=60), seed=1, memory=memory),
        Search(position, found, Limit(iterations=60), {"k": 0.5}, memory=memory),
        Search(position, found, Limit(iterations=49), memory=memory),
        Search(position, catalog.algorithm("monte-carlo"), Limit(iterations=60), memory=memory),
    ):
        memory.kept = kept
        report = other.start().report()
        assert checks.grown_by(memory).tree is not kept.grown.tree
        assert report.depths[0].iterations == 1


def random_mean(oracle: Any) -> Fraction:
    """What random play of both sides is worth to the first player on average, from 0 to 1, by going through all games."""
    over = oracle.result()
    if over is not None:
        first = naive.shown(oracle, over)
        return Fraction(1 if first > 0 else 0 if first < 0 else 1, 1 if first else 2)
    moves = oracle.moves()
    return sum((random_mean(oracle.play(move)) for move in moves), Fraction(0)) / len(moves)


@settings(max_examples=examples(25))
@given(st.data())
def test_flat_means_are_those_of_all_random_games(data: st.DataObject) -> None:
    """Each mean within five standard errors of the true one, which going through all games gives."""
    case = data.draw(cases("tictactoe", "small", ongoing=True))
    position, oracle = case.position(), case.oracle
    if len(oracle.moves()) > 5:
        return
    report, _ = sampled(position, "monte-carlo", 4000, seed=data.draw(st.integers(0, 1000)))
    for row in report.root_moves:
        true = 2 * float(random_mean(oracle.play(row.move))) - 1
        assert row.visits is not None
        assert row.std_error is not None
        assert abs(row.value - true) <= 5 * max(row.std_error, 1 / row.visits)
        spread = math.sqrt(max(0.0, 1 - row.value**2) / (row.visits - 1))
        assert row.std_error <= spread + 1e-4  # draws make it smaller


def test_uct_comes_to_the_draw_of_tic_tac_toe() -> None:
    report, _ = sampled(catalog.position("startpos", "tictactoe"), "uct", 200_000)
    assert report.value is not None
    assert abs(report.value) < 0.05
    assert report.best_move == "b2"


@pytest.mark.parametrize("text", ["((3 12 8) (2 4 6) (14 5 2))", "min((1 2) (3 4))", "(-5 (-3 2.5) 1)"])
def test_uct_comes_to_the_value_of_a_tree(text: str) -> None:
    position = catalog.position(text, "tree")
    exact = checks.run(position, "minimax")
    report, _ = sampled(position, "uct", 50_000)
    assert report.best_move == exact.best_move
    assert report.value == pytest.approx(exact.value, abs=0.3)


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "breakthrough"])
@settings(max_examples=examples(12))
@given(st.data())
def test_what_is_proven_is_true(game: str, data: st.DataObject) -> None:
    position = data.draw(cases(game, "small", ongoing=True)).position()
    seed, batch = data.draw(st.integers(0, 100)), data.draw(st.sampled_from([1, 3]))
    report, _ = sampled(position, "uct", 3000, seed, proofs=True, batch=batch)
    if report.exact:
        exact = checks.run(position, "deepening", depth=60)
        assert exact.exact
        assert report.outcome == exact.outcome
        assert report.stopped_by == "solved"
        assert report.value == {"first": 1.0, "draw": 0.0, "second": -1.0}[str(report.outcome)]
        after = position.play(position.game.read_move(position.state, str(report.best_move)))
        assert checks.run(after, "deepening", depth=60).outcome == report.outcome, "the move keeps what is proven"


def test_proofs_settle_tic_tac_toe_and_the_exercise_of_the_course() -> None:
    report, _ = sampled(catalog.position("startpos", "tictactoe"), "uct", 100_000, proofs=True)
    assert (report.outcome, report.exact, report.stopped_by) == ("draw", True, "solved")
    exercise = library.get("breakthrough/course-6x4").position()
    report, _ = sampled(exercise, "uct", 20_000, proofs=True)
    assert (report.outcome, report.exact, report.stopped_by) == ("second", True, "solved")


@cache
def tactics() -> list[tuple[Position, set[str]]]:
    """Connect 4 positions where one has to win at once, or must not let the other, each with the moves that do."""
    found: list[tuple[Position, set[str]]] = []
    chance = np.random.default_rng(4)
    while len(found) < 100:
        position = catalog.position("startpos", "connect4")
        for _ in range(int(chance.integers(6, 30))):
            if position.is_over:
                break
            position = position.play(int(chance.choice(position.game.legal_moves(position.state))))
        if position.is_over:
            continue
        exact = checks.run(position, "minimax", depth=2)
        right = {row.move for row in exact.root_moves if row.value == exact.value}
        won = abs(exact.value or 0) > 500_000 and (exact.value or 0) * position.turn > 0
        lost = [row for row in exact.root_moves if abs(row.value) > 500_000 and row.value * position.turn < 0]
        if won:
            found.append((position, right))
        elif 0 < len(lost) < len(exact.root_moves):
            found.append((position, {row.move for row in exact.root_moves if row not in lost}))
    return found


def test_uct_wins_at_once_and_does_not_lose_at_once() -> None:
    """A hundred positions; the full number of iterations in the long tests."""
    iterations = 20_000 if os.environ.get("PLYBENCH_LONG") else 2_000
    for number, (position, right) in enumerate(tactics()):
        report, _ = sampled(position, "uct", iterations, seed=number)
        assert report.best_move in right, position.text


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_a_tape_has_the_tree(game: str, algorithm: str) -> None:
    position, tape = catalog.position("startpos", game), new_tape(5000)
    report, tree = sampled(position, algorithm, MANY, seed=2, tape=tape)
    plain, _ = sampled(position, algorithm, MANY, seed=2)
    assert checks.without_times(report) | {"tape_nodes": None} == checks.without_times(plain)
    recording = Recording.of(tape, report, "first")
    assert len(recording) == recording.nodes == int(np.count_nonzero(tree.nodes["visits"]))
    assert recording.faults() == 0
    assert (recording.kind == SAMPLED).all()
    assert position.game.shown_mean(int(recording.value[0]) / 1e6) == pytest.approx(
        position.game.shown_mean(float(tree.nodes["total"][ROOT]) / MANY), abs=1e-3, rel=1e-4
    )
    inner, below = np.zeros(len(recording), np.bool_), np.zeros(len(recording), np.int64)
    parents = recording.parent[1:]
    inner[parents] = True
    np.add.at(below, parents, recording.alpha[1:])
    assert (recording.alpha[inner] - below[inner] == (0 if algorithm == "monte-carlo" else 1)).all()


def test_a_wrong_mean_on_a_tape_is_a_fault() -> None:
    tape = new_tape(5000)
    report, _ = sampled(catalog.position("startpos", "connect4"), "uct", 300, tape=tape)
    for column, change in ((tape.value, 5000), (tape.alpha, 3), (tape.beta, 700)):
        column[2] += change
        assert Recording.of(tape, report, "first").faults()
        column[2] -= change
    assert Recording.of(tape, report, "first").faults() == 0


@pytest.mark.parametrize("capacity", [1, 2, 50])
def test_a_tape_that_is_full_is_safe(capacity: int) -> None:
    tape = new_tape(capacity)
    report, _ = sampled(catalog.position("startpos", "connect4"), "uct", 300, tape=tape)
    assert int(tape.size[0]) == capacity
    assert Recording.of(tape, report, "first").faults() is None
    assert (tape.parent[1:capacity] > NOBODY).all()


def test_the_memory_is_kept_to() -> None:
    """With one megabyte the tree stops growing and the sampling goes on."""
    report, tree = sampled(catalog.position("startpos", "breakthrough"), "uct", 30_000, memory=1)
    assert tree.nodes.nbytes <= 2**20
    assert int(tree.size[0]) > 2**20 // NODE.itemsize - 250
    assert report.iterations == 30_000
    assert int(tree.nodes["visits"][ROOT]) == 30_000


@pytest.mark.plain
@pytest.mark.parametrize(
    "parameters", [{"batch": 4}, {"widening": 1.5}, {"final": "value"}, {"playout_depth": 2}, {"k": 0.0}]
)
def test_every_switch_keeps_the_books(parameters: dict[str, Any]) -> None:
    position = catalog.position("startpos", "connect4")
    report, tree = sampled(position, "uct", MANY, **parameters)
    batch = int(parameters.get("batch", 1))
    assert int(tree.nodes["visits"][ROOT]) == MANY * batch
    for node in range(int(tree.size[0])):
        inside = sum(int(tree.nodes["visits"][child]) for child in below(tree, node))
        if inside:
            assert int(tree.nodes["visits"][node]) == inside + batch
        if "widening" in parameters:
            allowed = max(1, int(1.5 * math.sqrt(int(tree.nodes["visits"][node]))))
            assert int(tree.nodes["tried"][node]) <= allowed
    if "playout_depth" in parameters:
        assert report.evaluations > 0
        assert report.playout_plies is not None
        assert report.playout_plies <= 2
    if parameters.get("final") == "value":
        assert report.value == max(row.value for row in report.root_moves)


def test_checkpoints_do_not_depend_on_the_limit() -> None:
    seen = [1]
    while seen[-1] < 1000:
        seen.append(next_checkpoint(seen[-1]))
    assert seen[:10] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]
    assert seen == sorted(set(seen))
    report, _ = sampled(catalog.position("startpos", "tictactoe"), "uct", 100)
    assert [row.iterations for row in report.depths] == [number for number in seen if number < 100] + [100]
    assert [row.depth for row in report.depths] == list(range(1, len(report.depths) + 1))


def test_a_depth_is_no_limit_for_them() -> None:
    with pytest.raises(InputError, match="uct has no limit in depth; it has iterations, nodes and seconds"):
        Search(catalog.position("startpos", "connect4"), catalog.algorithm("uct"), Limit(depth=3))

"""Expectiminimax, Star1 and Star2: textbook values, a twin that counts in fractions, and what is recorded."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.engines import checks
from tests.naive.chance import Node, maxn, random_tree
from tests.thorough import LONG, examples

THREE = ("expectiminimax", "star1", "star2")
EXACT = 1e-9
"""Means are floating-point numbers: the twin's fractions are met to rounding."""


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", THREE)
@pytest.mark.parametrize(
    ("text", "value", "best", "spread"),
    [
        # Russell and Norvig, "An order-preserving transformation on leaf values changes the best move".
        ("([0.9:2 0.1:3] [0.9:1 0.1:4])", 2.1, "1", 0.3),
        ("([0.9:20 0.1:30] [0.9:1 0.1:400])", 40.9, "2", 119.7),
        ("(A[0.9:(2 2) 0.1:(3 3)] B[0.9:(1 1) 0.1:(4 4)])", 2.1, "A", 0.3),
        # The course's definition, rule by rule: a coin, then MIN.
        ("([0.5:(2 4) 0.5:(7 5)] [0.5:(6 0) 0.5:(5 -2)])", 3.5, "1", 1.5),
        # Expectimax: every bracket below MAX is a fair die.
        ("([3 12 9] [2 4 6] [15 6 0])", 8.0, "1", None),
        ("([1/3:3 1/3:12 1/3:9] [2 4 6] [15 6 0])", 8.0, "1", None),
        ("min([1/4:8 3/4:0] 1.9)", 1.9, "2", 0.0),
        ("[1/6:(1 2) 5/6:min(3 4)]", 17 / 6, None, None),
        ("[0.5:[0.5:8 0.5:0] 0.5:-4]", 0.0, None, 24**0.5),
        ("((3 12 8) (2 4 6) (14 5 2))", 3.0, "1", 0.0),
    ],
)
def test_textbook_values(algorithm: str, text: str, value: float, best: str | None, spread: float | None) -> None:
    report = checks.run(catalog.position(text, "tree"), algorithm)
    assert report.value == pytest.approx(value, abs=1e-12)
    assert (report.best_move, report.exact, report.stopped_by) == (best, True, "solved")
    if spread is not None:
        assert report.spread == pytest.approx(spread, abs=1e-9)


def all_agree(tree: Node, depth: int) -> None:
    """The twin's value, its leaves where nothing is cut, and never more where something is."""
    position = catalog.position(tree.text(0, 2, several=False), "tree")
    expected = maxn(tree, depth)
    leaves = {}
    for name in THREE:
        report = checks.run(position, name, depth=depth)
        assert report.value == pytest.approx(float(expected.values[0]), abs=EXACT), (name, position.text)
        leaves[name] = report.leaves
    assert leaves["expectiminimax"] == expected.leaves, position.text
    assert leaves["star1"] <= expected.leaves, position.text
    assert leaves["star2"] <= expected.leaves, position.text


@settings(max_examples=examples(80))
@given(st.data(), st.integers(1, 6))
def test_random_trees_agree_with_fractions(data: st.DataObject, depth: int) -> None:
    all_agree(random_tree(lambda low, high: data.draw(st.integers(low, high))), depth)


def test_many_random_trees_agree_with_fractions() -> None:
    random = Random(9)
    for number in range(5000 if LONG else examples(300)):
        all_agree(random_tree(random.randint), number % 6 + 1)


@pytest.mark.plain
def test_random_trees_agree_without_the_compiler() -> None:
    random = Random(10)
    for number in range(60):
        all_agree(random_tree(random.randint), number % 4 + 1)


@pytest.mark.parametrize("algorithm", THREE)
def test_what_is_recorded_can_be_replayed(algorithm: str) -> None:
    """Each node's value follows from its children's, means and cut means included; a tape changes nothing."""
    random, cuts = Random(11), 0
    found = catalog.algorithm(algorithm)
    for _ in range(60):
        position = catalog.position(random_tree(random.randint).text(0, 2, several=False), "tree")
        tape = new_tape(5000)
        report = Search(position, found, Limit(depth=6), tape=tape).run_here().report()
        recording = Recording.of(tape, report, found.view)
        assert (len(recording), recording.faults()) == (report.nodes, 0), position.text
        assert checks.run(position, algorithm, depth=6).leaves == report.leaves
        cuts += int((recording.kind == 4).sum())
        for node in range(1, len(recording)):
            above = int(recording.parent[node])
            assert (recording.likelihood(node) is not None) == (recording.turn[above] == 0)
        if report.value is not None:
            assert recording.value[0] * recording.step / position.game.unit == pytest.approx(report.value, abs=1e-4)
    assert (cuts > 0) == (algorithm != "expectiminimax")


@pytest.mark.plain
def test_a_changed_value_on_the_tape_is_noticed() -> None:
    position, found = catalog.position("([0.5:(2 4) 0.5:(7 5)] [0.5:(6 0) 0.5:(5 -2)])", "tree"), catalog.algorithm("star2")
    tape = new_tape(100)
    report = Search(position, found, tape=tape).run_here().report()
    recording = Recording.of(tape, report, found.view)
    assert recording.faults() == 0
    chance = int((recording.turn == 0).argmax())
    recording.value[chance] += 1000
    assert recording.faults()


@pytest.mark.plain
def test_a_chance_node_at_the_root_has_no_best_move() -> None:
    report = checks.run(catalog.position("[0.25:A(1 5) 0.75:B:2]", "tree"), "star1")
    assert (report.value, report.best_move, report.pv, report.chance_nodes) == (2.75, None, (), 1)
    assert [(row.move, row.value, row.likelihood) for row in report.root_moves] == [("A", 5, 0.25), ("B", 2, 0.75)]


@pytest.mark.plain
def test_chance_takes_no_depth() -> None:
    position = catalog.position("(7[0.5:1(10 20) 0.5:3(30 40)] 5)", "tree")
    values = [checks.run(position, "expectiminimax", depth=depth).value for depth in range(3)]
    assert values == [0, 5, 20]


@pytest.mark.plain
@pytest.mark.parametrize("text", ["([0.5:1 0.5:2] 3)", "(<1 2 3> <4 5 6>)", "(<1 2> <3 4>)"])
def test_others_refuse_with_a_sentence(text: str) -> None:
    position = catalog.position(text, "tree")
    handles = {"[": {*THREE, "maxn", "paranoid", "monte-carlo", "uct", "random"}, "<": {"maxn", "paranoid", "random"}}
    for name in catalog.ALGORITHMS:
        if name in handles["[" if "[" in text else "<"]:
            assert catalog.misfit(catalog.algorithm(name), position) is None
            continue
        with pytest.raises(InputError) as error:
            Search(position, catalog.algorithm(name))
        assert checks.is_sentence(str(error.value))


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", ["uct", "monte-carlo"])
def test_sampled_means_are_means(algorithm: str) -> None:
    """A move that leads to chance is worth its mean, and at a chance node every outcome comes up as often as it should."""
    position = catalog.position("([0.75:2 0.25:6] [0.5:1 0.5:4])", "tree")
    report = checks.run(position, algorithm, seed=5, iterations=2000)
    (best,) = [row for row in report.root_moves if row.move == "1"]
    assert report.best_move == "1"
    assert best.std_error is not None
    assert abs(best.value - 3.0) < 5 * best.std_error
    rolled = checks.run(position.play(0), algorithm, seed=5, iterations=2000)
    assert rolled.best_move is None
    assert {row.move: row.value for row in rolled.root_moves} == {"1": 2, "2": 6}
    (often,) = [row.visits for row in rolled.root_moves if row.move == "1"]
    assert often is not None
    assert abs(often - 1500) < 100

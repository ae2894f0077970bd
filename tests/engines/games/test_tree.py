from __future__ import annotations

import pytest
from hypothesis import given, settings

from engines import catalog
from engines.contract import InputError
from tests.engines import checks
from tests.strategies import Case, trees
from tests.thorough import examples

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"


@pytest.mark.plain
def test_the_textbook_tree() -> None:
    report = checks.run(catalog.position("startpos", "tree"), "minimax")
    assert (report.position, report.value, report.nodes, report.leaves) == (TEXTBOOK, 3, 13, 9)
    assert (report.best_move, report.pv, report.exact) == ("1", ("1", "1"), True)


@pytest.mark.plain
@settings(max_examples=examples(200))
@given(trees())
def test_rules(case: Case) -> None:
    checks.agree_on_rules(case)


@settings(max_examples=examples(200))
@given(trees())
def test_compiled_rules(case: Case) -> None:
    checks.agree_on_compiled_rules(case)


@pytest.mark.plain
@settings(max_examples=examples(200))
@given(trees())
def test_notation_reads_back(case: Case) -> None:
    position = case.position()
    checks.reads_back(position)
    assert position.play(0).text == f"{position.text} moves 1"
    checks.reads_back(position.play(0))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("written", "normal"),
    [
        (" ( 1,2 ,3 ) ", "(1 2 3)"),
        ("(+1 2. .5)", "(1 2 0.5)"),
        ("max(1 min(2 3))", "(1 (2 3))"),
        ("MIN(1 2)", "min(1 2)"),
        ("5:A(1 B:2)", "A:5(1 B:2)"),
        ("A:min:5(1 2)", "A:min:5(1 2)"),
        ("(max(1 2) 3)", "(max(1 2) 3)"),
        ("(1\n2)", "(1 2)"),
        ("7", "7"),
        ("[ 1 2 ]", "[0.5:1 0.5:2]"),
        ("[1/3:1 2/3:(2 3)]", "[1/3:1 2/3:(2 3)]"),
        ("A[0.25:B(1 2) 0.750:C:5[1]]", "A[0.25:B(1 2) 0.75:C:5[1:1]]"),
        ("([0.5:min(1 2) 0.5:max(1 2)] 3)", "([0.5:(1 2) 0.5:max(1 2)] 3)"),
        ("(<1,2,6> B:<4 2 3>)", "(<1 2 6> B:<4 2 3>)"),
        ("p2:<1 2 3>(<1 2 6> A:p1(<4 2 3>))", "p2:<1 2 3>(<1 2 6> A:p1(<4 2 3>))"),
        ("p2(1 2)", "p2(1 2)"),
    ],
)
def test_ways_to_write_a_tree(written: str, normal: str) -> None:
    position = catalog.position(written, "tree")
    assert position.text == normal
    checks.reads_back(position)


@pytest.mark.plain
def test_moves_are_names_or_numbers() -> None:
    position = catalog.position("(A(1 2) B:3 (4 5) C:1 C:2)", "tree")
    assert position.game.line_choices(position.state) == ["A", "B", "3", "4", "5"]
    assert catalog.position("(A(1 2) B:3) moves A 2", "tree").is_over


@pytest.mark.plain
@pytest.mark.parametrize("name", ["A", "A'", "moves", "removes", "startpos", "max", "MIN", "e5", "_"])
def test_any_name_can_be_played_and_read_back(name: str) -> None:
    position = catalog.position(f"(1 {name}:2)", "tree")
    assert position.game.line_choices(position.state) == ["1", name]
    checks.reads_back(position)
    checks.reads_back(position.play(1))


@pytest.mark.plain
def test_diagram() -> None:
    position = catalog.position("A(3 B:min:5(4 C:1.5))", "tree")
    assert position.game.diagram(position.state).splitlines() == [
        "A MAX",
        "├─ 3",
        "└─ B MIN (5)",
        "   ├─ 4",
        "   └─ C = 1.5",
    ]


@pytest.mark.plain
def test_a_long_diagram_says_that_it_is_cut() -> None:
    position = catalog.position(f"({' '.join(['1'] * 200)})", "tree")
    lines = position.game.diagram(position.state).splitlines()
    assert len(lines) == 61
    assert "201 nodes" in lines[-1]


@pytest.mark.plain
def test_the_number_given_is_the_number_given() -> None:
    position = catalog.position("1.5(2 3)", "tree")
    (term,) = position.game.evaluation(position.state).terms
    assert (term.first, term.second, term.weight, term.value) == (1.5, 0, 1, 1.5)


@pytest.mark.plain
def test_a_lone_leaf_is_a_finished_game() -> None:
    report = checks.run(catalog.position("7", "tree"), "minimax")
    assert (report.value, report.stopped_by, report.outcome, report.best_move) == (7, "game over", None, None)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("(1 2", "1 bracket is not closed"),
        ("((1 2", "2 brackets are not closed"),
        ("(1 2))", "character 6"),
        (")", "character 1"),
        ("()", "empty"),
        ("(1 ())", "character 5"),
        ("(1 2) 3", "character 7"),
        ("(1 x)", "'x' at character 4"),
        ("(1 1e5)", "'1e5'"),
        ("(1 nan)", "'nan'"),
        ("(1 200000)", "100,000"),
        ("(1 0.0001)", "3 decimals"),
        ("[0.5:1 0.6:2]", "come to 1.1"),
        ("[0.333:1 0.333:2 0.333:3]", "0.999"),
        ("[0.5:1 2]", "character 8"),
        ("[0:1 1:2]", "'0' at character 2"),
        ("[1/0:1 1:2]", "'1/0'"),
        ("[]", "empty"),
        ("(1 [0.5:1 0.5:2)", "closes at character 16"),
        ("(<1 2 6> 3)", "1 of 3 values"),
        ("(<1 2 6> <3 4>)", "2 of 3 values"),
        ("(<1> 3)", "'<1>' at character 2"),
        ("(<1 2 3 4 5 6 7>)", "7 values"),
        ("(<1 x 3> <1 2 3>)", "'x'"),
        ("(<1 2 3)", "character 2"),
        ("(1 > 3)", "character 4"),
        ("(p4(<1 2 3>) <1 2 3>)", "from p1 to p3"),
        ("(min(<1 2 3>) <1 2 3>)", "from p1 to p3"),
        ("(A:p2(1 2) 3)", "max and min"),
        ("(1 2 ]", "character 6"),
        ("(1 2:3)", "'2:3'"),
        ("A:B(1)", "'A:B'"),
        ("(" * 300 + "1" + ")" * 300, "240"),
        (f"({'1 ' * 300})", "248"),
        ("(1 2) moves 3", "Move 1"),
        ("(1 2) moves 1 1", "after the end"),
        ("", "empty"),
        (" moves 1", "empty"),
        ("moves 1", "empty"),
    ],
)
def test_bad_input_is_named(text: str, named: str) -> None:
    with checks.within(5), pytest.raises(InputError) as error:
        catalog.position(text, "tree")
    assert named in str(error.value)
    assert checks.is_sentence(str(error.value))


@pytest.mark.plain
def test_a_tree_has_no_size() -> None:
    with pytest.raises(InputError, match="no size"):
        catalog.position("startpos", "tree", "3x3")

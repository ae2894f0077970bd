from __future__ import annotations

import pytest
from hypothesis import given, note, settings

from engines import catalog
from engines.contract import InputError
from tests.engines import checks
from tests.strategies import Case, cases, sample
from tests.thorough import examples


@pytest.mark.parametrize(
    ("size", "depth", "leaves"),
    checks.published(
        ("3x3x3", [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        ("4x4x4", [16, 240, 3360, 43680, 524160]),
    ),
)
def test_published_counts(size: str, depth: int, leaves: int) -> None:
    """The games that are over early are left out of the deeper counts; the last is all games of nine moves."""
    assert checks.count(catalog.position("startpos", "tictactoe", size), depth) == leaves


@pytest.mark.parametrize(
    ("size", "outcome", "distance"),
    [("3x3x3", "draw", None), ("3x3x2", "first", 3), ("4x3x3", "first", 7), ("2x2x2", "first", 3), ("1x1x1", "first", 1)],
)
def test_solved_boards(size: str, outcome: str, distance: int | None) -> None:
    report = checks.run(catalog.position("startpos", "tictactoe", size), "alphabeta", depth=12)
    assert (report.outcome, report.distance) == (outcome, distance)


@pytest.mark.plain
@settings(max_examples=examples(150))
@given(cases("tictactoe"))
def test_rules_and_evaluation_on_boards_of_any_size(case: Case) -> None:
    note(case.oracle.text())
    checks.agree_on_rules(case)


@settings(max_examples=examples(200))
@given(cases("tictactoe"))
def test_compiled_rules_on_boards_of_any_size(case: Case) -> None:
    note(case.oracle.text())
    checks.agree_on_compiled_rules(case)


@pytest.mark.plain
def test_rules_and_evaluation_on_many_small_boards() -> None:
    for case in sample("tictactoe", 400, ongoing=False):
        checks.agree_on_rules(case)


@pytest.mark.plain
def test_a_row_of_one_is_one_line() -> None:
    position = catalog.position("startpos", "tictactoe", "3x3x1")
    (term,) = position.game.evaluation(position.state).terms
    assert (term.first, term.second) == (9, 9)


@pytest.mark.plain
@settings(max_examples=examples(60))
@given(cases("tictactoe"))
def test_notation_reads_back(case: Case) -> None:
    position = case.position()
    checks.reads_back(position)
    assert position.game.board_text(position.state) == case.oracle.text()
    assert case.board().state == position.state


@pytest.mark.plain
def test_diagram_and_moves() -> None:
    position = catalog.position("startpos moves a1 b2 c3", "tictactoe")
    assert position.game.diagram(position.state).splitlines() == [
        " 3 . . X",
        " 2 . O .",
        " 1 X . .",
        "   a b c",
    ]
    assert position.game.board_text(position.state) == "..X/.O./X.."


@pytest.mark.plain
def test_open_lines_of_an_opening() -> None:
    position = catalog.position(".../.X./...", "tictactoe")
    (term,) = position.game.evaluation(position.state).terms
    assert (term.first, term.second, term.value) == (8, 4, 4)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "size", "named"),
    [
        ("X./...", None, "Row 2"),
        ("XX./.../...", None, "2 X and 0 O"),
        ("OOO/XX./XX.", None, "O has 3"),
        ("XXX/OOO/...", None, "X has 3"),
        ("xq./.../...", None, "'Q'"),
        ("startpos moves a4", None, "Move 1"),
        ("startpos moves a1 a1", None, "Move 2"),
        ("startpos moves a1 b1 a2 b2 a3 b3", None, "after the end"),
        ("startpos", "3", "'3'"),
        ("startpos", "8x8x3", "does not fit"),
        ("startpos", "3x3x0", "in a row"),
        ("X../.../...", "4x4x4", "4x4x4"),
    ],
)
def test_bad_input_is_named(text: str, size: str | None, named: str) -> None:
    with pytest.raises(InputError) as error:
        catalog.position(text, "tictactoe", size)
    assert named in str(error.value)
    assert checks.is_sentence(str(error.value))

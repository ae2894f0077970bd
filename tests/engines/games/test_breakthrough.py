from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, note, settings

from engines import catalog
from engines.contract import InputError
from tests.engines import checks
from tests.naive import games as naive
from tests.strategies import Case, cases, sample
from tests.thorough import examples

EXERCISE = "startpos moves 2a3a 5a4a 2b3b 4a3b 2c3b 6a5a 3a4a 5b4a 3b4a 6b5b 4a5b 6c5b 1a2a 5a4a 2a3a 5b4b 3a4b 5c4b 1b2b"
"""The course's exercise on 6 rows by 4 columns, in the course's own way to write moves. Black is to move."""


@pytest.mark.parametrize(
    ("size", "depth", "leaves"),
    checks.published(
        ("6x4", [10, 100, 1074, 11232, 126368, 1387814, 15530246]),
        ("6x6", [16, 256, 4308, 71478, 1248290]),
        ("8x8", [22, 484, 11132, 256036, 6182818]),
        ("5x5", [13, 156, 1924, 23084, 289828]),
    ),
)
def test_published_counts(size: str, depth: int, leaves: int) -> None:
    assert checks.count(catalog.position("startpos", "breakthrough", size), depth) == leaves


@pytest.mark.parametrize(
    ("size", "winner"),
    [("4x2", "second"), ("4x3", "second"), ("4x4", "second"), ("5x2", "second"), ("6x2", "first")],
)
def test_solved_boards(size: str, winner: str) -> None:
    report = checks.run(catalog.position("startpos", "breakthrough", size), "alphabeta", depth=60)
    assert (report.outcome, report.stopped_by) == (winner, "solved")


def test_the_exercise_of_the_course() -> None:
    """All eight black moves win, and two of them within five plies."""
    position = catalog.position(EXERCISE, "breakthrough", "6x4")
    assert position.turn == -1
    found = {}
    for move in position.game.legal_moves(position.state):
        report = checks.run(position.play(move), "alphabeta", depth=8)
        assert report.outcome == "second"
        found[position.game.move_text(position.state, move)] = report.distance
    assert len(found) == 8
    assert {move for move, distance in found.items() if distance == 4} == {"a4b3", "b4b3"}
    assert min(distance for distance in found.values() if distance is not None) == 4
    whole = checks.run(position, "alphabeta", depth=9)
    assert (whole.outcome, whole.distance, whole.best_move in ("a4b3", "b4b3")) == ("second", 5, True)


@pytest.mark.plain
@settings(max_examples=examples(150))
@given(cases("breakthrough"))
def test_rules_and_evaluation_on_boards_of_any_size(case: Case) -> None:
    note(case.oracle.text())
    checks.agree_on_rules(case)


def scattered(random: Random) -> Case:
    """A few pawns anywhere that pawns can be: what games of pawns come to late, or never in a random one."""
    rows, columns = random.randint(4, 8), random.randint(2, 8)
    board = [["."] * columns for _ in range(rows)]
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    for row, column in random.sample(squares, random.randint(2, min(7, 2 * columns))):
        board[row][column] = "b" if row == rows - 1 else "w" if row == 0 else random.choice("wb")
    oracle = naive.Breakthrough(tuple("".join(row) for row in board), random.choice("wb"))
    if not oracle.pawns("w") or not oracle.pawns("b"):
        return scattered(random)
    return Case("breakthrough", oracle.text(), (), oracle)


@pytest.mark.plain
def test_rules_and_evaluation_with_pawns_anywhere() -> None:
    random = Random(1)
    for _ in range(300):
        checks.agree_on_rules(scattered(random))


@settings(max_examples=examples(200))
@given(cases("breakthrough"))
def test_compiled_rules_on_boards_of_any_size(case: Case) -> None:
    note(case.oracle.text())
    checks.agree_on_compiled_rules(case)


@pytest.mark.plain
def test_rules_and_evaluation_on_many_small_boards() -> None:
    for case in sample("breakthrough", 400, ongoing=False):
        checks.agree_on_rules(case)


@pytest.mark.plain
@settings(max_examples=examples(60))
@given(cases("breakthrough"))
def test_notation_reads_back(case: Case) -> None:
    position = case.position()
    checks.reads_back(position)
    assert position.game.board_text(position.state) == case.oracle.text()
    assert case.board().state == position.state


@pytest.mark.plain
@pytest.mark.parametrize("written", ["b2a3", "2b3a", "b2-a3", "B2xA3", "2b-3a"])
def test_ways_to_write_a_move(written: str) -> None:
    assert catalog.position(f"startpos moves {written}", "breakthrough").text == "startpos moves b2a3"


@pytest.mark.plain
def test_diagram_and_evaluation() -> None:
    position = catalog.position("bbb/b1b/3/w1w/www b", "breakthrough")
    assert position.game.size == "5x3"
    assert position.game.diagram(position.state).splitlines() == [
        "5 b b b",
        "4 b . b",
        "3 . . .",
        "2 w . w",
        "1 w w w",
        "  a b c",
    ]
    assert position.game.evaluation(position.state).value == 0


@pytest.mark.plain
def test_capturing_the_last_pawn_wins() -> None:
    position = catalog.position("4/1b2/w3/1w2/4 w moves a3b4", "breakthrough")
    assert position.is_over
    assert checks.run(position, "minimax", depth=1).outcome == "first"


@pytest.mark.plain
@pytest.mark.parametrize(("misere", "outcome"), [("false", "first"), ("true", "second")])
def test_reaching_the_last_row_wins_or_in_misere_loses(misere: str, outcome: str) -> None:
    position = catalog.position("b3/w3/4/4 w moves a3b4", "breakthrough", settings={"misere": misere})
    assert checks.run(position, "minimax", depth=1).outcome == outcome


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "size", "named"),
    [
        ("bbb/bbb/www/www", None, "side to move"),
        ("bbb/bbb/www/www x", None, "w or b"),
        ("bbb/bbb/www/wwx w", None, "'x'"),
        ("bbb/bb/www/www w", None, "Row 2"),
        ("bbb/bbb/www/www w", "8x8", "8x8"),
        ("3/3/3/3 w", None, "no pawn"),
        ("bbb/www/www/www w", None, "White has 9 pawns"),
        ("w2/3/3/b2 w", None, "last row"),
        ("w2/b2/3/3 w", None, "other side has moved"),
        ("b2/3/3/3 b", None, "no pawn"),
        ("startpos moves a1a2", None, "Move 1"),
        ("startpos moves a2a4", None, "'a2a4'"),
        ("startpos moves", "3x8", "3 rows"),
        ("startpos", "9x8", "9 rows"),
        ("startpos", "8x1", "1 columns"),
        ("startpos", "8", "'8'"),
    ],
)
def test_bad_input_is_named(text: str, size: str | None, named: str) -> None:
    with pytest.raises(InputError) as error:
        catalog.position(text, "breakthrough", size)
    assert named in str(error.value)
    assert checks.is_sentence(str(error.value))


def test_a_line_as_the_course_prints_it() -> None:
    """A move and its answer are one word; what is asked for is `????`."""
    pairs = "2a3a-5a4a 2b3b-4a3b 2c3b-6a5a 3a4a-5b4a 3b4a-6b5b 4a5b-6c5b 1a2a-5a4a 2a3a-5b4b 3a4b-5c4b 1b2b-????"
    wanted = catalog.position(EXERCISE, "breakthrough", "6x4").text
    for text in (pairs, f"startpos moves {pairs}", f"1. {pairs}", EXERCISE.removeprefix("startpos moves ")):
        assert catalog.position(text, "breakthrough", "6x4").text == wanted
    assert catalog.position("a2-a3 b7xb6", "breakthrough").text == "startpos moves a2a3 b7b6"
    with pytest.raises(InputError, match=r"Move 2: '5a4a' is not a legal move"):
        catalog.position("2a3a-5a4a", "breakthrough")

from __future__ import annotations

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError
from tests.engines import checks
from tests.strategies import Case, cases, sample
from tests.thorough import examples


@pytest.mark.parametrize(
    ("size", "depth", "leaves"),
    checks.published(("7x6", [7, 49, 343, 2401, 16807, 117649, 823536, 5673234])),
)
def test_published_counts(size: str, depth: int, leaves: int) -> None:
    assert checks.count(catalog.position("startpos", "connect4", size), depth) == leaves


@pytest.mark.parametrize(("size", "settings"), [("4x4", {}), ("5x3", {}), ("3x5", {}), ("4x5", {"k": "5"})])
def test_small_boards_are_drawn(size: str, settings: dict[str, str]) -> None:
    report = checks.run(catalog.position("startpos", "connect4", size, settings), "alphabeta", depth=30)
    assert (report.outcome, report.value, report.stopped_by) == ("draw", 0, "solved")


@pytest.mark.parametrize(
    ("played", "score"),
    [  # from Pascal Pons' set "end, easy"
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("71255763773133525731261364622167124446454", 0),
        ("65214673556155731566316327373221417", -1),
        ("52677675164321472411331752454", 0),
        ("3135151421347443544172316522225776773566", 0),
        ("562154564361751726662253737734213275114", 0),
        ("233377345754465174223731671122611552", 1),
        ("6763525635134453444361412671365712", -1),
        ("211376455663355325112113664364524722", 0),
        ("3146762114467714356347741621375222", -1),
        ("67152117737262713366376314254", 6),
        ("2762751722231276466633475674533", 5),
    ],
)
def test_known_endgames(played: str, score: int) -> None:
    """A score of n means that the side to move wins with its n-th stone from the last, -n that the other does."""
    report = checks.run(catalog.position(played, "connect4"), "alphabeta", depth=42)
    if score == 0:
        assert (report.outcome, report.distance) == ("draw", None)
        return
    first_wins = (len(played) % 2 == 0) == (score > 0)
    last_ply = 2 * (22 - abs(score)) - first_wins
    assert (report.outcome, report.distance) == ("first" if first_wins else "second", last_ply - len(played))


@pytest.mark.plain
@settings(max_examples=examples(150))
@given(cases("connect4"))
def test_rules_and_evaluation_on_boards_of_any_size(case: Case) -> None:
    note(case.oracle.text())
    checks.agree_on_rules(case)


@settings(max_examples=examples(200))
@given(cases("connect4"))
def test_compiled_rules_on_boards_of_any_size(case: Case) -> None:
    note(case.oracle.text())
    checks.agree_on_compiled_rules(case)


@pytest.mark.plain
def test_rules_and_evaluation_on_many_small_boards() -> None:
    for case in sample("connect4", 400, ongoing=False):
        checks.agree_on_rules(case)


def test_two_columns_of_thirty_one_have_no_rows_of_four() -> None:
    """The lines that do not fit the board must not be found by shifting past the last bit."""
    assert checks.count(catalog.position("startpos", "connect4", "2x31"), 6) == 2**6


@pytest.mark.plain
@settings(max_examples=examples(60))
@given(cases("connect4"))
def test_notation_reads_back(case: Case) -> None:
    position = case.position()
    checks.reads_back(position)
    assert position.game.board_text(position.state) == case.oracle.text()
    assert case.board().state == position.state


@pytest.mark.plain
def test_a_size_is_read_off_a_diagram() -> None:
    position = catalog.position(".../.../X.O/XXO", "connect4")
    assert (position.game.size, position.turn) == ("3x4", -1)


@pytest.mark.plain
def test_columns_beyond_nine_are_letters() -> None:
    position = catalog.position("9ab", "connect4", "12x4")
    assert position.game.diagram(position.state).splitlines()[-2:] == [
        ". . . . . . . . X O X .",
        "1 2 3 4 5 6 7 8 9 a b c",
    ]


@pytest.mark.plain
def test_diagram() -> None:
    position = catalog.position("4453", "connect4")
    assert position.game.diagram(position.state).splitlines() == [
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . O . . .",
        ". . O X X . .",
        "1 2 3 4 5 6 7",
    ]


@pytest.mark.plain
def test_the_preset_weights_of_the_course() -> None:
    position = catalog.position("4", "connect4", settings={"weights": "15,244,953"})
    evaluation = position.game.evaluation(position.state)
    assert evaluation.value == 7 * 15  # the seven lines through the bottom middle
    assert [term.weight for term in evaluation.terms] == [15, 244, 953]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "size", "options", "named"),
    [
        ("48", None, {}, "'8'"),
        ("4444444", None, {}, "Move 7"),
        ("11223344", None, {}, "Move 8"),
        ("startpos moves 4 x", None, {}, "Move 2"),
        ("X../...", None, {}, "air"),
        ("XXX/OOX", None, {}, "4 X and 2 O"),
        ("XO?/XOX", None, {}, "'?'"),
        ("XO/X", None, {}, "Row 2"),
        ("XO/XO", "7x6", {}, "7x6"),
        ("OOOO/XXXX", None, {}, "X has 4"),
        ("startpos", "9x9", {}, "9x9"),
        ("startpos", "0x4", {}, "0"),
        ("startpos", "7", {}, "'7'"),
        ("startpos", "7x6x4", {}, "7x6x4"),
        ("startpos", "-7x6", {}, "-7x6"),
        ("startpos", None, {"k": "1"}, "k must be from 2 to 7"),
        ("startpos", None, {"k": "four"}, "'four'"),
        ("startpos", None, {"weights": "1,2"}, "3 whole numbers"),
        ("startpos", None, {"weights": "1,2,x"}, "'1,2,x'"),
        ("startpos", None, {"weights": "1,2,3000000"}, "100,000"),
    ],
)
def test_bad_input_is_named(text: str, size: str | None, options: dict[str, str], named: str) -> None:
    with pytest.raises(InputError) as error:
        catalog.position(text, "connect4", size, options)
    assert named in str(error.value)
    assert checks.is_sentence(str(error.value))


@pytest.mark.plain
def test_a_space_between_columns_is_read_over_or_named() -> None:
    """The sentence once said that the text has '', which is nothing."""
    try:
        assert catalog.position("44 4", "connect4").text == "444"
    except InputError as error:
        message = str(error)
        assert "''" not in message


@pytest.mark.plain
@given(st.integers(1, 32), st.integers(1, 32))
def test_every_size_works_or_says_why_not(width: int, height: int) -> None:
    size = f"{width}x{height}"
    if width * (height + 1) <= 64:
        position = catalog.position("startpos", "connect4", size)
        assert len(position.game.legal_moves(position.state)) == width
    else:
        with pytest.raises(InputError, match="does not fit"):
            catalog.position("startpos", "connect4", size)

"""SameGame and Morpion Solitaire: rules, scores and notation as the independent oracles have them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError
from tests.engines import checks
from tests.naive import games as naive
from tests.naive.one_player import Morpion, Point, SameGame, name, point_of
from tests.strategies import Case, Pick, played
from tests.thorough import examples

CROSS_PERFT = {"5D": (28, 740), "5T": (28, 748)}
"""Published nowhere: counted by the oracle, which a test below repeats."""


def samegame(pick: Pick, longest: int = 15) -> Case:
    """Some board, with some moves made."""
    width, height, colours = pick(1, longest), pick(1, longest), pick(2, 7)
    penalty = bool(pick(0, 1))
    rows = ["".join("ABCDEFG"[pick(0, colours - 1)] for _ in range(width)) for _ in range(height)]
    oracle = SameGame.read(rows, penalty)
    start = Case("samegame", "/".join(rows), (), oracle, None, {"penalty": str(penalty)})
    return played(start, 12, False, pick)


def morpion(pick: Pick, most: int = 30) -> Case:
    """A game that has gone on for a while."""
    touching = bool(pick(0, 1))
    return played(Case("morpion", "startpos", (), Morpion.start(touching), "5T" if touching else "5D"), most, False, pick)


@st.composite
def cases(draw: st.DrawFn, of: Callable[[Pick], Case]) -> Case:
    return of(lambda low, high: draw(st.integers(low, high)))


@settings(max_examples=examples(60))
@given(cases(samegame))
def test_samegame_has_the_rules_of_the_oracle(case: Case) -> None:
    checks.agree_on_rules(case)
    assert case.board().state == case.position().state
    assert case.board().game.line_choices(case.board().state) == case.oracle.moves()
    checks.reads_back(case.position())


@settings(max_examples=examples(10))
@given(cases(morpion))
def test_morpion_has_the_rules_of_the_oracle(case: Case) -> None:
    checks.agree_on_rules(case)
    assert case.board().state == case.position().state
    checks.reads_back(case.position())


@settings(max_examples=examples(25))
@given(cases(lambda pick: samegame(pick, 7)))
def test_compiled_samegame_too(case: Case) -> None:
    checks.agree_on_compiled_rules(case)


@settings(max_examples=examples(6))
@given(cases(lambda pick: morpion(pick, 12)))
def test_compiled_morpion_too(case: Case) -> None:
    checks.agree_on_compiled_rules(case)


@pytest.mark.parametrize("size", ["5D", "5T"])
def test_the_cross_has_28_moves_in_pairs_and_fours(size: str) -> None:
    start = catalog.position("startpos", "morpion", size)
    names = start.game.line_choices(start.state)
    lines = {frozenset(map(point_of, line.split("-"))) for line in names}
    assert len(lines) == 28

    def turned(point: Point) -> Point:
        return 31 - point[1], point[0]

    def mirrored(point: Point) -> Point:
        return 31 - point[0], point[1]

    for image in (turned, mirrored):
        assert {frozenset(map(image, line)) for line in lines} == lines
    assert (checks.count(start, 1), checks.count(start, 2)) == CROSS_PERFT[size]
    assert naive.perft(Morpion.start(size == "5T"), 2) == CROSS_PERFT[size][1]
    assert name((0, 0)) == "a1"


@pytest.mark.plain
def test_scores_of_samegame_by_hand() -> None:
    def score(text: str, **settings: str) -> float:
        position = catalog.position(text, "samegame", None, settings)
        assert position.is_over
        return position.game.shown_value(position.result)

    assert score("AAA/AAA moves a1") == 16 + 1000
    assert score("ABA/ABA moves b1 a1") == 0 + 4 + 1000  # the columns close up
    assert score("BAB/BAB/BBB moves a1 a1") == 25 + 0 + 1000
    assert score("AAB/AAC moves a1") == 4
    assert score("AAB/AAC moves a1", penalty="true") == 4 - 1 - 1
    assert score("AB/BA") == 0
    assert score("A.../AABC moves a1") == 1
    assert catalog.position("AAB/AAC moves a2", "samegame").played == catalog.position("AAB/AAC moves b1", "samegame").played


@pytest.mark.plain
def test_boards_are_dealt_from_a_number() -> None:
    def board(text: str, **settings: str) -> str:
        position = catalog.position(text, "samegame", "6x4", settings)
        return position.game.board_text(position.state)

    assert board("deal 7") == board("deal 7") == board("startpos", deal="7")
    assert len({board(f"deal {number}") for number in range(50)}) == 50
    assert set(board("deal 1", colours="2")) == set("AB/")
    whole = catalog.position("startpos", "samegame")
    letters = whole.game.board_text(whole.state)
    assert all(25 <= letters.count(colour) <= 65 for colour in "ABCDE")


@pytest.mark.plain
def test_digits_are_colours_too() -> None:
    rows = "0 1 1\n2 0 1"
    assert catalog.position(rows, "samegame").state == catalog.position("ABB/CAB", "samegame").state
    assert catalog.position("011/201", "samegame").game.size == "3x2"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("samegame", "AA/A", "Row 2"),
        ("samegame", "AX/AA", "'X'"),
        ("samegame", "AA/.A", "column a cells hang"),
        ("samegame", "A.A", "Column b is empty"),
        ("samegame", "A" * 16, "at most 15"),
        ("samegame", "AAB/AAC moves c1", "no neighbour"),
        ("samegame", "AAB/AAC moves a1 a1", "after the end"),
        ("samegame", "AAB/AAC/BBA moves z9", "not a cell"),
        ("samegame", "AA.. moves d1", "is empty"),
        ("morpion", "something", "cross"),
        ("morpion", "startpos moves a1-e1", "not a legal line"),
        ("morpion", "startpos moves hello", "by its ends"),
        ("morpion", "cross o11-o15 o11-o15", "Line 2"),
        ("morpion", "startpos moves a1", "new dot"),
    ],
)
def test_what_is_wrong_is_said(game: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as problem:
        catalog.position(text, game)
    assert checks.is_sentence(str(problem.value))


@pytest.mark.plain
def test_a_line_is_written_either_way_or_by_its_dot() -> None:
    start = catalog.position("startpos", "morpion")
    assert start.game.read_move(start.state, "o15-o11") == start.game.read_move(start.state, "O11-o15")
    assert start.game.read_move(start.state, "o11") == start.game.read_move(start.state, "o11-o15")
    moves = "q18-u18 q15-u15 r17-r21 l15-p15 r12-r16 o14-s18 q12-u16 o12-o16"
    later = catalog.position(f"startpos moves {moves}", "morpion")
    with pytest.raises(InputError, match="can belong to s14-o18 or n15-r19"):
        later.game.read_move(later.state, "p17")


def test_two_player_searches_refuse_a_single_player() -> None:
    for game in ("samegame", "morpion"):
        start = catalog.position("startpos", game)
        assert set(catalog.algorithms_for(game)) >= {"minimax", "random", "monte-carlo", "uct", "nested", "nrpa"}
        for algorithm in ("alphabeta", "ppa"):
            refused = catalog.misfit(catalog.algorithm(algorithm), start)
            assert refused is not None
            assert "has one player" in refused
    refused = catalog.misfit(catalog.algorithm("nrpa"), catalog.position("startpos", "connect4"))
    assert refused is not None
    assert "Connect 4 has two players" in refused

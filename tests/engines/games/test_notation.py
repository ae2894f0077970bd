"""Any text at all is either a position that reads back, or one sentence that says what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import example, given, note, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError
from tests.engines import checks
from tests.strategies import GAMES, cases
from tests.thorough import examples

ODD = "²٣½\x00\x1b\t\n\r ./-:,()[]<>'\"\\+eE_XOwbx0123456789aAzİ♟"
"""Letters that notations use, and some that only look like them."""
PIECES = ["startpos", " moves ", "/", "\n", " w", " b", "X", "O", ".", "8", "(", ")", "1", "a1", "a2a3", "min(", "A:", "²"]

near_misses = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def reads_or_says_why(text: str, game: str, size: str | None = None) -> None:
    note(f"{game} {size or ''}: {text!r}")
    try:
        with checks.within(10):
            position = catalog.position(text, game, size)
    except InputError as error:
        message = str(error)
        note(message)
    else:
        checks.reads_back(position)
        return
    assert checks.is_sentence(message)


@pytest.mark.parametrize("game", catalog.GAMES)
@settings(max_examples=examples(200))
@given(st.one_of(st.text(max_size=30), st.text(ODD, max_size=30), near_misses))
@example("")
@example("startpos moves")
@example(" moves a1")
@example("moves moves moves")
@example("9" * 5000)
@example("(" * 5000)
@example("X" * 50_000)
def test_any_text(game: str, text: str) -> None:
    reads_or_says_why(text, game)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(100))
@given(st.data())
def test_correct_text_with_one_slip(game: str, data: st.DataObject) -> None:
    case = data.draw(cases(game, "small"))
    text = case.text if game == "tree" or data.draw(st.booleans()) else case.oracle.text()
    place = data.draw(st.integers(0, len(text)))
    left_out = data.draw(st.integers(0, 2))
    put_in = data.draw(st.text(ODD, max_size=2))
    reads_or_says_why(text[:place] + put_in + text[place + left_out :], game, data.draw(st.sampled_from([case.size, None])))


@pytest.mark.parametrize("game", [game for game in catalog.GAMES if catalog.game(game).default_size])
@settings(max_examples=examples(100))
@given(st.one_of(st.text(max_size=12), st.text("0123456789xX, ²٣-", max_size=9)))
@example("99999999999999999999x1")
def test_any_size(game: str, size: str) -> None:
    reads_or_says_why("startpos", game, size)


@pytest.mark.parametrize("game", catalog.GAMES)
@settings(max_examples=examples(50))
@given(st.one_of(st.text(max_size=12), st.text(ODD, max_size=6)))
def test_any_move(game: str, written: str) -> None:
    position = catalog.position("startpos", game)
    if written.strip().lower() in position.game.line_choices(position.state):
        return
    with pytest.raises(InputError, match=r"legal"):
        position.game.read_move(position.state, written)


@pytest.mark.parametrize(
    ("game", "ways"), [("connect4", ["7x6", "7X6", " 7 x 6", "7,6"]), ("tictactoe", ["3x3x3", "3,3,3"])]
)
def test_a_size_is_written_in_one_way_whatever_was_typed(game: str, ways: list[str]) -> None:
    assert {catalog.position("startpos", game, way).game.size for way in ways} == {ways[0]}


@pytest.mark.parametrize("game", catalog.GAMES)
@settings(max_examples=examples(30))
@given(st.text(max_size=12))
def test_any_setting(game: str, typed: str) -> None:
    for parameter in catalog.game(game).parameters:
        message = f"{parameter.name}."
        try:
            catalog.position("startpos", game, settings={parameter.name: typed})
        except InputError as error:
            message = str(error)
        assert parameter.name in message
        assert message.endswith(".")


@pytest.mark.parametrize(("known", "names"), [(catalog.game, catalog.GAMES), (catalog.algorithm, catalog.ALGORITHMS)])
def test_unknown_names_get_the_nearest(known: object, names: list[str]) -> None:
    assert callable(known)
    for name in names:
        assert known(name).id == name
    with pytest.raises(InputError) as error:
        known(names[0] + "x")
    assert f"Did you mean {names[0]}?" in str(error.value)
    assert "lists all" in str(error.value)
    assert sum(name in str(error.value).split() for name in names) == 0, "not twenty names"


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3",
        "1.e4 e5 2.Nf3 *",
        "1 e4 e5 2 Nf3",
        "e4 e5 Nf3\u203c",
        "e2e4 e7e5 g1f3",
        "1. e2-e4! {best by test} e7-e5 (1... c5 (1... e6) 2. d4) 2. Nf3 $1 1-0",
        "startpos moves 1. e4 e5 2. Nf3",
    ],
)
def test_a_line_of_chess_is_a_position(text: str) -> None:
    assert catalog.position(text, "chess").text == "startpos moves e2e4 e7e5 g1f3"


def test_marks_behind_a_move_that_a_person_types() -> None:
    game = catalog.position("startpos", "chess").game
    for text in ("Nf3!", "Nf3\u203c", "g1f3?!", "Nf3\u2049"):
        assert game.move_text(game.start(), game.read_move(game.start(), text)) == "g1f3"

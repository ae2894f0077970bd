"""Limits and parameters: what a person may ask for, and what is said to one who asks for something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit, Parameter, shown
from tests.engines import checks

pytestmark = pytest.mark.plain

SWITCH = Parameter(name="quickest", default=True, sentence="")
WHOLE = Parameter(name="k", default=4, low=2, high=7, sentence="")
NUMBER = Parameter(name="K", default=0.4, low=0, sentence="")
CHOICE = Parameter(name="table", default="big", choices=("big", "small"), sentence="")


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (SWITCH, "on", True),
        (SWITCH, "False", False),
        (WHOLE, "7", 7),
        (NUMBER, "1.5", 1.5),
        (CHOICE, "small", "small"),
    ],
)
def test_what_is_typed_is_read(parameter: Parameter, text: str, value: object) -> None:
    assert parameter.read(text) == value


@pytest.mark.parametrize(
    ("parameter", "text", "named"),
    [
        (SWITCH, "maybe", "true or false, not 'maybe'"),
        (WHOLE, "8", "from 2 to 7, not '8'"),
        (WHOLE, "4.5", "whole number"),
        (WHOLE, "9" * 5000, "k is"),
        (NUMBER, "-1", "from 0"),
        (NUMBER, "nan", "'nan'"),
        (CHOICE, "huge", "Choose from big and small"),
    ],
)
def test_what_cannot_be_read_is_named(parameter: Parameter, text: str, named: str) -> None:
    with pytest.raises(InputError) as error:
        parameter.read(text)
    assert named in str(error.value)
    assert checks.is_sentence(str(error.value))


@pytest.mark.parametrize(
    "limit",
    [
        {"depth": -1},
        {"depth": 241},
        {"nodes": 0},
        {"nodes": 2**63},
        {"iterations": 0},
        {"seconds": 0},
        {"seconds": -1.0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
    ],
)
def test_limits_that_make_no_sense(limit: dict[str, float]) -> None:
    with pytest.raises(InputError) as error:
        Limit(**limit)  # type: ignore[arg-type]
    assert checks.is_sentence(str(error.value))
    assert next(iter(limit)) in str(error.value)


@given(st.text())
def test_a_persons_own_text_stays_short_and_on_one_line(text: str) -> None:
    quoted = shown(text)
    assert len(quoted) <= 45
    assert quoted.isprintable()


@pytest.mark.parametrize("algorithm", catalog.ALGORITHMS)
def test_every_algorithm_has_a_card_and_a_summary(algorithm: str) -> None:
    card = catalog.card(algorithm)
    found = catalog.algorithm(algorithm)
    assert card.startswith(found.name)
    for heading in ("**Idea.**", "**In short.**", "**Cost.**", "**Watch.**"):
        assert heading in card
    assert found.summary
    for parameter in found.parameters:
        assert parameter.sentence.endswith(".")


@pytest.mark.parametrize("game", catalog.GAMES)
def test_every_game_says_what_it_is(game: str) -> None:
    found = catalog.game(game)
    assert found.id == game
    assert found.sentence.endswith(".")
    assert all(parameter.sentence.endswith(".") for parameter in found.parameters)
    assert catalog.algorithms_for(game)


def test_settings_are_told_apart() -> None:
    both = {"misere": "true", "quickest": "off"}
    assert catalog.split_settings(both, "breakthrough", "alphabeta") == ({"misere": "true"}, {"quickest": "off"})
    with pytest.raises(InputError, match="Choose from misere, weights, quickest"):
        catalog.split_settings({"speed": "9"}, "breakthrough", "alphabeta")

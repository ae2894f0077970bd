"""Terms of a match have the same bounds and the same sentences wherever they are given."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract import InputError
from workbench.matches.terms import make_terms, read_sprt, read_terms, typed_terms

pytestmark = pytest.mark.plain

IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "games 0": {"games": 0},
    "games 1000001": {"games": 1_000_001},
    "plies 0": {"plies": 0},
    "plies 10001": {"plies": 10_001},
    "sprt 5:5": {"sprt": "5:5"},
    "sprt 0:2001": {"sprt": "0:2001"},
    "sprt -2001:0": {"sprt": "-2001:0"},
    "sprt 0:nan": {"sprt": "0:nan"},
    "sprt 1:2:3": {"sprt": "1:2:3"},
    "sprt five": {"sprt": "five"},
    "adjudicate nobody": {"adjudicate": "nobody"},
}


@pytest.mark.parametrize("typed", IMPOSSIBLE)
def test_what_is_impossible_is_so_for_the_command_and_for_the_app_in_the_same_words(typed: str) -> None:
    with pytest.raises(InputError) as command:
        make_terms(**{"games": 2, "seed": 1, **IMPOSSIBLE[typed]})
    with pytest.raises(InputError) as app:
        read_terms(typed)
    assert str(command.value) == str(app.value)


@pytest.mark.parametrize("error", [0.00001, 0.5, float("nan")])
def test_errors_of_a_test_have_bounds(error: float) -> None:
    with pytest.raises(InputError, match=r"from 0\.0001 to 0\.4"):
        read_sprt("0:10", alpha=error)
    with pytest.raises(InputError, match=r"from 0\.0001 to 0\.4"):
        read_sprt("0:10", beta=error)


def test_the_same_terms_come_out_of_options_and_of_a_line() -> None:
    terms, limit, openings = read_terms("games 6, seed -3, plies 80, sprt -5:10, adjudicate both, gauntlet, depth 2")
    assert terms == make_terms(6, -3, True, "both", 80, "-5:10")
    assert (limit.depth, openings) == (2, "random")
    assert read_terms(typed_terms(terms, limit, openings) + ", plies 80") == (terms, limit, openings)

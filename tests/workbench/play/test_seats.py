"""Who plays which side, from the words that a user names them by."""

from __future__ import annotations

import pytest

from engines import catalog
from engines.contract import InputError, Limit
from workbench.play.seats import Seats, SeatWishes, opponents, read_seat, read_side, seat_text, usual_level

CONNECT4 = catalog.position("startpos", "connect4")


def texts(seats: Seats) -> tuple[str, str]:
    return seat_text(seats[0]), seat_text(seats[1])


def test_seats_are_read_back() -> None:
    for text in ("you", "level:3", "deepening:depth=4", "uct:iterations=50:k=0.3"):
        assert seat_text(read_seat(text, "connect4")) == text
    assert seat_text(read_seat("3", "connect4")) == "level:3"
    assert seat_text(read_seat("alphabeta", "connect4")) == "alphabeta:nodes=200000"
    with pytest.raises(InputError, match="is not a player"):
        read_seat("somebody", "connect4")


def test_the_usual_opponent_is_a_level_below_the_middle() -> None:
    assert texts(SeatWishes().seats(CONNECT4, {})) == ("you", usual_level(CONNECT4).title)


def test_an_opponent_takes_the_other_side() -> None:
    assert texts(SeatWishes(level=3).seats(CONNECT4, {})) == ("you", "level:3")
    assert texts(SeatWishes(level=3, side="O").seats(CONNECT4, {})) == ("level:3", "you")
    wishes = SeatWishes(algorithm="deepening", limit=Limit(depth=4))
    assert wishes.settings_of == "deepening"
    assert texts(wishes.seats(CONNECT4, {"table": "8"})) == ("you", "deepening:depth=4:table=8")


def test_sides_are_named_one_by_one() -> None:
    assert texts(SeatWishes(first="level:2", second="level:5").seats(CONNECT4, {})) == ("level:2", "level:5")
    assert texts(SeatWishes(first="you", second="you").seats(CONNECT4, {})) == ("you", "you")
    assert texts(SeatWishes(first="3").seats(CONNECT4, {})) == ("level:3", "you")


def test_settings_belong_to_the_only_algorithm() -> None:
    assert SeatWishes(first="best=deepening:depth=6").settings_of == "deepening"
    assert SeatWishes(first="you", second="uct").settings_of == "uct"
    for wishes in (SeatWishes(), SeatWishes(first="3"), SeatWishes(level=3), SeatWishes(first="uct", second="pvs")):
        assert wishes.settings_of is None


def test_wishes_that_contradict() -> None:
    with pytest.raises(InputError, match="not both"):
        SeatWishes(level=3, algorithm="uct")
    with pytest.raises(InputError, match="its own limit"):
        SeatWishes(level=3, limit=Limit(depth=4))
    with pytest.raises(InputError, match="Two opponents"):
        SeatWishes(second="uct", level=3).seats(CONNECT4, {})


def test_sides_have_names_of_their_game_and_names_in_all_games() -> None:
    assert [read_side(name, CONNECT4) for name in ("first", "X", "white", "second", "o", "Black")] == [0, 0, 0, 1, 1, 1]
    breakthrough = catalog.position("startpos", "breakthrough")
    assert [read_side(name, breakthrough) for name in breakthrough.game.players] == [0, 1]
    with pytest.raises(InputError, match=r"A side is X \(first\) or O"):
        read_side("left", CONNECT4)


def test_a_session_is_named_after_the_players() -> None:
    assert opponents((None, None)) == "a person"
    assert opponents((None, read_seat("uct", "connect4"))) == "uct"
    assert opponents((read_seat("uct", "connect4"), read_seat("pvs", "connect4"))) == "uct and pvs"

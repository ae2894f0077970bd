"""The large pictures of men: each is told from every other, and fits the room it is made for."""

from __future__ import annotations

from itertools import combinations

import pytest

from workbench.render.men.sprites import DISC, GROUND, LARGEST, MAN, NUMBER, RIM, Pixels, doubled, on_square, sprite

CHESSMEN = "♚♛♜♝♞♟"
STONES = "❶❷❸❹❺❻"
LETTERS = "ABCDEFGXOZ"
LEAST_DIFFERENCE = 2
"""Pixels in which two pictures of one size differ at least."""


def differences(one: Pixels, other: Pixels) -> int:
    return sum(a != b for row, other_row in zip(one, other, strict=True) for a, b in zip(row, other_row, strict=True))


@pytest.mark.parametrize("room", range(1, LARGEST + 5))
def test_a_picture_fits_its_room(room: int) -> None:
    for name in CHESSMEN + STONES + LETTERS + DISC:
        picture = sprite(name, room)
        assert len(picture) <= room
        assert all(len(row) == len(picture[0]) for row in picture), name
        assert {pixel for row in picture for pixel in row} <= {MAN, NUMBER, GROUND}


@pytest.mark.parametrize("room", range(5, LARGEST + 1))
def test_no_two_pictures_are_alike(room: int) -> None:
    for names in (CHESSMEN, LETTERS):
        pictures = {name: sprite(name, room) for name in names}
        assert all(pictures.values()), f"one of {names} has no picture for {room} pixels"
        for one, other in combinations(names, 2):
            assert differences(pictures[one], pictures[other]) >= LEAST_DIFFERENCE, (one, other)
    if room >= 7:
        for one, other in combinations(STONES, 2):
            assert differences(sprite(one, room), sprite(other, room)) >= LEAST_DIFFERENCE


@pytest.mark.parametrize("room", range(5, LARGEST + 1))
def test_pictures_grow_with_their_room(room: int) -> None:
    for name in CHESSMEN + DISC:
        assert len(sprite(name, room)) >= 0.6 * room, name


@pytest.mark.parametrize("name", "❶♛K?·")
def test_what_cannot_be_drawn_has_no_picture(name: str) -> None:
    assert sprite(name, 4) == ()
    assert on_square(name, 4, 6, 3) == ()


@pytest.mark.parametrize("lines", range(3, 19))
def test_a_square_holds_a_man_and_a_rim_around_it(lines: int) -> None:
    for name in CHESSMEN + STONES + LETTERS + DISC:
        pixels = on_square(name, 2 * lines - 1, 2 * lines, lines)
        assert pixels, f"{name} has no picture on {lines} lines"
        assert (len(pixels), {len(row) for row in pixels}) == (2 * lines, {2 * lines})
        for above, below in zip(pixels[::2], pixels[1::2], strict=True):
            for cell in zip(above, below, strict=True):
                assert set(cell) not in ({MAN, GROUND}, {NUMBER, GROUND}, {NUMBER, RIM}), "man and square touch"


def test_doubling_smooths_slopes() -> None:
    assert doubled(("#..", "##.", "###")) == ("##....", "###...", "###...", "#####.", "######", ".#####")

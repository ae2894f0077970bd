"""The picture of one man: a valid drawing for all men of all games with squares, that can be seen on its square."""

from __future__ import annotations

import io
from collections import Counter
from xml.etree import ElementTree

import pytest
from PIL.Image import open as read_image
from resvg_py import svg_to_bytes

from workbench.drawing.man import CHESS, STROKES, Man, ManPicture, has_picture, man_svg
from workbench.render.men.colours import contrast
from workbench.render.men.sprites import DISC

NUMBERS = "❶❷❸❹❺❻"
NAMES = (*CHESS, DISC, *NUMBERS, "X", "O", "Z")
BROWN, BLUE, YELLOW = "#8f7045", "#4679ab", "#f5b82e"


def pixels(picture: ManPicture) -> Counter[str]:
    """How many pixels of each colour there are."""
    image = read_image(io.BytesIO(bytes(svg_to_bytes(svg_string=man_svg(picture), skip_system_fonts=True)))).convert("RGB")
    assert image.size == (picture.width, picture.height)
    data = image.tobytes()
    return Counter("#" + data[at : at + 3].hex() for at in range(0, len(data), 3))


def test_every_man_and_nothing_else_has_a_picture() -> None:
    assert all(map(has_picture, NAMES))
    assert not any(map(has_picture, ("", "♙ ", "A", "w", ".", "Q")))
    assert set(STROKES) == {*"123456XOZ"}


@pytest.mark.parametrize("name", NAMES)
def test_a_man_can_be_seen_on_its_square(name: str) -> None:
    ink = "#ffffff"
    found = pixels(ManPicture(Man(name, ink, BROWN, BROWN), 88, 80, 8))
    ElementTree.fromstring(man_svg(ManPicture(Man(name, ink, BROWN, BROWN), 88, 80, 8)))
    assert found[ink] > 400
    assert found[BROWN] > 400
    assert contrast(ink, BROWN) >= 4.5


@pytest.mark.parametrize("name", CHESS)
def test_a_piece_of_black_is_black(name: str) -> None:
    found = pixels(ManPicture(Man(name, "#000000", BLUE, BLUE), 88, 80, 8))
    assert found["#000000"] > 400
    assert found["#000000"] > found["#ffffff"]


def test_a_man_stands_on_its_own_colour_where_a_mark_would_hide_it() -> None:
    found = pixels(ManPicture(Man("♟", "#ffffff", BROWN, YELLOW), 88, 80, 8))
    assert found[BROWN] > 1000
    assert found[YELLOW] > 500


def test_the_number_on_a_stone_is_white() -> None:
    found = pixels(ManPicture(Man("❸", "#b8000f", BLUE, BLUE), 88, 80, 8))
    assert found["#ffffff"] > 150
    assert found["#b8000f"] > 1000


def test_a_bracket_shows_the_cursor_beside_the_man() -> None:
    without = pixels(ManPicture(Man("♟", "#ffffff", YELLOW, YELLOW), 88, 80, 8))
    beside = pixels(ManPicture(Man("♟", "#ffffff", YELLOW, YELLOW, "#000000"), 88, 80, 8, 40))
    assert without[YELLOW] > beside[YELLOW] + 5

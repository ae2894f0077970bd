"""Themes: found by name, remembered, and without colours that colour-blind people take for each other."""

from __future__ import annotations

import asyncio
from itertools import combinations
from math import dist

import pytest
from rich.color import ANSI_COLOR_NAMES

from engines.contract import InputError
from tests.workbench.conftest import Plybench
from workbench.app.app import PlybenchApp
from workbench.app.themes import DARK, LIGHT, SAFE, SAFE_COLOURS, THEMES, theme_named
from workbench.render.men import colours
from workbench.render.men.colours import linear
from workbench.settings import read_theme, settings_path, write_setting, write_theme

# How people without one kind of cones see linear red, green and blue (Viénot, Brettel and Mollon 1999).
PROTAN = ((0.1124, 0.8876, 0.0), (0.1124, 0.8876, 0.0), (0.0040, -0.0040, 1.0))
DEUTAN = ((0.2928, 0.7072, 0.0), (0.2928, 0.7072, 0.0), (-0.0223, 0.0223, 1.0))
LEAST_DISTANCE = 15.0
"""How far apart two colours with different meanings are at least, in CIELAB; 2.3 is a difference that can just be seen."""


def lab(colour: str, eye: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """A colour in CIELAB as an eye sees it."""
    light = [linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5)]
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in eye)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0891
    a, b, c = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def assert_told_apart(palette: list[str]) -> None:
    for eye in (PROTAN, DEUTAN):
        for one, other in combinations(palette, 2):
            assert dist(lab(one, eye), lab(other, eye)) >= LEAST_DISTANCE, (one, other, eye)


def test_the_colour_blind_theme_has_no_red_green_pair() -> None:
    words = ("red", "green", "yellow")
    names = [SAFE_COLOURS.ansi_colors[ANSI_COLOR_NAMES[word]] for word in words]
    assert_told_apart([f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in names])
    assert_told_apart([str(SAFE.success), str(SAFE.warning), str(SAFE.error)])


def test_a_red_green_pair_would_be_found() -> None:
    with pytest.raises(AssertionError):
        assert_told_apart(["#c05050", "#6f8a3a"])


def test_colours_of_letters_and_of_players_are_told_apart_in_every_theme() -> None:
    assert_told_apart([ground for ground, _ in colours.OF_LETTERS.values()])
    assert_told_apart([colours.OF_WORDS["Red"], colours.OF_WORDS["Blue"]])
    assert_told_apart([colours.OF_WORDS["White"], colours.OF_WORDS["Black"]])
    assert_told_apart(list(colours.OF_OTHERS))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("dark", DARK.name),
        ("Plybench-Light", LIGHT.name),
        ("colour-blind", SAFE.name),
        ("color blind", SAFE.name),
        ("nord", "nord"),
    ],
)
def test_a_theme_is_found_by_its_name(text: str, name: str) -> None:
    assert theme_named(text) == name


@pytest.mark.parametrize("text", ["", "x" * 5000, "drak", "\x1b[31m", "plybench-"])
def test_a_theme_that_is_not_there_is_refused_with_the_nearest_one(text: str) -> None:
    with pytest.raises(InputError, match="There is no theme") as refused:
        theme_named(text)
    assert "colour-blind-safe" in str(refused.value)
    assert len(str(refused.value)) < 700
    assert text != "drak" or "Did you mean dark?" in str(refused.value)


@pytest.mark.parametrize("words", [("--theme", "drak"), ("open", "startpos", "--theme", "drak")])
def test_commands_refuse_an_unknown_theme(plybench: Plybench, words: tuple[str, ...]) -> None:
    answer = plybench(*words)
    assert answer.code == 2
    assert "There is no theme 'drak'" in answer.err
    assert "Did you mean dark?" in answer.err


def test_a_theme_goes_with_no_other_command(plybench: Plybench) -> None:
    answer = plybench("--theme", "dark", "games")
    assert answer.code == 2
    assert "--theme" in answer.err


def test_a_chosen_theme_is_remembered() -> None:
    async def choose() -> None:
        app = PlybenchApp(theme=DARK.name)
        async with app.run_test() as pilot:
            await pilot.pause()
            assert read_theme() == ""
            app.theme = LIGHT.name
            await pilot.pause()
            await pilot.pause()
            assert read_theme() == LIGHT.name

    asyncio.run(choose())


def test_the_file_keeps_what_else_is_in_it() -> None:
    write_setting("book", "/tmp/book.bin")
    write_theme(THEMES[1].name)
    write_theme(SAFE.name)
    assert settings_path().read_text().count("theme") == 1
    assert read_theme() == SAFE.name
    write_setting("book", None)
    assert read_theme() == SAFE.name


def test_a_theme_that_is_no_name_is_refused() -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("theme = 3\n")
    with pytest.raises(InputError, match="theme is not '3' but a name in quotation marks"):
        read_theme()

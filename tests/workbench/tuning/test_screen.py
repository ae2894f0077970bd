"""Tuning on the screen, by keyboard: begun, watched, changed, and what comes out kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input, Label

from engines import catalog
from engines.contract import InputError
from tests.workbench.live_screens import (
    SIZES,
    app,
    check_that_a_problem_is_said_in_full_and_once,
    ended,
    in_this_process,
    opened,
    story,
    text_of,
    typed,
)
from workbench.app.app import PlybenchApp
from workbench.app.forms.tune_terms import TuneTermsForm
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tune import TuneScreen
from workbench.app.widgets.plot import PlotView
from workbench.tuning import named_weights as presets
from workbench.tuning.desk import TuneDesk
from workbench.tuning.terms import read_terms, typed_terms


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with in_this_process(monkeypatch, tmp_path):
        yield


@pytest.mark.parametrize("size", SIZES)
@story
async def test_tuning_from_beginning_to_end(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        screen = await opened(pilot, "T")
        assert isinstance(screen, TuneScreen)
        await typed(pilot, "l", "population 4, generations 3, depth 1, seed 1")
        await pilot.press("k")
        await pilot.pause()
        await pilot.press("space")
        await ended(screen, pilot)
        shown = text_of(screen)
        found = screen.work.outcome
        assert found.complete
        assert found.acceptance is not None
        for words in ("generation 3/3", "Fitness", "Diversity", "Population", "best", "accepted"):
            assert words in shown
        assert screen.query_one("#fitness-plot", PlotView).plot is not None
        await typed(pilot, "k", "mine")
        assert found.best is not None
        assert presets.kept_weights("connect4")["mine"] == ",".join(map(str, found.best))
        assert "kept as mine" in str(text_of(screen))


@story
async def test_what_is_wrong_stands_beside_its_field_and_nothing_is_lost() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "T")
        assert isinstance(screen, TuneScreen)
        before = screen.work.terms_text
        await typed(pilot, "l", "population 3, depth deep, seed 7")
        form = pilot.app.screen
        assert "from 4 to 200" in str(form.query_one("#error-population", Label).render())
        assert "'deep'" in str(form.query_one("#error-depth", Label).render())
        assert form.focused is form.query_one("#field-population")
        await pilot.press("escape")
        await pilot.pause()
        assert screen.work.terms_text == before
        await pilot.press("l")
        await pilot.pause()
        form = pilot.app.screen
        assert [form.query_one(f"#field-{name}", Input).value for name in ("population", "depth", "seed")] == [
            "3",
            "deep",
            "7",
        ]
        for name, value in (("population", "6"), ("depth", "2")):
            form.query_one(f"#field-{name}", Input).value = value
            await pilot.pause()
        await pilot.press("ctrl+s")
        await pilot.pause(0.1)
        assert screen.is_current
        for words in ("population 6", "depth 2", "seed 7"):
            assert words in screen.work.terms_text


def test_the_form_of_terms_and_their_line_are_the_same() -> None:
    form, text = TuneTermsForm(), typed_terms(read_terms("population 8, mutation 0.1, seed 9"))
    assert form.text(form.values(text)) == text
    assert set(form.values("")) == {field.name for row in form.rows() for field in row}


@story
async def test_what_goes_wrong_is_said_in_full_and_once() -> None:
    await check_that_a_problem_is_said_in_full_and_once("T")


@story
async def test_a_game_without_weights_cannot_be_tuned() -> None:
    async with PlybenchApp(catalog.position("startpos", "tictactoe")).run_test(size=(80, 24)) as pilot:
        while not isinstance(pilot.app.screen, AnalyseScreen):
            await pilot.pause()
        await pilot.press("T")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AnalyseScreen)
        assert any("no weights" in str(one.message) for one in pilot.app._notifications)


def test_terms_are_read_as_they_are_shown() -> None:
    tuning = TuneDesk(catalog.position("startpos", "connect4").game)
    tuning.agree("population 8, generations 5, mutation 0.1, seed 9")
    assert read_terms(tuning.terms_text) == tuning.terms
    for text in ("population 3", "population many", "colour red"):
        with pytest.raises(InputError, match=r"population|colour"):
            tuning.agree(text)

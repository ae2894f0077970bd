"""Matches on the screen, by keyboard: begun, watched, stopped, changed, and what comes out kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, Label, Select

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
from workbench.analysis.desk import Desk
from workbench.app.dialogs.algorithm import AlgorithmDialog
from workbench.app.forms.contestants import ContestantsForm
from workbench.app.forms.match_terms import MatchTermsForm
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.job_screen import thinned
from workbench.app.screens.match import MatchScreen
from workbench.app.widgets.plot import PlotView
from workbench.matches.desk import MatchDesk
from workbench.matches.terms import read_terms


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with in_this_process(monkeypatch, tmp_path):
        yield


@pytest.mark.parametrize("size", SIZES)
@story
async def test_a_match_from_beginning_to_end(size: tuple[int, int], tmp_path: Path) -> None:
    async with app().run_test(size=size) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        await typed(pilot, "a", "alphabeta other=alphabeta:depth=1:weights=100,10,1")
        await typed(pilot, "l", "games 8, depth 2, seed 1, openings random:2, sprt 0:400")
        assert "other" in text_of(screen)
        await pilot.press("space")
        await ended(screen, pilot)
        shown = text_of(screen)
        assert screen.work.outcome is not None
        assert screen.work.outcome.complete
        assert f"{screen.work.outcome.done}/8 games" in shown
        for words in ("superior", "Elo", "ratio", "◆", "other", "plies"):
            assert words in shown
        assert screen.query_one("#score-plot", PlotView).plot is not None
        assert len(list((tmp_path / "data" / "matches").glob("*.jsonl"))) == 1
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AnalyseScreen)
        assert len(pilot.app.screen.desk.position.played) > 7


@story
async def test_a_match_is_stopped_and_goes_on(tmp_path: Path) -> None:
    async with app("7x6").run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        screen.work.agree("games 30, depth 1")
        screen.work.choose("alphabeta random")
        await pilot.press("space")
        while screen.work.outcome is None or screen.work.outcome.done < 3:
            await asyncio.sleep(0.005)
        await pilot.press("space")
        await ended(screen, pilot)
        before = screen.work.outcome.done
        if before < 30:
            assert not screen.work.outcome.complete
        await pilot.press("space")
        await ended(screen, pilot)
        assert screen.work.outcome.done == 30
        assert screen.work.outcome.resumed in (before, 0)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AnalyseScreen)


@story
async def test_what_goes_wrong_is_said_in_full_and_once() -> None:
    await check_that_a_problem_is_said_in_full_and_once("M")


async def write(pilot: Pilot[None], name: str, text: str) -> None:
    """Type into a field of the form."""
    field = pilot.app.screen.query_one(f"#{name}", Input)
    field.focus()
    field.value = text
    await pilot.pause()


def said(pilot: Pilot[None], name: str) -> str:
    """What stands beside a field."""
    label = pilot.app.screen.query_one(f"#{name}", Label)
    return str(label.render()) if label.display else ""


@story
async def test_what_is_wrong_stands_beside_its_field_and_nothing_is_lost() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        before = screen.work.texts
        await typed(pilot, "a", "alfabeta random")
        assert pilot.app.screen.query("#typed")
        assert "alfabeta" in said(pilot, "error-who-1")
        assert said(pilot, "error-who-2") == ""
        await pilot.press("escape")
        await pilot.pause()
        assert screen.work.texts == before
        await pilot.press("a")
        await pilot.pause()
        assert pilot.app.screen.query_one("#typed", Input).value == "alfabeta random"
        assert "not accepted" in said(pilot, "problem")
        await write(pilot, "typed", "alphabeta")
        await pilot.press("ctrl+s")
        await pilot.pause(0.1)
        assert "2 to 32" in said(pilot, "problem")
        pilot.app.screen.query_one("#field-who-3", Select).value = "random"
        await write(pilot, "field-settings-1", "depth=2")
        await write(pilot, "field-name-3", "chance")
        assert pilot.app.screen.query_one("#typed", Input).value == "alphabeta:depth=2 chance=random"
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert screen.is_current
        assert screen.work.texts == ("alphabeta:depth=2", "chance=random")

        await typed(pilot, "l", "games many, sprt 5:0, openings random:x, colour red")
        assert "colour red" in said(pilot, "error-typed")
        await write(pilot, "typed", "games many, sprt 5:0, openings random:x")
        await pilot.press("ctrl+s")
        await pilot.pause(0.1)
        assert "'many'" in said(pilot, "error-games")
        assert "5:0" in said(pilot, "error-sprt")
        assert "'x'" in said(pilot, "error-openings")
        assert said(pilot, "error-seed") == "the same seed gives the same games"
        await write(pilot, "field-games", "12")
        await write(pilot, "field-sprt", "")
        await write(pilot, "field-detail", "3")
        pilot.app.screen.query_one("#field-gauntlet", Select).value = "gauntlet"
        await pilot.pause()
        await pilot.press("ctrl+s")
        await pilot.pause(0.1)
        assert screen.is_current
        assert screen.work.terms_text == "games 12, seed 1, openings random:3, gauntlet"
        await pilot.press("o")
        await pilot.pause()
        assert screen.is_current


@story
async def test_the_settings_of_a_contestant_are_chosen_in_a_form() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        await typed(pilot, "a", "alphabeta:weights=9,9,9:depth=3 level:2")
        assert screen.work.texts == ("alphabeta:weights=9,9,9:depth=3", "level:2")
        await pilot.press("a")
        await pilot.pause()
        pilot.app.screen.query_one("#help-settings-1", Button).press()
        await pilot.pause(0.1)
        dialog = pilot.app.screen
        assert isinstance(dialog, AlgorithmDialog)
        while dialog.algorithm != "alphabeta" or not dialog.query("#limit-depth"):
            await pilot.pause(0.05)
        assert dialog.query_one("#limit-depth", Input).value == "3"
        pilot.app.screen.query_one("#limit-depth", Input).value = "2"
        await pilot.press("ctrl+s")
        await pilot.pause(0.1)
        assert pilot.app.screen.query_one("#typed", Input).value == "alphabeta:depth=2:weights=9,9,9 level:2"


@pytest.mark.parametrize(
    "text",
    [
        "games 40, seed 1, openings random",
        "games 12, depth 3, nodes 500, seed 4, openings random:3, sprt -5:10, adjudicate proof, plies 80, gauntlet",
        "games 2, iterations 9, seconds 0.5, seed 2, openings library",
        "games 2, seed 2, openings start",
        "games 2, seed 2, openings /tmp/some file.txt",
    ],
)
def test_the_form_of_terms_and_their_line_are_the_same(text: str) -> None:
    form = MatchTermsForm()
    assert form.text(form.values(text)) == text
    assert set(form.values(text)) == {field.name for row in form.rows() for field in row}
    assert read_terms(text) == read_terms(form.text(form.values(text)))


@pytest.mark.parametrize("text", ["", "a b", "deepening:depth=6 'my own=uct:iterations=20:k=0.3' level:3 x=level:2"])
def test_the_form_of_contestants_and_their_line_are_the_same(text: str) -> None:
    form = ContestantsForm(catalog.position("startpos", "connect4"), 2)
    assert form.text(form.values(text)) == text
    assert set(form.values(text)) == {field.name for row in form.rows() for field in row}


@story
async def test_what_a_file_of_openings_has_that_is_none_is_said_once_for_a_match(tmp_path: Path) -> None:
    file, whole = tmp_path / "some [b]openings.txt", tmp_path / "openings.txt"
    file.write_text("44\n45\nnonsense\n")
    whole.write_text("44\n45\n")
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        for openings, said in ((file, 1), (whole, 1), (file, 2)):
            await typed(pilot, "l", f"games 2, depth 1, openings {openings}")
            for _ in range(2):
                await pilot.press("space")
                await ended(screen, pilot)
            assert screen.work.outcome is not None
            assert screen.work.outcome.complete
            told = [one.message for one in pilot.app._notifications]
            assert len(told) == said, told
            assert all(sentence.startswith("1 of 3 lines skipped; line 3") for sentence in told)


def test_a_game_of_one_player_has_no_match() -> None:
    with pytest.raises(InputError, match="one player"):
        MatchDesk(Desk(catalog.position("startpos", "samegame")))


def test_terms_are_read_as_they_are_shown() -> None:
    desk = MatchDesk(Desk(catalog.position("startpos", "connect4")))
    desk.agree("games 12, nodes 500, seed 4, openings random:3, sprt -5:10, adjudicate proof, gauntlet, plies 80")
    terms, limit, openings = read_terms(desk.terms_text)
    assert (terms, limit, openings) == (desk.terms, desk.limit, desk.openings)


def test_long_lines_are_thinned() -> None:
    points = [(float(x), float(x % 2)) for x in range(5000)]
    assert len(thinned(points)) <= 400
    assert thinned(points)[-1] == (4999.0, 0.5)
    assert thinned(points[:5]) == points[:5]

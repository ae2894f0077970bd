"""Matches on the screen, by keyboard: begun, watched, stopped, changed, and what comes out kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

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


@story
async def test_what_cannot_be_played_is_said() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        before = screen.work.texts
        await typed(pilot, "a", "alfabeta random")
        await typed(pilot, "l", "games many")
        await typed(pilot, "l", "sprt 5:0")
        assert screen.work.texts == before
        assert len(pilot.app._notifications) == 3
        await pilot.press("o")
        await pilot.pause()
        assert pilot.app.screen is screen


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
    terms, limit, openings = read_terms(desk.terms_text + ", plies 80")
    assert (terms, limit, openings) == (desk.terms, desk.limit, desk.openings)


def test_long_lines_are_thinned() -> None:
    points = [(float(x), float(x % 2)) for x in range(5000)]
    assert len(thinned(points)) <= 400
    assert thinned(points)[-1] == (4999.0, 0.5)
    assert thinned(points[:5]) == points[:5]

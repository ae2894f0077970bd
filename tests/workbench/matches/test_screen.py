"""Matches and tuning on the screen, by keyboard: begun, watched, stopped, changed, and what comes out kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from engines import catalog
from engines.contract import InputError
from workbench.analysis.desk import Desk
from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.job_screen import LiveScreen, thinned
from workbench.app.screens.match import MatchScreen
from workbench.app.screens.tune import TuneScreen
from workbench.jobs.job import LongWork
from workbench.jobs.workers import GivenExecutor, Workers
from workbench.matches.desk import MatchDesk
from workbench.matches.terms import read_terms
from workbench.tuning import named_weights as presets
from workbench.tuning.desk import TuneDesk
from workbench.tuning.terms import read_terms as read_tuning

SIZES = [(80, 24), (160, 50)]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Games are played in a thread of this process, and kept in a directory of their own."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    with ThreadPoolExecutor(1) as executor:

        def given(work: LongWork) -> Workers:
            return GivenExecutor(executor)

        monkeypatch.setattr(LongWork, "new_workers", given)
        monkeypatch.setattr(LongWork, "compile", lambda work, algorithm, game: None)
        yield


def story(told: Callable[..., Coroutine[None, None, None]]) -> Callable[..., None]:
    """A test that waits for the app."""

    @wraps(told)
    def test(**given: object) -> None:
        asyncio.run(told(**given))

    return test


def app(size: str = "5x4") -> PlybenchApp:
    return PlybenchApp(catalog.position("startpos", "connect4", size))


async def opened(pilot: Pilot[None], key: str) -> LiveScreen:
    while not isinstance(pilot.app.screen, AnalyseScreen):
        await pilot.pause()
    await pilot.press(key)
    await pilot.pause()
    assert isinstance(pilot.app.screen, LiveScreen)
    return pilot.app.screen


async def ended(screen: LiveScreen, pilot: Pilot[None]) -> None:
    while screen.work.busy:
        await asyncio.sleep(0.02)
    screen.tick()
    await pilot.pause()


def text_of(screen: LiveScreen) -> str:
    return "\n".join(str(strip.text) for strip in screen._compositor.render_strips())


async def typed(pilot: Pilot[None], key: str, text: str) -> None:
    await pilot.press(key)
    await pilot.pause()
    field = pilot.app.screen.query_one("#typed")
    field.value = text  # type: ignore[attr-defined]
    await pilot.press("enter")
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES)
@story
async def test_a_match_from_beginning_to_end(size: tuple[int, int], tmp_path: Path) -> None:
    async with app().run_test(size=size) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        await typed(pilot, "p", "alphabeta other=alphabeta:depth=1:weights=100,10,1")
        await typed(pilot, "l", "games 8, depth 2, seed 1, openings random:2, sprt 0:400")
        assert "other" in text_of(screen)
        await pilot.press("space")
        await ended(screen, pilot)
        shown = text_of(screen)
        assert screen.work.found is not None
        assert screen.work.found.complete
        assert f"{screen.work.found.done}/8 games" in shown
        for words in ("superior", "Elo", "ratio", "◆", "other", "plies"):
            assert words in shown
        assert screen.query_one("#score-plot").display
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
        while screen.work.found is None or screen.work.found.done < 3:
            await asyncio.sleep(0.005)
        await pilot.press("space")
        await ended(screen, pilot)
        before = screen.work.found.done
        if before < 30:
            assert not screen.work.found.complete
        await pilot.press("space")
        await ended(screen, pilot)
        assert screen.work.found.done == 30
        assert screen.work.found.resumed in (before, 0)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AnalyseScreen)


@pytest.mark.parametrize("key", ["M", "T"])
@story
async def test_what_goes_wrong_is_said_in_full_and_once(key: str) -> None:
    """However little room there is at the top."""
    async with app().run_test(size=(80, 24), notifications=True) as pilot:
        screen = await opened(pilot, key)
        screen.work.problem = f"A long sentence, {'and more of it, ' * 12}to its very end."
        for _ in range(3):
            screen.tick()
            await pilot.pause()
        assert [said.message for said in pilot.app._notifications] == [screen.work.problem]
        async with asyncio.timeout(20):
            while not (toasts := list(screen.query(Toast))) or not toasts[0].region:
                await pilot.pause(0.05)
        lines = toasts[0].render_lines(Region(0, 0, *toasts[0].outer_size))
        assert "to its very end." in " ".join(line.text.strip("▌ ") for line in lines)
        assert screen.region.contains_region(toasts[0].region)


@story
async def test_what_cannot_be_played_is_said() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "M")
        assert isinstance(screen, MatchScreen)
        before = screen.work.texts
        await typed(pilot, "p", "alfabeta random")
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
            assert screen.work.found is not None
            assert screen.work.found.complete
            told = [one.message for one in pilot.app._notifications]
            assert len(told) == said, told
            assert all(sentence.startswith("1 of 3 lines skipped; line 3") for sentence in told)


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
        found = screen.work.found
        assert found.complete
        assert found.acceptance is not None
        for words in ("generation 3/3", "Fitness", "Diversity", "Population", "best", "accepted"):
            assert words in shown
        assert screen.query_one("#fitness-plot").display
        await typed(pilot, "k", "mine")
        assert found.best is not None
        assert presets.kept_weights("connect4")["mine"] == ",".join(map(str, found.best))
        assert "kept as mine" in str(text_of(screen))


@story
async def test_games_without_a_match_and_without_weights() -> None:
    async with PlybenchApp(catalog.position("startpos", "tictactoe")).run_test(size=(80, 24)) as pilot:
        while not isinstance(pilot.app.screen, AnalyseScreen):
            await pilot.pause()
        await pilot.press("T")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AnalyseScreen)
        assert any("no weights" in str(one.message) for one in pilot.app._notifications)
    with pytest.raises(InputError, match="one player"):
        MatchDesk(Desk(catalog.position("startpos", "samegame")))


def test_terms_are_read_as_they_are_shown() -> None:
    desk = MatchDesk(Desk(catalog.position("startpos", "connect4")))
    desk.agree("games 12, nodes 500, seed 4, openings random:3, sprt -5:10, adjudicate proof, gauntlet, plies 80")
    terms, limit, openings = read_terms(desk.terms_text + ", plies 80")
    assert (terms, limit, openings) == (desk.terms, desk.limit, desk.openings)
    tuning = TuneDesk(Desk(catalog.position("startpos", "connect4")))
    tuning.agree("population 8, generations 5, mutation 0.1, seed 9")
    assert read_tuning(tuning.terms_text) == tuning.terms
    for text in ("population 3", "population many", "colour red"):
        with pytest.raises(InputError, match=r"population|colour"):
            tuning.agree(text)


def test_long_lines_are_thinned() -> None:
    points = [(float(x), float(x % 2)) for x in range(5000)]
    assert len(thinned(points)) <= 400
    assert thinned(points)[-1] == (4999.0, 0.5)
    assert thinned(points[:5]) == points[:5]

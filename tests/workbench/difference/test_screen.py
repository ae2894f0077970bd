"""The Difference screen, used as a person would: from Compare, into subtrees and out again, on to Tree and Watch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from textual.pilot import Pilot

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from positions import library
from tests.examiner.searches import recorded
from tests.workbench.app.test_app import own_data
from tests.workbench.settling import AtTheKeys, begun, settled
from workbench.app.app import PlybenchApp
from workbench.app.screens.compare import CompareScreen
from workbench.app.screens.difference import DifferenceScreen
from workbench.app.screens.tree import TreeScreen
from workbench.app.screens.watch import WatchScreen
from workbench.comparison.lane_specs import named, spec_of
from workbench.comparison.lanes import Comparison
from workbench.difference.desk import DifferenceDesk
from workbench.difference.job import Comparing
from workbench.difference.types import Part
from workbench.sessions.comparison_types import LaneBudget

__all__ = ["own_data"]
SMALL, LARGE = (80, 24), (160, 50)
TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
Story = Callable[["Reader"], Coroutine[Any, Any, None]]


@cache
def kiwipete(null_move: bool) -> Recording:
    """Iterative deepening to depth 5 with null moves, or without."""
    algorithm, tape = catalog.algorithm("deepening"), new_tape(100_000)
    position, limit = library.get("chess/kiwipete").position(), Limit(depth=5, nodes=2**40)
    report = Search(position, algorithm, limit, {"null_move": null_move}, tape=tape).run_here().report()
    return Recording.of(tape, report, algorithm.view)


def comparing() -> Comparing:
    return Comparing(kiwipete(False), kiwipete(True))


class Reader(AtTheKeys):
    """Somebody who reads a difference."""

    @property
    def screen(self) -> DifferenceScreen:
        assert isinstance(self.app.screen, DifferenceScreen)
        return self.app.screen

    @property
    def tree(self) -> TreeScreen:
        assert isinstance(self.app.screen, TreeScreen)
        return self.app.screen

    @property
    def desk(self) -> DifferenceDesk:
        assert self.screen.desk is not None
        return self.screen.desk


def tell(story: Story, size: tuple[int, int] = (120, 36), made: Callable[[], Comparing] = comparing) -> None:
    async def told() -> None:
        app = PlybenchApp(made().both.first.position)
        async with app.run_test(size=size) as pilot:
            await begun(pilot)
            app.push_screen(DifferenceScreen(app.desk.position, lambda stopped: made()))
            person = Reader(app, pilot)
            await person.until(lambda: isinstance(app.screen, DifferenceScreen) and app.screen.desk is not None)
            await story(person)

    asyncio.run(told())


@pytest.mark.parametrize("size", [(40, 12), SMALL, (120, 36), LARGE, (220, 60)])
def test_it_says_where_and_why(size: tuple[int, int]) -> None:
    async def story(person: Reader) -> None:
        assert person.screen.parts.option_count == len(person.desk.rows)
        assert "-1,402 nodes" in person.text("difference-status")
        assert "pass by Black" in person.text("difference-text")
        await person.press("down")
        first = person.desk.rows[1]
        assert isinstance(first, Part)
        assert first.top.sentence in person.text("difference-text")
        await person.press("tab")
        await person.until(lambda: person.screen.query_one("#difference-whole").has_focus)
        await person.press("tab")
        await person.until(lambda: person.screen.parts.has_focus)

    tell(story, size)


def test_into_a_subtree_and_out_again() -> None:
    async def story(person: Reader) -> None:
        await person.press("right")
        assert len(person.desk.levels) == 1, "the first row is a single place"
        await person.press("down", "right")
        assert len(person.desk.levels) == 2
        assert person.text("difference-head").startswith("within depth")
        whole = person.desk.level.parts
        assert whole.held + whole.others_more - whole.others_less == whole.difference
        await person.press("left")
        assert (len(person.desk.levels), person.screen.chosen) == (1, 1)
        await person.press("left")
        assert len(person.desk.levels) == 1

    tell(story)


def test_on_to_the_tree_and_to_watch() -> None:
    async def story(person: Reader) -> None:
        desk = person.desk
        await person.press("down", "enter")
        await person.until(lambda: person.tree.tape.node == desk.opened(1)[1])
        assert person.tree.recording is desk.recordings()[1]
        await person.press("escape", "v", "t")
        assert person.tree.recording is desk.recordings()[0]
        await person.press("escape", "W")
        await person.until(lambda: isinstance(person.app.screen, WatchScreen))
        watch = person.app.screen
        assert isinstance(watch, WatchScreen)
        assert watch.replay.moment().here == desk.opened(1)[1]
        await person.press("escape", "escape")
        assert not isinstance(person.app.screen, DifferenceScreen)

    tell(story)


def test_searches_that_are_the_same() -> None:
    def made() -> Comparing:
        return Comparing(kiwipete(True), kiwipete(True))

    async def story(person: Reader) -> None:
        assert "the same, node by node" in person.text("difference-text")
        await person.press("enter", "right", "left", "v", "W", "tab", "tab", "t")
        assert isinstance(person.app.screen, DifferenceScreen)

    tell(story, made=made)


def test_only_one_of_them_came_there() -> None:
    position = catalog.position(TEXTBOOK, "tree")

    def made() -> Comparing:
        first, second = (recorded(position, name, {}, depth=2) for name in ("minimax", "alphabeta"))
        return Comparing(first, second)

    async def story(person: Reader) -> None:
        await person.press("down", "right")
        desk = person.desk
        assert [(part.first_nodes, part.second_nodes) for part in desk.level.parts.subtrees] == [(1, 0), (1, 0)]
        assert desk.opened(0)[0] is desk.recordings()[0], "B has no node there"
        await person.press("right")
        assert len(desk.levels) == 2
        with pytest.raises(InputError, match="Only A came here"):
            desk.into(0)

    tell(story, made=made)


def lanes_of(game: str, *algorithms: str) -> tuple[Any, ...]:
    return named([spec_of(name, {}, game) for name in algorithms])


def open_compare(story: Callable[[Reader, CompareScreen], Coroutine[Any, Any, None]], *algorithms: str) -> None:
    async def told() -> None:
        position = catalog.position("startpos", "tictactoe")
        app = PlybenchApp(position)
        async with app.run_test(size=(120, 40)) as pilot:
            await begun(pilot)
            screen = CompareScreen(app.desk, lanes_of("tictactoe", *algorithms))
            screen.desk.spend(LaneBudget(depth=3))
            app.push_screen(screen)
            await pilot.pause(0.2)
            await story(Reader(app, pilot), screen)

    asyncio.run(told())


def test_lanes_of_compare_open_in_it() -> None:
    async def story(person: Reader, screen: CompareScreen) -> None:
        screen.desk.choose(2)
        await person.press("V")
        await person.until(lambda: getattr(person.app.screen, "desk", None) is not screen.desk)
        await person.until(lambda: isinstance(person.app.screen, DifferenceScreen) and person.screen.desk is not None)
        found = person.desk.found
        assert (found.first.algorithm, found.second.algorithm) == ("minimax", "pvs")
        assert found.difference < 0
        await person.press("escape")
        assert person.app.screen is screen

    open_compare(story, "minimax", "alphabeta", "pvs")


def test_a_lane_that_cannot_be_compared_is_a_sentence() -> None:
    async def story(person: Reader, screen: CompareScreen) -> None:
        screen.desk.spend(LaneBudget(nodes=500))
        screen.desk.add("uct", {})
        await person.press("V")
        await person.until(lambda: bool(person.app._notifications))
        (note,) = person.app._notifications
        assert "uct does not search depth first" in note.message
        await person.until(lambda: person.app.screen is screen)

    open_compare(story, "alphabeta", "pvs")


def test_how_a_lane_is_searched_once_more() -> None:
    position = catalog.position("startpos", "tictactoe")
    comparison = Comparison(position, lanes_of("tictactoe", "alphabeta", "pvs"), LaneBudget(seconds=5, depth=3))
    lane = comparison.lanes[0]
    with pytest.raises(InputError, match="Run the lanes first"):
        comparison.limit_again(lane)
    comparison.run()
    while not comparison.wait(1):
        pass
    assert lane.report is not None
    assert comparison.limit_again(lane) == Limit(depth=3, nodes=lane.report.all_nodes)
    comparison.step_work()
    assert comparison.limit_again(lane) == Limit(nodes=1000)
    comparison.stop()


def shown(*pressed: str) -> Callable[[Pilot[None]], Any]:
    async def press(pilot: Pilot[None]) -> None:
        await begun(pilot)
        screen = DifferenceScreen(kiwipete(True).position, lambda stopped: comparing())
        pilot.app.push_screen(screen)
        give_up = monotonic() + 60
        while screen.desk is None:
            assert monotonic() < give_up
            await pilot.pause(0.05)
        for key in pressed:
            await pilot.press(key)
            await settled(pilot)
        await settled(pilot)
        await pilot.pause(0.1)

    return press


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("keys", ["down", "down right", "tab"])
def test_pictures(snap_compare: Callable[..., bool], tmp_path: Path, size: tuple[int, int], keys: str) -> None:
    app = PlybenchApp(kiwipete(True).position)
    assert snap_compare(app, terminal_size=size, run_before=shown(*keys.split()))

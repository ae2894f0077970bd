"""The Watch screen, used as a person would: keys, the mouse, a second search, and what is then on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from textual.widgets import Static

from engines.contract import Limit
from positions import library
from tests.engines.tape.test_events import TEXTBOOK, recorded
from tests.workbench.app.test_app import own_data
from tests.workbench.settling import AtTheKeys, begun
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.algorithm import AlgorithmDialog, ChosenAlgorithm
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tree import TreeScreen
from workbench.app.screens.watch import WatchScreen
from workbench.app.widgets.recorded.drawn_tree import DrawnTree
from workbench.app.widgets.recorded.timeline import Timeline
from workbench.watch.tape_trace import TapeTrace

__all__ = ["own_data"]
Story = Callable[["Watcher"], Coroutine[Any, Any, None]]


class Watcher(AtTheKeys):
    """Somebody who watches a search."""

    @property
    def screen(self) -> WatchScreen:
        assert isinstance(self.app.screen, WatchScreen)
        return self.app.screen

    async def watches(self) -> None:
        """Until the Watch screen is there, with its first moment drawn."""

        def is_drawn() -> bool:
            return any(str(one.render()) for one in self.app.screen.query("#watch-sentence").results(Static))

        await self.until(lambda: isinstance(self.app.screen, WatchScreen) and is_drawn())
        await self.pilot.pause(0.05)

    async def still(self) -> str:
        """What is drawn, once all parts of the screen have their room."""
        before = ""
        while (now := self.drawn()) != before or not now.strip():
            before = now
            await self.pilot.pause(0.3)
        return now

    def drawn(self, id: str = "watch-tree") -> str:
        tree = self.screen.query_one(f"#{id}", DrawnTree)
        return "\n".join(tree.render_line(y).text for y in range(tree.content_size.height))


def tell(story: Story, size: tuple[int, int] = (120, 36), text: str = TEXTBOOK, game: str = "tree", depth: int = 2) -> None:
    async def told() -> None:
        recording = recorded(text, game, "alphabeta", Limit(depth=depth))
        app = PlybenchApp(recording.position)
        async with app.run_test(size=size) as pilot:
            await begun(pilot)
            app.push_screen(WatchScreen(TapeTrace(recording), recording.report, recording))
            person = Watcher(app, pilot)
            await person.watches()
            await story(person)

    asyncio.run(told())


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (160, 50), (220, 60)])
def test_to_the_first_cut_and_why(size: tuple[int, int]) -> None:
    async def story(person: Watcher) -> None:
        assert "a step forward" in person.text("watch-sentence")
        await person.press("n")
        assert person.screen.replay.at == 21
        assert person.text("watch-sentence").startswith("Cut: after MIN's move 1 it is at most +2")
        assert "▶▽ ≤2✂" in person.drawn().replace("▶ ", "▶")
        assert "╳" in person.drawn()
        assert "▸" in person.text("watch-steps")
        marked = person.text("watch-steps").partition("▸")[2]
        assert marked.strip().startswith("if alpha >= beta: stop")
        assert {"alpha +3", "beta +2", "best ≤2"} <= set(person.text("watch-variables").replace("\n", "   ").split("   "))
        before = person.drawn()
        await person.press("right", "right", "left", "left")
        assert person.drawn() == before, "going back is exact"

    tell(story, size)


def test_all_ways_to_go() -> None:
    async def story(person: Watcher) -> None:
        replay = person.screen.replay
        await person.press("full_stop", "right")
        assert replay.at == 2
        await person.press("comma")
        assert replay.at == 1
        await person.press("end")
        assert replay.at == replay.length == 40
        assert "△ 3" in person.drawn()
        await person.press("N")
        assert person.text("watch-sentence").startswith("Cut: after MIN's move 3")
        await person.press("home", "pagedown")
        assert replay.at == 4
        await person.press("g", "1", "7", "enter")
        assert replay.at == 17
        await person.press("g", "x", "enter")
        assert replay.at == 17
        timeline = person.screen.query_one(Timeline)
        await person.pilot.click(Timeline, offset=(timeline.size.width // 2, 0))
        assert 15 < replay.at < 40

    tell(story)


def test_it_plays_by_itself_and_stops() -> None:
    async def story(person: Watcher) -> None:
        replay = person.screen.replay
        await person.press("up", "up", "up", "up", "up", "space")
        assert replay.playing
        await person.until(lambda: replay.at == replay.length)
        assert not replay.playing
        await person.press("space")
        assert replay.playing
        assert replay.at < replay.length, "from the end it begins again"
        await person.press("space")
        at = replay.at
        await person.pilot.pause(0.3)
        assert (replay.playing, replay.at) == (False, at)
        await person.press("down")
        assert replay.rate == 25

    tell(story)


def test_a_click_goes_to_the_node() -> None:
    async def story(person: Watcher) -> None:
        tree = person.screen.query_one("#watch-tree", DrawnTree)
        lines = person.drawn().split("\n")
        y = next(y for y, line in enumerate(lines) if "12" in line)
        await person.pilot.click(DrawnTree, offset=(lines[y].index("12") + 1, y + 1))
        await person.pilot.pause(0.05)
        moment = person.screen.replay.moment()
        assert tree.is_attached
        assert moment.event is not None
        assert moment.event.kind == "entered"
        assert person.screen.recording is not None
        assert person.screen.recording.line(moment.here) == ("1", "2")

    tell(story)


def test_a_second_search_on_the_same_tree() -> None:
    async def story(person: Watcher) -> None:
        await person.press("end", "plus")
        assert isinstance(person.app.screen, AlgorithmDialog)
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, WatchScreen) and person.screen.replay.second is not None)
        await person.pilot.pause(0.2)
        assert "11 of 11 (✚0)" in person.text("watch-status")
        assert "13 of 13 (✚2)" in person.text("watch-status")
        assert person.drawn("watch-second").count("✚") == 2, "minimax visits two leaves that alpha-beta leaves out"
        assert "✚" not in person.drawn()
        await person.press("home", "right", "right", "right")
        second = person.screen.replay.second
        assert second is not None
        assert person.screen.replay.first.trace.visited(3) == 3
        moment = person.screen.replay.second_moment()
        assert moment is not None
        assert second.trace.visited(moment.at) == 3
        await person.press("d")
        assert person.screen.replay.second is None
        assert not person.screen.query_one("#watch-second").display

    tell(story, (160, 50))


def test_from_analyse_to_the_tree_and_back() -> None:
    async def story(person: Watcher) -> None:
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)
        person.app.desk.algorithm = "alphabeta"
        person.app.desk.limits["tree", "alphabeta"] = Limit(depth=2)
        await person.press("W")
        await person.until(lambda: isinstance(person.app.screen, WatchScreen))
        await person.press("n", "t")
        assert isinstance(person.app.screen, TreeScreen)
        await person.until(lambda: isinstance(person.app.screen, TreeScreen) and person.app.screen.tape.node == 5)
        await person.press("down", "W")
        moment = person.screen.replay.moment()
        assert (moment.here, moment.event and moment.event.kind) == (6, "entered")
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(story)


@pytest.mark.parametrize(
    ("entry", "algorithm", "limit"),
    [
        ("connect4/two-ways", "uct", Limit(iterations=50)),
        ("breakthrough/course-6x4", "pns", Limit(iterations=30)),
        ("graph/roundabout", "attractor", Limit()),
        ("tree/star2", "expectiminimax", Limit(depth=2)),
        ("tictactoe/three-players", "maxn", Limit(depth=2)),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_searches_of_all_kinds(entry: str, algorithm: str, limit: Limit, size: tuple[int, int]) -> None:
    async def told() -> None:
        found = library.get(entry)
        app = PlybenchApp(found.position(), found.title)
        app.desk.algorithm, app.desk.limits[found.game, algorithm] = algorithm, limit
        async with app.run_test(size=size, notifications=True) as pilot:
            await begun(pilot)
            person = Watcher(app, pilot)
            await person.press("space")
            await person.until(lambda: not app.desk.busy and app.desk.report is not None)
            await person.press("W")
            await person.watches()
            start = await person.still()
            said = set()
            for _ in range(8):
                await person.press("right")
                said.add(person.text("watch-sentence"))
            assert len(said) > 4, said
            await person.press("end")
            assert person.screen.replay.at == person.screen.replay.length
            await person.press("N")
            assert person.screen.replay.at < person.screen.replay.length
            await person.press("home")
            assert await person.still() == start
            await person.press("escape")
            assert isinstance(app.screen, AnalyseScreen)

    asyncio.run(told())


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_a_game_with_a_board(size: tuple[int, int]) -> None:
    async def story(person: Watcher) -> None:
        await person.press("n", "n", "right")
        assert person.text("watch-sentence")
        if size[0] < 110:
            assert not person.screen.query_one("#watch-board").display
            await person.press("tab")
            assert person.screen.query_one("#watch-board").display
            assert not person.screen.query_one("#watch-steps").display

    tell(story, size, "startpos", "tictactoe", 3)


async def add(person: Watcher, algorithm: str, **switches: bool) -> None:
    """Choose the second search in its dialog."""
    await person.press("plus")
    dialog = person.app.screen
    assert isinstance(dialog, AlgorithmDialog)
    dialog.dismiss(ChosenAlgorithm(algorithm, dict(switches), Limit()))
    await person.until(lambda: isinstance(person.app.screen, WatchScreen) and person.screen.replay.second is not None)
    await person.still()


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_a_good_and_a_bad_order_beside_each_other(size: tuple[int, int]) -> None:
    """The best replies come last here, so that backwards much more is cut off."""

    async def story(person: Watcher) -> None:
        await person.press("end")
        await add(person, "alphabeta", backwards=True)
        assert "alphabeta 13 of 13 (✚4)" in person.text("watch-status")
        assert "alphabeta backwards=true 9 of 9 (✚0)" in person.text("watch-status")
        assert person.drawn().count("✚") == 4
        assert "✚" not in person.drawn("watch-second")
        assert str(person.screen.query_one("#watch-second", DrawnTree).border_title) == "alphabeta backwards=true"
        first, second = person.screen.replay.first.trace, person.screen.replay.second
        assert second is not None
        await person.press("home")
        for _ in range(30):
            await person.press("right")
            moment = person.screen.replay.second_moment()
            assert moment is not None
            visits = first.visited(person.screen.replay.at)
            assert second.trace.visited(moment.at) == min(visits, 9), "they step together, by node"

    tell(story, size, "((14 5 2) (6 4 2) (12 8 3))")

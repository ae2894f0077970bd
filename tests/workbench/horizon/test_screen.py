"""The horizon screen, used as a person would, and the desk behind it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engines import catalog
from positions import horizon as examples
from positions import library
from tests.workbench.app.test_app import Person, own_data, tell
from tests.workbench.settling import PATIENCE, begun
from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.horizon import HorizonScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.options import SafeOptionList
from workbench.horizon import panels
from workbench.horizon.desk import HorizonDesk
from workbench.horizon.effect import PLAIN
from workbench.horizon.story import Story

__all__ = ["own_data"]
KNIGHT = examples.get("doomed-knight")
Compare = Callable[..., bool]


def desk_of(number: int, name: str = "chess/kiwipete") -> HorizonDesk:
    """A desk in which a story is told to its end."""
    desk, done = HorizonDesk(library.get(name).position(), "Here"), threading.Event()

    def seen(number: int, found: Story | str) -> None:
        desk.take(number, found)
        if isinstance(found, Story) and found.complete:
            done.set()

    desk.choose(number, seen)
    assert done.wait(240)
    return desk


def number_of(name: str) -> int:
    return 1 + list(examples.examples()).index(name)


# The desk.


def test_stepping_the_depth_walks_through_the_story() -> None:
    desk = desk_of(number_of("doomed-knight"))
    believed = []
    assert desk.depth == 3
    while desk.step(-1):
        pass
    while True:
        assert desk.row is not None
        believed.append((desk.depth, desk.row.value, desk.is_wrong(desk.row)))
        if not desk.step(1):
            break
    assert believed[:4] == [(1, 3.0, True), (2, 4.0, True), (3, 4.0, True), (4, 6.0, False)]
    assert believed[-1][0] == KNIGHT.deepest


def test_what_only_postpones_is_marked_while_the_value_is_wrong() -> None:
    desk = desk_of(number_of("doomed-knight"))
    assert desk.postponing() == (0, 2)
    assert "d4+↷ sacrifice" in panels.belief_text(desk.look()).plain
    assert "+4.00, wrong" in panels.belief_text(desk.look()).plain
    desk.step(-1)
    assert desk.postponing() == (0,)
    desk.step(2)
    assert desk.postponing() == ()
    assert "+6.00, right" in panels.belief_text(desk.look()).plain
    desk.step(-1)
    desk.next_lane()
    assert "quiescence at depth 3" in panels.belief_text(desk.look()).plain
    assert desk.postponing() == ()


def test_walking_along_the_line() -> None:
    desk = desk_of(number_of("doomed-knight"))
    end = desk.board
    assert end.game.board_text(end.state).startswith("6k1/8/2p1p3/5p2/3K4/8/2n3PP/1R1B4 w")
    desk.walk(-1)
    assert desk.at == 2
    for _ in range(5):
        desk.walk(-1)
    assert desk.at == 0
    assert desk.board.state == desk.entry.position.state
    desk.walk(1)
    assert desk.at == 1


def test_the_table_of_values_fits_and_cuts_no_number() -> None:
    for name in ("two-rooks", "connect4-zugzwang", "breakthrough-race"):
        desk = desk_of(number_of(name))
        for width in (45, 70):
            lines = panels.values_text(desk.look(), width).plain.splitlines()
            assert max(map(len, lines)) <= width
            assert len(lines) == 1 + desk.entry.example.deepest  # type: ignore[union-attr]
        assert "▸" in panels.values_text(desk.look(), 45).plain


def test_a_position_that_cannot_be_searched_depth_by_depth_is_left_out() -> None:
    desk = HorizonDesk(library.get("tree/twice-in-a-row").position())
    assert not desk.has_own
    assert desk.entry.example is not None
    over = catalog.position("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "chess")
    assert not HorizonDesk(over).has_own


def test_another_choice_stops_the_search() -> None:
    desk, told = HorizonDesk(catalog.position("startpos", "chess")), []
    desk.choose(0, lambda number, found: told.append(number))
    desk.choose(number_of("tree"), desk.take)
    count = len(told)
    while desk.busy:
        sleep(0.02)
    assert desk.story is not None
    assert desk.story.complete
    assert len(told) <= count + 1
    desk.stop()


# The screen.


def test_a_person_reads_a_story_and_analyses_it() -> None:
    async def story(person: Person) -> None:
        def screen() -> HorizonScreen:
            assert isinstance(person.app.screen, HorizonScreen)
            return person.app.screen

        await person.press("H")
        await person.until(lambda: not screen().desk.busy)
        assert "Saavedra" in person.text("horizon-status")
        await person.press("down")
        await person.until(lambda: not screen().desk.busy)
        assert KNIGHT.title in person.text("horizon-status")
        assert "The knight in the corner" in person.text("story")
        assert "plain at depth 3 believes +4.00, wrong" in person.text("horizon-belief")
        await person.press("right_square_bracket")
        assert "+6.00, right" in person.text("horizon-belief")
        await person.press("left_square_bracket", "n")
        assert "quiescence at depth 3" in person.text("horizon-belief")
        await person.press("comma")
        assert "After" in str(screen().query_one("#horizon-end").border_title)
        await person.press("tab")
        assert screen().has_class("-reading")
        await person.press("tab", "question_mark", "escape")
        await person.press("n", "n", "n", "n", "o")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert person.desk.position.game.board_text(person.desk.position.state) == KNIGHT.notation
        assert person.desk.algorithm == "deepening"
        assert not person.desk.parameters["quiescence"]
        assert person.desk.parameters["table"] == PLAIN["table"]
        await person.press("space")
        await person.wait()
        assert person.desk.beliefs[KNIGHT.depth].row.value == KNIGHT.believes
        await person.press("H", "slash")
        await person.until(lambda: not screen().desk.busy)
        assert "Fooled at depth" in person.text("horizon-status")
        assert "↷" in person.text("horizon-belief")
        assert screen().query_one("#end-board", BoardView).position.played
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(story)


# Pictures.


def told(*pressed: str) -> Callable[[Pilot[None]], Any]:
    """Press keys on the horizon screen, and wait for each story until it is told and drawn to its end."""

    async def press(pilot: Pilot[None]) -> None:
        await begun(pilot)
        await pilot.press("H")
        await until(pilot, is_told)
        for key in pressed:
            await pilot.press(key)
            await until(pilot, is_told)
        await pilot.pause(0.4)  # what is drawn after the next refresh
        assert is_told(pilot)
        assert pilot.app.screen.query_one("#story", Static).size

    return press


def is_told(pilot: Pilot[None]) -> bool:
    """The example of the list that has the cursor is the one of the screen, and its story has come to its end."""
    screen = pilot.app.screen
    if not isinstance(screen, HorizonScreen) or not screen.is_attached:
        return False
    desk = screen.desk
    highlighted = screen.query_one("#examples", SafeOptionList).highlighted
    return highlighted == desk.number and not desk.busy and desk.story is not None and desk.story.complete


async def until(pilot: Pilot[None], holds: Callable[[Pilot[None]], bool]) -> None:
    give_up = monotonic() + PATIENCE
    while not holds(pilot):
        assert monotonic() < give_up, "the story was not told"
        await pilot.pause(0.02)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (160, 50)])
def test_pictures(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(PlybenchApp(), terminal_size=size, run_before=told("down"))


def test_picture_of_another_game(snap_compare: Compare) -> None:
    assert snap_compare(PlybenchApp(), terminal_size=(120, 36), run_before=told("end", "up", "up"))

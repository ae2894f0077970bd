"""The app, driven as a person would: keys, the mouse, and what is then on the screen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Digits, Input, Label, OptionList, Static, TabbedContent

from engines import catalog
from engines.contract import Limit
from engines.position import Position
from engines.run.checkpoints import next_checkpoint
from engines.run.search import Search
from positions import library
from tests.workbench.settling import begun, settled
from workbench.analysis.desk import WELCOME, Desk
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.algorithm import AlgorithmDialog
from workbench.app.dialogs.help import CardDialog, HelpDialog
from workbench.app.dialogs.iteration import IterationDialog
from workbench.app.dialogs.open import OpenDialog
from workbench.app.dialogs.sessions import SessionsDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tree import TreeScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.game_moves import GameMoves
from workbench.sessions import store as sessions

Story = Callable[["Person"], Coroutine[Any, Any, None]]
SIZES = [(80, 24), (120, 36), (160, 50)]


class Person:
    """Somebody at the keyboard."""

    def __init__(self, app: PlybenchApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def desk(self) -> Desk:
        return self.app.desk

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await settled(self.pilot)

    async def type(self, text: str) -> None:
        self.app.screen.query_one(Input).value = text
        await self.press("enter")

    async def wait(self) -> None:
        """Until nothing runs any more, and it is drawn."""
        await self.until(lambda: not self.desk.busy)

    async def until(self, holds: Callable[[], bool]) -> None:
        give_up = monotonic() + 120
        while not holds():
            assert monotonic() < give_up
            await self.pilot.pause(0.05)
        await settled(self.pilot)

    def text(self, id: str) -> str:
        return str(self.app.screen.query_one(f"#{id}", Static).render())

    def value(self) -> str:
        return self.app.screen.query_one("#value", Digits).value


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches anybody's sessions."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYBENCH_PIECES", "")
    monkeypatch.chdir(tmp_path)


def tell(
    story: Story,
    position: Position | None = None,
    size: tuple[int, int] = (160, 50),
    path: Path | None = None,
    title: str = "",
    welcome: bool = False,
) -> PlybenchApp:
    """Run a story in a fresh app, with a session if one is named. `welcome`: with the position that the app chooses itself,
    in place of Kiwipete."""
    if position is None and not welcome:
        position, title = library.get("chess/kiwipete").position(), "Kiwipete"

    async def run() -> PlybenchApp:
        app = PlybenchApp(session=sessions.read(path), path=path) if path else PlybenchApp(position, title)
        async with app.run_test(size=size, notifications=True) as pilot:
            await begun(pilot)
            await story(Person(app, pilot))
        return app

    return asyncio.run(run())


def position(name: str) -> Position:
    return library.get(name).position()


@pytest.mark.parametrize("size", SIZES)
def test_a_newcomer_presses_space(size: tuple[int, int]) -> None:
    async def story(person: Person) -> None:
        assert "Kiwipete" in person.text("status")
        assert "Space" in person.text("belief")
        person.desk.limits["chess", "deepening"] = Limit(depth=6)
        await person.press("space")
        await person.wait()
        assert "done" in person.text("status")
        assert max(person.desk.beliefs) == 6
        assert person.desk.report is not None
        assert f"{person.desk.beliefs[6].row.nodes:,}" in person.text("counters"), "those of the depth"
        assert person.value() == f"{person.desk.belief.row.value:+.2f}"  # type: ignore[union-attr]

    tell(story, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_the_first_position_is_worth_seeing_and_says_why(size: tuple[int, int]) -> None:
    known = library.get(WELCOME).known

    async def story(person: Person) -> None:
        assert "The Immortal Game" in person.text("status")
        if size[0] < 150:
            assert " ".join(person.text("moves").split()) == known
            person.app.screen.query_one(TabbedContent).active = "tab-game"
            await settled(person.pilot)
        assert known in " ".join(person.app.screen.query_one(GameMoves).text.split())

    tell(story, size=size, welcome=True)


def test_stepping_forth_and_back_shows_what_was_believed_at_any_size() -> None:
    async def story(person: Person) -> None:
        lines = {}
        for depth in range(1, 5):
            await person.press("right_square_bracket")
            await person.wait()
            assert max(person.desk.beliefs) == depth
            lines[depth] = person.text("line").split("\n")[0]
        assert len(set(lines.values())) > 1, "the line changes from depth to depth"
        names = names_of(person.text("counters"))
        await person.press("left_square_bracket")
        assert "looking back at depth 3" in person.text("status")
        assert person.text("line").split("\n")[0] == lines[3]
        assert str(person.app.screen.query_one("#search").border_subtitle).startswith("depth 3 alone")
        assert f"{person.desk.beliefs[3].row.nodes:,} " in person.text("counters")
        assert names_of(person.text("counters")) == names, "the counters keep their places"
        await person.press("left_square_bracket")
        assert person.text("line").split("\n")[0] == lines[2]
        await person.press("right_square_bracket", "right_square_bracket")
        assert person.text("line").split("\n")[0] == lines[4]
        assert max(person.desk.beliefs) == 4, "nothing was searched for that"
        await walk_the_line(person)
        for width, height in [(80, 24), (200, 60), (100, 30), (40, 10), (160, 50)]:
            await person.pilot.resize_terminal(width, height)
            await settled(person.pilot)
            assert person.value().startswith("+")
            assert "Kiwipete" in person.text("status")
        assert "Bxa6" in person.text("moves")

    async def walk_the_line(person: Person) -> None:
        board = person.app.screen.query_one(BoardView)
        await person.press("full_stop")
        assert board.position.played == person.desk.position.played + board.position.played[-1:]
        await person.press(*["full_stop"] * 6)
        assert len(board.position.played) == len(person.desk.belief.row.pv)  # type: ignore[union-attr]
        assert "at its end" in person.text("line")
        await person.press("escape")
        assert board.position is person.desk.position

    tell(story)


def names_of(counters: str) -> list[str]:
    """The names of the counters, line by line, without their numbers and thousands (108 k)."""
    return [" ".join(re.findall(r"[a-z]{2,}(?: [a-z]+)*", line)) for line in counters.split("\n")]


def test_moves_by_typing_by_keys_and_by_mouse() -> None:
    async def story(person: Person) -> None:
        await person.press("m", "N")
        assert str(person.app.screen.query_one("#hint", Label).render()) == "Na3 Nc3 Nf3 Nh3"
        await person.type("e4")
        assert person.desk.position.text == "startpos moves e2e4"
        await person.press("m")
        await person.type("Ke4")
        assert person.desk.position.text == "startpos moves e2e4", "what is not legal is not played"
        board = person.app.screen.query_one(BoardView)
        width, height = board.shape
        for row, column in ((1, 4), (3, 4)):  # e7, e5
            await person.pilot.click(BoardView, offset=(3 + column * width + 1, row * height))
        await settled(person.pilot)
        assert person.desk.position.text == "startpos moves e2e4 e7e5"
        await person.press("b", "b")
        assert person.desk.position.text == "startpos"
        await person.press("f")
        assert person.desk.position.text == "startpos moves e2e4"
        board.cursor = (0, 1)  # b8
        await person.press("enter")
        board.cursor = (2, 2)  # c6
        await person.press("enter")
        assert person.desk.position.text == "startpos moves e2e4 b8c6"
        await promote(person)

    async def promote(person: Person) -> None:
        person.desk.load(catalog.position("8/P6k/8/8/8/8/8/K7 w - - 0 1", "chess"))
        await settled(person.pilot)
        board = person.app.screen.query_one(BoardView)
        board.cursor = (1, 0)
        await person.press("enter")
        board.cursor = (0, 0)
        await person.press("enter")
        assert person.app.screen.query_one(OptionList).option_count == 4, "which piece?"
        await person.press("down", "enter")
        assert person.desk.position.played
        assert "a7a8" in person.desk.position.text

    tell(story, catalog.position("startpos", "chess"))


def test_alphabeta_on_connect4_by_the_form() -> None:
    async def story(person: Person) -> None:
        await person.press("a")
        assert isinstance(person.app.screen, AlgorithmDialog)
        options = person.app.screen.query_one("#algorithms", OptionList)
        options.highlighted = options.get_option_index("alphabeta")
        await person.pilot.pause(0.2)
        person.app.screen.query_one("#limit-depth", Input).value = "minus one"
        await person.press("ctrl+s")
        assert isinstance(person.app.screen, AlgorithmDialog), "what cannot be is not taken"
        person.app.screen.query_one("#limit-depth", Input).value = "10"
        await person.press("ctrl+s")
        assert (person.desk.algorithm, person.desk.limit) == ("alphabeta", Limit(depth=10))
        await person.press("space")
        await person.wait()
        assert person.desk.report is not None
        assert (person.desk.report.depth, person.desk.report.algorithm) == (10, "alphabeta")
        person.desk.choose("minimax", {}, Limit(depth=3))
        await settled(person.pilot)
        assert person.desk.beliefs == {}, "what another algorithm believed is not this one's belief"

    tell(story, catalog.position("startpos", "connect4"))


def test_sampling_is_stepped_gone_on_with_and_read_in_the_tree() -> None:
    async def story(person: Person) -> None:
        person.desk.choose("uct", {}, Limit(iterations=2000))
        await person.press("space")
        await person.wait()
        assert "2,000" in person.text("counters")
        assert "%" in person.text("belief")
        assert "±" in person.text("moves")
        await person.press("left_square_bracket")
        assert "looking back at" in person.text("status")
        assert "iterations" in person.text("status")
        await person.press("right_square_bracket", "right_square_bracket")
        await person.wait()
        stepped = person.desk.report
        assert stepped is not None
        assert stepped.iterations == next_checkpoint(2000)
        await person.press("g", *["backspace"] * 12, *"3000", "enter")
        await person.wait()
        assert person.desk.report is not None
        assert person.desk.report.iterations == 3000
        rerun = Search(person.desk.position, catalog.algorithm("uct"), Limit(iterations=3000)).start().report()
        assert person.desk.report.root_moves == rerun.root_moves  # to go on is not to begin anew
        await person.press("n")
        assert isinstance(person.app.screen, IterationDialog)
        assert "3,000 → 3,001 visits" in person.text("phases")
        await person.press("n")
        assert "3,001 → 3,002 visits" in person.text("phases")
        await person.press("escape", "t")
        await person.wait()
        assert isinstance(person.app.screen, TreeScreen)
        assert "3,002 games through it" in person.text("why")

    tell(story, catalog.position("44", "connect4"))


def test_opening_from_the_library_proving_and_pasting() -> None:
    async def story(person: Person) -> None:
        await person.press("o")
        assert isinstance(person.app.screen, OpenDialog)
        await person.type("course-6x4")
        assert person.desk.position.game.id == "breakthrough"
        await prove_the_exercise(person)
        await person.press("o")
        await person.type("((3 12 8) (2 4 6) (14 5 2))")
        assert person.desk.position.game.id == "tree"
        assert not catalog.misfit(catalog.algorithm(person.desk.algorithm), person.desk.position)
        await person.press("o")
        await person.type("this is no position at all")
        assert isinstance(person.app.screen, OpenDialog)
        assert str(person.app.screen.query_one("#problem").render())
        await person.press("escape")
        assert person.desk.position.game.id == "tree"

    async def prove_the_exercise(person: Person) -> None:
        person.desk.algorithm = "alphabeta"
        person.desk.limits["breakthrough", "alphabeta"] = Limit(depth=5)
        await person.press("space")
        await person.wait()
        assert "Proven: Black wins in 5 plies." in person.text("belief")
        assert person.value() == "-#5"

    tell(story)


def test_stop_at_once_and_quit_while_searching() -> None:
    async def story(person: Person) -> None:
        person.desk.limits["chess", "deepening"] = Limit(depth=60)
        await person.press("space")
        await person.until(lambda: person.desk.search is not None and len(person.desk.beliefs) > 3)
        await person.press("space")
        assert not person.desk.busy
        assert "stopped" in person.text("status")
        await person.press("space")
        assert person.desk.busy
        began = monotonic()
        person.app.exit()
        await person.pilot.pause(0.1)
        assert monotonic() - began < 1

    app = tell(story)
    assert not app.desk.busy


def test_help_card_and_palette_know_every_action_and_looking_saves_nothing() -> None:
    async def story(person: Person) -> None:
        await person.press("question_mark")
        assert isinstance(person.app.screen, HelpDialog)
        await person.press("escape", "i")
        assert isinstance(person.app.screen, CardDialog)
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)
        titles = [command.title for command in PlybenchApp.get_system_commands(person.app, person.app.screen)]  # type: ignore[arg-type]
        assert "Run/stop  ·  Space" in titles
        assert len(titles) > 15
        await person.press("x", "o", "escape")

    tell(story)
    assert sessions.listing() == [], "looking around saves nothing"


def test_every_game_has_its_board() -> None:
    async def story(person: Person) -> None:
        for game in catalog.GAMES:
            person.desk.load(catalog.position("startpos", game))
            await settled(person.pilot)
            await person.press("right_square_bracket")
            await person.wait()
            assert person.desk.belief is not None, game
            await person.press("x", "tab", "full_stop", "comma", "escape")
            assert [str(board.render_line(0)) for board in person.app.screen.query(BoardView)], game
            assert person.desk.position.game.id == game

    tell(story, size=(120, 36))


def test_an_engine_that_is_not_there_is_said_once_and_nothing_breaks() -> None:
    async def story(person: Person) -> None:
        person.desk.algorithm = "uci"
        person.desk.settings["uci"] = {"engine": "no-such-engine"}
        await person.press("space")
        await person.wait()
        said = [notification.message for notification in person.app._notifications]
        assert len([sentence for sentence in said if "no-such-engine" in sentence]) == 1, said
        assert person.desk.report is None
        person.desk.algorithm = "deepening"
        await person.press("right_square_bracket")
        await person.wait()
        assert person.desk.belief is not None

    tell(story)


# Sessions.


def test_everything_is_there_again() -> None:
    """Searched, moved, a variation, a note; quit; opened again."""

    async def first(person: Person) -> None:
        await person.press("right_square_bracket")
        await person.wait()
        await person.press("right_square_bracket")
        await person.wait()
        await person.press("m")
        await person.type("4")
        await person.press("b", "m")
        await person.type("3")
        await person.press("w")
        await person.type("The other move")

    app = tell(first, catalog.position("startpos", "connect4"), title="The empty board")
    (row,) = sessions.listing()
    assert (row.studies, row.searches, row.error) == (1, 2, "")

    async def second(person: Person) -> None:
        assert person.desk.position.text == app.desk.position.text
        assert "The other move" in person.text("status")
        assert "The empty board" in person.text("status")
        await person.press("b")
        assert f"{app.desk.session.study.searches[-1].report.nodes:,} " in person.text("counters")
        assert sorted(person.desk.beliefs) == [1, 2]
        assert [node.move for node in person.desk.session.study.root.children] == ["4", "3"]
        assert person.desk.report == app.desk.session.study.searches[-1].report
        assert person.value().startswith(("+", "-", "0"))
        await person.press("right_square_bracket")
        await person.wait()
        assert max(person.desk.beliefs) == 3

    tell(second, path=row.path)
    assert sessions.listing()[0].searches == 3


def test_digits_drop_men_into_columns() -> None:
    """In a game in which men fall, wherever the focus is; other digits and full columns are said."""

    async def story(person: Person) -> None:
        await person.press("4", "4")
        assert person.desk.position.text == "44"
        person.app.screen.set_focus(None)
        await person.press("3")
        assert person.desk.position.text == "443"
        await person.press("9")
        assert [note.message for note in person.app._notifications] == [
            "There is no column 9; the columns are 1 2 3 4 5 6 7."
        ]
        await person.press("4", "4", "4", "4", "4")
        assert person.desk.position.text == "4434444"
        assert "Column 4 is full." in [note.message for note in person.app._notifications]

    tell(story, catalog.position("startpos", "connect4"))

    async def other(person: Person) -> None:
        await person.press("4")
        assert not person.desk.position.played

    tell(other, catalog.position("startpos", "tictactoe"))


def test_sessions_are_renamed_deleted_brought_back_and_exported(tmp_path: Path) -> None:
    async def story(person: Person) -> None:
        await person.press("right_square_bracket")
        await person.wait()
        await person.press("S")
        dialog = person.app.screen
        assert isinstance(dialog, SessionsDialog)
        await person.press("e")
        await person.type("My study")
        assert [row.name for row in sessions.listing()] == ["My study"]
        await person.press("D")
        assert len(sessions.listing()) == 2
        await person.press("w", "down", "enter")
        (report,) = tmp_path.glob("*.md")
        assert "Connect 4" in report.read_text()
        await person.press("d")
        assert len(sessions.listing()) == 1
        await person.press("u")
        assert len(sessions.listing()) == 2
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(story, catalog.position("startpos", "connect4"))

"""Playing: the game itself, the terminal, and the app by keyboard and by mouse."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Select, Static

from engines import catalog
from engines.contract import InputError
from engines.position import Position
from engines.run.search import Search
from positions import pgn
from tests.workbench.app.test_app import Person, own_data, tell
from tests.workbench.conftest import Answer, Plybench, interrupted
from tests.workbench.settling import begun, settled
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.new_game import NewGameDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.play import PlayScreen
from workbench.app.screens.review import ReviewScreen
from workbench.app.widgets.board import BoardView
from workbench.play.live_game import LiveGame, last_place
from workbench.play.seats import read_seat
from workbench.review import job as review
from workbench.sessions import store as sessions
from workbench.sessions.model import Session
from workbench.sessions.play_types import read_clock

__all__ = ["own_data"]


@pytest.fixture(autouse=True)
def small_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews that are done soon."""
    monkeypatch.setattr(review, "NODES", 3_000)
    monkeypatch.setattr(catalog.game("connect4"), "review_nodes", 20_000)


def start(game: str = "connect4", text: str = "startpos") -> Position:
    return catalog.position(text, game)


def new_game(
    first: str = "you", second: str = "level:2", clock: str = "", game: str = "connect4", text: str = "startpos"
) -> LiveGame:
    session = Session.new("game", start(game, text))
    LiveGame.begin(session.study, (read_seat(first, game), read_seat(second, game)), read_clock(clock))
    return LiveGame(session.study)


def finish_thinking(search: Search) -> bool:
    search.join()
    return False


# The game itself.


def test_a_person_and_a_level_move_in_turn() -> None:
    playing = new_game()
    playing.play("4")
    assert playing.mover is not None
    playing.think(finish_thinking)
    assert playing.study.ply == 2
    assert playing.mover is None
    with pytest.raises(InputError, match="not a legal move"):
        playing.play("9")
    assert playing.take_back() == 2
    playing.play("3")
    playing.think(finish_thinking)
    assert playing.study.root.children[0].move == "3", "the game is the main line"
    assert playing.study.root.children[1].move == "4", "what was taken back is a variation"


def test_taking_back_at_the_start_and_after_the_end() -> None:
    playing = new_game()
    with pytest.raises(InputError, match="no move"):
        playing.take_back()
    playing.play("1")
    playing.resign()
    assert playing.over
    assert playing.ending == "O wins, X resigned"
    with pytest.raises(InputError, match="over"):
        playing.play("2")
    playing.take_back()
    assert not playing.over
    assert playing.study.ply == 0


def test_nature_moves_by_itself() -> None:
    playing = new_game("you", "you", game="einstein")
    while not playing.position.by_chance:
        playing.play(playing.position.game.line_choices(playing.position.state)[0])
    ply = playing.study.ply
    playing.look()
    assert playing.study.ply == ply + 1, "the die is rolled"
    playing.play(playing.position.game.line_choices(playing.position.state)[0])
    playing.take_back()
    assert not playing.position.by_chance, "back to a person's move, with its die"
    assert playing.study.ply == ply + 1


def test_the_end_by_the_rules() -> None:
    playing = new_game("you", "you", text="112233")
    playing.play("4")
    assert (playing.over, playing.outcome, playing.ending) == (
        True,
        "first",
        "X wins, four in a row",
    ) or playing.outcome == "first"


def test_clocks() -> None:
    time = [0.0]
    session = Session.new("game", start())
    LiveGame.begin(session.study, (None, None), read_clock("1+2"))
    playing = LiveGame(session.study, now=lambda: time[0])
    playing.look()
    time[0] = 20.0
    assert playing.left(0) == 40.0
    assert playing.left(1) == 60.0
    playing.play("4")
    assert playing.left(0) == 42.0
    playing.look()
    time[0] = 79.0
    playing.pause()
    time[0] = 500.0
    assert playing.left(1) == pytest.approx(1.0)
    playing.go_on()
    playing.look()
    time[0] = 502.0
    playing.look()
    assert playing.outcome == "first"
    assert "O's time is up" in playing.ending


@pytest.mark.parametrize("text", ["x", "5+", "-1", "1e9", "5+3+1", "0+5", "9999999"])
def test_bad_clocks(text: str) -> None:
    with pytest.raises(InputError, match="clock"):
        read_clock(text)


def test_a_game_that_is_not_over_goes_on_at_its_last_move() -> None:
    playing = new_game(second="you")
    for move in "4453":
        playing.play(move)
    playing.study.back()
    assert last_place(playing.study) == ("4", "4", "5", "3")
    playing.resign()
    assert last_place(playing.study) is None, "it is over"
    assert last_place(Session.new("study", start()).study) is None, "it is no game"
    won = new_game(second="you", text="1122334")
    assert last_place(won.study) is None


def test_a_hint_is_what_a_strong_player_would_do() -> None:
    playing = new_game(text="112233")
    playing.ask_hint().join()
    advice = playing.look_for_hint()
    assert advice is not None
    assert advice.report.best_move == "4"


def test_a_game_survives_its_file(tmp_path: Path) -> None:
    session = Session.new("game", start())
    LiveGame.begin(session.study, (None, read_seat("level:2", "connect4")), read_clock("3+1"))
    playing = LiveGame(session.study)
    playing.play("4")
    sessions.write(session.saved(), tmp_path / "game.plybench.json")
    again = LiveGame(sessions.read(tmp_path / "game.plybench.json").study)
    assert again.record == playing.record
    assert again.position.text == playing.position.text
    plain = Session.new("plain", start())
    sessions.write(plain.saved(), tmp_path / "plain.plybench.json")
    assert "record" not in (tmp_path / "plain.plybench.json").read_text()


# The terminal.


@pytest.fixture
def typed(plybench: Plybench, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """`plybench play` with lines on standard input."""

    def play(lines: str, *args: str) -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return plybench("play", *args)

    return play


def test_a_game_in_a_pipe(typed: Callable[..., Answer], tmp_path: Path) -> None:
    lines = "4\nhint\nnonsense\n\nmoves\nback\nback\n3\ngame\nhelp\nboard\nsave game.txt\nsave game.doc\nresign\n"
    answer = typed(lines, "--game", "connect4", "--level", "1")
    assert answer.code == 0
    for words in (
        "Moves without looking",
        "'nonsense' is not a legal move",
        "2 moves are taken back",
        "no move to take back",
    ):
        assert words in " ".join(answer.out.split())
    assert "The game is over: O wins, X resigned." in answer.out
    assert Path("game.txt").read_text().startswith("# Connect 4 7x6. X: you, O: level 1.")
    (row,) = sessions.listing()
    assert row.name == "Connect 4 against level 1"


def test_the_end_of_the_input_keeps_the_game(typed: Callable[..., Answer]) -> None:
    assert typed("4\n", "--level", "2", "--seed", "3").code == 0
    name = sessions.listing()[0].name
    answer = typed("quit\n", "--resume", name, "--json")
    assert answer.json["over"] is False
    assert len(answer.json["moves"]) == 2
    assert answer.json["moves"][0] == "4"


def test_two_algorithms_play_the_same_game_twice(typed: Callable[..., Answer], tmp_path: Path) -> None:
    args = ("--game", "tictactoe", "--first", "level:2", "--second", "alphabeta:depth=3", "--seed", "5", "--json")
    games = [typed("", *args, "--save", f"{number}.jsonl").json for number in (1, 2)]
    assert games[0]["moves"] == games[1]["moves"]
    assert games[0]["over"]
    assert games[0]["players"] == ["level 2", "alphabeta:depth=3"]
    assert Path("1.jsonl").read_bytes() == Path("2.jsonl").read_bytes()


def test_a_game_of_chess_as_pgn(typed: Callable[..., Answer]) -> None:
    answer = typed("f3\ne5\ng4\nQh4\n", "--game", "chess", "--first", "you", "--second", "you", "--save", "mate.pgn")
    assert "Black wins, checkmate" in answer.out
    text = Path("mate.pgn").read_text()
    assert pgn.read_games(text)[0].result == "0-1"
    assert pgn.read_line(text).moves == ("f2f3", "e7e5", "g2g4", "d8h4")


def test_ctrl_c_ends_politely(tmp_path: Path) -> None:
    args = ("--game", "connect4", "--first", "minimax:depth=30", "--second", "you")
    answer = interrupted(0.3, "play", *args)
    assert answer.code == 130
    assert "is kept in the session" in " ".join(answer.out.split())


@pytest.mark.parametrize(
    "args",
    [
        ("--level", "99"),
        ("--level", "3", "--algorithm", "uct"),
        ("--level", "3", "--depth", "4"),
        ("--first", "level:2", "--level", "3", "--side", "second", "--second", "uct"),
        ("--side", "middle", "--level", "3"),
        ("--clock", "soon"),
        ("--game", "samegame"),
        ("--game", "nothing"),
        ("--save", "game.xyz"),
        ("--resume", "nothing"),
        ("1122334", "--game", "connect4"),
    ],
)
def test_bad_games(typed: Callable[..., Answer], args: tuple[str, ...]) -> None:
    answer = typed("", *args)
    assert answer.code == 2, answer.out
    assert answer.err.count("\n") == 1
    assert not sessions.listing()


def test_levels_are_listed(plybench: Plybench) -> None:
    rows = plybench("levels", "--json").json
    assert {row["game"] for row in rows} >= {"chess", "connect4", "breakthrough", "tictactoe"}
    assert "Sees its move and the reply" in " ".join(plybench("levels", "connect4").out.split())
    assert plybench("levels", "morpion").code == 2


# The app.


def play_screen(person: Person) -> PlayScreen:
    assert isinstance(person.app.screen, PlayScreen)
    return person.app.screen


async def your_turn(person: Person) -> None:
    """Until a person is to move, or the game is over."""
    playing = play_screen(person).playing
    await person.until(lambda: playing.over or (playing.mover is None and not playing.asked))


def test_a_game_to_the_end_by_keyboard_alone() -> None:
    async def story(person: Person) -> None:
        await person.press("P")
        assert isinstance(person.app.screen, NewGameDialog)
        await person.press("enter")
        screen = play_screen(person)
        await person.press("h")
        await your_turn(person)
        assert "Hint:" in person.text("play-advice")
        await person.press("left", "enter")  # the cursor comes out at the hint, and Enter plays there
        await your_turn(person)
        assert screen.playing.study.ply == 2
        await person.press("b")
        assert screen.playing.study.ply == 0
        while not screen.playing.over:
            choices = screen.playing.position.game.line_choices(screen.playing.position.state)
            await person.press(*((choices[0],) if screen.playing.study.ply < 4 else ("m", choices[0], "enter")))
            await your_turn(person)
        assert "The game is over" in person.text("play-advice")
        assert screen.playing.position.is_over
        await person.press("R")
        reviewed = person.app.screen
        assert isinstance(reviewed, ReviewScreen)
        await person.until(lambda: not reviewed.work.running)
        await person.pilot.pause(0.3)
        assert "Review Connect 4" in person.text("review-status")
        await person.press("home", "n")
        ply = reviewed.ply
        assert reviewed.review is not None
        mistakes = [row.ply for row in reviewed.review.mistakes]
        assert mistakes
        assert ply == mistakes[0]
        await person.press("enter")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert len(person.desk.position.played) == ply - 1
        await person.press("P")
        assert isinstance(person.app.screen, NewGameDialog), "the game is over: another one"

    app = tell(story, start(), size=(80, 24))
    assert app.autosave is None
    (row,) = sessions.listing()
    assert sessions.read(row.path).study.record is not None


def test_by_mouse_and_on_with_it_later() -> None:
    async def story(person: Person) -> None:
        await person.press("P", "enter")
        screen = play_screen(person)
        board = screen.query_one(BoardView)
        width, height = board.shape
        await person.pilot.click(BoardView, offset=(3 + 2 * width + 1, 5 * height))
        await your_turn(person)
        assert screen.playing.study.path[0] == "3"
        await person.press("escape", "escape")  # the first takes the cursor off the board
        assert isinstance(person.app.screen, AnalyseScreen)
        await person.press("b", "P")
        assert play_screen(person).playing.study.ply == 2, "the game goes on where it was"
        await person.press("r", "enter")
        assert not play_screen(person).playing.over
        await person.press("r", "down", "enter")
        assert play_screen(person).playing.ending == "O wins, X resigned"
        await person.press("w")
        person.app.screen.query_one(Input).value = "mine.txt"
        await person.press("enter")
        assert "O wins, X resigned" in Path("mine.txt").read_text()

    tell(story, start(), size=(120, 36))


def test_the_form_has_everything() -> None:
    async def story(person: Person) -> None:
        await person.press("P")
        dialog = person.app.screen
        dialog.query_one("#new-game", Select).value = "tictactoe"
        await person.pilot.pause(0.1)
        assert dialog.query_one("#new-size", Input).value == "3x3x3"
        dialog.query_one("#new-seat-0", Select).value = "level:1"
        dialog.query_one("#new-seat-1", Select).value = "alphabeta"
        dialog.query_one("#new-clock", Input).value = "soon"
        await person.press("ctrl+s")
        assert "A clock is written" in str(dialog.query_one("#problem", Static).render())
        dialog.query_one("#new-clock", Input).value = "1+1"
        dialog.query_one("#new-limit", Input).value = "depth 2"
        await person.press("ctrl+s")
        screen = play_screen(person)
        assert screen.playing.record.players == ("level:1", "alphabeta:depth=2")
        await person.press("space")
        assert screen.playing.paused
        await person.press("space")
        await person.until(lambda: screen.playing.over)
        assert person.desk.position.game.id == "tictactoe"
        await person.press("question_mark", "escape", "x", "escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(story, start(), size=(80, 24))


def test_a_chess_game_that_is_on_the_board_is_reviewed() -> None:
    async def story(person: Person) -> None:
        await person.press("R")
        assert isinstance(person.app.screen, ReviewScreen)
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(story, start("chess", "startpos moves e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7"))

    async def nothing(person: Person) -> None:
        await person.press("R")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(nothing, start("chess"))


# Pictures.

Compare = Callable[..., bool]


def shown(*keys: str) -> Callable[[Pilot[None]], Any]:
    """Press keys, and wait for whatever they began."""

    async def press(pilot: Pilot[None]) -> None:
        await begun(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
            screen = pilot.app.screen
            while isinstance(screen, PlayScreen) and (screen.playing.asked or screen.playing.thinking):
                await pilot.pause(0.05)
            while isinstance(screen, ReviewScreen) and screen.work.running:
                await pilot.pause(0.05)
        await pilot.pause(0.4)

    return press


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_picture_of_a_game(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(PlybenchApp(start()), terminal_size=size, run_before=shown("P", "enter", "m", "4", "enter", "h"))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_picture_of_a_review(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = PlybenchApp(start("connect4", "444435332"))
    assert snap_compare(app, terminal_size=size, run_before=shown("R", "home", "n"))


def test_picture_of_the_form(snap_compare: Compare) -> None:
    assert snap_compare(PlybenchApp(start()), terminal_size=(80, 24), run_before=shown("P"))

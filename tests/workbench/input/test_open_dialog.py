"""Files in the Open dialog: games, suites, positions of any game, trees; and whatever else a file may be, as a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from textual.events import Paste
from textual.widgets import DirectoryTree, Input, Label, OptionList

from engines import catalog
from engines.contract import InputError
from positions import library
from tests.mutation import is_sentence
from tests.workbench.app.test_app import Person, own_data, tell
from workbench.app.dialogs.file import FileDialog
from workbench.app.dialogs.open import OpenDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.widgets.line import LineInput
from workbench.input import files as file_contents
from workbench.input.files import FileItem, contents, named

__all__ = ["own_data"]
SMALL = (80, 24)

GAMES = """[White "Fool"]
[Black "Mate"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Ruy"]
[Black "Lopez"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 *

[White "Not"]
[Black "Legal"]

1. e4 Ke4 *
"""
SUITE = """1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
# a comment
3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - bm d5; id "BK.02";
"""


@pytest.fixture(autouse=True)
def some_files(own_data: None, tmp_path: Path) -> None:
    """In the current directory."""
    (tmp_path / "games.pgn").write_text(GAMES)
    (tmp_path / "suite.epd").write_text(SUITE)
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "columns.txt").write_text("4453\n\n4455\nzzz\n")


def inside_of(text: str, game: str = "chess") -> list[FileItem]:
    found = named(text)
    assert found is not None, text
    return contents(*found, game)


# Without a screen.


def test_games_and_suites() -> None:
    games = inside_of("games.pgn")
    assert [row.title for row in games] == ["Fool - Mate", "Ruy - Lopez", "Not - Legal"]
    assert games[0].read().text == "startpos moves f2f3 e7e5 g2g4 d8h4"
    assert games[2].study is not None
    study, remarks = games[2].study()  # as far as it can be played, and why no further
    assert study.position().text == games[2].read().text == "startpos moves e2e4"
    assert remarks == ["Move 1 of Black: 'Ke4' is not a legal move here, on line 15."]
    assert [row.read().text for row in inside_of("games.pgn#2/3")] == ["startpos moves e2e4 e7e5 g1f3"]
    assert [row.title for row in inside_of("suite.epd")] == ["BK.01", "BK.02"]
    assert inside_of("suite.epd#2")[0].read().turn == 1
    for wrong in ("suite.epd#3", "suite.epd#x", "games.pgn#x"):
        with pytest.raises(InputError) as caught:
            inside_of(wrong)
        assert is_sentence(str(caught.value))


@pytest.mark.parametrize(
    ("content", "game", "expected"),
    [
        ("4453\n123\n", "chess", [("connect4", "4453"), ("connect4", "123")]),
        ("4453\n", "tictactoe", [("connect4", "4453")]),
        ("bbbb/4/4/wwww b\n", "chess", [("breakthrough", "bbbb/4/4/wwww b")]),
        ("X../.O./...\n", "connect4", [("tictactoe", "X../.O./...")]),
        ("X..\n.O.\n...\n", "chess", [("tictactoe", "X../.O./...")]),
        ("// a board\n.......\n.......\n.......\n.......\n...O...\n..XX...\n", "tree", None),
        ("((3 12 8)\n (2 4 6)\n (14 5 2))\n", "chess", [("tree", "((3 12 8) (2 4 6) (14 5 2))")]),
        ("(1 2)\n(3 4)\n", "chess", [("tree", "(1 2)"), ("tree", "(3 4)")]),
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1\n", "connect4", [("chess", "7k/8/6K1/8/8/8/8/R7 w - - 0 1")]),
        ("1. e4 e5 *", "tree", [("chess", "startpos moves e2e4 e7e5")]),
    ],
)  # fmt: skip
def test_the_game_is_found_out(tmp_path: Path, content: str, game: str, expected: list[tuple[str, str]] | None) -> None:
    (tmp_path / "some.txt").write_text(content)
    read = [row.read() for row in inside_of("some.txt", game)]
    if expected is None:
        assert [position.game.size for position in read] == ["7x6"]
    else:
        assert [(position.game.id, position.text) for position in read] == expected


def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert named("~/games.pgn#3/24") == (tmp_path / "games.pgn", "3/24")
    assert named(" games.pgn ") == (Path("games.pgn"), "")
    (tmp_path / "odd#1.pgn").write_text(GAMES)
    assert named("odd#1.pgn") == (Path("odd#1.pgn"), "")
    for text in ("", "#", "deeper", "no.pgn", "a" * 5000, "nul\0", "~nobody/x", "4453", "chess/kiwipete"):
        assert named(text) is None
    assert file_contents.missing("no.pgn#3") == "There is no file 'no.pgn'."
    assert file_contents.missing("'a lesson.plybench'") == "There is no file 'a lesson.plybench'."
    assert "is a directory" in file_contents.missing("./deeper")
    assert file_contents.missing("4453") == file_contents.missing("nul\0/") == ""


STRANGE = {
    "empty.pgn": b"",
    "blank.txt": b"\n\n  \n",
    "zeros.epd": bytes(100),
    "noise.txt": bytes(range(1, 256)) * 20,
    "noise.pgn": bytes(range(1, 256)) * 20,
    "prose.txt": b"It was a dark and stormy night; the rain fell.\n",
    "comments.epd": b"# nothing\n; here\n",
    "open.txt": b"((3 4) (5",
    "comment.pgn": b"{never closed",
    "wide.txt": b"4" * 300_000,
    "deep.txt": b"(" * 50_000,
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_files_are_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(STRANGE[name])
    with pytest.raises(InputError) as caught:  # noqa: PT012 - the first that is wrong
        for row in inside_of(name):
            row.read()
    assert is_sentence(str(caught.value))


# Stories.


def rows(person: Person) -> list[str]:
    options = person.app.screen.query_one("#entries", OptionList)
    return [str(options.get_option_at_index(i).prompt) for i in range(options.option_count)]


def problem(person: Person) -> str:
    return str(person.app.screen.query_one("#problem", Label).render())


async def write(person: Person, text: str) -> None:
    """Type into the line, and wait until the file is listed."""
    dialog = person.app.screen
    assert isinstance(dialog, OpenDialog)
    dialog.query_one(Input).value = text
    await person.until(lambda: dialog.lists_what_is_typed)


def test_a_game_a_position_and_a_ply_are_opened() -> None:
    async def story(person: Person) -> None:
        await person.press("o")
        await write(person, "games.pgn")
        assert [row.split("  ")[0] for row in rows(person)] == ["Fool - Mate", "Ruy - Lopez", "Not - Legal"]
        await person.press("down", "down", "enter")
        assert person.desk.position.text == "startpos moves e2e4", "what is not legal is left out, and told"
        await person.press("o")
        await write(person, "games.pgn")
        await person.press("down", "enter")
        assert person.desk.position.text == "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5"
        assert "Ruy - Lopez" in person.text("status")
        await person.press("b")
        assert person.desk.position.text == "startpos moves e2e4 e7e5 g1f3 b8c6", "with its moves"
        await person.press("o")
        await write(person, "games.pgn#1/2")
        await person.press("enter")
        assert person.desk.position.text == "startpos moves f2f3 e7e5"
        await person.press("o")
        await write(person, "suite.epd#7")
        await person.until(lambda: bool(problem(person)))
        assert problem(person) == "A position in suite.epd is chosen with #1 to #2, not with '#7'."
        await person.type("no.epd")
        assert problem(person) == "There is no file 'no.epd'."

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_enter_before_the_file_is_read_opens_it_when_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.app.dialogs.open.SETTLED_SECONDS", 1.5)

    async def story(person: Person) -> None:
        await person.press("o")
        await person.type("games.pgn#1/2")
        assert isinstance(person.app.screen, OpenDialog), "it is not read yet"
        await person.until(lambda: isinstance(person.app.screen, AnalyseScreen))
        assert person.desk.position.text == "startpos moves f2f3 e7e5"
        await person.press("o")
        await person.type("suite.epd#7")
        await person.until(lambda: bool(problem(person)))
        assert problem(person) == "A position in suite.epd is chosen with #1 to #2, not with '#7'."
        await person.type("games.pgn")
        await write(person, "suite.epd")
        assert isinstance(person.app.screen, OpenDialog), "something else was typed since"

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_a_file_is_chosen_in_the_tree_of_directories() -> None:
    async def story(person: Person) -> None:
        await person.press("o", "ctrl+f")
        assert isinstance(person.app.screen, FileDialog)
        tree = person.app.screen.query_one(DirectoryTree)
        await person.until(lambda: len(tree.root.children) >= 3)
        await person.press("down", "enter")
        await person.until(lambda: bool(tree.root.children[0].children))
        await person.press("down", "enter")
        assert isinstance(person.app.screen, OpenDialog)
        assert person.app.screen.query_one(Input).value == os.path.join("deeper", "columns.txt")  # noqa: PTH118
        await person.until(lambda: len(rows(person)) == 3)
        await person.press("down", "enter")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert person.desk.position.text == "4455"
        await person.press("o", "ctrl+f", "backspace", "escape", "escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_a_long_file_shows_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("4453\n" * (file_contents.MOST_SHOWN + 5))

    async def story(person: Person) -> None:
        await person.press("o")
        await write(person, "long.txt")
        await person.until(lambda: "of 2,005" in problem(person))
        assert len(rows(person)) == file_contents.MOST_SHOWN
        await write(person, "long.txt#2005")
        await person.press("enter")
        assert person.desk.position.text == "4453"

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_pages_in_a_terminal_without_room() -> None:
    """Textual's list raised a KeyError."""

    async def story(person: Person) -> None:
        await person.press("a")
        await person.pilot.resize_terminal(20, 5)
        for _ in range(3):
            await person.press("down", "pagedown", "pageup")
        assert person.app.is_running

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


PASTED = """[White "Ruy"]
[Black "Lopez"]

1. e4 {the king's pawn} e5 2. Nf3 Nc6
(2... Nf6 3. Nxe5) 3. Bb5! *
"""


def test_a_game_of_several_lines_is_pasted_whole() -> None:
    async def story(person: Person) -> None:
        await person.press("o")
        person.app.screen.query_one("#words", LineInput).post_message(Paste(PASTED))
        await person.until(lambda: "Nf6" in person.app.screen.query_one("#words", LineInput).value)
        await person.press("enter")
        assert person.desk.position.text == "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5"
        kept = msgspec.json.encode(person.desk.session.saved()).decode()
        assert "g8f6" in kept, "the variation"
        assert "the king's pawn" in kept
        assert "Lopez" in kept

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_the_library_is_listed_under_headings_that_are_skipped() -> None:
    async def story(person: Person) -> None:
        await person.press("o")
        dialog = person.app.screen
        options = dialog.query_one("#entries", OptionList)
        headings = [str(option.prompt) for option in options.options if option.disabled]
        assert headings == list(library.GROUPS)
        assert rows(person)[0] == "Worth seeing"
        assert "The opera game" in rows(person)[1]
        assert options.highlighted == 1
        worth = len([entry for entry in library.search(()) if entry.group == headings[0]])
        await person.press(*["down"] * worth)
        assert options.highlighted == worth + 2, "over the second heading"
        await person.press("up", "pageup", "pageup")
        assert (options.highlighted, options.scroll_offset.y) == (1, 0), "with its heading"
        await write(person, "chess/immortal")
        assert [row.split("  ")[0] for row in rows(person)] == ["Worth seeing", "The Immortal Game"]
        await person.press("enter")
        assert "The Immortal Game" in person.text("status")

    tell(story, catalog.position("startpos", "chess"), size=SMALL)

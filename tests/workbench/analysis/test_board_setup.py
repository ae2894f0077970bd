"""Setting a position up: what is put on the board is read at every change, and only what is legal is taken."""

from __future__ import annotations

import pytest
from textual.widgets import Button, Checkbox, Input, Static

from engines import catalog
from positions import library
from tests.workbench.app.test_app import Person, own_data, tell
from workbench.analysis.board_setup import EMPTY, BoardSetup, standing
from workbench.app.dialogs.setup import SetupDialog, TextDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.widgets.setup_board import PiecePalette, SetupBoard

__all__ = ["own_data"]
SMALL = (80, 24)


def dialog(person: Person) -> SetupDialog:
    found = person.app.screen
    assert isinstance(found, SetupDialog)
    return found


def verdict(person: Person) -> str:
    return str(person.app.screen.query_one("#verdict", Static).render())


async def put(person: Person, man: str, *names: str) -> None:
    """Choose a man and put it on squares, by keys."""
    board = dialog(person).query_one(SetupBoard)
    assert board.grid is not None
    for name in names:
        board.cursor = board.grid.row_names.index(name[1]), board.grid.column_names.index(name[0])
        await person.press(man, "enter")


# Drafts, without a screen.


def test_the_draft_of_a_position_is_that_position() -> None:
    for entry in library.entries().values():
        before = entry.position()
        if not any(before.game.marks):
            continue
        after = BoardSetup.of(before).position()
        assert before.game.board_text(before.state) == after.game.board_text(after.state), entry.id
        assert (before.game.size, before.game.options) == (after.game.size, after.game.options), entry.id


def test_castling_with_an_inner_rook_is_kept() -> None:
    fen = "1r2k1r1/8/8/8/8/8/8/RR2K2R w KBg - 0 1"
    draft = BoardSetup.of(catalog.position(fen, "chess"))
    assert draft.castling == ("K", "B", "k", "")
    assert draft.position().game.options["chess960"] is True
    assert draft.with_right(1, False).castling == ("K", "", "k", "")


def test_how_it_stands() -> None:
    words = {
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "chess"): "the game is over: White wins, checkmate",
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "chess"): "the game is over: draw, stalemate",
        ("XXX/OO./...", "tictactoe"): "the game is over: X wins, three in a row",
        ("startpos", "breakthrough"): "White to move",
        ("3", "tree"): "the game is over: MAX gets 3, a leaf",
    }
    for (text, game), expected in words.items():
        assert standing(catalog.position(text, game)) == expected


# Stories.


def test_a_mate_in_one_is_set_up_by_keys() -> None:
    async def story(person: Person) -> None:
        await person.press("e", "c")
        assert verdict(person) == "White has 0 kings on the board, not one."
        assert dialog(person).query_one("#take", Button).disabled
        await person.press("ctrl+s")
        assert dialog(person).legal is None, "what is not legal is not taken"
        await put(person, "K", "g6")
        assert verdict(person) == "Black has 0 kings on the board, not one."
        await put(person, "k", "h8")
        await put(person, "R", "a1", "b1")
        assert verdict(person) == "legal: White to move"
        await put(person, "R", "b1")
        assert dialog(person).setup.at((7, 1)) == EMPTY, "a man put on itself is removed"
        await person.press("v")
        assert verdict(person) == "legal: Black to move"
        await person.press("v", "ctrl+s")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert person.desk.position.text == "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
        assert "set up by hand" in person.text("status")

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_what_the_die_shows() -> None:
    async def story(person: Person) -> None:
        person.desk.load(catalog.position("startpos", "einstein"))
        await person.press("e")
        die = dialog(person).query_one("#die", Input)
        assert dialog(person).setup.grid.beside == ()  # no second die, that shows something else
        assert "rolls the die" in verdict(person)
        die.value = "4"
        await person.press("tab")
        assert "to move" in verdict(person)
        die.value = "7"
        await person.press("tab")
        assert "1 to 6" in verdict(person)
        die.value = "2"
        die.focus()
        await person.press("enter")
        assert person.desk.position.game.board_text(person.desk.position.state).endswith(" r 2")

    tell(story, size=SMALL)


def test_castling_rights_and_en_passant() -> None:
    async def story(person: Person) -> None:
        await person.press("e", "c", "home")
        assert dialog(person).setup.text == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        assert all(box.value for box in dialog(person).query(Checkbox))
        await put(person, "R", "h1")  # it stood there: removed
        assert verdict(person).startswith("Castling K needs a white king on e1 and a rook on h1")
        assert not dialog(person).query_one("#take", Button).disabled  # it can be searched, without this right
        box = dialog(person).query_one("#right-0", Checkbox)
        box.focus()
        await person.press("space")
        assert verdict(person) == "legal: White to move"
        assert dialog(person).setup.text.split()[2] == "Qkq"
        dialog(person).query_one("#en-passant", Input).value = "e6"
        await person.pilot.pause(0.1)
        assert verdict(person).startswith("En passant e6 needs a black pawn on e5")
        dialog(person).query_one(SetupBoard).focus()
        await put(person, "p", "e7", "e5")
        await put(person, "P", "d2", "d5")
        assert verdict(person) == "legal: White to move"
        dialog(person).query_one("#en-passant", Input).focus()
        await person.press("enter")
        assert isinstance(person.app.screen, AnalyseScreen)
        fields = person.desk.position.text.split()
        assert fields[2:4] == ["Qkq", "e6"]

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_the_mouse_sets_up_too() -> None:
    async def story(person: Person) -> None:
        await person.press("e")
        await person.pilot.click("#clear")
        for line, row, column in [(0, 7, 4), (1, 0, 4)]:  # the kings to e1 and e8
            await person.pilot.click(PiecePalette, offset=(PiecePalette.NAME + 1, line))
            width, height = dialog(person).query_one(SetupBoard).shape
            await person.pilot.click(SetupBoard, offset=(3 + column * width + 1, row * height))
            await person.pilot.pause(0.1)
        await person.pilot.click("#turn")
        await person.pilot.pause(0.1)
        assert verdict(person) == "legal: the game is over: draw, insufficient material"
        await person.pilot.click("#take")
        await person.pilot.pause(0.2)
        assert person.desk.position.text == "4k3/8/8/8/8/8/8/4K3 b - - 0 1"

    tell(story, catalog.position("startpos", "chess"), size=SMALL)


def test_stones_need_gravity_and_counts() -> None:
    async def story(person: Person) -> None:
        await person.press("e")
        board = dialog(person).query_one(SetupBoard)
        board.cursor = (4, 0)
        await person.press("x", "space")
        assert verdict(person) == "The stone in row 5 from the top, column 1, hangs in the air."
        board.cursor = (5, 0)
        await person.press("space")
        assert verdict(person) == "There are 2 X and 0 O: X starts, so X has as many as O or one more."
        await person.press("o", "enter")
        assert verdict(person) == "legal: X to move"
        await person.press("delete")
        assert "hangs in the air" in verdict(person)
        await person.press("enter", "ctrl+s")
        assert person.desk.position.game.board_text(person.desk.position.state).endswith("X....../O......")

    tell(story, catalog.position("startpos", "connect4"), size=SMALL)


def test_size_and_options_stay() -> None:
    async def story(person: Person) -> None:
        await person.press("e")
        await put(person, "w", "a2")  # it stood there: removed
        await put(person, "b", "b5", "b4")  # a step back
        await person.press("v", "ctrl+s")
        assert isinstance(person.app.screen, AnalyseScreen)
        position = person.desk.position
        assert position.text == "bbbb/b1bb/1b2/4/1www/wwww b"
        assert (position.game.size, position.game.options["misere"]) == ("6x4", True)

    tell(story, catalog.position("startpos", "breakthrough", "6x4", {"misere": "true"}), size=SMALL)


def test_a_tree_is_edited_as_text() -> None:
    async def story(person: Person) -> None:
        await person.press("e")
        assert isinstance(person.app.screen, TextDialog)
        await person.type("((3 5) (2")
        assert isinstance(person.app.screen, TextDialog)
        assert "not closed" in verdict(person)
        await person.type("((3 5) (2 9))")
        assert person.desk.position.text == "((3 5) (2 9))"

    tell(story, catalog.position("startpos", "tree"), size=SMALL)


@pytest.mark.parametrize(("size", "wide"), [((80, 24), False), ((80, 24), True), ((40, 12), False)])
def test_it_fits(size: tuple[int, int], wide: bool) -> None:
    async def story(person: Person) -> None:
        await person.press("e")
        box = dialog(person).query_one(".dialog").region
        assert box.right <= size[0]
        assert box.bottom <= size[1]
        if size[0] >= 80 and not wide:
            for widget in dialog(person).query("SetupBoard, #setup-help, #notation, #verdict"):
                assert box.contains_region(widget.region), widget
        before = person.desk.position
        await person.press("c", "escape")
        assert person.desk.position is before

    tell(story, catalog.position("startpos", *(("connect4", "32x1") if wide else ("chess",))), size=size)

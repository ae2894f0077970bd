"""Whatever stands on a board can be seen from the back row: contrasts of really drawn cells, in every theme."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from rich.color import Color
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.theme import BUILTIN_THEMES

from engines import catalog
from engines.position import Position
from workbench.analysis.board_marks import Marks, MoveNote
from workbench.app.themes import THEMES
from workbench.app.widgets.board import BoardView
from workbench.render.men import colours
from workbench.render.men.colours import contrast

LEAST = 4.5
POSITIONS = {
    "chess": "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 1",
    "connect4": "44443335",
    "breakthrough": "startpos",
    "einstein": "startpos",
    "tictactoe": "X.O/.X./O..",
    "samegame": "startpos",
    "morpion": "startpos",
}
KINDS = ("light", "dark", "pale-light", "pale-dark", "last", "best", "reply", "target", "cursor")
SIZES = (Size(60, 30), Size(40, 18), Size(110, 45), Size(160, 55))
NAMES = [theme.name for theme in THEMES] + [name for name in BUILTIN_THEMES if not name.startswith("ansi")]
"""The two others take the colours of the terminal for the names of rows and columns, which are not known here."""


class BoardApp(App[None]):
    """A board and nothing else."""

    CSS_PATH = "../../../workbench/app/styles/app.tcss"

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position

    def compose(self) -> ComposeResult:
        yield BoardView(self.position, id="board")

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)


def marks_on(position: Position) -> Iterator[Marks]:
    """No marks, and every kind of mark under the moves that there are."""
    yield Marks()
    game, state = position.game, position.state
    moves = [squares for move in game.legal_moves(state) if (squares := game.move_squares(state, move))]
    notes = tuple(MoveNote(squares, 0.3, -1.25, "at most") for squares in moves[:8])
    for one, other, last in zip(moves, moves[1:], moves[2:], strict=False):
        yield Marks(last=last, best=one, reply=other, moves=notes)
        yield Marks(last=one, best=other, reply=last)
        break


def seen(board: BoardView) -> Iterator[tuple[str, str, str]]:
    """The characters of a board that are not blank, with their colours."""
    for y in range(board.size.height):
        for segment in board.render_line(y):
            if segment.text.strip() and segment.style is not None:
                ink, ground = segment.style.color, segment.style.bgcolor
                assert ink is not None, segment
                assert ground is not None, segment
                yield segment.text, hexed(ink), hexed(ground)


def hexed(colour: Color) -> str:
    return colour.get_truecolor().hex


@pytest.mark.parametrize("name", POSITIONS)
def test_men_and_marks_stand_out_from_their_squares(name: str) -> None:
    asyncio.run(look(catalog.position(POSITIONS[name], name)))


async def look(position: Position) -> None:
    app = BoardApp(position)
    async with app.run_test() as pilot:
        board, checked = app.query_one(BoardView), 0
        edges = {hexed(board._paint(kind).bgcolor or Color.default()) for kind in KINDS}
        for theme in NAMES:
            app.theme = theme
            for size in SIZES if theme == NAMES[0] else SIZES[:1]:
                await pilot.resize_terminal(*size)
                await pilot.pause()
                for marks in marks_on(position):
                    board.show(position, marks=marks)
                    for text, ink, ground in seen(board):
                        if set(text) <= set("▀▄█") and {ink, ground} <= edges:
                            continue  # the edge between a square and a mark, or an empty hole
                        checked += 1
                        assert contrast(ink, ground) >= LEAST, f"{text!r} is {ink} on {ground} in {theme} at {size}"
        assert checked > 500


@pytest.mark.parametrize("name", ["chess", "connect4", "breakthrough", "einstein", "tictactoe"])
def test_men_are_drawn_large_where_there_is_room(name: str) -> None:
    async def large() -> None:
        app = BoardApp(catalog.position(POSITIONS[name], name))
        async with app.run_test(size=(160, 55)):
            texts = "".join(text for text, _, _ in seen(app.query_one(BoardView)))
            assert texts.count("█") + texts.count("▀") + texts.count("▄") > 200

    asyncio.run(large())


def test_players_with_the_name_of_a_colour_have_it() -> None:
    einstein = catalog.position("startpos", "einstein").game
    red, blue = (colours.ink(letters[0], einstein) for letters in einstein.marks[:2])
    assert int(red[1:3], 16) > 2 * max(int(red[3:5], 16), int(red[5:7], 16))
    assert int(blue[5:7], 16) > 2 * max(int(blue[1:3], 16), int(blue[3:5], 16))
    chess = catalog.position("startpos", "chess").game
    assert (colours.ink("K", chess), colours.ink("k", chess)) == ("#ffffff", "#000000")


def test_an_empty_hole_is_pale() -> None:
    async def empty() -> None:
        app = BoardApp(catalog.position("startpos", "connect4"))
        async with app.run_test(size=(110, 45)):
            board = app.query_one(BoardView)
            pale = {hexed(board._paint(kind).bgcolor or Color.default()) for kind in ("pale-light", "pale-dark")}
            assert {ink for text, ink, _ in seen(board) if set(text) <= set("▀▄█")} <= pale

    asyncio.run(empty())

"""How games ended, in the words of their players."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from engines import catalog
from positions import library
from workbench.render.board import board
from workbench.render.report_text import how_it_ended


@pytest.mark.parametrize(
    ("game", "size", "position", "said"),
    [
        ("chess", None, "startpos moves f2f3 e7e5 g2g4 d8h4", "Black wins, checkmate"),
        ("chess", None, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "draw, stalemate"),
        ("chess", None, "7k/8/6K1/8/8/8/8/N7 w - - 0 1", "draw, insufficient material"),
        ("chess", None, "7k/8/6K1/8/8/8/8/R7 w - - 100 80", "draw, fifty-move rule"),
        ("chess", None, "startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 2, "draw, threefold repetition"),
        ("connect4", None, "1212121", "X wins, four in a row"),
        ("tictactoe", None, "startpos moves b2 a1 b1 b3 a3 c1 a2 c2 c3", "draw, the board is full"),
        ("tictactoe", None, "startpos moves a1 b1 a2 b2 a3", "X wins, three in a row"),
        ("breakthrough", "5x5", "w..../...../..b../...../..... b", "White wins, a pawn has reached the last row"),
        ("tree", None, "((3 12 8) (2 4 6)) moves 1 2", "MAX gets 12, a leaf"),
        ("chess", None, "startpos", ""),
    ],
)
def test_how_it_ended(game: str, size: str | None, position: str, said: str) -> None:
    assert how_it_ended(catalog.position(position, game, size)) == said


@pytest.mark.parametrize("name", ["tictactoe/start", "einstein/start", "connect4/start", "chess/start"])
def test_a_board_in_the_terminal_says_all_of_it(name: str) -> None:
    entry = library.entries().get(name) or next(e for e in library.entries().values() if e.game == name.split("/")[0])
    position = entry.position()
    console = Console(width=80, record=True, file=StringIO())
    console.print(board(position))
    said = console.export_text()
    assert f" {position.game.standing(position)} " in said
    assert f" {position.game.title} {position.game.size}".rstrip() in said


def test_the_end_stands_below_the_board() -> None:
    console = Console(width=80, record=True, file=StringIO())
    console.print(board(catalog.position("startpos moves f2f3 e7e5 g2g4 d8h4", "chess")))
    assert " Black wins, checkmate " in console.export_text()

"""How games ended, in the words of their players."""

from __future__ import annotations

import pytest

from engines import catalog
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

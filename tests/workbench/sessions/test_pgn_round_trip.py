"""A PGN that is opened and written again is the same game for python-chess: nothing is lost on the way."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import chess
import chess.engine
import chess.pgn
import pytest

from engines import catalog
from positions import pgn
from workbench.export import chess as export_chess
from workbench.sessions import codec as session_file
from workbench.sessions.model import Session
from workbench.sessions.pgn import study_of

ANNOTATED = """[Event "Hastings \\"A\\" 1895"]
[Site "Hastings ENG"]
[Date "1895.08.17"]
[Round "10"]
[White "Steinitz, Wilhelm"]
[Black "von Bardeleben, Curt"]
[Result "1-0"]
[ECO "C54"]
[WhiteElo "?"]
[TimeControl "40/7200:3600"]

{Before all.} 1. e4 {[%eval 0.25] [%clk 1:30:00]} e5 {[%clk 1:29:58]} 2. Nf3 $1 $14 Nc6
(2... Nf6 {Petrov} 3. Nxe5 (3. d4 exd4 {two
lines, and   blanks}) (3. Nc3) 3... d6) ({Philidor} 2... d6 $6 {  solid  } {and more}) 3. Bc4!? Bc5??
{[%csl Gd4][%cal Ge2e4]} (3... -- {a threat} 4. Ng5 d5) 4. c3 (4. c3 {the same move} Qe7) 4... Nf6 1-0
"""
MATE = "1. f3 e5 2. g4 Qh4#"
SET_UP = """[Event "?"]
[SetUp "1"]
[FEN "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 30"]

30... Kd7 31. e5 {[%eval #12]} *
"""
AFTER_THE_END = """[SetUp "1"]
[FEN "8/8/8/4k3/8/8/8/4K2b w - - 0 1"]

1. Kd2 Kd4 {nobody can mate any more} 2. Ke2 1/2-1/2
"""
CHESS960 = """[Variant "Chess960"]
[SetUp "1"]
[FEN "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"]

1. e4 e5 2. Bh5 Bh4 3. O-O-O {castled} 1/2-1/2
"""


def random_game(chance: random.Random) -> str:
    """A game with everything that python-chess can write."""
    game = chess.pgn.Game()
    game.headers["White"] = chance.choice(["Müller, Jörg", "A. \\\\ B", "?", 'Ó \\"x\\" Súilleabháin'])
    game.headers[chance.choice(["ECO", "Opening", "Foo+Bar"])] = chance.choice(["", "C54", "1. e4 {x}", "a ; b"])
    if chance.random() < 0.5:
        game.comment = chance.choice(["[%eval 0.3] well", "a\nb", "(1. e4)", "; no rest"])
    lines: list[chess.pgn.GameNode] = [game]
    for _ in range(chance.randint(0, 70)):
        node = chance.choice(lines[-3:])
        moves = [move for move in node.board().legal_moves if not node.has_variation(move)]
        if not moves:
            continue
        move = chess.Move.null() if chance.random() < 0.03 and not node.board().is_check() else chance.choice(moves)
        after = node.add_variation(move, nags=chance.sample(range(1, 140), chance.choice([0, 0, 0, 1, 2])))
        if chance.random() < 0.3:
            after.comment = chance.choice(
                ["[%clk 0:01:02.5]", "[%eval #-3] [%emt 0:00:01]", "x\n\ny", "“good” ♞", "1. d4 {", "a  b"]
            )
        if len(node.variations) > 1 and chance.random() < 0.4:
            after.starting_comment = "instead"
        lines.append(after)
    game.headers["Result"] = chance.choice(["1-0", "0-1", "1/2-1/2"])
    return str(game)


def shape(game: chess.pgn.Game) -> object:
    """All that python-chess knows of a game."""

    def below(node: chess.pgn.GameNode) -> Iterator[object]:
        for child in node.variations:
            yield child.move.uci(), child.starting_comment, child.comment, frozenset(child.nags), tuple(below(child))

    return dict(game.headers), game.comment, game.board().fen(), tuple(below(game))


def read(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


def written_again(text: str) -> str:
    """Opened, saved as a session, read back, and exported."""
    session = Session.new("Round trip", catalog.position("startpos", "chess"))
    session.studies = [study_of(pgn.read_tree(text))]
    again = session_file.read(session_file.text_of(session.saved()), "a file")
    return export_chess.pgn(again)


@pytest.mark.parametrize("text", [ANNOTATED, SET_UP, AFTER_THE_END, CHESS960])
def test_a_game_comes_back_as_it_was(text: str) -> None:
    assert shape(read(written_again(text))) == shape(read(text))


def test_clocks_and_evaluations_come_back() -> None:
    first, second = list(read(written_again(ANNOTATED)).mainline())[:2]
    assert first.clock() == 5400
    assert second.clock() == 5398
    evaluation = first.eval()
    assert evaluation is not None
    assert evaluation.white() == chess.engine.Cp(25)


def test_random_games_come_back_as_they_were() -> None:
    chance = random.Random(19)
    for _ in range(60):
        text = random_game(chance)
        assert shape(read(written_again(text))) == shape(read(text)), text


def test_the_result_after_mate() -> None:
    game = read(written_again(MATE))
    assert game.headers["Result"] == "0-1"
    assert game.end().board().is_checkmate()
    session = Session.new("Typed", catalog.position(MATE, "chess"))
    assert read(export_chess.pgn(session)).headers["Result"] == "0-1"


def test_what_a_search_found_is_added_to_what_was_there() -> None:
    """Beside that the game is the same."""
    text = written_again(ANNOTATED)
    assert text.count("[%eval") == ANNOTATED.count("[%eval")
    assert '[White "Steinitz, Wilhelm"]' in text
